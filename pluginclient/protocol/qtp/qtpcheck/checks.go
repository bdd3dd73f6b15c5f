package qtpcheck

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"qhsh/engine"
	"qhsh/engine/quoridor"
	"qhsh/pluginclient/protocol/qtp"
	"qhsh/pluginclient/task/check"
)

func form(x *exam) error {
	r, err := x.ask(qtp.Name)
	if err == nil && r.status() == '=' && r.text() != "" {
		x.name = r.text()
	}
	return err
}

// order compares the responses to commands that are sent together with those to the commands alone.
func order(x *exam) error {
	commands := []string{"winner", "known_command quit", "winner", "winner", "known_command quit", "winner"}
	var alone []reply
	for _, command := range commands {
		r, err := x.ask(command)
		if err != nil {
			return err
		}
		alone = append(alone, r)
	}
	x.drain()
	if err := x.Send(commands...); err != nil {
		return err
	}
	for i, command := range commands {
		r, err := x.readResponse(command)
		if err != nil {
			return err
		}
		if !slices.Equal(r.lines, alone[i].lines) {
			return check.Faultf(fmt.Sprintf("%v to %q, which is command %d of %d sent together", alone[i], command, i+1, len(commands)), "%v", r)
		}
	}
	return nil
}

// unanswered checks that lines without a command get no response: a command follows each.
func unanswered(lines ...string) func(x *exam) error {
	return func(x *exam) error {
		x.drain()
		if err := x.Send(append(slices.Clone(lines), "known_command quit", "known_command frobnicate")...); err != nil {
			return err
		}
		for _, want := range []string{"true", "false"} {
			r, err := x.readResponse(qtp.KnownCommand)
			if err != nil {
				return err
			}
			if !strings.EqualFold(r.text(), want) {
				return check.Faultf(fmt.Sprintf("no response to %q, and %s to the command behind", lines, want), "%v", r)
			}
		}
		return nil
	}
}

func answers(command, want string, right func(r reply) bool) func(*exam) error {
	return func(x *exam) error {
		r, err := x.ask(command)
		if err == nil && !right(r) {
			err = check.Faultf(want, "%v", r)
		}
		return err
	}
}

func sameName(x *exam) error {
	return answers(qtp.Name, "= "+x.name, func(r reply) bool { return r.status() == '=' && r.text() == x.name })(x)
}

func known(words []string) func(x *exam) error {
	var lines []string
	for _, word := range words {
		lines = append(lines, qtp.KnownCommand+" "+strings.TrimSpace(word)+" -> = true")
	}
	return talk(lines...)
}

// required are the commands of the protocol.
func required() (words []string) {
	for _, c := range qtp.Commands() {
		words = append(words, c.Word)
	}
	return words
}

func (x *exam) listCommands() ([]string, error) {
	r, err := x.ask(qtp.ListCommands)
	if err != nil {
		return nil, err
	}
	if r.status() != '=' {
		return nil, check.Faultf("=", "%v", r)
	}
	words := append([]string{r.first()}, r.lines[1:]...)
	return slices.DeleteFunc(words, func(word string) bool { return word == "" }), nil
}

func rows(x *exam) error {
	words, err := x.listCommands()
	for _, word := range words {
		if strings.ContainsAny(strings.TrimSpace(word), " \t") {
			return check.Faultf("a command a row", "%q", word)
		}
	}
	if err == nil && len(words) == 0 {
		err = check.Faultf("commands", "none")
	}
	return err
}

func listsAll(x *exam) error {
	words, err := x.listCommands()
	if err != nil {
		return err
	}
	for _, word := range required() {
		if !slices.Contains(words, word) {
			return check.Faultf(word+" in the list", "%s", strings.Join(words, " "))
		}
	}
	return nil
}

func listedKnown(x *exam) error {
	words, err := x.listCommands()
	if err != nil {
		return err
	}
	return known(words)(x)
}

