package attach

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"sync"
	"time"

	"qhsh/engine"
	"qhsh/engine/xiangqi"
	"qhsh/engine/xiangqi/search"
	"qhsh/pluginclient"
	"qhsh/pluginclient/protocol/uci"
	"qhsh/pluginclient/serving"
	"qhsh/pluginclient/task/explore"
)

// newServerConfig starts an engine and returns the configuration of a UCI, UCCI or XBoard server for it.
// The caller must call closing, see behind.
func newServerConfig(ctx context.Context, protocol string, e *Engine) (served uci.ServerConfig, closing func() error, err error) {
	if e, err = e.forGame(ctx, protocol, xiangqi.Rules); err != nil {
		return uci.ServerConfig{}, nil, err
	}
	if e.create != nil {
		i, err := e.createAtLevel(ctx)
		if err != nil {
			return uci.ServerConfig{}, nil, err
		}
		changed, ok := engine.As[*search.Engine](i.searcher)
		if !ok {
			i.release()
			return uci.ServerConfig{}, nil, fmt.Errorf("%s: its options cannot be changed", e.Kind.Name)
		}
		own := &optionEngine{Engine: changed, options: changed.Options(), book: e.book}
		own.book.off = own.book.path == ""
		own.searcher = bookSearcher{changed, &own.book, e.Options.Games, xiangqi.Rules}
		return uci.ServerConfig{
			Searcher: own, Name: "qhsh " + pluginclient.Version, Author: "the authors of qhsh",
			Options: own.setters(ctx, min(maxHash(e.Options.memory()), search.MaxHash)), Ready: own.applyOptions,
		}, func() error { i.release(); return nil }, nil
	}
	session, err := e.Open(ctx)
	if err != nil {
		return uci.ServerConfig{}, nil, err
	}
	info := session.Info()
	searcher, closing := behind(session)
	return uci.ServerConfig{
		Searcher: searcher, LevelsOnly: e.UnsupportedLimits&(engine.LimitNodes|engine.LimitDepth) != 0,
		Name: info.Name + " (" + info.Protocol + ") by qhsh " + pluginclient.Version,
	}, closing, nil
}

// A foreign is the Session of a program behind a server, with the levels of its Info.
type foreign struct {
	engine.Searcher
	levels []engine.Level
	noMove func(error)
}

var _ serving.Foreign = (*foreign)(nil)

func (f *foreign) Levels() []engine.Level  { return slices.Clone(f.levels) }
func (f *foreign) NoMove(err error)        { f.noMove(err) }
func (f *foreign) Unwrap() engine.Searcher { return f.Searcher }

// behind returns what a server searches with, and a function that closes the engine. Its error is that
// of an engine that was lost and not restarted, or by whose loss the host got no move: the server itself
// reports neither.
func behind(session pluginclient.Session) (searcher engine.Searcher, closing func() error) {
	var lost error
	searcher = session
	if _, embedded := DirectThreads(session); !embedded {
		searcher = &foreign{session, session.Info().Levels, func(err error) {
			if lost == nil && pluginclient.Lost(err) {
				lost = err
			}
		}}
	}
	return searcher, func() error {
		err := session.Close()
		if err == nil {
			err = session.Idle(context.Background())
		}
		if errors.Is(err, pluginclient.ErrClosed) { // closed during a call
			err = nil
		}
		return cmp.Or(err, lost)
	}
}

// An optionEngine is the embedded engine with options that a host may change. Changes are applied
// when the engine is next used: a host sends its options one by one, and allocating a large table
// takes seconds.
type optionEngine struct {
	*search.Engine
	searcher engine.Searcher // the engine behind the book
	mu       sync.Mutex
	options  search.Options // as set by the host: Hash, Threads and Rules
	changed  bool           // since the options were last applied
	book     bookOptions
}

