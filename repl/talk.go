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
	"qhsh/pluginclient"
	"qhsh/pluginclient/protocol/qhplugin"
)

// protocolCommands are the words of the QHPLUGIN protocol.
func protocolCommands() []*command {
	commands := []*command{
		{
			name: "LEVEL", usage: "[N]", needs: anEngine, complete: levels,
			summary: "ask for the level, or set it",
		},
		{
			name: "FEN", usage: "FEN", needs: anEngine,
			summary: "start a game from a position",
		},
		{
			name: "PLAY", usage: "MOVE", needs: anEngine, complete: legalMoves,
			summary: "make a move on the board",
		},
		{
			name: "LOAD", usage: "N", needs: anEngine,
			summary: "make the N moves that follow, one a line",
			help:    "The engine gets LOAD and its lines together when the last line is there. Ctrl-C drops them.\n",
		},
		{
			name: "AI", needs: anEngine,
			summary: "have the engine move; Ctrl-C or ABORT stops it",
			help: `While the engine thinks, Ctrl-C sends ABORT. A second Ctrl-C within a second kills the
engine and starts it again at the same position. ABORT and TIMEOUT can be typed too.
In a script, say .wait before them.
`,
		},
		{
			name: "HINTS", usage: "[N]", needs: hasHints,
			summary: "have the engine propose moves, best first",
			help:    "N is an extension of qhsh's own. See .hints for a table, from any engine.\n",
		},
		{
			name: "BAN", usage: "N", needs: hasRules,
			summary: "forbid the N moves that follow, one a line, in the next AI or HINTS",
		},
		{
			name: "UNDO", needs: hasUndo,
			summary: "take back a move; see .undo",
		},
		{
			name: "BGTHINK", usage: "ON|OFF", needs: hasBGThink, complete: words("ON", "OFF"),
			summary: "let the engine think in its opponent's time, or not",
		},
		{
			name: "ABORT", needs: anEngine,
			summary: "give up AI or HINTS",
		},
		{
			name: "TIMEOUT", needs: hasTimeout,
			summary: "end AI or HINTS with the best so far; see .timeout",
		},
		{
			name: "SCR", needs: anEngine,
			summary: "have the engine draw its board; see .board",
		},
		{
			name: "QUIT", needs: anEngine,
			summary: "end the engine; .restart starts it again, .quit leaves the shell",
		},
	}
	for _, c := range commands {
		c.group, c.many, c.run = groupProtocol, true, runRaw
	}
	return commands
}

// runRaw is .send and every word of the protocol: it sends a line as it stands, with the
// lines that belong to it.
func runRaw(c *call) error {
	text, _ := c.command.raw(c.line)
	if speaker := c.engine.speaker(); speaker != nil {
		word, _ := cutWord(text)
		phrase, _ := c.engine.phrase(word)
		return c.utter(text, phrase)
	}
	if strings.TrimSpace(text) == "" {
		return c.misuse("the line is missing")
	}
	text, err := c.shell.gather(text)
	if err != nil {
		return err
	}
	return c.exchange(text)
}

