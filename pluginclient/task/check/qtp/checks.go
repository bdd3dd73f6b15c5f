package qtp

import (
	"fmt"
	"slices"
	"strings"
	"time"

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

func order(x *exam) error {
	commands := append(boardCommands(9, 10), "frobnicate", "winner", "playmove black A1", "known_command quit")
	wants := []string{"=", "=", "=", "?", "= false", "?", "= true"}
	x.drain()
	if err := x.Send(commands...); err != nil {
		return err
	}
	for i, command := range commands {
		r, err := x.readResponse(command)
		if err != nil {
			return err
		}
		if !expected(r, wants[i]) {
			return check.Faultf(fmt.Sprintf("%q to %q, which is command %d of %d sent together", wants[i], command, i+1, len(commands)), "%v", r)
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

func named(x *exam) error {
	r, err := x.ask(qtp.Name)
	if err == nil && (r.status() != '=' || r.text() == "") {
		err = check.Faultf("= and a name", "%v", r)
	}
	return err
}

func sameName(x *exam) error {
	r, err := x.ask(qtp.Name)
	if err == nil && (r.status() != '=' || r.text() != x.name) {
		err = check.Faultf("= "+x.name, "%v", r)
	}
	return err
}

func knownTrue(x *exam) error {
	var talk []string
	for _, c := range qtp.Commands() {
		talk = append(talk, qtp.KnownCommand+" "+c.Word+" -> = true")
	}
	return conversation(talk...)(x)
}

// listCommands returns the commands in the response to list_commands.
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
	for _, c := range qtp.Commands() {
		if !slices.Contains(words, c.Word) {
			return check.Faultf(c.Word+" in the list", "%s", strings.Join(words, " "))
		}
	}
	return nil
}

func listedKnown(x *exam) error {
	words, err := x.listCommands()
	if err != nil {
		return err
	}
	var talk []string
	for _, word := range words {
		talk = append(talk, qtp.KnownCommand+" "+strings.TrimSpace(word)+" -> = true")
	}
	return check.InOrder(x, board9, conversation(talk...))
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

func shows(x *exam) error {
	r, err := x.ask(qtp.ShowBoard)
	if err == nil && (r.status() != '=' || len(r.lines) < 10) {
		err = check.Faultf("= and a board of 9 rows at least", "%v", r)
	}
	return err
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

// refusesAndRecovers checks that the engine refuses a line and then continues the game.
func (x *exam) refusesAndRecovers(line string) error {
	r, err := x.ask(line)
	if err == nil && r.status() != '?' {
		err = check.Faultf("?", "%v", r)
	}
	if err != nil {
		return err
	}
	return check.InOrder(x, board9, conversation("winner -> = false"))
}

func long(x *exam) error {
	return x.refusesAndRecovers(strings.Repeat("x", 1_000_000))
}

func bytes8(x *exam) error {
	var all strings.Builder
	for b := range 256 {
		if b != '\n' && b != '#' {
			all.WriteByte(byte(b))
		}
	}
	return x.refusesAndRecovers(all.String())
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
	r, err := x.ask(qtp.Quit)
	x.Kill()
	if err == nil && r.status() != '=' {
		err = check.Faultf("=", "%v", r)
	}
	return err
}

func quitEnds(x *exam) error {
	if _, err := x.ask(qtp.Quit); err != nil {
		return err
	}
	return x.waitEnd("quit")
}

func inputEnds(x *exam) error {
	if _, err := x.ask(qtp.Name); err != nil {
		return err
	}
	x.EndInput()
	return x.waitEnd("the end of the input")
}

// waitEnd checks that the engine exits.
func (x *exam) waitEnd(why string) error {
	_, err := x.WaitEnd("the engine's end after " + why)
	x.Kill()
	return err
}
