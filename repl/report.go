package repl

import (
	"errors"
	"fmt"
	"strings"

	"qhsh/engine/printable"
	"qhsh/pluginclient"
)

// A reportedError is an error that has already been reported to the user.
type reportedError struct{ error }

func (t reportedError) Unwrap() error { return t.error }

// errAnswered is the error of a command that the engine answered with ERROR. The answer itself has
// been shown.
var errAnswered = errors.New("answered with ERROR")

// traceLinesShown is how many lines of the conversation are shown when an engine is lost.
const traceLinesShown = 10

// isStopped reports whether the user has stopped a command, which has not been reported.
func isStopped(err error) bool {
	return errors.Is(err, errAborted) && !errors.As(err, new(reportedError))
}

// reportError reports err to the user, unless the user knows of it already.
func (s *Shell) reportError(err error) {
	switch {
	case errors.As(err, new(reportedError)), errors.Is(err, errAnswered), errors.Is(err, ErrInterrupted):
	case errors.Is(err, errAborted):
		s.say("stopped")
	default:
		s.printError(err)
	}
}

// printError prints err, after its place in the input.
func (s *Shell) printError(err error) { s.say("%s%s", s.place(), printable.Error(err)) }

// place returns the place of the current command in a file or on standard input. It returns "" if a
// user types the commands, and before the first one.
func (s *Shell) place() string {
	switch {
	case s.byPerson(), s.source.line == 0:
		return ""
	case s.source.name == "":
		return fmt.Sprintf("line %d: ", s.source.line)
	}
	return fmt.Sprintf("%s:%d: ", printable.Line(s.source.name), s.source.line)
}

// reportEngineError reports an engine's error, under the engine's name in the shell, and returns it
// as a reportedError. If the engine was lost, it also prints the last lines of the conversation, including
// stderr. Errors that were reported before are returned as they are.
func (s *Shell) reportEngineError(e *attached, err error) error {
	var failure *pluginclient.Error
	if err == nil || errors.As(err, new(reportedError)) || !errors.As(err, &failure) {
		return err
	}
	text := s.place() + printable.Line(pluginclient.BriefAs(err, e.name))
	if pluginclient.Lost(err) {
		text += fmt.Sprintf("\n%s'.restart %s' restarts it at the same position", lastTraceLines(e, traceLinesShown), e.name)
	}
	s.say("%s", text)
	return reportedError{err}
}

// lastTraceLines returns the last n lines of a conversation, with times relative to the first of
// them. Behind a bridge both conversations are merged.
func lastTraceLines(e *attached, n int) string {
	var b strings.Builder
	for _, line := range pluginclient.Recent(e.session, n) {
		b.WriteString(line.String() + "\n")
	}
	return b.String()
}
