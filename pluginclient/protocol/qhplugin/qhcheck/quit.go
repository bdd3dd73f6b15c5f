package qhcheck

import (
	"time"

	"qhsh/pluginclient/protocol/qhplugin"
	"qhsh/pluginclient/task/check"
)

// promptLimit is the limit for "about a second" and "respond quickly".
const promptLimit = time.Second

type quitResult struct {
	lines  []string // output before the end
	status error    // the exit status
	took   time.Duration
}

func (e *exam) quit() (p quitResult, err error) {
	started := time.Now()
	if err := e.Send("QUIT"); err != nil {
		return p, err
	}
	p.lines, p.status, err = e.WaitExit(e.Context, e.Deadlines.Quit)
	p.took = time.Since(started)
	return p, err
}

// quitIdle checks the end of an idle plugin after QUIT.
func quitIdle(verify func(e *exam, p quitResult, err error) error) step {
	return func(e *exam) error {
		p := quitResult{}
		err := ownProcess(e)
		if err == nil {
			p, err = e.quit()
		}
		return verify(e, p, err)
	}
}

var (
	quitBye = quitIdle(func(e *exam, p quitResult, err error) error {
		if e.Err() != nil {
			return e.MissingReply("BYE", err)
		}
		if len(p.lines) != 1 || !hasWord(p.lines[0], qhplugin.Bye) {
			return check.Faultf("BYE", "%s", orNothing(p.lines))
		}
		return nil
	})
	quitEnds = quitIdle(func(e *exam, p quitResult, err error) error {
		if err != nil {
			return e.MissingReply("its end", err)
		}
		return check.CheckTime("its end", p.took, promptLimit)
	})
	quitStatus = quitIdle(func(_ *exam, p quitResult, err error) error {
		if err == nil && p.status != nil {
			err = check.Faultf("exit status 0", "%v", p.status)
		}
		return err
	})
)

func orNothing(lines []string) string {
	if len(lines) == 0 {
		return "nothing"
	}
	return quoted(lines)
}
