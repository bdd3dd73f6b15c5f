package batch

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"qhsh/engine"
)

// nameByOp sets the ID from the operation id, if it is not set. Without quotes it may be a number.
func (i *Item) nameByOp(ops []Op) {
	if op, ok := findOp(ops, opID); ok && i.ID == "" {
		i.ID, i.IDNumber = op.text(), isNumeric(op.Args)
	}
}

// movesOf parses the moves of an operation, or the given ones. A move that appears twice, such as
// in two notations, counts once.
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

// nameMove converts a move to the game's notation, ignoring annotations such as + or !.
func nameMove(game engine.Game, pos engine.Position, text string) (string, error) {
	m, err := ReadMove(game, pos, text)
	if err != nil {
		if bare := strings.TrimRight(text, "+#!?"); bare != text {
			return nameMove(game, pos, bare)
		}
		return "", err
	}
	return pos.Format(m), nil
}

// Solved reports whether the best hint is in BM, if any, and not in AM; or, where there are neither, whether
// it is a mate in at most the moves of the operation dm. scored reports whether the position has one of
// these and there is a hint. A line of EPD that is read back says it itself, since its dm is the engine's.
func (a Answer) Solved() (solved, scored bool) {
	if op, ok := findOp(a.Ops, opSolved); ok {
		return op.text() == "1", op.text() != engineBest
	}
	mate := a.mateToFind()
	if a.Err != nil || len(a.Hints) == 0 || len(a.BM)+len(a.AM)+mate == 0 {
		return false, false
	}
	best := a.Hints[0]
	if len(a.BM)+len(a.AM) == 0 {
		moves, isMate := best.Score.Mate()
		return isMate && 0 < moves && moves <= mate, true
	}
	found := len(a.BM) == 0 || slices.Contains(a.BM, best.Move)
	return found && !slices.Contains(a.AM, best.Move), true
}

// mateToFind returns the number of moves of the operation dm, or 0. Beside operations of an analysis dm
// is the engine's.
func (i *Item) mateToFind() (moves int) {
	for _, op := range i.Ops {
		_, _, ofHint := hintOp(op.Code)
		switch {
		case op.Code == opMate:
			moves, _ = strconv.Atoi(op.text())
		case ofHint || i.Unscored != nil:
			return 0
		}
	}
	return max(moves, 0)
}

// OtherOps returns the operations that no field of the Item represents.
func (i *Item) OtherOps() []Op {
	said := []string{opID}
	if i.Unscored == nil {
		said = append(said, opBest, opAvoid)
	}
	return withoutOps(i.Ops, said...)
}
