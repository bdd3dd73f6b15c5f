package repl

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"qhsh/engine"
	"qhsh/engine/lazyregexp"
	"qhsh/engine/printable"
	"qhsh/pluginclient"
	"qhsh/pluginclient/task/batch"
)

// An attached engine is one that the shell talks to.
type attached struct {
	name    string // unique in the shell
	spec    string
	noShake bool // attached without a handshake
	session pluginclient.Session
	native  string // the game on the shell's board at the last .raw
	judged  *judged
	doubted bool // the user knows that its board may differ from the shell's
	compare bool // its board is to be compared with the shell's
}

// raw sends lines to a running engine. If the engine answered before the stop reached it, raw
// returns the answer without an error.
func (e *attached) raw(ctx context.Context, text string) ([]string, error) {
	answer, err := e.session.Raw(ctx, text)
	if len(answer) > 0 && errors.Is(err, errAborted) {
		err = nil
	}
	return answer, e.withRestartHint(err)
}

// withRestartHint adds to the error of an engine that is not running how to restart it.
func (e *attached) withRestartHint(err error) error {
	if errors.Is(err, pluginclient.ErrNotRunning) {
		return fmt.Errorf("%w: '.restart %s' restarts it at the same position", pluginclient.ErrNotRunning, e.name)
	}
	return err
}

// isLost reports whether the engine was lost, this was reported, and it was not restarted.
func (e *attached) isLost() bool {
	state := e.session.State()
	return state.Status == pluginclient.StatusLost && state.Reported
}

func (s *Shell) engineNamed(name string) (*attached, error) {
	var names []string
	for _, e := range s.engines {
		if strings.EqualFold(e.name, name) {
			return e, nil
		}
		names = append(names, e.name)
	}
	if len(names) == 0 {
		return nil, errNoEngine
	}
	return nil, fmt.Errorf("unknown engine %q; attached: %s", name, strings.Join(names, ", "))
}

// named returns the engine that the argument names, or the current one.
func (c *call) named() (*attached, error) {
	name := c.operand()
	switch {
	case name != "":
		return c.shell.engineNamed(name)
	case c.engine == nil:
		return nil, errNoEngine
	}
	return c.engine, nil
}

// attach starts an engine whose SPEC, and perhaps name, are set, makes it the current one and sets
// its board to that of the previous one.
func (s *Shell) attach(ctx context.Context, e *attached, level *int) error {
	name, err := s.freeName(e.spec, e.name)
	if err != nil {
		return err
	}
	e.name, e.judged = name, &judged{}
	var session pluginclient.Session
	err = s.await(ctx, waitOptions{starting: e, status: func() string { return "starting " + name }}, func(ctx context.Context) (err error) {
		session, err = s.open(ctx, e, level)
		return err
	})
	e.session = session // not before: await reads e
	s.tellJudged(e)
	if err != nil {
		s.lost = s.lost || pluginclient.Lost(err)
		return err
	}
	for _, t := range pluginclient.Traces(e.session) {
		if s.debug != nil {
			t.AddLog(s.debug)
		}
		if s.record != nil {
			t.AddLog(s.record.log)
		}
	}
	before := s.current
	s.engines, s.current = append(s.engines, e), e
	if before == nil || !sameRules(before, e) || e.noShake {
		return nil
	}
	return s.sync(ctx, e, before.session.Position())
}

// ErrLevel is wrapped by the error for a level that the first engine does not have.
var ErrLevel = errors.New("-level")

// open starts an engine. It renames the trace before the first regular command is sent, so that a
// recording has one name for each engine.
func (s *Shell) open(ctx context.Context, e *attached, level *int) (pluginclient.Session, error) {
	session, err := s.host.Open(ctx, e.spec, OpenOptions{
		Warn:   func(text string) { s.say("%s", printable.Line(text)) },
		Judged: e.judged.add, Deadlines: s.waits, Raw: e.noShake,
	})
	if err != nil {
		return nil, err
	}
	pluginclient.Rename(session, e.name)
	if level == nil {
		return session, nil
	}
	if err = session.Info().CheckLevel(*level); err != nil {
		err = fmt.Errorf("%w: %w", ErrLevel, err)
	} else if err = session.SetLevel(ctx, *level); errors.Is(err, pluginclient.ErrRefused) {
		err = fmt.Errorf("%w: %w", ErrLevel, err)
	}
	if err != nil {
		session.Close()
		return nil, err
	}
	return session, nil
}

func (s *Shell) sync(ctx context.Context, e *attached, pos engine.Position) error {
	now := e.session.Position()
	if batch.FormatGame(now) == batch.FormatGame(pos) && s.kept.of(now) == s.kept.of(pos) && !e.inDoubt() {
		return nil
	}
	return s.setBoard(ctx, e, pos)
}

// setBoard starts a game on an engine, with one FEN and one LOAD for all moves, unless that would lose what
// is written in the game that is there.
func (s *Shell) setBoard(ctx context.Context, e *attached, pos engine.Position) error {
	if startOf(pos) != startOf(e.session.Position()) {
		if err := s.warnUnsaved(e); err != nil {
			return err
		}
	}
	return s.awaitEngine(ctx, e, func(ctx context.Context) error { return e.newGame(ctx, pos) })
}

