package explore

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"slices"

	"qhsh/engine"
	"qhsh/engine/record"
)

// digestSize is how many bytes of a SHA-256 identify a game.
const digestSize = 16

// A ply is a row of the table plies, except for the game.
type ply struct{ key, move int64 }

// A played is a game as the database stores it.
type played struct {
	names  [4]string // of players, event and opening
	date   Date
	result engine.Outcome
	start  string // "" for the usual one
	moves  []byte
	length int // in moves
	digest []byte
	plies  []ply
}

// convert returns what is stored of a record.
func (d *DB) convert(lib *record.Library, g *record.Game) played {
	p := played{
		names: [4]string{
			g.Tags.Known(lib.PGN.First), g.Tags.Known(lib.PGN.Second),
			cmp.Or(g.Tags.Known("Event"), g.Tags.Known("Title")), cmp.Or(g.Tags.Known("Opening"), g.Tags.Known("ECO")),
		},
		result: g.Result,
	}
	p.date, _ = ParseDate(g.Tags.Get("Date"))
	if text := g.Start.String(); text != d.game.Start().String() {
		p.start = text
	}
	moves := g.MainLine()
	for _, m := range moves {
		p.moves = binary.AppendUvarint(p.moves, uint64(m))
	}
	p.length = len(moves)
	p.plies = pliesOf(lib.Board(g.Start, ""), moves)
	// The start is without its counters.
	sum := sha256.Sum256(append(binary.BigEndian.AppendUint64(nil, g.Start.Key()), p.moves...))
	p.digest = sum[:digestSize]
	return p
}

// pliesOf returns the plies of a line from the position of a board. The last one has NoMove, unless
// the game has been in that position before.
func pliesOf(board record.Board, moves []engine.Move) []ply {
	plies := make([]ply, 0, len(moves)+1)
	for _, m := range moves {
		plies = append(plies, ply{int64(board.Key()), int64(m)})
		board.Do(m)
	}
	last := int64(board.Key())
	if slices.ContainsFunc(plies, func(p ply) bool { return p.key == last }) {
		return plies
	}
	return append(plies, ply{last, int64(engine.NoMove)})
}

// A storedLine is a row of the table lines.
type storedLine struct {
	start string // "" for the usual one
	moves []byte
}

// read returns the start and the moves of a line.
func (l storedLine) read(game engine.Game) (start engine.Position, moves []engine.Move, err error) {
	start = game.Start()
	if l.start != "" {
		if start, err = game.Position(l.start); err != nil {
			return nil, nil, err
		}
	}
	for rest := l.moves; len(rest) > 0; {
		m, n := binary.Uvarint(rest)
		if n <= 0 {
			return nil, nil, errDamaged
		}
		moves, rest = append(moves, engine.Move(m)), rest[n:]
	}
	return start, moves, nil
}

var errDamaged = errors.New("the moves of a game are damaged")
