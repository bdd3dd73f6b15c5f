package attach

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"
	"sync"

	"qhsh/engine"
	"qhsh/engine/games"
	"qhsh/engine/printable"
	"qhsh/pluginclient"
	"qhsh/pluginclient/task/batch"
)

// A prompt is the conversation with an embedded engine whose game has no protocol: a few commands for
// the shell's prompt.
type prompt struct {
	*levelSetter
	engine engineInstance
	games  games.Table
	name   string
	latest *latestLines
	trace  *pluginclient.Trace
	turn   *pluginclient.Turn // to search

	mu       sync.Mutex
	position engine.Position
	kill     context.CancelCauseFunc // ends the search in progress; may be nil
}

var _ pluginclient.LanguageProvider = (*prompt)(nil)

func (e embedded) openPrompt(_ context.Context, i engineInstance, o Options) (pluginclient.Session, *latestLines, error) {
	latest := &latestLines{}
	return &prompt{
		levelSetter: newLevelSetter(i), engine: i, games: e.games, name: e.name, latest: latest, position: i.game.Start(),
		trace: pluginclient.NewTrace(e.name, o.Log), turn: pluginclient.NewTurn(func() string { return e.name }),
	}, latest, nil
}

func (t *prompt) Info() pluginclient.Info {
	return pluginclient.Info{
		Protocol: "in process", Name: "qhsh", Levels: t.levels,
		Text: slices.Concat([]string{"The embedded engine of qhsh for " + engine.Title(t.engine.game)}, t.engine.Text),
	}
}

func (t *prompt) Trace() *pluginclient.Trace { return t.trace }

func (t *prompt) Position() engine.Position {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.position
}

func (t *prompt) set(pos engine.Position) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.position = pos
}

// Search runs a search with exactly these limits, ignoring the level.
func (t *prompt) Search(ctx context.Context, pos engine.Position, lim engine.Limits) iter.Seq2[[]engine.Line, error] {
	return func(yield func([]engine.Line, error) bool) {
		if err := t.turn.Acquire(ctx); err != nil {
			yield(nil, err)
			return
		}
		defer t.turn.Release()
		ctx, unbind := t.turn.Bind(ctx)
		defer unbind()
		ctx, cancel := context.WithCancelCause(ctx)
		defer cancel(nil)
		t.setKill(cancel)
		defer t.setKill(nil)
		t.engine.searcher.Search(ctx, pos, lim)(yield)
	}
}

func (t *prompt) NewGame(_ context.Context, pos engine.Position) error {
	if pos.Game().Name() != t.engine.game.Name() {
		return engine.OtherGame(pos, t.engine.game)
	}
	t.set(pos)
	return nil
}

func (t *prompt) Load(_ context.Context, moves ...engine.Move) error {
	pos, err := engine.PlayMoves(t.Position(), moves)
	if err == nil {
		t.set(pos)
	}
	return err
}

func (t *prompt) Undo(context.Context) error {
	before, _ := t.Position().Undo()
	if before == nil {
		return errors.New("there is no move to take back")
	}
	t.set(before)
	return nil
}

func (t *prompt) Restart(context.Context) error {
	t.Forget()
	return nil
}

func (t *prompt) Forget() { engine.Forget(t.engine.searcher) }

// State returns StatusRunning until Close: an engine in this process cannot be lost.
func (t *prompt) State() pluginclient.State {
	if t.turn.Lifetime.Err() != nil {
		return pluginclient.State{Status: pluginclient.StatusEnded}
	}
	return pluginclient.State{}
}

func (t *prompt) Idle(ctx context.Context) error { return t.turn.Idle(ctx) }

func (t *prompt) setKill(kill context.CancelCauseFunc) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.kill = kill
}

// Kill makes the search in progress fail; there is no process to kill.
func (t *prompt) Kill() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.kill != nil {
		t.kill(&pluginclient.Error{Engine: t.name, Err: pluginclient.ErrDied})
	}
}

func (t *prompt) Close() error {
	t.turn.Close(func() {})
	return nil
}

type promptCommand struct {
	pluginclient.CommandSpec
	run func(t *prompt, ctx context.Context, args string) ([]string, error)
}

func (t *prompt) commands() []promptCommand {
	return []promptCommand{
		{pluginclient.CommandSpec{Word: "position", NewGame: true, Usage: "POSITION [moves MOVE...]", Summary: "set the board up"}, (*prompt).runPosition},
		{pluginclient.CommandSpec{Word: "play", Usage: "MOVE...", Summary: "make moves", Complete: t.completeMove}, (*prompt).runPlay},
		{pluginclient.CommandSpec{Word: "undo", Summary: "take back a move; see .undo"}, func(t *prompt, ctx context.Context, _ string) ([]string, error) { return okReply, t.Undo(ctx) }},
		{pluginclient.CommandSpec{Word: "go", Summary: "have the engine move", Thinks: true}, (*prompt).runGo},
		{pluginclient.CommandSpec{Word: "level", Usage: "[N]", Summary: "ask for the level, or set it", Complete: t.completeLevel}, (*prompt).runLevel},
	}
}

