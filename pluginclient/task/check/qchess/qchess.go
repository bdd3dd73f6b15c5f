// Package qchess has the checks of the text protocol of qchess (2013): every sentence of the
// document that states a requirement for an agent. Sections have the titles of the page. What the
// server does and the document does not mention is advice.
//
// Most checks are the start of a game in which the examiner is the server: it decides what kind a
// piece is when it is selected (game.go).
package qchess

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

// An Agent describes how to start an agent.
type Agent struct {
	Name  string
	Start pluginclient.Starter
	Log   *pluginclient.TraceLog // may be nil
}

// Suite returns the checks for an agent.
func Suite(a Agent) *check.Suite {
	s := &check.Suite{
		Protocol: qchess.Protocol, Talk: check.NewTalk(a.Name, a.Start, a.Log),
		Name: func() string { return a.Name },
	}
	for _, e := range table {
		needs := e.needs
		if e.name != basic && e.name != "start.silent" {
			needs = append([]string{basic}, needs...)
		}
		s.Checks = append(s.Checks, check.Check{
			Name: e.name, Section: e.section, Rule: e.rule, Advice: e.advice, Needs: needs,
			Run: func(c *check.Case) error { return e.run(&exam{Case: c, board: rules.NewBoard()}) },
		})
	}
	return s
}

// basic is the check that all others require.
const basic = "select.answer"

// entry is a line of the table.
type entry struct {
	name, section, rule string
	advice              bool
	needs               []string
	run                 func(x *exam) error
}

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

// table are the checks, in the order in which they are run.
var table = []entry{
	{name: "start.silent", section: gameStart, rule: "An agent makes no response to its colour", run: startSilent},
	{name: basic, section: selection, rule: "SELECTION? is answered with two numbers, x and y, in a line", run: selectsAs(rules.White)},
	{name: "select.black", section: selection, rule: "An agent that plays black selects a black piece", run: selectsAs(rules.Black)},
	{name: "select.form", section: selection, rule: "The line begins with the first number, and nothing follows the second", advice: true, run: plainForm},
	{name: "select.movable", section: selection, rule: "A piece that can move with a kind that it may be is selected rather than one that cannot", advice: true, run: selectsMovable},
	{name: "update.silent", section: selected, rule: "An agent does not respond to the update of a selection", run: silentAfterSelection},
	{name: "move.first", section: movement, rule: "MOVE? is answered with a square that a piece of its first kind can go to", run: movesAs(0)},
	{name: "move.second", section: movement, rule: "MOVE? is answered with a square that a piece of the second kind that was told can go to", needs: []string{"move.first"}, run: movesAs(1)},
	{name: "move.silent", section: moved, rule: "An agent does not respond to the update of a move", needs: []string{"move.first"}, run: silentAfterMove},
	{name: "move.none", section: movement, rule: "A piece that cannot move is not asked for: the next request is another selection", needs: []string{"move.first"}, run: cannotMove},
	{name: "notes.opponent", section: notes, rule: "An update without a request is the opponent's doing", needs: []string{"select.black"}, run: follows},
	{name: "game.white", section: movement, rule: "Playing white, an agent answers what is legal, for 40 turns", needs: []string{"move.second"}, run: plays(rules.White)},
	{name: "game.black", section: movement, rule: "Playing black, an agent answers what is legal, for 40 turns", needs: []string{"move.second"}, run: plays(rules.Black)},
	{name: "game.board", section: undocument, rule: "BOARD, the pieces, an empty line and END BOARD set the board up", advice: true, run: obeysBoard},
	{name: "game.unknown", section: undocument, rule: "A line that is not known, such as the server's BOUNDS 9,9 to an agent that may retry, is passed over", advice: true, run: ignoresUnknown},
	{name: "quit.alone", section: gameEnds, rule: "At QUIT an agent exits within 2 seconds, without a response", run: quits("QUIT")},
	{name: "quit.winner", section: undocument, rule: "QUIT may carry the winner", run: quits("QUIT white")},
	{name: "quit.words", section: undocument, rule: "QUIT may carry what a side has done", run: quits("QUIT white ILLEGAL move 3,2")},
	{name: "quit.start", section: gameEnds, rule: "QUIT may come at any time, also before the first request", run: quitsAtOnce},
	{name: "quit.end", section: undocument, rule: "At the end of its input an agent exits", advice: true, run: endsWithInput},
}

// quitLimit is how long an agent may take to exit.
const quitLimit = 2 * time.Second

// silence is how long the examiner listens to an agent that must not send anything.
const silence = 150 * time.Millisecond

func startSilent(x *exam) error {
	for _, side := range []engine.Turn{rules.White, rules.Black} {
		if err := x.begin(side); err != nil {
			return err
		}
		if err := x.quiet("its colour"); err != nil {
			return err
		}
	}
	return nil
}

func selectsAs(side engine.Turn) func(*exam) error {
	return func(x *exam) error {
		if err := x.begin(side); err != nil {
			return err
		}
		if side == rules.Black {
			if err := x.opponent(rules.SquareAt(3, 6), rules.SquareAt(3, 4)); err != nil {
				return err
			}
		}
		_, _, err := x.ask()
		return err
	}
}

