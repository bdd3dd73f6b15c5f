// Package ucifamily is what two protocols share: UCI, the Universal Chess Interface, and
// UCCI, the Universal Chinese Chess Protocol, which was made after it. A [Client] makes an
// engine that speaks one of them a Searcher and a pluginclient.Session; [Serve] makes any
// Xiangqi Searcher such an engine. The packages uci and ucci say what is particular to
// each, as a [Protocol] and a [Dialect].
//
// The client does for any protocol whose engines play on a board that they are told: package
// xboard is a third Protocol. Its server is another one, built of the same parts: [ServerConfig],
// [Setter], [Clock] and those of package serving.
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
//   - kin.go: what the Protocols of UCI and UCCI have in common.
//
// What the client takes for granted is little:
//
//   - The board is this side's. Only legal moves are sent, and what comes back is checked:
//     an illegal best move is an error and never played, an expected line is cut where it
//     stops being legal.
//   - A search ends with the best move and nothing else. "stop" is sent when a limit is
//     reached that the engine was not told or does not obey, when the context ends, or when
//     the answer is wanted now. Whatever the engine does then, there is a deadline.
//   - After each search, while the caller has its answer already, a ping is sent ("isready")
//     and everything before its answer thrown away: a second "bestmove", an answer to a
//     "stop" that crossed the first one, chatter. Where each search begins with a command to
//     forget, the ping behind that does for both. An engine that never answers is found out at
//     the start and does without.
//   - An engine that is lost is started again by the next search, and told again what it
//     had been told.
//
// The server, built on package serving, is server.go: the conversation from top to bottom. Beside it
// are dialect.go (what a protocol adds), served.go and setter.go (what stands behind it),
// position.go, and clock.go (how much of a game's clock to use).
package ucifamily

import (
	"context"
	"io"
	"time"

	"qhsh/engine"
	"qhsh/engine/xiangqi"
	"qhsh/pluginclient"
)

// A Protocol is what is particular to one protocol at a client's end. Its functions are called
// in the turns of the Client, so that those of one that is made for a single Client may
// remember what the engine was told. Those that may be nil say so.
type Protocol struct {
	Name           string // for a person
	MustAnswerPing bool   // every engine has to answer a ping
	Stop           string // makes an engine that thinks answer at once
	// PonderHit tells an engine that thinks on its opponent's time that the expected reply was
	// played; empty if it need not know.
	PonderHit string

	// Greeting answers the lines that begin a conversation with an engine that has just been
	// started. Introduce takes in a line of what the engine tells of itself then.
	Greeting  func(*Introduction) []string
	ReadIntro func(line string, in *Introduction)
	// Probe finds out whether an engine that has not told all in time is there at all: it is a
	// ping, and sets how long to wait then; or all counts as told. nil: it does.
	Probe func(in *Introduction) (ping string)
	// LateIntro is what the engine has told, since it was asked last, when all had counted as told;
	// nil if there is nothing. May be nil.
	LateIntro func() *Introduction
	// Ping is a line to be sent that has an answer: when that has come, all is done that was
	// told the engine before. An empty line: this engine cannot be asked. Pong reports whether
	// a line is the answer to the latest ping.
	Ping func() string
	Pong func(line string) bool

	// SetOption is the command that sets an option, or presses a button.
	SetOption func(name, value string) string
	// RequiredOptions are the settings that have to be made before anything else, of those that
	// are offered. The error says why the engine cannot be used.
	RequiredOptions func(OptionList) ([]Setting, error)
	// Ranks is how an engine that makes these offers numbers the ranks. nil: FromZero.
	Ranks func(OptionList) Ranks
	// NewGame are the commands that make an engine forget; none if it has none. again is
	// false for an engine that has to be started anew for that.
	NewGame func(OptionList) (commands []string, again bool)

	// CanBan reports whether the engine can be told to leave moves out. nil: each can.
	CanBan func() bool
	// GoCommand puts a question.
	GoCommand func(SearchRequest) GoCommand
	// PositionCommands are the commands that bring the engine to a position.
	PositionCommands func(pos *xiangqi.Position, r Ranks) []string
	// Perft is the command that counts the sequences of legal moves that follow it. nil: the
	// protocol has no words for that.
	Perft func(depth int) string
	// ParseInfo reads a line that tells of a search, and ReadBest the one that ends it.
	// Each answers false for any other line.
	ParseInfo     func(line string, mate int) (InfoLine, bool)
	ParseBestMove func(line string) (BestMove, bool)
	// Unsolicited is told of every line that neither of these is asked about, and answers what
	// to say to it. May be nil.
	Unsolicited func(line string) []string
	// EndSearch are the commands that end what is left of a search when it has been answered.
	// nil: with its answer the engine is at rest.
	EndSearch func() []string

	// Interrupt is what to say when a person wants a line to reach an engine that thinks; ok is
	// false for a line that has to wait.
	Interrupt func(line string) (lines []string, ok bool)
	// ParseRaw tells what a line does that a person is about to send.
	ParseRaw func(line string, r Ranks) RawCommand
}

