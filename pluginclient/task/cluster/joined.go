package cluster

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

var (
	errRunEnded = errors.New("the run has ended")
	errRefused  = errors.New("this worker cannot work for the run")
	errWrong    = errors.New("answers of this worker were wrong: compare 'qhsh version' here and at the host of the run")
)

// joined is a run that a worker works for.
type joined struct {
	id       string
	terms    Terms
	consumer jetstream.Consumer
	ctx      context.Context
	end      context.CancelCauseFunc

	mu       sync.Mutex
	lastSeen time.Time
	answerer Answerer
	left     bool           // the answerer must not be used any more
	users    sync.WaitGroup // of the answerer
}

const (
	// maxRuns is how many runs a worker works for at the same time: each may have engines for all jobs.
	maxRuns = 16
	// maxRefused is how many runs it knows that it cannot do. It finds out anew about others.
	maxRefused = 10_000
)

// join begins to work for a run, if the worker can.
func (w *worker) join(ctx context.Context, info RunInfo) {
	if len(w.all()) >= maxRuns {
		return // until it has left one
	}
	if _, ok := w.Handlers[info.Terms.Kind]; !ok {
		w.refuseID(info.Run)
		return
	}
	if err := w.Check(info.Terms); err != nil {
		w.Say(fmt.Sprintf("run %s, %s: %v", info.Run, info.Title, err))
		w.refuseID(info.Run)
		return
	}
	request, cancel := context.WithTimeout(ctx, w.client.timing.Request)
	defer cancel()
	consumer, err := w.client.js.Consumer(request, streamPrefix+info.Run, workConsumer)
	if err != nil {
		return // the next announcement is the next chance
	}
	run := &joined{id: info.Run, terms: info.Terms, consumer: consumer, lastSeen: time.Now()}
	run.ctx, run.end = context.WithCancelCause(context.Background())
	w.mu.Lock()
	w.runs[run.id] = run
	w.mu.Unlock()
	w.Say(fmt.Sprintf("run %s, %s: joined", run.id, info.Title))
	w.announce()
}

func (w *worker) refuseID(run string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.refused) >= maxRefused {
		clear(w.refused)
	}
	w.refused[run] = true
}

// refuse leaves a run for good.
func (w *worker) refuse(run *joined, why error) {
	w.refuseID(run.id)
	w.leave(run, why)
}

// leave ends the work for a run. Its engines are closed when no job uses them any more.
func (w *worker) leave(run *joined, why error) {
	w.mu.Lock()
	_, there := w.runs[run.id]
	delete(w.runs, run.id)
	w.mu.Unlock()
	if !there {
		return
	}
	run.end(why)
	w.Say(fmt.Sprintf("run %s: left: %v", run.id, why))
	w.tasks.Go(run.close)
	w.announce()
}

func (w *worker) all() []*joined {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Collect(maps.Values(w.runs))
}

// goneFactor is how many times Timing.Gone a coordinator may be silent. Its work is not lost, and a
// server needs time to start.
const goneFactor = 8

// use returns a context that ends with ctx or with the run, and keeps the engines open until it is
// released. release is nil if the worker has left the run.
func (r *joined) use(ctx context.Context) (_ context.Context, release func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.left {
		return ctx, nil
	}
	r.users.Add(1)
	ctx, cancel := context.WithCancelCause(ctx)
	forget := context.AfterFunc(r.ctx, func() { cancel(context.Cause(r.ctx)) })
	return ctx, func() {
		forget()
		cancel(nil)
		r.users.Done()
	}
}

// open returns what answers the run's units, and opens it the first time.
func (r *joined) open(ctx context.Context, w *worker) (Answerer, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.answerer == nil {
		a, err := w.Handlers[r.terms.Kind](ctx, r.terms, w.Jobs)
		if err != nil {
			return nil, err
		}
		r.answerer = a
	}
	return r.answerer, nil
}

// close closes the engines when no job uses them.
func (r *joined) close() {
	r.mu.Lock()
	r.left = true
	r.mu.Unlock()
	r.users.Wait()
	if r.answerer != nil {
		_ = r.answerer.Close() // it has ended in either case
	}
}

// A delivery is a chunk that a worker has fetched. It is reported as in progress until it is stopped.
type delivery struct {
	chunkMessage
	msg     jetstream.Msg
	run     *joined
	attempt string
	stop    context.CancelFunc
}

// fetch fetches a chunk of some run; nil when ctx is done.
func (w *worker) fetch(ctx context.Context) *delivery {
	for ctx.Err() == nil {
		runs := w.all()
		for _, run := range runs {
			if d := w.fetchFrom(ctx, run, w.client.timing.Here/time.Duration(len(runs))); d != nil {
				return d
			}
		}
		if len(runs) == 0 {
			sleep(ctx, w.client.timing.Here/10)
		}
	}
	return nil
}

// fetchFrom waits for a chunk of a run. It waits to the end even if ctx is done, because a chunk that is
// on its way when a request is given up is lost until AckWait is over.
func (w *worker) fetchFrom(ctx context.Context, run *joined, wait time.Duration) *delivery {
	batch, err := run.consumer.Fetch(1, jetstream.FetchMaxWait(wait))
	if err != nil {
		sleep(ctx, wait)
		return nil
	}
	for msg := range batch.Messages() {
		if d := w.newDelivery(msg, run); d != nil {
			return d
		}
	}
	if batch.Error() != nil {
		sleep(ctx, w.client.timing.Here/10) // the server is away, or the run has ended
	}
	return nil
}

func (w *worker) newDelivery(msg jetstream.Msg, run *joined) *delivery {
	d := &delivery{msg: msg, run: run}
	meta, err := msg.Metadata()
	if err != nil || decode(msg.Data(), &d.chunkMessage) != nil {
		_ = msg.Term() // it is not a chunk
		return nil
	}
	d.attempt = fmt.Sprintf("%s.%d.%d", w.id, meta.Sequence.Stream, meta.NumDelivered)
	ctx, stop := context.WithCancel(run.ctx)
	d.stop = stop
	w.tasks.Go(func() { d.report(ctx, w.client.timing.Progress) })
	return d
}

// report reports that the chunk is in progress.
func (d *delivery) report(ctx context.Context, every time.Duration) {
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			_ = d.msg.InProgress() // otherwise it is delivered again
		case <-ctx.Done():
			return
		}
	}
}

func (d *delivery) ack() { _ = d.msg.Ack() } // otherwise it is delivered again, and nothing of it wanted

// handBack lets another worker have the chunk.
func (d *delivery) handBack() {
	d.stop()
	_ = d.msg.Nak() // otherwise it is delivered again later
}

// meterWindow is the time over which a meter averages, with older events weighing less.
const meterWindow = time.Minute

// A meter measures how often something happens.
type meter struct {
	begun, at time.Time
	events    float64 // up to at, the older ones in part
}

func (m *meter) add(n int) {
	m.events, m.at = m.now()+float64(n), time.Now()
}

// now returns the events as they weigh now.
func (m *meter) now() float64 {
	return m.events * math.Exp(-time.Since(m.at).Seconds()/meterWindow.Seconds())
}

func (m *meter) perSecond() float64 {
	if m.events == 0 {
		return 0
	}
	window := meterWindow.Seconds()
	return m.now() / (window * (1 - math.Exp(-time.Since(m.begun).Seconds()/window)))
}
