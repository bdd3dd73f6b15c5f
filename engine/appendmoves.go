package engine

// A MoveAppender is a Position that lists its moves where there is room for them.
type MoveAppender interface {
	// AppendMovesTo appends Moves to dst. It allocates only where dst has no room.
	AppendMovesTo(dst []Move) []Move
}

// AppendMoves appends the legal moves of a position to dst, for whoever lists those of many.
func AppendMoves(dst []Move, p Position) []Move {
	if a, ok := p.(MoveAppender); ok {
		return a.AppendMovesTo(dst)
	}
	return append(dst, p.Moves()...)
}
