// Package batch runs positions through engines: positions in, hints out.
//
// It has three replaceable parts:
//
//   - A [Source] supplies the positions. [NewLines] reads one per line from a stream,
//     [Concat] concatenates several sources.
//   - An [Asker] answers. A [Pool] is one that owns engines, each a Session used through
//     [engine.Searcher] alone, so any engine will do; a cluster's queue can replace it.
//     A cache that outlives a run wraps an Asker.
//   - A [Sink] receives the answers. [Formats] lists the implementations.
//
// [Run] connects them. It reads ahead by a bounded number of positions, so memory does not grow
// with the input. Unless Options.Unordered is set, answers reach the Sink in input order whatever
// the Asker's size, and every engine forgets before each position. So with a deterministic engine
// the same input gives the same output, however the work was distributed.
//
// Equal positions are searched once ([Key] defines equality); later ones wait for the first and get
// the same hints. Errors are not shared: the next equal position is searched again.
//
// A bad line, or an engine that fails at a position, produces an answer with an Err; it ends the
// run only in strict mode. A run ends early when its context is done, when the Asker has no engine
// left, or when the Source or the Sink fails. All answers that were ready in order have been
// written by then.
//
// A run that can be resumed has a [Log] (package runlog), which records every answer before the
// Sink gets it. Resuming replays the log: Run reads the input from its beginning, verifies that
// every record belongs to its position, writes the same answers to an empty Sink, and continues
// after them. So a Sink never reads what it has written, and a run that was interrupted at any
// point ends with the same output as an uninterrupted one.
//
// The package knows no game: sides need not alternate, and chance may move. A finished position is
// an answer without hints that says how the game ended; a position in which chance moves next is an
// error, since there is no move to choose.
package batch

import (
	"qhsh/engine"
)

// An Item is a position of the input, or a line that should have been one.
type Item struct {
	File  string          // the input's name; empty where there is but one
	Line  int             // in its file, from 1; blank lines and comments are counted
	Input string          // the line, trimmed and cut at MaxExcerpt bytes
	Text  string          // the position's own text, without the moves
	Moves []string        // the moves played on it, in the game's notation
	Pos   engine.Position // the position after the moves; nil if Err is not
	Err   error           // why the line is not a position that an engine can search

	ID       string   // the name of the position in the input
	IDNumber bool     // ID is a number of JSON, unchanged there
	Fields   Fields   // other data that the input has about it
	Ops      []Op     // its EPD operations in the input, unchanged
	BM, AM   []string // the best moves and those to avoid, in the game's notation
	PV       []string // the first line of an earlier answer, unchanged
	Unscored error    // why there are no BM and AM although the input has some
}

// MaxExcerpt is how many bytes of a line an Item quotes at most.
const MaxExcerpt = 200

// A Hint is a move that an engine proposes, ready to be shown.
type Hint struct {
	Move  string       // in the game's notation
	Score engine.Score // for the side to move; may be unknown
	Depth int          // plies; 0: not reported
	Nodes int64        // the engine's own count when it had this line; 0: not reported
	PV    []string     // the expected moves, Move first
	Text  string       // other text from the engine
	engine.Details
}

// An Answer is the result for an Item.
type Answer struct {
	Item
	Engine string         // who was asked; empty if no engine was
	Spec   string         // of the engine; empty if it is not known
	Limits Limits         // of the search
	Hints  []Hint         // best first
	Found  Limits         // how far the search had come when it found the best move for good; zero unless PoolOptions.History
	Over   string         // how a finished game has ended; then there are no hints
	Ending *engine.Ending // what the position is worth, if that is known exactly
	After  string         // the position after the moves, if the answer was read from a format that has it
	Err    error          // the Item's error, or the engine's failure
}

// IsBad reports whether the line is not a position. An answer that was read back has no Pos.
func (a *Answer) IsBad() bool { return a.Pos == nil && a.Item.Err != nil }

// Position returns the text of the position after the moves; "" if it is not known.
func (a *Answer) Position() string {
	if a.Pos != nil {
		return a.Pos.String()
	}
	return a.After
}

// A Source supplies positions.
type Source interface {
	// Next returns the next position. The error is io.EOF after the last one. Any other error ends
	// the run.
	Next() (Item, error)
}

// A Sink receives the answers, in input order.
type Sink interface {
	// Write writes an answer without buffering it. An error ends the run; ErrEnough completes it.
	Write(a Answer) error
}
