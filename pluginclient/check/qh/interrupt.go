package qh

import (
	"errors"
	"fmt"
	"time"

	"qhsh/engine"
	"qhsh/engine/xiangqi"
	"qhsh/pluginclient/check"
	"qhsh/pluginclient/check/boards"
)

// A deepThought is where and at which level a plugin thinks for so long that it can be
// interrupted.
type deepThought struct {
	level int
	pos   *xiangqi.Position // nil: it never does
}

// longThought is how long a plugin has to think, at least.
const longThought = 1500 * time.Millisecond

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
		if err := e.begins(d, "AI"); err != nil {
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

// begins starts the plugin and a deep thought.
func (e *exam) begins(d *deepThought, commands ...string) error {
	if err := e.prepares(d); err != nil {
		return err
	}
	e.Drain()
	return e.Send(commands...)
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

// ponders begins a deep thought by a command and lets it go on for a while. Nothing may come
// in that time. Further lines go in one piece with the command.
func (e *exam) ponders(command string, d time.Duration, behind ...string) (*deepThought, error) {
	deep, err := e.canThink()
	if err != nil {
		return nil, err
	}
	if deep.pos == nil {
		return nil, check.Absentf("it never thinks for more than %v", longThought)
	}
	if err := e.begins(deep, append([]string{command}, behind...)...); err != nil {
		return nil, err
	}
	if d == 0 {
		return deep, nil
	}
	early, err := e.Pause(e.Context, d)
	if err == nil && len(early) > 0 {
		err = check.Faultf("nothing yet: at other times it thought for "+longThought.String(), "%s after %v", quoted(early), d)
	}
	return deep, err
}

// aborts: ABORT some time after a command is answered with ABORTED alone, and the plugin is
// ready then.
func aborts(command string, after time.Duration) func(*exam) error {
	return func(e *exam) error {
		var behind []string
		if after == 0 {
			behind = []string{"ABORT"}
		}
		deep, err := e.ponders(command, after, behind...)
		if err != nil {
			return err
		}
		if after > 0 {
			if err := e.Send("ABORT"); err != nil {
				return err
			}
		}
		if err := e.aborted("ABORT"); err != nil {
			return err
		}
		return e.ready(deep)
	}
}

// aborted waits for ABORTED.
func (e *exam) aborted(by string) error {
	answer, err := e.Line(e.Context, e.Deadlines.Prompt)
	if err != nil {
		return e.Missing("ABORTED after "+by, err)
	}
	if !begins(answer, "ABORTED") {
		return check.Faultf("ABORTED after "+by, "%q", answer)
	}
	return nil
}

// ready wants a plugin that says no more, and whose board is what it was.
func (e *exam) ready(deep *deepThought) error {
	if err := e.nothing("ABORTED"); err != nil {
		return err
	}
	return e.accepts("PLAY " + deep.pos.LegalMoves()[0].ICCS())
}

// times: TIMEOUT some time after AI is answered with a legal move.
func times(after time.Duration) func(*exam) error {
	return func(e *exam) error {
		var behind []string
		if after == 0 {
			behind = []string{"TIMEOUT"}
		}
		deep, err := e.ponders("AI", after, behind...)
		if err != nil {
			return err
		}
		if after > 0 {
			if err := e.Send("TIMEOUT"); err != nil {
				return err
			}
		}
		answer, err := e.Line(e.Context, e.Deadlines.Prompt)
		if err != nil {
			return e.Missing("a move after TIMEOUT", err)
		}
		if _, err := legal(deep.pos, answer, "TIMEOUT"); err != nil {
			return err
		}
		return e.nothing("the move")
	}
}

// timesMade: the move that TIMEOUT has brought is made.
func timesMade(e *exam) error {
	deep, err := e.ponders("AI", 100*time.Millisecond)
	if err != nil {
		return err
	}
	if err := e.Send("TIMEOUT"); err != nil {
		return err
	}
	answer, err := e.Line(e.Context, e.Deadlines.Prompt)
	if err != nil {
		return e.Missing("a move after TIMEOUT", err)
	}
	m, err := legal(deep.pos, answer, "TIMEOUT")
	if err != nil {
		return err
	}
	return e.madeMove(deep.pos, m)
}

// madeMove makes sure that the plugin has made a move that it has told.
func (e *exam) madeMove(pos *xiangqi.Position, m engine.Move) error {
	next, err := pos.PlayMove(xiangqi.Move(m))
	if err != nil || next.Result().Over() {
		return err
	}
	return e.accepts("PLAY " + next.LegalMoves()[0].ICCS())
}

// timesHints: TIMEOUT makes HINTS answer with a list.
func timesHints(e *exam) error {
	deep, err := e.ponders("HINTS", 100*time.Millisecond)
	if err != nil {
		return err
	}
	if err := e.Send("TIMEOUT"); err != nil {
		return err
	}
	answer, err := e.Line(e.Context, e.Deadlines.Prompt)
	if err != nil {
		return e.Missing("hints after TIMEOUT", err)
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

// interrupts: a command while the plugin thinks makes it answer ABORTED, and is then carried
// out as at any other time.
func interrupts(lines func(e *exam, pos *xiangqi.Position) []string, want string) func(*exam) error {
	return interruptsOf("AI", lines, want)
}

func interruptsOf(command string, lines func(e *exam, pos *xiangqi.Position) []string, want string) func(*exam) error {
	return func(e *exam) error {
		deep, err := e.ponders(command, 100*time.Millisecond)
		if err != nil {
			return err
		}
		commands := lines(e, deep.pos)
		if err := e.Send(commands...); err != nil {
			return err
		}
		if err := e.aborted(commands[0]); err != nil {
			return err
		}
		answer, err := e.Line(e.Context, e.Deadlines.Prompt)
		if err != nil {
			return e.Missing(want+" to "+commands[0], err)
		}
		if want == number {
			if !isNumber(answer) {
				return check.Faultf(number+" to "+commands[0], "%q", answer)
			}
			return nil
		}
		return isAnswer(want, answer, commands[0])
	}
}

// number is the answer to LEVEL.
const number = "the number of the level"

// says are lines that do not depend on anything.
func says(lines ...string) func(*exam, *xiangqi.Position) []string {
	return func(*exam, *xiangqi.Position) []string { return lines }
}

func saysLevel(e *exam, _ *xiangqi.Position) []string {
	id := 0
	if levels := e.levels(); len(levels) > 0 {
		id = levels[0].ID
	}
	return []string{fmt.Sprintf("LEVEL %d", id)}
}

func saysFEN(e *exam, _ *xiangqi.Position) []string {
	return []string{"FEN " + e.dialect.fen(boards.OnlyHorse)}
}

func saysPlay(_ *exam, pos *xiangqi.Position) []string {
	return []string{"PLAY " + pos.LegalMoves()[0].ICCS()}
}

func saysLoad(_ *exam, pos *xiangqi.Position) []string {
	return list("LOAD", pos.LegalMoves()[0].ICCS())
}

func saysBan(_ *exam, pos *xiangqi.Position) []string {
	return list("BAN", pos.LegalMoves()[0].ICCS())
}

// interruptUndo takes back the move before the thought.
func interruptUndo(e *exam) error {
	deep, err := e.canThink()
	if err != nil {
		return err
	}
	if deep.pos == nil {
		return check.Absentf("it never thinks for more than %v", longThought)
	}
	if err := e.prepares(deep); err != nil {
		return err
	}
	if err := e.accepts("PLAY " + deep.pos.LegalMoves()[0].ICCS()); err != nil {
		return err
	}
	if err := e.Send("AI"); err != nil {
		return err
	}
	early, err := e.Pause(e.Context, 100*time.Millisecond)
	if err != nil {
		return err
	}
	if len(early) > 0 {
		return check.Absentf("it does not think for long at the next position")
	}
	if err := e.Send("UNDO"); err != nil {
		return err
	}
	if err := e.aborted("UNDO"); err != nil {
		return err
	}
	answer, err := e.Line(e.Context, e.Deadlines.Prompt)
	if err != nil {
		return e.Missing("OK to UNDO", err)
	}
	return isAnswer("OK", answer, "UNDO")
}

// interruptsThinking: a command that itself makes the plugin think interrupts another.
func interruptsThinking(command string) func(*exam) error {
	return func(e *exam) error {
		deep, err := e.ponders("AI", 100*time.Millisecond)
		if err != nil {
			return err
		}
		if err := e.Send(command); err != nil {
			return err
		}
		if err := e.aborted(command); err != nil {
			return err
		}
		if err := e.Send("ABORT"); err != nil {
			return err
		}
		if err := e.aborted("ABORT of the second thought"); err != nil {
			return err
		}
		return e.ready(deep)
	}
}

// interruptQuit: ABORTED and BYE, and the plugin ends.
func interruptQuit(e *exam) error {
	if _, err := e.ponders("AI", 100*time.Millisecond); err != nil {
		return err
	}
	if err := e.Send("QUIT"); err != nil {
		return err
	}
	lines, _, err := e.Ended(e.Context, e.Deadlines.Quit)
	if err != nil {
		return e.Missing("its end after QUIT", err)
	}
	if len(lines) != 2 || !begins(lines[0], "ABORTED") || !begins(lines[1], "BYE") {
		return check.Faultf("ABORTED and BYE", "%s", orNothing(lines))
	}
	return nil
}
