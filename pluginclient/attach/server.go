package attach

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"sync"
	"time"

	"qhsh/engine"
	"qhsh/engine/xiangqi"
	"qhsh/engine/xiangqi/search"
	"qhsh/pluginclient"
	"qhsh/pluginclient/protocol/ucifamily"
	"qhsh/pluginclient/serving"
)

// newServerConfig starts the engine of a SPEC and returns the configuration of a UCI, UCCI or
// XBoard server for it. The caller must call closing, see behind.
func newServerConfig(ctx context.Context, protocol, text string, o Options) (served ucifamily.ServerConfig, closing func() error, err error) {
	s, row, err := o.parseFor(ctx, text, protocol, xiangqi.Rules)
	if err != nil {
		return ucifamily.ServerConfig{}, nil, err
	}
	if own, ok := row.(builtinRow); ok {
		e, err := own.newOptionEngine(ctx, s, o)
		if err != nil {
			return ucifamily.ServerConfig{}, nil, err
		}
		return ucifamily.ServerConfig{
			Searcher: e, Name: "qhsh " + o.Version, Author: "the authors of qhsh",
			Options: e.setters(min(maxHash(o.memory()), search.MaxHash)), Ready: e.applyOptions,
			HasBook: bookOf(s) != "",
		}, e.closing, nil
	}
	session, err := Open(ctx, text, o)
	if err != nil {
		return ucifamily.ServerConfig{}, nil, err
	}
	info := session.Info()
	searcher, closing := behind(session)
	return ucifamily.ServerConfig{
		Searcher: searcher, LevelsOnly: row.Kind().UnsupportedLimits&(engine.LimitNodes|engine.LimitDepth) != 0,
		Name: info.Name + " (" + info.Protocol + ") by qhsh " + o.Version,
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
	if _, embedded := pluginclient.As[DirectSearcher](session); !embedded {
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
	mu            sync.Mutex
	engine        *search.Engine
	searcher      engine.Searcher // the engine, or a book in front of it
	hash, threads int             // as set by the host
	changed       bool            // since the options were last applied
	closing       func() error
}

// newOptionEngine creates the embedded engine of the SPEC.
func (r builtinRow) newOptionEngine(ctx context.Context, s Spec, o Options) (*optionEngine, error) {
	_, e, err := r.plugin(ctx, s, o)
	if err != nil {
		return nil, err
	}
	own, ok := engine.As[*search.Engine](e.searcher)
	if !ok {
		e.release()
		return nil, fmt.Errorf("%s: its options cannot be changed", r.name)
	}
	return &optionEngine{engine: own, searcher: e.searcher, hash: e.Memory, threads: e.Threads, closing: e.close}, nil
}

// current returns the engine with all options applied.
func (a *optionEngine) current() *search.Engine {
	a.applyOptions()
	return a.engine
}

// applyOptions applies the options to the engine.
func (a *optionEngine) applyOptions() {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.changed {
		a.changed = a.engine.Adjust(a.hash, a.threads) != nil // cannot fail: set checks the values
	}
}

func (a *optionEngine) Levels() []engine.Level { return a.engine.Levels() }
func (a *optionEngine) Forget()                { a.current().Forget() }

func (a *optionEngine) Search(ctx context.Context, pos engine.Position, lim engine.Limits) iter.Seq2[[]engine.Line, error] {
	a.applyOptions()
	return a.searcher.Search(ctx, pos, lim)
}

// setters returns the options as UCI names them. maxTableSize is the maximum table size in MiB.
func (a *optionEngine) setters(maxTableSize int) []ucifamily.Setter {
	number := func(name string, field *int, limit int) ucifamily.Setter {
		return ucifamily.Setter{
			Option: ucifamily.Option{Name: name, Kind: ucifamily.Spin, Default: strconv.Itoa(*field), Min: 1, Max: int64(limit)},
			Set:    func(text string) error { return a.set(text, field, limit) },
		}
	}
	return []ucifamily.Setter{
		number("Hash", &a.hash, maxTableSize),
		number("Threads", &a.threads, search.MaxThreads),
	}
}

// set stores the value of an option.
func (a *optionEngine) set(text string, field *int, limit int) error {
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > limit {
		return fmt.Errorf("want a number from 1 to %d", limit)
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.changed = a.changed || n != *field
	*field = n
	return nil
}

// A gameServer describes a server of a protocol for one game.
type gameServer struct {
	protocol    string
	game        engine.Game
	limit       time.Duration // per move; 0: none
	defaultTime time.Duration // per move of the embedded engine, without a limit
}

// parseFor is parse for a server of a protocol for one game; builtin means the embedded engine of the
// game. An engine of another game is an error, if possible before it is started.
func (o Options) parseFor(ctx context.Context, text, protocol string, of engine.Game) (Spec, Row, error) {
	s, row, err := o.parse(text)
	if err != nil {
		return Spec{}, nil, err
	}
	if own := o.kinds().rowFor(of.Name(), false); s.Name == builtinName && len(s.Options) == 0 && own != nil {
		s.Name, row = of.Name(), own
	}
	game, err := o.gameOf(ctx, text, s, row)
	if err == nil && game.Name() != of.Name() {
		err = fmt.Errorf("%w: %s plays %s, and %s is for %s", ErrSpec, text, game.Name(), protocol, of.Name())
	}
	return s, row, err
}

// openForServer starts the engine of a SPEC for a server, see parseFor. The limits are the server's
// time per move. If that is 0, the level of the options applies; without a level the embedded engine
// uses defaultTime, and a program decides by itself.
func openForServer(ctx context.Context, text string, o Options, server gameServer) (pluginclient.Session, engine.Limits, error) {
	lim := engine.Limits{Time: server.limit}
	s, row, err := o.parseFor(ctx, text, server.protocol, server.game)
	if err != nil {
		return nil, lim, err
	}
	session, err := row.Open(ctx, s, o)
	if err != nil {
		return nil, lim, err
	}
	switch {
	case o.Level != nil:
		if err := setLevel(ctx, session, *o.Level); err != nil {
			session.Close()
			return nil, lim, err
		}
		lim.Level = *o.Level
	case server.limit == 0 && row.Kind().Embedded:
		lim.Time = server.defaultTime
	}
	return session, lim, nil
}
