package uci

import (
	"fmt"
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

// other returns the other numbering.
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
	p, ok := parsePoints(text)
	from, fromOK := r.square(p.file[0], p.rank[0])
	to, toOK := r.square(p.file[1], p.rank[1])
	if !ok || !fromOK || !toOK {
		return engine.NoMove, false
	}
	return engine.Move(xiangqi.NewMove(from, to)), true
}

func (r Ranks) square(file, rank int) (xiangqi.Square, bool) {
	rank -= int(r)
	return xiangqi.Square(rank*9 + file), 0 <= rank && rank <= 9
}

// impliedRanks returns the numbering that a move implies. ok is false if both are possible: only
// one of them has a rank 0, and only the other a rank 10.
func impliedRanks(text string) (r Ranks, ok bool) {
	p, ok := parsePoints(text)
	switch {
	case !ok:
		return FromZero, false
	case p.rank[0] == 10 || p.rank[1] == 10:
		return FromOne, true
	case p.rank[0] == 0 || p.rank[1] == 0:
		return FromZero, true
	}
	return FromZero, false
}

// Detect returns the numbering that moves of a line from pos show: r, unless only the other makes sense.
func (r Ranks) Detect(pos engine.Position, texts []string) Ranks {
	moves, other := r.LegalPrefix(pos, texts), r.other().LegalPrefix(pos, texts)
	if len(other) == 0 || len(other) <= len(moves) && !implyRanks(texts, r.other()) {
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

// points are the unconverted coordinates of a move.
type points struct{ file, rank [2]int }

func parsePoints(text string) (p points, ok bool) {
	rest := text
	for i := range 2 {
		if i == 1 {
			rest = strings.TrimPrefix(rest, "-")
		}
		if p.file[i], p.rank[i], rest, ok = cutPoint(rest); !ok {
			return points{}, false
		}
	}
	return p, rest == ""
}

// cutPoint parses a letter from a to i and a number from 0 to 10.
func cutPoint(text string) (file, rank int, rest string, ok bool) {
	if len(text) < 2 {
		return 0, 0, "", false
	}
	file, rank, rest = int(text[0]|0x20)-'a', int(text[1])-'0', text[2:]
	if strings.HasPrefix(text[1:], "10") {
		rank, rest = 10, text[3:]
	}
	return file, rank, rest, 0 <= file && file < 9 && 0 <= rank && rank <= 10
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