// An Introduction is what an engine tells of itself.
type Introduction struct {
	Info                pluginclient.Info
	Options             OptionList
	Done                bool          // all is told
	Timeout             time.Duration // so long after the greeting all counts as told; 0: the engine has to end it
	DoneAtStartDeadline bool          // all counts as told too when the time to start is up
	Terminator          string        // what ends it, for a person
	Replies             []string      // to be said to the engine now
	Warnings            []string      // what a person should know
	Unexpected          string        // the latest line that is no part of it
}

// A DeadlineKind is one of the Deadlines.
type DeadlineKind int

// How long an answer may take: as long as thinking may, as that to an ordinary command, or
// as the start of an engine.
const (
	DeadlineThink DeadlineKind = iota
	DeadlineReply
	DeadlineStart
)

// An RawCommand is a line that a person sends to an engine, and what it does.
type RawCommand struct {
	Quit        bool
	Ping        bool                   // it is a ping itself
	Thinks      bool                   // it is answered with a move
	Stop        []string               // what ends that; nil: Stop and a best move do
	Until       func(line string) bool // not nil: what is answered ends with this line, and not with a best move
	AnyPosition bool                   // it does not matter where the engine stands
	NewGame     bool
	Setting     *Setting     // it sets an option
	Deadline    DeadlineKind // how long the answer may take

	// Position is where the conversation stands when the line has been answered. nil: where
	// it stood.
	Position func() (*xiangqi.Position, error)
	// BeforeSend is called right before the line is sent; may be nil.
	BeforeSend func()
	// Err says why the line is not sent; nil: it is.
	Err error
}

// A SearchRequest is what a client wants an engine to look at.
type SearchRequest struct {
	Pos     *xiangqi.Position
	Ban     []engine.Move // legal moves
	Nodes   int64         // 0: not limited, like those below
	Depth   int
	Time    time.Duration
	Ponder  bool // the time does not count yet
	Ranks   Ranks
	Options OptionList
}

// GoCommand is a question in a protocol's words. The limits that could not be told are the
// client's to hold.
type GoCommand struct {
	Setup        []string // lines before
	Line         string
	HasMoves     bool // it has moves in it, so that it matters how ranks are numbered
	SentNodes    bool
	SentTime     bool
	EnforceDepth bool // the engine cannot be told the depth
}

// A Program is how an engine is started.
type Program struct {
	Name  string // for traces and errors until it has told its own
	Start pluginclient.Starter
}

// InProcess is a server of this process as an engine.
func InProcess(d Dialect, s ServerConfig) Program {
	return Program{Name: s.Name, Start: pluginclient.Pipe(func(ctx context.Context, in io.Reader, out io.Writer) error {
		return Serve(ctx, in, out, d, s)
	})}
}
