package batch

import (
	"context"
	"errors"
	"fmt"
	"io"

	"qhsh/engine"
)

// Options are how positions are run through a Crew.
type Options struct {
	// Unordered has answers written as they come, not in the order of the input.
	Unordered bool
	// Strict has the first answer with an Err end the run, with a *StrictError. That answer
	// is not written.
	Strict bool
	// NoDedup has equal positions searched again and again.
	NoDedup bool
	// Journal, if not nil, is told of every answer that has been written.
	Journal Journal
	// Resume, if not nil, is the run that is gone on with.
	Resume *Resume
	// Healed, if not nil, is told what the engine did at a position that it has answered when it
	// was asked once more. It is called as Progress is.
	Healed func(Item, error)
	// Progress, if not nil, is told after every answer has been written. It is called by
	// one goroutine at a time and holds up the run while it runs.
	Progress func(Tally)
}

// A Tally is how far a run has come.
type Tally struct {
	Done   int // answers written, errors among them
	Failed int // answers with an Err
	Scored int // answers that can be right or wrong
	Solved int // those that are right
	Cached int // answers that a cache has known
	Equal  int // answers that an equal position before has had
}

// Plus is the sum of two tallies.
func (t Tally) Plus(u Tally) Tally {
	return Tally{
		t.Done + u.Done, t.Failed + u.Failed, t.Scored + u.Scored,
		t.Solved + u.Solved, t.Cached + u.Cached, t.Equal + u.Equal,
	}
}

// A StrictError is the failure that ends a run that is strict.
type StrictError struct {
	Item Item
	Err  error
}

func (e *StrictError) Error() string { return fmt.Sprintf("%s: %v", Place(e.Item), e.Err) }

// Unwrap is the failure.
func (e *StrictError) Unwrap() error { return e.Err }

// ErrOtherInput is the error of an input that is not the one of the run to go on with.
var ErrOtherInput = errors.New("it is not the input of the run that is to be gone on with")

var errInputChanged = fmt.Errorf("input: %w", ErrOtherInput)

// aheadPerJob bounds how many positions are read ahead of the one that is written
// next, so that one slow position holds up the other engines late.
const aheadPerJob = 64

var errChance = errors.New("chance moves next, so there is no move to choose")

// Run asks a crew about every position of src and writes the answers to sink. It ends at the
// end of src, or with the error of the Source, the Sink, the Journal or the Crew, or with the
// cause of the context's end; what was finished in order has been written by then, and nobody
// is being asked any more. A Next of src that is under way when a run is broken off is not
// waited for; src is closed after it if it is an io.Closer. The tally counts from the very
// beginning, also of a run that is gone on with.
func Run(ctx context.Context, src Source, sink Sink, crew Crew, o Options) (Tally, error) {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	r := newRunner(ctx, stop, crew, o)
	go r.read(src)
	r.work(crew)
	err := r.write(sink)
	stop(err)
	r.workers.Wait()
	return r.tally, err
}

// task is a position on its way.
type task struct {
	index int
	sum   uint32
	item  Item
	key   Key
	reply Reply
	over  string // the game is over
	equal bool   // the reply is that of an equal position

	// The rest belongs to the memo.
	leads     bool
	answered  bool
	followers []*task
}

// answer is what is written of a task.
func (t *task) answer() Answer {
	return Answer{
		Item: t.item, Engine: t.reply.Engine, Level: t.reply.Level, HasLevel: t.reply.HasLevel,
		Hints: t.reply.Hints, Over: t.over, Err: t.reply.Err,
	}
}

// read makes tasks until the input ends.
func (r *runner) read(src Source) {
	defer closeSource(src)
	n, sum, err := r.pass(src)
	for err == nil {
		if !r.enter() {
			return
		}
		var item Item
		if item, err = src.Next(); err != nil {
			break
		}
		sum = sumItem(sum, item)
		if before, done := r.resume.Done[n]; done && before != sum {
			r.stop(errInputChanged)
			return
		}
		t := &task{index: n, sum: sum, item: item}
		n++
		if !r.dispatch(t) {
			return
		}
	}
	if err == io.EOF {
		err = nil
	}
	if err == nil && len(r.resume.Done) > 0 { // there were answers to positions behind the end
		r.stop(errInputChanged)
		return
	}
	r.ended <- inputEnd{n, err}
}

// inputEnd is the end of the input, or its error, behind so many positions.
type inputEnd struct {
	positions int
	err       error
}

func closeSource(src Source) {
	if closer, ok := src.(io.Closer); ok {
		_ = closer.Close() // it was only read
	}
}

// pass goes to the first position that has no answer yet.
func (r *runner) pass(src Source) (n int, sum uint32, err error) {
	if r.resume.Next == 0 {
		return 0, 0, nil
	}
	if !r.resume.Check {
		err = Skip(src, r.resume.Next)
	}
	for ; r.resume.Check && err == nil && n < r.resume.Next; n++ {
		var item Item
		if item, err = src.Next(); err == nil {
			sum = sumItem(sum, item)
		}
	}
	switch {
	case err == io.EOF, errors.Is(err, io.ErrUnexpectedEOF), err == nil && r.resume.Check && sum != r.resume.Sum:
		err = ErrOtherInput
	}
	return r.resume.Next, r.resume.Sum, err
}

// dispatch sends a task to where it is answered.
func (r *runner) dispatch(t *task) (ok bool) {
	if _, done := r.resume.Done[t.index]; done {
		delete(r.resume.Done, t.index)
		r.leave()
		return true
	}
	if !r.classify(t) {
		r.done <- t
		return true
	}
	if r.memo != nil {
		t.key = KeyOf(t.item.Pos)
		switch r.memo.join(t) {
		case follows:
			return true
		case known:
			r.done <- t
			return true
		}
	}
	select {
	case r.ask <- t:
		return true
	case <-r.ctx.Done():
		return false
	}
}

// classify tells whether an engine has to be asked. If not, the task is answered.
func (r *runner) classify(t *task) (ask bool) {
	switch item := t.item; {
	case item.Err != nil:
		t.reply.Err = item.Err
	case item.Pos.Turn() == engine.Chance:
		t.item.Err, t.reply.Err = errChance, errChance
	default:
		result := item.Pos.Result()
		if !result.Over() {
			return true
		}
		t.reply, t.over = r.who, result.Why()
	}
	return false
}

// work asks the crew.
func (r *runner) work(crew Crew) {
	for range crew.Size() {
		r.workers.Go(func() {
			for t := r.next(); t != nil; t = r.next() {
				reply, err := crew.Ask(r.ctx, t.item.Pos)
				if err != nil {
					r.stop(err)
					return
				}
				t.reply = reply
				r.finish(t)
			}
		})
	}
}

// next is a task about which somebody has to be asked; nil when the run has ended.
func (r *runner) next() *task {
	select {
	case t := <-r.again:
		return t
	default:
	}
	select {
	case t := <-r.again:
		return t
	case t := <-r.ask:
		return t
	case <-r.ctx.Done():
		return nil
	}
}

// finish hands on an answered task with those that waited for it.
func (r *runner) finish(t *task) {
	var followers []*task
	if r.memo != nil {
		var next *task
		if followers, next = r.memo.answered(t); next != nil {
			r.again <- next
		}
	}
	r.done <- t
	for _, f := range followers {
		r.done <- f
	}
}
