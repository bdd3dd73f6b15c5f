// Package jsonlcheck has the checks of engines that speak JSON lines, by the page 'qhsh help jsonl'. What a
// host can do without is advice: an engine need not stop before its time, for example, since one that
// does not is started again.
package jsonlcheck

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"qhsh/engine"
	"qhsh/pluginclient"
	"qhsh/pluginclient/protocol/jsonl"
	"qhsh/pluginclient/task/check"
)

// Suite returns the checks for an engine that plays a game. log may be nil.
func Suite(program pluginclient.Program, game engine.Game, log *pluginclient.TraceLog) *check.Suite {
	e := &examinee{name: program.Name, game: game}
	return &check.Suite{
		Protocol: jsonl.Protocol, Talk: check.NewTalk(program.Name, program.Start, log),
		Name:   func() string { return e.name },
		Checks: check.Checks(table, basic, func(c *check.Case) *exam { return &exam{Case: c, examinee: e} }),
	}
}

// An examinee is what the checks have found out about an engine.
type examinee struct {
	name   string
	game   engine.Game
	lastID int // of a request
}

type exam struct {
	*check.Case
	*examinee
}

// basic is the check that all behind it require.
const basic = "request.answer"

// The sections of the page.
const (
	requests = "Requests"
	answers  = "Answers"
	actions  = "Actions"
	states   = "A game of your own"
)

// brief is the time of a search.
const brief = 100 * time.Millisecond

var legal = []string{"hints.legal"}

var table = []check.Row[*exam]{
	{Name: "request.versions", Section: actions, Rule: "versions is answered, with an error if it is not known", Run: versions},
	{Name: basic, Section: requests, Rule: "a request is answered with its id, and with hints, over or an error", Run: (*exam).searchStart},
	{Name: "request.action", Section: actions, Rule: "an action that is not known is answered with an error", Run: unknown},
	{Name: "request.several", Section: requests, Rule: "requests that come together are all answered, each once", Prepare: (*exam).begin, Run: several},
	{Name: "request.key", Section: requests, Rule: "keys that are not known are passed over", Advice: true, Prepare: (*exam).begin, Run: strangeKey},
	{Name: "request.broken", Section: answers, Rule: "a line that is no object is answered with an error, and the next request is answered", Advice: true, Prepare: (*exam).begin, Run: broken},
	{Name: "hints.legal", Section: answers, Rule: "move is legal in the position of the request, whatever was asked before", Run: playsGame},
	{Name: "hints.pv", Section: answers, Rule: "pv has legal moves, one after the other, the first of which is move", Advice: true, Needs: legal, Run: lineOfPlay},
	{Name: "hints.lines", Section: answers, Rule: "with lines there are no more hints than that, with different moves", Needs: legal, Run: severalLines},
	{Name: "hints.ban", Section: requests, Rule: "a move of ban is not answered", Needs: legal, Run: banned},
	{Name: "hints.over", Section: answers, Rule: "a game that is over is answered without hints", Advice: true, Needs: legal, Run: over},
	{Name: "limits.time", Section: requests, Rule: "a search with a time is answered within the time and a second", Needs: legal, Run: inTime},
	{Name: "limits.terminate", Section: actions, Rule: "after terminate a search is answered at once with the best so far", Advice: true, Needs: legal, Prepare: (*exam).begin, Run: terminated},
	{Name: "state.answer", Section: states, Rule: "state is answered with a state that says all about the position", Run: stateAnswer},
	{Name: "state.text", Section: states, Rule: "fen leads to the same state again", Needs: []string{"state.answer"}, Run: stateText},
	{Name: "state.rules", Section: states, Rule: "turn, moves and result are those of the rules", Needs: []string{"state.answer"}, Run: stateRules},
	{Name: "state.illegal", Section: states, Rule: "an illegal move and an invalid fen are answered with an error", Needs: []string{"state.answer"}, Run: stateIllegal},
	{Name: "end.input", Section: requests, Rule: "at the end of its input an engine ends", Advice: true, Prepare: (*exam).begin, Run: ends},
}

