package pluginclient

import (
	"context"

	"qhsh/engine"
)

// The abilities that a Session may have beside its methods. [As] finds them.

// A GameSetter can be brought to any position of its game.
type GameSetter interface {
	// NewGame begins a new game of the engine's at pos, with its history.
	NewGame(ctx context.Context, pos engine.Position) error
}

// A Loader makes moves on the conversation's board.
type Loader interface {
	// Load makes the moves one after the other. One that is illegal is an error.
	Load(ctx context.Context, moves ...engine.Move) error
}

// An Undoer takes moves back.
type Undoer interface {
	// Undo takes back the last move. It is an error if there is none.
	Undo(ctx context.Context) error
}

// A PositionSetter has a position that another conversation may move on. What stands behind a
// [Bridge] is one.
type PositionSetter interface {
	// SetPosition makes pos the conversation's. The engine is told when it needs it next.
	SetPosition(ctx context.Context, pos engine.Position) error
}

// A LiveThinker shows what its engine thinks, while it does.
type LiveThinker interface {
	// LatestLines is the latest list for the conversation's position, best line first; none if
	// the engine has not thought about it.
	LatestLines() []engine.Line
}

// A BanLister can forbid its engine moves.
type BanLister interface {
	// Bans are the moves that the next answer may not be, as they were sent.
	Bans() []string
}

// A BackgroundThinker may think while it is its opponent's turn.
type BackgroundThinker interface {
	// BGThink reports whether it does.
	BGThink() bool
}

// AbilityTimeout is the ability to answer with the best so far.
const AbilityTimeout = "TIMEOUT"

// An Announcer is a Session whose engine announces what it can do beyond what its protocol
// requires. Engines of other Sessions can do whatever there is.
type Announcer interface {
	// MissingAbilities are the abilities that the engine has not announced, by their names in its
	// protocol, in the protocol's order.
	MissingAbilities() []string
}

// A ResultChecker is a Session whose engine tells who has won a game.
type ResultChecker interface {
	// CheckResult asks the engine about a position that is over. An error that wraps
	// ErrNonsense says that it holds it to be otherwise.
	CheckResult(ctx context.Context, pos engine.Position) error
}
