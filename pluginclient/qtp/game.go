package qtp

import (
	"errors"
	"slices"

	"qhsh/engine"
	"qhsh/engine/quoridor"
)

// A game is a board with what was played on it, as the protocol has it: either colour may
// move at any time, also when somebody has won.
type game struct {
	walls   int                  // of each side when a board is cleared
	line    []*quoridor.Position // from the start to the board as it is
	actions []quoridor.Action    // between them
}

// newGame is the start of a game.
func newGame(rules quoridor.Rules) *game {
	return &game{walls: rules.Walls, line: []*quoridor.Position{quoridor.NewPosition(quoridor.NewBoard(rules))}}
}

// gameOf is the game that has led to a position.
func gameOf(pos *quoridor.Position) *game {
	first, moves := pos.History()
	start, ok := first.(*quoridor.Position)
	if !ok {
		start, moves = pos, nil // a history of another game, which no Position has
	}
	board := start.Board()
	g := &game{walls: board.Walls(quoridor.Black), line: []*quoridor.Position{start}}
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
	return &game{walls: g.walls, line: slices.Clip(g.line), actions: slices.Clip(g.actions)}
}

// now is where the game stands.
func (g *game) now() *quoridor.Position { return g.line[len(g.line)-1] }

// board is a copy of the board.
func (g *game) board() quoridor.Board { return g.now().Board() }

// rules are what a cleared board has.
func (g *game) rules() quoridor.Rules {
	board := g.board()
	return quoridor.Rules{Size: board.Size(), Walls: g.walls}
}

// A refusal is why a command fails.
type refusal struct {
	message string // on the wire
	error          // for a person
}

func (r refusal) Unwrap() error { return r.error }

var (
	errSyntax = refusal{invalidSyntax, errors.New("it makes no sense")}
	errUndo   = refusal{cannotUndo, errors.New("there are not as many moves to take back")}
)

// obey does what a command does to a game; known tells whether it is one that does anything.
// The error is a refusal, and the game is as it was then.
func (g *game) obey(word string, args []string) (known bool, err error) {
	switch word {
	case BoardSize, ClearBoard, Walls, PlayMove, PlayWall, Undo:
	default:
		return false, nil
	}
	if least, most := arguments(word); len(args) < least || len(args) > most {
		return true, errSyntax
	}
	switch word {
	case ClearBoard:
		*g = *newGame(g.rules())
		return true, nil
	case PlayMove, PlayWall:
		return true, g.obeyPlay(word, args)
	}
	n, ok := 1, true
	if len(args) > 0 {
		n, ok = readInt(args[0])
	}
	if !ok {
		return true, errSyntax
	}
	return true, g.obeyNumber(word, n)
}

func (g *game) obeyPlay(word string, args []string) error {
	a, err := readPlaying(word, args)
	if err != nil && !errors.Is(err, errOffBoard) {
		return refusal{invalidSyntax, err}
	}
	if err == nil {
		err = g.play(a)
	}
	if err != nil {
		return refusal{illegalMove, err}
	}
	return nil
}

// obeyNumber does what boardsize, walls and undo do. A new board has as many walls as the one
// before, though nobody must rely on it.
func (g *game) obeyNumber(word string, n int) error {
	switch word {
	case BoardSize:
		rules, err := quoridor.NewRules(n, g.walls)
		if err != nil {
			return refusal{unacceptableSize, err}
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

// do plays an action that is allowed. After a win there is no history to go on with.
func (g *game) do(a quoridor.Action) {
	next, err := g.now().Do(a)
	if err != nil {
		board := g.board()
		board.Do(a)
		next = quoridor.NewPosition(board)
	}
	g.line, g.actions = append(g.line, next), append(g.actions, a)
}

// undo takes back moves, if there are as many.
func (g *game) undo(times int) bool {
	if times > len(g.actions) || len(g.actions) == 0 {
		return false
	}
	left := len(g.actions) - times
	g.line, g.actions = g.line[:left+1:left+1], g.actions[:left:left] // a clone has the rest still
	return true
}

// setWalls gives each side a number of walls now. Undo then gives back those that were
// built before, on top of it, as far as there are such numbers.
func (g *game) setWalls(n int) {
	start := g.line[0].Board()
	for _, side := range [...]engine.Turn{quoridor.Black, quoridor.White} {
		built := 0
		for _, a := range g.actions {
			if a.Kind() != quoridor.Step && a.Side() == side {
				built++
			}
		}
		start.SetWalls(side, min(n, quoridor.MaxWalls-built)+built)
	}
	again := &game{walls: n, line: []*quoridor.Position{quoridor.NewPosition(start)}}
	for _, a := range g.actions {
		again.do(a)
	}
	*g = *again
}
