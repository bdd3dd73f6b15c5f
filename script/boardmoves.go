package script

import (
	"errors"
	"fmt"

	"go.starlark.net/starlark"

	"qhsh/engine"
	"qhsh/engine/games"
	"qhsh/engine/xiangqi"
	"qhsh/engine/xiangqi/notation"
)

func push(b *board, c *call) (starlark.Value, error) {
	var text string
	if err := c.unpack(&text); err != nil {
		return nil, err
	}
	if err := b.thaw(c); err != nil {
		return nil, err
	}
	next, err := play(b.pos, text)
	if err != nil {
		return nil, b.at(c, err)
	}
	b.pos = next
	return starlark.None, nil
}

func pop(b *board, c *call) (starlark.Value, error) {
	if err := c.unpack(); err != nil {
		return nil, err
	}
	if err := b.thaw(c); err != nil {
		return nil, err
	}
	before, move, err := takeBack(b.pos)
	if err != nil {
		return nil, b.at(c, err)
	}
	b.pos = before
	return move, nil
}

func copyBoard(b *board, c *call) (starlark.Value, error) {
	if err := c.unpack(); err != nil {
		return nil, err
	}
	return newBoard(b.pos), nil
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
			return nil, fmt.Errorf("play: move %d is a %s; want a string (a list is played with play(*moves))", i+1, move.Type())
		}
		if pos, err = play(pos, text); err != nil {
			return nil, b.at(c, fmt.Errorf("move %d: %w", i+1, err))
		}
	}
	return newBoard(pos), nil
}

// legalMove reads the argument of a method that takes one legal move.
func (b *board) legalMove(c *call) (engine.Move, error) {
	var text string
	if err := c.unpack(&text); err != nil {
		return engine.NoMove, err
	}
	m, err := parseMove(b.pos, text)
	if err != nil {
		return engine.NoMove, b.at(c, err)
	}
	return m, nil
}

func parse(b *board, c *call) (starlark.Value, error) {
	m, err := b.legalMove(c)
	if err != nil {
		return nil, err
	}
	return moveValue(b.pos.Format(m)), nil
}

func isLegal(b *board, c *call) (starlark.Value, error) {
	var text string
	if err := c.unpack(&text); err != nil {
		return nil, err
	}
	_, err := parseMove(b.pos, text)
	if errors.Is(err, engine.ErrMalformed) || isAmbiguous(err) {
		return nil, b.at(c, err)
	}
	return starlark.Bool(err == nil), nil
}

// isAmbiguous tells whether a text may stand for several legal moves.
func isAmbiguous(err error) bool {
	var several *notation.Error
	return errors.As(err, &several) && len(several.Moves) > 1
}

// inStyle is a method that writes a legal move.
func inStyle(style notation.Style) func(*board, *call) (starlark.Value, error) {
	return xiangqiMethod(func(p *xiangqi.Position, m xiangqi.Move) starlark.Value {
		return starlark.String(notation.Format(p.Board(), m, style))
	})
}

// xiangqiMethod is a method of one legal move that boards of Xiangqi alone have.
func xiangqiMethod(answer func(*xiangqi.Position, xiangqi.Move) starlark.Value) func(*board, *call) (starlark.Value, error) {
	return func(b *board, c *call) (starlark.Value, error) {
		p, err := b.xiangqi(c.fn.Name())
		if err != nil {
			return nil, err
		}
		m, err := b.legalMove(c)
		if err != nil {
			return nil, err
		}
		return answer(p, xiangqi.Move(m)), nil
	}
}

var (
	uci = xiangqiMethod(func(_ *xiangqi.Position, m xiangqi.Move) starlark.Value {
		return starlark.String(m.UCI())
	})
	isCapture = xiangqiMethod(func(p *xiangqi.Position, m xiangqi.Move) starlark.Value {
		return starlark.Bool(p.At(m.To()) != xiangqi.Empty)
	})
	givesCheck = xiangqiMethod(func(p *xiangqi.Position, m xiangqi.Move) starlark.Value {
		return starlark.Bool(p.Board().GivesCheck(m))
	})
)

func isRepetition(b *board, c *call) (starlark.Value, error) {
	count := 3
	if err := c.unpack(&count); err != nil {
		return nil, err
	}
	p, err := b.xiangqi(c.fn.Name())
	if err != nil {
		return nil, err
	}
	return starlark.Bool(p.Board().Occurrences()+1 >= count), nil
}

// maxPerft is far beyond what anybody can wait for.
const maxPerft = 100

func perft(b *board, c *call) (starlark.Value, error) {
	var depth int
	if err := c.unpack(&depth); err != nil {
		return nil, err
	}
	if depth < 0 || depth > maxPerft {
		return nil, b.at(c, fmt.Errorf("depth %d: want 0 to %d", depth, maxPerft))
	}
	n, err := games.Default.Perft(taskOf(c.thread).ctx, b.pos, depth)
	if err != nil {
		return nil, b.at(c, err)
	}
	return starlark.MakeInt64(n), nil
}
