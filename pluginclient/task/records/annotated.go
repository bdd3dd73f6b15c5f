package records

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"qhsh/engine"
	"qhsh/engine/printable"
	"qhsh/engine/record"
	"qhsh/pluginclient/task/batch"
	"qhsh/pluginclient/task/batch/input"
)

// eachPosition is EachIn of positions in a format of package input.
func (r *Files) eachPosition(ctx context.Context, in io.Reader, label, form string, f func(number int, g *record.Game) error) error {
	src, err := input.Open(r.Positions, in, input.Options{Name: label, Format: form})
	if err != nil {
		return err
	}
	defer src.Close()
	for number := 1; ; number++ {
		item, err := src.Next()
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err == io.EOF:
			return nil
		case err != nil:
			return err
		case item.Err != nil:
			r.OnDamaged(fmt.Errorf("%s:%d: %w", label, item.Line, item.Err))
			continue
		}
		g, err := r.gameOf(item)
		if err == nil {
			err = f(number, g)
		}
		if err != nil {
			return err
		}
	}
}

// gameOf returns the game that begins at a position. Its moves are the first line of an earlier answer, and the best
// moves of the input. If these exclude the answer, it is wrong, and left out.
func (r *Files) gameOf(item batch.Item) (*record.Game, error) {
	pos, err := engine.WithoutHistory(item.Pos)
	if err != nil {
		return nil, err
	}
	g := record.NewGame(pos)
	for _, line := range append([][]string{item.PV}, slices.Collect(slices.Chunk(item.BM, 1))...) {
		n, at := g.Root, pos
		for _, text := range engine.JoinMoves(r.Positions, line) {
			m, err := batch.ReadMove(r.Positions, at, text)
			if err != nil || n == g.Root && len(item.BM) > 0 && !slices.Contains(item.BM, at.Format(m)) {
				break
			}
			if at, err = at.Play(m); err != nil {
				return nil, err
			}
			n = n.Add(m)
		}
	}
	g.Tags.Add("Title", item.ID)
	for _, field := range item.Remarks() {
		var text string
		if json.Unmarshal(field.Value, &text) != nil {
			text = string(field.Value) // a number
		}
		switch name := strings.ToLower(field.Name); name {
		case "c0":
			g.Root.Comment = record.CleanText(text)
		case "event", "date", "kind", "grade", strings.ToLower(r.Library.PGN.First), strings.ToLower(r.Library.PGN.Second):
			g.Tags.Add(printable.Capital(name), text)
		}
	}
	return g, nil
}
