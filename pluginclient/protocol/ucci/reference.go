package ucci

import "qhsh/pluginclient"

const oneMove = "> position fen 5k3/9/9/9/4r4/9/9/9/9/3K5 w - - 0 1\n" // Red has one legal move

var references = []pluginclient.CommandSpec{
	{
		Word: "ucci", Section: "5.1", Summary: "begin; the engine says its name and options",
		Replies: "id, option and then ucciok", Example: "> ucci\n< id name ...\n< ...\n< ucciok\n",
	},
	{
		Word: "isready", Section: "5.5", Summary: "wait until the engine is ready; answered during a search too",
		Replies: "readyok", Example: "> isready\n< readyok\n",
	},
	{
		Word: "setoption", Usage: "NAME [VALUE]", Section: "5.7", Summary: "set an option",
		Example: "> setoption multipv 3\n> isready\n< readyok\n",
	},
	{
		Word: "position", Usage: "startpos|fen FEN [moves MOVE...]", Section: "5.8", Summary: "set the position of the next search",
		Example: "> position startpos moves h2e2 h9g7\n> isready\n< readyok\n",
	},
	{
		Word: "banmoves", Usage: "MOVE...", Section: "5.9", Summary: "forbid moves in the next search",
		Example: oneMove + "> banmoves d0d1\n> go depth 1\n< nobestmove\n",
	},
	{
		Word: "go", Usage: "[ponder | draw] [infinite | depth N | nodes N | time N [movestogo N | increment N]]", Section: "5.10",
		Summary: "search", Replies: "info lines, then bestmove or nobestmove",
		Example: oneMove + "> go depth 1\n< info ...\n< ...\n< bestmove d0d1 ...\n",
	},
	{
		Word: "ponderhit", Usage: "[draw]", Section: "5", Summary: "say that the expected move was played: go ponder becomes an ordinary search",
		Replies: "none of its own: go replies", Example: oneMove + "> go ponder time 100\n> ponderhit\n< ...\n< bestmove d0d1 ...\n",
	},
	{
		Word: "stop", Section: "5", Summary: "end the search with the best move so far",
		Replies: "none of its own: go replies; nobestmove if there is no search", Example: "> position startpos\n> go infinite\n> stop\n< ...\n< bestmove ...\n",
	},
	{
		Word: "probe", Usage: "startpos|fen FEN [moves MOVE...]", Section: "5", Summary: "ask what the hash table has of a position",
		Replies: "pophash, with what there is", Example: "> probe startpos\n< pophash\n",
	},
	{Word: "quit", Section: "5", Summary: "end the engine", Replies: "bye", Example: "> quit\n< bye\n"},
}

// Language returns the commands of the protocol for a reader.
func Language() pluginclient.Language {
	return pluginclient.Language{Name: "UCCI", Commands: references}
}
