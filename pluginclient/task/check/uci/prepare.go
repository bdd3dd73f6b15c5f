package uci

import (
	"strings"
	"time"

	"qhsh/pluginclient/protocol/uci"
	"qhsh/pluginclient/task/check"
	"qhsh/pluginclient/task/check/boards"
)

// Preparations of checks, a column of the table.

// handshake starts the engine and reads its id and options.
func handshake(e *exam) error {
	if err := e.Start(e.Context); err != nil {
		return err
	}
	if err := e.Send(e.greeting()); err != nil {
		return e.MissingReply(e.greeting()+"ok", err)
	}
	var lines []string
	for {
		line, err := e.Line(e.Context, e.Deadlines.Start)
		if err != nil {
			return e.MissingReply(e.greeting()+"ok", err)
		}
		if strings.TrimSpace(line) == e.greeting()+"ok" {
			break
		}
		lines = append(lines, line)
	}
	e.lines, e.options = lines, nil
	for _, line := range lines {
		if name, ok := strings.CutPrefix(line, "id name "); ok {
			e.name = name
		}
		if o, ok := uci.ParseOption(line); ok {
			e.options = append(e.options, o)
		}
	}
	return nil
}

// newProcess starts a new process and sends the settings.
func newProcess(e *exam) error {
	if err := handshake(e); err != nil {
		return err
	}
	for _, s := range e.settings() {
		if err := e.Send(e.setOption(s.Name, s.Value)); err != nil {
			return err
		}
	}
	if !e.ready {
		return nil
	}
	return e.isReady(e.Deadlines.Start)
}

// idleEngine provides an idle engine: the running one, if it still answers isready.
func idleEngine(e *exam) error {
	if e.Running() && e.ready {
		e.Drain()
		if e.isReady(e.Deadlines.Reply) == nil {
			return nil
		}
	}
	return newProcess(e)
}

// needsOption is newProcess for engines with an option; for others the check is absent.
func needsOption(option string) func(*exam) error {
	return func(e *exam) error {
		if _, ok := e.options.Find(option); !ok {
			return check.NotApplicablef("it does not offer %s", option)
		}
		return newProcess(e)
	}
}

// thinking starts an infinite search in an idle engine and checks that there is no reply for a
// while. Lines of behind are sent together with "go".
func thinking(d time.Duration, behind ...string) func(*exam) error {
	return func(e *exam) error {
		if err := idleEngine(e); err != nil {
			return err
		}
		e.Drain()
		if err := e.Send(append([]string{e.position(boards.Middlegame), "go infinite"}, behind...)...); err != nil || d == 0 {
			return err
		}
		return e.CheckQuiet(d, isAnswer, "no answer to go infinite before stop")
	}
}

// withOptions makes checks of options absent for an engine without options.
func withOptions(e *exam) error {
	if len(e.optionLines()) == 0 {
		return check.NotApplicablef("it offers no options")
	}
	return nil
}
