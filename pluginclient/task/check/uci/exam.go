package uci

import (
	"errors"
	"fmt"
	"slices"
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

// settleTime is how long to wait for lines that must not come.
const settleTime = 60 * time.Millisecond

func (e *exam) greeting() string { return e.engine.Dialect.Greeting }

// settings returns the settings of the protocol, followed by those of the SPEC.
func (e *exam) settings() []uci.Setting {
	all, _ := e.engine.Dialect.Required(e.options)
	for _, s := range e.engine.Settings {
		if settled, err := e.options.Resolve(s); err == nil {
			s = settled
		}
		all = append(all, s)
	}
	return all
}

// setOption returns the command that sets an option, with its name as the engine spells it.
func (e *exam) setOption(name, value string) string {
	if o, ok := e.options.Find(name); ok {
		name = o.Name
	}
	return e.engine.Dialect.SetOption(name, value)
}

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

// isAnswer reports whether a line ends a search.
func isAnswer(line string) bool {
	_, ok := uci.ParseBestMove(line)
	return ok
}

func isReadyOK(line string) bool { return strings.TrimSpace(line) == "readyok" }

// position returns the command for a position with its moves.
func (e *exam) position(pos *xiangqi.Position) string {
	from, moves := pos.History()
	return uci.FormatPosition(from, moves, e.ranks())
}

// A reply is the reply to "go".
type reply struct {
	best  string // the bestmove line
	infos []string
}

// ask sends a position and a "go" command and returns the reply.
func (e *exam) ask(pos *xiangqi.Position, goes string) (reply, error) {
	e.Drain()
	return e.sendGo(goes, e.position(pos), goes)
}

// sendGo sends lines that start a search and returns the reply.
func (e *exam) sendGo(to string, lines ...string) (reply, error) {
	if err := e.Send(lines...); err != nil {
		return reply{}, err
	}
	return e.answer(to, e.Deadlines.Think)
}

// stop stops a search and returns the reply.
func (e *exam) stop() (reply, error) {
	if err := e.Send("stop"); err != nil {
		return reply{}, err
	}
	return e.answer("stop", e.Deadlines.Prompt)
}

// answer waits for the reply of a search.
func (e *exam) answer(to string, within time.Duration) (reply, error) {
	infos, best, err := check.ReadUntil(e, within, isAnswer)
	if err != nil {
		return reply{}, e.MissingReply("bestmove after "+to, err)
	}
	return reply{best, infos}, nil
}

// parseLegal returns the move of a reply, or a fault if it is illegal.
func (e *exam) parseLegal(pos *xiangqi.Position, t reply) (engine.Move, error) {
	best, _ := uci.ParseBestMove(t.best)
	if e.engine.Ranks == nil {
		ranks := e.ranks().Detect(pos, []string{best.Move})
		e.engine.Ranks = &ranks
	}
	m, ok := e.ranks().Parse(best.Move)
	if ok {
		_, err := pos.Play(m)
		ok = err == nil
	}
	if !ok {
		return engine.NoMove, check.Faultf("bestmove and "+e.describeMoves(pos), "%q%s", t.best, e.ranks().Hint(pos, best.Move))
	}
	return m, nil
}

// describeMoves describes the legal moves of a position for messages.
func (e *exam) describeMoves(pos *xiangqi.Position) string {
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

// checkLegal checks that a search returns a legal move.
func (e *exam) checkLegal(pos *xiangqi.Position, goes string) (engine.Move, error) {
	t, err := e.ask(pos, goes)
	if err != nil {
		return engine.NoMove, err
	}
	return e.parseLegal(pos, t)
}

// checkQuiet checks that there is no further reply: up to readyok, or for a while.
func (e *exam) checkQuiet(after string) error {
	lines, err := e.Pause(e.Context, 2*settleTime)
	if err != nil {
		return err
	}
	if e.ready {
		if err := e.Ping("isready"); err != nil {
			return err
		}
		more, _, err := check.ReadUntil(e, e.Deadlines.Reply, isReadyOK)
		if err != nil {
			return e.MissingReply("readyok", err)
		}
		lines = slices.Concat(lines, more)
	}
	return check.CheckNone(lines, isAnswer, "no further answer after "+after)
}

// goTime returns a "go" command with a time for one move.
func (e *exam) goTime(d time.Duration) string {
	_, inMilliseconds := e.options.Find("usemillisec")
	switch {
	case e.engine.Dialect == uci.UCI:
		return fmt.Sprintf("go movetime %d", d.Milliseconds())
	case inMilliseconds:
		return fmt.Sprintf("go time %d movestogo 1", d.Milliseconds())
	}
	return fmt.Sprintf("go time %d movestogo 1", max(1, int(d.Seconds())))
}

// checkAlive checks that the engine still works.
func (e *exam) checkAlive(after string) error {
	e.Drain()
	if e.ready {
		if err := e.isReady(e.Deadlines.Think); err != nil {
			return err
		}
	}
	_, err := e.checkLegal(boards.OnlyHorse, "go depth 2")
	if errors.Is(err, check.ErrSilent) {
		return check.Faultf("an engine that goes on after "+after, "%v", err)
	}
	return err
}
