package repl

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"qhsh/engine"
	"qhsh/pluginclient"
)

// errRecorded is why work ends that was given up when it was recorded.
var errRecordedStop = fmt.Errorf("%w, as it was recorded", errAborted)

// An exchange of a recorded conversation: what was sent, and what was answered.
type exchange struct {
	text   string // further lines after line feeds
	phrase pluginclient.CommandSpec
	at     time.Duration
	stop   error         // what ended the engine's thinking: errRecorded, engine.ErrMoveNow or nothing
	after  time.Duration // how long it had been thinking by then
	answer []string
}

// A conversation is what has been recorded of one engine.
type conversation struct {
	exchanges []exchange
	state     []string // remarks that tell where it began
	searches  int      // that the engine was asked for directly, which cannot be sent
}

// readConversation reads a recorded conversation with one engine, the first one that anything
// was sent to if name is empty: before that an engine may have had another name. Pings and
// remarks are no part of it, but for those that tell where it began.
func readConversation(r io.Reader, name string, l pluginclient.Language) (c conversation, err error) {
	sift := pluginclient.ReplyFilter{Ping: l.Ping}
	searches := map[string]int{}
	begun := map[string][]string{}
	scanner := bufio.NewScanner(r)
	scanner.Buffer(nil, 2<<20)
	for n := 1; scanner.Scan(); n++ {
		if strings.TrimSpace(scanner.Text()) == "" {
			continue
		}
		line, err := pluginclient.ParseTraceLine(scanner.Text())
		if err != nil {
			return conversation{}, fmt.Errorf("line %d: %w", n, err)
		}
		if name == "" && line.Dir == pluginclient.Sent {
			name = line.Engine
		}
		switch {
		case line.Dir != pluginclient.Noted:
		case strings.HasPrefix(line.Text, statePrefix) && len(c.exchanges) == 0:
			begun[line.Engine] = append(begun[line.Engine], line.Text)
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
	c.state = begun[name]
	return c, scanner.Err()
}

// addSent adds a line that was sent: a command, a line of LOAD or BAN, or what ended the
// engine's thinking.
func appendSent(all []exchange, line pluginclient.TraceLine, l pluginclient.Language) []exchange {
	p, _ := l.Lookup(line.Text)
	if len(all) > 0 {
		last := &all[len(all)-1]
		if last.missingLines() > 0 {
			last.text += "\n" + line.Text
			return all
		}
		stop := map[pluginclient.Stop]error{pluginclient.GiveUp: errRecordedStop, pluginclient.MoveNow: engine.ErrMoveNow}[p.Stop]
		if stop != nil && last.phrase.Thinks && !last.finished() {
			if last.stop == nil {
				last.stop, last.after = stop, line.At-last.at
			}
			return all
		}
	}
	return append(all, exchange{text: line.Text, phrase: p, at: line.At})
}

// missing is how many of the lines that belong to a command have not been sent yet.
func (x *exchange) missingLines() int {
	if x.phrase.Lines == nil || len(x.answer) > 0 {
		return 0
	}
	first, _, _ := strings.Cut(x.text, "\n")
	_, args := cutWord(first)
	return x.phrase.Lines(args) - strings.Count(x.text, "\n")
}

// finished reports whether a command has been answered.
func (x *exchange) finished() bool {
	return len(x.answer) > 0 && (x.phrase.IsComplete == nil || x.phrase.IsComplete(x.answer))
}

// runReplay is .replay.
func runReplay(c *call) error {
	operands, err := c.argsUpTo(2)
	if err != nil {
		return err
	}
	if len(operands) == 0 {
		return c.usageError("the file is missing")
	}
	if err := c.shell.refuseInScript(c.command.name); err != nil {
		return err
	}
	file, err := os.Open(operands[0])
	if err != nil {
		return fmt.Errorf(".replay: %w", err)
	}
	defer file.Close()
	recorded, err := readConversation(file, append(operands, "")[1], c.shell.languageOf(c.engine))
	if err != nil {
		return fmt.Errorf(".replay: %s: %w", operands[0], err)
	}
	if recorded.searches > 0 {
		c.say("searches skipped, as the engine was asked directly: %d", recorded.searches)
	}
	if len(recorded.exchanges) == 0 {
		return fmt.Errorf(".replay: %s: nothing was sent in it", operands[0])
	}
	if err := c.restoreState(recorded.state); err != nil {
		return err
	}
	return c.replay(recorded.exchanges)
}

// replay sends what was sent, and tells where the answers differ. That some do is an
// error, so that a script can tell.
func (c *call) replay(all []exchange) error {
	differing := 0
	var failed error
	for i, x := range all {
		answer, err := c.resend(x)
		err = c.shell.reportEngineError(c.engine, err)
		switch {
		case err != nil && (len(answer) == 0 || pluginclient.Lost(err)):
			c.say("after %d of %s", i, count(len(all), "command"))
			return err
		case err != nil: // an answer that cannot be right
			failed = err
		}
		answer, recorded := trimBlankEnd(answer), trimBlankEnd(x.answer)
		if slices.Equal(answer, recorded) {
			continue
		}
		differing++
		for line := range strings.Lines(x.text) {
			fmt.Fprintf(c.out, "  %s\n", strings.TrimRight(line, "\n"))
		}
		fmt.Fprint(c.out, diffLines(recorded, answer))
	}
	if c.engine.hasStatus(pluginclient.StatusEnded) {
		c.shell.chatEnded(c.engine)
	}
	if differing == 0 {
		c.say("%s, all answered as recorded", count(len(all), "command"))
		return failed
	}
	return fmt.Errorf(".replay: %s, %d answered otherwise", count(len(all), "command"), differing)
}

// unended is an answer without the blank line that ends one in QTP, which is in the trace
// alone.
func trimBlankEnd(answer []string) []string {
	for len(answer) > 0 && strings.TrimSpace(answer[len(answer)-1]) == "" {
		answer = answer[:len(answer)-1]
	}
	return answer
}

// repeat sends one command, and stops the engine's thinking when that was done then. An
// engine that a QUIT has ended is started again for it.
func (c *call) resend(x exchange) ([]string, error) {
	if c.engine.hasStatus(pluginclient.StatusEnded) {
		if err := c.shell.restart(c.ctx, c.engine); err != nil {
			return nil, err
		}
	}
	var answer []string
	begun := time.Now()
	w := waitOptions{engines: []*attached{c.engine}, status: c.engine.thinkingLine, stopCause: x.stop, stopAfter: x.after}
	err := c.shell.await(c.ctx, w, func(ctx context.Context) (err error) {
		answer, err = c.engine.raw(ctx, x.text)
		return err
	})
	if errors.Is(err, errRecordedStop) && !pluginclient.Lost(err) {
		return c.answerSince(begun), nil
	}
	return answer, err
}

// diffLines are two answers with a mark before each line: a blank for what both have, -
// for what only the first has, + for the second.
func diffLines(a, b []string) string {
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
	var text strings.Builder
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
