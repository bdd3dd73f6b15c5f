package repl

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"qhsh/engine"
	"qhsh/engine/printable"
	"qhsh/engine/record"
	"qhsh/pluginclient"
)

// errRecordedStop ends work that was also given up in the recording.
var errRecordedStop = fmt.Errorf("%w, as it was recorded", errAborted)

// An exchange is a command of a recorded conversation and its answer.
type exchange struct {
	text   string // the lines, separated by newlines
	spec   pluginclient.CommandSpec
	at     time.Duration
	stop   error         // what ended the engine's thinking: errRecordedStop, engine.ErrMoveNow or nothing
	after  time.Duration // how long it had been thinking when it was stopped
	answer []string
}

// A conversation is what was recorded of one engine.
type conversation struct {
	exchanges []exchange
	engines   []string // to which something was sent
	state     []string // remarks about the initial state
	searches  int      // searches that were not lines of the protocol and cannot be sent
}

// exchangeSize is what an exchange needs at least, in bytes.
const exchangeSize = 320

// readConversation reads the recorded conversation with the named engine, or, if name is empty,
// with the first one that anything was sent to. It ignores pings and remarks, except those about
// the initial state.
func readConversation(r io.Reader, name string, l pluginclient.Language) (c conversation, err error) {
	sift := pluginclient.ReplyFilter{Ping: l.Ping}
	searches := map[string]int{}
	states := map[string][]string{}
	scanner := bufio.NewScanner(r)
	scanner.Buffer(nil, 2*record.MaxLine) // its line may be quoted
	kept := 0
	for n := 1; scanner.Scan(); n++ {
		if strings.TrimSpace(scanner.Text()) == "" {
			continue
		}
		line, err := pluginclient.ParseTraceLine(scanner.Text())
		if err != nil {
			return conversation{}, fmt.Errorf("line %d: %w", n, err)
		}
		if line.Dir == pluginclient.Sent && !slices.Contains(c.engines, line.Engine) {
			c.engines = append(c.engines, line.Engine)
		}
		if len(c.engines) > 0 {
			name = cmp.Or(name, c.engines[0])
		}
		if line.Engine == name || line.Dir == pluginclient.Noted {
			if kept += len(scanner.Bytes()) + exchangeSize; kept > record.MaxFile {
				return conversation{}, fmt.Errorf("line %d: the conversation needs more than %s: split the recording", n, record.Megabytes(record.MaxFile))
			}
		}
		switch {
		case line.Dir != pluginclient.Noted:
		case strings.HasPrefix(line.Text, statePrefix) && len(c.exchanges) == 0:
			states[line.Engine] = append(states[line.Engine], line.Text)
		case strings.HasPrefix(line.Text, pluginclient.SearchRemark):
			searches[line.Engine]++
		}
		if line.Engine != name {
			continue
		}
		answers := sift.IsReply(line.Dir, line.Text)
		switch {
		case line.Dir == pluginclient.Sent:
			c.exchanges = appendSent(c.exchanges, line, l)
		case answers && len(c.exchanges) > 0:
			last := &c.exchanges[len(c.exchanges)-1]
			last.answer = append(last.answer, line.Text)
		}
	}
	for engine, n := range searches {
		if name == "" || engine == name {
			c.searches += n
		}
	}
	c.state = states[name]
	if errors.Is(scanner.Err(), bufio.ErrTooLong) {
		return conversation{}, fmt.Errorf("a line of more than %d bytes: not a recording", 2*record.MaxLine)
	}
	return c, scanner.Err()
}

// appendSent appends a line that was sent: a command, a line of LOAD or BAN, or a word that stops
// the engine.
func appendSent(all []exchange, line pluginclient.TraceLine, l pluginclient.Language) []exchange {
	p, _ := l.Lookup(line.Text)
	if len(all) > 0 {
		last := &all[len(all)-1]
		if last.spec.Lines != nil && len(last.answer) == 0 {
			first, _, _ := strings.Cut(last.text, "\n")
			_, args := cutWord(first)
			if strings.Count(last.text, "\n") < last.spec.Lines(args) {
				last.text += "\n" + line.Text
				return all
			}
		}
		stop := map[pluginclient.Stop]error{pluginclient.GiveUp: errRecordedStop, pluginclient.MoveNow: engine.ErrMoveNow}[p.Stop]
		if stop != nil && last.spec.Thinks && !(len(last.answer) > 0 && (last.spec.IsComplete == nil || last.spec.IsComplete(last.answer))) {
			if last.stop == nil {
				last.stop, last.after = stop, line.At-last.at
			}
			return all
		}
	}
	return append(all, exchange{text: line.Text, spec: p, at: line.At})
}

