package uci

import "qhsh/pluginclient"

// The names of the rules that the client judges itself. Protocol.Rules has those that the engine's
// lines, as the Protocol parses them, can break.
const (
	moveSingle  = "move.single"
	moveLegal   = "move.legal"
	moveAllowed = "move.allowed"
	infoPV      = "info.pv"
	infoForm    = "info.form"
	infoMultiPV = "info.multipv"
	moveRefused = "move.refused"
	quitEnds    = "quit.ends"
)

// The names of other rules of UCI and UCCI.
const (
	startSingle = "start.single"
	readySingle = "ready.single"
	optionForm  = "option.form"
)

// ruleTable holds the rules of UCI and UCCI that a client can see broken.
var ruleTable = pluginclient.Rules{
	{Name: startSingle, Section: "uciok", Sentence: "The greeting is answered with uciok, or ucciok, once."},
	{Name: optionForm, Section: "option", Sentence: "An option has a name and one of the types check, spin, combo, button and string."},
	{Name: readySingle, Section: "isready", Sentence: "isready is answered with one readyok."},
	{Name: moveSingle, Section: "bestmove", Sentence: "Every go command is answered with one bestmove."},
	{Name: moveLegal, Section: "bestmove", Sentence: "The best move is legal in the position of the search."},
	{Name: moveAllowed, Section: "go", Sentence: "Only the moves that the search is restricted to are searched."},
	{Name: infoForm, Section: "info", Sentence: "depth, nodes, time, multipv and the like have a number behind them, score has cp or mate and a number (in UCCI a number), pv has moves."},
	{Name: infoMultiPV, Section: "info", Sentence: "The lines of a list are numbered from 1 to the number that MultiPV sets."},
	{Name: infoPV, Section: "info", Sentence: "The moves of pv are the best line found: they can be played one after the other."},
	{Name: quitEnds, Section: "quit", Sentence: "The engine quits as soon as possible."},
}
