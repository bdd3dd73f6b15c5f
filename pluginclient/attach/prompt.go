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

// A promptCommand is a command of the prompt.
type promptCommand struct {
	pluginclient.CommandSpec
	run func(t *inProcessSession, ctx context.Context, args string) ([]string, error)
}

// commands are the commands of the prompt.
func (t *inProcessSession) commands() []promptCommand {
	return []promptCommand{
		{pluginclient.CommandSpec{Word: "position", NewGame: true, Usage: "POSITION [moves MOVE...]", Summary: "set the board up"}, (*inProcessSession).runPosition},
		{pluginclient.CommandSpec{Word: "play", Usage: "MOVE...", Summary: "make moves", Complete: t.completeMove}, (*inProcessSession).runPlay},
		{pluginclient.CommandSpec{Word: "undo", Summary: "take back a move; see .undo"}, (*inProcessSession).runUndo},
		{pluginclient.CommandSpec{Word: "go", Summary: "have the engine move", Thinks: true}, (*inProcessSession).runGo},
		{pluginclient.CommandSpec{Word: "level", Usage: "[N]", Summary: "ask for the level, or set it", Complete: t.completeLevel}, (*inProcessSession).runLevel},
	}
}

// Language returns the commands of the prompt.
func (t *inProcessSession) Language() pluginclient.Language {
	l := pluginclient.Language{OneMove: true, Failed: hasError}
	for _, w := range t.commands() {
		l.Commands = append(l.Commands, w.CommandSpec)
	}
	return l
}

// errorPrefix is the prefix of the reply to a command that has failed.
const errorPrefix = "error: "

// hasError reports whether a line of the reply has the errorPrefix.
func hasError(answer []string) bool {
	return slices.ContainsFunc(answer, func(line string) bool { return strings.HasPrefix(line, errorPrefix) })
}

// Raw executes commands of the prompt. A failed command changes nothing and is reported in the reply.
// Raw returns an error only if a search was canceled.
func (t *inProcessSession) Raw(ctx context.Context, text string) (answer []string, err error) {
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

func (t *inProcessSession) execute(ctx context.Context, line string) ([]string, error) {
	name, args, _ := strings.Cut(line, " ")
	for _, w := range t.commands() {
		if w.Word == name {
			return w.run(t, ctx, strings.TrimSpace(args))
		}
	}
	return nil, fmt.Errorf("unknown command %q", name)
}

var okReply = []string{"ok"}

func (t *inProcessSession) runPosition(_ context.Context, args string) ([]string, error) {
	item := batch.Parse(t.engine.game, args)
	if item.Err != nil {
		return nil, item.Err
	}
	t.set(item.Pos)
	return okReply, nil
}

func (t *inProcessSession) runPlay(_ context.Context, args string) ([]string, error) {
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

func (t *inProcessSession) runUndo(ctx context.Context, _ string) ([]string, error) {
	return okReply, t.Undo(ctx)
}

func (t *inProcessSession) runLevel(ctx context.Context, args string) ([]string, error) {
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
func (t *inProcessSession) runGo(ctx context.Context, _ string) ([]string, error) {
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
		t.storeLines(pos, lines)
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

func (t *inProcessSession) completeMove(before []string) (all []pluginclient.Completion) {
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

func (t *inProcessSession) completeLevel(before []string) (all []pluginclient.Completion) {
	if len(before) > 0 {
		return nil
	}
	for _, l := range t.searcher.Levels() {
		all = append(all, pluginclient.Completion{Text: strconv.Itoa(l.ID)})
	}
	return all
}
