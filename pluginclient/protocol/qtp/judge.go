package qtp

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"qhsh/pluginclient"
)

// ruleTable holds the rules that a client can see broken. Those of the table of "qhsh check" that say the
// same have the same names.
var ruleTable = pluginclient.Rules{
	{Name: "response.end", Section: "1.6", Sentence: "A response ends with two consecutive newlines."},
	{Name: "response.blank", Section: "1.6", Sentence: "There is a blank between the sign and the result (2.4 leaves it out).", Advice: true},
	{Name: "response.line", Section: "2.4", Sentence: "The result stands on the line of the sign."},
	{Name: "response.only", Section: "1.6", Sentence: "There is no text outside responses."},
	{Name: "response.ascii", Section: "1.1 to 1.3", Sentence: "Responses are of US-ASCII without control characters and tabs."},
	{Name: "response.empty", Section: "4", Sentence: "There is no result where the output is none."},
	{Name: "response.given", Section: "1.8", Sentence: "Every command gets a response."},
	{Name: "response.single", Section: "1.8", Sentence: "A command gets one response, in the order of the commands."},
	{Name: "unknown.message", Section: "2.6", Sentence: "An unknown command fails with the message unknown command."},
	{Name: "message.fixed", Section: "2.6", Sentence: "A failure that section 4 describes has the message that stands there."},
	{Name: "name.answers", Section: "4.1", Sentence: "name answers the engine's name and never fails."},
	{Name: "known.answers", Section: "4.1", Sentence: "known_command answers true or false and never fails."},
	{Name: "setup.never", Section: "4.2", Sentence: "clear_board and walls never fail."},
	{Name: "size.unacceptable", Section: "4.2", Sentence: "A size that cannot be handled fails with the message unacceptable size, as one over 25 must."},
	{Name: "move.legal", Section: "4.3", Sentence: "playmove plays a legal move."},
	{Name: "move.illegal", Section: "4.3", Sentence: "An illegal move fails with the message illegal move."},
	{Name: "wall.legal", Section: "4.3", Sentence: "playwall builds a legal wall."},
	{Name: "wall.illegal", Section: "4.3", Sentence: "An illegal wall fails with the message illegal move."},
	{Name: "genmove.vertex", Section: "4.3", Sentence: "genmove answers a vertex, with an orientation for a wall."},
	{Name: "genmove.legal", Section: "4.3", Sentence: "The move of genmove is legal."},
	{Name: "genmove.never", Section: "4.3", Sentence: "genmove never fails."},
	{Name: "undo.many", Section: "4.3", Sentence: "undo takes as many moves back as it is told."},
	{Name: "undo.toomany", Section: "4.3", Sentence: "More than was played fails with the message cannot undo, and changes nothing."},
	{Name: "winner.answers", Section: "4.4", Sentence: "winner answers false, or true and a colour, and never fails."},
	{Name: "winner.right", Section: "4.4", Sentence: "A side has won when its pawn is on the opposite row."},
	{Name: "quit.answers", Section: "4.1", Sentence: "quit is answered before the engine ends."},
	{Name: "quit.ends", Section: "4.1", Sentence: "quit ends the engine."},
}

func (c *Client) judge(rule, format string, args ...any) { c.judgeAt(rule, "", format, args...) }

// judgeAt is judge for an answer about a position.
func (c *Client) judgeAt(rule, at, format string, args ...any) {
	c.link.Judge(pluginclient.Judgement{Rule: ruleTable.Named(rule), Severity: pluginclient.Fault, At: at, What: fmt.Sprintf(format, args...)})
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
	c.judgeForm("response.end", strings.Join(r.raw, "\n")+"\n")
}

// judgeStray judges a line that is not part of a response. Empty lines are allowed.
func (c *Client) judgeStray(line string) {
	switch text := strings.TrimSpace(cleanReply(line)); {
	case text == "":
	case hasStatus(text):
		c.judge("response.single", "%q after the response to %q", line, c.asked)
	default:
		c.judgeForm("response.only", line)
	}
}

// judgeFailure judges a command that the engine has refused: whether it must not, or must do so in
// other words.
func (c *Client) judgeFailure(word string, args []string, r reply) {
	command, known := Find(word)
	switch {
	case !known && r.line() != unknownCommand:
		c.judge("unknown.message", "%q to %q", r.raw[0], c.asked)
		return
	case word == KnownCommand && len(args) > 0:
		c.judge("known.answers", "%q to %q", r.raw[0], c.asked)
		return
	case command.takes(len(args)) != nil:
		return
	}
	changes, err := c.game.clone().execute(word, args)
	why, isRefused := errors.AsType[commandError](err)
	switch {
	case changes && err == nil && command.legal != "":
		c.judgeAt(command.legal, c.game.position().String(), "%q to %q, which is right", r.raw[0], c.asked)
	case isRefused && why.message != invalidSyntax && r.line() != why.message:
		c.judge("message.fixed", "%q to %q, not %q", r.raw[0], c.asked, why.message)
	}
}

// judgeRefusal judges the failure of a command that the client knows to be right. A missing response
// has been judged, and then the engine's game is unknown already.
func (c *Client) judgeRefusal(word string, err error) {
	if command, _ := Find(word); c.engineGame != nil {
		c.judgeAt(command.legal, c.engineGame.position().String(), "%v", err)
	}
	c.engineGame = nil
}

// judgeParting judges how an engine has ended after quit.
func (c *Client) judgeParting(p pluginclient.Parting) {
	if !p.Abandoned {
		for _, line := range p.Before {
			c.judgeStray(line)
		}
	}
	if !slices.ContainsFunc(p.Lines, func(line string) bool { return hasStatus(strings.TrimLeft(cleanReply(line), " ")) }) {
		c.judge("quit.answers", "no response to quit")
	}
	c.link.JudgeEnd(pluginclient.Judgement{Rule: ruleTable.Named("quit.ends")}, Quit, p)
}
