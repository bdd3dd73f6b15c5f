package puzzle

import (
	"encoding/json"
	"fmt"
	"slices"

	"qhsh/engine"
	"qhsh/pluginclient/format"
	"qhsh/pluginclient/task/batch"
)

// Formats returns the formats of puzzles, those of package batch that are streams of text. The first is
// the default.
func Formats() (all format.Table[batch.Writer]) {
	const hints = 2 // the solution and the best other move
	for _, f := range batch.Formats(hints) {
		if slices.Contains([]string{"json", "epd", "csv", "text"}, f.Name) {
			all = append(all, f)
		}
	}
	return all
}

// An Output is what is written of the answers of a Composer.
type Output struct {
	ForcedWin string             // what the game calls a mate
	Limit     int                // puzzles; 0: all
	OnFailed  func(batch.Answer) // is called with answers that have an Err, which are not written

	// Written and Repeated count the puzzles that were written, and those that were not because
	// their positions had been.
	Written, Repeated int

	seen map[uint64]bool // keys of the positions written
}

// Format returns a format, for one run, that writes the answers of a Composer as puzzles: an answer
// that has one becomes the answer of its position without a history, whose bm is the first move of the
// solution.
func (o *Output) Format(f batch.Format) batch.Format {
	o.seen = map[uint64]bool{}
	return batch.Filtered(f, func() batch.Filter { return o.filter })
}

// filter is a [batch.Filter].
func (o *Output) filter(a batch.Answer) (_ batch.Answer, ok bool, err error) {
	switch {
	case a.Err != nil:
		o.OnFailed(a)
		return a, false, nil
	case len(a.Hints) == 0:
		return a, false, nil
	}
	p := Puzzle{Solution: a.Hints[0]}
	if err := json.Unmarshal([]byte(p.Solution.Text), &p); err != nil || len(a.Hints) != 2 {
		return a, false, fmt.Errorf("not a puzzle: %q", batch.Excerpt(p.Solution.Text))
	}
	p.Solution.Text, p.Other = "", a.Hints[1]
	if a, err = o.answer(a, &p); err != nil {
		return a, false, err
	}
	if o.seen[a.Pos.Key()] {
		o.Repeated++
		return a, false, nil
	}
	o.seen[a.Pos.Key()] = true
	o.Written++
	if o.Written == o.Limit {
		err = batch.ErrEnough
	}
	return a, true, err
}

// answer returns a puzzle as the answer of its position. Its fields come before those of the input.
func (o *Output) answer(a batch.Answer, p *Puzzle) (batch.Answer, error) {
	pos, err := engine.WithoutHistory(a.Pos)
	if err != nil {
		return a, err
	}
	fields := batch.Fields{batch.TextField("kind", string(p.Kind))}
	if p.End != "" {
		fields = append(fields, batch.TextField("end", p.End))
	}
	fields = append(fields, batch.NumberField("length", p.Length), batch.NumberField("found", p.Level), batch.NumberField("grade", p.Grade()))
	for _, f := range a.Fields {
		if !slices.ContainsFunc(fields, func(own batch.Field) bool { return own.Name == f.Name }) {
			fields = append(fields, f)
		}
	}
	won := "decisive advantage"
	switch p.Kind {
	case Mate:
		n, _ := p.Solution.Score.Mate()
		won = fmt.Sprintf("%s in %d: %s", o.ForcedWin, n, p.End)
	case Repetition:
		won = "the other side can only repeat, and loses by " + p.End
	}
	a.Item = batch.Item{
		File: a.File, Line: a.Line, ID: a.ID, IDNumber: a.IDNumber, Fields: fields,
		Text: pos.String(), Pos: pos, BM: []string{p.Solution.Move},
		Ops: []batch.Op{{Code: "c0", Args: batch.Quoted(won)}},
	}
	a.Hints = []batch.Hint{p.Solution, p.Other}
	return a, nil
}
