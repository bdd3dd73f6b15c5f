package qhplugin

import (
	"context"
	"fmt"
	"slices"

	"qhsh/engine"
	"qhsh/engine/xiangqi"
	"qhsh/pluginclient"
)

// Perft returns the number of sequences of legal moves of the given length from pos that the plugin
// plays and takes back. At each position it is also offered the other moves in the manner of a piece, such as
// those of a horse whose leg is blocked. The error of one that it plays, or of a legal one that it
// refuses, names the position, and wraps pluginclient.ErrInvalidReply.
func (c *Client) Perft(ctx context.Context, pos engine.Position, depth int) (int64, error) {
	board, err := asXiangqi(pos)
	if err != nil {
		return 0, err
	}
	return pluginclient.CallStarted(ctx, c.link, func(ctx context.Context) (int64, error) {
		if !c.info.Undo {
			return 0, fmt.Errorf("%w: it has no UNDO, and moves are counted by PLAY and UNDO", pluginclient.ErrRefused)
		}
		if err := c.setBoard(board); err != nil {
			return 0, err
		}
		c.board = nil
		n, err := c.countPlays(ctx, board, depth)
		if err == nil {
			c.board = board
		}
		return n, err
	})
}

func (c *Client) countPlays(ctx context.Context, pos *xiangqi.Position, depth int) (n int64, err error) {
	legal := pos.Moves()
	for _, m := range offeredMoves(pos) {
		if ctx.Err() != nil {
			return n, context.Cause(ctx)
		}
		if err := c.send(string(Play) + " " + m.ICCS()); err != nil {
			return n, err
		}
		answer, _, err := c.x.orderReply()
		isLegal, isPlayed := slices.Contains(legal, engine.Move(m)), parseReply(answer).word == OK
		switch {
		case err != nil:
			return n, err
		case isLegal && !isPlayed:
			return n, fmt.Errorf("%w: %q to %s, which is legal in %v", pluginclient.ErrInvalidReply, excerpt(answer), m, pos)
		case isPlayed && !isLegal:
			_, why := pos.PlayMove(m)
			return n, fmt.Errorf("%w: %q, although %w in %v", pluginclient.ErrInvalidReply, excerpt(answer), why, pos)
		case !isLegal:
			continue
		}
		if depth == 1 {
			n++
		} else if next, err := pos.PlayMove(m); err == nil {
			below, err := c.countPlays(ctx, next, depth-1)
			if n += below; err != nil {
				return n, err
			}
		}
		if err := c.order(string(Undo)); err != nil {
			return n, err
		}
	}
	return n, nil
}

// offeredMoves returns the moves of the pieces of the side to move, wherever they may go and whatever is
// in their way.
func offeredMoves(pos *xiangqi.Position) (moves []xiangqi.Move) {
	board := pos.Board()
	for from := range xiangqi.Square(files * ranks) {
		if !board.OccupiedBy(board.Side()).Has(from) {
			continue
		}
		for to := range xiangqi.Square(files * ranks) {
			across, along := abs(int(from)%files-int(to)%files), abs(int(from)/files-int(to)/files)
			moving := across+along == 1 // king, pawn
			switch board.At(from).Kind() {
			case xiangqi.Rook, xiangqi.Cannon:
				moving = across*along == 0 && from != to
			case xiangqi.Horse:
				moving = across*along == 2
			case xiangqi.Elephant:
				moving = across == 2 && along == 2
			case xiangqi.Advisor:
				moving = across == 1 && along == 1
			}
			if moving {
				moves = append(moves, xiangqi.NewMove(from, to))
			}
		}
	}
	return moves
}

func abs(n int) int { return max(n, -n) }
