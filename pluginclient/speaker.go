package pluginclient

import (
	"context"

	"qhsh/engine"
)

// A Speaker is a Session that people talk to in a language of its own, as the one of another
// game: at the shell's prompt its words stand in the place of QHPLUGIN's.
type Speaker interface {
	Session
	// Phrases are the commands of its language.
	Phrases() []Phrase
	// Fails tells whether the answer to a line says that it has failed.
	Fails(answer []string) bool
}

// A Witness is a Session whose engine tells who has won a game.
type Witness interface {
	// Confirm asks the engine about a position that is over. An error that wraps
	// ErrNonsense says that it holds it to be otherwise.
	Confirm(ctx context.Context, pos engine.Position) error
}

// A Phrase is a command of a Speaker's language.
type Phrase struct {
	Word    string
	Usage   string // what follows it
	Summary string // one line, lower case
	Thinks  bool   // the engine may take its time
	Quits   bool   // the engine ends

	// Complete answers what the word behind these may be, and whether another one has to
	// follow it; nil: nothing follows, or nothing is known.
	Complete func(before []string) (words []string, more bool)
}
