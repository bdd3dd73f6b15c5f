package qh

import (
	"errors"
	"time"

	"qhsh/engine"
	"qhsh/engine/xiangqi"
	"qhsh/pluginclient/task/check"
	"qhsh/pluginclient/task/check/boards"
)

// A deepThought is where and at which level a plugin thinks for so long that it can be
// interrupted.
type deepThought struct {
	level int
	pos   *xiangqi.Position // nil: it never does
}

// longThought is how long a plugin has to think, at least.
const longThought = 1500 * time.Millisecond

// deep has everything ready for a deep thought. The check is absent for a plugin that never has
// one.
func deep(e *exam) error {
	if err := e.canThink(); err != nil {
		return err
	}
	if e.deep.pos == nil {
		return check.Absentf("it never thinks for more than %v", longThought)
	}
	return e.prepares(e.deep)
}

// pondering has the plugin think deeply for a while, about AI or HINTS.
func pondering(command string) func(*exam) error {
	return func(e *exam) error {
		if err := deep(e); err != nil {
			return err
		}
		return e.ponder(meanwhile, command)
	}
}

// canThink finds out where the plugin thinks long: at its strongest level, at the start of the
// game, or in the middle of one, where it has no book.
func (e *exam) canThink() error {
	if e.deep != nil {
		return nil
	}
	d := &deepThought{}
	for _, level := range e.levels() {
		d.level = level.ID // the last one
	}
	for _, pos := range []*xiangqi.Position{start, boards.Middle} {
		if pos == boards.Middle && e.dialect == nil {
			break
		}
		d.pos = pos
		if err := e.prepares(d); err != nil {
			return err
		}
		if err := e.ponder(0, "AI"); err != nil {
			return err
		}
		_, err := e.Line(e.Context, longThought)
		e.Drop()
		if errors.Is(err, check.ErrSilent) {
			e.deep = d
			return nil
		}
		if err != nil {
			return e.Missing("an answer to AI", err)
		}
	}
	d.pos = nil
	e.deep = d
	return nil
}

// prepares brings the plugin to where a deep thought begins.
func (e *exam) prepares(d *deepThought) error {
	if err := alone(e); err != nil {
		return err
	}
	if len(e.levels()) > 0 {
		if err := e.toLevel(d.level); err != nil {
			return err
		}
	}
	if d.pos == start {
		return nil
	}
	return e.set(d.pos)
}

// ponder sends AI or HINTS where it begins a deep thought, and lets it go on for a while, in
// which nothing may come. Further lines go in one piece with the command.
func (e *exam) ponder(d time.Duration, lines ...string) error {
	e.Drain()
	if err := e.Send(lines...); err != nil || d == 0 {
		return err
	}
	early, err := e.Pause(e.Context, d)
	if err == nil && len(early) > 0 {
		err = check.Faultf("nothing yet: at other times it thought for "+longThought.String(), "%s after %v", quoted(early), d)
	}
	return err
}

// meanwhile is how long a plugin thinks before it is interrupted.
const meanwhile = 100 * time.Millisecond

// stopped begins a deep thought and ends it some time later by ABORT or TIMEOUT; after no time
// that goes in one piece with the command. It answers the line that comes, which has to come
// soon.
func (e *exam) stopped(command string, after time.Duration, by string) (answer string, err error) {
	if after == 0 {
		err = e.ponder(0, command, by)
	} else if err = e.ponder(after, command); err == nil {
		err = e.Send(by)
	}
	if err != nil {
		return "", err
	}
	return e.promptly(by)
}

// promptly is the line that ends a deep thought for the sake of a command.
func (e *exam) promptly(by string) (string, error) {
	begun := time.Now()
	answer, err := e.Line(e.Context, e.Deadlines.Prompt)
	if err != nil {
		return "", e.Missing("the end of its thought after "+by, err)
	}
	return answer, check.Promptly("the end of its thought after "+by, time.Since(begun), aSecond)
}

// aborted waits for ABORTED.
func (e *exam) aborted(by string) error {
	answer, err := e.promptly(by)
	if err != nil {
		return err
	}
	return isAnswer("ABORTED", answer, by)
}

// aborts: ABORT some time after a command is answered with ABORTED alone, and the plugin is
// ready then.
func aborts(command string, after time.Duration) func(*exam) error {
	return func(e *exam) error {
		answer, err := e.stopped(command, after, "ABORT")
		if err != nil {
			return err
		}
		if err := isAnswer("ABORTED", answer, "ABORT"); err != nil {
			return err
		}
		return e.ready()
	}
}

// ready wants a plugin that says no more, and whose board is what it was.
func (e *exam) ready() error {
	if err := e.nothing("ABORTED"); err != nil {
		return err
	}
	return e.accepts("PLAY " + e.deep.pos.LegalMoves()[0].ICCS())
}

// moveOf is the legal move by which a plugin has answered AI when TIMEOUT told it to.
func (e *exam) moveOf(after time.Duration) (engine.Move, error) {
	answer, err := e.stopped("AI", after, "TIMEOUT")
	if err != nil {
		return engine.NoMove, err
	}
	return legal(e.deep.pos, answer, "TIMEOUT")
}

// times: TIMEOUT some time after AI is answered with a legal move.
func times(after time.Duration) func(*exam) error {
	return func(e *exam) error {
		if _, err := e.moveOf(after); err != nil {
			return err
		}
		return e.nothing("the move")
	}
}

// timesMade: the move that TIMEOUT has brought is made.
func timesMade(e *exam) error {
	m, err := e.moveOf(meanwhile)
	if err != nil {
		return err
	}
	next, err := e.deep.pos.PlayMove(xiangqi.Move(m))
	if err != nil || next.Result().Over() {
		return err
	}
	return e.accepts("PLAY " + next.LegalMoves()[0].ICCS())
}

// timesHints: TIMEOUT makes HINTS answer with a list.
func timesHints(e *exam) error {
	answer, err := e.stopped("HINTS", meanwhile, "TIMEOUT")
	if err != nil {
		return err
	}
	lines, err := e.restOfHints(answer)
	if err != nil {
		return err
	}
	for _, text := range lines {
		if _, err := legal(e.deep.pos, text, "HINTS"); err != nil {
			return err
		}
	}
	return e.nothing("ENDHINTS")
}

// silent: a plugin that does not think does not answer a command.
func silent(command string) func(*exam) error {
	return func(e *exam) error {
		if err := e.Send(command); err != nil {
			return err
		}
		if err := e.nothing(command + " while it does not think"); err != nil {
			return err
		}
		// It may need a moment: one plugin asks an engine of its own.
		more, err := e.Pause(e.Context, 2*settling)
		if err == nil && len(more) > 0 {
			err = check.Faultf("nothing after "+command+" while it does not think", "%s", quoted(more))
		}
		return err
	}
}
