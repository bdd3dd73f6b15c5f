package match

import (
	"fmt"
	"math/rand/v2"
	"time"

	"qhsh/engine"
	"qhsh/engine/printable"
	"qhsh/engine/record"
)

// A Record is a finished game. A line of a [State] is one in JSON.
type Record struct {
	Game    int      `json:"game"`  // number, from 1
	Round   int      `json:"round"` // from 1
	Pair    int      `json:"pair"`  // see Fixture
	Opening int      `json:"opening,omitempty"`
	First   string   `json:"first"`  // player who moves first
	Second  string   `json:"second"` // player who moves second
	Result  string   `json:"result"` // "1-0" if First won, "0-1" or "1/2-1/2"
	Reason  string   `json:"reason"` // "checkmate", "repetition" and others; of a Fault: see faults
	Fault   *Fault   `json:"fault,omitempty"`
	Dissent []string `json:"dissent,omitempty"`     // players whose engine disagrees with the result
	Early   bool     `json:"adjudicated,omitempty"` // ended by the match's adjudication rules

	Tags    record.Tags `json:"tags,omitempty"` // name the variant of the game
	Start   string      `json:"start"`          // position before the first move
	Book    int         `json:"book,omitempty"` // number of opening moves
	Moves   []Ply       `json:"moves"`
	Date    string      `json:"date"` // day of the start, 2006-01-02
	Seconds Seconds     `json:"seconds"`
}

// A Fault is the error of an engine that lost it the game.
type Fault struct {
	Player string `json:"player"`
	Error  string `json:"error"`
	Trace  string `json:"trace,omitempty"` // file with the engine's last lines
}

// A Ply is a move in a game.
type Ply struct {
	Move string `json:"move"`
	By   string `json:"by"` // "first", "second" or "chance"
	engine.ScoreJSON
	Depth int   `json:"depth,omitempty"`
	Nodes int64 `json:"nodes,omitempty"`
	engine.Details
	Seconds Seconds `json:"seconds,omitempty"`
	Stopped Seconds `json:"stopped,omitempty"` // besides Seconds, not charged; see stopwatch
}

// Seconds is a number of seconds, in JSON with three decimals.
type Seconds float64

// secondsOf rounds to milliseconds, so that a record survives a round trip.
func secondsOf(d time.Duration) Seconds { return Seconds(d.Round(time.Millisecond).Seconds()) }

// MarshalJSON writes three decimals.
func (s Seconds) MarshalJSON() ([]byte, error) { return fmt.Appendf(nil, "%.3f", float64(s)), nil }

// outcome returns the result. ok is false if it is not written as that of a finished game.
func (r Record) outcome() (o engine.Outcome, ok bool) {
	o, _ = record.ParseResult(r.Result)
	return o, o != engine.Ongoing && r.Result == record.FormatResult(o)
}

// halfPoints returns First's half points: 2, 1 or 0.
func (r Record) halfPoints() int {
	switch o, _ := r.outcome(); o {
	case engine.FirstWins:
		return 2
	case engine.SecondWins:
		return 0
	}
	return 1
}

// check returns why r does not match the schedule.
func (r Record) check(s *schedule) error {
	if r.Game < 1 || r.Game > s.Len() {
		return fmt.Errorf("the match has no game %d", r.Game)
	}
	return s.fixture(r.Game).checkTerms(r)
}

// Check returns why r cannot be the record of the game, since it is not known who has written it.
func (f Fixture) Check(r Record) error {
	if r.Game != f.Number {
		return fmt.Errorf("game %d is not %d", r.Game, f.Number)
	}
	if err := f.checkTerms(r); err != nil {
		return err
	}
	if r.Reason == "" || printable.Line(r.Reason) != r.Reason {
		return fmt.Errorf("game %d: invalid reason %q", r.Game, r.Reason)
	}
	if r.Fault != nil && r.Fault.Player != r.First && r.Fault.Player != r.Second {
		return fmt.Errorf("game %d: no player %q", r.Game, r.Fault.Player)
	}
	host, _ := engine.Deal(f.Start, rand.NewPCG(f.Seed[0], f.Seed[1]))
	pos, _ := host.History()
	if r.Start != pos.String() {
		return fmt.Errorf("game %d begins with %q, expected %q", r.Game, r.Start, pos.String())
	}
	for i, ply := range r.Moves {
		if by := pos.Turn().String(); ply.By != by {
			return fmt.Errorf("game %d: ply %d is by %q, expected %s", r.Game, i+1, ply.By, by)
		}
		m, err := pos.Parse(ply.Move)
		if err == nil {
			pos, err = pos.Play(m)
		}
		if err != nil {
			return fmt.Errorf("game %d: ply %d: %w", r.Game, i+1, err)
		}
	}
	if result := pos.Result(); result.Over() && r.Result != record.FormatResult(result.Outcome) {
		return fmt.Errorf("game %d: the result is %s, and not %s", r.Game, record.FormatResult(result.Outcome), r.Result)
	}
	return nil
}

// checkTerms returns why r does not match the game.
func (f Fixture) checkTerms(r Record) error {
	first, second := f.Players[0].Name, f.Players[1].Name
	if r.First != first || r.Second != second || r.Opening != f.Opening {
		return fmt.Errorf("game %d is %s against %s, expected %s against %s", r.Game, r.First, r.Second, first, second)
	}
	if r.Round != f.Round || r.Pair != f.Pair {
		return fmt.Errorf("game %d is of pair %d in round %d, expected pair %d in round %d", r.Game, r.Pair, r.Round, f.Pair, f.Round)
	}
	if _, ok := r.outcome(); !ok {
		return fmt.Errorf("game %d: invalid result %q", r.Game, r.Result)
	}
	return nil
}
