package attach

import (
	"context"
	"iter"
	"slices"
	"strconv"
	"sync"

	"qhsh/engine"
	"qhsh/engine/xiangqi/search"
	"qhsh/pluginclient"
	"qhsh/pluginclient/universal"
)

// Served is the engine of a SPEC as what stands behind a server of UCI, UCCI or XBoard's protocol. Close ends
// the engine.
func Served(ctx context.Context, text string, o Options) (served universal.Served, closing func(), err error) {
	s, err := parseSpec(text, o.Names)
	if err != nil {
		return universal.Served{}, nil, err
	}
	if s.name == builtinName {
		e, err := s.adjustable(o)
		if err != nil {
			return universal.Served{}, nil, err
		}
		return universal.Served{Searcher: e, Name: "qhsh " + o.Version, Author: "the authors of qhsh", Options: e.setters()}, func() {}, nil
	}
	session, err := Open(ctx, text, o)
	if err != nil {
		return universal.Served{}, nil, err
	}
	info := session.Info()
	return universal.Served{
		Searcher: leveled{session, info.Levels}, LevelsOnly: s.name == qhName,
		Name: info.Name + " (" + info.Protocol + ") by qhsh " + o.Version,
	}, func() { session.Close() }, nil
}

// leveled is a Session with the levels of its Info.
type leveled struct {
	engine.Searcher
	levels []engine.Level
}

func (l leveled) Levels() []engine.Level { return slices.Clone(l.levels) }
func (l leveled) Forget()                { engine.Forget(l.Searcher) }

// Ponder is the Session's.
func (l leveled) Ponder(ctx context.Context, pos engine.Position, lim engine.Limits, hit <-chan struct{}) iter.Seq2[[]engine.Line, error] {
	return pluginclient.Ponder(ctx, l.Searcher, pos, lim, hit)
}

// adjustable is the embedded engine with options that a host may change.
type adjustable struct {
	mu      sync.Mutex
	options search.Options
	engine  *search.Engine
}

// adjustable is the embedded engine of the SPEC.
func (s spec) adjustable(o Options) (*adjustable, error) {
	server, options, err := s.embedded(o)
	if err != nil {
		return nil, err
	}
	return &adjustable{options: options, engine: server.Searcher.(*search.Engine)}, nil
}

func (a *adjustable) now() *search.Engine {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.engine
}

func (a *adjustable) Levels() []engine.Level { return a.now().Levels() }
func (a *adjustable) Forget()                { a.now().Forget() }

func (a *adjustable) Search(ctx context.Context, pos engine.Position, lim engine.Limits) iter.Seq2[[]engine.Line, error] {
	return a.now().Search(ctx, pos, lim)
}

// setters are the options, in the words of UCI.
func (a *adjustable) setters() []universal.Setter {
	number := func(name string, value int, most int64, field func(*search.Options) *int) universal.Setter {
		return universal.Setter{
			Option: universal.Option{Name: name, Kind: universal.Spin, Default: strconv.Itoa(value), Min: 1, Max: most},
			Set:    func(text string) error { return a.set(text, field) },
		}
	}
	const mostHash, mostThreads = 65536, 256
	return []universal.Setter{
		number("Hash", a.options.Hash, mostHash, func(o *search.Options) *int { return &o.Hash }),
		number("Threads", a.options.Threads, mostThreads, func(o *search.Options) *int { return &o.Threads }),
	}
}

// set makes the engine anew with another option.
func (a *adjustable) set(text string, field func(*search.Options) *int) error {
	n, err := strconv.Atoi(text)
	if err != nil {
		return err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	options := a.options
	*field(&options) = n
	e, err := search.New(options)
	if err != nil {
		return err
	}
	a.options, a.engine = options, e
	return nil
}
