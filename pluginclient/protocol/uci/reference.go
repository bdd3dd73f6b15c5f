package uci

import "qhsh/pluginclient"

// Sections of the protocol's document, which have no numbers.
const (
	toEngine = `"GUI to engine"`
	beyond   = "none: Stockfish has it"
)

const oneMove = "> position fen 5k3/9/9/9/4r4/9/9/9/9/3K5 w - - 0 1\n" // Red has one legal move

var references = []pluginclient.CommandSpec{
	{
		Word: "uci", Section: toEngine, Summary: "begin; the engine says its name and options",
		Replies: "id, option and then uciok", Example: "> uci\n< id name ...\n< ...\n< uciok\n",
	},
	{
		Word: "debug", Usage: "on|off", Section: toEngine, Summary: "say more in info string lines, or not",
		Example: "> debug on\n> isready\n< readyok\n",
	},
	{
		Word: "isready", Section: toEngine, Summary: "wait until the engine is ready; answered during a search too",
		Replies: "readyok", Example: "> isready\n< readyok\n",
	},
	{
		Word: "setoption", Usage: "name NAME [value VALUE]", Section: toEngine, Summary: "set an option that the engine has announced",
		Example: "> setoption name MultiPV value 3\n> isready\n< readyok\n",
	},
	{
		Word: "register", Usage: "later | name NAME code CODE", Section: toEngine, Summary: "register the engine",
		Example: "> register later\n> isready\n< readyok\n",
	},
	{
		Word: "ucinewgame", Section: toEngine, Summary: "say that the next search is of another game",
		Example: "> ucinewgame\n> isready\n< readyok\n",
	},
	{
		Word: "position", Usage: "startpos|fen FEN [moves MOVE...]", Section: toEngine, Summary: "set the position of the next search",
		Example: "> position startpos moves h2e2 h9g7\n> isready\n< readyok\n",
	},
	{
		Word: "go", Usage: "[infinite] [ponder] [depth N] [nodes N] [movetime MS] [wtime MS] [btime MS] ...", Section: toEngine,
		Summary: "search; the next command need not wait for the answer", Replies: "info lines, then bestmove",
		Example: oneMove + "> go depth 1\n< info ...\n< bestmove d0d1 ...\n",
	},
	{
		Word: "stop", Section: toEngine, Summary: "end the search with the best move so far",
		Replies: "none of its own: go replies", Example: oneMove + "> go infinite\n> stop\n< ...\n< bestmove d0d1 ...\n",
	},
	{
		Word: "ponderhit", Section: toEngine, Summary: "say that the expected move was played: go ponder becomes an ordinary search",
		Replies: "none of its own: go replies", Example: oneMove + "> go ponder depth 1\n> ponderhit\n< ...\n< bestmove d0d1 ...\n",
	},
	{Word: "d", Section: beyond, Summary: "draw the board", Replies: "a drawing and the FEN", Example: "> d\n< ...\n< Fen: ...\n"},
	{Word: "quit", Section: toEngine, Summary: "end the engine", Example: "> quit\n"},
}

// Language returns the commands of the protocol for a reader.
func Language() pluginclient.Language {
	return pluginclient.Language{Name: "UCI", Commands: references}
}
