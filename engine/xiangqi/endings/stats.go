package endings

import (
	"fmt"
	"strings"
	"sync"

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
	// Cursed are those among Wins that the other side can keep from a capture, or mate, for longer than some rule set allows.
	Cursed int `json:"cursed,omitempty"`
	Draws  int `json:"draws"`
	// Disputed are those among Draws that a rule set may count as a win or a loss, because it forbids a
	// repetition other than perpetual check.
	Disputed int `json:"disputed"`
	// Quiet are the positions in which the side to move can capture nothing, and QuietWins those of them that it
	// wins: what books of endings mean.
	Quiet     int `json:"quiet"`
	QuietWins int `json:"quietWins"`
	// LongestWin and LongestLoss are in plies to mate or stalemate, 0 if there is none.
	LongestWin  int `json:"longestWin"`
	LongestLoss int `json:"longestLoss"`
	// Position is one with the longest way to mate, as a FEN; "" if there is none.
	Position string `json:"position,omitempty"`
	// DisputedPosition is a disputed draw.
	DisputedPosition string `json:"disputedPosition,omitempty"`
}

// stats counts what a table has.
func (k *maker) stats() (s Stats, err error) {
	s.Material = k.layout.material.String()
	var mu sync.Mutex
	var examples [2]struct{ longest, disputed int } // numbers of positions
	for side := range sides {
		examples[side].longest, examples[side].disputed = k.layout.size, k.layout.size
	}
	err = k.each(k.layout.size, func(from, to int) {
		for _, side := range sides {
			part, longest, disputed := k.count(side, from, to)
			mu.Lock()
			all, example := &s.Sides[side], &examples[side]
			if part.longest() > all.longest() || part.longest() == all.longest() && longest < example.longest {
				example.longest = longest
			}
			example.disputed = min(example.disputed, disputed)
			all.add(part)
			mu.Unlock()
		}
	})
	for _, side := range sides {
		if i := examples[side].longest; i < k.layout.size && s.Sides[side].longest() > 0 {
			p, _ := k.layout.at(i)
			s.Sides[side].Position = p.fen(side)
		}
		if i := examples[side].disputed; i < k.layout.size {
			p, _ := k.layout.at(i)
			s.Sides[side].DisputedPosition = p.fen(side)
		}
	}
	return s, err
}

// strictest returns how many plies without a capture the strictest rule set allows.
func strictest() int {
	least := xiangqi.Asian.QuietPlies()
	for _, r := range xiangqi.RuleSets() {
		least = min(least, r.QuietPlies())
	}
	return least
}

// add adds the counts of other positions.
func (c *SideStats) add(d SideStats) {
	c.Legal += d.Legal
	c.Wins += d.Wins
	c.Losses += d.Losses
	c.WinsByRule += d.WinsByRule
	c.LossesByRule += d.LossesByRule
	c.Cursed += d.Cursed
	c.Draws += d.Draws
	c.Disputed += d.Disputed
	c.Quiet += d.Quiet
	c.QuietWins += d.QuietWins
	c.LongestWin = max(c.LongestWin, d.LongestWin)
	c.LongestLoss = max(c.LongestLoss, d.LongestLoss)
}

// count counts the positions of a range with one side to move, and returns the first of those with the longest way to
// mate, and the first disputed draw; the size of the table if there is none.
func (t *table) count(side xiangqi.Side, from, to int) (c SideStats, longest, disputed int) {
	longest, disputed = t.layout.size, t.layout.size
	for i := from; i < to; i++ {
		v := Value(t.values[side].at(i))
		if v == Illegal {
			continue
		}
		p, _ := t.layout.at(i)
		images := 2
		if _, symmetric, _ := t.layout.number(&p, false, false); symmetric {
			images = 1
		}
		c.Legal += images
		quiet := true
		p.legal(side, func(s step, _ *placement) bool {
			quiet = s.taken < 0
			return quiet
		})
		if quiet {
			c.Quiet += images
			if v.Wins() {
				c.QuietWins += images
			}
		}
		plies, known := v.Plies()
		switch {
		case v.Wins():
			c.Wins += images
		case v.Loses():
			c.Losses += images
		default:
			c.Draws += images
		}
		switch {
		case known:
			if plies > c.longest() {
				longest = i
			}
			if v.Wins() {
				c.LongestWin = max(c.LongestWin, plies)
				if t.pliesUntil(side, i) > strictest() {
					c.Cursed += images
				}
			} else {
				c.LongestLoss = max(c.LongestLoss, plies)
			}
		case v == WinByRule:
			c.WinsByRule += images
		case v == LossByRule:
			c.LossesByRule += images
		case v != Draw:
			c.Disputed += images
			disputed = min(disputed, i)
		}
	}
	return c, longest, disputed
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

func (c SideStats) share(n int) string { return share(n, c.Legal) }

// share returns how many of all positions n are, such as "12.5 %".
func share(n, all int) string { return fmt.Sprintf("%.4g %%", 100*float64(n)/float64(max(all, 1))) }

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
		if c.LongestWin > strictest() {
			fmt.Fprintf(&b, "  %d of the wins need more than %d plies without a capture, which some rules do not allow\n", c.Cursed, strictest())
		}
		if c.Wins > 0 {
			fmt.Fprintf(&b, "  won %s of the %d positions in which nothing can be captured\n", share(c.QuietWins, c.Quiet), c.Quiet)
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
