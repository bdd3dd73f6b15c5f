package qh

import (
	"qhsh/pluginclient/check"
)

// quits sends QUIT to a plugin that does not think, and answers what it says until it ends.
func (e *exam) quits() (lines []string, status error, err error) {
	if err := e.alone(); err != nil {
		return nil, nil, err
	}
	if err := e.Send("QUIT"); err != nil {
		return nil, nil, err
	}
	return e.Ended(e.Context, e.Deadlines.Quit)
}

func quitBye(e *exam) error {
	lines, _, err := e.quits()
	if e.Err() != nil {
		return e.Missing("BYE", err)
	}
	if len(lines) != 1 || !begins(lines[0], "BYE") {
		return check.Faultf("BYE", "%s", orNothing(lines))
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
	if _, _, err := e.quits(); err != nil {
		return e.Missing("its end", err)
	}
	return nil
}

func quitStatus(e *exam) error {
	_, status, err := e.quits()
	if err == nil && status != nil {
		err = check.Faultf("exit status 0", "%v", status)
	}
	return err
}