func plainForm(x *exam) error {
	if err := x.begin(rules.White); err != nil {
		return err
	}
	s, line, err := x.ask()
	if want := fmt.Sprintf("%d %d", s.Square().X(), s.Square().Y()); err == nil && line != want {
		return check.Faultf(fmt.Sprintf("%q", want), "%q", line)
	}
	return err
}

// selectsMovable tests a selection at the start, where the pieces of the back row may be blocked.
func selectsMovable(x *exam) error {
	if err := x.begin(rules.White); err != nil {
		return err
	}
	s, line, err := x.ask()
	if err == nil && !x.board.CanMove(s.Square()) {
		return check.Faultf("a piece that can move", "%q", line)
	}
	return err
}

// chosen starts a game as White in which the piece that the agent selects becomes a given kind.
func (x *exam) chosen(index int) error {
	if err := x.begin(rules.White); err != nil {
		return err
	}
	s, _, err := x.ask()
	if err != nil {
		return err
	}
	if err := x.do(s); err != nil {
		return err
	}
	return x.show(index)
}

func silentAfterSelection(x *exam) error {
	if err := x.chosen(0); err != nil {
		return err
	}
	return x.quiet("the update")
}

func movesAs(index int) func(*exam) error {
	return func(x *exam) error {
		if err := x.chosen(index); err != nil {
			return err
		}
		if !x.moving() {
			return check.NotApplicablef("the piece that it selects cannot move")
		}
		_, _, err := x.ask()
		return err
	}
}

func silentAfterMove(x *exam) error {
	if err := x.begin(rules.White); err != nil {
		return err
	}
	if err := x.turn(rand.New(rand.NewPCG(1, 1))); err != nil {
		return err
	}
	return x.quiet("the update")
}

// cannotMove makes the selected piece a kind that cannot move, if there is one.
func cannotMove(x *exam) error {
	if err := x.begin(rules.White); err != nil {
		return err
	}
	s, _, err := x.ask()
	if err != nil {
		return err
	}
	if err := x.do(s); err != nil {
		return err
	}
	if err := x.do(x.outcomes(false)[0]); err != nil {
		return err
	}
	if x.moving() {
		return check.NotApplicablef("whatever the piece is that it selects, it can move")
	}
	if err := x.opponent(rules.SquareAt(3, 1), rules.SquareAt(3, 3)); err != nil {
		return err
	}
	_, _, err = x.ask()
	return err
}

// follows lets the opponent capture on its way to the agent's king, which the agent must take into
// account.
func follows(x *exam) error {
	if err := x.begin(rules.Black); err != nil {
		return err
	}
	for _, m := range [][2]rules.Square{
		{rules.SquareAt(1, 7), rules.SquareAt(2, 5)},
		{rules.SquareAt(2, 5), rules.SquareAt(3, 3)},
		{rules.SquareAt(3, 3), rules.SquareAt(2, 1)},
	} {
		if err := x.opponent(m[0], m[1]); err != nil {
			return err
		}
		if m[1] == rules.SquareAt(2, 1) {
			break
		}
		if err := x.turn(rand.New(rand.NewPCG(2, 1))); err != nil {
			return err
		}
		if p, side, ok := x.board.PieceAt(m[1]); !ok || side != rules.White || p.Kinds[0] != rules.Knight {
			return check.NotApplicablef("it captures the piece that is to capture")
		}
	}
	_, _, err := x.ask()
	return err
}

func plays(side engine.Turn) func(*exam) error {
	return func(x *exam) error {
		source := rand.New(rand.NewPCG(uint64(side), 3))
		x.board.Deal(source)
		if err := x.begin(side); err != nil {
			return err
		}
		for range 40 {
			if x.board.Turn() != side {
				if err := x.opponentTurn(source); err != nil {
					return err
				}
			} else if err := x.turn(source); err != nil {
				return err
			}
			if x.board.Result().Over() {
				return nil
			}
		}
		return nil
	}
}

func obeysBoard(x *exam) error {
	board, err := rules.ParseBoard("w -,-,-,kk@34,-,-,-,-,-,-,-,-,-,-,-,- -,-,-,kk@30,-,-,-,-,pp0@11,-,-,-,-,-,-,- -")
	if err != nil {
		return err
	}
	if err := x.begin(rules.White); err != nil {
		return err
	}
	if err := x.Send(qchess.BoardLines(&board)...); err != nil {
		return err
	}
	x.board = board
	_, _, err = x.ask()
	return err
}

func ignoresUnknown(x *exam) error {
	if err := x.begin(rules.White); err != nil {
		return err
	}
	if err := x.Send("BOUNDS 9,9"); err != nil {
		return err
	}
	if err := x.quiet("that line"); err != nil {
		return err
	}
	_, _, err := x.ask()
	return err
}

func quits(line string) func(*exam) error {
	return func(x *exam) error {
		if err := x.begin(rules.White); err != nil {
			return err
		}
		if _, _, err := x.ask(); err != nil {
			return err
		}
		return x.exits(func() error { return x.Send(line) })
	}
}

func quitsAtOnce(x *exam) error {
	if err := x.begin(rules.Black); err != nil {
		return err
	}
	return x.exits(func() error { return x.Send(qchess.Quit) })
}

func endsWithInput(x *exam) error {
	if err := x.begin(rules.White); err != nil {
		return err
	}
	return x.exits(func() error { x.EndInput(); return nil })
}
