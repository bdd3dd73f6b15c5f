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
	if _, plain := parseCoordinates(text); plain {
		return xiangqi.Move(m), err
	}
	found, unread := Parse(p.Board(), text)
	if unread != nil && !errors.Is(err, xiangqi.ErrMalformed) {
		return xiangqi.Move(m), err
	}
	return found, unread
}

// parseCoordinates parses coordinates that have no other meaning. The move may be illegal.
func parseCoordinates(text string) (m xiangqi.Move, ok bool) {
	m, err := xiangqi.ParseMove(text)
	// E4i2 may also be SAN, the elephant on rank 4.
	return m, err == nil && !(text[0] < 'a' && text[len(text)-2] >= 'a')
}

// FormatMoves formats consecutive moves from pos, up to the first illegal one. Games other than Xiangqi
// use their own notation.
func FormatMoves(pos engine.Position, moves []engine.Move, s Style) (names []string) {
	p, ok := pos.(*xiangqi.Position)
	if !ok {
		return engine.FormatMoves(pos, moves)
	}
	if s == ICCS || s == UCI { // they need no board, which is expensive to make for a long game
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
	b := p.Board()
	for _, move := range moves {
		m := xiangqi.Move(move)
		if !b.Legal(m) {
			break
		}
		names = append(names, Format(b, m, s))
		b.Do(m)
	}
	return names
}
