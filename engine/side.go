package engine

// A SideNamer is a Game whose sides have names.
type SideNamer interface {
	// SideName returns the name of First or Second in lower case, such as "black".
	SideName(Turn) string
}

// SideName returns the name of a side in a game; "first", "second" or "chance" if it has none.
func SideName(g Game, t Turn) string {
	if n, ok := g.(SideNamer); ok && t != Chance {
		return n.SideName(t)
	}
	return t.String()
}
