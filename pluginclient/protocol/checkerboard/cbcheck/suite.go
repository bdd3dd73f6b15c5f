// Package cbcheck has the checks of engines with the CheckerBoard API, by its document, by
// what CheckerBoard itself requires of engines, and by the rules of the engine's variant.
// What the document leaves open, or what known engines do differently without harm, is advice.
package cbcheck

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"qhsh/engine/checkers"
	"qhsh/pluginclient"
	"qhsh/pluginclient/protocol/checkerboard"
	"qhsh/pluginclient/protocol/checkerboard/abi"
	"qhsh/pluginclient/task/check"
)

// Suite returns the checks for the engine of a library. log may be nil.
func Suite(program pluginclient.Program, log *pluginclient.TraceLog) *check.Suite {
	e := &examinee{name: program.Name}
	return &check.Suite{
		Protocol: checkerboard.Protocol, Talk: check.NewTalk(program.Name, program.Start, log),
		Name:   func() string { return e.name },
		Checks: check.Checks(table, "", func(c *check.Case) *exam { return &exam{c, e} }),
	}
}

// An examinee is what the checks have found out about an engine.
type examinee struct {
	name    string
	variant checkers.Variant
	legal   bool // it exports islegal
}

type exam struct {
	*check.Case
	*examinee
}

const (
	required = "Required Functions"
	multiple = "Multi-Version Support Functions"
)

var (
	loaded = []string{"start.exports"}
	typed  = []string{"start.exports", "command.gametype"}
)

var table = []check.Row[*exam]{
	{Name: "start.exports", Section: required, Rule: "the library exports getmove and enginecommand", Run: (*exam).begin},
	{Name: "command.gametype", Section: multiple, Rule: "get gametype is answered with the number of a variant; without an answer it is English", Needs: loaded, Run: gameType},
	{Name: "command.name", Section: required, Rule: "name is answered with the name of the engine", Advice: true, Needs: loaded, Run: named},
	{Name: "command.about", Section: required, Rule: "about is answered with a description", Advice: true, Needs: loaded, Run: answers("about", "a reply, and a return value that is not 0", understood)},
	{Name: "command.protocolversion", Section: required, Rule: "get protocolversion is answered with 2", Advice: true, Needs: loaded, Run: answers("get protocolversion", "2, and a return value that is not 0", isVersion)},
	{Name: "command.unknown", Section: required, Rule: "a command that is not understood returns 0", Advice: true, Needs: loaded, Run: answers("no such command", "a return value of 0", unknown)},
	{Name: "islegal.exported", Section: multiple, Rule: "an engine that does not play English checkers exports islegal", Needs: typed, Prepare: (*exam).begin, Run: exported},
	{Name: "islegal.moves", Section: multiple, Rule: "islegal returns 1 for the ends of a legal move, with a CBmove that is one, and 0 for others", Needs: typed, Prepare: (*exam).begin, Run: legality},
	{Name: "getmove.legal", Section: required, Rule: "getmove answers with a legal move, by its board or by its CBmove", Needs: typed, Run: legal},
	{Name: "getmove.board", Section: required, Rule: "getmove makes its move on the board", Advice: true, Needs: []string{"getmove.legal"}, Run: thinks(briefly, 0, changed)},
	{Name: "getmove.cbmove", Section: multiple, Rule: "an engine that does not play English checkers fills in the CBmove", Needs: []string{"getmove.legal"}, Run: filled},
	{Name: "getmove.status", Section: required, Rule: "getmove writes a line of search information", Advice: true, Needs: []string{"getmove.legal"}, Run: thinks(4*briefly, 0, informed)},
	{Name: "getmove.time", Section: required, Rule: "getmove takes about the time that it is given", Advice: true, Needs: []string{"getmove.legal"}, Run: thinks(limit, 0, within(3*limit+briefly))},
	{Name: "getmove.exact", Section: required, Rule: "with bit 1 of info set getmove takes no longer than it is given", Advice: true, Needs: []string{"getmove.legal"}, Run: thinks(limit, abi.Exact, within(limit*6/5))},
	{Name: "getmove.playnow", Section: required, Rule: "getmove returns at once when playnow is set", Needs: []string{"getmove.legal"}, Prepare: (*exam).begin, Run: stopped},
}

