package batch

import (
	"context"
	"errors"
	"fmt"

	"qhsh/engine"
	"qhsh/pluginclient"
)

// tries is how often an engine is asked about a position before the position counts as
// failed. A Session starts a lost engine again by itself, so the second try meets a
// fresh one.
const tries = 2

// answerAll is a worker: it opens an engine, at once or when it has something to do,
// and answers tasks until there are no more. An engine that cannot be started breaks
// off the run.
func (r *runner) answerAll(atOnce bool) {
	var s pluginclient.Session
	defer func() {
		if s != nil {
			_ = s.Close() // an engine that does not end politely is killed; either way it has ended
		}
	}()
	open := func() bool {
		if s != nil {
			return true
		}
		var err error
		if s, err = r.Open(r.ctx); err != nil {
			s = nil
			r.stop(err)
		}
		return s != nil
	}
	if atOnce && !open() {
		return
	}
	for {
		t, ok := r.nextTask()
		if !ok || !open() {
			return
		}
		a, err := r.answer(s, t.item)
		if err != nil {
			r.stop(err)
			return
		}
		t.answer <- a
	}
}

func (r *runner) nextTask() (*task, bool) {
	select {
	case t, ok := <-r.work:
		return t, ok && r.ctx.Err() == nil
	case <-r.ctx.Done():
		return nil, false
	}
}

// answer asks an engine about a position. The error is one that breaks off the run.
func (r *runner) answer(s pluginclient.Session, item Item) (Answer, error) {
	a := Answer{Item: item, Engine: s.Info().Name}
	if result := item.Pos.Result(); result.Over() {
		a.Over = over(result)
		a.Level, a.HasLevel = s.Level()
		return a, nil
	}
	for range tries {
		a.Hints, a.Err = r.ask(s, item.Pos)
		if a.Err == nil {
			break
		}
		if r.ctx.Err() != nil {
			return a, context.Cause(r.ctx)
		}
		if errors.Is(a.Err, pluginclient.ErrStart) {
			return a, a.Err
		}
	}
	a.Level, a.HasLevel = s.Level()
	return a, nil
}

func over(result engine.Result) string {
	if result.Reason != "" {
		return result.Reason
	}
	return result.Outcome.String()
}

// ask makes one try.
func (r *runner) ask(s pluginclient.Session, pos engine.Position) ([]Hint, error) {
	engine.Forget(s)
	lines, err := engine.Best(r.ctx, s, pos, r.Limits)
	if err != nil {
		return nil, err
	}
	hints, err := showAll(pos, lines[:min(len(lines), max(r.Limits.Lines, 1))])
	if err != nil {
		return nil, &pluginclient.Error{Engine: s.Info().Name, Command: "search", Err: err}
	}
	return hints, nil
}

// showAll writes lines in the game's notation. No engine is believed that its moves are
// legal: a proposed move that is not is an error, and an expected continuation ends
// where it ceases to be one.
func showAll(pos engine.Position, lines []engine.Line) ([]Hint, error) {
	hints := make([]Hint, len(lines))
	for i, line := range lines {
		pv := show(pos, line.Moves)
		if len(pv) == 0 {
			return nil, fmt.Errorf("%w as hint %d", pluginclient.ErrIllegal, i+1)
		}
		hints[i] = Hint{
			Move: pv[0], Score: line.Score, Depth: line.Depth, Nodes: line.Nodes, PV: pv, Text: line.Text,
		}
	}
	return hints, nil
}

func show(pos engine.Position, moves []engine.Move) []string {
	texts := make([]string, 0, len(moves))
	for _, m := range moves {
		next, err := pos.Play(m)
		if err != nil {
			break
		}
		texts = append(texts, pos.Format(m))
		pos = next
	}
	return texts
}
