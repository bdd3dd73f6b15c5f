package engine

// An IllegalPosition is the error of a Game's Position for a text of a position that no game comes
// to. It can be shown and written all the same.
type IllegalPosition interface {
	error
	// Illegal returns the position. It is not for a search.
	Illegal() Position
}