func (x *exam) begin() error {
	if x.Running() {
		return nil
	}
	if err := x.Start(x); err != nil {
		return check.Faultf("a library that can be loaded", "%v", err)
	}
	line, err := x.Line(x, x.Deadlines.Start)
	if err != nil {
		return x.MissingReply("a library that can be loaded", err)
	}
	if !strings.HasPrefix(line, checkerboard.Ready) {
		return check.Faultf("a library that can be loaded", "%q", line)
	}
	x.legal = strings.Contains(line, checkerboard.IsLegal)
	return nil
}

func (x *exam) call(request, expected string) (answer string, err error) {
	if err := x.begin(); err != nil {
		return "", err
	}
	if err := x.Send(request); err != nil {
		return "", err
	}
	if answer, err = x.Line(x, x.Deadlines.Reply); err != nil {
		return "", x.MissingReply(expected, err)
	}
	return answer, nil
}

func (x *exam) command(text string) (returned, reply string, err error) {
	line, err := x.call(checkerboard.Command+" "+text, "an answer to "+text)
	returned, reply, _ = strings.Cut(line, " ")
	return returned, strings.TrimSpace(reply), err
}

func answers(text, want string, right func(returned, reply string) bool) func(x *exam) error {
	return func(x *exam) error {
		returned, reply, err := x.command(text)
		if err == nil && !right(returned, reply) {
			return check.Faultf(want, "%s %q", returned, reply)
		}
		return err
	}
}

func understood(returned, reply string) bool { return returned != "0" && reply != "" }
func isVersion(returned, reply string) bool  { return returned != "0" && reply == "2" }
func unknown(returned, _ string) bool        { return returned == "0" }

func gameType(x *exam) error {
	returned, reply, err := x.command("get gametype")
	if err != nil || returned == "0" {
		return err
	}
	n, err := strconv.Atoi(reply)
	if err == nil {
		x.variant, err = checkers.VariantOf(n)
	}
	if err != nil {
		return check.Faultf("21, 22, 24, 25 or 26", "%q", reply)
	}
	return nil
}

func named(x *exam) error {
	return answers("name", "a name, and a return value that is not 0", func(returned, reply string) bool {
		if understood(returned, reply) {
			x.name = reply
		}
		return understood(returned, reply)
	})(x)
}

func exported(x *exam) error {
	if !x.legal && x.variant != checkers.English {
		return check.Faultf("a library that exports islegal", "one that does not")
	}
	return nil
}

func (x *exam) positions() []checkers.Board {
	var boards []checkers.Board
	for _, p := range checkers.Samples(x.variant)[:6] {
		boards = append(boards, p.Board())
	}
	return boards
}

func legality(x *exam) error {
	if !x.legal {
		return check.NotApplicablef("the library does not export islegal")
	}
	for _, board := range x.positions() {
		for _, m := range board.AppendMoves(nil) {
			if err := x.islegal(board, m); err != nil {
				return err
			}
		}
		if err := x.illegal(board); err != nil {
			return err
		}
	}
	return nil
}

func (x *exam) islegal(board checkers.Board, m checkers.Move) error {
	text := fmt.Sprintf("islegal of %s in %v", board.Format(m), &board)
	line, err := x.call(checkerboard.LegalRequest(&board, m.From(), m.To()), "an answer to islegal")
	returned, cbmove, _ := strings.Cut(line, " ")
	switch {
	case err != nil:
		return err
	case returned != "1":
		return check.Faultf(text+" to be 1", "%s", returned)
	}
	move, err := abi.ParseMove(cbmove)
	if err == nil {
		_, err = move.Read(&board)
	}
	if err != nil {
		return check.Faultf(text+" with a CBmove that is legal", "%v", err)
	}
	return nil
}