// wins moves a pawn to its goal row, and takes the last move back.
func wins(colour, cells string) func(x *exam) error {
	return func(x *exam) error {
		var talk []string
		for _, cell := range strings.Fields(cells) {
			talk = append(talk, "winner -> = false", "playmove "+colour+" "+cell+" -> =")
		}
		return conversation(append(talk, "winner -> = true "+colour, "undo -> =", "winner -> = false")...)(x)
	}
}

func coordinates(x *exam) error {
	r, err := x.ask(qtp.ShowBoard)
	if err != nil {
		return err
	}
	letters, number := false, 9
	for _, line := range r.lines {
		words := strings.Fields(line)
		letters = letters || strings.EqualFold(strings.Join(words, ""), "abcdefghi")
		if len(words) > 0 && number > 0 && words[0] == fmt.Sprint(number) {
			number--
		}
	}
	if !letters || number > 0 {
		return check.Faultf("a row of the letters A to I, and rows that begin with 9 to 1", "%v", r)
	}
	return nil
}

// refuses returns a check that the engine refuses a line and then continues the game.
func refuses(line func() string) func(*exam) error {
	return func(x *exam) error {
		refused := answers(line(), "?", func(r reply) bool { return r.status() == '?' })
		alone := func(x *exam) error { return x.CheckQuiet(surplusTime, hasStatus, "one response") }
		return check.InOrder(x, refused, alone, talk("winner -> = false"))
	}
}

// anyBytes is a line of all bytes that may be in a line.
func anyBytes() string {
	var all []byte
	for b := range 256 {
		if b != '\n' && b != '#' {
			all = append(all, byte(b))
		}
	}
	return string(all)
}

func split(x *exam) error {
	x.drain()
	for _, part := range []string{"known_comm", "and qu", "it\n"} {
		if err := x.CheckQuiet(20*time.Millisecond, isText, "nothing before the end of the line"); err != nil {
			return err
		}
		if err := x.Write(part); err != nil {
			return err
		}
	}
	r, err := x.readResponse(qtp.KnownCommand)
	if err == nil && !expected(r, "= true") {
		err = check.Faultf("= true", "%v", r)
	}
	return err
}

func quits(x *exam) error {
	defer x.Kill()
	return answers(qtp.Quit, "=", func(r reply) bool { return r.status() == '=' })(x)
}

// ends returns a check that the engine exits after it has answered a command and end was called.
func ends(command, why string, end func(x *exam)) func(x *exam) error {
	return func(x *exam) error {
		if _, err := x.ask(command); err != nil {
			return err
		}
		end(x)
		_, err := x.WaitEnd("the engine's end after " + why)
		x.Kill()
		return err
	}
}

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

// plays checks that the move of genmove, a step since there are no walls, was played: the pawn can
// go on from there as it could not from where it was, and two moves can be taken back.
func plays(x *exam) error {
	a, err := x.generate(quoridor.Black)
	if err != nil {
		return err
	}
	further, ok := map[string]string{"D9": "C9", "E8": "E7", "F9": "G9"}[a.String()]
	if !ok {
		return check.Faultf("a step of the pawn on E9, as there are no walls", "%v", a)
	}
	for _, command := range []string{"playmove black " + further, "undo 2"} {
		r, err := x.ask(command)
		if err != nil {
			return err
		}
		if r.status() != '=' {
			return check.Faultf(fmt.Sprintf("= to %q after Black has played %v from E9", command, a), "%v", r)
		}
	}
	return nil
}

// generates returns a check that the moves of genmove for a sequence of sides are legal: b for Black
// and w for White.
func generates(walls int, sides string) func(x *exam) error {
	return func(x *exam) error {
		board := quoridor.NewBoard(quoridor.Rules{Size: 9, Walls: walls})
		for _, letter := range sides {
			side := quoridor.Black
			if letter == 'w' {
				side = quoridor.White
			}
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
