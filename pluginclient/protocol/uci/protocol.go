// Package uci implements both sides of UCI, the Universal Chess Interface, and of UCCI, the Universal
// Chinese Chess Protocol, which is derived from it. Both are a [Dialect]: its Dial makes an engine a
// Searcher and a pluginclient.Session; its Serve makes any Xiangqi Searcher an engine. What is particular
// to one of them is documented and defined in uci.go and ucci.go, all else is shared.
//
// The client works for any protocol in which the client sets the position before each search:
// package xboard is another [Protocol]. It has its own server, which uses [ServerConfig], [Setter],
// [Clock] and package serving.
//
// For all Limits, a Client connected to a server of s returns what s returns, as far as the protocol can
// carry it.
//
// The client trusts an engine as little as possible:
//
//   - The client keeps the board. It sends only legal moves and checks the moves it receives: an
//     illegal best move is an error and is never played; a PV is cut before its first illegal move.
//   - Only the best move ends a search. The client sends "stop" when it reaches a limit that the
//     engine was not told or does not obey, when the context ends, or on ErrMoveNow. A deadline
//     limits the wait for the engine's reaction.
//   - After each search, when the caller already has its answer, the client sends a ping
//     ("isready") and discards all lines before the reply: a second "bestmove", a reply to a
//     "stop" that crossed the first one, other output. If each search begins with a new-game
//     command, the ping after that command is enough. An engine that does not answer the first
//     ping is used without pings.
//   - An engine that is lost is restarted by the next search, and its options are sent again.
package uci

import (
	"time"

	"qhsh/engine"
	"qhsh/engine/xiangqi"
	"qhsh/pluginclient"
)

// A Protocol describes the client side of one protocol. Its functions are called only during calls
// of the Client, one at a time, so a Protocol made for a single Client may keep state. Fields that
// may be nil say so.
type Protocol struct {
	Name           string // display name
	MustAnswerPing bool   // every engine must answer a ping
	PlainScores    bool   // the score of an info line may be a plain number
	HasPerft       bool   // "go perft" is known
	Stop           string // makes a searching engine answer at once

	// Greeting returns the first lines to send to a newly started engine. ReadIntro parses a line
	// of the engine's introduction.
	Greeting  func(*Introduction) []string
	ReadIntro func(line string, in *Introduction)
	// Probe is called if the introduction is incomplete after Introduction.Timeout. It returns a
	// ping and sets a new Timeout, or sets Done. nil: the introduction is complete then.
	Probe func(in *Introduction) (ping string)
	// LateIntro returns what the engine has added to a completed introduction since the last
	// call, or nil. LateIntro may be nil.
	LateIntro func() *Introduction
	// Ping returns a line whose reply shows that all commands before it are done, or "" if the
	// engine has no ping. Pong reports whether a line is the reply to the latest ping.
	Ping func() string
	Pong func(line string) bool

	// SetOption returns the command that sets an option or presses a button.
	SetOption func(name, value string) string
	// RequiredOptions returns the settings that must be sent first, given the engine's options.
	// An error means that the engine cannot be used.
	RequiredOptions func(OptionList) ([]Setting, error)
	// NewGame returns the commands that make the engine forget earlier searches, if it has any.
	// If again is false, the engine must be restarted instead.
	NewGame func(OptionList) (commands []string, again bool)

	// CanBan reports whether the engine can exclude moves from a search. nil: it can.
	CanBan func() bool
	// GoCommand returns the command that starts a search.
	GoCommand func(SearchRequest) GoCommand
	// PositionCommands returns the commands that set the engine's position.
	PositionCommands func(pos *xiangqi.Position, r Ranks) []string
	// ParseInfo parses a search info line, and ParseBestMove the line that ends a search. They
	// return false for any other line.
	ParseInfo     func(line string, mate int) (InfoLine, bool)
	ParseBestMove func(line string) (BestMove, bool)
	// Unsolicited is called with every other line and returns lines to send in reply. May be nil.
	Unsolicited func(line string) []string
	// EndSearch returns the commands that make the engine idle after a search. nil: the engine is
	// idle after its best move.
	EndSearch func() []string

	// Rules are those that a client can see broken, with those that the Client judges by where the
	// engine's lines can break them. JudgeLine returns what a line breaks whatever the
	// position is. It is called with every line of the engine, before the other functions.
	Rules     pluginclient.Rules
	JudgeLine func(line string) []Breach

	// Interrupt returns the lines to send for a line that the user types during a search; ok is
	// false if the line must wait for the end of the search.
	Interrupt func(line string) (lines []string, ok bool)
	// ParseRaw returns what a line typed by the user will do.
	ParseRaw func(line string, r Ranks) RawCommand
}

// An Introduction is what an engine says about itself at the start.
type Introduction struct {
	Info                pluginclient.Info
	Options             OptionList
	Ranks               Ranks         // as its options show
	Done                bool          // the introduction is complete
	Timeout             time.Duration // the introduction is complete this long after the greeting; 0: when the engine says so
	DoneAtStartDeadline bool          // the introduction is also complete at Deadlines.Start
	Terminator          string        // the line that completes it, for errors
	Replies             []string      // lines to send to the engine now
	Warnings            []string      // for the user
	Unexpected          string        // the latest line that is not part of it
}

// A DeadlineKind selects one of pluginclient.Deadlines.
type DeadlineKind int

// The deadlines for a reply: Deadlines.Think, Reply and Start.
const (
	DeadlineThink DeadlineKind = iota
	DeadlineReply
	DeadlineStart
)

// A RawCommand describes the effect of a line that the user sends to the engine.
type RawCommand struct {
	Quit        bool
	Ping        bool                   // it is a ping
	Thinks      bool                   // the engine answers with a move
	Stop        []string               // commands that stop the search; nil: Protocol.Stop
	Until       func(line string) bool // reports whether a line ends the answer; nil: a best move does
	AnyPosition bool                   // the engine's position does not matter
	NewGame     bool
	Setting     *Setting     // the option that it sets; may be nil
	Deadline    DeadlineKind // for the answer

	// Position returns the position after the command. nil: the position does not change.
	Position func() (*xiangqi.Position, error)
	// BeforeSend is called right before the line is sent; may be nil.
	BeforeSend func()
	// Judge returns what the engine has broken in its answer; may be nil.
	Judge func() []Breach
	// Err is the reason why the line must not be sent, or nil.
	Err error
}

// A SearchRequest is a search that a Protocol translates into a GoCommand.
type SearchRequest struct {
	Pos           *xiangqi.Position
	engine.Limits      // with legal moves in Ban; Lines is what MultiPV is, 0 if it was not sent
	Ponder        bool // the time limit starts at the ponder hit
	Ranks         Ranks
	Options       OptionList
}

// A GoCommand is the command line of a search. The client enforces limits that the command cannot
// express.
type GoCommand struct {
	Setup        []string // lines to send before Line
	Line         string
	HasMoves     bool // the commands contain moves, so the rank numbering matters
	SentNodes    bool
	SentTime     bool
	EnforceDepth bool // the command does not limit the depth
}
