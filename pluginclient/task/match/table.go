package match

import (
	"cmp"
	"slices"
)

// A Table adds up the games of a match.
type Table struct {
	config   *Config
	Games    int            // that have been added
	Total    int            // that there are to be; fewer if the SPRT decides
	Rows     []Row          // in the order of the players
	Meetings []Meeting      // in the order of the players
	Ends     map[string]int // games by the reason of their end
	Faults   int            // games that were lost by an engine's fault

	firstHalf map[[2]int]int // what the first game of a pair has brought, by meeting and pair
}

// A Row is a player's.
type Row struct {
	Name   string
	Score  Score
	Faults map[string]int // games lost by a fault, by what it was; nil if none
}

// A Meeting is a pairing's.
type Meeting struct {
	First, Second string
	Score         Score // of First

	players [2]int
}

// newTable returns an empty table.
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

// add adds a game.
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
	for _, s := range []*Score{&m.Score, &one.Score} {
		s.add(half)
	}
	other.Score.add(2 - half)
	t.addPair(at, r.Pair, half)
	if r.Fault != nil {
		t.addFault(r)
	}
}

// addPair completes a pair, or begins one.
func (t *Table) addPair(meeting, pair, half int) {
	if !t.config.Repeat {
		return
	}
	key := [2]int{meeting, pair}
	before, ok := t.firstHalf[key]
	if !ok {
		t.firstHalf[key] = half
		return
	}
	delete(t.firstHalf, key)
	m := &t.Meetings[meeting]
	m.Score.Pairs[before+half]++
	t.Rows[m.players[0]].Score.Pairs[before+half]++
	t.Rows[m.players[1]].Score.Pairs[4-before-half]++
}

func (t *Table) addFault(r Record) {
	t.Faults++
	at := slices.IndexFunc(t.Rows, func(row Row) bool { return row.Name == r.Fault.Player })
	if at < 0 {
		return
	}
	row := &t.Rows[at]
	if row.Faults == nil {
		row.Faults = map[string]int{}
	}
	row.Faults[r.Reason]++
}

// add adds a game that brought half points.
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

// Ranked returns the rows, the best player first. Who has the same score keeps the order of
// the players.
func (t *Table) Ranked() []Row {
	rows := slices.Clone(t.Rows)
	slices.SortStableFunc(rows, func(a, b Row) int { return cmp.Compare(b.Score.ratio(), a.Score.ratio()) })
	return rows
}

// Test is how the SPRT stands: nil if there is none.
type Test struct {
	SPRT
	LLR, Lower, Upper float64
	Decision          string // "H0", "H1", or nothing yet
}

// Test returns how the SPRT stands, of the first player against the second; nil if there is
// none. Where openings are repeated only complete pairs count.
func (t *Table) Test() *Test {
	if t.config.SPRT == nil {
		return nil
	}
	test := &Test{SPRT: *t.config.SPRT}
	test.Lower, test.Upper = test.bounds()
	score := t.Meetings[0].Score
	if t.config.Repeat && score.Pairs == [5]int{} {
		return test
	}
	test.LLR, test.Decision = test.SPRT.llr(score), test.decide(score)
	return test
}
