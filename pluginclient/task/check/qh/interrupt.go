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

// deeply is canThink for a check that makes no sense of a plugin that never does.
func (e *exam) deeply() (*deepThought, error) {
	d, err := e.canThink()
	if err == nil && d.pos == nil {
		err = check.Absentf("it never thinks for more than %v", longThought)
	}
	return d, err
}

// canThink finds out where the plugin thinks long: at its strongest level, at the start of the
// game, or in the middle of one, where it has no book.
func (e *exam) canThink() (*deepThought, error) {
	if e.deep != nil {
		return e.deep, nil
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
			return nil, err
		}
		if err := e.ponder(0, "AI"); err != nil {
			return nil, err
		}
		_, err := e.Line(e.Context, longThought)
		e.Drop()
		if errors.Is(err, check.ErrSilent) {
			e.deep = d
			return d, nil
		}
		if err != nil {
			return nil, e.Missing("an answer to AI", err)
		}
	}
	d.pos = nil
	e.deep = d
	return d, nil
}

// prepares has everything ready for a deep thought.
func (e *exam) prepares(d *deepThought) error {
	if err := e.alone(); err != nil {
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

// ponders begins a deep thought, by AI or HINTS, and lets it go on for a while.
func (e *exam) ponders(command string, d time.Duration) (*deepThought, error) {
	deep, err := e.deeply()
	if err != nil {
		return nil, err
	}
	if err := e.prepares(deep); err != nil {
		return nil, err
	}
	return deep, e.ponder(d, command)
}

// stopped begins a deep thought and ends it some time later by ABORT or TIMEOUT; after no time
// that goes in one piece with the command. It answers the line that comes, which has to come
// soon.
func (e *exam) stopped(command string, after time.Duration, by string) (*deepThought, string, error) {
	deep, err := e.deeply()
	if err != nil {
		return nil, "", err
	}
	if err := e.prepares(deep); err != nil {
		return nil, "", err
	}
	if after == 0 {
		err = e.ponder(0, command, by)
	} else if err = e.ponder(after, command); err == nil {
		err = e.Send(by)
	}
	if err != nil {
		return nil, "", err
	}
	answer, err := e.promptly(by)
	return deep, answer, err
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
		deep, answer, err := e.stopped(command, after, "ABORT")
		if err != nil {
			return err
		}
		if err := isAnswer("ABORTED", answer, "ABORT"); err != nil {
			return err
		}
		return e.ready(deep)
	}
}

// ready wants a plugin that says no more, and whose board is what it was.
func (e *exam) ready(deep *deepThought) error {
	if err := e.nothing("ABORTED"); err != nil {
		return err
	}
	return e.accepts("PLAY " + deep.pos.LegalMoves()[0].ICCS())
}

// moveOf is the legal move by which a plugin has answered AI when TIMEOUT told it to.
func (e *exam) moveOf(after time.Duration) (*xiangqi.Position, engine.Move, error) {
	deep, answer, err := e.stopped("AI", after, "TIMEOUT")
	if err != nil {
		return nil, engine.NoMove, err
	}
	m, err := legal(deep.pos, answer, "TIMEOUT")
	return deep.pos, m, err
}

// times: TIMEOUT some time after AI is answered with a legal move.
func times(after time.Duration) func(*exam) error {
	return func(e *exam) error {
		if _, _, err := e.moveOf(after); err != nil {
			return err
		}
		return e.nothing("the move")
	}
}

// timesMade: the move that TIMEOUT has brought is made.
func timesMade(e *exam) error {
	pos, m, err := e.moveOf(meanwhile)
	if err != nil {
		return err
	}
	next, err := pos.PlayMove(xiangqi.Move(m))
	if err != nil || next.Result().Over() {
		return err
	}
	return e.accepts("PLAY " + next.LegalMoves()[0].ICCS())
}

// timesHints: TIMEOUT makes HINTS answer with a list.
func timesHints(e *exam) error {
	deep, answer, err := e.stopped("HINTS", meanwhile, "TIMEOUT")
	if err != nil {
		return err
	}
	lines, err := e.restOfHints(answer)
	if err != nil {
		return err
	}
	for _, text := range lines {
		if _, err := legal(deep.pos, text, "HINTS"); err != nil {
			return err
		}
	}
	return e.nothing("ENDHINTS")
}

// silent: a plugin that does not think does not answer a command.
func silent(command string) func(*exam) error {
	return func(e *exam) error {
		if err := e.fresh(); err != nil {
			return err
		}
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
