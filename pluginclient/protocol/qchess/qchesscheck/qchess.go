// Package qchesscheck has the checks of the text protocol of qchess (2013): every sentence of the
// document that states a requirement for an agent. Sections have the titles of the page. What the
// server does and the document does not mention is advice.
//
// Most checks are the start of a game in which the examiner is the server: it decides what kind a
// piece is when it is selected (game.go).
package qchesscheck

import (
	"fmt"
	"math/rand/v2"
	"time"

	"qhsh/engine"
	rules "qhsh/engine/qchess"
	"qhsh/pluginclient"
	"qhsh/pluginclient/protocol/qchess"
	"qhsh/pluginclient/task/check"
)

// Suite returns the checks for an agent. log may be nil.
func Suite(program pluginclient.Program, log *pluginclient.TraceLog) *check.Suite {
	return &check.Suite{
		Protocol: qchess.Protocol, Talk: check.NewTalk(program.Name, program.Start, log),
		Name:   func() string { return program.Name },
		Checks: check.Checks(table, basic, func(c *check.Case) *exam { return &exam{Case: c, board: rules.NewBoard()} }),
	}
}

// basic is the check that all behind it require.
const basic = "select.answer"

// The sections of the document.
const (
	gameStart  = "Game start"
	selection  = "Request: Selection"
	movement   = "Request: Movement"
	selected   = "Update: Agent selects a piece"
	moved      = "Update: Agent moves a piece"
	gameEnds   = "Game ends"
	notes      = "Notes"
	undocument = "the server"
)

var table = []check.Row[*exam]{
	{Name: "start.silent", Section: gameStart, Rule: "An agent makes no response to its colour", Run: check.Steps(white, quiet("its colour"), black, quiet("its colour"))},
	{Name: basic, Section: selection, Rule: "SELECTION? is answered with two numbers, x and y, in a line", Prepare: white, Run: asks},
	{Name: "select.black", Section: selection, Rule: "An agent that plays black selects a black piece", Prepare: black, Run: check.Steps(opponent(3, 6, 3, 4), asks)},
	{Name: "select.form", Section: selection, Rule: "The line begins with the first number, and nothing follows the second", Advice: true, Prepare: white, Run: plainForm},
	{Name: "select.movable", Section: selection, Rule: "A piece that can move with a kind that it may be is selected rather than one that cannot", Advice: true, Prepare: white, Run: selectsMovable},
	{Name: "update.silent", Section: selected, Rule: "An agent does not respond to the update of a selection", Prepare: white, Run: check.Steps(selects, show(0), quiet("the update"))},
	{Name: "move.first", Section: movement, Rule: "MOVE? is answered with a square that a piece of its first kind can go to", Prepare: white, Run: movesAs(0)},
	{Name: "move.second", Section: movement, Rule: "MOVE? is answered with a square that a piece of the second kind that was told can go to", Needs: []string{"move.first"}, Prepare: white, Run: movesAs(1)},
	{Name: "move.silent", Section: moved, Rule: "An agent does not respond to the update of a move", Needs: []string{"move.first"}, Prepare: white, Run: check.Steps(takesTurn, quiet("the update"))},
	{Name: "move.none", Section: movement, Rule: "A piece that cannot move is not asked for: the next request is another selection", Needs: []string{"move.first"}, Prepare: white, Run: check.Steps(selects, cannotMove, opponent(3, 1, 3, 3), asks)},
	{Name: "notes.opponent", Section: notes, Rule: "An update without a request is the opponent's doing", Needs: []string{"select.black"}, Prepare: black, Run: follows},
	{Name: "game.white", Section: movement, Rule: "Playing white, an agent answers what is legal, for 40 turns", Needs: []string{"move.second"}, Run: plays(rules.White)},
	{Name: "game.black", Section: movement, Rule: "Playing black, an agent answers what is legal, for 40 turns", Needs: []string{"move.second"}, Run: plays(rules.Black)},
	{Name: "game.board", Section: undocument, Rule: "BOARD, the pieces, an empty line and END BOARD set the board up", Advice: true, Prepare: white, Run: check.Steps(obeysBoard, asks)},
	{Name: "game.unknown", Section: undocument, Rule: "A line that is not known, such as the server's BOUNDS 9,9 to an agent that may retry, is passed over", Advice: true, Prepare: white, Run: check.Steps(send("BOUNDS 9,9"), quiet("that line"), asks)},
	{Name: "quit.alone", Section: gameEnds, Rule: "At QUIT an agent exits within 2 seconds, without a response", Prepare: white, Run: check.Steps(asks, send("QUIT"), exits)},
	{Name: "quit.winner", Section: undocument, Rule: "QUIT may carry the winner", Advice: true, Prepare: white, Run: check.Steps(asks, send("QUIT white"), exits)},
	{Name: "quit.words", Section: undocument, Rule: "QUIT may carry what a side has done", Advice: true, Prepare: white, Run: check.Steps(asks, send("QUIT white ILLEGAL move 3,2"), exits)},
	{Name: "quit.start", Section: gameEnds, Rule: "QUIT may come at any time, also before the first request", Prepare: black, Run: check.Steps(send("QUIT"), exits)},
	{Name: "quit.end", Section: undocument, Rule: "At the end of its input an agent exits", Advice: true, Prepare: white, Run: check.Steps(endInput, exits)},
}

