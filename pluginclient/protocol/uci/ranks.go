package uci

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"qhsh/engine"
	"qhsh/engine/xiangqi"
)

// Ranks is the numbering of ranks from Red's side: 0 to 9, as in ICCS, UCCI and most engines, or 1
// to 10, as in Fairy-Stockfish's UCI.
type Ranks int

// The two numberings. The value is the number of Red's back rank.
const (
	FromZero Ranks = 0
	FromOne  Ranks = 1
)

func (r Ranks) other() Ranks { return FromZero + FromOne - r }

func (r Ranks) String() string {
	if r == FromOne {
		return "1 to 10"
	}
	return "0 to 9"
}

// Format returns a move as text, such as "h2e2" or "h3e3".
func (r Ranks) Format(m engine.Move) string {
	move := xiangqi.Move(m)
	return r.Point(move.From()) + r.Point(move.To())
}

// Point returns a point as text, such as "h2".
func (r Ranks) Point(sq xiangqi.Square) string {
	return string(rune('a'+int(sq)%9)) + strconv.Itoa(int(sq)/9+int(r))
}

// Join returns moves as text, with a space before each.
func (r Ranks) Join(moves []engine.Move) string {
	var b strings.Builder
	for _, m := range moves {
		b.WriteString(" " + r.Format(m))
	}
	return b.String()
}

// Parse parses a move in upper or lower case, with or without a dash. It does not check whether the
// move is legal.
func (r Ranks) Parse(text string) (m engine.Move, ok bool) {
	points, ok := parsePoints(text)
	var ends [2]xiangqi.Square
	for i, p := range points {
		rank := p.rank - int(r)
		if !ok || rank < 0 || rank > 9 {
			return engine.NoMove, false
		}
		ends[i] = xiangqi.Square(rank*9 + p.file)
	}
	return engine.Move(xiangqi.NewMove(ends[0], ends[1])), true
}

// Detect returns the numbering that moves of a line from pos show: r, unless only the other makes sense,
// which more legal moves show, or a move with rank 0 or 10.
func (r Ranks) Detect(pos engine.Position, texts []string) Ranks {
	moves, other := r.LegalPrefix(pos, texts), r.other().LegalPrefix(pos, texts)
	onlyOther := func(text string) bool {
		_, ok := r.Parse(text)
		_, otherOK := r.other().Parse(text)
		return otherOK && !ok
	}
	if len(other) == 0 || len(other) <= len(moves) && !slices.ContainsFunc(texts, onlyOther) {
		return r
	}
	return r.other()
}

// Hint says of a move that is illegal at pos that it is legal with the other numbering; empty if it is
// not.
func (r Ranks) Hint(pos engine.Position, text string) string {
	other := r.Detect(pos, []string{text})
	if other == r {
		return ""
	}
	return fmt.Sprintf("; it is legal if ranks are numbered %v: ranks=%d in the SPEC", other, other)
}

// parsePoints parses the two ends of a move: letters from a to i, and numbers from 0 to 10.
func parsePoints(text string) (points [2]struct{ file, rank int }, ok bool) {
	for i := range points {
		if i == 1 {
			text = strings.TrimPrefix(text, "-")
		}
		if len(text) < 2 {
			return points, false
		}
		p := &points[i]
		p.file, p.rank = int(text[0]|0x20)-'a', int(text[1])-'0'
		if strings.HasPrefix(text[1:], "10") {
			p.rank, text = 10, text[1:]
		}
		if text = text[2:]; p.file < 0 || p.file > 8 || p.rank < 0 || p.rank > 10 {
			return points, false
		}
	}
	return points, text == ""
}

// IsMove reports whether text has the form of a move.
func IsMove(text string) bool {
	_, ok := parsePoints(text)
	return ok
}

// LegalPrefix returns the moves before the first illegal one.
func (r Ranks) LegalPrefix(pos engine.Position, texts []string) []engine.Move {
	var moves []engine.Move
	for _, text := range texts {
		m, ok := r.Parse(text)
		if !ok {
			break
		}
		next, err := pos.Play(m)
		if err != nil {
			break
		}
		moves, pos = append(moves, m), next
	}
	return moves
}
