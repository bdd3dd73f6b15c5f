package attach

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"qhsh/engine"
	"qhsh/engine/printable"
	"qhsh/pluginclient"
	"qhsh/pluginclient/task/batch"
)

// A word is a command of the prompt.
type word struct {
	pluginclient.CommandSpec
	run func(t *talk, ctx context.Context, args string) ([]string, error)
}

// words are the commands of the prompt.
func (t *talk) words() []word {
	return []word{
		{pluginclient.CommandSpec{Word: "position", Usage: "POSITION [moves MOVE...]", Summary: "set the board up"}, (*talk).sayPosition},
		{pluginclient.CommandSpec{Word: "play", Usage: "MOVE...", Summary: "make moves", Complete: t.completeMove}, (*talk).sayPlay},
		{pluginclient.CommandSpec{Word: "undo", Summary: "take back a move; see .undo"}, (*talk).sayUndo},
		{pluginclient.CommandSpec{Word: "go", Summary: "have the engine move", Thinks: true}, (*talk).sayGo},
		{pluginclient.CommandSpec{Word: "level", Usage: "[N]", Summary: "ask for the level, or set it", Complete: t.completeLevel}, (*talk).sayLevel},
	}
}

// Language returns the commands of the prompt.
func (t *talk) Language() pluginclient.Language {
	l := pluginclient.Language{OneMove: true, Failed: fails}
	for _, w := range t.words() {
		l.Commands = append(l.Commands, w.CommandSpec)
	}
	return l
}

// failed is the prefix of the reply to a failed command.
const failed = "error: "

// fails reports whether a line of the reply has the prefix failed.
func fails(answer []string) bool {
	return slices.ContainsFunc(answer, func(line string) bool { return strings.HasPrefix(line, failed) })
}

// Raw executes commands of the prompt. A failed command changes nothing and is reported in the reply.
// Raw returns an error only if a search was canceled.
func (t *talk) Raw(ctx context.Context, text string) (answer []string, err error) {
	for line := range strings.SplitSeq(text, "\n") {
		t.trace.Add(pluginclient.Sent, line)
		said, err := t.obey(ctx, strings.TrimSpace(line))
		if cause := context.Cause(ctx); err != nil && cause != nil || errors.Is(err, pluginclient.ErrClosed) {
			return answer, err
		}
		if err != nil {
			said = []string{failed + printable.Line(err.Error())}
		}
		for _, line := range said {
			t.trace.Add(pluginclient.Received, line)
		}
		answer = append(answer, said...)
	}
	return answer, nil
}

func (t *talk) obey(ctx context.Context, line string) ([]string, error) {
	name, args, _ := strings.Cut(line, " ")
	for _, w := range t.words() {
		if w.Word == name {
			return w.run(t, ctx, strings.TrimSpace(args))
		}
	}
	return nil, fmt.Errorf("unknown command %q", name)
}

var done = []string{"ok"}

func (t *talk) sayPosition(_ context.Context, args string) ([]string, error) {
	item := batch.Parse(t.engine.game, args)
	if item.Err != nil {
		return nil, item.Err
	}
	t.set(item.Pos)
	return done, nil
}

func (t *talk) sayPlay(_ context.Context, args string) ([]string, error) {
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
	return done, nil
}

func (t *talk) sayUndo(ctx context.Context, _ string) ([]string, error) { return done, t.Undo(ctx) }

func (t *talk) sayLevel(ctx context.Context, args string) ([]string, error) {
	if args == "" {
		id, _ := t.Level()
		return []string{strconv.Itoa(id)}, nil
	}
	id, err := strconv.Atoi(args)
	if err != nil {
		return nil, fmt.Errorf("level %q: want a number", args)
	}
	return done, t.SetLevel(ctx, id)
}

// sayGo searches and plays the best move.
func (t *talk) sayGo(ctx context.Context, _ string) ([]string, error) {
	pos := t.Position()
	if pos.Turn() == engine.Chance {
		return nil, errors.New("it is chance's turn: play what comes of it")
	}
	var best engine.Line
	for lines, err := range t.search(ctx, t.searcher, pos, t.limits(engine.Limits{})) {
		if err != nil {
			return nil, err
		}
		best = lines[0]
		t.note(pos, lines)
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

func (t *talk) completeMove(before []string) (all []pluginclient.Completion) {
	pos := t.Position()
	for _, text := range engine.JoinMoves(pos.Game(), before) {
		m, err := pos.Parse(text)
		if err != nil {
			return nil
		}
		if pos, err = pos.Play(m); err != nil {
			return nil
		}
	}
	for _, m := range pos.Moves() {
		all = append(all, pluginclient.Completion{Text: pos.Format(m), More: true})
	}
	return all
}

func (t *talk) completeLevel(before []string) (all []pluginclient.Completion) {
	if len(before) > 0 {
		return nil
	}
	for _, l := range t.searcher.Levels() {
		all = append(all, pluginclient.Completion{Text: strconv.Itoa(l.ID)})
	}
	return all
}