// quitLimit is how long an agent may take to exit.
const quitLimit = 2 * time.Second

// silence is how long the examiner listens to an agent that must not send anything.
const silence = 150 * time.Millisecond

func plainForm(x *exam) error {
	s, line, err := x.ask()
	if want := fmt.Sprintf("%d %d", s.Square().X(), s.Square().Y()); err == nil && line != want {
		return check.Faultf(fmt.Sprintf("%q", want), "%q", line)
	}
	return err
}

// selectsMovable tests a selection at the start, where the pieces of the back row may be blocked.
func selectsMovable(x *exam) error {
	s, line, err := x.ask()
	if err == nil && !x.board.CanMove(s.Square()) {
		return check.Faultf("a piece that can move", "%q", line)
	}
	return err
}

// movesAs asks for a move of the first piece that the agent selects and that can move when it becomes
// its kind with an index.
func movesAs(index int) func(*exam) error {
	return func(x *exam) error {
		source := rand.New(rand.NewPCG(4, 1))
		for turns := 0; turns < 20 && !x.board.Result().Over(); turns++ {
			if err := check.InOrder(x, selects, show(index)); err != nil {
				return err
			}
			if x.moving() {
				return asks(x)
			}
			if err := x.opponentTurn(source); err != nil {
				return err
			}
		}
		return check.NotApplicablef("the pieces that it selects cannot move")
	}
}

// takesTurn lets the agent take a turn, always with the same chance.
func takesTurn(x *exam) error { return x.turn(rand.New(rand.NewPCG(1, 1))) }

// cannotMove makes the selected piece a kind that cannot move, if there is one.
func cannotMove(x *exam) error {
	if err := x.do(x.outcomes(false)[0]); err != nil {
		return err
	}
	if x.moving() {
		return check.NotApplicablef("whatever the piece is that it selects, it can move")
	}
	return nil
}

// follows lets the opponent capture on its way to the agent's king, which the agent must take into
// account.
func follows(x *exam) error {
	from := rules.SquareAt(1, 7)
	for _, to := range []rules.Square{rules.SquareAt(2, 5), rules.SquareAt(3, 3)} {
		if err := x.opponent(from, to); err != nil {
			return err
		}
		if err := x.turn(rand.New(rand.NewPCG(2, 1))); err != nil {
			return err
		}
		if p, side, ok := x.board.PieceAt(to); !ok || side != rules.White || p.Kinds[0] != rules.Knight {
			return check.NotApplicablef("it captures the piece that is to capture")
		}
		from = to
	}
	return check.InOrder(x, opponent(3, 3, 2, 1), asks)
}

func plays(side engine.Turn) func(*exam) error {
	return func(x *exam) error {
		source := rand.New(rand.NewPCG(uint64(side), 3))
		x.board.Deal(source)
		if err := begin(side)(x); err != nil {
			return err
		}
		for range 40 {
			turn := x.turn
			if x.board.Turn() != side {
				turn = x.opponentTurn
			}
			if err := turn(source); err != nil || x.board.Result().Over() {
				return err
			}
		}
		return nil
	}
}

func obeysBoard(x *exam) (err error) {
	x.board, err = rules.ParseBoard("w -,-,-,kk@34,-,-,-,-,-,-,-,-,-,-,-,- -,-,-,kk@30,-,-,-,-,pp0@11,-,-,-,-,-,-,- -")
	if err != nil {
		return err
	}
	return x.Send(qchess.BoardLines(&x.board)...)
}

func endInput(x *exam) error {
	x.EndInput()
	return nil
}