// sameRules reports whether two engines play the same game.
func sameRules(a, b *attached) bool {
	return a.session.Position().Game().Name() == b.session.Position().Game().Name()
}

func (e *attached) newGame(ctx context.Context, pos engine.Position) error {
	board, ok := pluginclient.As[pluginclient.GameSetter](e.session)
	if !ok {
		return fmt.Errorf("%s: the board cannot be set on this engine", e.name)
	}
	return board.NewGame(ctx, pos)
}

var namePattern = lazyregexp.New(`^[\p{L}\p{N}][\p{L}\p{N}._+-]*$`)

// freeName returns the name of a new engine: the one asked for, or one derived from its SPEC.
func (s *Shell) freeName(spec, name string) (string, error) {
	wanted := name != ""
	if !wanted {
		if name = s.host.NameOf(spec); !namePattern().MatchString(name) {
			name = "engine"
		}
	}
	if !namePattern().MatchString(name) {
		return "", fmt.Errorf("invalid name %q: use letters, digits, . _ + -", name)
	}
	for free, n := name, 2; ; n++ {
		if _, err := s.engineNamed(free); err != nil {
			return free, nil
		}
		if wanted {
			return "", fmt.Errorf("an engine named %q is already attached", name)
		}
		free = name + strconv.Itoa(n)
	}
}

func (s *Shell) restart(ctx context.Context, e *attached) error {
	return s.awaitEngine(ctx, e, e.session.Restart)
}

// detach ends an engine. If it was the current one, the engine attached last becomes the current
// one.
func (s *Shell) detach(e *attached) {
	s.lost = s.lost || e.isLost()
	e.session.Close()
	s.tellJudged(e)
	s.engines = slices.DeleteFunc(slices.Clone(s.engines), func(other *attached) bool { return other == e })
	if s.current != e {
		return
	}
	s.current = nil
	if last := len(s.engines) - 1; last >= 0 {
		s.current = s.engines[last]
	}
}

// asName matches "SPEC as NAME".
var asName = lazyregexp.New(`^(.*\S)\s+as\s+(\S+)$`)

func runAttach(c *call) error {
	e := &attached{}
	if word, rest := cutWord(c.args); word == "-raw" {
		e.noShake, c.args = true, rest
	}
	if e.spec = c.args; e.spec == "" {
		return c.usageError("missing SPEC")
	}
	if m := asName().FindStringSubmatch(e.spec); m != nil {
		e.spec, e.name = m[1], m[2]
	}
	if err := c.shell.attach(c.ctx, e, nil); err != nil {
		return err
	}
	info := e.session.Info()
	text := fmt.Sprintf("attached %s: %s, %s", e.name, info.Name, info.Protocol)
	if !e.noShake {
		text += fmt.Sprintf(", %d levels", len(info.Levels))
	}
	if without := e.lacking(); len(without) > 0 {
		text += ", no " + strings.Join(without, " ")
	}
	c.shell.notify("%s", text)
	return nil
}

func runEngines(c *call) error {
	if len(c.shell.engines) == 0 {
		return errNoEngine
	}
	rows := [][]string{{"", "name", "engine", "level", "position", "SPEC"}}
	for _, e := range c.shell.engines {
		mark, level := "", "?"
		if e == c.shell.current {
			mark = "*"
		}
		if id, known := e.session.Level(); known {
			level = strconv.Itoa(id)
		}
		where := positionText(e.session.Position())
		if e.session.State().Status != pluginclient.StatusRunning {
			where = "does not run: .restart " + e.name
		}
		rows = append(rows, []string{mark, e.name, e.session.Info().Name, level, where, e.spec})
	}
	_, err := c.out.Write([]byte(printable.Table(rows, "l")))
	return err
}

func positionText(pos engine.Position) string {
	start, moves := pos.History()
	return startText(start, len(moves))
}

// startText describes a start and how many moves follow it.
func startText(start engine.Position, moves int) string {
	text := "startpos"
	if start.String() != start.Game().Start().String() {
		text = "a FEN"
	}
	if moves > 0 {
		text += " and " + printable.Plural(moves, "move")
	}
	return text
}

func runUse(c *call) error {
	e, err := c.named()
	if err == nil {
		c.shell.current = e
	}
	return err
}

func runDetach(c *call) error {
	e, err := c.named()
	if err == nil {
		err = c.shell.warnUnsaved(e)
	}
	if err == nil {
		c.shell.detach(e)
	}
	return err
}

func runRestart(c *call) error {
	e, err := c.named()
	if err != nil {
		return err
	}
	if err := c.shell.restart(c.ctx, e); err != nil {
		return err
	}
	c.shell.notify("%s was restarted at the same position", e.name)
	return nil
}

func runSync(c *call) error {
	if c.engine.noShake {
		return fmt.Errorf(".sync: the board of %s is not known, since it is attached without a handshake", c.engine.name)
	}
	var failed error
	for _, e := range c.shell.engines {
		if e.noShake {
			c.shell.say("%s is attached without a handshake and was skipped", e.name)
			continue
		}
		if !sameRules(e, c.engine) {
			c.shell.say("%s plays %s and was skipped", e.name, e.session.Position().Game().Name())
			continue
		}
		failed = errors.Join(failed, c.shell.sync(c.ctx, e, c.engine.session.Position()))
	}
	return failed
}
