package record

import (
	"errors"
	"slices"
	"strings"

	"qhsh/engine"
)

// A Description is what the forms have to know of a game. The Game alone will do; what is nil or
// zero stands for what follows from it.
type Description struct {
	Game engine.Game
	PGN  PGNStyle // without a name: that of NewPGNStyle

	// Parse reads a legal move in any notation, and Format writes one in that of a name, which is
	// empty for the usual one. Without them there is the notation of the game's positions.
	Parse  func(p engine.Position, text string) (engine.Move, error)
	Format func(p engine.Position, m engine.Move, notation string) string
	// Board returns a board at the start of a game, which writes moves in a notation. Without it a board
	// plays the game's positions, and asks Parse and Format.
	Board func(start engine.Position, notation string) Board
	// Number returns the number of the first move from a position on; without it that is 1.
	Number func(start engine.Position) int
	// CutPosition parts a line of plain moves that begins with a position: into its text, empty
	// for the start of a game, and the moves behind it. ok is false for any other line. Without
	// it a position is "startpos" or what Game reads, up to the word moves.
	CutPosition func(line string) (position, moves string, ok bool)
	// IsMove reports whether a word looks like a move of the game.
	IsMove func(word string) bool
	// Unnamed is set where the game's lines of JSON do not name it: they are older than those of
	// other games.
	Unnamed bool
}

// A Board follows the moves of a game.
type Board interface {
	// Do makes a legal move, and Undo takes back the last one.
	Do(engine.Move)
	Undo()
	// Turn tells who chooses the next move.
	Turn() engine.Turn
	// Key returns that of the position, as [engine.Position] has it.
	Key() uint64
	// Parse reads a legal move. The error wraps [engine.ErrMalformed] where the text is no move at
	// all. Of a text that may be several moves it may be a [AmbiguousMove].
	Parse(text string) (engine.Move, error)
	// Format writes a legal move.
	Format(engine.Move) string
}

// A AmbiguousMove is the error of a text that stands for several legal moves.
type AmbiguousMove interface {
	error
	Choices() []engine.Move
}

// A Reinterpreter is a Board that knows how else a text may be meant.
type Reinterpreter interface {
	// Interpretations is asked after a text has been read that does not fit. The text is read again in
	// these ways, until one fits. given is the start position as the file has it; empty if it has
	// none.
	Interpretations(given string) []Interpretation
}

// A Interpretation is a way to read a text.
type Interpretation struct {
	Start engine.Position
	Board Board // at Start
}

// orDefault fills in what is not there.
func (d Description) orDefault() Description {
	if d.PGN.Game == "" {
		d.PGN = NewPGNStyle(d.Game)
	}
	if d.Parse == nil {
		d.Parse = engine.Position.Parse
	}
	if d.Format == nil {
		d.Format = func(p engine.Position, m engine.Move, _ string) string { return p.Format(m) }
	}
	if d.Board == nil {
		d.Board = d.play
	}
	if d.Number == nil {
		d.Number = func(engine.Position) int { return 1 }
	}
	if d.CutPosition == nil {
		d.CutPosition = d.cutPosition
	}
	if d.IsMove == nil {
		d.IsMove = d.isMove
	}
	return d
}

// startpos is the word for the start of a game.
const startpos = "startpos"

// cutPosition returns CutPosition of a game of which nothing else is known.
func (d Description) cutPosition(line string) (position, moves string, ok bool) {
	position, moves, _ = strings.Cut(strings.TrimSpace(line)+" ", " moves ")
	position = strings.TrimSpace(position)
	if position == startpos {
		return "", moves, true
	}
	_, err := d.Game.Position(position)
	return position, moves, err == nil
}

// isMove returns IsMove of a game that may begin with a move of chance, which the word need not be.
func (d Description) isMove(word string) bool {
	start := d.Game.Start()
	if d.reads(start, word) {
		return true
	}
	if start.Turn() != engine.Chance {
		return false
	}
	return slices.ContainsFunc(start.Moves(), func(m engine.Move) bool {
		next, err := start.Play(m)
		return err == nil && d.reads(next, word)
	})
}

// reads reports whether a word looks like a move in a position.
func (d Description) reads(p engine.Position, word string) bool {
	_, err := parse(d.Board(p, ""), word)
	return !errors.Is(err, engine.ErrMalformed)
}

// play returns a board that plays positions.
func (d Description) play(start engine.Position, notation string) Board {
	return &positionBoard{d, notation, []engine.Position{start}}
}

// A played game is a Board of positions.
type positionBoard struct {
	Description
	notation string
	line     []engine.Position
}

func (b *positionBoard) now() engine.Position { return b.line[len(b.line)-1] }

// Do makes an illegal move, too, which changes nothing then: a record may hold one.
func (b *positionBoard) Do(m engine.Move) {
	next, err := b.now().Play(m)
	if err != nil {
		next = b.now()
	}
	b.line = append(b.line, next)
}

func (b *positionBoard) Undo()             { b.line = b.line[:len(b.line)-1] }
func (b *positionBoard) Turn() engine.Turn { return b.now().Turn() }
func (b *positionBoard) Key() uint64       { return b.now().Key() }

func (b *positionBoard) Parse(text string) (engine.Move, error) {
	return b.Description.Parse(b.now(), text)
}

func (b *positionBoard) Format(m engine.Move) string {
	return b.Description.Format(b.now(), m, b.notation)
}

// A move's blanks are written as blank where blanks part moves.
const wordSpace = "_"

// PGNWord returns a move as a word of PGN, without blanks.
func PGNWord(move string) string { return strings.ReplaceAll(move, " ", wordSpace) }

// parse reads a move that may be one of Word.
func parse(b Board, text string) (engine.Move, error) {
	m, err := b.Parse(text)
	if err == nil || !strings.Contains(text, wordSpace) || !errors.Is(err, engine.ErrMalformed) {
		return m, err
	}
	if m, spaced := b.Parse(strings.ReplaceAll(text, wordSpace, " ")); !errors.Is(spaced, engine.ErrMalformed) {
		return m, spaced
	}
	return m, err
}
