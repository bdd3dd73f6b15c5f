// Package universal is what two protocols share: UCI, the Universal Chess Interface, and
// UCCI, the Universal Chinese Chess Protocol, which was made after it. A [Client] makes an
// engine that speaks one of them a Searcher and a pluginclient.Session; [Serve] makes any
// Xiangqi Searcher such an engine. The packages uci and ucci say what is particular to
// each, as a [Protocol].
//
// For all Limits the two undo each other: a Client of a server of s answers what s answers.
// What the wire cannot carry is said in the packages of the protocols.
//
// The client, from the bottom up:
//
//   - ranks.go: the two ways to number ranks, 0 to 9 and 1 to 10.
//   - report.go, best.go: "info" and "bestmove" lines, read as leniently as they can be.
//   - option.go, offer.go, spec.go: what an engine lets one set, and how a SPEC sets it.
//   - client.go (the conversation), turn.go (whose turn it is to talk), handshake.go,
//     settle.go (waits and getting in step), think.go (one "go"), thought.go (what has
//     come of it), search.go (the Searcher), raw.go (lines as they are).
//
// What the client takes for granted is little:
//
//   - The board is this side's. Only legal moves are sent, and what comes back is checked:
//     an illegal best move is an error and never played, an expected line is cut where it
//     stops being legal.
//   - A search ends with "bestmove" and nothing else. "stop" is sent when a limit is
//     reached that the engine was not told or does not obey, when the context ends, or when
//     the answer is wanted now. Whatever the engine does then, there is a deadline.
//   - After each search, while the caller has its answer already, "isready" is asked and
//     everything before "readyok" thrown away: a second "bestmove", an answer to a "stop"
//     that crossed the first one, chatter. An engine that never answers "isready" is found
//     out at the start and does without.
//   - An engine that is lost is started again by the next search, and told again what it
//     had been told.
//
// The server is server.go (the conversation), hostlines.go (its input), hosttalk.go (its
// commands), ask.go (one "go"), position.go and clock.go (how much of a game's clock to
// use).
package universal

import (
	"context"
	"io"
	"time"

	"qhsh/engine"
	"qhsh/engine/xiangqi"
	"qhsh/pluginclient"
)

// A Protocol is what is particular to UCI or UCCI. Everything else is alike.
type Protocol interface {
	// Name is the protocol's name, for a person.
	Name() string
	// Greeting is the first command. The engine's introduction ends with this and "ok".
	Greeting() string
	// MustAnswerReady tells whether every engine has to answer "isready".
	MustAnswerReady() bool

	// Option is the line by which an engine offers an option.
	Option(Option) string
	// SetOption is the command that sets an option, or presses a button. ReadSetOption
	// reads what follows the word "setoption".
	SetOption(name, value string) string
	ReadSetOption(fields []string) (name, value string)

	// Demands are the settings that have to be made before anything else, of those that
	// are offered. The error says why the engine cannot be used.
	Demands(Offers) ([]Setting, error)
	// Ranks is how an engine that makes these offers numbers the ranks.
	Ranks(Offers) Ranks
	// NewGame is the command that makes an engine forget; empty if it has none.
	NewGame(Offers) string
	// Ask puts a question.
	Ask(Question) Asked

	// Dialect is what is particular to a server.
	Dialect
}

// Dialect is what is particular to the server of a protocol.
type Dialect interface {
	// ServerOptions are the options that every server of the protocol has. Silently tells
	// of others that hosts set without asking.
	ServerOptions(h *Host) []Setter
	Silently(option string) bool
	// RemarkWord is the word after "info" before a text for people.
	RemarkWord() string
	// Commands are those that the other protocol does not have.
	Commands() map[string]func(h *Host, args []string)
	// ReadGo reads what follows the word "go".
	ReadGo(h *Host, args []string) Go
	// Info are the lines that tell of a list, best first, after some time. want is how
	// many lines there would be at best.
	Info(lines []engine.Line, spent time.Duration, want int) []string
	// BestMove is the line that answers. Without a line there is no move.
	BestMove(best *engine.Line, drawn bool) string
	// HoldsInfinite tells whether the answer to an endless search that ends by itself has
	// to wait for "stop".
	HoldsInfinite() bool
	// IdleStop is the answer to "stop" when there is nothing to stop; empty if there is none.
	IdleStop() string
	// Bye is the answer to "quit"; empty if there is none.
	Bye() string
}

// A Question is what a client wants an engine to look at.
type Question struct {
	Pos     *xiangqi.Position
	Ban     []engine.Move // legal moves
	Nodes   int64         // 0: not limited, like those below
	Depth   int
	Time    time.Duration
	Ponder  bool // the time does not count yet
	Ranks   Ranks
	Offered Offers
}

// Asked is a question in a protocol's words. The limits that could not be told are the
// client's to hold.
type Asked struct {
	Before    []string // lines before
	Go        string
	Moves     bool // it has moves in it, so that it matters how ranks are numbered
	ToldNodes bool
	ToldTime  bool
}

// A Program is how an engine is started.
type Program struct {
	Name  string // for traces and errors until it has told its own
	Start pluginclient.Starter
}

// InProcess is a server of this process as an engine.
func InProcess(p Protocol, s Served) Program {
	return Program{Name: s.Name, Start: pluginclient.Pipe(func(ctx context.Context, in io.Reader, out io.Writer) error {
		return Serve(ctx, in, out, p, s)
	})}
}
