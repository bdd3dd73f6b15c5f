package uci

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"qhsh/engine"
	"qhsh/engine/xiangqi"
	"qhsh/pluginclient/protocol/ucifamily"
	"qhsh/pluginclient/task/check"
	"qhsh/pluginclient/task/check/boards"
)

// An exam is one run of a check.
type exam struct {
	*check.Case
	*known
}

// settling is how long a line may take to come that should not come.
const settling = 60 * time.Millisecond

func (e *exam) greeting() string {
	if e.engine.UCCI {
		return "ucci"
	}
	return "uci"
}

// introduce starts the engine and reads what it says of itself.
func (e *exam) introduce() error {
	if err := e.Start(e.Context); err != nil {
		return err
	}
	if err := e.Send(e.greeting()); err != nil {
		return e.Missing(e.greeting()+"ok", err)
	}
	var lines []string
	for {
		line, err := e.Line(e.Context, e.Deadlines.Start)
		if err != nil {
			return e.Missing(e.greeting()+"ok", err)
		}
		if strings.TrimSpace(line) == e.greeting()+"ok" {
			break
		}
		lines = append(lines, line)
	}
	e.lines, e.offers = lines, nil
	for _, line := range lines {
		if name, ok := strings.CutPrefix(line, "id name "); ok {
			e.name = name
		}
		if o, ok := ucifamily.ParseOption(line); ok {
			e.offers = append(e.offers, o)
		}
	}
	return nil
}

// alone is a process of the check's own, introduced and set.
func (e *exam) alone() error {
	if err := e.introduce(); err != nil {
		return err
	}
	for _, s := range e.settings() {
		if err := e.Send(e.setOption(s.Name, s.Value)); err != nil {
			return err
		}
	}
	if !e.ready {
		return nil
	}
	return e.isReady(e.Deadlines.Start)
}

// settings are those of the protocol and then those of the SPEC.
func (e *exam) settings() []ucifamily.Setting {
	var all []ucifamily.Setting
	if o := e.offer("UCI_Variant"); o != nil && !e.engine.UCCI {
		all = append(all, ucifamily.Setting{Name: o.Name, Value: "xiangqi"})
	}
	if o := e.offer("usemillisec"); o != nil && e.engine.UCCI {
		all = append(all, ucifamily.Setting{Name: o.Name, Value: "true"})
	}
	for _, s := range e.engine.Settings {
		if settled, err := ucifamily.Offers(e.offers).Settle(s); err == nil {
			s = settled
		}
		all = append(all, s)
	}
	return all
}

func (e *exam) setOption(name, value string) string {
	switch {
	case e.engine.UCCI:
		return strings.TrimSpace("setoption " + name + " " + value)
	case value == "":
		return "setoption name " + name
	}
	return "setoption name " + name + " value " + value
}

// fresh is an engine with nothing to say: one that runs, if it is in step.
func (e *exam) fresh() error {
	if e.Running() && e.ready {
		e.Drain()
		if e.isReady(e.Deadlines.Reply) == nil {
			return nil
		}
	}
	return e.alone()
}

// isReady wants readyok, and nothing before it but information.
func (e *exam) isReady(within time.Duration) error {
	if err := e.Send("isready"); err != nil {
		return err
	}
	strays, err := e.until("readyok", within)
	if err != nil {
		return e.Missing("readyok", err)
	}
	for _, line := range strays {
		if isAnswer(line) {
			return check.Faultf("readyok and no other answer", "%q", line)
		}
	}
	return nil
}

// isAnswer tells whether a line ends a search.
func isAnswer(line string) bool {
	_, ok := ucifamily.ParseBest(line)
	return ok
}

// until reads up to a line of one word, and answers those before it.
func (e *exam) until(word string, within time.Duration) (before []string, err error) {
	deadline := time.Now().Add(within)
	for {
		line, err := e.Line(e.Context, time.Until(deadline))
		if err != nil {
			return before, err
		}
		if strings.TrimSpace(line) == word {
			return before, nil
		}
		before = append(before, line)
	}
}

// position is the command for a position with its moves.
func (e *exam) position(pos *xiangqi.Position) string {
	from, moves := pos.History()
	return ucifamily.FormatPosition(from, moves, e.ranks())
}

// A thought is what an engine has answered to "go".
type thought struct {
	best  string // the line that ends it
	infos []string
}

// ask sends a position and "go" and waits for the answer.
func (e *exam) ask(pos *xiangqi.Position, goes string) (thought, error) {
	e.Drain()
	if err := e.Send(e.position(pos), goes); err != nil {
		return thought{}, err
	}
	return e.answer(goes, e.Deadlines.Think)
}

