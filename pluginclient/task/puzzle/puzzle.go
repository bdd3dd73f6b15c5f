// Package puzzle finds positions of games in which exactly one move wins.
//
// A [Composer] is a [batch.Asker]: asked about a position, it replies with the puzzle that starts
// there, or with no hints. So the runs, logs, inputs and outputs of package batch serve puzzles, too,
// and positions are distributed, resumed and written as those of any other run. [Output.Format] turns the
// replies of a run into puzzles in the formats of package batch.
//
// # What a puzzle is
//
// A puzzle is a position without its history: what is written is all that counts. Its side to move
// has a winning chance of at least Thresholds.Win; without its best move, which a second search leaves
// out, it has at most Thresholds.Other. Chances are those of [engine.Score.Chance].
//
// Searches are made at two levels. At Options.Scan, which is cheap, most positions are dismissed after
// one search, and all but candidates after a second. In a game a candidate must also have been made by
// the move before it: if the side to move had more than Thresholds.Other before, the win was found
// earlier, or is only kept. At Options.Prove the solution is found: the best move, if it still wins and no
// other does, then the other side's best reply, and so on, until the win is over or another move wins,
// too. The last move of a solution is a choice: moves without an alternative are cut from its end, and
// a position with one legal move is no puzzle. A solution of one move that takes a piece is usually no more than to
// see that it hangs, so Options.Captures leaves it out unless it mates.
//
// # What is won
//
// After the solution both sides play their best moves up to the end of the game, if the engine
// announces one. What is found there is the [Kind]. A mate is a [Mate] only if this line ends in a
// position without legal moves. A game that the other side can hold only by a forbidden repetition, such
// as perpetual check, is a [Repetition], which no engine's mate score hides: a mate that cannot be played
// out is no puzzle. All else is an [Advantage].
//
// # Grades
//
// A puzzle has the number of its solver's moves, and the lowest level at which the engine finds the
// first one, and at all levels above it up to Prove. Their sum less one is its grade: 1 is a single
// move that level 1 finds.
package puzzle

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"qhsh/pluginclient/task/batch"
)

// A Kind is what the solver of a puzzle gets.
type Kind string

// The kinds.
const (
	Mate       Kind = "mate"       // a win by the rules within a number of moves
	Repetition Kind = "repetition" // the other side can hold out only by a repetition that loses
	Advantage  Kind = "advantage"  // a decisive one
)

// A Puzzle is a position in which one move wins, and its solution.
type Puzzle struct {
	Kind     Kind       `json:"kind"`
	End      string     `json:"end,omitempty"` // why the game is over at the end of the line, such as "checkmate"; empty for an advantage
	Length   int        `json:"length"`        // moves of the solver
	Level    int        `json:"level"`         // the lowest at which the first move is found
	Solution batch.Hint `json:"-"`             // its PV is the solution, its Score that of the first move
	Other    batch.Hint `json:"-"`             // the best other move
}

// Grade returns the difficulty, from 1.
func (p *Puzzle) Grade() int { return p.Level + p.Length - 1 }

// hints returns the puzzle in the form of a Reply, as JSON in the Text of its first Hint; none if p is nil.
func (p *Puzzle) hints() ([]batch.Hint, error) {
	if p == nil {
		return nil, nil
	}
	text, err := json.Marshal(p)
	first := p.Solution
	first.Text = string(text)
	return []batch.Hint{first, p.Other}, err
}

// Thresholds are chances of winning, from 0 to 1.
type Thresholds struct {
	Win   float64 // the solution has at least this
	Other float64 // all other moves have at most this
}

// DefaultThresholds returns 80 %, as for +5.00, and 55 %, as for +0.84.
func DefaultThresholds() Thresholds { return Thresholds{Win: .80, Other: .55} }

// ParseThresholds parses two percentages, such as "80,55".
func ParseThresholds(text string) (Thresholds, error) {
	win, other, _ := strings.Cut(text, ",")
	w, err := strconv.ParseFloat(strings.TrimSpace(win), 64)
	o, otherErr := strconv.ParseFloat(strings.TrimSpace(other), 64)
	if err != nil || otherErr != nil || !(0 <= o && o < w && w <= 100) {
		return Thresholds{}, errors.New("want two percentages, the winning move's and, below it, that of all others, such as 80,55")
	}
	return Thresholds{w / 100, o / 100}, nil
}

// String formats the thresholds in the syntax of ParseThresholds.
func (t Thresholds) String() string { return fmt.Sprintf("%.4g,%.4g", 100*t.Win, 100*t.Other) }