func (x *exam) begin() error {
	if x.Running() {
		return nil
	}
	if err := x.Start(x); err != nil {
		return check.Faultf("an engine that starts", "%v", err)
	}
	return nil
}

func (x *exam) ask(r jsonl.Request, within time.Duration) (jsonl.Answer, error) {
	err := x.begin()
	if err == nil {
		err = x.Send(x.number(&r))
	}
	if err != nil {
		return jsonl.Answer{}, err
	}
	return x.answer(r.ID, within)
}

// number gives a request the next id, and returns its line.
func (x *exam) number(r *jsonl.Request) string {
	x.lastID++
	r.ID = x.lastID
	return r.Encode()
}

// answer waits for the final answer to a request. Another of an earlier one is request.several's matter.
func (x *exam) answer(id int, within time.Duration) (a jsonl.Answer, err error) {
	want := fmt.Sprintf(`an answer with "id":%d`, id)
	for deadline := time.Now().Add(within); ; {
		line, err := x.Line(x, time.Until(deadline))
		if err != nil {
			return a, x.MissingReply(want, err)
		}
		if a, err = jsonl.ParseAnswer(line); err != nil {
			return a, check.Faultf(want, "%v", err)
		}
		if *a.ID > id || *a.ID < 1 {
			return a, check.Faultf(want, "%s", line)
		}
		if *a.ID == id && a.IsFinal() {
			return a, nil
		}
	}
}

func (x *exam) searchLines(pos engine.Position, lim engine.Limits) ([]engine.Line, error) {
	lim.Time = brief
	a, err := x.ask(jsonl.NewSearch(pos, lim), x.Deadlines.Think)
	if err != nil {
		return nil, err
	}
	lines, err := a.Lines(pos, lim, func(string) {})
	switch {
	case a.Error != "":
		return nil, check.Faultf("hints", "the error %q", a.Error)
	case err != nil:
		return nil, check.Faultf("hints with legal moves at "+pos.String(), "%v", err)
	}
	return lines, nil
}

func (x *exam) searchStart() error {
	a, err := x.ask(jsonl.NewSearch(x.game.Start(), engine.Limits{Time: brief}), x.Deadlines.Think)
	if err == nil && a.Error == "" && len(a.Hints) == 0 && a.Over == "" {
		return check.Faultf("hints, over or an error", "none of them")
	}
	return err
}

func versions(x *exam) error {
	a, err := x.ask(jsonl.Request{Action: jsonl.ActionVersions}, x.Deadlines.Start)
	if err == nil && len(a.Engines) > 0 && a.Engines[0].Name != "" {
		x.name = a.Engines[0].Name
	}
	return err
}

func unknown(x *exam) error {
	a, err := x.ask(jsonl.Request{Action: "nosuchaction"}, x.Deadlines.Reply)
	if err == nil && a.Error == "" {
		return check.Faultf("an error", "an answer without one")
	}
	return err
}

func several(x *exam) error {
	var lines []string
	missing := map[int]bool{}
	for range 3 {
		r := jsonl.NewSearch(x.game.Start(), engine.Limits{Time: brief})
		lines = append(lines, x.number(&r))
		missing[r.ID] = true
	}
	if err := x.Send(lines...); err != nil {
		return err
	}
	for len(missing) > 0 {
		line, err := x.Line(x, x.Deadlines.Think)
		if err != nil {
			return x.MissingReply("an answer to each of three requests", err)
		}
		switch a, err := jsonl.ParseAnswer(line); {
		case err != nil:
			return check.Faultf("an answer", "%v", err)
		case !missing[*a.ID]:
			return check.Faultf("one answer to each of three requests", "%s", line)
		case a.IsFinal():
			delete(missing, *a.ID)
		}
	}
	return x.CheckQuiet(brief, func(string) bool { return true }, "one answer to each request")
}

func strangeKey(x *exam) error {
	x.lastID++
	text, err := json.Marshal(map[string]any{"id": x.lastID, "fen": x.game.Start().String(), "limits": map[string]int{"time": 100}, "nosuchkey": 1})
	if err == nil {
		err = x.Send(string(text))
	}
	if err != nil {
		return err
	}
	a, err := x.answer(x.lastID, x.Deadlines.Think)
	if err == nil && a.Error != "" {
		return check.Faultf("hints", "the error %q", a.Error)
	}
	return err
}

