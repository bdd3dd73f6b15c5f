package qtp

import (
	"fmt"
	"strings"

	"qhsh/engine"
	"qhsh/engine/quoridor"
	"qhsh/pluginclient/task/check"
)

// generate returns the move of genmove for a side.
func (x *exam) generate(side engine.Turn) (quoridor.Action, error) {
	command := "genmove " + quoridor.ColourName(side)
	r, err := x.ask(command)
	if err != nil {
		return 0, err
	}
	a, err := quoridor.ParseAction(strings.Join(strings.Fields(r.text()), " "), side)
	if err != nil || r.status() != '=' {
		return 0, check.Faultf(fmt.Sprintf("= and a vertex to %q, with an orientation for a wall", command), "%v", r)
	}
	return a, nil
}

func vertex(x *exam) error {
	_, err := x.generate(quoridor.Black)
	return err
}

// plays checks that the move of genmove was played: a second wall there is illegal, and the pawn
// has moved.
func plays(x *exam) error {
	a, err := x.generate(quoridor.Black)
	if err != nil {
		return err
	}
	again := fmt.Sprintf("playmove black %v", a.Cell())
	back := "playmove black E9"
	for _, step := range []struct{ command, want string }{{again, "?"}, {back, "="}, {"undo 2", "="}} {
		r, err := x.ask(step.command)
		if err != nil {
			return err
		}
		if !expected(r, step.want) {
			return check.Faultf(fmt.Sprintf("%s to %q after Black has played %v from E9", step.want, step.command, a), "%v", r)
		}
	}
	return nil
}

// play checks that the moves of genmove for a sequence of sides are legal.
func (x *exam) play(rules quoridor.Rules, sides ...engine.Turn) error {
	board := quoridor.NewBoard(rules)
	for _, side := range sides {
		a, err := x.generate(side)
		if err != nil {
			return err
		}
		if err := board.Check(a); err != nil {
			return check.Faultf("a legal move at "+board.String(), "%v", err)
		}
		board.Do(a)
	}
	return nil
}

func legal(x *exam) error {
	b, w := quoridor.Black, quoridor.White
	if err := x.play(quoridor.Default, b, w, b, w, b, w, b, w); err != nil {
		return err
	}
	if err := two9(x); err != nil {
		return err
	}
	return x.play(quoridor.Rules{Size: 9, Walls: 2}, b, w, b, w, b, w)
}

func noWalls(x *exam) error {
	return x.play(quoridor.Rules{Size: 9}, quoridor.Black, quoridor.White, quoridor.Black, quoridor.White)
}

func twice(x *exam) error {
	return x.play(quoridor.Default, quoridor.White, quoridor.White, quoridor.Black, quoridor.Black)
}

func afterWin(x *exam) error {
	var talk []string
	for _, cell := range strings.Fields("E8 E7 E6 E5 E4 E3 E2 D2 D1") {
		talk = append(talk, "playmove black "+cell+" -> =")
	}
	if err := conversation(talk...)(x); err != nil {
		return err
	}
	_, err := x.generate(quoridor.White)
	return err
}
