package ucicheck

import (
	"strings"
	"time"

	"qhsh/pluginclient/task/check/boards"
)

// Names of the protocols in the table.
const (
	onlyUCI  = "UCI"
	onlyUCCI = "UCCI"
)

// basic is the check that all others need.
const basic = "start.ok"

var (
	bothOpen = []string{onlyUCI, onlyUCCI}
	ucciOpen = []string{onlyUCCI}
)

var table = []entry{
	{basic, "uciok", "The engine answers the greeting with what it is, its options, and the word that ends them.", "", nil, nil, []step{handshake}},
	{"start.name", "id", "It tells its name by id name.", "", ucciOpen, nil, []step{startName}},
	{"ready.ok", "isready", "isready is answered with readyok.", "", nil, nil, []step{newProcess, readyOK}},

	{"option.form", "option", "An option has a name and a type; a spin has min, max and a default between them, a check the default true or false, a combo a default among its values.", "", nil, nil, []step{withOptions, optionFormat}},
	{"option.distinct", "option", "No two options have the same name.", "", nil, nil, []step{withOptions, optionDistinct}},

	{"position.start", "position", "position startpos, and go: the best move is legal.", "", nil, nil, []step{idleEngine, checkLegalMoves(start)}},
	{"position.fen", "position", "position fen sets up a position.", "", nil, []string{"position.start"}, []step{idleEngine, checkLegalMoves(boards.OnlyHorse, boards.OnlyElephant)}},
	{"position.black", "position", "Black may be to move.", "", nil, []string{"position.fen"}, []step{idleEngine, checkLegalMoves(boards.OnlyBlack, boards.OnlyCannon)}},
	{"position.moves", "position", "The moves behind the position are played.", "", nil, []string{"position.black"}, []step{idleEngine, positionMoves}},
	{"position.forced", "bestmove", "The best move is legal in any position.", "", nil, []string{"position.black"}, []step{idleEngine, checkLegalMoves(boards.Forced...)}},
	{"option.set", "setoption", "Every spin and check takes its default.", "", nil, []string{"option.form", "position.fen"}, []step{withOptions, optionSet}},
	{"option.unknown", "setoption", "An option that is not offered does no harm.", "", ucciOpen, []string{"position.fen"}, []step{newProcess, optionUnknown}},

	{"go.depth", "go", "go depth ends by itself, with one legal best move.", "", nil, []string{"position.fen"}, []step{idleEngine, plays("go depth 3"), quiet("bestmove")}},
	{"go.nodes", "go", "So does go nodes.", "", nil, []string{"position.fen"}, []step{idleEngine, plays("go nodes 5000"), quiet("bestmove")}},
	{"go.time", "go", "So does a search with a time, when that is up.", "", nil, []string{"position.fen"}, []step{idleEngine, goTime}},
	{"go.infinite", "go", "go infinite does not end before stop.", "", ucciOpen, []string{"position.fen"}, []step{thinking(time.Second), send("stop"), answered}},
	{"go.mate", "bestmove", "A go is answered where there is no legal move too, and not with a move.", "", nil, []string{"position.black"}, []step{idleEngine, goMate}},
	{"go.nobestmove", "nobestmove", "... but with nobestmove.", onlyUCCI, nil, []string{"go.mate"}, []step{idleEngine, goNoBestMove}},

	{"stop.0", "stop", "stop right behind go infinite: a legal best move, once.", "", nil, []string{"position.fen"}, []step{thinking(0, "stop"), moved, quiet("bestmove")}},
	{"stop.10", "stop", "stop after 10 ms.", "", nil, []string{"position.fen"}, []step{thinking(10 * time.Millisecond), send("stop"), moved, quiet("bestmove")}},
	{"stop.100", "stop", "stop after 100 ms.", "", nil, []string{"position.fen"}, []step{thinking(100 * time.Millisecond), send("stop"), moved, quiet("bestmove")}},
	{"stop.1000", "stop", "stop after 1 s.", "", nil, []string{"position.fen"}, []step{thinking(time.Second), send("stop"), moved, quiet("bestmove")}},
	{"stop.idle", "stop", "stop is passed over when the engine does not think.", onlyUCI, nil, nil, []step{idleEngine, send("stop"), quiet("stop while it does not think")}},
	{"stop.answered", "stop", "stop is answered with nobestmove when the engine does not think, so that nobody waits for ever.", onlyUCCI, bothOpen, nil, []step{idleEngine, send("stop"), answered}},
	{"ready.thinking", "isready", "isready is answered while the engine thinks, which goes on.", "", nil, []string{"ready.ok", "stop.100"}, []step{thinking(100 * time.Millisecond), readyPrompt, send("stop"), moved}},

	{"info.form", "info", "The words of an info line have numbers behind them where they should.", "", nil, []string{"position.fen"}, []step{idleEngine, infoFormat}},
	{"info.pv", "info", "The moves behind pv are legal, one after the other.", "", nil, []string{"position.fen"}, []step{idleEngine, infoPV}},
	{"info.multipv", "info", "With MultiPV the lines are numbered from 1, begin with different moves, and get worse.", "", ucciOpen, []string{"position.fen"}, []step{needsOption("MultiPV"), multiPV}},

	{"ban.searchmoves", "go", "go searchmoves is restricted to the moves that it names.", onlyUCI, nil, []string{"position.black"}, []step{idleEngine, searchMoves}},
	{"ban.banmoves", "banmoves", "banmoves forbids moves.", onlyUCCI, nil, []string{"position.black"}, []step{idleEngine, banMoves}},
	{"ban.ends", "banmoves", "It does so up to the next position.", onlyUCCI, nil, []string{"ban.banmoves"}, []step{idleEngine, banEnds}},

	{"ponder.hit", "ponderhit", "go ponder is answered after ponderhit, and not before.", "", ucciOpen, []string{"position.fen"}, []step{needsOption("Ponder"), startPonder(300 * time.Millisecond), ponderHit}},
	{"ponder.stop", "stop", "stop ends go ponder.", "", nil, []string{"position.fen"}, []step{needsOption("Ponder"), startPonder(10 * time.Second), pause(100 * time.Millisecond), send("stop"), answered}},
	{"newgame.goes", "ucinewgame", "A new game may begin at any time.", "", nil, []string{"position.fen"}, []step{idleEngine, newGameGoes}},
	{"newgame.forgets", "ucinewgame", "It makes the engine forget: the same search has the same answer, whatever was searched before.", "", bothOpen, []string{"newgame.goes", "go.nodes"}, []step{newProcess, newGameForgets}},

	{"quit.ends", "quit", "The engine quits as soon as possible.", "", nil, nil, []step{newProcess, send("quit"), ends("its end after quit")}},
	{"quit.bye", "bye", "It says bye.", onlyUCCI, nil, []string{"quit.ends"}, []step{newProcess, quitBye}},
	{"quit.thinking", "quit", "It quits while it thinks, too.", "", ucciOpen, []string{"quit.ends", "position.fen"}, []step{thinking(100 * time.Millisecond), send("quit"), ends("its end after quit while it thinks")}},

	{"input.unknown", "unknown commands", "A word that it does not know is passed over.", "", ucciOpen, []string{"position.fen"}, []step{idleEngine, send("foo bar", "xyzzy"), alive("an unknown word")}},
	{"input.blanks", "white space", "Any white space may stand between words.", "", ucciOpen, []string{"position.black"}, []step{idleEngine, understands(func(line string) string { return "  " + strings.ReplaceAll(line, " ", " \t ") + "  " })}},
	{"input.crlf", "line ends", "Lines may end with CR and LF.", "", ucciOpen, []string{"position.black"}, []step{idleEngine, understands(func(line string) string { return line + "\r" })}},
	{"input.blank", "line ends", "Blank lines are passed over.", "", bothOpen, []string{"position.fen"}, []step{idleEngine, send("", "  "), alive("blank lines")}},
	{"input.badfen", "position", "A position that makes no sense does not end the engine.", "", bothOpen, []string{"position.fen"}, []step{idleEngine, send("position fen garbage w - - 0 1", "position fen 9/9/9/9/9/9/9/9/9/9 w - - 0 1"), alive("a position that makes no sense")}},
	{"input.end", "quit", "The end of the input is quit.", "", bothOpen, nil, []step{newProcess, endInput, ends("its end after the end of its input")}},

	{"robust.game", "position", "A game of a thousand moves can be sent.", "", ucciOpen, []string{"position.moves"}, []step{idleEngine, robustGame}},
	{"robust.noise", "unknown commands", "Ten thousand random lines do not keep the engine from going on.", "", bothOpen, []string{"input.unknown"}, []step{newProcess, noise, alive("ten thousand random lines")}},
}
