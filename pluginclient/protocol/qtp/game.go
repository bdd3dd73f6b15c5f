package qtp

import (
	"errors"
	"fmt"
	"slices"

	"qhsh/engine"
	"qhsh/engine/quoridor"
	"qhsh/pluginclient"
)

// A game is the protocol's board with its history, of client and server: either colour may move at any
// time, even after a win.
type game struct {
	walls   int               // of each side after clear_board
	boards  []quoridor.Board  // from the start to the current board, without extra
	extra   [2]int            // walls of each side to add on every board
	actions []quoridor.Action // between the boards

	positions []*quoridor.Position // the boards as positions, computed on demand
}

func newGame(rules quoridor.Rules) *game { return newGameFrom(quoridor.NewBoard(rules)) }

func newGameFrom(b quoridor.Board) *game {
	return &game{walls: b.Walls(quoridor.Black), boards: []quoridor.Board{b}}
}

// newGameTo returns the game that has led to pos.
func newGameTo(pos *quoridor.Position) *game {
	first, moves := pos.History()
	start := first.(*quoridor.Position)
	g := newGameFrom(start.Board())
	g.positions = []*quoridor.Position{start} // callers know the game by this object
	for _, m := range moves {
		g.do(quoridor.Action(m))
	}
	return g
}

func (g *game) clone() *game {
	return &game{
		walls: g.walls, boards: slices.Clip(g.boards), extra: g.extra, actions: slices.Clip(g.actions),
		positions: slices.Clip(g.positions),
	}
}

// position returns the current position with its history. The history does not go back beyond a
// win.
func (g *game) position() *quoridor.Position {
	for i := len(g.positions); i < len(g.boards); i++ {
		var next *quoridor.Position
		if i > 0 {
			next, _ = g.positions[i-1].PlayAction(g.actions[i-1])
		}
		if next == nil {
			next = quoridor.NewPosition(g.boardAt(i))
		}
		g.positions = append(g.positions, next)
	}
	return g.positions[len(g.positions)-1]
}

// board returns a copy of the current board, and boardAt of the board after so many moves.
func (g *game) board() quoridor.Board { return g.boardAt(len(g.actions)) }

func (g *game) boardAt(moves int) quoridor.Board {
	board := g.boards[moves]
	for side, n := range g.extra {
		side := engine.Turn(side)
		board.SetWalls(side, board.Walls(side)+n)
	}
	return board
}

// A commandError is the reason why a command fails.
type commandError struct {
	message string // on the wire
	error          // for the user
}

func (r commandError) Unwrap() error { return r.error }

// execute applies a command to the game. known reports whether the command changes a game at all.
// If it fails, the error is a commandError and the game is unchanged. A new board keeps the number of
// walls, though the protocol does not promise that.
func (g *game) execute(word string, args []string) (known bool, err error) {
	switch word {
	case BoardSize, ClearBoard, Walls, PlayMove, PlayWall, Undo:
	default:
		return false, nil
	}
	command, _ := Find(word)
	if err := command.takes(len(args)); err != nil {
		return true, commandError{invalidSyntax, err}
	}
	n, ok := 1, true
	if len(args) == 1 {
		n, ok = parseInt(args[0])
	}
	switch {
	case word == ClearBoard:
		board := g.board()
		*g = *newGame(quoridor.Rules{Size: board.Size(), Walls: g.walls})
	case word == PlayMove || word == PlayWall:
		a, err := parsePlay(word, args)
		if err != nil && !errors.Is(err, errOffBoard) {
			return true, commandError{invalidSyntax, err}
		}
		if err == nil {
			err = g.play(a)
		}
		if err != nil {
			return true, commandError{illegalMove, err}
		}
	case !ok:
		return true, commandError{invalidSyntax, fmt.Errorf("%s: want 0 to %d", pluginclient.Excerpt(args[0]), maxInt)}
	case word == BoardSize:
		rules, err := quoridor.NewRules(n, g.walls)
		if err != nil {
			return true, commandError{unacceptableSize, err}
		}
		*g = *newGame(rules)
	case word == Walls:
		g.setWalls(n)
	case word == Undo && !g.undo(n):
		return true, commandError{cannotUndo, errors.New("there are not that many moves to take back")}
	}
	return true, nil
}

// play plays an action if it is legal. The error wraps quoridor.ErrIllegal.
func (g *game) play(a quoridor.Action) error {
	board := g.board()
	if err := board.Check(a); err != nil {
		return err
	}
	g.do(a)
	return nil
}

// do plays a legal action.
func (g *game) do(a quoridor.Action) {
	board := g.boards[len(g.actions)]
	board.Do(a)
	g.boards, g.actions = append(g.boards, board), append(g.actions, a)
}

// undo takes back moves. It returns false if there are not enough.
func (g *game) undo(times int) bool {
	if times > len(g.actions) || len(g.actions) == 0 {
		return false
	}
	left := len(g.actions) - times
	g.boards, g.actions = g.boards[:left+1:left+1], g.actions[:left:left] // a clone may still use the rest
	g.positions = slices.Clip(g.positions[:min(left+1, len(g.positions))])
	return true
}

// setWalls sets the number of walls that each side has now. After an undo, a side has that number
// plus the walls that were taken back, up to quoridor.MaxWalls.
func (g *game) setWalls(n int) {
	start, now := g.boards[0], g.boards[len(g.actions)]
	for side := range engine.Turn(len(g.extra)) {
		built := start.Walls(side) - now.Walls(side)
		g.extra[side] = min(n, quoridor.MaxWalls-built) - now.Walls(side)
	}
	g.walls, g.positions = n, nil
}
