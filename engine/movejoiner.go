package engine

// A MoveJoiner is a Game whose moves may consist of several words.
type MoveJoiner interface {
	// JoinMoves joins the words of each move with a space between them. It does not check the
	// moves.
	JoinMoves(words []string) []string
}

// JoinMoves converts a list of words to a list of moves.
func JoinMoves(g Game, words []string) []string {
	if j, ok := g.(MoveJoiner); ok {
		return j.JoinMoves(words)
	}
	return words
}
