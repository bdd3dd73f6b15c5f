// Package batch runs positions through engines: positions in, hints out.
//
// Three things are kept apart, so that each can be replaced by itself:
//
//   - A [Source] tells where positions come from. [NewLines] reads one a line from a
//     stream, [Concat] puts several sources behind each other.
//   - A [Asker] answers. A [Pool] is one of engines, each a Session that is asked through
//     [engine.Searcher] alone, so that any engine will do; a cluster's queue can take its
//     place. What remembers answers beyond a run stands in front of a Crew.
//   - A [Sink] takes the answers. [Formats] lists the ones there are.
//
// [Run] joins them. It reads ahead, but not far: memory does not grow with the input.
// Answers reach the Sink in the order of the input whatever the size of the crew is,
// unless any order will do, and every engine is made to forget before each position. So
// with an engine that is deterministic the same input gives the same output, however it
// was shared out.
//
// Equal positions are searched once ([Key] says which are equal); those that come later
// get the same hints. They wait for one that is being searched. An error is not shared:
// the next of them is asked about anew.
//
// One bad line or one engine that fails at a position costs an answer with an Err,
// never the run, unless it is to be strict. What does end a run: its context, a crew of
// which nobody is left, a Source that cannot be read, a Sink that cannot be written. All
// answers that were ready in order have been written by then.
//
// A run that is to survive its process has a [Log] (package runlog), which gets a record of every
// answer before the Sink gets the answer. Resuming it is replaying the log: Run reads the input
// again from its beginning, makes sure that every record is of the position where it stands, and
// writes the same answers to a Sink that is as new. Then it goes on behind them. So a Sink never
// reads what it has written, and a run that was broken off at any instant ends with the output of
// one that was not.
//
// Nothing here knows a game: neither that the sides alternate nor that there is no
// chance. A finished position is an answer without hints that says how it ended; one
// in which chance moves next is an error, since there is no move to choose.
package batch

import (
	"qhsh/engine"
)

// An Item is a position of the input, or a line that should have been one.
type Item struct {
	File  string          // the input's name; empty where there is but one
	Line  int             // in its file, from 1; blank lines and comments count
	Input string          // the line, trimmed and cut at MaxInput bytes
	Text  string          // the position's own text, without the moves
	Moves []string        // the moves played on it, in the game's notation
	Pos   engine.Position // the position after the moves; nil if Err is not
	Err   error           // why the line is no position that an engine can be asked about

	ID       string   // the input's name for it
	IDNumber bool     // ID is a number of JSON, as it stands there
	Fields   Fields   // what else the input says of it
	Ops      []Op     // the operations of EPD that it came with, as they stand
	BM, AM   []string // the moves to find and those to avoid, in the game's notation
	Unscored error    // why there are no BM and AM although the input has some
}

// MaxExcerpt is how many bytes of a line an Item quotes at most.
const MaxExcerpt = 200

// A Hint is a move that an engine proposes, ready to be shown.
type Hint struct {
	Move  string       // in the game's notation
	Score engine.Score // for the side to move; may be unknown
	Depth int          // plies; 0: not told
	Nodes int64        // the engine's own count when it had this line; 0: not told
	PV    []string     // the expected moves, Move first
	Text  string       // what the engine said beyond that
}

// An Answer is what has become of an Item.
type Answer struct {
	Item
	Engine string // who was asked; empty if nobody was
	Spec   string // of the engine; empty if it is not known
	Limits Limits // of the search
	Hints  []Hint // best first
	Over   string // how a finished game has ended; then there are no hints
	Err    error  // the Item's error, or what the engine did instead of answering
}

// A Source gives the positions, one after the other.
type Source interface {
	// Next is the next position. The error is io.EOF after the last one. Any other
	// ends the run.
	Next() (Item, error)
}

// A Sink takes the answers, in the order of the input.
type Sink interface {
	// Write takes an answer. When it returns, the answer is on its way: nothing is held
	// back. An error ends the run.
	Write(a Answer) error
}
