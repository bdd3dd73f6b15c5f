// Package checkerboard has the checks of engines with the CheckerBoard API, by its document, by
// what CheckerBoard itself requires of engines, and by the rules of the engine's variant. The
// chapters are
//
//	start     what the library exports
//	command   enginecommand
//	islegal   islegal, which all but English engines have
//	getmove   getmove
//
// What the document leaves open, or what known engines do differently without harm, is advice.
package checkerboard

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

// Suite returns the checks for the engine of a library.
func Suite(program checkerboard.Program, log *pluginclient.TraceLog) *check.Suite {
	e := &examinee{name: program.Name}
	s := &check.Suite{
		Protocol: checkerboard.Protocol, Talk: check.NewTalk(program.Name, program.Start, log),
		Name: func() string { return e.name },
	}
	for _, row := range table {
		s.Checks = append(s.Checks, check.Check{
			Name: row.name, Section: row.section, Rule: row.rule, Advice: row.advice, Needs: row.needs,
			Run: func(c *check.Case) error { return row.run(&exam{c, e}) },
		})
	}
	return s
}

// An examinee is what the checks have found out about an engine.
type examinee struct {
	name    string
	variant checkers.Variant
	legal   bool // it exports islegal
}

// An exam is a run of a check.
type exam struct {
	*check.Case
	*examinee
}

type row struct {
	name, section, rule string
	advice              bool
	needs               []string
	run                 func(x *exam) error
}

const (
	required = "Required Functions"
	multiple = "Multi-Version Support Functions"
)

var (
	loaded = []string{"start.exports"}
	typed  = []string{"start.exports", "command.gametype"}
)

var table = []row{
	{name: "start.exports", section: required, rule: "the library exports getmove and enginecommand", run: exports},
	{name: "command.gametype", section: multiple, rule: "get gametype is answered with the number of a variant; without an answer it is English", needs: loaded, run: gameType},
	{name: "command.name", section: required, rule: "name is answered with the name of the engine", needs: loaded, run: named},
	{name: "command.about", section: required, rule: "about is answered with a description", advice: true, needs: loaded, run: understood("about")},
	{name: "command.protocolversion", section: required, rule: "get protocolversion is answered with 2", advice: true, needs: loaded, run: version},
	{name: "command.unknown", section: required, rule: "a command that is not understood returns 0", needs: loaded, run: unknown},
	{name: "islegal.exported", section: multiple, rule: "an engine that does not play English checkers exports islegal", needs: typed, run: exported},
	{name: "islegal.moves", section: multiple, rule: "islegal returns 1 for the ends of a legal move, with a CBmove that is one, and 0 for others", needs: typed, run: legality},
	{name: "getmove.legal", section: required, rule: "getmove answers with a legal move, by its board or by its CBmove", needs: typed, run: legal},
	{name: "getmove.board", section: required, rule: "getmove makes its move on the board", advice: true, needs: []string{"getmove.legal"}, run: changed},
	{name: "getmove.cbmove", section: multiple, rule: "an engine that does not play English checkers fills in the CBmove", needs: []string{"getmove.legal"}, run: filled},
	{name: "getmove.status", section: required, rule: "getmove writes a line of search information", advice: true, needs: []string{"getmove.legal"}, run: informed},
	{name: "getmove.time", section: required, rule: "getmove takes about the time that it is given", needs: []string{"getmove.legal"}, run: timely},
	{name: "getmove.exact", section: required, rule: "with bit 1 of info set getmove takes no longer than it is given", advice: true, needs: []string{"getmove.legal"}, run: exact},
	{name: "getmove.playnow", section: required, rule: "getmove returns at once when playnow is set", needs: []string{"getmove.legal"}, run: stopped},
}

// begin starts the library's process if it is not running.
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

// command calls enginecommand.
func (x *exam) command(text string) (returned, reply string, err error) {
	if err := x.begin(); err != nil {
		return "", "", err
	}
	if err := x.Send(checkerboard.Command + " " + text); err != nil {
		return "", "", err
	}
	line, err := x.Line(x, x.Deadlines.Reply)
	if err != nil {
		return "", "", x.MissingReply("an answer to "+text, err)
	}
	returned, reply, _ = strings.Cut(line, " ")
	return returned, strings.TrimSpace(reply), nil
}

func exports(x *exam) error { return x.begin() }

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
	returned, reply, err := x.command("name")
	switch {
	case err != nil:
		return err
	case returned == "0" || reply == "":
		return check.Faultf("a name, and a return value that is not 0", "%s %q", returned, reply)
	}
	x.name = reply
	return nil
}

func understood(text string) func(x *exam) error {
	return func(x *exam) error {
		returned, reply, err := x.command(text)
		if err == nil && (returned == "0" || reply == "") {
			return check.Faultf("a reply, and a return value that is not 0", "%s %q", returned, reply)
		}
		return err
	}
}

func version(x *exam) error {
	returned, reply, err := x.command("get protocolversion")
	if err == nil && (returned == "0" || reply != "2") {
		return check.Faultf("2, and a return value that is not 0", "%s %q", returned, reply)
	}
	return err
}

func unknown(x *exam) error {
	returned, reply, err := x.command("no such command")
	if err == nil && returned != "0" {
		return check.Faultf("a return value of 0", "%s %q", returned, reply)
	}
	return err
}