// answer waits for the line that ends a search.
func (e *exam) answer(to string, within time.Duration) (thought, error) {
	var t thought
	deadline := time.Now().Add(within)
	for {
		line, err := e.Line(e.Context, time.Until(deadline))
		if err != nil {
			return t, e.Missing("bestmove after "+to, err)
		}
		if isAnswer(line) {
			t.best = line
			return t, nil
		}
		t.infos = append(t.infos, line)
	}
}

// legal reads the move of an answer, which has to be legal.
func (e *exam) legal(pos *xiangqi.Position, t thought) (engine.Move, error) {
	best, _ := ucifamily.ParseBest(t.best)
	m, ok := e.ranks().Parse(best.Move)
	if ok {
		_, err := pos.Play(m)
		ok = err == nil
	}
	if !ok {
		return engine.NoMove, check.Faultf("bestmove and "+e.named(pos), "%q", t.best)
	}
	return m, nil
}

// named are the legal moves of a position in the words of the protocol, if they are few.
func (e *exam) named(pos *xiangqi.Position) string {
	moves := pos.Moves()
	if len(moves) > 4 {
		return "a legal move"
	}
	var texts []string
	for _, m := range moves {
		texts = append(texts, e.ranks().Format(m))
	}
	return strings.Join(texts, " or ")
}

// plays wants a legal move at a position.
func (e *exam) plays(pos *xiangqi.Position, goes string) (engine.Move, error) {
	t, err := e.ask(pos, goes)
	if err != nil {
		return engine.NoMove, err
	}
	return e.legal(pos, t)
}

// quiet wants no further answer: up to readyok, or for a while.
func (e *exam) quiet(after string) error {
	lines, err := e.Pause(e.Context, 2*settling)
	if err != nil {
		return err
	}
	if e.ready {
		if err := e.Ping("isready"); err != nil {
			return err
		}
		more, err := e.until("readyok", e.Deadlines.Reply)
		if err != nil {
			return e.Missing("readyok", err)
		}
		lines = slices.Concat(lines, more)
	}
	for _, line := range lines {
		if isAnswer(line) {
			return check.Faultf("no further answer after "+after, "%q", line)
		}
	}
	return nil
}

// goTime is "go" with a time for one move.
func (e *exam) goTime(d time.Duration) string {
	if !e.engine.UCCI {
		return fmt.Sprintf("go movetime %d", d.Milliseconds())
	}
	if e.offer("usemillisec") != nil {
		return fmt.Sprintf("go time %d movestogo 1", d.Milliseconds())
	}
	return fmt.Sprintf("go time %d movestogo 1", max(1, int(d.Seconds())))
}

// thinks begins an endless search. No answer may come in a while.
func (e *exam) thinks(pos *xiangqi.Position, d time.Duration, behind ...string) error {
	if err := e.fresh(); err != nil {
		return err
	}
	e.Drain()
	if err := e.Send(append([]string{e.position(pos), "go infinite"}, behind...)...); err != nil {
		return err
	}
	if d == 0 {
		return nil
	}
	lines, err := e.Pause(e.Context, d)
	if err != nil {
		return err
	}
	for _, line := range lines {
		if isAnswer(line) {
			return check.Faultf("no answer to go infinite before stop", "%q", line)
		}
	}
	return nil
}

// stops: stop some time after "go infinite" is answered with a legal move, once.
func stops(after time.Duration) func(*exam) error {
	return func(e *exam) error {
		var behind []string
		if after == 0 {
			behind = []string{"stop"}
		}
		if err := e.thinks(boards.Middle, after, behind...); err != nil {
			return err
		}
		if after > 0 {
			if err := e.Send("stop"); err != nil {
				return err
			}
		}
		t, err := e.answer("stop", e.Deadlines.Prompt)
		if err != nil {
			return err
		}
		if _, err := e.legal(boards.Middle, t); err != nil {
			return err
		}
		return e.quiet("bestmove")
	}
}

// alive wants an engine that goes on.
func (e *exam) alive(after string) error {
	e.Drain()
	if e.ready {
		if err := e.isReady(e.Deadlines.Think); err != nil {
			return err
		}
	}
	_, err := e.plays(boards.OnlyHorse, "go depth 2")
	if errors.Is(err, check.ErrSilent) {
		return check.Faultf("an engine that goes on after "+after, "%v", err)
	}
	return err
}

func number(text string) bool {
	_, err := strconv.ParseInt(text, 10, 64)
	return err == nil
}
