package attach

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"sync"

	"qhsh/engine"
	"qhsh/engine/xiangqi/search"
	"qhsh/pluginclient/protocol/ucifamily"
)

// servedEngine is the engine of a SPEC as what stands behind a server of UCI, UCCI or XBoard's
// protocol. Closing is that of [ending].
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

// adjustable is the embedded engine with options that a host may change. What the host
// says is gathered, and holds from when the engine is next needed: a host sends all its
// settings, one by one, and a large table takes seconds to make.
type adjustable struct {
	mu            sync.Mutex
	engine        *search.Engine
	hash, threads int  // as the host wants them
	changed       bool // since the engine was last needed
	closing       func() error
}

// adjustable is the embedded engine of the SPEC.
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

// now is the engine as the host wants it.
func (a *adjustable) now() *search.Engine {
	a.settle()
	return a.engine
}

// settle makes the engine what the host wants it to be.
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

// setters are the options, in the words of UCI. The table has at most so many MiB.
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

// set takes in what an option is to be.
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
