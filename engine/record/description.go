package record

import (
	"errors"
	"slices"
	"strings"

	"qhsh/engine"
)

// A Description is what the formats need to know about a game. Only Game is required; the other
// fields have defaults derived from it.
type Description struct {
	Game engine.Game
	PGN  PGNStyle // if its Game is empty: NewPGNStyle(Game)

	// Variants describes the variants of the game; nil if it has one.
	Variants *Variants

	// Parse parses a legal move in any notation. Format formats one in a named notation; "" is the
	// default. If nil, the methods of the game's positions are used.
	Parse  func(p engine.Position, text string) (engine.Move, error)
	Format func(p engine.Position, m engine.Move, notation string) string
	// Board returns a board at the start of a game that formats moves in a notation. If nil, the
	// board plays the game's positions with Parse and Format.
	Board func(start engine.Position, notation string) Board
	// Number returns the number of the first move from a position; if nil it is 1.
	Number func(start engine.Position) int
	// CutPosition splits a line of plain moves that begins with a position into the position's
	// text, empty for the start of a game, and the moves after it, a part of the line. ok is false for any other.
	// If nil, a position is "startpos" or what Game parses, up to the word moves.
	CutPosition func(line string) (position, moves string, ok bool)
	// IsMove reports whether a word looks like a move of the game.
	IsMove func(word string) bool
	// OmitName is set if the game's JSON lines do not name it, for compatibility.
	OmitName bool
}

// Variants describes how records name the variants of a game.
type Variants struct {
	Tag string // name of the PGN tag for the variant
	// Game returns the variant for a value of the tag.
	Game func(value string) (engine.Game, error)
	// PGN returns the PGN style of a variant.
	PGN func(engine.Game) PGNStyle
	// Other returns the name of another game that a PGN text without the tag is of; empty if it shows none.
	Other func(text string) string
}

// A Board follows the moves of a game.
type Board interface {
	// Do makes a legal move, and Undo takes back the last one.
	Do(engine.Move)
	Undo()
	// Turn returns the side that moves next, or Chance.
	Turn() engine.Turn
	// Key returns the key of the position; see [engine.Position].
	Key() uint64
	// Parse parses a legal move. The error wraps [engine.ErrMalformed] if the text is not a move at
	// all, and may be an [AmbiguousMove] if it can mean several moves.
	Parse(text string) (engine.Move, error)
	// Format formats a legal move.
	Format(engine.Move) string
}

// An AmbiguousMove is the error of a text that can mean several legal moves.
type AmbiguousMove interface {
	error
	Choices() []engine.Move
}

// A Reinterpreter is a Board that can suggest other interpretations of a text with illegal moves.
type Reinterpreter interface {
	// Interpretations returns other interpretations of a text that could not be read. They are
	// tried until one succeeds. given is the start position as in the file; empty if it has none.
	Interpretations(given string) []Interpretation
}

// An Interpretation is a start position and a board that parses the moves.
type Interpretation struct {
	Start engine.Position
	Board Board // at Start
}

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
		plays := d
		d.Board = func(start engine.Position, notation string) Board {
			return &positionBoard{plays, notation, []engine.Position{start}}
		}
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

const startpos = "startpos"

// cutPosition is the default CutPosition.
func (d Description) cutPosition(line string) (position, moves string, ok bool) {
	position, moves, ok = strings.Cut(strings.TrimSpace(line), " moves ")
	if !ok {
		position = strings.TrimSuffix(position, " moves")
	}
	position = strings.TrimSpace(position)
	switch {
	case position == startpos:
		return "", moves, true
	case len(position) > maxPosition:
		return "", "", false
	}
	_, err := d.Game.Position(position)
	return position, moves, err == nil
}

// isMove is the default IsMove. A game may begin with a chance move that the word omits.
func (d Description) isMove(word string) bool {
	start := d.Game.Start()
	if d.looksLikeMove(start, word) {
		return true
	}
	if start.Turn() != engine.Chance {
		return false
	}
	return slices.ContainsFunc(start.Moves(), func(m engine.Move) bool {
		next, err := start.Play(m)
		return err == nil && d.looksLikeMove(next, word)
	})
}

func (d Description) looksLikeMove(p engine.Position, word string) bool {
	_, err := parse(d.Board(p, ""), word)
	return !errors.Is(err, engine.ErrMalformed)
}

type positionBoard struct {
	Description
	notation string
	line     []engine.Position
}

func (b *positionBoard) current() engine.Position { return b.line[len(b.line)-1] }

// Do ignores an illegal move, because a record may contain one.
func (b *positionBoard) Do(m engine.Move) {
	next, err := b.current().Play(m)
	if err != nil {
		next = b.current()
	}
	b.line = append(b.line, next)
}

func (b *positionBoard) Undo()             { b.line = b.line[:len(b.line)-1] }
func (b *positionBoard) Turn() engine.Turn { return b.current().Turn() }
func (b *positionBoard) Key() uint64       { return b.current().Key() }

func (b *positionBoard) Parse(text string) (engine.Move, error) {
	return b.Description.Parse(b.current(), text)
}

func (b *positionBoard) Format(m engine.Move) string {
	return b.Description.Format(b.current(), m, b.notation)
}

// wordSpace replaces spaces within a move where spaces separate moves.
const wordSpace = "_"

// PGNWord returns a move as a word of PGN, without spaces.
func PGNWord(move string) string { return strings.ReplaceAll(move, " ", wordSpace) }

// parse parses a move that may be one of PGNWord.
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
