package qh

import (
	"time"

	"qhsh/pluginclient/task/check"
)

// aSecond is the second of "about a second" and of "respond quickly".
const aSecond = time.Second

// A parting is what comes of QUIT.
type parting struct {
	lines  []string // that were said until the end
	status error    // the exit status
	took   time.Duration
}

// quits sends QUIT and waits for the end.
func (e *exam) quits() (p parting, err error) {
	begun := time.Now()
	if err := e.Send("QUIT"); err != nil {
		return p, err
	}
	p.lines, p.status, err = e.Ended(e.Context, e.Deadlines.Quit)
	p.took = time.Since(begun)
	return p, err
}

// quitsIdle is quits of a plugin that does not think.
func (e *exam) quitsIdle() (parting, error) {
	if err := alone(e); err != nil {
		return parting{}, err
	}
	return e.quits()
}

func quitBye(e *exam) error {
	p, err := e.quitsIdle()
	if e.Err() != nil {
		return e.Missing("BYE", err)
	}
	if len(p.lines) != 1 || !begins(p.lines[0], "BYE") {
		return check.Faultf("BYE", "%s", orNothing(p.lines))
	}
	return nil
}

func orNothing(lines []string) string {
	if len(lines) == 0 {
		return "nothing"
	}
	return quoted(lines)
}

func quitEnds(e *exam) error {
	p, err := e.quitsIdle()
	if err != nil {
		return e.Missing("its end", err)
	}
	return check.Promptly("its end", p.took, aSecond)
}

func quitStatus(e *exam) error {
	p, err := e.quitsIdle()
	if err == nil && p.status != nil {
		err = check.Faultf("exit status 0", "%v", p.status)
	}
	return err
}
