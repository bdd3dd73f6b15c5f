package uci

import (
	"context"
	"errors"
	"fmt"
	"time"

	"qhsh/engine"
	"qhsh/pluginclient"
)

// A Breach is a rule that a line of the engine breaks whatever the position is.
type Breach struct {
	Rule string
	What string
}

// judge reports that the engine has broken a rule. at is the position of the search, or "".
func (c *Client) judge(rule string, severity pluginclient.Severity, at, format string, args ...any) {
	c.link.Judge(pluginclient.Judgement{Rule: c.protocol.Rules.Named(rule), Severity: severity, At: at, What: fmt.Sprintf(format, args...)})
}

// receive waits for the engine's next line, and judges it.
func (c *Client) receive(ctx context.Context) (string, error) {
	line, err := c.link.Conn.Receive(ctx)
	if err == nil {
		c.judgeLine(line)
	}
	return line, err
}

// drain returns all unread lines, and judges them.
func (c *Client) drain() []string {
	lines := c.link.Conn.Drain()
	for _, line := range lines {
		c.judgeLine(line)
	}
	return lines
}

// judgeLine judges a line by itself.
func (c *Client) judgeLine(line string) {
	for _, b := range c.protocol.JudgeLine(line) {
		c.judge(b.Rule, pluginclient.Fault, "", "%s", b.What)
	}
}

// judgeStray judges a line that is no reply to anything.
func (c *Client) judgeStray(line string) {
	best, ok := c.protocol.ParseBestMove(line)
	switch {
	case !ok || best.Claim != "":
	case best == BestMove{} && c.stopped: // UCCI: the reply to a "stop" that came too late
		c.stopped = false
	default:
		c.judge(moveSingle, pluginclient.Fault, "", "another move: %q", pluginclient.Excerpt(line))
	}
}

// judgeRaw judges the best move of a raw "go". An engine that numbers ranks from 1 may not have
// understood the moves of a user who numbers them from 0, and then searches the start position.
func (c *Client) judgeRaw(best BestMove) {
	pos := c.current()
	isLegal := func(pos engine.Position, r Ranks) bool { return len(r.LegalPrefix(pos, []string{best.Move})) > 0 }
	start, _ := pos.History()
	switch {
	case best.Move == "" || c.positionUnknown:
		return
	case isLegal(pos, c.ranks) || !c.ranksKnown && isLegal(pos, c.ranks.other()):
		return
	case c.ranks == FromOne && isLegal(start, c.ranks):
		return
	}
	c.judge(moveLegal, pluginclient.Fault, pos.String(), "%q is illegal", pluginclient.Excerpt(best.Move))
}

// fairTime is enough on any machine for what an engine must do at once.
const fairTime = 5 * time.Second

// parted judges how an engine has ended after "quit".
func (c *Client) parted(p pluginclient.Parting) {
	for _, line := range p.Before {
		c.judgeLine(line)
		if !p.Abandoned {
			c.judgeStray(line)
		}
	}
	if p.Ended {
		return
	}
	severity := pluginclient.Warning
	if c.link.Deadlines.Quit >= fairTime {
		severity = pluginclient.Fault
	}
	if errors.Is(p.Err, pluginclient.ErrFlood) {
		c.judge(quitEnds, severity, "", "it is killed after quit: %v", p.Err)
		return
	}
	c.judge(quitEnds, severity, "", "it still runs %v after quit, and is killed", c.link.Deadlines.Quit)
}
