package pluginclient

import (
	"context"

	"qhsh/engine"
)

// Optional interfaces of a Session. Find them with [As].

// A GameSetter can set up any position of its game.
type GameSetter interface {
	// NewGame starts a new game at pos, including its history.
	NewGame(ctx context.Context, pos engine.Position) error
}

// A Loader makes moves on the conversation's board.
type Loader interface {
	// Load plays the moves in order. An illegal move is an error.
	Load(ctx context.Context, moves ...engine.Move) error
}

// An Undoer takes moves back.
type Undoer interface {
	// Undo takes back the last move. It returns an error if there is none.
	Undo(ctx context.Context) error
}

// A PositionSetter has a position that another conversation can change. The native session
// of a [Bridge] is one.
type PositionSetter interface {
	// SetPosition sets the conversation's position. It is sent to the engine when next needed.
	SetPosition(ctx context.Context, pos engine.Position) error
}

// A LiveThinker gives access to the engine's lines while it searches. The Search of a Session that
// is none yields once, at the end.
type LiveThinker interface {
	// LatestLines returns the latest lines for the conversation's position, best first. It
	// returns none if the engine has not searched this position.
	LatestLines() []engine.Line
}

// An Untimed Session has a protocol that cannot tell an engine a time or to stop. The time of a search
// is how long its answer is waited for: an engine that is late is ended.
type Untimed interface{ Untimed() }

// A Listener has an engine that may say something at any time, and not only as an answer.
type Listener interface {
	// Listen calls heard with every line outside answers, until ctx ends; with those
	// that have arrived if it has ended. It returns an error if the engine is lost meanwhile.
	Listen(ctx context.Context, heard func(line string)) error
}

// An OptionSetter can set options of its engine while that runs.
type OptionSetter interface {
	// SetOption sets an option, and again whenever the engine is restarted.
	SetOption(ctx context.Context, name, value string) error
}

// A Doubtful notices when its engine's board may differ from the conversation's.
type Doubtful interface {
	// InDoubt reports whether it may, as far as has been seen.
	InDoubt() bool
}

// A BoardComparer can ask its engine for its board.
type BoardComparer interface {
	// CompareBoard returns how the engine's board differs from the conversation's, or "" if it does
	// not. ok is false if the engine does not show its board.
	CompareBoard(ctx context.Context) (difference string, ok bool, err error)
}

// A BanLister can exclude moves from its engine's next search.
type BanLister interface {
	// Bans returns the excluded moves, as they were sent.
	Bans() []string
}

// A BackgroundThinker may think on its opponent's time.
type BackgroundThinker interface {
	// BGThink reports whether background thinking is on.
	BGThink() bool
	// SetBGThink turns it on or off. It is an error to turn it on where there is none; turning it
	// off is a no-op then.
	SetBGThink(ctx context.Context, on bool) error
}

// AbilityTimeout is the ability to return the best move so far on request.
const AbilityTimeout = "TIMEOUT"

// An Announcer is a Session whose engine announces its optional abilities. Other Sessions are
// assumed to have all of them.
type Announcer interface {
	// MissingAbilities returns the abilities that the engine has not announced, by their names
	// in its protocol, in the protocol's order.
	MissingAbilities() []string
}

// A ResultChecker is a Session whose engine can report the winner of a game.
type ResultChecker interface {
	// CheckResult asks the engine for the result of a finished game. It returns an error that
	// wraps ErrInvalidReply if the engine disagrees.
	CheckResult(ctx context.Context, pos engine.Position) error
}

// A RepetitionJudge is a Session whose engine knows the rules on repetition.
type RepetitionJudge interface {
	// JudgeRepetition returns the verdict on the last move of a game, whose position has occurred the given number of
	// times: "ban" if it is forbidden, "draw", or "none".
	JudgeRepetition(ctx context.Context, pos engine.Position, times int) (verdict string, err error)
}

// A FaultListener is a Session whose protocol tells an engine that a game was lost by a fault.
type FaultListener interface {
	// EndByFault ends the game of the engine, which plays side, at a position: the side to move has
	// lost by the fault.
	EndByFault(ctx context.Context, pos engine.Position, side engine.Turn, fault error) error
}
