// Package analyze is a server of analyses: requests in, answers out, both as lines of JSON, as
// KataGo's analysis engine has it.
//
// A request names a position and what is wanted; a line that names several turns of a game makes one of
// each. Requests wait in the queue of their engine, the
// highest priority first, and those of equal priority in the order of arrival. Each engine has
// workers, as many as its [batch.Pool] has processes; a worker takes a request, asks the pool, and
// writes the answer. So answers come in order of completion. The design rests on these rules:
//
//   - Every line of the input that is not blank has exactly one answer that is final, the last one; each
//     request has exactly one that is not "during search". A request is
//     waiting, running or done; whoever makes it done, under the server's mutex, writes that answer.
//     Cancelling, terminating, the end of the context and the failure of an engine are ways to be
//     done like any other.
//   - An id is free again when the last of its requests is done, before the answer is written. A client that
//     has read the answer can use the id.
//   - A line that is not a request is answered with an error at once, and no other request notices.
//     So is a request that no engine could answer, such as one for a level that the engine does not
//     have. It costs the engine nothing.
//   - Engines are asked as by hints: package asking defines when an engine is restarted, and that a
//     request is tried twice. An engine forgets before each search, so an answer depends on the
//     request alone. It does not depend on whether partial answers were wanted, except where a time
//     is divided (see below).
//   - A [Server] has the queues and the workers; any number of conversations share them. Each has an
//     input, an output and ids of its own, and its end or failure is noticed by no other one.
//   - Memory is bounded: while maxInFlight requests of a conversation are in flight, its input is not read.
//
// Partial answers are the latest lines of a running search, at the request's interval, if they are
// new. An engine without [pluginclient.LiveThinker] tells nothing while it searches. If partial
// answers are wanted of one, it is asked several times, with growing limits ([growingSteps]): the levels
// below the one wanted, or times that double, which are part of the time wanted. [Live] is the same
// for somebody who watches one engine.
//
// The package knows no game, only Session and Searcher. Package jsonl is the other end: an engine that answers
// such requests is an engine as others.
package analyze

import (
	_ "embed"
	"errors"

	"qhsh/engine"
	"qhsh/pluginclient/task/batch"
)

// Schema is the JSON Schema of the lines of the input and of the output.
//
//go:embed schema.json
var Schema string

// maxInFlight is how many requests may wait or run at the same time.
const maxInFlight = 10_000

// An Engine answers requests.
type Engine struct {
	Name     string      // by which requests name it
	Spec     string      // for the answer to a query
	Protocol string      // what errors of limits call its protocol
	Game     engine.Game // reads positions and moves
	// UnsupportedLimits are the limits that its searches cannot have.
	UnsupportedLimits engine.LimitKinds
	Rank              int // engines are told in this order, those of equal rank as they were added
	// Pool runs the engine. Its Limits are those of a request that has none.
	Pool *batch.Pool
}

// Options configure a server.
type Options struct {
	Engines []Engine // the first one answers requests that name none
	Lines   int      // lines of a request that does not say how many; 0: one
	Version string   // of this program, for the answer to a query
	// Board draws a position as text, for the answer to state.
	Board func(engine.Position) string
	Known engine.Known // sets the Ending of answers
	// OnRecovered, if not nil, is called with the line of a request and an engine's failure at it, if
	// the engine has answered when it was asked again. It is called from several goroutines.
	OnRecovered func(line int, failure error)
	// OnRead, if not nil, is called with the line and the position of every valid request.
	OnRead func(batch.Item)
}

// A Tally counts requests.
type Tally struct {
	Answered  int // those that are done, in whatever way, and invalid lines
	Failed    int // invalid lines, and requests that an engine has failed at
	Cancelled int // by an action, or by the end of the context
}

// errCancelled is the cause of the end of a search that a client has cancelled.
var errCancelled = errors.New("cancelled")