func broken(x *exam) error {
	if err := x.Send("no object"); err != nil {
		return err
	}
	line, err := x.Line(x, x.Deadlines.Reply)
	if err != nil {
		return x.MissingReply("an error", err)
	}
	if !strings.Contains(line, `"error"`) {
		return check.Faultf("an error", "%s", line)
	}
	return x.searchStart()
}

// positions returns those of a random game, always the same one, in which a side is to move.
func (x *exam) positions(plies int) (all []engine.Position, last engine.Position) {
	source := rand.New(rand.NewPCG(54, 1)) //nolint:gosec // the same game every time
	last = x.game.Start()
	for range plies {
		moves := last.Moves()
		if len(moves) == 0 {
			break
		}
		if last.Turn() != engine.Chance {
			all = append(all, last)
		}
		next, err := last.Play(moves[source.IntN(len(moves))])
		if err != nil {
			break
		}
		last = next
	}
	return all, last
}

// playsGame asks for moves at positions of a game, the last first.
func playsGame(x *exam) error {
	all, _ := x.positions(16)
	for _, pos := range slices.Backward(all) {
		if _, err := x.searchLines(pos, engine.Limits{}); err != nil {
			return err
		}
	}
	return nil
}

func lineOfPlay(x *exam) error {
	all, _ := x.positions(6)
	for _, pos := range all {
		a, err := x.ask(jsonl.NewSearch(pos, engine.Limits{Time: brief}), x.Deadlines.Think)
		if err != nil {
			return err
		}
		bad := ""
		if _, err := a.Lines(pos, engine.Limits{}, func(move string) { bad = move }); err != nil {
			return check.Faultf("hints", "%v", err)
		}
		if pv := a.Hints[0].PV; len(pv) > 0 && pv[0] != a.Hints[0].Move {
			return check.Faultf("a pv that begins with "+a.Hints[0].Move, "%q", pv)
		}
		if bad != "" {
			return check.Faultf("legal moves in the pv", "%q at %s", bad, pos)
		}
	}
	return nil
}

func severalLines(x *exam) error {
	all, _ := x.positions(6)
	for _, pos := range all {
		r := jsonl.NewSearch(pos, engine.Limits{Lines: 3, Time: brief})
		a, err := x.ask(r, x.Deadlines.Think)
		if err != nil {
			return err
		}
		seen := map[string]bool{}
		for _, h := range a.Hints {
			if seen[h.Move] {
				return check.Faultf("hints with different moves", "%q twice", h.Move)
			}
			seen[h.Move] = true
		}
		if len(a.Hints) > 3 {
			return check.Faultf("3 hints at most", "%d", len(a.Hints))
		}
	}
	return nil
}

// banned bans the answer to a search, and then all moves but one.
func banned(x *exam) error {
	all, _ := x.positions(6)
	for _, pos := range all {
		moves := pos.Moves()
		if len(moves) < 2 {
			continue
		}
		lines, err := x.searchLines(pos, engine.Limits{})
		if err != nil {
			return err
		}
		for _, ban := range [][]engine.Move{{lines[0].Move()}, moves[1:]} {
			lines, err := x.searchLines(pos, engine.Limits{Ban: ban})
			if err != nil {
				return err
			}
			if slices.Contains(ban, lines[0].Move()) {
				return check.Faultf("a move that is not banned", "%s at %s", pos.Format(lines[0].Move()), pos)
			}
		}
		return nil
	}
	return check.NotApplicablef("no position with several moves was found")
}

func over(x *exam) error {
	_, last := x.positions(500)
	if !last.Result().Over() {
		return check.NotApplicablef("a random game does not end")
	}
	a, err := x.ask(jsonl.NewSearch(last, engine.Limits{Time: brief}), x.Deadlines.Think)
	if err == nil && len(a.Hints) > 0 {
		return check.Faultf("over or an error", "the hint %q", a.Hints[0].Move)
	}
	return err
}

