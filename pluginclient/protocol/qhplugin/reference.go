package qhplugin

import "qhsh/pluginclient"

// A reference is what the specification says about a command.
type reference struct{ section, replies, example string }

const (
	okOrError = "OK, or ERROR if something goes wrong"
	oneMove   = "> FEN 5k3/9/9/9/4r4/9/9/9/9/3K5 w\n< OK\n" // Red has one legal move
)

var references = map[Word]reference{
	Level: {
		"3 LEVEL", "the number of the current level; to LEVEL N, OK, or ERROR if N is out of range",
		"> LEVEL\n< 5\n> LEVEL 3\n< OK\n> LEVEL\n< 3\n> LEVEL 99\n< ERROR ...\n",
	},
	FEN:   {"3 FEN", okOrError, oneMove + "> FEN 9/9\n< ERROR ...\n"},
	Play:  {"3 PLAY", "OK if the move is made, or ERROR", "> PLAY H2-E2\n< OK\n> PLAY H2-E2\n< ERROR ...\n"},
	Load:  {"3 LOAD", "OK after the last line if all moves are made, or ERROR", "> LOAD 2\n> H2-E2\n> H9-G7\n< OK\n"},
	AI:    {"3 AI", "the move that is played; ERROR if there is none, or ABORTED", oneMove + "> AI\n< D0-D1\n"},
	Hints: {"3 HINTS", "moves, best first, one a line with text behind it at will, then ENDHINTS; ERROR, or ABORTED", oneMove + "> HINTS\n< D0-D1 ...\n< ENDHINTS\n"},
	Ban:   {"3 BAN", "OK after the last line, or ERROR", oneMove + "> BAN 1\n> D0-D1\n< OK\n> AI\n< ERROR ...\n"},
	Undo:  {"3 UNDO", "OK, or ERROR if no moves have been played", "> PLAY H2-E2\n< OK\n> UNDO\n< OK\n> UNDO\n< ERROR ...\n"},
	BGThink: {
		"3 BGTHINK", okOrError,
		"> BGTHINK ON\n< OK\n> BGTHINK OFF\n< OK\n",
	},
	Abort:   {"3 ABORT", "none of its own: AI or HINTS replies ABORTED", "> LEVEL 10\n< OK\n> AI\n> ABORT\n< ABORTED\n"},
	Timeout: {"3 TIMEOUT", "none of its own: AI or HINTS replies with the best so far", oneMove + "> AI\n> TIMEOUT\n< D0-D1\n"},
	Scr:     {"3 Commands", "a drawing of the board, without an end mark", "> SCR\n< ...\n> LEVEL\n< 5\n"},
	Quit:    {"3 QUIT", "BYE; then the plugin exits", "> QUIT\n< BYE\n"},
}

// referenced returns the commands with what the specification says about them.
func referenced(specs []pluginclient.CommandSpec) []pluginclient.CommandSpec {
	for i, spec := range specs {
		r := references[Word(spec.Word)]
		specs[i].Section, specs[i].Replies, specs[i].Example = r.section, r.replies, r.example
	}
	return specs
}
