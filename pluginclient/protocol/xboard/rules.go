package xboard

import "qhsh/pluginclient"

// The names of the rules that this package judges; package uci judges the others.
const (
	featureForm  = "feature.form"
	featureValue = "feature.value"
	pingPong     = "ping.pong"
	errorKnown   = "error.known"
	moveForm     = "move.form"
	illegalTold  = "illegal.told"
	illegalRight = "move.refused"
)

// ruleTable holds the rules of the protocol that a client can see broken.
var ruleTable = pluginclient.Rules{
	{Name: featureForm, Section: "9 feature", Sentence: "feature is followed by NAME=VALUE, where a string is in double quotes."},
	{Name: featureValue, Section: "9 feature", Sentence: "A value is an integer, 0 or 1 for what is on or off, or a string; an option has a name and a type."},
	{Name: pingPong, Section: "8 ping", Sentence: "ping N is answered with pong N, with the same number, once."},
	{Name: errorKnown, Section: "9 Error", Sentence: "Error is for a command that the engine does not understand or implement: not for new, force, go, quit, nor for what its features have announced."},
	{Name: illegalRight, Section: "9 Illegal move", Sentence: "Illegal move is for a move that is not legal in the current position."},
	{Name: illegalTold, Section: "9 Illegal move", Sentence: "A move that is not legal in the current position must be answered with Illegal move."},
	{Name: moveForm, Section: "9 move", Sentence: "A move of the engine is announced by move MOVE."},
	{Name: "move.single", Section: "8 go, force", Sentence: "go is answered with one move; in force mode the engine makes none."},
	{Name: "move.legal", Section: "9 move", Sentence: "The engine's move is legal, and in coordinates unless san is accepted."},
	{Name: "move.allowed", Section: "12 exclude", Sentence: "Excluded moves are not searched."},
	{Name: "info.form", Section: "10 Thinking output", Sentence: "ply, score, time and nodes are integers, and text for the best line follows."},
	{Name: "info.pv", Section: "10 Thinking output", Sentence: "The moves of the best line can be played one after the other.", Advice: true},
	{Name: "quit.ends", Section: "8 quit", Sentence: "The engine exits immediately."},
}
