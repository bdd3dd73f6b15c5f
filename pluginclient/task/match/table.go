package match

import (
	"cmp"
	"fmt"
	"slices"

	"qhsh/engine/printable"
)

// A Table aggregates the games of a match.
type Table struct {
	config   *Config
	Games    int            // added so far
	Total    int            // of the schedule; the SPRT may end the match earlier
	Rows     []Row          // in the order of the players
	Meetings []Meeting      // in the order of the players
	Ends     map[string]int // number of games by Record.Reason
	Faults   int            // games lost by an engine's fault

	firstHalf map[[2]int]int // half points of a pair's first game, by meeting and pair
}

// A Row is the standing of a player.
type Row struct {
	Name   string
	Score  Score
	Faults map[string]int // number of games lost by a fault, by reason; nil if none

	faults []string // the first twenty of them, with their errors
}

// A Meeting is the score of a pairing.
type Meeting struct {
	First, Second string
	Score         Score // of First

	players [2]int
}

func newTable(s *schedule) *Table {
	t := &Table{config: s.config, Total: s.Len(), Ends: map[string]int{}, firstHalf: map[[2]int]int{}}
	for _, p := range s.config.Players {
		t.Rows = append(t.Rows, Row{Name: p.Name})
	}
	for _, pair := range s.pairings {
		t.Meetings = append(t.Meetings, Meeting{
			First: t.Rows[pair[0]].Name, Second: t.Rows[pair[1]].Name, players: pair,
		})
	}
	slices.SortFunc(t.Meetings, func(a, b Meeting) int { return slices.Compare(a.players[:], b.players[:]) })
	return t
}

func (t *Table) add(r Record) {
	t.Games++
	t.Ends[r.Reason]++
	at := slices.IndexFunc(t.Meetings, func(m Meeting) bool {
		return m.First == r.First && m.Second == r.Second || m.First == r.Second && m.Second == r.First
	})
	m := &t.Meetings[at]
	half := r.halfPoints()
	if m.First != r.First {
		half = 2 - half
	}
	one, other := &t.Rows[m.players[0]], &t.Rows[m.players[1]]
	m.Score.add(half)
	one.Score.add(half)
	other.Score.add(2 - half)
	if key := [2]int{at, r.Pair}; t.config.Repeat {
		if before, ok := t.firstHalf[key]; ok {
			delete(t.firstHalf, key)
			m.Score.Pairs[before+half]++
			one.Score.Pairs[before+half]++
			other.Score.Pairs[4-before-half]++
		} else {
			t.firstHalf[key] = half
		}
	}
	if r.Fault == nil {
		return
	}
	t.Faults++
	for i := range t.Rows {
		if row := &t.Rows[i]; row.Name == r.Fault.Player {
			if row.Faults == nil {
				row.Faults = map[string]int{}
			}
			row.Faults[r.Reason]++
			if len(row.faults) < 20 {
				row.faults = append(row.faults, fmt.Sprintf("game %d: %s: %s", r.Game, r.Reason, printable.Line(r.Fault.Error)))
			}
		}
	}
}

// add counts a game with the given half points.
func (s *Score) add(half int) {
	switch half {
	case 2:
		s.Wins++
	case 1:
		s.Draws++
	default:
		s.Losses++
	}
}

// Ranked returns the rows by score, the best first. Equal scores keep the order of the players.
func (t *Table) Ranked() []Row {
	rows := slices.Clone(t.Rows)
	slices.SortStableFunc(rows, func(a, b Row) int { return cmp.Compare(b.Score.ratio(), a.Score.ratio()) })
	return rows
}

// A Test is the state of the SPRT.
type Test struct {
	SPRT
	LLR, Lower, Upper float64
	Decision          string // "H0", "H1", or empty while undecided
}

// Test returns the state of the SPRT for the first player against the second, or nil without an
// SPRT. With Repeat only complete pairs count.
func (t *Table) Test() *Test {
	if t.config.SPRT == nil {
		return nil
	}
	score := t.Meetings[0].Score
	if t.config.Repeat && score.Pairs == [5]int{} {
		score = Score{}
	}
	return t.config.SPRT.test(score)
}
