package ucicheck

import (
	"errors"
	"slices"
	"strings"
	"time"

	"qhsh/engine"
	"qhsh/engine/xiangqi"
	"qhsh/pluginclient/protocol/uci"
	"qhsh/pluginclient/task/check"
	"qhsh/pluginclient/task/check/boards"
)

var start = xiangqi.Start()

func startName(e *exam) error {
	if slices.ContainsFunc(e.lines, func(line string) bool { return strings.HasPrefix(line, "id name ") }) {
		return nil
	}
	return check.Faultf("id name and the engine's name before "+e.Dialect.Greeting+"ok", "%d lines without it", len(e.lines))
}

// A step is a part of a check.
type step = func(*exam) error

func send(lines ...string) step {
	return func(e *exam) error { return e.Send(lines...) }
}

func pause(d time.Duration) step {
	return func(e *exam) error {
		_, err := e.Pause(e.Context, d)
		return err
	}
}

// quiet checks that there is no further reply: up to readyok, or for a while.
func quiet(after string) step {
	return func(e *exam) error {
		const settleTime = 120 * time.Millisecond // for lines that must not come
		lines, err := e.Pause(e.Context, settleTime)
		if err != nil {
			return err
		}
		if e.answersIsReady {
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
}

func alive(after string) step {
	return func(e *exam) error {
		e.Drain()
		if e.answersIsReady {
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
}

// answered checks that stop, which was sent, is answered.
func answered(e *exam) error {
	_, err := e.answer("stop", e.Deadlines.Prompt)
	return err
}

// moved checks that stop, which was sent, is answered with a legal move.
func moved(e *exam) error {
	t, err := e.answer("stop", e.Deadlines.Prompt)
	_, err = e.legal(boards.Middlegame, t, err)
	return err
}

func plays(goes string) step {
	return func(e *exam) error {
		_, err := e.checkLegal(boards.Middlegame, goes)
		return err
	}
}

func ends(expected string) step {
	return func(e *exam) error {
		_, err := e.WaitEnd(expected)
		return err
	}
}

func endInput(e *exam) error {
	e.EndInput()
	return nil
}

func noise(e *exam) error       { return e.SendNoise("an engine") }
func readyPrompt(e *exam) error { return e.isReady(e.Deadlines.Prompt) }

func readyOK(e *exam) error {
	err := e.isReady(e.Deadlines.Start)
	e.answersIsReady = err == nil
	return err
}

func checkLegalMoves(positions ...*xiangqi.Position) step {
	return func(e *exam) error {
		for _, pos := range positions {
			if _, err := e.checkLegal(pos, "go depth 2"); err != nil {
				return err
			}
		}
		return nil
	}
}

func positionMoves(e *exam) error {
	positions := []*xiangqi.Position{boards.MustPlay(start, "H2-E2", "H9-G7")}
	for n := 1; n <= 2; n++ {
		for _, c := range boards.Chains[n] {
			positions = append(positions, c.After(n))
		}
	}
	return checkLegalMoves(positions...)(e)
}

func goTime(e *exam) error {
	const limit = time.Second
	started := time.Now()
	if _, err := e.checkLegal(boards.Middlegame, e.goTime(limit)); err != nil {
		return err
	}
	if took := time.Since(started); took > limit+e.Deadlines.Prompt {
		return check.Faultf("a move within about "+limit.String(), "one after %v", took.Round(time.Millisecond))
	}
	return nil
}

func goMate(e *exam) error {
	for _, pos := range []*xiangqi.Position{boards.Mated, boards.Stalemate} {
		t, err := e.ask(pos, "go depth 2")
		if err != nil {
			return err
		}
		if uci.IsMove(t.best.Move) {
			return check.Faultf("an answer without a move, since there is none", "%q", t.text)
		}
	}
	return nil
}

func goNoBestMove(e *exam) error {
	t, err := e.ask(boards.Mated, "go depth 2")
	if err == nil && strings.TrimSpace(t.text) != "nobestmove" {
		err = check.Faultf("nobestmove", "%q", t.text)
	}
	return err
}

// checkBan checks that each of two moves can be banned.
func (e *exam) checkBan(tell func(banned, allowed engine.Move) []string) error {
	for _, c := range boards.Choices {
		for _, pair := range [][2]string{{c.Best, c.Other}, {c.Other, c.Best}} {
			banned, _ := c.Pos.Parse(pair[0])
			allowed, _ := c.Pos.Parse(pair[1])
			e.Drain()
			t, err := e.search("go", append([]string{e.position(c.Pos)}, tell(banned, allowed)...)...)
			if err != nil {
				return err
			}
			if m, err := e.legal(c.Pos, t, nil); err != nil || m != allowed {
				return check.Faultf("bestmove "+e.ranks().Format(allowed), "%q", t.text)
			}
		}
	}
	return nil
}

func searchMoves(e *exam) error {
	return e.checkBan(func(_, allowed engine.Move) []string {
		return []string{"go depth 2 searchmoves " + e.ranks().Format(allowed)}
	})
}

func banMoves(e *exam) error {
	return e.checkBan(func(banned, _ engine.Move) []string {
		return []string{"banmoves " + e.ranks().Format(banned), "go depth 2"}
	})
}

func banEnds(e *exam) error {
	c := boards.Choices[0]
	best, _ := c.Pos.Parse(c.Best)
	switch m, err := e.checkLegal(c.Pos, "go depth 2"); {
	case err != nil:
		return err
	case m != best:
		return check.NotApplicablef("it overlooks a mate, so nobody can tell what it would play")
	}
	if _, err := e.search("go", e.position(c.Pos), "banmoves "+e.ranks().Format(best), "go depth 2"); err != nil {
		return err
	}
	m, err := e.checkLegal(c.Pos, "go depth 2")
	if err == nil && m != best {
		err = check.Faultf("bestmove "+e.ranks().Format(best)+", since the ban was for the position before", "%s", e.ranks().Format(m))
	}
	return err
}

// startPonder starts a ponder search that lasts d after its hit.
func startPonder(d time.Duration) step {
	return func(e *exam) error {
		limit := strings.TrimPrefix(e.goTime(d), "go ")
		return e.Send(e.setOption("Ponder", "true"), e.position(boards.Middlegame), "go ponder "+limit)
	}
}

func ponderHit(e *exam) error {
	if err := e.CheckQuiet(time.Second, isAnswer, "no answer to go ponder before ponderhit"); err != nil {
		return err
	}
	t, err := e.search("ponderhit", "ponderhit")
	_, err = e.legal(boards.Middlegame, t, err)
	return err
}

func (e *exam) newGame() (command string, err error) {
	if command = e.Dialect.NewGame(e.options); command == "" {
		return "", check.NotApplicablef("it does not offer newgame")
	}
	return command, e.Send(command)
}

func newGameGoes(e *exam) error {
	command, err := e.newGame()
	if err != nil {
		return err
	}
	return alive(command)(e)
}

func quitBye(e *exam) error {
	if err := e.Send("quit"); err != nil {
		return err
	}
	lines, err := e.WaitEnd("its end after quit")
	if err == nil && (len(lines) == 0 || lines[len(lines)-1] != "bye") {
		err = check.Faultf("bye", "%q", lines)
	}
	return err
}

// understands checks that the engine understands commands changed by change.
func understands(change func(line string) string) step {
	return func(e *exam) error {
		e.Drain()
		t, err := e.search("go", change(e.position(boards.OnlyBlack)), change("go depth 2"))
		_, err = e.legal(boards.OnlyBlack, t, err)
		return err
	}
}

func robustGame(e *exam) error {
	pos := boards.MustPlay(start, boards.RandomGame(1000, true)...)
	t, err := e.ask(pos, "go depth 1")
	if err == nil && t.best.Move == "" {
		return alive("a long game")(e) // the engine regards it as a draw
	}
	_, err = e.legal(pos, t, err)
	return err
}
