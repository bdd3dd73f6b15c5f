package script

import (
	"errors"
	"fmt"

	"go.starlark.net/starlark"

	"qhsh/engine"
	"qhsh/engine/record"
)

func (b *board) push(text string) error {
	if b.frozen {
		return errFrozen
	}
	next, err := b.kind.play(b.pos, text)
	if err != nil {
		return b.at(err)
	}
	b.pos = next
	return nil
}

func (b *board) pop() (starlark.Value, error) {
	if b.frozen {
		return nil, errFrozen
	}
	before, last, err := engine.TakeBack(b.pos)
	if err == nil && last == engine.NoMove {
		err = errors.New("no move has been played on this board")
	}
	if err != nil {
		return nil, b.at(err)
	}
	b.pos = before
	return b.kind.move(before, last), nil
}

func (b *board) play(moves starlark.Tuple) (*board, error) {
	pos := b.pos
	for i, move := range moves {
		text, ok := starlark.AsString(move)
		if !ok {
			return nil, fmt.Errorf("move %d is a %s; want a string (for a list use play(*moves))", i+1, move.Type())
		}
		var err error
		if pos, err = b.kind.play(pos, text); err != nil {
			return nil, b.at(fmt.Errorf("move %d: %w", i+1, err))
		}
	}
	return b.kind.newBoard(pos), nil
}

func (b *board) isLegal(text string) (bool, error) {
	_, err := b.kind.ReadMove(b.pos, text)
	var choice record.AmbiguousMove // it can mean several legal moves
	if errors.Is(err, engine.ErrMalformed) || errors.As(err, &choice) && len(choice.Choices()) > 1 {
		return false, b.at(err)
	}
	return err == nil, nil
}

// maxPerft is the maximum depth, far beyond what is feasible.
const maxPerft = 100

func (b *board) perft(t *task, depth int) (int64, error) {
	if depth < 0 || depth > maxPerft {
		return 0, b.at(fmt.Errorf("depth %d: want 0 to %d", depth, maxPerft))
	}
	n, err := b.kind.Perft(t.ctx, b.pos, depth)
	if err != nil {
		return 0, b.at(err)
	}
	return n, nil
}

func (b *board) odds() *starlark.Dict {
	p, ok := b.pos.(engine.Odds)
	if !ok || b.pos.Turn() != engine.Chance {
		return starlark.NewDict(0)
	}
	return dictOf(b.pos.Moves(), func(m engine.Move) (string, float64) { return b.pos.Format(m), p.Odds(m) })
}
