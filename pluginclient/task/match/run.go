package match

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"qhsh/pluginclient"
)

// A Journal keeps records as they come, in any order. It is used by one goroutine.
type Journal interface {
	Has(game int) bool
	Read(game int) (Record, error)
	Append(r Record) error
}

// An Output takes records in the order of the games. An error ends the match.
type Output interface{ Write(r Record) error }

// Options are how a match is played.
type Options struct {
	Jobs    int      // games at the same time; 0: one
	Journal Journal  // games that it has are not played again; nil: there is none
	Outputs []Output // take every game, those of the journal too
	// Trace, if not nil, keeps what was said last to an engine at fault and answers where;
	// empty if it could not. It is called from several goroutines.
	Trace func(game int, player string, t *pluginclient.Trace) (file string)
	// Progress, if not nil, is called with every game, in order. Fresh games have been played
	// now, others were in the journal. It holds up the match while it runs.
	Progress func(r Record, fresh bool, t *Table)
}

// errDecided ends a match that the SPRT has decided.
var errDecided = errors.New("the SPRT has decided")

// Run plays a match. The table is that of the games which the outputs have got, also if
// there is an error. When the SPRT decides, games after the one by which it did are
// dropped: their number hangs on chance. But it is not asked before the games that the journal
// had without a gap: an SPRT may be added to a match that has come farther than it would have.
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
		pool:    &pool{players: config.Players, maxOpen: 2 * jobs},
		results: make(chan outcome), ready: map[int]Record{},
	}
	defer r.pool.close()
	games := r.games()
	for o.Journal != nil && o.Journal.Has(r.prefix+1) {
		r.prefix++
	}
	if err := r.advance(); err != nil || len(games) == 0 {
		return r.table, r.flushFinished(err)
	}
	if err := r.pool.check(ctx); err != nil {
		return r.table, startError(ctx, err)
	}
	work := make(chan int)
	go feed(ctx, games, work)
	var workers sync.WaitGroup
	for range jobs {
		workers.Go(func() { r.work(ctx, work) })
	}
	go func() {
		workers.Wait()
		close(r.results)
	}()
	err := r.collect()
	if err == nil {
		err = context.Cause(ctx)
	}
	return r.table, r.flushFinished(err)
}

// runner is a match under way.
type runner struct {
	Options
	schedule     *schedule
	stop         context.CancelCauseFunc
	pool         *pool
	results      chan outcome
	table        *Table
	next         int            // the game that the outputs get next
	prefix       int            // so many games were in the journal, none of them missing
	ready        map[int]Record // finished, and waiting for those before
	outputFailed bool           // an output has failed, and nothing may be written after that
}

type outcome struct {
	record Record
	err    error
}

// games returns those that have to be played.
func (r *runner) games() []int {
	var games []int
	for n := 1; n <= r.schedule.Len(); n++ {
		if r.Journal == nil || !r.Journal.Has(n) {
			games = append(games, n)
		}
	}
	return games
}

func feed(ctx context.Context, games []int, work chan<- int) {
	defer close(work)
	for _, n := range games {
		select {
		case work <- n:
		case <-ctx.Done():
			return
		}
	}
}

// startError returns the error of an engine that does not start, which is not that of somebody
// who has interrupted.
func startError(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

// work is a job: it plays games until there are no more.
func (r *runner) work(ctx context.Context, work <-chan int) {
	for n := range work {
		record, err := r.play(ctx, r.schedule.fixture(n))
		if err != nil {
			err = fmt.Errorf("game %d: %w", n, startError(ctx, err))
		}
		r.results <- outcome{record, err}
		if err != nil {
			return
		}
	}
}

// play plays a game with engines of the pool.
func (r *runner) play(ctx context.Context, f fixture) (Record, error) {
	var sessions [2]pluginclient.Session
	for i, player := range f.sides {
		s, err := r.pool.take(ctx, player)
		if err != nil {
			if i == 1 {
				r.pool.put(f.sides[0], sessions[0])
			}
			return Record{}, err
		}
		sessions[i] = s
	}
	record, atFault, err := r.schedule.play(ctx, f, sessions)
	if atFault >= 0 && r.Trace != nil {
		record.Fault.Trace = r.Trace(f.number, record.Fault.Player, sessions[atFault].Trace())
	}
	for i, s := range sessions {
		if i == atFault || err != nil {
			r.pool.drop(s)
			continue
		}
		r.pool.put(f.sides[i], s)
	}
	return record, err
}

// collect takes what the jobs have played, until they are done. After the first error it
// tells them to stop, and still keeps what they have finished.
func (r *runner) collect() (first error) {
	for o := range r.results {
		err := o.err
		if err == nil && !errors.Is(first, errDecided) {
			err = r.journal(o.record)
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

// journal has a finished game survive whatever comes.
func (r *runner) journal(record Record) error {
	r.ready[record.Game] = record
	if r.Journal == nil {
		return nil
	}
	if err := r.Journal.Append(record); err != nil {
		return fmt.Errorf("output: %w", err)
	}
	return nil
}

// advance gives the outputs the games that are finished, as far as none before them is
// missing.
func (r *runner) advance() error {
	for ; r.next <= r.schedule.Len(); r.next++ {
		if found, err := r.deliver(r.next); err != nil || !found {
			return err
		}
		if test := r.table.Test(); r.next >= r.prefix && test != nil && test.Decision != "" {
			clear(r.ready)
			r.next = r.schedule.Len() + 1
			return errDecided
		}
	}
	return nil
}

// deliver gives the outputs a game, if it is finished.
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
	return true, r.write(record, fresh)
}

func (r *runner) write(record Record, fresh bool) error {
	for _, out := range r.Outputs {
		if err := out.Write(record); err != nil {
			r.outputFailed = true
			return fmt.Errorf("output: %w", err)
		}
	}
	r.table.add(record)
	if r.Progress != nil {
		r.Progress(record, fresh, r.table)
	}
	return nil
}

// flushFinished returns the error of a match that has ended with one. What was finished after a
// missing game has not been given to the outputs yet.
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
