package qtp

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"qhsh/pluginclient"
)

// The names of the rules. Those of the table of "qhsh check" that say the same have the same names.
const (
	responseEnd    = "response.end"
	responseBlank  = "response.blank"
	responseLine   = "response.line"
	responseOnly   = "response.only"
	responseASCII  = "response.ascii"
	responseEmpty  = "response.empty"
	responseGiven  = "response.given"
	responseSingle = "response.single"
	messageUnknown = "unknown.message"
	messageFixed   = "message.fixed"
	nameAnswers    = "name.answers"
	knownAnswers   = "known.answers"
	setupNever     = "setup.never"
	sizeIllegal    = "size.unacceptable"
	moveLegal      = "move.legal"
	moveIllegal    = "move.illegal"
	wallLegal      = "wall.legal"
	wallIllegal    = "wall.illegal"
	genMoveVertex  = "genmove.vertex"
	genMoveLegal   = "genmove.legal"
	genMoveNever   = "genmove.never"
	undoLegal      = "undo.many"
	undoIllegal    = "undo.toomany"
	winnerAnswers  = "winner.answers"
	winnerRight    = "winner.right"
	quitAnswers    = "quit.answers"
	quitEnds       = "quit.ends"
)

// ruleTable holds the rules that a client can see broken.
var ruleTable = pluginclient.Rules{
	{Name: responseEnd, Section: "1.6", Sentence: "A response ends with two consecutive newlines."},
	{Name: responseBlank, Section: "1.6", Sentence: "There is a blank between the sign and the result (2.4 leaves it out).", Advice: true},
	{Name: responseLine, Section: "2.4", Sentence: "The result stands on the line of the sign."},
	{Name: responseOnly, Section: "1.6", Sentence: "There is no text outside responses."},
	{Name: responseASCII, Section: "1.1 to 1.3", Sentence: "Responses are of US-ASCII without control characters and tabs."},
	{Name: responseEmpty, Section: "4", Sentence: "There is no result where the output is none."},
	{Name: responseGiven, Section: "1.8", Sentence: "Every command gets a response."},
	{Name: responseSingle, Section: "1.8", Sentence: "A command gets one response, in the order of the commands."},
	{Name: messageUnknown, Section: "2.6", Sentence: "An unknown command fails with the message unknown command."},
	{Name: messageFixed, Section: "2.6", Sentence: "A failure that section 4 describes has the message that stands there."},
	{Name: nameAnswers, Section: "4.1", Sentence: "name answers the engine's name and never fails."},
	{Name: knownAnswers, Section: "4.1", Sentence: "known_command answers true or false and never fails."},
	{Name: setupNever, Section: "4.2", Sentence: "clear_board and walls never fail."},
	{Name: sizeIllegal, Section: "4.2", Sentence: "A size that cannot be handled fails with the message unacceptable size, as one over 25 must."},
	{Name: moveLegal, Section: "4.3", Sentence: "playmove plays a legal move."},
	{Name: moveIllegal, Section: "4.3", Sentence: "An illegal move fails with the message illegal move."},
	{Name: wallLegal, Section: "4.3", Sentence: "playwall builds a legal wall."},
	{Name: wallIllegal, Section: "4.3", Sentence: "An illegal wall fails with the message illegal move."},
	{Name: genMoveVertex, Section: "4.3", Sentence: "genmove answers a vertex, with an orientation for a wall."},
	{Name: genMoveLegal, Section: "4.3", Sentence: "The move of genmove is legal."},
	{Name: genMoveNever, Section: "4.3", Sentence: "genmove never fails."},
	{Name: undoLegal, Section: "4.3", Sentence: "undo takes as many moves back as it is told."},
	{Name: undoIllegal, Section: "4.3", Sentence: "More than was played fails with the message cannot undo, and changes nothing."},
	{Name: winnerAnswers, Section: "4.4", Sentence: "winner answers false, or true and a colour, and never fails."},
	{Name: winnerRight, Section: "4.4", Sentence: "A side has won when its pawn is on the opposite row."},
	{Name: quitAnswers, Section: "4.1", Sentence: "quit is answered before the engine ends."},
	{Name: quitEnds, Section: "4.1", Sentence: "quit ends the engine."},
}

// legalRules are the rules by which commands must succeed, and illegalRules those by which they must
// fail.
var (
	legalRules = map[string]string{
		ClearBoard: setupNever, Walls: setupNever, PlayMove: moveLegal, PlayWall: wallLegal, Undo: undoLegal,
	}
	illegalRules = map[string]string{
		BoardSize: sizeIllegal, PlayMove: moveIllegal, PlayWall: wallIllegal, Undo: undoIllegal,
	}
)

// judge reports that the engine has broken a rule.
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
	what := fmt.Sprintf("it still runs %v after quit, and is killed", c.link.Deadlines.Quit)
	c.link.Judge(pluginclient.Judgement{Rule: ruleTable.Named(quitEnds), Severity: severity, What: what})
}