func runReplay(c *call) error {
	operands := c.operands
	var recorded conversation
	err := c.read(operands[0], func(in io.Reader) (err error) {
		if recorded, err = readConversation(in, append(operands, "")[1], c.shell.languageOf(c.engine)); err != nil {
			err = fmt.Errorf("%s: %w", operands[0], err)
		}
		return err
	})
	if err != nil {
		return fmt.Errorf(".replay: %w", err)
	}
	if recorded.searches > 0 {
		c.shell.say("searches skipped, as they were not lines of the protocol: %d", recorded.searches)
	}
	switch engines := strings.Join(recorded.engines, ", "); {
	case len(recorded.exchanges) > 0:
	case engines == "":
		return fmt.Errorf(".replay: %s: no commands in the recording", operands[0])
	default:
		return fmt.Errorf(".replay: %s: no commands to %q in the recording, which has %s", operands[0], operands[1], engines)
	}
	if len(operands) == 1 && len(recorded.engines) > 1 {
		c.shell.notify("replaying %s; the recording also has %s", recorded.engines[0], strings.Join(recorded.engines[1:], ", "))
	}
	before := c.engine.session.Position()
	level, leveled := c.engine.session.Level()
	if err = c.restoreState(recorded.state); err == nil {
		err = c.replay(recorded.exchanges)
	}
	c.shell.lost = c.shell.lost || c.engine.isLost() // what follows restarts it
	restored := c.shell.awaitEngine(c.ctx, c.engine, func(ctx context.Context) error {
		if leveled {
			if err := c.engine.session.SetLevel(ctx, level); err != nil {
				return err
			}
		}
		return c.engine.newGame(ctx, before)
	})
	text := positionText(before)
	if leveled {
		text += fmt.Sprintf(", level %d", level)
	}
	if restored == nil {
		c.shell.notify("%s is back at %s", c.engine.name, text)
	}
	return errors.Join(err, restored)
}

// replay sends the recorded commands and prints where the answers differ. It returns an error if
// any do, so that a script can detect it.
func (c *call) replay(all []exchange) error {
	differing := 0
	var failed error
	for i, x := range all {
		answer, err := c.resend(x)
		err = c.shell.reportEngineError(c.engine, err)
		switch {
		case err != nil && (len(answer) == 0 || pluginclient.Lost(err)):
			c.shell.say("after %d of %s", i, printable.Plural(len(all), "command"))
			return err
		case err != nil: // an invalid answer
			failed = err
		}
		answer, recorded := trimBlankEnd(answer), trimBlankEnd(x.answer)
		if slices.Equal(answer, recorded) {
			continue
		}
		differing++
		for line := range strings.Lines(x.text) {
			fmt.Fprintf(c.out, "  %s\n", printable.Line(strings.TrimRight(line, "\n")))
		}
		fmt.Fprint(c.out, printable.Text(diffLines(recorded, answer)))
	}
	if differing == 0 {
		c.shell.say("%s, all answered as recorded", printable.Plural(len(all), "command"))
		return failed
	}
	return fmt.Errorf(".replay: %s, %d answered differently", printable.Plural(len(all), "command"), differing)
}

// trimBlankEnd removes trailing blank lines, which end an answer in QTP and appear only in the
// trace.
func trimBlankEnd(answer []string) []string {
	for len(answer) > 0 && strings.TrimSpace(answer[len(answer)-1]) == "" {
		answer = answer[:len(answer)-1]
	}
	return answer
}

// resend sends one command, and stops the engine when the recording did. It restarts an engine
// that a QUIT has ended.
func (c *call) resend(x exchange) ([]string, error) {
	if c.engine.session.State().Status == pluginclient.StatusEnded {
		if err := c.shell.restart(c.ctx, c.engine); err != nil {
			return nil, err
		}
	}
	var answer []string
	start := time.Now()
	w := waitOptions{engines: []*attached{c.engine}, status: c.engine.thinkingLine, stopCause: x.stop, stopAfter: x.after}
	err := c.shell.await(c.ctx, w, func(ctx context.Context) (err error) {
		answer, err = c.engine.raw(ctx, x.text)
		return err
	})
	if errors.Is(err, errRecordedStop) && !pluginclient.Lost(err) {
		return c.answerSince(start), nil
	}
	return answer, err
}

// maxDiff is the maximum product of the sizes of two answers whose common lines are found.
const maxDiff = 1 << 22

// diffLines returns a line diff of two answers: lines of both start with a blank, lines only in a
// with -, lines only in b with +.
func diffLines(a, b []string) string {
	var text strings.Builder
	if len(a)*len(b) > maxDiff {
		for _, line := range a {
			text.WriteString("- " + line + "\n")
		}
		for _, line := range b {
			text.WriteString("+ " + line + "\n")
		}
		return text.String()
	}
	// lengths[i][j] is how many lines a[i:] and b[j:] have in common, in order.
	lengths := make([][]int, len(a)+1)
	for i := range lengths {
		lengths[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			lengths[i][j] = max(lengths[i+1][j], lengths[i][j+1])
			if a[i] == b[j] {
				lengths[i][j] = lengths[i+1][j+1] + 1
			}
		}
	}
	i, j := 0, 0
	for i < len(a) || j < len(b) {
		switch {
		case i < len(a) && j < len(b) && a[i] == b[j]:
			text.WriteString("  " + a[i] + "\n")
			i, j = i+1, j+1
		case j == len(b) || i < len(a) && lengths[i+1][j] >= lengths[i][j+1]:
			text.WriteString("- " + a[i] + "\n")
			i++
		default:
			text.WriteString("+ " + b[j] + "\n")
			j++
		}
	}
	return text.String()
}
