package gamefile

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"iter"
	"slices"

	"qhsh/engine"
	"qhsh/engine/xiangqi"
)

// A Game is a complete game.
type Game struct {
	Number  uint64 // with the terms of its file it determines the game
	FEN     string // start position; empty: the usual one
	Opening []xiangqi.Move
	Plies   []Ply // moves after the opening
	Result  engine.Result
}

// A Ply is a move with the score of the position before it.
type Ply struct {
	Move  xiangqi.Move
	Score Score
}

// reasons are the reasons of results that have a number; the package comment gives them,
// too. A new one goes to the end, and there is room for 63.
var reasons = [...]string{
	"", "checkmate", "stalemate", "repetition", "perpetual check", "perpetual attack", "perpetual chase",
	"mutual perpetual check", "mutual perpetual attack", "mutual perpetual chase",
	"50-move limit", "60-move limit", "lack of attackers", ByScore, ByLength,
}

// Reasons of results that no rule of the game gives.
const (
	ByScore  = "score"  // one side was far ahead for some time, or neither was
	ByLength = "length" // the game was ended by its length
)

func (g *Game) appendBody(b []byte) []byte {
	b = binary.AppendUvarint(b, g.Number)
	reason := max(0, slices.Index(reasons[:], g.Result.Reason))
	b = append(b, byte(g.Result.Outcome)|byte(reason)<<2)
	b = binary.AppendUvarint(b, uint64(len(g.FEN)))
	b = append(b, g.FEN...)
	b = binary.AppendUvarint(b, uint64(len(g.Opening)))
	for _, m := range g.Opening {
		b = binary.LittleEndian.AppendUint16(b, uint16(m))
	}
	for _, p := range g.Plies {
		b = binary.LittleEndian.AppendUint16(b, uint16(p.Move))
		b = binary.LittleEndian.AppendUint16(b, uint16(p.Score))
	}
	return b
}

// Sum returns a checksum of the game, including its number. A sum of such checksums does not depend
// on the order of games.
func (g *Game) Sum() uint64 {
	h := fnv.New64a()
	_, _ = h.Write(g.appendBody(nil)) // it never fails
	return h.Sum64()
}

var errBody = errors.New("complete block, but not a game")

// parseGame parses the body of a block. It does not keep b.
func parseGame(b []byte) (*Game, error) {
	p, ok := split(b)
	if !ok {
		return nil, errBody
	}
	g := &Game{Number: p.number, FEN: string(p.fen)}
	g.Result.Outcome = engine.Outcome(p.result & 3)
	if reason := int(p.result >> 2); reason < len(reasons) {
		g.Result.Reason = reasons[reason]
	}
	g.Opening = make([]xiangqi.Move, len(p.opening)/2)
	for i := range g.Opening {
		g.Opening[i] = xiangqi.Move(binary.LittleEndian.Uint16(p.opening[2*i:]))
	}
	g.Plies = make([]Ply, len(p.plies)/4)
	for i := range g.Plies {
		v := binary.LittleEndian.Uint32(p.plies[4*i:])
		g.Plies[i] = Ply{xiangqi.Move(v), Score(v >> 16)}
	}
	return g, nil
}

// bodyFields are the fields of a body.
type bodyFields struct {
	number              uint64
	result              byte
	fen, opening, plies []byte
}

func split(b []byte) (p bodyFields, ok bool) {
	if p.number, b, ok = cutUvarint(b); !ok || len(b) == 0 {
		return p, false
	}
	p.result = b[0]
	n, b, ok := cutUvarint(b[1:])
	if !ok || n > uint64(len(b)) {
		return p, false
	}
	p.fen, b = b[:n], b[n:]
	if n, b, ok = cutUvarint(b); !ok || n > uint64(len(b))/2 {
		return p, false
	}
	p.opening, p.plies = b[:2*n], b[2*n:]
	return p, len(p.plies)%4 == 0
}

// plausible reports whether a body looks like a game: its fields are complete, its FEN has ten
// ranks, and no move leaves the board.
func plausible(b []byte) bool {
	p, ok := split(b)
	return ok && (len(p.fen) == 0 || bytes.Count(p.fen, []byte("/")) == 9) &&
		onBoard(p.opening, 2) && onBoard(p.plies, 4)
}

// onBoard reports whether the moves, one in each step bytes, start and end on the board.
func onBoard(b []byte, step int) bool {
	for ; len(b) > 0; b = b[step:] {
		const points = 90
		if m := xiangqi.Move(binary.LittleEndian.Uint16(b)); m>>7 >= points || m&127 >= points || m>>7 == m&127 {
			return false
		}
	}
	return true
}

func cutUvarint(b []byte) (v uint64, rest []byte, ok bool) {
	v, n := binary.Uvarint(b)
	if n <= 0 {
		return 0, b, false
	}
	return v, b[n:], true
}

// Start returns the position after the opening, with the opening as its history.
func (g *Game) Start() (*xiangqi.Position, error) {
	pos := xiangqi.Start()
	if g.FEN != "" {
		var err error
		if pos, err = xiangqi.ParseFEN(g.FEN); err != nil {
			return nil, fmt.Errorf("game %d: %w", g.Number, err)
		}
	}
	for i, m := range g.Opening {
		next, err := pos.PlayMove(m)
		if err != nil {
			return nil, fmt.Errorf("game %d, move %d of the opening: %w", g.Number, i+1, err)
		}
		pos = next
	}
	return pos, nil
}

// Positions yields the game's plies, each with the position it was played in. The board is
// the same every time, and valid until the next step. An error says which move is illegal,
// and ends it.
func (g *Game) Positions() iter.Seq2[Position, error] {
	return func(yield func(Position, error) bool) {
		start, err := g.Start()
		if err != nil {
			yield(Position{}, err)
			return
		}
		b := start.Board()
		for i, p := range g.Plies {
			if !b.Legal(p.Move) {
				yield(Position{}, fmt.Errorf("game %d, ply %d: %v is illegal", g.Number, i+1, p.Move))
				return
			}
			if !yield(Position{b, p.Move, p.Score}, nil) {
				return
			}
			b.Do(p.Move)
		}
	}
}

// A Position is the board that a ply was played on, with its history, and the ply.
type Position struct {
	*xiangqi.Board
	Move  xiangqi.Move
	Score Score
}

// End returns the last position of the game, with its history.
func (g *Game) End() (*xiangqi.Position, error) {
	pos, err := g.Start()
	for i := 0; i < len(g.Plies) && err == nil; i++ {
		if pos, err = pos.PlayMove(g.Plies[i].Move); err != nil {
			err = fmt.Errorf("game %d, ply %d: %w", g.Number, i+1, err)
		}
	}
	return pos, err
}