func inTime(x *exam) error {
	all, _ := x.positions(8)
	pos := all[len(all)-1]
	begun := time.Now()
	if _, err := x.ask(jsonl.NewSearch(pos, engine.Limits{Time: 3 * brief}), x.Deadlines.Think); err != nil {
		return err
	}
	return check.CheckTime("an answer", time.Since(begun), 3*brief+time.Second)
}

func terminated(x *exam) error {
	search := jsonl.NewSearch(x.game.Start(), engine.Limits{Time: time.Hour})
	if err := x.Send(x.number(&search)); err != nil {
		return err
	}
	if early, err := x.Pause(x, brief); err != nil || len(early) > 0 {
		return err // it needs no time
	}
	if err := x.Send(x.number(&jsonl.Request{Action: jsonl.ActionTerminate, IDs: []int{search.ID}})); err != nil {
		return err
	}
	for {
		line, err := x.Line(x, x.Deadlines.Prompt)
		if err != nil {
			return x.MissingReply("an answer to the search", err)
		}
		if a, err := jsonl.ParseAnswer(line); err != nil || *a.ID == search.ID && a.IsFinal() {
			return err
		}
	}
}

func (x *exam) state(fen string, moves ...string) (*jsonl.State, error) {
	a, err := x.ask(jsonl.Request{Action: jsonl.ActionState, FEN: fen, Moves: moves}, x.Deadlines.Reply)
	if err != nil {
		return nil, err
	}
	if a.Error != "" {
		return nil, errors.New(a.Error)
	}
	if err := a.State.Check(); err != nil {
		return nil, check.Faultf("a state", "%v", err)
	}
	return a.State, nil
}

func stateAnswer(x *exam) error {
	_, err := x.state("")
	if _, isFault := errors.AsType[*check.Fault](err); err != nil && !isFault && x.Err() == nil {
		return check.NotApplicablef("it knows no rules: %v", err)
	}
	return err
}

func stateText(x *exam) error {
	_, last := x.positions(10)
	start, moves := last.History()
	first, err := x.state(start.String(), engine.FormatMoves(start, moves)...)
	if err == nil {
		var again *jsonl.State
		again, err = x.state(first.FEN)
		if err == nil && (again.FEN != first.FEN || again.Turn != first.Turn || !slices.Equal(again.Moves, first.Moves)) {
			return check.Faultf("the same fen, turn and moves as before", "%s %s %q at %s", again.FEN, again.Turn, again.Moves, first.FEN)
		}
	}
	return fault(err)
}

func stateRules(x *exam) error {
	if _, own := x.game.(*jsonl.Game); own {
		return check.NotApplicablef("nobody else knows the rules")
	}
	all, last := x.positions(20)
	for _, pos := range append(all, last) {
		start, moves := pos.History()
		got, err := x.state(start.String(), engine.FormatMoves(start, moves)...)
		if err != nil {
			return fault(err)
		}
		want := jsonl.StateOf(pos, "", "")
		slices.Sort(got.Moves)
		slices.Sort(want.Moves)
		if got.Turn != want.Turn || got.Result != want.Result || !slices.Equal(got.Moves, want.Moves) {
			return check.Faultf(fmt.Sprintf("turn %s, result %q and %d moves at %s", want.Turn, want.Result, len(want.Moves), pos),
				"%s, %q and %d: %s", got.Turn, got.Result, len(got.Moves), strings.Join(got.Moves, " "))
		}
	}
	return nil
}

func stateIllegal(x *exam) error {
	for _, r := range []jsonl.Request{{Action: jsonl.ActionState, Moves: []string{"nosuchmove"}}, {Action: jsonl.ActionState, FEN: "no such position"}} {
		a, err := x.ask(r, x.Deadlines.Reply)
		if err != nil {
			return err
		}
		if a.Error == "" {
			return check.Faultf("an error", "an answer to %s without one", r.Encode())
		}
	}
	return nil
}

// fault returns an engine's own error as a fault.
func fault(err error) error {
	if _, isFault := errors.AsType[*check.Fault](err); isFault || err == nil {
		return err
	}
	return check.Faultf("a state", "%v", err)
}

func ends(x *exam) error {
	x.EndInput()
	_, err := x.WaitEnd("the end of the engine")
	return err
}
