package main

import (
	"context"
	"errors"
	"flag"
	"fmt"

	"qhsh/pluginclient/attach"
	"qhsh/pluginclient/task/batch"
	"qhsh/pluginclient/task/batch/cache"
	"qhsh/pluginclient/task/batch/store"
	"qhsh/pluginclient/task/hints"
	"qhsh/pluginclient/task/output"
)

// cacheFlag is -cache, a file that keeps answers of engines between runs.
type cacheFlag struct{ path string }

func (f *cacheFlag) define(fs *flag.FlagSet) {
	writesFile(fs, &f.path, "cache", "look up answers in `FILE`, and store new ones there")
}

// kept returns the file with those that SQLite keeps beside it.
func (f *cacheFlag) kept() keptFile {
	return keptFile{output.WrittenFile("-cache", f.path), store.Siblings(f.path, false)}
}

// engineTerms returns everything that the answers of an asker depend on besides the position. compared
// reports whether another run may look at them: without it, the engine's files are not read.
func engineTerms(e *attach.Engine, pool asker, lines int, restart, compared bool) (terms hints.Engine, err error) {
	who := pool.Identity()
	terms = hints.Engine{Spec: e.Spec, Evaluation: e.Evaluation, Name: who.Engine, Limits: who.Limits, Lines: lines, Restart: restart}
	if terms.Files = enginesElsewhere(pool); terms.Files == nil && compared {
		terms.Files, err = hints.Fingerprints(e.Files())
	}
	return terms, err
}

// A cacheable is an asker whose answers depend only on terms and the position.
type cacheable struct {
	batch.Asker
	terms string
}

// wrap puts the cache, if there is one, in front of askers. A damaged one is a warning.
func (f *cacheFlag) wrap(ctx context.Context, warn func(string), askers ...cacheable) (_ []batch.Asker, closing func() error, err error) {
	plain := make([]batch.Asker, len(askers))
	for i, a := range askers {
		plain[i] = a.Asker
	}
	none := func() error { return nil }
	if f.path == "" {
		return plain, none, nil
	}
	fronts, closing, err := f.open(ctx, warn, askers)
	switch {
	case errors.Is(err, cache.ErrDamaged):
		warn(fmt.Sprintf("-cache: %v: continuing without the cache; remove the file, or name another", err))
		return plain, none, nil
	case err != nil:
		return nil, nil, usagef("-cache: %w: name another file", err)
	}
	return fronts, closing, nil
}

// open opens the cache and puts it in front of askers.
func (f *cacheFlag) open(ctx context.Context, warn func(string), askers []cacheable) (fronts []batch.Asker, closing func() error, err error) {
	known, err := cache.Open(ctx, f.path)
	if err != nil {
		return nil, nil, err
	}
	closing = known.Close
	for _, a := range askers {
		front, err := known.Wrap(ctx, a.Asker, a.terms, warn)
		if err != nil {
			return nil, nil, errors.Join(fmt.Errorf("%s: %w", f.path, err), closing())
		}
		fronts = append(fronts, front)
		closeRest := closing
		closing = func() error { return errors.Join(front.Close(), closeRest()) }
	}
	return fronts, closing, nil
}
