package qtp

// A reference is what the document says about a command: its section, the result or failure, and an
// example.
type reference struct{ section, replies, example string }

var references = map[string]reference{
	Name:         {"4.1", "= NAME", "> name\n< = qhsh\n"},
	KnownCommand: {"4.1", "= true or = false", "> known_command genmove\n< = true\n> known_command go\n< = false\n"},
	ListCommands: {"4.1", "= and the commands, one a line", "> list_commands\n< =\n< name\n< ...\n"},
	Quit:         {"4.1", "=; then the connection is closed", "> quit\n< =\n"},
	BoardSize:    {"4.2", "=, or ? unacceptable size", "> boardsize 7\n< =\n> clear_board\n< =\n> walls 5\n< =\n> boardsize 1\n< ? unacceptable size\n"},
	ClearBoard:   {"4.2", "=", "> clear_board\n< =\n> walls 10\n< =\n"},
	Walls:        {"4.2", "=", "> walls 10\n< =\n"},
	PlayMove:     {"4.3", "=, or ? illegal move", "> playmove black E8\n< =\n> playmove white E9\n< ? illegal move\n"},
	PlayWall:     {"4.3", "=, or ? illegal move", "> playwall white B5 horizontal\n< =\n> playwall black B5 vertical\n< ? illegal move\n"},
	GenMove:      {"4.3", "= CELL for a move, = CELL ORIENTATION for a wall; the engine has played it", "> genmove black\n< = ...\n"},
	Undo:         {"4.3", "=, or ? cannot undo", "> playmove black E8\n< =\n> undo\n< =\n> undo\n< ? cannot undo\n"},
	Winner:       {"4.4", "= false, or = true and a colour", "> winner\n< = false\n"},
	ShowBoard:    {"4.5", "= and a drawing", "> showboard\n< =\n< ...\n"},
}
