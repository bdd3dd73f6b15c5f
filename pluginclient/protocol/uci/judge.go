package uci

import (
	"context"
	"fmt"

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
		c.judge("move.single", pluginclient.Fault, "", "another move: %q", pluginclient.Excerpt(line))
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
	c.judge("move.legal", pluginclient.Fault, pos.String(), "%q is illegal", pluginclient.Excerpt(best.Move))
}

// parted judges how an engine has ended after "quit".
func (c *Client) parted(p pluginclient.Parting) {
	for _, line := range p.Before {
		c.judgeLine(line)
		if !p.Abandoned {
			c.judgeStray(line)
		}
	}
	c.link.JudgeEnd(pluginclient.Judgement{Rule: c.protocol.Rules.Named("quit.ends")}, quitWord, p)
}

// ruleTable holds the rules of UCI and UCCI that a client can see broken.
var ruleTable = pluginclient.Rules{
	{Name: "start.single", Section: "uciok", Sentence: "The greeting is answered with uciok, or ucciok, once."},
	{Name: "option.form", Section: "option", Sentence: "An option has a name and one of the types check, spin, combo, button and string."},
	{Name: "ready.single", Section: "isready", Sentence: "isready is answered with one readyok."},
	{Name: "move.single", Section: "bestmove", Sentence: "Every go command is answered with one bestmove."},
	{Name: "move.legal", Section: "bestmove", Sentence: "The best move is legal in the position of the search."},
	{Name: "move.allowed", Section: "go", Sentence: "Only the moves that the search is restricted to are searched."},
	{Name: "info.form", Section: "info", Sentence: "depth, nodes, time, multipv and the like have a number behind them, score has cp or mate and a number (in UCCI a number), pv has moves."},
	{Name: "info.multipv", Section: "info", Sentence: "The lines of a list are numbered from 1 to the number that MultiPV sets."},
	{Name: "info.pv", Section: "info", Sentence: "The moves of pv are the best line found: they can be played one after the other."},
	{Name: "quit.ends", Section: "quit", Sentence: "The engine quits as soon as possible."},
}
