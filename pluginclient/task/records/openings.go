package records

import (
	"bufio"
	"io"

	"qhsh/engine"
	"qhsh/engine/record"
	"qhsh/pluginclient/task/batch/input"
)

// Openings are the beginnings of games, each position once.
type Openings struct {
	Positions []engine.Position // with the moves that led there
	Games     int               // read
	Repeated  int               // left out, because an earlier game reached the same position
	Over      int               // left out, because the position ends the game
}

// ReadOpenings reads the first plies of the games for which each calls its argument; 0 plies are whole
// games. over reports whether a position ends a game.
func ReadOpenings(each func(f func(*record.Game) error) error, plies int, over func(engine.Position) bool) (o Openings, err error) {
	seen := map[uint64]bool{}
	err = each(func(g *record.Game) error {
		o.Games++
		pos := g.Start
		for i, m := range g.MainLine() {
			next, err := pos.Play(m)
			if err != nil || plies > 0 && i == plies {
				break
			}
			pos = next
		}
		switch key := pos.Key(); {
		case over(pos):
			o.Over++
		case seen[key]:
			o.Repeated++
		default:
			seen[key] = true
			o.Positions = append(o.Positions, pos)
		}
		return nil
	})
	return o, err
}

// HoldsMoves reports whether a file has no format but that of plain moves, in which a line can also be
// a position.
func HoldsMoves(lib *record.Library, file io.Reader) (bool, error) {
	in, err := input.Unpack(file)
	if err != nil {
		return false, err
	}
	defer in.Close()
	const enough = 64 << 10
	head, _ := bufio.NewReaderSize(in, enough).Peek(enough) // a shorter file is an error
	return lib.DetectFormat(head) == record.Moves, nil
}
