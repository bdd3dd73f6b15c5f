package engine

// A MoveJoiner is a Game some of whose moves are written in several words.
type MoveJoiner interface {
	// JoinMoves puts together the words of a list that are one move, with a blank between
	// them. Nothing is checked.
	JoinMoves(words []string) []string
}

// JoinMoves makes moves of the words of a list of a game's moves.
func JoinMoves(g Game, words []string) []string {
	if j, ok := g.(MoveJoiner); ok {
		return j.JoinMoves(words)
	}
	return words
}
