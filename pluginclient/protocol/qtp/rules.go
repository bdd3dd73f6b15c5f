package qtp

import "qhsh/pluginclient"

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
