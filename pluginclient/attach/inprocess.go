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
	"qhsh/engine/printable"
	"qhsh/pluginclient"
	"qhsh/pluginclient/batch"
	"qhsh/pluginclient/bench"
)

var (
	_ Repeater             = inProcess{}
	_ pluginclient.Speaker = (*talk)(nil)
	_ bench.Counter        = (*talk)(nil)
	_ DirectSearcher       = (*talk)(nil)
	_ FreeSearcher         = (*talk)(nil)
)

// inProcess is the embedded engine of a game that has no protocol of its own: nothing stands
// between a Session and the engine, and at the shell's prompt it has a few words.
type inProcess struct{ embedded }

func (r inProcess) Open(_ context.Context, s Spec, o Options) (pluginclient.Session, error) {
	var e ownEngine
	err := r.Kind().check(s)
	if err == nil {
		e, err = r.make(s, o)
	}
	if err != nil {
		return nil, s.Wrong(err)
	}
	t := &talk{
		asked: newAsked(e, r.games), name: r.name, trace: pluginclient.NewTrace(r.name, o.Log),
		position: e.game.Start(), busy: make(chan struct{}, 1),
	}
	t.life, t.end = context.WithCancelCause(context.Background())
	return t, nil
}

// talk is an embedded engine as a Session.
type talk struct {
	*asked
	name  string
	trace *pluginclient.Trace

	life    context.Context // ends with the conversation; its cause is ErrClosed
	end     context.CancelCauseFunc
	busy    chan struct{} // holds a token while a search runs, and for ever after Close
	closing sync.Once

	mu       sync.Mutex
	position engine.Position
}

// Info is the engine's name and its levels.
func (t *talk) Info() pluginclient.Info {
	return pluginclient.Info{
		Protocol: "in process", Name: "qhsh", Levels: t.searcher.Levels(),
		Text: slices.Concat([]string{"The embedded engine of qhsh for " + engine.Title(t.engine.game)}, t.engine.Text),
	}
}

// Trace is what has been typed, with the answers.
func (t *talk) Trace() *pluginclient.Trace { return t.trace }

// Position is the board of the conversation.
func (t *talk) Position() engine.Position {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.position
}

// set makes a position that of the conversation.
func (t *talk) set(pos engine.Position) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.position = pos
}

// acquire waits until no other search runs. Somebody who wants a move now waits for it all the
// same.
func (t *talk) acquire(ctx context.Context) error {
	gone := ctx.Done()
	for {
		select {
		case t.busy <- struct{}{}:
			return nil
		case <-t.life.Done():
			return &pluginclient.Error{Engine: t.name, Err: context.Cause(t.life)}
		case <-gone:
			if cause := context.Cause(ctx); !errors.Is(cause, engine.ErrMoveNow) {
				return cause
			}
			gone = nil
		}
	}
}

// Search is the engine's.
func (t *talk) Search(ctx context.Context, pos engine.Position, lim engine.Limits) iter.Seq2[[]engine.Line, error] {
	return t.search(ctx, pos, t.limits(lim))
}

// search is a search with these limits, whatever the level is.
func (t *talk) search(ctx context.Context, pos engine.Position, lim engine.Limits) iter.Seq2[[]engine.Line, error] {
	return func(yield func([]engine.Line, error) bool) {
		if err := t.acquire(ctx); err != nil {
			yield(nil, err)
			return
		}
		defer func() { <-t.busy }()
		ctx, cancel := context.WithCancelCause(ctx)
		defer cancel(nil)
		defer context.AfterFunc(t.life, func() { cancel(context.Cause(t.life)) })()
		t.searcher.Search(ctx, pos, lim)(yield)
	}
}

// Levelless is always possible.
func (t *talk) Levelless() (free pluginclient.Session, ok bool) { return freeTalk{t}, true }

// freeTalk is a talk whose searches need no level.
type freeTalk struct{ *talk }

func (f freeTalk) Search(ctx context.Context, pos engine.Position, lim engine.Limits) iter.Seq2[[]engine.Line, error] {
	return f.search(ctx, pos, lim)
}

func (f freeTalk) Visited() int64 { return visited(f.engine.searcher) }

// Thinking is the latest list that the engine has come to while it thought about the
// conversation's position, best line first; none if it has not.
func (t *talk) Thinking() []engine.Line { return t.latest.Load().of(t.Position()) }

