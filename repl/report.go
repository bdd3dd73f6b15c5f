package repl

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"qhsh/engine/printable"
	"qhsh/pluginclient"
)

// told is an error that a person has been told of already.
type reportedError struct{ error }

func (t reportedError) Unwrap() error { return t.error }

// errAnswered is the error of a command that the engine has answered with ERROR, which
// is there for all to see.
var errAnswered = errors.New("answered with ERROR")

// dumped is how many lines of the conversation are shown when an engine is lost.
const traceLinesShown = 10

// tell says what went wrong.
func (s *Shell) reportError(err error) {
	switch {
	case errors.As(err, new(reportedError)), errors.Is(err, errAnswered), errors.Is(err, ErrInterrupted):
	case errors.Is(err, errAborted):
		s.say("stopped")
	default:
		s.printError(err)
	}
}

// report says an error, and where in a file it came about.
func (s *Shell) printError(err error) { s.say("%s%s", s.place(), printable.Error(err)) }

// place tells where in a file or on the standard input a command stands; empty for what
// a person types.
func (s *Shell) place() string {
	switch {
	case s.byPerson():
		return ""
	case s.source.name == "":
		return fmt.Sprintf("line %d: ", s.source.line)
	}
	return fmt.Sprintf("%s:%d: ", printable.Line(s.source.name), s.source.line)
}

// blame tells of what an engine did wrong. If the engine is lost the last lines of the
// conversation say how, with what it has said on stderr. What has been told already
// passes as it is: the engine may have been started again since.
func (s *Shell) reportEngineError(e *attached, err error) error {
	var failure *pluginclient.Error
	if err == nil || errors.As(err, new(reportedError)) || !errors.As(err, &failure) {
		return err
	}
	text := s.place() + printable.Line(pluginclient.Brief(err))
	if !pluginclient.Lost(err) {
		s.say("%s", text)
		return reportedError{err}
	}
	s.say("%s\n%s%s", text, lastTraceLines(e, traceLinesShown), "'.restart "+e.name+"' starts it again at the same position")
	return reportedError{err}
}

// explain shows why the engine behind a bridge could not answer: ERROR has no room for its
// last lines, nor for what it has said on stderr.
func (s *Shell) showSearchFailure(e *attached, answer []string) {
	if _, ok := pluginclient.As[pluginclient.Bridge](e.session); ok && len(answer) > 0 && strings.Contains(answer[0], searchFailed) {
		s.say("%s", strings.TrimRight(lastTraceLines(e, traceLinesShown), "\n"))
	}
}

// searchFailed is in an ERROR of the plugin in front of an engine that has failed.
const searchFailed = "the search failed"

// lastLines are the last lines of a conversation, each with its line end, timed from the
// first of them. Behind a bridge they are those of both conversations.
func lastTraceLines(e *attached, n int) string {
	type spoken struct {
		pluginclient.Entry
		engine string
	}
	var last []spoken
	add := func(session pluginclient.Session, name string) {
		for _, entry := range session.Trace().Last(n, func(pluginclient.Entry) bool { return true }) {
			last = append(last, spoken{entry, name})
		}
	}
	add(e.session, e.name)
	if bridge, ok := pluginclient.As[pluginclient.Bridge](e.session); ok {
		add(bridge.Native(), e.nativeName(bridge.Native()))
	}
	slices.SortStableFunc(last, func(a, b spoken) int { return a.Time.Compare(b.Time) })
	last = last[max(len(last)-n, 0):]
	var b strings.Builder
	for i, entry := range last {
		before := last[max(i-1, 0)]
		line := pluginclient.TraceLine{
			At: entry.Time.Sub(last[0].Time), Since: entry.Time.Sub(before.Time),
			Engine: entry.engine, Dir: entry.Dir, Text: entry.Text,
		}
		b.WriteString(line.String() + "\n")
	}
	return b.String()
}
