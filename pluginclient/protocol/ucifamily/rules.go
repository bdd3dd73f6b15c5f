package ucifamily

import (
	"fmt"
	"slices"

	"qhsh/pluginclient"
)

// ruleTable holds the rules of UCI and UCCI that a client can see broken.
var ruleTable = []pluginclient.Rule{
	{Name: "bestmove.single", Section: "bestmove", Sentence: "Every go command is answered with one bestmove."},
	{Name: "bestmove.legal", Section: "bestmove", Sentence: "The best move is legal in the position of the search."},
	{Name: "bestmove.allowed", Section: "go", Sentence: "Only the moves that the search is restricted to are searched."},
	{Name: "info.pv", Section: "info", Sentence: "The moves of pv are the best line found: they can be played one after the other."},
}

// Rules returns the rules of UCI and UCCI that a client can see broken.
func Rules() []pluginclient.Rule { return slices.Clone(ruleTable) }

// ruleNamed returns the rule of a name. It panics if there is none.
func ruleNamed(name string) pluginclient.Rule {
	i := slices.IndexFunc(ruleTable, func(r pluginclient.Rule) bool { return r.Name == name })
	if i < 0 {
		panic("ucifamily: no rule " + name)
	}
	return ruleTable[i]
}

// judge reports that the engine has broken a rule. at is the position of the search, or "".
func (c *Client) judge(rule string, severity pluginclient.Severity, at, format string, args ...any) {
	if c.protocol.IsJudged {
		c.link.Judge(pluginclient.Judgement{Rule: ruleNamed(rule), Severity: severity, At: at, What: fmt.Sprintf(format, args...)})
	}
}

// judgeStray judges a line that is no reply to anything.
func (c *Client) judgeStray(line string) {
	if best, ok := c.protocol.ParseBestMove(line); ok && best.Claim == "" {
		c.judge("bestmove.single", pluginclient.Fault, "", "another bestmove: %q", pluginclient.Excerpt(line))
	}
}

// judgeRaw judges the best move of a raw "go".
func (c *Client) judgeRaw(best BestMove) {
	pos := c.current()
	isLegal := func(r Ranks) bool { return len(legalPrefix(pos, []string{best.Move}, r)) > 0 }
	if best.Move == "" || c.positionUnknown || isLegal(c.ranks) || !c.ranksKnown && isLegal(c.ranks.other()) {
		return
	}
	c.judge("bestmove.legal", pluginclient.Fault, pos.String(), "bestmove %q is illegal", pluginclient.Excerpt(best.Move))
}