// NewGame brings the conversation to a position.
func (t *talk) NewGame(_ context.Context, pos engine.Position) error {
	if pos.Game().Name() != t.engine.game.Name() {
		return engine.OtherGame(pos, t.engine.game)
	}
	t.set(pos)
	return nil
}

// Play makes a move.
func (t *talk) Play(ctx context.Context, m engine.Move) error { return t.Load(ctx, m) }

// Load makes moves.
func (t *talk) Load(_ context.Context, moves ...engine.Move) error {
	pos := t.Position()
	for i, m := range moves {
		next, err := pos.Play(m)
		if err != nil {
			return fmt.Errorf("move %d: %w", i+1, err)
		}
		pos = next
	}
	t.set(pos)
	return nil
}

// Undo takes back a move.
func (t *talk) Undo(ctx context.Context) error {
	pos, moves := t.Position().History()
	if len(moves) == 0 {
		return errors.New("there is no move to take back")
	}
	for _, m := range moves[:len(moves)-1] {
		next, err := pos.Play(m)
		if err != nil {
			return err
		}
		pos = next
	}
	t.set(pos)
	return nil
}

// Restart makes the engine answer as if new.
func (t *talk) Restart(context.Context) error {
	t.Forget()
	return nil
}

// Idle waits until no search runs.
func (t *talk) Idle(ctx context.Context) error {
	if t.life.Err() != nil {
		return nil
	}
	if err := t.acquire(ctx); err != nil {
		return err
	}
	<-t.busy
	return nil
}

// Close ends the search under way and lets go of the engine.
func (t *talk) Close() error {
	t.closing.Do(func() {
		t.end(pluginclient.ErrClosed)
		t.busy <- struct{}{}
		t.engine.giveBack()
	})
	return nil
}

// A word is a command of the prompt.
type word struct {
	pluginclient.Phrase
	run func(t *talk, ctx context.Context, args string) ([]string, error)
}

// words are the commands of the prompt.
func (t *talk) words() []word {
	return []word{
		{pluginclient.Phrase{Word: "position", Usage: "POSITION [moves MOVE...]", Summary: "set the board up"}, (*talk).sayPosition},
		{pluginclient.Phrase{Word: "play", Usage: "MOVE...", Summary: "make moves", Complete: t.completeMove}, (*talk).sayPlay},
		{pluginclient.Phrase{Word: "undo", Summary: "take back a move; see .undo"}, (*talk).sayUndo},
		{pluginclient.Phrase{Word: "go", Summary: "have the engine move", Thinks: true}, (*talk).sayGo},
		{pluginclient.Phrase{Word: "level", Usage: "[N]", Summary: "ask for the level, or set it", Complete: t.completeLevel}, (*talk).sayLevel},
	}
}

// Phrases are the commands, as a person types them.
func (t *talk) Phrases() (all []pluginclient.Phrase) {
	for _, w := range t.words() {
		all = append(all, w.Phrase)
	}
	return all
}

// failed begins the answer to a command that has failed.
const failed = "error: "

// Fails tells whether one of the answers says so.
func (t *talk) Fails(answer []string) bool {
	return slices.ContainsFunc(answer, func(line string) bool { return strings.HasPrefix(line, failed) })
}

// Raw carries out commands of the prompt. One that has failed changes nothing. The error is that
// of a search which was given up.
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
	moves := engine.WholeMoves(pos.Game(), strings.Fields(args))
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

// sayGo plays what the engine thinks best.
func (t *talk) sayGo(ctx context.Context, _ string) ([]string, error) {
	pos := t.Position()
	if pos.Turn() == engine.Chance {
		return nil, errors.New("it is chance's turn: play what comes of it")
	}
	var best engine.Line
	for lines, err := range t.Search(ctx, pos, engine.Limits{}) {
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
		strings.Join(engine.Names(pos, best.Moves), " "))}, nil
}

func (t *talk) completeMove(before []string) (words []string, more bool) {
	pos := t.Position()
	for _, text := range engine.WholeMoves(pos.Game(), before) {
		m, err := pos.Parse(text)
		if err != nil {
			return nil, false
		}
		if pos, err = pos.Play(m); err != nil {
			return nil, false
		}
	}
	for _, m := range pos.Moves() {
		words = append(words, pos.Format(m))
	}
	return words, true
}

func (t *talk) completeLevel(before []string) (words []string, more bool) {
	if len(before) > 0 {
		return nil, false
	}
	for _, l := range t.searcher.Levels() {
		words = append(words, strconv.Itoa(l.ID))
	}
	return words, false
}
