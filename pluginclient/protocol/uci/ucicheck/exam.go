package ucicheck

import (
	"fmt"
	"strings"
	"time"

	"qhsh/engine"
	"qhsh/engine/xiangqi"
	"qhsh/pluginclient/protocol/uci"
	"qhsh/pluginclient/task/check"
	"qhsh/pluginclient/task/check/boards"
)

// An exam is one run of a check.
type exam struct {
	*check.Case
	*engineState
}

// engineState is what is known about an engine, in all checks.
type engineState struct {
	Engine         // its Name and Ranks become what the engine shows
	options        uci.OptionList
	lines          []string // received before uciok
	answersIsReady bool
}

func (k *engineState) ranks() uci.Ranks {
	if k.Ranks != nil {
		return *k.Ranks
	}
	return k.Dialect.Ranks(k.options)
}

func handshake(e *exam) error {
	if err := e.Talk.Start(e.Context); err != nil {
		return err
	}
	end := e.Dialect.Greeting + "ok"
	if err := e.Send(e.Dialect.Greeting); err != nil {
		return e.MissingReply(end, err)
	}
	var lines []string
	for {
		line, err := e.Line(e.Context, e.Deadlines.Start)
		if err != nil {
			return e.MissingReply(end, err)
		}
		if strings.TrimSpace(line) == end {
			break
		}
		lines = append(lines, line)
	}
	e.lines, e.options = lines, nil
	for _, line := range lines {
		if name, ok := strings.CutPrefix(line, "id name "); ok {
			e.Name = name
		}
		if o, ok := uci.ParseOption(line); ok {
			e.options = append(e.options, o)
		}
	}
	return nil
}

// newProcess starts a new process and sends the settings of the protocol, followed by those of the SPEC.
func newProcess(e *exam) error {
	if err := handshake(e); err != nil {
		return err
	}
	settings, _ := e.Dialect.Required(e.options)
	for _, s := range e.Settings {
		if settled, err := e.options.Resolve(s); err == nil {
			s = settled
		}
		settings = append(settings, s)
	}
	for _, s := range settings {
		if err := e.Send(e.Dialect.SetOption(s.Name, s.Value)); err != nil {
			return err
		}
	}
	if !e.answersIsReady {
		return nil
	}
	return e.isReady(e.Deadlines.Start)
}

// idleEngine provides an idle engine: the running one, if it still answers isready.
func idleEngine(e *exam) error {
	if e.Running() && e.answersIsReady {
		e.Drain()
		if e.isReady(e.Deadlines.Reply) == nil {
			return nil
		}
	}
	return newProcess(e)
}

// needsOption is newProcess for engines with an option; for others the check is absent.
func needsOption(option string) step {
	return func(e *exam) error {
		if _, ok := e.options.Find(option); !ok {
			return check.NotApplicablef("it does not offer %s", option)
		}
		return newProcess(e)
	}
}

// thinking starts an infinite search in an idle engine and checks that there is no reply for a
// while. Lines of behind are sent together with "go".
func thinking(d time.Duration, behind ...string) step {
	return func(e *exam) error {
		if err := idleEngine(e); err != nil {
			return err
		}
		e.Drain()
		if err := e.Send(append([]string{e.position(boards.Middlegame), "go infinite"}, behind...)...); err != nil || d == 0 {
			return err
		}
		return e.CheckQuiet(d, isAnswer, "no answer to go infinite before stop")
	}
}

func isAnswer(line string) bool {
	_, ok := uci.ParseBestMove(line)
	return ok
}

func isReadyOK(line string) bool { return strings.TrimSpace(line) == "readyok" }

// isReady checks that isready is answered with readyok, without another reply before it.
func (e *exam) isReady(within time.Duration) error {
	if err := e.Send("isready"); err != nil {
		return err
	}
	strays, _, err := check.ReadUntil(e, within, isReadyOK)
	if err != nil {
		return e.MissingReply("readyok", err)
	}
	return check.CheckNone(strays, isAnswer, "readyok and no other answer")
}

// setOption returns the command that sets an option, with its name as the engine spells it.
func (e *exam) setOption(name, value string) string {
	if o, ok := e.options.Find(name); ok {
		name = o.Name
	}
	return e.Dialect.SetOption(name, value)
}

func (e *exam) position(pos *xiangqi.Position) string {
	from, moves := pos.History()
	return uci.FormatPosition(from, moves, e.ranks())
}

func (e *exam) goTime(d time.Duration) string {
	_, inMilliseconds := e.options.Find("usemillisec")
	switch {
	case e.Dialect == uci.UCI:
		return fmt.Sprintf("go movetime %d", d.Milliseconds())
	case inMilliseconds:
		return fmt.Sprintf("go time %d movestogo 1", d.Milliseconds())
	}
	return fmt.Sprintf("go time %d movestogo 1", max(1, int(d.Seconds())))
}

type reply struct {
	text  string // the bestmove line
	best  uci.BestMove
	infos []info
}

type info struct {
	uci.InfoLine
	text string
}

func (e *exam) search(to string, lines ...string) (reply, error) {
	if err := e.Send(lines...); err != nil {
		return reply{}, err
	}
	return e.answer(to, e.Deadlines.Think)
}

func (e *exam) ask(pos *xiangqi.Position, goes string) (reply, error) {
	e.Drain()
	return e.search(goes, e.position(pos), goes)
}

// answer waits for the reply of a search.
func (e *exam) answer(to string, within time.Duration) (t reply, err error) {
	lines, text, err := check.ReadUntil(e, within, isAnswer)
	if err != nil {
		return t, e.MissingReply("bestmove after "+to, err)
	}
	t.text = text
	t.best, _ = uci.ParseBestMove(text)
	for _, line := range lines {
		if r, ok := uci.ParseInfoLine(line, 0); ok {
			t.infos = append(t.infos, info{r, line})
		}
	}
	return t, nil
}

// legal returns the move of a reply at a position, or a fault if it is illegal, or err.
func (e *exam) legal(pos *xiangqi.Position, t reply, err error) (engine.Move, error) {
	if err != nil {
		return engine.NoMove, err
	}
	if e.Ranks == nil {
		ranks := e.ranks().Detect(pos, []string{t.best.Move})
		e.Ranks = &ranks
	}
	if moves := e.ranks().LegalPrefix(pos, []string{t.best.Move}); len(moves) > 0 {
		return moves[0], nil
	}
	expected := "a legal move"
	if moves := pos.Moves(); len(moves) <= 4 {
		expected = strings.ReplaceAll(strings.TrimSpace(e.ranks().Join(moves)), " ", " or ")
	}
	return engine.NoMove, check.Faultf("bestmove and "+expected, "%q%s", t.text, e.ranks().Hint(pos, t.best.Move))
}

func (e *exam) checkLegal(pos *xiangqi.Position, goes string) (engine.Move, error) {
	t, err := e.ask(pos, goes)
	return e.legal(pos, t, err)
}
