package records

import (
	"bufio"
	"context"

	"qhsh/engine"
	"qhsh/engine/interruptible"
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

// Openings reads the first plies of all games; 0 plies are whole games. over reports whether a
// position ends a game.
func (r *Files) Openings(ctx context.Context, plies int, over func(engine.Position) bool) (Openings, error) {
	return ReadOpenings(func(f func(*record.Game) error) error {
		return r.Each(ctx, func(_ string, _ int, g *record.Game) error { return f(g) })
	}, plies, over)
}

// ReadOpenings is [Files.Openings] of the games for which each calls its argument.
func ReadOpenings(each func(f func(*record.Game) error) error, plies int, over func(engine.Position) bool) (o Openings, err error) {
	seen := map[uint64]bool{}
	err = each(func(g *record.Game) error {
		o.Games++
		pos := after(g, plies)
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

// after returns the position after the first plies of a game; 0: after all.
func after(g *record.Game, plies int) engine.Position {
	pos := g.Start
	for i, m := range g.MainLine() {
		next, err := pos.Play(m)
		if err != nil || plies > 0 && i == plies {
			break
		}
		pos = next
	}
	return pos
}

// HoldsMoves reports whether a file has no format but that of plain moves, in which a line can also be
// a position.
func HoldsMoves(ctx context.Context, lib *record.Library, path string) (bool, error) {
	file, err := interruptible.Open(ctx, path)
	if err != nil {
		return false, err
	}
	defer file.Close()
	in, err := input.Unpack(file)
	if err != nil {
		return false, err
	}
	defer in.Close()
	const enough = 64 << 10
	head, _ := bufio.NewReaderSize(in, enough).Peek(enough) // a shorter file is an error
	return lib.DetectFormat(head) == record.Moves, nil
}
