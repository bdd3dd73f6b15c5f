package match

import (
	"fmt"
	"time"

	"qhsh/engine"
)

// A Record is a finished game. As JSON it is a line of a [State].
type Record struct {
	Game    int      `json:"game"`  // its number, from 1
	Round   int      `json:"round"` // from 1
	Pair    int      `json:"pair"`  // see fixture
	Opening int      `json:"opening,omitempty"`
	First   string   `json:"first"`  // the player who moved first
	Second  string   `json:"second"` // the other one
	Result  string   `json:"result"` // "1-0" if First won, "0-1" or "1/2-1/2"
	Reason  string   `json:"reason"` // in a word or two: "checkmate", "repetition", "crash"
	Fault   *Fault   `json:"fault,omitempty"`
	Dissent []string `json:"dissent,omitempty"`     // the players whose engine says that the game has ended otherwise, or not
	Early   bool     `json:"adjudicated,omitempty"` // ended by the terms of the match, not by the rules
	Start   string   `json:"start"`                 // the position that the moves begin from
	Book    int      `json:"book,omitempty"`        // how many of the moves are the opening's
	Moves   []Ply    `json:"moves"`
	Date    string   `json:"date"` // on which it began, 2006-01-02
	Seconds Seconds  `json:"seconds"`
}

// A Fault is what an engine did that lost the game.
type Fault struct {
	Player string `json:"player"`
	Error  string `json:"error"`
	Trace  string `json:"trace,omitempty"` // the file that its last lines are in
}

// A Ply is a move of a game.
type Ply struct {
	Move string `json:"move"`
	By   string `json:"by"` // "first", "second" or "chance"
	engine.ScoreJSON
	Depth   int     `json:"depth,omitempty"`
	Nodes   int64   `json:"nodes,omitempty"`
	Seconds Seconds `json:"seconds,omitempty"`
}

// Seconds is a number of seconds, in JSON with three digits after the point at most.
type Seconds float64

// secondsOf is in whole milliseconds, so that a game reads back as it was.
func secondsOf(d time.Duration) Seconds { return Seconds(d.Round(time.Millisecond).Seconds()) }

// MarshalJSON writes milliseconds.
func (s Seconds) MarshalJSON() ([]byte, error) { return fmt.Appendf(nil, "%.3f", float64(s)), nil }

// The results.
const (
	firstWins  = "1-0"
	secondWins = "0-1"
	drawn      = "1/2-1/2"
)

func resultOf(o engine.Outcome) string {
	switch o {
	case engine.FirstWins:
		return firstWins
	case engine.SecondWins:
		return secondWins
	}
	return drawn
}

// halfPoints returns what First has got in halfPoints points: 2, 1 or 0.
func (r Record) halfPoints() int {
	switch r.Result {
	case firstWins:
		return 2
	case secondWins:
		return 0
	}
	return 1
}

// check returns why r does not match its fixture.
func (r Record) check(s *schedule) error {
	if r.Game < 1 || r.Game > s.Len() {
		return fmt.Errorf("there is no game %d in the match", r.Game)
	}
	f := s.fixture(r.Game)
	first, second := s.config.Players[f.sides[0]].Name, s.config.Players[f.sides[1]].Name
	if r.First != first || r.Second != second || r.Opening != f.opening {
		return fmt.Errorf("game %d is %s against %s in the match, and here %s against %s", r.Game, first, second, r.First, r.Second)
	}
	if r.Round != f.round || r.Pair != f.pair {
		return fmt.Errorf("game %d is of round %d in the match, and here of round %d", r.Game, f.round, r.Round)
	}
	if r.Result != firstWins && r.Result != secondWins && r.Result != drawn {
		return fmt.Errorf("game %d has no result", r.Game)
	}
	return nil
}

// newPly returns a move that an engine has made.
func newPly(pos engine.Position, line engine.Line, took time.Duration) Ply {
	return Ply{
		Move: pos.Format(line.Move()), By: pos.Turn().String(), ScoreJSON: line.Score.JSON(),
		Depth: line.Depth, Nodes: line.Nodes, Seconds: secondsOf(took),
	}
}
