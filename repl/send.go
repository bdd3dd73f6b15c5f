package repl

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"
	"unicode"

	"qhsh/engine"
	"qhsh/engine/printable"
	"qhsh/pluginclient"
)

// runSend implements .send and all words of a language: it sends a line unchanged, with the lines
// that belong to it.
func runSend(c *call) error {
	text, _ := c.command.sends(c.line)
	if strings.TrimSpace(text) == "" {
		return c.usageError("missing line")
	}
	text, err := c.shell.readLines(text, c.engine)
	if err != nil {
		return err
	}
	return c.exchange(text)
}

// sends returns the text that a line sends to the engine unchanged. ok is false if the command sends
// none.
func (c *command) sends(line string) (text string, ok bool) {
	switch {
	case c.group == groupProtocol:
		return line, true
	case c.name != send:
		return "", false
	}
	text = strings.TrimLeftFunc(line, unicode.IsSpace)[len(send):]
	if text != "" {
		text = text[1:] // the blank
	}
	return text, true
}

// readLines reads the further lines of a command that is to be sent to engines, and returns all of them.
func (s *Shell) readLines(line string, engines ...*attached) (string, error) {
	p, _ := s.languageOf(s.current).Lookup(line)
	if p.NewGame {
		if err := s.warnUnsaved(engines...); err != nil {
			return "", err
		}
	}
	if p.Lines == nil {
		return line, nil
	}
	_, args := cutWord(line)
	n := p.Lines(args)
	all := []string{line}
	s.continuing = all
	defer func() { s.continuing = nil }()
	for n > 0 {
		more, err := s.readLine(fmt.Sprintf("%s, %d more> ", p.Word, n))
		switch {
		case errors.Is(err, io.EOF):
			return "", fmt.Errorf("%s: nothing sent: the input ends %s early", p.Word, printable.Plural(n, "line"))
		case errors.Is(err, ErrInterrupted) && s.host.Interactive:
			s.say("nothing was sent")
			return "", reportedError{err}
		case err != nil:
			return "", err
		case strings.TrimSpace(more) == "":
			continue
		}
		all = append(all, more)
		s.continuing = all
		n--
	}
	return strings.Join(all, "\n"), nil
}

// exchange sends lines to the call's engine, waits, and shows the answer.
func (c *call) exchange(text string) error {
	var answer []string
	p := c.spec(text)
	before, start := c.engine.session.Position(), time.Now()
	err := c.shell.await(c.ctx, c.engine.waitFor(p, c.shell.timeout), func(ctx context.Context) error {
		var err error
		answer, err = c.engine.raw(ctx, text)
		return err
	})
	defer c.remarkNew(before)
	return c.showAnswer(p, answer, err, start)
}

func (e *attached) waitFor(p pluginclient.CommandSpec, timeout time.Duration) waitOptions {
	w := waitOptions{engines: []*attached{e}}
	if p.Thinks {
		w.timeout, w.stoppable, w.status = timeout, true, e.thinkingLine
	}
	return w
}

func (c *call) showAnswer(p pluginclient.CommandSpec, answer []string, err error, start time.Time) error {
	switch {
	case errors.As(err, new(reportedError)):
		return err
	case errors.Is(err, errAborted):
		answer = c.answerSince(start)
	}
	for _, line := range answer {
		fmt.Fprintln(c.out, line)
	}
	c.reportQuiet(p, answer, err, start)
	switch {
	case errors.Is(err, errAborted):
		c.reportStopped(p, answer, start)
		return nil
	case err != nil:
		return c.shell.reportEngineError(c.engine, err)
	}
	if c.shell.languageOf(c.engine).Fails(answer) {
		// An ERROR has no room for the last lines of the conversation behind a bridge, nor for stderr.
		if _, ok := pluginclient.As[pluginclient.Bridge](c.engine.session); ok && len(answer) > 0 && strings.Contains(answer[0], "the search failed") {
			c.shell.say("%s", strings.TrimRight(lastTraceLines(c.engine, traceLinesShown), "\n"))
		}
		return errAnswered
	}
	return nil
}

// reportStopped tells the user how a stopped command ended.
func (c *call) reportStopped(p pluginclient.CommandSpec, answer []string, start time.Time) {
	switch {
	case len(answer) == 0:
		c.shell.notify("%s: stopped", c.engine.name)
	case p.Moves && c.shell.reader(c.engine).isMove(answer[0]):
		became := "was taken back"
		if c.engine.inDoubt() {
			became = "could not be taken back"
		}
		c.shell.notify("%s: the move came before the ABORT and %s", c.engine.name, became)
		return
	}
	for _, note := range c.engine.traceSince(start, pluginclient.Noted) {
		if strings.HasPrefix(note.Text, pluginclient.JudgedRemark) {
			continue // reported separately
		}
		c.shell.notify("%s: %s", c.engine.name, note.Text)
	}
}

// reportQuiet tells the user what the answer does not show: that there is no answer, with the
// engine's stderr, or that the engine has ended.
func (c *call) reportQuiet(p pluginclient.CommandSpec, answer []string, err error, start time.Time) {
	s := c.shell
	if err != nil || !s.host.Interactive {
		return
	}
	if len(answer) == 0 && !p.Interrupt && !p.Quits {
		s.say("(no answer)")
		if s.debug == nil {
			for _, e := range c.engine.traceSince(start, pluginclient.Stderr) {
				s.say("%s %s", e.Dir, e.Text)
			}
		}
	}
	if p.Quits {
		s.notify("%s has ended: '.restart %s' restarts it, .quit exits the shell", c.engine.name, c.engine.name)
	}
}

// traceSince returns the entries of one direction since the given time.
func (e *attached) traceSince(start time.Time, dir pluginclient.Direction) []pluginclient.Entry {
	const enough = 50
	return e.session.Trace().Last(enough, func(entry pluginclient.Entry) bool {
		return entry.Dir == dir && !entry.Time.Before(start)
	})
}

// answerSince returns what the engine has answered since it was asked to think, where it was
// stopped.
func (c *call) answerSince(start time.Time) []string {
	return answerSince(c.engine.session.Trace(), c.shell.languageOf(c.engine), start)
}

func answerSince(t *pluginclient.Trace, l pluginclient.Language, start time.Time) []string {
	const enough = 200 // as many as the trace keeps
	if l.Stopped == nil {
		return nil
	}
	return l.Stopped(t.Last(enough, func(entry pluginclient.Entry) bool { return !entry.Time.Before(start) }))
}

// thinkingLine formats the engine's best line so far, or returns "" if it is not known.
func (e *attached) thinkingLine() string {
	thinker, ok := pluginclient.As[pluginclient.LiveThinker](e.session)
	if !ok {
		return ""
	}
	lines := thinker.LatestLines()
	if len(lines) == 0 {
		return ""
	}
	return liveLine(lines[0], engine.FormatMoves(e.session.Position(), lines[0].Moves))
}

func liveLine(line engine.Line, names []string) string {
	return fmt.Sprintf("depth %d  %s  %s", line.Depth, line.Score.Pawns(), strings.Join(names, " "))
}
