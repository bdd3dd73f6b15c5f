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
// out, it has at most Thresholds.Other. Chances are those of [batch.WinChance].
//
// Searches are made at two levels. At Options.Scan, which is cheap, most positions are dismissed after
// one search, and all but candidates after a second. In a game a candidate must also have been made by
// the move before it: if the side to move had more than Thresholds.Other before, the win was found
// earlier, or is only kept. At Options.Prove the solution is found: the best move, if it still wins and no
// other does, then the other side's best reply, and so on, until the win is over or another move wins,
// too. The last move of a solution is a choice: moves without an alternative are cut from its end, and
// a position with one legal move is no puzzle.
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
	"fmt"

	"qhsh/engine"
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
	Kind     Kind
	End      string     // why the game is over at the end of the line, such as "checkmate"; empty for an advantage
	Length   int        // moves of the solver
	Level    int        // the lowest at which the first move is found
	Solution batch.Hint // its PV is the solution, its Score that of the first move
	Other    batch.Hint // the best other move
}

// Grade returns the difficulty, from 1.
func (p *Puzzle) Grade() int { return p.Level + p.Length - 1 }

// A note is what a Reply says of a puzzle in the Text of its first Hint.
type note struct {
	Kind   Kind   `json:"kind"`
	End    string `json:"end,omitempty"`
	Length int    `json:"length"`
	Level  int    `json:"level"`
}

// hints returns the puzzle in the form of a Reply; none if p is nil.
func (p *Puzzle) hints() ([]batch.Hint, error) {
	if p == nil {
		return nil, nil
	}
	text, err := json.Marshal(note{p.Kind, p.End, p.Length, p.Level})
	first := p.Solution
	first.Text = string(text)
	return []batch.Hint{first, p.Other}, err
}

// parseHints returns the puzzle of a Reply that has hints.
func parseHints(hints []batch.Hint) (*Puzzle, error) {
	var n note
	if err := json.Unmarshal([]byte(hints[0].Text), &n); err != nil || len(hints) != 2 {
		return nil, fmt.Errorf("not a puzzle: %q", batch.Excerpt(hints[0].Text))
	}
	p := &Puzzle{Kind: n.Kind, End: n.End, Length: n.Length, Level: n.Level, Solution: hints[0], Other: hints[1]}
	p.Solution.Text = ""
	return p, nil
}

// Thresholds are chances of winning, from 0 to 1.
type Thresholds struct {
	Win   float64 // the solution has at least this
	Other float64 // all other moves have at most this
}

// withoutHistory returns a position as its text describes it.
func withoutHistory(pos engine.Position) (engine.Position, error) {
	return pos.Game().Position(pos.String())
}