func (a *optionEngine) applyOptions() {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.changed {
		a.changed = a.Adjust(a.options.Hash, a.options.Threads, a.options.Rules) != nil // cannot fail: the setters check the values
	}
}

func (a *optionEngine) Forget() {
	a.applyOptions()
	a.Engine.Forget()
}

func (a *optionEngine) Search(ctx context.Context, pos engine.Position, lim engine.Limits) iter.Seq2[[]engine.Line, error] {
	a.applyOptions()
	return a.searcher.Search(ctx, pos, lim)
}

// setters returns the options as UCI names them. maxTableSize is the maximum table size in MiB.
func (a *optionEngine) setters(ctx context.Context, maxTableSize int) []uci.Setter {
	change := func(s uci.Setter) uci.Setter {
		return uci.Setter{Option: s.Option, Set: func(value string) error {
			a.mu.Lock()
			defer a.mu.Unlock()
			a.changed = true
			return s.Set(value)
		}}
	}
	rules := uci.Option{Name: "Rules", Kind: uci.Combo, Default: a.options.Rules.String()}
	for _, r := range xiangqi.RuleSets() {
		rules.Vars = append(rules.Vars, r.String())
	}
	return []uci.Setter{
		change(uci.NumberSetter("Hash", 1, maxTableSize, &a.options.Hash)),
		change(uci.NumberSetter("Threads", 1, search.MaxThreads, &a.options.Threads)),
		change(uci.Setter{Option: rules, Set: func(value string) (err error) {
			a.options.Rules, err = xiangqi.ParseRuleSet(value)
			return err
		}}),
		uci.CheckSetter("OwnBook", true, &a.book.off),
		{
			Option: uci.Option{Name: "Book File", Kind: uci.String, Default: a.book.path},
			Set: func(value string) error {
				changed := a.book
				changed.path, changed.index = value, new(explore.BookIndex)
				if err := changed.check(ctx, a.searcher.(bookSearcher).games, xiangqi.Rules); err != nil {
					return err
				}
				a.book = changed
				return nil
			},
		},
	}
}

// forGame returns the engine for a server of a protocol for one game; builtin means the embedded engine
// of the game. An engine of another game is an error, if possible before it is started.
func (e *Engine) forGame(ctx context.Context, protocol string, of engine.Game) (*Engine, error) {
	if e.Kind.Name == builtinName && len(e.spec.Options) == 0 && e.Options.kinds().rowFor(of.Name(), false) != nil {
		return Parse(of.Name(), e.Options)
	}
	game, err := e.FindGame(ctx)
	if err == nil && game.Name() != of.Name() {
		err = fmt.Errorf("%w: %s plays %s, and %s is for %s", ErrSpec, e.Given, game.Name(), protocol, of.Name())
	}
	return e, err
}

// byTime returns a Serve function for a protocol without limits: serve serves with a Searcher in front of the
// session, within limits that are the server's time per move. If that is 0, the level of the options applies;
// without a level the embedded engine uses usual, and a program decides by itself.
func byTime(protocol string, of engine.Game, usual time.Duration,
	serve func(ctx context.Context, c ServeConfig, session pluginclient.Session, searcher engine.Searcher, limits func() engine.Limits) error,
) func(context.Context, ServeConfig) error {
	return func(ctx context.Context, c ServeConfig) error {
		e, err := c.Engine.forGame(ctx, protocol, of)
		if err != nil {
			return err
		}
		session, err := e.Parsed.Open(ctx, e.Options)
		if err != nil {
			return err
		}
		lim := engine.Limits{Time: c.Time}
		switch {
		case e.Options.Level != nil:
			if err := e.setLevel(ctx, session); err != nil {
				session.Close()
				return err
			}
			lim.Level = *e.Options.Level
		case c.Time == 0 && e.Embedded:
			lim.Time = usual
		}
		searcher, closing := behind(session)
		return cmp.Or(serve(ctx, c, session, searcher, func() engine.Limits { return lim }), closing())
	}
}
