package batch

import (
	"fmt"
	"slices"
	"strings"

	"qhsh/engine"
)

// readOps takes from an item's operations what means something here. Moves to find or
// to avoid that cannot be read make no bad line of it: its hints are asked for all the
// same, but they are not scored.
// An answer that is read again has nothing to find in the engine's own bm.
func (i *Item) readOps(game engine.Game, r Record) {
	if hasEngineBest(i.Ops) {
		i.Ops = withoutOps(i.Ops, opBest, opSolved)
	}
	i.BM = i.movesOf(game, opBest, r.BM)
	i.AM = i.movesOf(game, opAvoid, r.AM)
	if i.Unscored != nil {
		i.BM, i.AM = nil, nil
	}
}

// nameByOp takes the id from operations, if there is none yet. One without quotes may be a number.
func (i *Item) nameByOp(ops []Op) {
	if op, ok := findOp(ops, opID); ok && i.ID == "" {
		i.ID, i.IDNumber = op.text(), isNumeric(op.Args)
	}
}

// movesOf reads the moves of an operation, or those that were given otherwise. A move that is named
// twice, such as in two notations, is one move.
func (i *Item) movesOf(game engine.Game, code string, given []string) []string {
	if op, ok := findOp(i.Ops, code); ok && len(given) == 0 {
		given = SplitMoves(op.text())
		if _, err := nameMove(game, i.Pos, op.text()); err == nil {
			given = []string{op.text()} // one move, which may contain a blank
		}
	}
	var moves []string
	for _, text := range engine.JoinMoves(game, given) {
		name, err := nameMove(game, i.Pos, text)
		if err != nil {
			i.Unscored = fmt.Errorf("%s: %w", code, err)
			return nil
		}
		if !slices.Contains(moves, name) {
			moves = append(moves, name)
		}
	}
	return moves
}

// nameMove reads a move, on which there may be a remark such as + or !, and writes it in
// the game's notation.
func nameMove(game engine.Game, pos engine.Position, text string) (string, error) {
	m, err := readMove(game, pos, text)
	if err != nil {
		if bare := strings.TrimRight(text, "+#!?"); bare != text {
			return nameMove(game, pos, bare)
		}
		return "", err
	}
	return pos.Format(m), nil
}

// Solved reports whether the best hint is one of the moves to find and none of those to
// avoid. It is scored if the position has such moves and there is a hint.
func (a Answer) Solved() (solved, scored bool) {
	if a.Err != nil || len(a.Hints) == 0 || len(a.BM)+len(a.AM) == 0 {
		return false, false
	}
	move := a.Hints[0].Move
	found := len(a.BM) == 0 || slices.Contains(a.BM, move)
	return found && !slices.Contains(a.AM, move), true
}

// OtherOps are the operations that the fields of an Item do not tell.
func (i *Item) OtherOps() []Op {
	said := []string{opID}
	if i.Unscored == nil {
		said = append(said, opBest, opAvoid)
	}
	return withoutOps(i.Ops, said...)
}
