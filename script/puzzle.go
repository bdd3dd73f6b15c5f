package script

import (
	"errors"
	"fmt"

	"qhsh/engine"
	"qhsh/engine/printable"
	"qhsh/pluginclient"
	"qhsh/pluginclient/task/batch"
	"qhsh/pluginclient/task/puzzle"
)

func (g *game) puzzles(t *task, v *engineValue, prove, least, most int, win, other float64, scale int, captures bool) (found []*puzzleValue, err error) {
	o := puzzle.Options{Prove: prove, Min: least, Max: most, Thresholds: puzzle.DefaultThresholds(), Scale: float64(scale)}
	o.Thresholds.Win, o.Thresholds.Other = win, other
	if !captures {
		o.Captures = g.kind.Row(g.kind.game).Captures
	}
	if !(0 <= other && other < win && win <= 1) {
		return nil, fmt.Errorf("win %v, other %v: want chances from 0 to 1, and other below win", win, other)
	}
	if err := checkScale(scale); err != nil {
		return nil, err
	}
	if _, err := g.kind.ForcedWin(g.kind.game); err != nil {
		return nil, err
	}
	s, err := v.sessionFor(t, g)
	if err != nil {
		return nil, err
	}
	if o.Scan, err = scanLevel(s, v.limits, o.Prove); err != nil {
		return nil, err
	}
	o.Levels, o.Time = s.Info().Levels, v.limits.Time
	o.Known = g.kind.Known(g.kind.game)
	composer := &puzzle.Composer{Options: o, Engine: batch.SessionAsker{Session: s, Policy: t.asking(), Limits: engine.Limits{Level: o.Prove, Time: o.Time}}}
	seen := map[uint64]bool{}
	for _, n := range g.nodes(false) {
		p, err := composer.Compose(t.ctx, n.pos)
		if err != nil {
			return nil, fmt.Errorf("%w (position %s)", err, n.pos)
		}
		if p == nil || seen[n.pos.Key()] {
			continue
		}
		seen[n.pos.Key()] = true
		found = append(found, &puzzleValue{p, n})
	}
	return found, nil
}

// scanLevel returns the level of an engine, at which puzzles are looked for. They are proved at
// another one.
func scanLevel(s pluginclient.Session, lim engine.Limits, prove int) (int, error) {
	level, known := s.Level()
	switch {
	case lim.Nodes > 0 || lim.Depth > 0:
		return 0, errors.New("puzzles are found at levels: use engine(level=...) without nodes and depth")
	case !known:
		return 0, errors.New("the level of the engine is not known: use engine(level=...)")
	case prove < level:
		return 0, fmt.Errorf("prove %d is below the engine's level %d", prove, level)
	}
	return level, s.Info().CheckLevel(prove)
}

// A puzzleValue is a position of a game in which one move wins.
type puzzleValue struct {
	*puzzle.Puzzle
	node gameNode
}

// played returns the move of the game; empty at its end.
func (p *puzzleValue) played() string {
	if next := p.node.next(); len(next) > 0 {
		return next[0].name
	}
	return ""
}

// board returns a new board without the moves before the position.
func (p *puzzleValue) board() (*board, error) {
	pos, err := engine.WithoutHistory(p.node.pos)
	if err != nil {
		return nil, err
	}
	return p.node.kind.newBoard(pos), nil
}

// String returns a summary: "ply 12: H2-E2, mate, grade 3".
func (p *puzzleValue) String() string {
	return fmt.Sprintf("ply %d: %s, %s, grade %d", p.node.ply, p.Solution.Move, p.Kind, p.Grade())
}

func (p *puzzleValue) class() *class { return puzzleClass }

// MarshalJSON returns the position with its solution and the best other move as hints.
func (p *puzzleValue) MarshalJSON() ([]byte, error) {
	return printable.JSON(struct {
		FEN    string           `json:"fen"`
		Ply    int              `json:"ply"`
		Played string           `json:"played,omitempty"`
		Kind   string           `json:"kind"`
		End    string           `json:"end,omitempty"`
		Length int              `json:"length"`
		Found  int              `json:"found"`
		Grade  int              `json:"grade"`
		Hints  []batch.HintJSON `json:"hints"`
	}{
		p.node.pos.String(), p.node.ply, p.played(), string(p.Kind), p.End, p.Length, p.Level, p.Grade(),
		[]batch.HintJSON{p.Solution.JSON(), p.Other.JSON()},
	})
}

var puzzleClass = newClass("Puzzle",
	`A position of a game in which exactly one move wins, from game.puzzles(engine). Puzzles are immutable and equal only to themselves. In JSON a puzzle is an object with fen, ply, played, kind, end, length, found, grade and hints: the solution and the best other move.`,
	fallible("board: Board", `A new board with the position, without the moves before it.`,
		(*puzzleValue).board),
	attribute("ply: int", `The number of moves of the game before the position.`,
		func(p *puzzleValue) int { return p.node.ply }),
	attribute("played: str | None", `The move of the game. None at its end.`,
		(*puzzleValue).played),
	attribute("solution: Hint", `The winning move. Its pv is the solution, which ends with a move of the solver.`,
		func(p *puzzleValue) *hint { return &hint{p.Solution} }),
	attribute("other: Hint", `The best other move.`,
		func(p *puzzleValue) *hint { return &hint{p.Other} }),
	attribute("kind: str", `What is won: "mate" by the rules, "repetition" if the other side can hold out only by perpetual check or chase and loses by it, or "advantage".`,
		func(p *puzzleValue) string { return string(p.Kind) }),
	attribute("end: str", `How the game is over then, such as "checkmate". Empty for an advantage.`,
		func(p *puzzleValue) string { return p.End }),
	attribute("length: int", `The number of moves of the solver.`,
		func(p *puzzleValue) int { return p.Length }),
	attribute("found: int", `The lowest level that finds the first move, as do all levels from there on.`,
		func(p *puzzleValue) int { return p.Level }),
	attribute("grade: int", `The difficulty: found + length - 1. 1 is the easiest.`,
		func(p *puzzleValue) int { return p.Grade() }),
)
