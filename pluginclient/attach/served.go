package attach

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"sync"
	"time"

	"qhsh/engine"
	"qhsh/engine/xiangqi/search"
	"qhsh/pluginclient"
	"qhsh/pluginclient/protocol/ucifamily"
)

// servedEngine starts the engine of a SPEC and returns the configuration of a server of UCI, UCCI or
// XBoard's protocol for it. The caller must call closing, see [ending].
func servedEngine(ctx context.Context, text string, o Options) (served ucifamily.ServerConfig, closing func() error, err error) {
	s, row, err := o.parse(text)
	if err != nil {
		return ucifamily.ServerConfig{}, nil, err
	}
	if own, ok := row.(builtinRow); ok {
		e, err := own.adjustable(s, o)
		if err != nil {
			return ucifamily.ServerConfig{}, nil, err
		}
		return ucifamily.ServerConfig{
			Searcher: e, Name: "qhsh " + o.Version, Author: "the authors of qhsh",
			Options: e.setters(min(mostHash(o.memory()), search.MaxHash)), Ready: e.settle,
		}, e.closing, nil
	}
	session, err := Open(ctx, text, o)
	if err != nil {
		return ucifamily.ServerConfig{}, nil, err
	}
	info := session.Info()
	return ucifamily.ServerConfig{
		Searcher: leveled{session, info.Levels}, LevelsOnly: row.Kind().UnsupportedLimits&(engine.LimitNodes|engine.LimitDepth) != 0,
		Name: info.Name + " (" + info.Protocol + ") by qhsh " + o.Version,
	}, ending(session), nil
}

// leveled is a Session with the levels of its Info.
type leveled struct {
	engine.Searcher
	levels []engine.Level
}

func (l leveled) Levels() []engine.Level  { return slices.Clone(l.levels) }
func (l leveled) Unwrap() engine.Searcher { return l.Searcher }

// adjustable is the embedded engine with options that a host may change. Changes are collected and
// applied when the engine is next used: a host sends its options one by one, and allocating a large
// table takes seconds.
type adjustable struct {
	mu            sync.Mutex
	engine        *search.Engine
	hash, threads int  // as the host wants them
	changed       bool // since the engine was last needed
	closing       func() error
}

// adjustable creates the embedded engine of the SPEC.
func (r builtinRow) adjustable(s Spec, o Options) (*adjustable, error) {
	_, e, err := r.plugin(s, o)
	if err != nil {
		return nil, err
	}
	own, ok := e.searcher.(*search.Engine)
	if !ok {
		e.giveBack()
		return nil, fmt.Errorf("%s: its options cannot be changed", r.name)
	}
	return &adjustable{engine: own, hash: e.Memory, threads: e.Threads, closing: e.close}, nil
}

// now returns the engine with all options applied.
func (a *adjustable) now() *search.Engine {
	a.settle()
	return a.engine
}

// settle applies the options to the engine.
func (a *adjustable) settle() {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.changed {
		a.changed = a.engine.Adjust(a.hash, a.threads) != nil // set has refused what it would
	}
}

func (a *adjustable) Levels() []engine.Level { return a.engine.Levels() }
func (a *adjustable) Forget()                { a.now().Forget() }

func (a *adjustable) Search(ctx context.Context, pos engine.Position, lim engine.Limits) iter.Seq2[[]engine.Line, error] {
	return a.now().Search(ctx, pos, lim)
}

// setters returns the options as UCI names them. mostHash is the maximum table size in MiB.
func (a *adjustable) setters(mostHash int) []ucifamily.Setter {
	number := func(name string, field *int, most int) ucifamily.Setter {
		return ucifamily.Setter{
			Option: ucifamily.Option{Name: name, Kind: ucifamily.Spin, Default: strconv.Itoa(*field), Min: 1, Max: int64(most)},
			Set:    func(text string) error { return a.set(text, field, most) },
		}
	}
	return []ucifamily.Setter{
		number("Hash", &a.hash, mostHash),
		number("Threads", &a.threads, search.MaxThreads),
	}
}

// set stores the value of an option.
func (a *adjustable) set(text string, field *int, most int) error {
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > most {
		return fmt.Errorf("want a number from 1 to %d", most)
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.changed = a.changed || n != *field
	*field = n
	return nil
}

// serverTerms describe a server of a protocol for one game.
type serverTerms struct {
	protocol string
	game     engine.Game
	limit    time.Duration // per move; 0: none was given
	usual    time.Duration // of the embedded engine if there is no limit
}

// openBehind starts the engine of a SPEC for such a server; builtin means the embedded engine of the
// game. The limits are the terms' time per move. If that is 0, the level of the options applies;
// without a level the embedded engine uses the usual time, and a program decides by itself.
func openBehind(ctx context.Context, text string, o Options, terms serverTerms) (pluginclient.Session, engine.Limits, error) {
	lim := engine.Limits{Time: terms.limit}
	s, row, err := o.parse(text)
	if err != nil {
		return nil, lim, err
	}
	name := terms.game.Name()
	if own := o.kinds().rowFor(name, false); s.Name == builtinName && len(s.Options) == 0 && own != nil {
		s.Name, row = name, own
	}
	session, err := row.Open(ctx, s, o)
	if err != nil {
		return nil, lim, err
	}
	if game := session.Position().Game().Name(); game != name {
		session.Close()
		return nil, lim, fmt.Errorf("%w: %s plays %s, and %s is for %s", ErrSpec, text, game, terms.protocol, name)
	}
	switch {
	case o.Level != nil:
		if err := setLevel(ctx, session, *o.Level); err != nil {
			session.Close()
			return nil, lim, err
		}
		lim.Level = *o.Level
	case terms.limit == 0 && row.Kind().Embedded:
		lim.Time = terms.usual
	}
	return session, lim, nil
}
