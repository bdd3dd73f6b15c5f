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
	return m, err == nil && !maybeSAN(text)
}

// maybeSAN reports whether coordinates could also be SAN such as E4i2, the elephant on rank 4.
func maybeSAN(text string) bool {
	return text[0] < 'a' && text[len(text)-2] >= 'a'
}

// FormatMoves formats consecutive moves from pos, up to the first illegal one. Games other than Xiangqi
// use their own notation.
func FormatMoves(pos engine.Position, moves []engine.Move, s Style) []string {
	p, ok := pos.(*xiangqi.Position)
	if !ok {
		return engine.FormatMoves(pos, moves)
	}
	if s == ICCS || s == UCI {
		return formatCoordinates(p, moves, s)
	}
	line := make([]xiangqi.Move, len(moves))
	for i, m := range moves {
		line[i] = xiangqi.Move(m)
	}
	return formatLine(p.Board(), line, s)
}

// formatCoordinates formats coordinates. They need no board, which is expensive to make for a long game.
func formatCoordinates(p *xiangqi.Position, moves []engine.Move, s Style) (names []string) {
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
