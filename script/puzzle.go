package script

import (
	"errors"
	"fmt"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"qhsh/engine"
	"qhsh/pluginclient"
	"qhsh/pluginclient/task/batch"
	"qhsh/pluginclient/task/puzzle"
)

// gamePuzzles implements game.puzzles.
func gamePuzzles(g *game, c *call) (starlark.Value, error) {
	var v *engineValue
	o := puzzle.Options{Prove: puzzle.DefaultProve, Min: 1, Thresholds: puzzle.DefaultThresholds()}
	scale := batch.DefaultScale
	if err := c.unpack(&v, &o.Prove, &o.Min, &o.Max, &o.Thresholds.Win, &o.Thresholds.Other, &scale); err != nil {
		return nil, err
	}
	o.Scale = float64(scale)
	err := checkScale(scale)
	if t := o.Thresholds; !(0 <= t.Other && t.Other < t.Win && t.Win <= 1) {
		err = fmt.Errorf("win %v, other %v: want chances from 0 to 1, and other below win", t.Win, t.Other)
	}
	var found []starlark.Value
	if err == nil {
		found, err = findPuzzles(taskOf(c.thread), g, v, o)
	}
	if err != nil {
		return nil, fmt.Errorf("puzzles: %w", err)
	}
	return starlark.NewList(found), nil
}

// findPuzzles returns the puzzles of the main line of a game. They are looked for at the engine's level.
func findPuzzles(t *task, g *game, v *engineValue, o puzzle.Options) (found []starlark.Value, err error) {
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
	composer := &puzzle.Composer{Options: o, Engine: batch.NewSessionAsker(s, t.asking(), engine.Limits{Level: o.Prove, Time: o.Time})}
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

var _ starlark.Comparable = (*puzzleValue)(nil)

// played returns the move of the game; None at its end.
func (p *puzzleValue) played() starlark.Value {
	if next := p.node.next(); len(next) > 0 {
		return next[0].move()
	}
	return starlark.None
}

// board returns a new board without the moves before the position.
func (p *puzzleValue) board() (starlark.Value, error) {
	pos, err := p.node.pos.Game().Position(p.node.pos.String())
	if err != nil {
		return nil, err
	}
	return p.node.kind.newBoard(pos), nil
}

// String returns a summary: "ply 12: H2-E2, mate, grade 3".
func (p *puzzleValue) String() string {
	return fmt.Sprintf("ply %d: %s, %s, grade %d", p.node.ply, p.Solution.Move, p.Kind, p.Grade())
}

func (p *puzzleValue) Type() string                             { return "puzzle" }
func (p *puzzleValue) Freeze()                                  {} // it never changes
func (p *puzzleValue) Truth() starlark.Bool                     { return true }
func (p *puzzleValue) class() *class                            { return puzzleClass }
func (p *puzzleValue) Attr(name string) (starlark.Value, error) { return puzzleClass.attr(p, name) }
func (p *puzzleValue) AttrNames() []string                      { return puzzleClass.attrNames(p) }
func (p *puzzleValue) Hash() (uint32, error)                    { return p.node.Hash() }

// CompareSameType compares identity.
func (p *puzzleValue) CompareSameType(op syntax.Token, other starlark.Value, _ int) (bool, error) {
	return compareEqual(op, p == other.(*puzzleValue), "puzzle")
}

// MarshalJSON returns the position with its solution and the best other move as hints.
func (p *puzzleValue) MarshalJSON() ([]byte, error) {
	out := jsonPuzzle{
		FEN: p.node.pos.String(), Ply: p.node.ply, Kind: string(p.Kind), End: p.End, Length: p.Length, Found: p.Level, Grade: p.Grade(),
		Hints: []batch.HintJSON{p.Solution.JSON(), p.Other.JSON()},
	}
	out.Played, _ = starlark.AsString(p.played())
	return marshal(out)
}

var puzzleClass = newClass("Puzzle",
	`A position of a game in which exactly one move wins, from game.puzzles(engine). Puzzles are immutable and equal only to themselves. In JSON a puzzle is an object with fen, ply, played, kind, end, length, found, grade and hints: the solution and the best other move.`,
	attribute("board: Board", `A new board with the position, without the moves before it.`,
		(*puzzleValue).board),
	attribute("ply: int", `The number of moves of the game before the position.`,
		func(p *puzzleValue) (starlark.Value, error) { return starlark.MakeInt(p.node.ply), nil }),
	attribute("played: str | None", `The move of the game. None at its end.`,
		func(p *puzzleValue) (starlark.Value, error) { return p.played(), nil }),
	attribute("solution: Hint", `The winning move. Its pv is the solution, which ends with a move of the solver.`,
		func(p *puzzleValue) (starlark.Value, error) { return &hint{p.Solution}, nil }),
	attribute("other: Hint", `The best other move.`,
		func(p *puzzleValue) (starlark.Value, error) { return &hint{p.Other}, nil }),
	attribute("kind: str", `What is won: "mate" by the rules, "repetition" if the other side can hold out only by perpetual check or chase and loses by it, or "advantage".`,
		func(p *puzzleValue) (starlark.Value, error) { return starlark.String(p.Kind), nil }),
	attribute("end: str", `How the game is over then, such as "checkmate". Empty for an advantage.`,
		func(p *puzzleValue) (starlark.Value, error) { return starlark.String(p.End), nil }),
	attribute("length: int", `The number of moves of the solver.`,
		func(p *puzzleValue) (starlark.Value, error) { return starlark.MakeInt(p.Length), nil }),
	attribute("found: int", `The lowest level that finds the first move, as do all levels from there on.`,
		func(p *puzzleValue) (starlark.Value, error) { return starlark.MakeInt(p.Level), nil }),
	attribute("grade: int", `The difficulty: found + length - 1. 1 is the easiest.`,
		func(p *puzzleValue) (starlark.Value, error) { return starlark.MakeInt(p.Grade()), nil }),
)
