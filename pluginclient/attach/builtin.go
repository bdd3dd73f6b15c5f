package attach

import (
	"context"
	"fmt"
	"iter"
	"slices"

	"qhsh/engine"
	"qhsh/engine/games"
	"qhsh/pluginclient"
	"qhsh/pluginclient/protocol/qhplugin"
	"qhsh/pluginclient/task/bench"
	"qhsh/pluginclient/task/check"
	"qhsh/pluginclient/task/check/qh"
)

var (
	_ Examiner       = builtinRow{}
	_ Repeater       = builtinRow{}
	_ bench.Counter  = (*builtin)(nil)
	_ bench.Visitor  = (*builtin)(nil)
	_ DirectSearcher = (*builtin)(nil)
)

// hintsKey is the option for the number of hints that the QHPLUGIN command HINTS returns.
const hintsKey = "hints"

// builtinRow is the Row of the default game's embedded engine, whose prompt is QHPLUGIN.
type builtinRow struct{ embedded }

func (r builtinRow) Kind() Kind {
	k := r.embedded.Kind()
	k.Prompt = ""
	at := slices.IndexFunc(k.Options, func(o Option) bool { return o.Name == "rules" })
	k.Options = slices.Insert(k.Options, max(at, 0), Option{Name: hintsKey, Help: "how many hints HINTS gives"})
	k.Examples = []Example{
		{r.name, "the embedded engine"},
		{r.name + ",nodes=20000,hash=64", "with options: nodes a move, MiB of memory, threads, rules"},
		{r.name + ",threads=4", "with several threads: no more than one for every 16,384 nodes\nwhere those are limited; with more than cores it stops later"},
		{r.name + ",off=singular+probcut", "without some rules of its search (on= with), to test them"},
	}
	return k
}

// plugin creates the engine of a SPEC and a server in front of it. The caller must close the engine.
func (r builtinRow) plugin(ctx context.Context, s Spec, o Options) (*qhplugin.Server, engineInstance, error) {
	server, e, err := r.front(ctx, s, o)
	if err == nil && o.Level != nil {
		server.Level = *o.Level
		if err := engine.CheckLevel(engine.WithLevels(e.searcher).Levels(), *o.Level); err != nil {
			e.release()
			return nil, engineInstance{}, &LevelError{fmt.Errorf("%s: %w", s.Name, err)}
		}
	}
	if err != nil {
		return nil, engineInstance{}, s.OptionError(err)
	}
	return server, e, nil
}

func (r builtinRow) front(ctx context.Context, s Spec, o Options) (*qhplugin.Server, engineInstance, error) {
	server := &qhplugin.Server{Name: "qhsh", Text: []string{"The embedded engine of qhsh " + o.Version}}
	var err error
	if i := slices.IndexFunc(s.Options, func(o games.Setting) bool { return o.Key == hintsKey }); i >= 0 {
		if server.Hints, err = s.Options[i].Positive(); err != nil {
			return nil, engineInstance{}, err
		}
	}
	e, err := r.make(ctx, s, o)
	server.Searcher, server.Text = e.searcher, append(server.Text, e.Text...)
	return server, e, err
}

func (r builtinRow) Open(ctx context.Context, s Spec, o Options) (pluginclient.Session, error) {
	server, e, err := r.plugin(ctx, s, o)
	if err != nil {
		return nil, err
	}
	d, err := newDirect(ctx, server, o.clientOptions())
	if err != nil {
		e.release()
		return nil, err
	}
	d.searcher = tracedSearcher{engine.WithLevels(d.searcher), d.Trace()}
	return &builtin{d, e, r.games}, nil
}

func (r builtinRow) Examine(ctx context.Context, s Spec, o Options) (*check.Suite, error) {
	server, e, err := r.plugin(ctx, s, o)
	if err != nil {
		return nil, err
	}
	e.release() // the end of the checks is not known, and no other engine is open meanwhile
	return qh.Suite(qh.InProcess(server, o.Log)), nil
}

// builtin is the Session of the embedded engine.
type builtin struct {
	*direct
	engine engineInstance
	games  games.Table
}

// Close ends the conversation and releases the engine's memory.
func (b *builtin) Close() error {
	defer b.engine.release()
	return b.direct.Close()
}

// Perft counts the sequences of legal moves on one thread.
func (b *builtin) Perft(ctx context.Context, pos engine.Position, depth int) (int64, error) {
	return b.engine.perft(ctx, b.games, pos, depth)
}

// Visited is what the latest search has cost.
func (b *builtin) Visited() int64 { return visited(b.searcher) }

// Threads is on how many threads the engine searches.
func (b *builtin) Threads() int { return b.engine.Threads }

// Bounds are those of the conversation, or the nodes of the SPEC.
func (b *builtin) Bounds() pluginclient.Bounds { return b.engine.bounds(b.direct.Bounds()) }

// Search is the engine's, within the Bounds.
func (b *builtin) Search(ctx context.Context, pos engine.Position, lim engine.Limits) iter.Seq2[[]engine.Line, error] {
	return b.search(ctx, pos, lim, b.Bounds())
}

// Ponder is Search on the opponent's time.
func (b *builtin) Ponder(ctx context.Context, pos engine.Position, lim engine.Limits, hit <-chan struct{}) iter.Seq2[[]engine.Line, error] {
	return b.ponder(ctx, pos, lim, b.Bounds(), hit)
}

// Answer is the end of Search.
func (b *builtin) Answer(ctx context.Context, pos engine.Position, lim engine.Limits) ([]engine.Line, error) {
	return b.answer(ctx, pos, lim, b.Bounds())
}
