package xboard

import (
	"strings"

	"qhsh/engine"
	"qhsh/engine/xiangqi"
	"qhsh/pluginclient/protocol/uci"
)

// board is what is known of the engine's board.
type board struct {
	started       bool              // "new" has been sent
	start         *xiangqi.Position // the start of its game
	pos           *xiangqi.Position // nil: unknown
	playing       bool              // not in force mode
	side          xiangqi.Side      // the engine's side
	hasExclusions bool              // moves are excluded at this position
	ranks         uci.Ranks         // the rank numbering of moves sent to it
	letters       Letters           // of its own FEN; empty: unknown
}

// applySetup parses the arguments of "setup", [(LETTERS) [WxH+S_VARIANT]] FEN: the reply to
// "variant", with the engine's start position.
func (b *board) applySetup(text string) {
	if _, rest, ok := strings.Cut(text, ")"); ok {
		text = strings.TrimSpace(rest)
		if size, rest := cutWord(text); strings.ContainsAny(size, "x+_") {
			text = rest
		}
	}
	pos, err := xiangqi.ParseFEN(text)
	if err != nil {
		b.pos = nil // another variant, until the position is sent
		return
	}
	if fen, _ := cutWord(strings.ToLower(text)); strings.ContainsAny(fen, "he") {
		b.letters = HorseElephant
	} else if strings.ContainsAny(fen, "nb") {
		b.letters = KnightBishop
	}
	b.start, b.pos = pos, pos
}

// applyEngineMove plays the engine's move. If it sends something else instead, its board is
// unknown.
func (b *board) applyEngineMove(best uci.BestMove) {
	m, ok := b.ranks.Parse(best.Move)
	if b.pos == nil || !ok {
		b.pos = nil
		return
	}
	b.pos, _ = b.pos.PlayMove(xiangqi.Move(m)) // nil if it is illegal
}

// positionCommands returns the commands that set the engine's position in force mode: by undo and
// moves in the same game, otherwise from the start of the game.
func (p *protocol) positionCommands(pos *xiangqi.Position, r uci.Ranks) []string {
	var commands []string
	if !p.board.started || p.userGame {
		commands = p.newGameCommands()
	}
	p.board.ranks = r
	if p.board.playing {
		p.board.playing = false
		commands = append(commands, "force")
	}
	start, moves := pos.History()
	from, _ := start.(*xiangqi.Position)
	undone, kept, ok := p.board.distanceTo(from, moves)
	if !ok {
		commands = append(commands, p.startCommands(from)...)
		undone, kept = 0, 0
	}
	for range undone {
		commands = append(commands, "undo")
	}
	if p.board.hasExclusions && undone == 0 && kept == len(moves) && ok {
		commands = append(commands, "include all") // any other change of the position does that
	}
	for _, m := range moves[kept:] {
		commands = append(commands, p.userMove(m, r))
	}
	p.board.start, p.board.pos, p.board.hasExclusions = from, pos, false
	return commands
}

// maxUndo is the maximum number of moves to take back. For more, the game is sent from its start.
const maxUndo = 20

// distanceTo returns how many moves the engine must take back, and how many moves of the game
// remain then. ok is false if the game must be sent from its start.
func (b *board) distanceTo(start *xiangqi.Position, moves []engine.Move) (undone, kept int, ok bool) {
	if b.pos == nil || b.start == nil || b.start.String() != start.String() {
		return 0, 0, false
	}
	_, played := b.pos.History()
	for kept < len(played) && kept < len(moves) && played[kept] == moves[kept] {
		kept++
	}
	undone = len(played) - kept
	return undone, kept, undone <= maxUndo
}

// startCommands returns the commands that set the start position of a game.
func (p *protocol) startCommands(start *xiangqi.Position) []string {
	standard := start.String() == xiangqi.StartFEN
	switch {
	case p.features.setboard:
		return []string{"setboard " + p.fen(start)}
	case standard:
		return p.newGameCommands()
	}
	return append(p.newGameCommands(), p.editCommands(start)...)
}

// fen returns a FEN with six fields in the engine's letters.
func (p *protocol) fen(pos *xiangqi.Position) string {
	fen := pos.FEN()
	if p.fenLetters() == KnightBishop {
		return fen
	}
	fields := strings.Fields(fen)
	fields[0], _ = cutWord(pos.WireFEN())
	return strings.Join(fields, " ")
}

func (p *protocol) fenLetters() Letters {
	switch {
	case p.letters != "":
		return p.letters
	case p.board.letters != "":
		return p.board.letters
	}
	return HorseElephant
}

// editCommands returns the commands that set up a position without setboard (section 8, "edit").
// They do not change the side to move, so a move of Red is played first if it is Black's turn.
func (p *protocol) editCommands(pos *xiangqi.Position) []string {
	var commands []string
	if pos.Side() == xiangqi.Black {
		commands = append(commands, p.userMove(engine.Move(xiangqi.NewMove(27, 36)), p.board.ranks)) // a3a4
	}
	commands = append(commands, "edit", "#")
	for _, side := range []xiangqi.Side{xiangqi.Red, xiangqi.Black} {
		if side == xiangqi.Black {
			commands = append(commands, "c")
		}
		for sq := range xiangqi.Square(90) {
			if piece := pos.At(sq); piece != xiangqi.Empty && piece.Side() == side {
				commands = append(commands, p.letter(piece.Kind())+p.board.ranks.Point(sq))
			}
		}
	}
	return append(commands, ".")
}

func (p *protocol) letter(kind xiangqi.Kind) string {
	letters := " RHEAKCP"
	if p.fenLetters() == KnightBishop {
		letters = " RNBAKCP"
	}
	return letters[kind : kind+1]
}

func (p *protocol) userMove(m engine.Move, r uci.Ranks) string {
	if p.features.usermove {
		return "usermove " + r.Format(m)
	}
	return r.Format(m)
}