func (t *prompt) Language() pluginclient.Language {
	l := pluginclient.Language{OneMove: true, Failed: func(answer []string) bool {
		return slices.ContainsFunc(answer, func(line string) bool { return strings.HasPrefix(line, errorPrefix) })
	}}
	for _, w := range t.commands() {
		l.Commands = append(l.Commands, w.CommandSpec)
	}
	return l
}

// errorPrefix is the prefix of the reply to a command that has failed.
const errorPrefix = "error: "

// Raw executes commands of the prompt. A failed command changes nothing and is reported in the reply.
// Raw returns an error only if a search was canceled.
func (t *prompt) Raw(ctx context.Context, text string) (answer []string, err error) {
	for line := range strings.SplitSeq(text, "\n") {
		t.trace.Add(pluginclient.Sent, line)
		reply, err := t.execute(ctx, strings.TrimSpace(line))
		if cause := context.Cause(ctx); err != nil && cause != nil || errors.Is(err, pluginclient.ErrClosed) {
			return answer, err
		}
		if err != nil {
			reply = []string{errorPrefix + printable.Line(err.Error())}
		}
		for _, line := range reply {
			t.trace.Add(pluginclient.Received, line)
		}
		answer = append(answer, reply...)
	}
	return answer, nil
}

func (t *prompt) execute(ctx context.Context, line string) ([]string, error) {
	name, args, _ := strings.Cut(line, " ")
	for _, w := range t.commands() {
		if w.Word == name {
			return w.run(t, ctx, strings.TrimSpace(args))
		}
	}
	return nil, fmt.Errorf("unknown command %q", name)
}

var okReply = []string{"ok"}

func (t *prompt) runPosition(_ context.Context, args string) ([]string, error) {
	item := batch.Parse(t.engine.game, args)
	if item.Err != nil {
		return nil, item.Err
	}
	t.set(item.Pos)
	return okReply, nil
}

func (t *prompt) runPlay(_ context.Context, args string) ([]string, error) {
	pos := t.Position()
	moves := engine.JoinMoves(pos.Game(), strings.Fields(args))
	if len(moves) == 0 {
		return nil, errors.New("the move is missing")
	}
	for _, text := range moves {
		m, err := t.games.ReadMove(pos, text)
		if err != nil {
			return nil, err
		}
		if pos, err = pos.Play(m); err != nil {
			return nil, err
		}
	}
	t.set(pos)
	return okReply, nil
}

func (t *prompt) runLevel(ctx context.Context, args string) ([]string, error) {
	if args == "" {
		id, _ := t.Level()
		return []string{strconv.Itoa(id)}, nil
	}
	id, err := strconv.Atoi(args)
	if err != nil {
		return nil, fmt.Errorf("level %q: want a number", args)
	}
	return okReply, t.SetLevel(ctx, id)
}

// runGo searches and plays the best move.
func (t *prompt) runGo(ctx context.Context, _ string) ([]string, error) {
	pos := t.Position()
	if pos.Turn() == engine.Chance {
		return nil, errors.New("it is chance's turn: play what comes of it")
	}
	var best engine.Line
	for lines, err := range t.Search(ctx, pos, t.limits()) {
		if err != nil {
			return nil, err
		}
		best = lines[0]
		t.latest.watch(pos, lines)
	}
	if len(best.Moves) == 0 {
		return nil, engine.ErrNoMove
	}
	next, err := pos.Play(best.Move())
	if err != nil {
		return nil, err
	}
	t.set(next)
	return []string{fmt.Sprintf("%s score %v depth %d pv %s", pos.Format(best.Move()), best.Score, best.Depth,
		strings.Join(engine.FormatMoves(pos, best.Moves), " "))}, nil
}

func (t *prompt) completeMove(before []string) (all []pluginclient.Completion) {
	pos := t.Position()
	_, pos, err := engine.ReadMoves(pos, engine.JoinMoves(pos.Game(), before))
	if err != nil {
		return nil
	}
	for _, m := range pos.Moves() {
		all = append(all, pluginclient.Completion{Text: pos.Format(m), More: true})
	}
	return all
}

func (t *prompt) completeLevel(before []string) (all []pluginclient.Completion) {
	if len(before) > 0 {
		return nil
	}
	for _, l := range t.levels {
		all = append(all, pluginclient.Completion{Text: strconv.Itoa(l.ID)})
	}
	return all
}
