package qtp

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"qhsh/pluginclient"
)

// judge reports that the engine has broken a rule.
func (c *Client) judge(rule, format string, args ...any) { c.judgeAt(rule, "", format, args...) }

// judgeAt is judge for an answer about a position.
func (c *Client) judgeAt(rule, at, format string, args ...any) {
	c.tell(pluginclient.Fault, rule, at, fmt.Sprintf(format, args...))
}

func (c *Client) tell(severity pluginclient.Severity, rule, at, what string) {
	c.link.Judge(pluginclient.Judgement{Rule: ruleTable.Named(rule), Severity: severity, At: at, What: what})
}

// judgeForm reports something about the form of responses, which an engine does again and again.
// Each rule is reported once.
func (c *Client) judgeForm(rule, raw string) {
	if c.link.First(rule) {
		c.judge(rule, "%q to %q", raw, c.asked)
	}
}

// judgeMissingEnd reports that an empty line has not come. From then on the client waits for it no
// longer than it must.
func (c *Client) judgeMissingEnd(r reply) {
	c.endless = true
	c.judgeForm(responseEnd, strings.Join(r.raw, "\n")+"\n")
}

// judgeStray judges a line that is not part of a response. Empty lines are allowed.
func (c *Client) judgeStray(line string) {
	switch text := strings.TrimSpace(cleanReply(line)); {
	case text == "":
	case hasStatus(text):
		c.judge(responseSingle, "%q after the response to %q", line, c.asked)
	default:
		c.judgeForm(responseOnly, line)
	}
}

// judgeFailure judges a command that the engine has refused: whether it must not, or must do so in
// other words.
func (c *Client) judgeFailure(word string, args []string, r reply) {
	command, known := Find(word)
	switch {
	case !known && r.line() != unknownCommand:
		c.judge(messageUnknown, "%q to %q", r.raw[0], c.asked)
		return
	case word == KnownCommand && len(args) > 0:
		c.judge(knownAnswers, "%q to %q", r.raw[0], c.asked)
		return
	case command.takes(len(args)) != nil:
		return
	}
	changes, err := c.game.clone().execute(word, args)
	var why commandError
	switch rule := legalRules[word]; {
	case changes && err == nil && rule != "":
		c.judgeAt(rule, c.game.position().String(), "%q to %q, which is right", r.raw[0], c.asked)
	case errors.As(err, &why) && why.message != invalidSyntax && r.line() != why.message:
		c.judge(messageFixed, "%q to %q, not %q", r.raw[0], c.asked, why.message)
	}
}

// judgeRefusal judges the failure of a command that the client knows to be right. A missing response
// has been judged, and then the engine's game is unknown already.
func (c *Client) judgeRefusal(word string, err error) {
	if c.engineGame != nil {
		c.judgeAt(legalRules[word], c.engineGame.position().String(), "%v", err)
	}
	c.engineGame = nil
}

// fairTime is enough on any machine for what an engine must do at once.
const fairTime = 5 * time.Second

// judgeParting judges how an engine has ended after quit.
func (c *Client) judgeParting(p pluginclient.Parting) {
	if !p.Abandoned {
		for _, line := range p.Before {
			c.judgeStray(line)
		}
	}
	if !slices.ContainsFunc(p.Lines, func(line string) bool { return hasStatus(strings.TrimLeft(cleanReply(line), " ")) }) {
		c.judge(quitAnswers, "no response to quit")
	}
	if p.Ended {
		return
	}
	severity := pluginclient.Warning // the machine may be slow
	if c.link.Deadlines.Quit >= fairTime {
		severity = pluginclient.Fault
	}
	c.tell(severity, quitEnds, "", fmt.Sprintf("it still runs %v after quit, and is killed", c.link.Deadlines.Quit))
}