// illegal asks about squares between which there is no legal move.
func (x *exam) illegal(board checkers.Board) error {
	moves := board.AppendMoves(nil)
	for n := 1; n <= 32; n++ {
		to, _ := x.variant.Square(n)
		from := moves[0].From()
		if to == from || slices.ContainsFunc(moves, func(m checkers.Move) bool { return m.From() == from && m.To() == to }) {
			continue
		}
		line, err := x.call(checkerboard.LegalRequest(&board, from, to), "an answer to islegal")
		if err != nil {
			return err
		}
		if returned, _, _ := strings.Cut(line, " "); returned != "0" {
			return check.Faultf(fmt.Sprintf("islegal of %d to %d in %v to be 0", x.variant.Number(from), n, &board), "%s", returned)
		}
	}
	return nil
}

// A thought is a call of getmove.
type thought struct {
	board checkers.Board
	checkerboard.Answer
	told bool // something before the answer, or with it
	took time.Duration
}

func (x *exam) getmove(board checkers.Board, limit time.Duration, info int32) (t thought, err error) {
	if err := x.begin(); err != nil {
		return t, err
	}
	start := time.Now()
	if err := x.Send(checkerboard.Request(&board, limit, info|abi.Reset, 0)); err != nil {
		return t, err
	}
	before, line, err := check.ReadUntil(x, 3*limit+x.ThinkTime(), isMove)
	if err != nil {
		return t, x.MissingMove(fmt.Sprintf("getmove to return in %v", &board), err)
	}
	p, err := checkerboard.ParseAnswer(strings.TrimPrefix(line, checkerboard.Move+" "))
	return thought{board, p, len(before) > 0 || p.Status != "", time.Since(start)}, err
}

func isMove(line string) bool { return strings.HasPrefix(line, checkerboard.Move+" ") }

const briefly = 50 * time.Millisecond

func legal(x *exam) error {
	for _, board := range x.positions() {
		t, err := x.getmove(board, briefly, 0)
		if err != nil {
			return err
		}
		if _, err := t.LegalMove(&board); err != nil {
			return check.Faultf("a legal move", "%v", err)
		}
	}
	return nil
}

func thinks(limit time.Duration, info int32, right func(t thought) error) func(x *exam) error {
	return func(x *exam) error {
		t, err := x.getmove(x.positions()[0], limit, info)
		if err != nil {
			return err
		}
		return right(t)
	}
}

func changed(t thought) error {
	if t.Board == abi.BoardOf(&t.board) {
		return check.Faultf("a board with the move made", "the board as it was")
	}
	return nil
}

func filled(x *exam) error {
	if x.variant == checkers.English {
		return check.NotApplicablef("it plays English checkers")
	}
	return thinks(briefly, 0, func(t thought) error {
		if !t.HasCBmove {
			return check.Faultf("a CBmove", "none")
		}
		return nil
	})(x)
}

func informed(t thought) error {
	if !t.told {
		return check.Faultf("a text in str", "none")
	}
	return nil
}

// limit is the time limit in the checks that measure time.
const limit = 300 * time.Millisecond

func within(most time.Duration) func(t thought) error {
	return func(t thought) error { return check.CheckTime("a move", t.took, most) }
}

func stopped(x *exam) error {
	board := x.positions()[0]
	if err := x.Send(checkerboard.Request(&board, time.Minute, abi.Reset, 0)); err != nil {
		return err
	}
	early, err := x.Pause(x, limit)
	if err != nil || slices.ContainsFunc(early, isMove) {
		return err // it needs no time to be told to end
	}
	start := time.Now()
	if err := x.Send(checkerboard.PlayNow); err != nil {
		return err
	}
	if _, _, err := check.ReadUntil(x, x.Deadlines.Reply, isMove); err != nil {
		return x.MissingReply("a move when playnow is set", err)
	}
	return check.CheckTime("a move when playnow is set", time.Since(start), time.Second)
}
