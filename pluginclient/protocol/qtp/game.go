package qtp

import (
	"errors"
	"fmt"
	"slices"

	"qhsh/engine"
	"qhsh/engine/quoridor"
	"qhsh/pluginclient"
)

// A game is the protocol's board with its history: either colour may move at any time, even after a
// win.
type game struct {
	walls   int               // of each side when a board is cleared
	boards  []quoridor.Board  // from the start to the board as it is, but for extra
	extra   [2]int            // walls that each side has beyond what boards say, on all of them
	actions []quoridor.Action // between them

	positions []*quoridor.Position // the boards as positions, as far as they were asked for
}

// newGame is the start of a game.
func newGame(rules quoridor.Rules) *game { return newGameFrom(quoridor.NewBoard(rules)) }

// newGameFrom is a game that begins with a board.
func newGameFrom(b quoridor.Board) *game {
	return &game{walls: b.Walls(quoridor.Black), boards: []quoridor.Board{b}}
}

// newGameTo is the game that has led to a position.
func newGameTo(pos *quoridor.Position) *game {
	first, moves := pos.History()
	start, ok := first.(*quoridor.Position)
	if !ok {
		start, moves = pos, nil // a history of another game, which no Position has
	}
	g := newGameFrom(start.Board())
	for _, m := range moves {
		g.do(quoridor.Action(m))
	}
	return g
}

// clone is a game that goes on by itself.
func (g *game) clone() *game {
	if g == nil {
		return nil
	}
	return &game{
		walls: g.walls, boards: slices.Clip(g.boards), extra: g.extra, actions: slices.Clip(g.actions),
		positions: slices.Clip(g.positions),
	}
}

// position is where the game stands, with its history. After a win there is none.
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

// board is a copy of the board, and boardAt of that after so many moves.
func (g *game) board() quoridor.Board { return g.boardAt(len(g.actions)) }

func (g *game) boardAt(moves int) quoridor.Board {
	board := g.boards[moves]
	for side, n := range g.extra {
		side := engine.Turn(side)
		board.SetWalls(side, board.Walls(side)+n)
	}
	return board
}

// rules are what a cleared board has.
func (g *game) rules() quoridor.Rules {
	board := g.board()
	return quoridor.Rules{Size: board.Size(), Walls: g.walls}
}

// A commandError is why a command fails.
type commandError struct {
	message string // on the wire
	error          // for a person
}

func (r commandError) Unwrap() error { return r.error }

var errUndo = commandError{cannotUndo, errors.New("there are not as many moves to take back")}

// execute does what a command does to a game; known reports whether it is one that does anything.
// The error is a refusal, and the game is as it was then.
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
	switch word {
	case ClearBoard:
		*g = *newGame(g.rules())
		return true, nil
	case PlayMove, PlayWall:
		return true, g.executePlay(word, args)
	}
	n, ok := 1, true
	if len(args) > 0 {
		n, ok = parseInt(args[0])
	}
	if !ok {
		return true, commandError{invalidSyntax, fmt.Errorf("%s: want 0 to %d", pluginclient.Excerpt(args[0]), maxInt)}
	}
	return true, g.executeNumber(word, n)
}

func (g *game) executePlay(word string, args []string) error {
	a, err := parsePlay(word, args)
	if err != nil && !errors.Is(err, errOffBoard) {
		return commandError{invalidSyntax, err}
	}
	if err == nil {
		err = g.play(a)
	}
	if err != nil {
		return commandError{illegalMove, err}
	}
	return nil
}

// executeNumber does what boardsize, walls and undo do. A new board has as many walls as the one
// before, though nobody must rely on it.
func (g *game) executeNumber(word string, n int) error {
	switch word {
	case BoardSize:
		rules, err := quoridor.NewRules(n, g.walls)
		if err != nil {
			return commandError{unacceptableSize, err}
		}
		*g = *newGame(rules)
	case Walls:
		g.setWalls(n)
	case Undo:
		if !g.undo(n) {
			return errUndo
		}
	}
	return nil
}

// play plays an action that the rules allow. The error wraps quoridor.ErrIllegal.
func (g *game) play(a quoridor.Action) error {
	board := g.board()
	if err := board.Check(a); err != nil {
		return err
	}
	g.do(a)
	return nil
}

// do plays an action that is allowed.
func (g *game) do(a quoridor.Action) {
	board := g.boards[len(g.actions)]
	board.Do(a)
	g.boards, g.actions = append(g.boards, board), append(g.actions, a)
}

// undo takes back moves, if there are as many.
func (g *game) undo(times int) bool {
	if times > len(g.actions) || len(g.actions) == 0 {
		return false
	}
	left := len(g.actions) - times
	g.boards, g.actions = g.boards[:left+1:left+1], g.actions[:left:left] // a clone has the rest still
	g.positions = slices.Clip(g.positions[:min(left+1, len(g.positions))])
	return true
}

// setWalls gives each side a number of walls now. Undo then gives back those that were
// built before, on top of it, as far as there are such numbers.
func (g *game) setWalls(n int) {
	start, now := g.boards[0], g.boards[len(g.actions)]
	for side := range engine.Turn(len(g.extra)) {
		built := start.Walls(side) - now.Walls(side)
		g.extra[side] = min(n, quoridor.MaxWalls-built) - now.Walls(side)
	}
	g.walls, g.positions = n, nil
}
