package batch

import (
	"context"
	"errors"
	"fmt"

	"qhsh/engine"
	"qhsh/pluginclient"
)

// tries is how often an engine is asked about a position before the position counts as
// failed, and how often it is started in a row before it counts as gone. A Session
// starts a lost engine again by itself, so the second try meets a fresh one.
const tries = 2

// answerAll is a worker: it answers tasks until the run has ended. If it has no engine
// yet, it opens one for the first of them. An engine that cannot be started any more
// ends the worker, which leaves its task to the others, and the run if there are none.
func (r *runner) answerAll(s pluginclient.Session) {
	defer func() {
		if s != nil {
			_ = s.Close() // an engine that does not end politely is killed; either way it has ended
		}
	}()
	for t := r.nextTask(); t != nil; t = r.nextTask() {
		var err error
		if s == nil {
			s, err = r.open()
		}
		var a Answer
		if err == nil {
			a, err = r.answer(s, t.item)
		}
		if err != nil {
			r.leave(t, err)
			return
		}
		t.answer <- a
	}
}

func (r *runner) nextTask() *task {
	select {
	case t := <-r.left:
		return t
	case t := <-r.work:
		return t
	case <-r.ctx.Done():
		return nil
	}
}

// open starts an engine.
func (r *runner) open() (s pluginclient.Session, err error) {
	for range tries {
		if s, err = r.Open(r.ctx); err == nil || r.ctx.Err() != nil {
			break
		}
	}
	return s, err
}

// leave leaves a task behind because of an engine that is gone.
func (r *runner) leave(t *task, err error) {
	others := r.alive.Add(-1)
	if others == 0 {
		r.stop(err)
		return
	}
	if r.Warn != nil && r.ctx.Err() == nil {
		r.Warn(fmt.Sprintf("%v: going on with %d of %d jobs", err, others, r.jobs))
	}
	r.left <- t
}

// answer asks an engine about a position. The error says that the engine is gone, or is
// the cause of the run's end.
func (r *runner) answer(s pluginclient.Session, item Item) (Answer, error) {
	a := Answer{Item: item, Engine: s.Info().Name}
	if result := item.Pos.Result(); result.Over() {
		a.Over = over(result)
		a.Level, a.HasLevel = s.Level()
		return a, nil
	}
	for range tries {
		a.Hints, a.Err = r.ask(s, item.Pos)
		if a.Err == nil || errors.Is(a.Err, pluginclient.ErrLate) { // it would be late again
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
	lines, err := r.search(s, pos)
	if err != nil {
		return nil, err
	}
	hints, err := showAll(pos, lines[:min(len(lines), max(r.Limits.Lines, 1))])
	if err != nil {
		return nil, &pluginclient.Error{Engine: s.Info().Name, Command: "search", Err: err}
	}
	return hints, nil
}

// search starts an engine again if it has to be.
func (r *runner) search(s pluginclient.Session, pos engine.Position) (lines []engine.Line, err error) {
	for range tries {
		engine.Forget(s)
		lines, err = engine.Best(r.ctx, s, pos, r.Limits)
		if !errors.Is(err, pluginclient.ErrStart) || r.ctx.Err() != nil {
			break
		}
	}
	return lines, err
}

// showAll writes lines in the game's notation. No engine is believed that its moves are
// legal: a proposed move that is not is an error, and an expected continuation ends
// where it ceases to be one.
func showAll(pos engine.Position, lines []engine.Line) ([]Hint, error) {
	hints := make([]Hint, len(lines))
	for i, line := range lines {
		pv := engine.Names(pos, line.Moves)
		if len(pv) == 0 {
			return nil, fmt.Errorf("%w as hint %d", pluginclient.ErrIllegal, i+1)
		}
		hints[i] = Hint{
			Move: pv[0], Score: line.Score, Depth: line.Depth, Nodes: line.Nodes, PV: pv, Text: line.Text,
		}
	}
	return hints, nil
}
