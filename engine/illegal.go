package engine

// An IllegalPosition is the error of Game.Position for a position that cannot occur in a game. The
// position can still be shown and written.
type IllegalPosition interface {
	error
	// Illegal returns the position. It must not be searched.
	Illegal() Position
}