func exported(x *exam) error {
	if err := x.begin(); err != nil {
		return err
	}
	if !x.legal && x.variant != checkers.English {
		return check.Faultf("a library that exports islegal", "one that does not")
	}
	return nil
}

// positions returns the first samples of the variant.
func (x *exam) positions() []checkers.Board {
	var boards []checkers.Board
	for _, p := range checkers.Samples(x.variant)[:6] {
		boards = append(boards, p.Board())
	}
	return boards
}

func legality(x *exam) error {
	if err := x.begin(); err != nil {
		return err
	}
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

// islegal asks about the squares of a legal move.
func (x *exam) islegal(board checkers.Board, m checkers.Move) error {
	text := fmt.Sprintf("islegal of %s in %v", board.Format(m), &board)
	returned, cbmove, err := x.ask(board, m.From(), m.To())
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
		returned, _, err := x.ask(board, from, to)
		if err != nil {
			return err
		}
		if returned != "0" {
			return check.Faultf(fmt.Sprintf("islegal of %d to %d in %v to be 0", x.variant.Number(from), n, &board), "%s", returned)
		}
	}
	return nil
}

func (x *exam) ask(board checkers.Board, from, to checkers.Square) (returned, cbmove string, err error) {
	given := abi.BoardOf(&board)
	v := board.Variant()
	if err := x.Send(fmt.Sprintf("%s %d %d %d %s", checkerboard.IsLegal, abi.Color(board.Turn()), v.Number(from), v.Number(to), abi.FormatInts(given.Ints()))); err != nil {
		return "", "", err
	}
	line, err := x.Line(x, x.Deadlines.Reply)
	if err != nil {
		return "", "", x.MissingReply("an answer to islegal", err)
	}
	returned, cbmove, _ = strings.Cut(line, " ")
	return returned, cbmove, nil
}

// getmove asks for a move and returns how long it took.
func (x *exam) getmove(board checkers.Board, limit time.Duration, info int32) (p checkerboard.Answer, told bool, took time.Duration, err error) {
	if err := x.begin(); err != nil {
		return p, false, 0, err
	}
	start := time.Now()
	if err := x.Send(checkerboard.Request(&board, limit, info|abi.Reset, 0)); err != nil {
		return p, false, 0, err
	}
	before, line, err := check.ReadUntil(x, 3*limit+x.Deadlines.Reply, func(line string) bool {
		return strings.HasPrefix(line, checkerboard.Move+" ")
	})
	if err != nil {
		return p, false, 0, x.MissingReply(fmt.Sprintf("getmove to return in %v", &board), err)
	}
	p, err = checkerboard.ParseAnswer(strings.TrimPrefix(line, checkerboard.Move+" "))
	return p, len(before) > 0 || p.Status != "", time.Since(start), err
}

const briefly = 50 * time.Millisecond

func legal(x *exam) error {
	for _, board := range x.positions() {
		p, _, _, err := x.getmove(board, briefly, 0)
		if err != nil {
			return err
		}
		if _, err := p.LegalMove(&board); err != nil {
			return check.Faultf("a legal move", "%v", err)
		}
	}
	return nil
}

func changed(x *exam) error {
	board := x.positions()[0]
	p, _, _, err := x.getmove(board, briefly, 0)
	if err == nil && p.Board == abi.BoardOf(&board) {
		return check.Faultf("a board with the move made", "the board as it was")
	}
	return err
}

func filled(x *exam) error {
	if x.variant == checkers.English {
		return check.NotApplicablef("it plays English checkers")
	}
	p, _, _, err := x.getmove(x.positions()[0], briefly, 0)
	if err == nil && !p.HasCBmove {
		return check.Faultf("a CBmove", "none")
	}
	return err
}

func informed(x *exam) error {
	_, told, _, err := x.getmove(x.positions()[0], 4*briefly, 0)
	if err == nil && !told {
		return check.Faultf("a text in str", "none")
	}
	return err
}

// limit is the time limit in the checks that measure time.
const limit = 300 * time.Millisecond

func timely(x *exam) error {
	_, _, took, err := x.getmove(x.positions()[0], limit, 0)
	if err != nil {
		return err
	}
	return check.CheckTime("a move", took, 3*limit+briefly)
}

func exact(x *exam) error {
	_, _, took, err := x.getmove(x.positions()[0], limit, abi.Exact)
	if err != nil {
		return err
	}
	return check.CheckTime("a move", took, limit*6/5)
}

func stopped(x *exam) error {
	board := x.positions()[0]
	if err := x.begin(); err != nil {
		return err
	}
	if err := x.Send(checkerboard.Request(&board, time.Minute, abi.Reset, 0)); err != nil {
		return err
	}
	if _, err := x.Pause(x, limit); err != nil {
		return err
	}
	start := time.Now()
	if err := x.Send(checkerboard.PlayNow); err != nil {
		return err
	}
	_, _, err := check.ReadUntil(x, x.Deadlines.Reply, func(line string) bool { return strings.HasPrefix(line, checkerboard.Move+" ") })
	if err != nil {
		return x.MissingReply("a move when playnow is set", err)
	}
	return check.CheckTime("a move when playnow is set", time.Since(start), time.Second)
}
