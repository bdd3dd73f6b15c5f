package repl

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"

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

// judged are the rules that an engine was seen to break, until they are reported to the user: under the
// answer that broke them.
type judged struct {
	mu   sync.Mutex
	some []pluginclient.Judgement
}

func (j *judged) add(found pluginclient.Judgement) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.some = append(j.some, found)
}

// take returns the judgements that have not been reported yet.
func (j *judged) take() []pluginclient.Judgement {
	j.mu.Lock()
	defer j.mu.Unlock()
	some := j.some
	j.some = nil
	return some
}

// tellJudged tells a person which rules an engine was seen to break, under its name in the shell,
// and whether its board may differ from the shell's since then.
func (s *Shell) tellJudged(e *attached) {
	differ, drawn := false, false
	for _, found := range e.judged.take() {
		found.Engine = e.name
		s.say("%s%s", s.place(), printable.Line(found.String()))
		differ, drawn = differ || found.Boards, drawn || found.Name == "scr.board"
	}
	before := e.doubted
	e.doubted = e.inDoubt()
	switch {
	case e.doubted && (differ || !before):
		e.compare = !drawn
		s.say("%s%s: its board may differ from the shell's: .sync sets it", s.place(), e.name)
	case differ && e.session != nil:
		s.say("%s%s: its board is set again by FEN", s.place(), e.name)
	}
}

func (s *Shell) compareBoard(ctx context.Context, e *attached, board pluginclient.BoardComparer) {
	var difference string
	var drawn bool
	err := s.awaitEngine(ctx, e, func(ctx context.Context) (err error) {
		difference, drawn, err = board.CompareBoard(ctx)
		return err
	})
	switch {
	case err != nil:
		s.reportError(err)
	case !drawn, difference == "" && !e.inDoubt():
	case difference == "":
		s.say("%s: asked by SCR, it draws the shell's board: at most the side to move differs", e.name)
	default:
		s.say("%s: asked by SCR, it draws another board: %s", e.name, difference)
	}
}

// tellAllJudged is tellJudged for every engine.
func (s *Shell) tellAllJudged() {
	for _, e := range s.engines {
		s.tellJudged(e)
	}
}

// inDoubt reports whether an engine's board may differ from the shell's.
func (e *attached) inDoubt() bool {
	if e.session == nil { // it is being started
		return false
	}
	doubtful, ok := pluginclient.As[pluginclient.Doubtful](e.session)
	return ok && doubtful.InDoubt()
}
