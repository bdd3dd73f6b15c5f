package notation

import (
	"errors"

	"qhsh/engine"
	"qhsh/engine/xiangqi"
)

// Read parses a legal move in any style. It is fast for coordinates, and returns the position's own
// error for an illegal move in them. The error wraps ErrMalformed, or is an *Error or a
// *xiangqi.MoveError.
func Read(p *xiangqi.Position, text string) (xiangqi.Move, error) {
	m, err := p.Parse(text)
	if _, plain := points(text); plain {
		return xiangqi.Move(m), err
	}
	found, unread := Parse(p.Board(), text)
	if unread != nil && !errors.Is(err, xiangqi.ErrMalformed) {
		return xiangqi.Move(m), err
	}
	return found, unread
}

// points reads two points, legal or not, that can stand for nothing else.
func points(text string) (m xiangqi.Move, ok bool) {
	m, err := xiangqi.ParseMove(text)
	return m, err == nil && !namesByRank(text)
}

// namesByRank reports whether two points have the letters of SAN's E4i2, which is the elephant
// on rank 4 where there is one that can go there.
func namesByRank(text string) bool {
	return text[0] < 'a' && text[len(text)-2] >= 'a'
}

// Names returns moves that follow each other, the first played at pos, as far as they are legal.
// Those of another game than Xiangqi are in the notation that it has.
func Names(pos engine.Position, moves []engine.Move, s Style) []string {
	p, ok := pos.(*xiangqi.Position)
	if !ok {
		return engine.FormatMoves(pos, moves)
	}
	if s == ICCS || s == UCI {
		return pointNames(p, moves, s)
	}
	line := make([]xiangqi.Move, len(moves))
	for i, m := range moves {
		line[i] = xiangqi.Move(m)
	}
	return formatLine(p.Board(), line, s)
}

// pointNames returns Names in a style that does not look at the board, so that there is no need of
// one with the whole history.
func pointNames(p *xiangqi.Position, moves []engine.Move, s Style) (names []string) {
	for _, m := range moves {
		next, err := p.PlayMove(xiangqi.Move(m))
		if err != nil {
			break
		}
		names = append(names, Format(nil, xiangqi.Move(m), s))
		p = next
	}
	return names
}
