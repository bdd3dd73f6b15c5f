package match

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"

	"qhsh/pluginclient"
)

// An Output receives the records in the order of the games. Its error ends the match.
type Output interface{ Write(r Record) error }

// Options control how a match is run.
type Options struct {
	Jobs    int      // games played at the same time; 0: one
	Journal *State   // games in it are not played again; may be nil
	Outputs []Output // receive every game, including those of the journal
	// Trace, if not nil, saves the last lines exchanged with an engine at fault and returns the
	// file, or "" on failure. Several goroutines call it.
	Trace func(game int, player string, s pluginclient.Session) (file string)
	// Progress, if not nil, is called with every game, in order. fresh is false for games from the
	// journal. The match waits while it runs.
	Progress func(r Record, fresh bool, t *Table)
	// Play, if not nil, plays a game elsewhere. Several goroutines call it. The engines of this process
	// are then not used, and Trace is not called.
	Play func(ctx context.Context, f Fixture) (Record, error)
}

var errDecided = errors.New("the SPRT has decided")

// Run plays a match. The returned table covers the games that the outputs received, also if there
// is an error. Games after the one that decides the SPRT are dropped: how many were played by then
// depends on timing. The SPRT is not evaluated within the journal's unbroken prefix, since it may
// have been added to a match that was already longer.
func Run(ctx context.Context, config *Config, o Options) (*Table, error) {
	if err := config.Check(); err != nil {
		return nil, err
	}
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	s := newSchedule(config)
	jobs := min(max(o.Jobs, 1), s.Len())
	r := &runner{
		Options: o, schedule: s, stop: stop, table: newTable(s), next: 1,
		results: make(chan outcome), ready: map[int]Record{},
	}
	var games []int // to play
	for n := 1; n <= s.Len(); n++ {
		if r.Journal == nil || !r.Journal.Has(n) {
			games = append(games, n)
		}
	}
	for o.Journal != nil && o.Journal.Has(r.prefix+1) {
		r.prefix++
	}
	if err := r.advance(); err != nil || len(games) == 0 {
		return r.table, r.flushFinished(err)
	}
	if r.Play == nil {
		referee := NewReferee(config, jobs)
		defer referee.Close()
		for i := range config.Players { // one that cannot start is found before the first game
			s, err := referee.pool.take(ctx, &config.Players[i])
			if err != nil {
				return r.table, cmp.Or(context.Cause(ctx), err)
			}
			referee.pool.put(&config.Players[i], s)
		}
		referee.trace, r.Play = o.Trace, referee.Play
	}
	work := make(chan int)
	go func() {
		defer close(work)
		for _, n := range games {
			select {
			case work <- n:
			case <-ctx.Done():
				return
			}
		}
	}()
	var workers sync.WaitGroup
	for range jobs {
		workers.Go(func() { r.work(ctx, work) })
	}
	go func() {
		workers.Wait()
		close(r.results)
	}()
	err := cmp.Or(r.collect(), context.Cause(ctx))
	return r.table, r.flushFinished(err)
}

type runner struct {
	Options
	schedule     *schedule
	stop         context.CancelCauseFunc
	results      chan outcome
	table        *Table
	next         int            // the next game for the outputs
	prefix       int            // games 1 to prefix were in the journal at the start
	ready        map[int]Record // finished, waiting for earlier games
	outputFailed bool           // nothing may be written any more
}

type outcome struct {
	record Record
	err    error
}

// work plays games until the channel is closed or an error occurs.
func (r *runner) work(ctx context.Context, work <-chan int) {
	for n := range work {
		record, err := r.Play(ctx, r.schedule.fixture(n))
		if err == nil {
			err = record.check(r.schedule)
		}
		if err != nil {
			err = fmt.Errorf("game %d: %w", n, cmp.Or(context.Cause(ctx), err))
		}
		r.results <- outcome{record, err}
		if err != nil {
			return
		}
	}
}

// collect receives the results until all jobs are done. After the first error it stops the jobs,
// but still stores the games that they have finished.
func (r *runner) collect() (first error) {
	for o := range r.results {
		err := o.err
		if err == nil && !errors.Is(first, errDecided) {
			r.ready[o.record.Game] = o.record
			if r.Journal != nil { // so that the game is not lost if the process dies
				if err = r.Journal.Append(o.record); err != nil {
					err = fmt.Errorf("output: %w", err)
				}
			}
		}
		if err == nil && first == nil {
			err = r.advance()
		}
		if err != nil && first == nil {
			first = err
			r.stop(err)
		}
	}
	return first
}

// advance passes finished games to the outputs in order, up to the first unfinished one.
func (r *runner) advance() error {
	for ; r.next <= r.schedule.Len(); r.next++ {
		if found, err := r.deliver(r.next); err != nil || !found {
			return err
		}
		if r.next < r.prefix {
			continue
		}
		if test := r.table.Test(); test != nil && test.Decision != "" {
			clear(r.ready)
			r.next = r.schedule.Len() + 1
			return errDecided
		}
	}
	return nil
}

// deliver passes a game to the outputs, if it is finished.
func (r *runner) deliver(n int) (found bool, err error) {
	record, fresh := r.ready[n]
	delete(r.ready, n)
	if !fresh {
		if r.Journal == nil || !r.Journal.Has(n) {
			return false, nil
		}
		if record, err = r.Journal.Read(n); err != nil {
			return false, err
		}
	}
	for _, out := range r.Outputs {
		if err := out.Write(record); err != nil {
			r.outputFailed = true
			return true, fmt.Errorf("output: %w", err)
		}
	}
	r.table.add(record)
	if r.Progress != nil {
		r.Progress(record, fresh, r.table)
	}
	return true, nil
}

// flushFinished passes the games that finished after a missing one to the outputs when a match ends
// with an error. It returns the error for Run.
func (r *runner) flushFinished(err error) error {
	if err == nil || errors.Is(err, errDecided) {
		return nil
	}
	if r.outputFailed {
		return err
	}
	for n := r.next; n <= r.schedule.Len(); n++ {
		if _, handErr := r.deliver(n); handErr != nil {
			return err
		}
	}
	return err
}