// raw is what a line of a command sends to the engine byte for byte; ok tells whether it
// is a command that does so.
func (c *command) raw(line string) (text string, ok bool) {
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

// gather adds to LOAD and BAN the lines that they announce. A count that makes no sense
// announces none: the engine is to say so.
func (s *Shell) gather(line string) (string, error) {
	cmd, _ := qhplugin.ParseCommand(line)
	if cmd.Word != qhplugin.Load && cmd.Word != qhplugin.Ban {
		return line, nil
	}
	n, err := cmd.Count()
	if err != nil {
		return line, nil //nolint:nilerr // see above
	}
	all := []string{line}
	s.continuing = all
	defer func() { s.continuing = nil }()
	for n > 0 {
		more, err := s.readLine(fmt.Sprintf("%s, %d more> ", cmd.Word, n))
		switch {
		case errors.Is(err, io.EOF):
			return "", fmt.Errorf("%s: the input ends %s early, so nothing was sent", cmd.Word, count(n, "line"))
		case errors.Is(err, ErrInterrupted) && s.host.Interactive:
			s.say("nothing was sent")
			return "", told{err}
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
	cmd, _ := qhplugin.ParseCommand(text)
	begun := time.Now()
	err := c.shell.await(c.ctx, c.engine.waitFor(cmd, c.shell.timeout), func(ctx context.Context) error {
		var err error
		answer, err = c.engine.raw(ctx, text)
		return err
	})
	return c.answered(cmd, answer, err, begun)
}

// waitFor is how to wait for the answer to a line.
func (e *attached) waitFor(cmd qhplugin.Command, timeout time.Duration) wait {
	w := wait{engines: []*attached{e}}
	if cmd.Word == qhplugin.AI || cmd.Word == qhplugin.Hints {
		w.timeout, w.ahead, w.live = timeout, true, e.thinking
	}
	return w
}

// answered shows how an exchange has ended.
func (c *call) answered(cmd qhplugin.Command, answer []string, err error, begun time.Time) error {
	switch {
	case errors.As(err, new(told)):
		return err
	case errors.Is(err, errAborted):
		answer = c.engine.saidSince(begun)
	}
	for _, line := range answer {
		fmt.Fprintln(c.out, line)
	}
	c.remark(cmd, answer, err, begun)
	switch {
	case errors.Is(err, errAborted):
		c.stopped(cmd, answer, begun)
		return nil
	case err != nil:
		return c.shell.blame(c.engine, err)
	}
	if cmd.Word == qhplugin.Quit {
		c.engine.state = ended
	}
	if len(answer) > 0 && isError(answer[0]) {
		c.shell.explain(c.engine, answer)
		return errAnswered
	}
	return nil
}

// stopped tells a person what has become of AI or HINTS that was given up.
func (c *call) stopped(cmd qhplugin.Command, answer []string, begun time.Time) {
	switch {
	case len(answer) == 0:
		c.shell.chat("%s: stopped", c.engine.name)
	case cmd.Word == qhplugin.AI && c.shell.reader(c.engine).isMove(answer[0]):
		c.shell.chat("%s: the move crossed the ABORT, and was taken back", c.engine.name)
		return
	}
	for _, note := range c.engine.since(begun, pluginclient.Noted) {
		c.shell.chat("%s: %s", c.engine.name, note.Text)
	}
}

// isError tells whether a line is the answer ERROR.
func isError(line string) bool {
	cmd, ok := qhplugin.ParseCommand(line)
	return ok && cmd.Word == qhplugin.Error
}

// remark tells a person what the answer does not show: that there is none, what the
// engine has said on stderr instead, that it has ended.
func (c *call) remark(cmd qhplugin.Command, answer []string, err error, begun time.Time) {
	s := c.shell
	if err != nil || !s.host.Interactive {
		return
	}
	silent := cmd.Word == qhplugin.Abort || cmd.Word == qhplugin.Timeout
	if len(answer) == 0 && !silent && cmd.Word != qhplugin.Quit {
		s.say("(no answer)")
		if s.debug == nil {
			for _, e := range c.engine.since(begun, pluginclient.Stderr) {
				s.say("%s %s", e.Dir, e.Text)
			}
		}
	}
	if cmd.Word == qhplugin.Quit {
		s.chatEnded(c.engine)
	}
}

func (s *Shell) chatEnded(e *attached) {
	s.chat("%s has ended: '.restart %s' starts it again, .quit leaves the shell", e.name, e.name)
}

// since are the entries of a conversation from a time on, of one kind.
func (e *attached) since(begun time.Time, dir pluginclient.Direction) []pluginclient.Entry {
	const enough = 50
	return e.session.Trace().Last(enough, func(entry pluginclient.Entry) bool {
		return entry.Dir == dir && !entry.Time.Before(begun)
	})
}

// saidSince is what an engine has answered to AI or HINTS since a time, without its
// answers to pings and to what was sent later to tidy up.
func (e *attached) saidSince(begun time.Time) []string {
	const enough = 200 // as many as the trace keeps
	var said []string
	var sift sieve
	asked := false
	for _, entry := range e.session.Trace().Last(enough, func(entry pluginclient.Entry) bool { return !entry.Time.Before(begun) }) {
		cmd, _ := qhplugin.ParseCommand(entry.Text)
		if entry.Dir == pluginclient.Sent && asked && cmd.Word != qhplugin.Abort && cmd.Word != qhplugin.Timeout {
			break
		}
		asked = asked || entry.Dir == pluginclient.Sent
		if sift.answers(entry.Dir, entry.Text) {
			said = append(said, entry.Text)
		}
	}
	return said
}

// thinking is the best line that an engine has come to, as far as it is known.
func (e *attached) thinking() string {
	thinker, ok := pluginclient.As[pluginclient.LiveThinker](e.session)
	if !ok {
		return ""
	}
	lines := thinker.Thinking()
	if len(lines) == 0 {
		return ""
	}
	return liveLine(lines[0], engine.Names(e.session.Position(), lines[0].Moves))
}

// liveLine is a line of play, its moves by their names, in one row.
func liveLine(line engine.Line, names []string) string {
	return fmt.Sprintf("depth %d  %s  %s", line.Depth, line.Score.Pawns(), strings.Join(names, " "))
}
