package script

import (
	"errors"
	"fmt"

	"go.starlark.net/starlark"

	"qhsh/engine"
	"qhsh/engine/games"
	"qhsh/engine/record"
)

func push(b *board, c *call) (starlark.Value, error) {
	var text string
	if err := c.unpack(&text); err != nil {
		return nil, err
	}
	if err := b.checkMutable(c); err != nil {
		return nil, err
	}
	next, err := b.kind.play(b.pos, text)
	if err != nil {
		return nil, b.at(c, err)
	}
	b.pos = next
	return starlark.None, nil
}

func pop(b *board, c *call) (starlark.Value, error) {
	if err := b.checkMutable(c); err != nil {
		return nil, err
	}
	before, move, err := b.kind.takeBack(b.pos)
	if err != nil {
		return nil, b.at(c, err)
	}
	b.pos = before
	return move, nil
}

func copyBoard(b *board, _ *call) (starlark.Value, error) {
	return b.kind.newBoard(b.pos), nil
}

func playMoves(b *board, c *call) (starlark.Value, error) {
	moves, err := c.rest()
	if err != nil {
		return nil, err
	}
	pos := b.pos
	for i, move := range moves {
		text, ok := starlark.AsString(move)
		if !ok {
			return nil, fmt.Errorf("play: move %d is a %s; want a string (for a list use play(*moves))", i+1, move.Type())
		}
		if pos, err = b.kind.play(pos, text); err != nil {
			return nil, b.at(c, fmt.Errorf("move %d: %w", i+1, err))
		}
	}
	return b.kind.newBoard(pos), nil
}

func isLegal(b *board, c *call) (starlark.Value, error) {
	var text string
	if err := c.unpack(&text); err != nil {
		return nil, err
	}
	_, err := b.kind.ReadMove(b.pos, text)
	if errors.Is(err, engine.ErrMalformed) || isAmbiguous(err) {
		return nil, b.at(c, err)
	}
	return starlark.Bool(err == nil), nil
}

// isAmbiguous reports whether a text can mean several legal moves.
func isAmbiguous(err error) bool {
	var choice record.AmbiguousMove
	return errors.As(err, &choice) && len(choice.Choices()) > 1
}

func isRepetition(g *games.Row, b *board, c *call) (starlark.Value, error) {
	count := 3
	if err := c.unpack(&count); err != nil {
		return nil, err
	}
	return starlark.Bool(g.Occurrences(b.pos) >= count), nil
}

// maxPerft is the maximum depth, far beyond what is feasible.
const maxPerft = 100

func perft(b *board, c *call) (starlark.Value, error) {
	var depth int
	if err := c.unpack(&depth); err != nil {
		return nil, err
	}
	if depth < 0 || depth > maxPerft {
		return nil, b.at(c, fmt.Errorf("depth %d: want 0 to %d", depth, maxPerft))
	}
	n, err := b.kind.Perft(taskOf(c.thread).ctx, b.pos, depth)
	if err != nil {
		return nil, b.at(c, err)
	}
	return starlark.MakeInt64(n), nil
}

// odds returns the moves of chance with their probabilities.
func odds(b *board) (starlark.Value, error) {
	p, ok := b.pos.(engine.Odds)
	if !ok || b.pos.Turn() != engine.Chance {
		return starlark.NewDict(0), nil
	}
	return dictOf(b.pos.Moves(), func(m engine.Move) (key, value starlark.Value) {
		return starlark.String(b.pos.Format(m)), starlark.Float(p.Odds(m))
	}), nil
}
