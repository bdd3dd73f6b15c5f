package engine

// A MoveAppender is a Position that can append its moves to a slice.
type MoveAppender interface {
	// AppendMovesTo appends Moves to dst. It allocates only if dst lacks capacity.
	AppendMovesTo(dst []Move) []Move
}

// AppendMoves appends the legal moves of a position to dst. It saves allocations when called often.
func AppendMoves(dst []Move, p Position) []Move {
	if a, ok := p.(MoveAppender); ok {
		return a.AppendMovesTo(dst)
	}
	return append(dst, p.Moves()...)
}
