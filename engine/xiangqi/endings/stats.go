package endings

import (
	"fmt"
	"strings"

	"qhsh/engine/xiangqi"
)

// Stats say what a table has, by the side to move. Mirror images count as two positions.
type Stats struct {
	Material string       `json:"material"`
	Sides    [2]SideStats `json:"sides"` // Red, Black
}

// SideStats count the legal positions with one side to move.
type SideStats struct {
	Legal  int `json:"legal"`
	Wins   int `json:"wins"`
	Losses int `json:"losses"`
	// WinsByRule and LossesByRule are those among Wins and Losses in which the loser can only go on by
	// checking for ever.
	WinsByRule   int `json:"winsByRule"`
	LossesByRule int `json:"lossesByRule"`
	Draws        int `json:"draws"`
	// Disputed are those among Draws that a rule set may count as a win or a loss, because it forbids a
	// repetition other than perpetual check.
	Disputed int `json:"disputed"`
	// LongestWin and LongestLoss are in plies to mate or stalemate, 0 if there is none.
	LongestWin  int `json:"longestWin"`
	LongestLoss int `json:"longestLoss"`
	// Position is one with the longest way to mate, as a FEN; "" if there is none.
	Position string `json:"position,omitempty"`
	// DisputedPosition is a disputed draw.
	DisputedPosition string `json:"disputedPosition,omitempty"`
}

// stats counts what a table has.
func (t *table) stats() Stats {
	s := Stats{Material: t.layout.material.String()}
	for _, side := range sides {
		count, longest := &s.Sides[side], -1
		for i := range t.layout.size {
			v := Value(t.values[side].at(i))
			if v == Illegal {
				continue
			}
			p, _ := t.layout.at(i)
			images := 2
			if _, symmetric, _ := t.layout.number(&p, false, false); symmetric {
				images = 1
			}
			count.Legal += images
			plies, known := v.Plies()
			switch {
			case v.Wins():
				count.Wins += images
			case v.Loses():
				count.Losses += images
			default:
				count.Draws += images
			}
			switch {
			case known && v.Wins():
				count.LongestWin = max(count.LongestWin, plies)
			case known:
				count.LongestLoss = max(count.LongestLoss, plies)
			case v == WinByRule:
				count.WinsByRule += images
			case v == LossByRule:
				count.LossesByRule += images
			case v != Draw:
				count.Disputed += images
				if count.DisputedPosition == "" {
					count.DisputedPosition = p.fen(side)
				}
			}
			if known && plies > longest && plies > 0 {
				longest, count.Position = plies, p.fen(side)
			}
		}
	}
	return s
}

// String returns the counts in a line.
func (s Stats) String() string {
	line := s.Material
	for _, side := range sides {
		c := s.Sides[side]
		line += fmt.Sprintf("; %v to move: %d positions, %s won, %s drawn, %s lost", side, c.Legal, c.share(c.Wins), c.share(c.Draws), c.share(c.Losses))
	}
	return line + fmt.Sprintf("; longest %d plies", max(s.Sides[0].longest(), s.Sides[1].longest()))
}

func (c SideStats) longest() int { return max(c.LongestWin, c.LongestLoss) }

// share returns how many of the positions n is, such as "12.5 %".
func (c SideStats) share(n int) string {
	return fmt.Sprintf("%.4g %%", 100*float64(n)/float64(max(c.Legal, 1)))
}

// Report returns the counts in lines, with examples.
func (s Stats) Report() string {
	var b strings.Builder
	b.WriteString(s.Material + "\n")
	for _, side := range sides {
		c := s.Sides[side]
		fmt.Fprintf(&b, "%v to move: %d positions\n", side, c.Legal)
		for _, row := range []struct {
			what           string
			n, byRule, ply int
		}{{"won", c.Wins, c.WinsByRule, c.LongestWin}, {"drawn", c.Draws, 0, 0}, {"lost", c.Losses, c.LossesByRule, c.LongestLoss}} {
			fmt.Fprintf(&b, "  %-5s %10d %8s", row.what, row.n, c.share(row.n))
			if row.ply > 0 {
				fmt.Fprintf(&b, ", in %d plies at most", row.ply)
			}
			if row.byRule > 0 {
				fmt.Fprintf(&b, ", %d of them because the other side can only check for ever", row.byRule)
			}
			b.WriteByte('\n')
		}
		if c.Position != "" {
			fmt.Fprintf(&b, "  the longest: %s\n", c.Position)
		}
		if c.Disputed > 0 {
			fmt.Fprintf(&b, "  %d of the draws depend on which other repetitions are forbidden, such as %s\n", c.Disputed, c.DisputedPosition)
		}
	}
	return b.String()
}

// fen returns the FEN of a placement.
func (p *placement) fen(side xiangqi.Side) string {
	var squares [90]xiangqi.Piece
	for _, m := range p.men[:p.n] {
		squares[m.at] = m.piece
	}
	return xiangqi.BoardFEN(&squares, side) + " - - 0 1"
}
