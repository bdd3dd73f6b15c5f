package xboard

import "qhsh/pluginclient"

// Sections of the protocol's document.
const (
	toEngine = "8"
	analysis = "12"
	obsolete = "13"
)

const (
	oneMove = "> setboard 5k3/9/9/9/4r4/9/9/9/9/3K5 w - - 0 1\n" // Red has one legal move
	ponged  = "> ping 1\n< pong 1\n"
)

// silent returns a command that has no reply, with the line of its example.
func silent(section, word, usage, summary, line string) pluginclient.CommandSpec {
	return pluginclient.CommandSpec{Word: word, Usage: usage, Section: section, Summary: summary, Example: "> " + line + "\n" + ponged}
}

var references = []pluginclient.CommandSpec{
	silent(toEngine, "xboard", "", "begin", "xboard"),
	{
		Word: "protover", Usage: "N", Section: toEngine, Summary: "say the protocol's version; the engine says its features",
		Replies: "feature lines, the last with done=1", Example: "> protover 2\n< feature done=0\n< ...\n< feature done=1\n",
	},
	silent(toEngine, "accepted", "FEATURE", "say that a feature is used", "accepted ping"),
	silent(toEngine, "rejected", "FEATURE", "say that a feature is not used", "rejected san"),
	silent(toEngine, "new", "", "start a game, with the engine playing Black", "new"),
	silent(toEngine, "variant", "NAME", "choose the variant", "variant xiangqi"),
	{Word: "quit", Section: toEngine, Summary: "end the engine", Example: "> quit\n"},
	silent(toEngine, "random", "", "turn randomness on or off", "random"),
	silent(toEngine, "force", "", "make the engine play neither side", "force"),
	{
		Word: "go", Section: toEngine, Summary: "make the engine play the side to move, now and from now on",
		Replies: "thinking output if post is on, then move", Example: oneMove + "> nopost\n> sd 1\n> go\n< move d0d1\n",
	},
	silent(toEngine, "playother", "", "make the engine play the other side", "playother"),
	silent(obsolete, "white", "", "give Red the move and the engine Black", "white"),
	silent(obsolete, "black", "", "give Black the move and the engine Red", "black"),
	silent(toEngine, "level", "MOVES TIME INCREMENT", "set the time control", "level 40 5 0"),
	silent(toEngine, "st", "SECONDS", "set the time of each move", "st 5"),
	silent(toEngine, "sd", "PLIES", "limit the depth", "sd 8"),
	silent(toEngine, "nps", "N", "count the time in nodes, N for a second", "nps 1000"),
	silent(toEngine, "time", "CENTISECONDS", "set the engine's clock", "time 30000"),
	silent(toEngine, "otim", "CENTISECONDS", "set the opponent's clock", "otim 30000"),
	{
		Word: "usermove", Usage: "MOVE", Section: toEngine, Summary: "make the opponent's move; the engine replies if it plays the other side",
		Replies: "move, or Illegal move", Example: "> force\n> usermove h2e2\n> usermove h2e2\n< Illegal move ...\n",
	},
	{
		Word: "?", Section: toEngine, Summary: "move now, with the best move so far",
		Replies: "none of its own: move", Example: oneMove + "> nopost\n> st 60\n> go\n> ?\n< move d0d1\n",
	},
	{Word: "ping", Usage: "N", Section: toEngine, Summary: "wait until all commands before it are done", Replies: "pong N", Example: ponged},
	silent(toEngine, "draw", "", "offer a draw", "draw"),
	silent(toEngine, "result", "RESULT {COMMENT}", "say how the game has ended", "result 1-0 {Black resigns}"),
	silent(toEngine, "setboard", "FEN", "set the position", "setboard 5k3/9/9/9/4r4/9/9/9/9/3K5 w - - 0 1"),
	{
		Word: "hint", Section: toEngine, Summary: "ask for the move that the engine expects of its opponent",
		Replies: "Hint: MOVE, or nothing", Example: "> hint\n< ...\n" + ponged,
	},
	{Word: "bk", Section: toEngine, Summary: "ask for moves of the opening book", Replies: "lines that begin with a blank, then an empty line", Example: "> bk\n< ...\n" + ponged},
	{
		Word: "undo", Section: toEngine, Summary: "take back a move", Replies: "none",
		Example: "> force\n> usermove h2e2\n> undo\n" + ponged,
	},
	{
		Word: "remove", Section: toEngine, Summary: "take back two moves", Replies: "none",
		Example: "> force\n> usermove h2e2\n> usermove h9g7\n> remove\n" + ponged,
	},
	silent(toEngine, "hard", "", "think on the opponent's time", "hard"),
	silent(toEngine, "easy", "", "do not think on the opponent's time", "easy"),
	silent(toEngine, "post", "", "show thinking output", "post"),
	silent(toEngine, "nopost", "", "show no thinking output", "nopost"),
	{
		Word: "analyze", Section: analysis, Summary: "analyse the position until exit",
		Replies: "thinking output", Example: oneMove + "> analyze\n> exit\n< ...\n" + ponged,
	},
	{Word: "exit", Section: analysis, Summary: "end the analysis", Example: "> analyze\n> exit\n< ...\n" + ponged},
	{
		Word: ".", Section: analysis, Summary: "ask how far the analysis is",
		Replies: "a stat01 line", Example: oneMove + "> analyze\n> .\n> exit\n< ...\n" + ponged,
	},
	silent(analysis, "exclude", "MOVE|all", "leave a move out of the search", "exclude h2e2"),
	silent(analysis, "include", "MOVE|all", "take a move into the search again", "include all"),
	silent(toEngine, "name", "NAME", "say the opponent's name", "name Hu Ronghua"),
	silent(toEngine, "rating", "OWN OTHER", "say the ratings", "rating 2000 2100"),
	silent(toEngine, "ics", "HOST", "say the server that the game is played on", "ics -"),
	silent(toEngine, "computer", "", "say that the opponent is a program", "computer"),
	silent(toEngine, "pause", "", "stop thinking", "pause"),
	silent(toEngine, "resume", "", "go on thinking", "resume"),
	silent(toEngine, memory, "MIB", "limit the size of the tables", "memory 16"),
	silent(toEngine, cores, "N", "limit the number of threads", "cores 1"),
	silent(toEngine, "egtpath", "TYPE PATH", "say where endgame tables are", "egtpath nalimov /tables"),
	silent(toEngine, "option", "NAME[=VALUE]", "set an option that the engine has announced", "option MultiPV=3"),
	silent(toEngine, "setscore", "SCORE DEPTH", "say what a position is worth", "setscore 0 1"),
	silent(toEngine, "lift", "SQUARE", "say that a piece was picked up", "lift h2"),
	silent(toEngine, "put", "SQUARE", "say that it was put down", "put e2"),
	silent(toEngine, "hover", "SQUARE", "say where the piece is held", "hover e2"),
}

// Language returns the commands of the protocol for a reader.
func Language() pluginclient.Language {
	return pluginclient.Language{Name: "XBoard", Commands: references}
}
