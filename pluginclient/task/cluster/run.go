package cluster

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// ErrCancelled is the error of a run that somebody has cancelled.
var ErrCancelled = errors.New("the run was cancelled by 'qhsh cluster cancel'")

// A DeadError is the error of a unit that no worker survived, or has answered as can be.
type DeadError struct {
	Begins int
	Wrong  error // what was wrong with the last answer; nil: there was none
}

func (e *DeadError) Error() string {
	if e.Wrong != nil {
		return fmt.Sprintf("given up: the workers that had it were lost or wrong %d times: %v", e.Begins, e.Wrong)
	}
	return fmt.Sprintf("given up: the workers that had it were lost %d times", e.Begins)
}

// A Run is a run, seen from its coordinator. It is safe for concurrent use.
type Run struct {
	client *Client
	info   RunInfo
	warn   func(string)
	stop   context.CancelFunc
	tasks  sync.WaitGroup // its goroutines
	subs   []*nats.Subscription
	life   context.Context         // done when the run has ended early
	end    context.CancelCauseFunc // of life

	mu         sync.Mutex
	changed    *sync.Cond // there may be a chunk to send
	closed     bool
	pending    []*unit
	chunks     map[int]*chunk // cut and not done
	unsent     []*chunk       // those to send, or to send again
	made       int            // the latest number of a chunk
	unitTime   float64        // seconds, of a unit; 0: not known
	workers    map[string]*seenWorker
	jobs       int       // of those that work for the run
	told       time.Time // when a new worker was last told of the run
	quietUntil time.Time // it does not say before that nobody works for it
	warned     map[string]bool
	wrong      map[string]int // how many answers of workers were, by their names
}

type unit struct {
	data     []byte
	answered chan outcome // receives one outcome
	done     bool
	attempts []attempt // whose answer was wrong
	wrong    error     // why the last of them was
}

type outcome struct {
	data []byte
	by   attempt
	err  error
}

type seenWorker struct {
	WorkerInfo
	at time.Time
}

// publishers is how many chunks are sent at the same time.
const publishers = 4

// Start begins a run. title is for people. Workers that can do it join by themselves, at any time.
// ctx ends the connection's part of the start only. The caller must close the run.
func (c *Client) Start(ctx context.Context, title, host string, terms Terms, warn func(string)) (*Run, error) {
	r := &Run{
		client: c, warn: warn, chunks: map[int]*chunk{},
		info:    RunInfo{Run: newID(), Title: title, Host: host, Started: time.Now().UTC().Truncate(time.Second), Live: true, Terms: terms},
		workers: map[string]*seenWorker{}, warned: map[string]bool{}, wrong: map[string]int{}, quietUntil: time.Now().Add(c.timing.Missing),
	}
	r.changed = sync.NewCond(&r.mu)
	r.life, r.end = context.WithCancelCause(context.WithoutCancel(ctx))
	if err := r.createStream(ctx); err != nil {
		return nil, fmt.Errorf("JetStream: %w", err)
	}
	if err := r.subscribe(); err != nil {
		unsubscribe(r.subs)
		return nil, err
	}
	running, stop := context.WithCancel(context.WithoutCancel(ctx))
	r.stop = stop
	for range publishers {
		r.tasks.Go(func() {
			for c := r.nextChunk(); c != nil; c = r.nextChunk() {
				for !r.sendChunk(running, c) && running.Err() == nil {
					sleep(running, r.client.timing.Request/5)
				}
			}
		})
	}
	r.tasks.Go(func() { r.tend(running) })
	context.AfterFunc(c.open, func() { r.end(context.Cause(c.open)) }) // the connection has ended for good
	r.announce()
	return r, nil
}

func (r *Run) subscribe() (err error) {
	r.subs, err = r.client.subscribe([]subscription{
		{runSubject(r.info.Run, "begin"), answerWith(r.begin)},
		{runSubject(r.info.Run, "answers"), answerWith(r.accept)},
		{runSubject(r.info.Run, "cancel"), answerWith(func(struct{}) struct{} { r.end(ErrCancelled); return struct{}{} })},
		{whoSubject, answerWith(func(struct{}) present {
			info := r.Info()
			return present{Run: &info}
		})},
		{anyWorkerHere, answerWith(func(w WorkerInfo) struct{} { r.see(w); return struct{}{} })},
	})
	for _, s := range r.subs {
		err = errors.Join(err, s.SetPendingLimits(-1, -1)) // workers wait for the replies, which limits them
	}
	return err
}

// Close ends the run and deletes what the server has of it. Do must not be called afterwards.
func (r *Run) Close() error {
	r.mu.Lock()
	r.closed, r.info.Ended = true, true
	r.changed.Broadcast()
	r.mu.Unlock()
	r.stop()
	r.tasks.Wait()
	unsubscribe(r.subs)
	r.announce()
	ctx, cancel := context.WithTimeout(context.Background(), r.client.timing.Request)
	defer cancel()
	err := r.client.js.DeleteStream(ctx, streamPrefix+r.info.Run)
	if errors.Is(err, jetstream.ErrStreamNotFound) {
		err = nil
	}
	if err != nil {
		r.warn(fmt.Sprintf("what the server has of the run could not be deleted: %v: 'qhsh cluster cancel %s' deletes it", err, r.info.Run))
	}
	return nil
}

// Do has a unit answered by a worker. check returns why an answer cannot be right: the unit is answered
// again then. The error is a *DeadError, the cause of ctx's end, or that of the run.
func (r *Run) Do(ctx context.Context, data []byte, check func(answer []byte) error) error {
	u := &unit{data: data, answered: make(chan outcome, 1)}
	r.mu.Lock()
	r.pending = append(r.pending, u)
	r.info.Waiting++
	r.changed.Signal()
	r.mu.Unlock()
	for {
		select {
		case o := <-u.answered:
			if o.err != nil {
				return o.err
			}
			err := check(o.data)
			if err == nil {
				return nil
			}
			u = r.askAgain(u, o.by, err)
		case <-ctx.Done():
			r.mu.Lock()
			r.finish(u, outcome{err: context.Cause(ctx)})
			r.mu.Unlock()
			return context.Cause(ctx)
		case <-r.life.Done():
			return context.Cause(r.life)
		}
	}
}

// maxWrong is how many wrong answers a worker may give: an engine here has a second try, too.
const maxWrong = 2

// askAgain has a unit answered again because an answer was wrong, in a chunk of its own.
func (r *Run) askAgain(u *unit, by attempt, why error) *unit {
	r.mu.Lock()
	r.wrong[by.worker]++
	refused := r.wrong[by.worker] == maxWrong
	r.info.Done--
	r.info.Waiting++
	again := &unit{data: u.data, answered: u.answered, attempts: append(u.attempts, by), wrong: why}
	c := r.newChunk([]*unit{again})
	if c.attempts = slices.Clone(again.attempts); len(c.attempts) < maxBegins {
		r.sendAgain(c)
	} else {
		r.split(c)
	}
	r.mu.Unlock()
	if refused {
		r.warn(fmt.Sprintf("worker %s is not asked any more: %d of its answers were wrong, the last one: %v", by.worker, maxWrong, why))
	}
	return again
}

// refuses reports whether a worker is not asked any more. Others have what it has of a chunk, which may
// be nil. The caller holds mu.
func (r *Run) refuses(worker string, c *chunk) bool {
	if r.wrong[worker] < maxWrong {
		return false
	}
	if c != nil {
		c.attempts = slices.DeleteFunc(c.attempts, func(a attempt) bool { return a.worker == worker })
		if len(c.attempts) == 0 {
			r.sendAgain(c)
		}
	}
	return true
}

// finish gives a unit its outcome, unless it has one. The caller holds mu.
func (r *Run) finish(u *unit, o outcome) (first bool) {
	if u.done {
		return false
	}
	u.done = true
	u.answered <- o
	r.info.Waiting--
	r.info.Done++
	return true
}

// begin is called when a worker wants to begin a chunk.
func (r *Run) begin(q beginRequest) beginReply {
	r.mu.Lock()
	defer r.mu.Unlock()
	c := r.chunks[q.Chunk]
	if r.refuses(q.Worker, c) {
		return beginReply{Refused: true}
	}
	if c == nil {
		return beginReply{}
	}
	c.active = time.Now()
	if r.removeIfDone(c) { // nobody waits for its units any more
		return beginReply{}
	}
	lost := len(c.attempts) // workers
	repeated := slices.ContainsFunc(c.attempts, func(a attempt) bool { return a.id == q.Attempt })
	if repeated {
		lost--
	}
	suspect := c.single || lost >= suspectBegins
	switch {
	case suspect && !q.Alone:
		return beginReply{Suspect: true} // the worker asks again
	case !repeated && len(c.attempts) == maxBegins:
		r.split(c)
		return beginReply{}
	case !repeated:
		c.attempts = append(c.attempts, attempt{q.Attempt, q.Worker})
	}
	return beginReply{Wanted: c.wanted(), Suspect: suspect}
}

// accept is called with answers of a worker.
func (r *Run) accept(q answersRequest) answersReply {
	if q.Problem != "" {
		r.warnOnce(fmt.Sprintf("worker %s: %s", q.Worker, q.Problem))
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	c := r.chunks[q.Chunk]
	if r.refuses(q.Worker, c) {
		return answersReply{Refused: true}
	}
	if n := len(q.Answers); n > 0 {
		r.measure(q.Seconds / float64(n))
	}
	if c != nil {
		c.active = time.Now()
		if q.Returned {
			c.attempts = slices.DeleteFunc(c.attempts, func(a attempt) bool { return a.id == q.Attempt })
		}
		for _, a := range q.Answers {
			if 0 <= a.Unit && a.Unit < len(c.units) {
				r.finish(c.units[a.Unit], outcome{data: a.Data, by: attempt{q.Attempt, q.Worker}})
			}
		}
		r.removeIfDone(c)
	}
	return answersReply{Ended: r.closed}
}

// measure updates the time of a unit. One that takes longer than a chunk is a chunk in either case.
func (r *Run) measure(seconds float64) {
	const weight = 0.3 // of the latest
	seconds = min(max(seconds, 0), r.client.timing.Chunk.Seconds())
	r.unitTime = cmp.Or(r.unitTime, seconds)
	r.unitTime += weight * (seconds - r.unitTime)
}

// see notes that a worker is there.
func (r *Run) see(w WorkerInfo) {
	r.mu.Lock()
	_, known := r.workers[w.Worker]
	tell := !known && !w.Leaving && time.Since(r.told) > r.client.timing.Here/10 // all hear it: others wait for the next time
	if tell {
		r.told = time.Now()
	}
	if w.Leaving {
		delete(r.workers, w.Worker)
	} else {
		r.workers[w.Worker] = &seenWorker{w, time.Now()}
		r.changed.Broadcast() // it may have joined
	}
	r.countJobs()
	r.mu.Unlock()
	if tell {
		r.announce()
	}
}

// announce tells workers that the run is there, or has ended.
func (r *Run) announce() { r.client.send(runSubject(r.info.Run, "here"), r.Info()) }

// Info describes the run.
func (r *Run) Info() RunInfo {
	r.mu.Lock()
	defer r.mu.Unlock()
	info := r.info
	info.Chunks = len(r.chunks)
	return info
}

// Workers returns the workers that work for the run.
func (r *Run) Workers() (all []WorkerInfo) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, w := range r.workers {
		if w.worksFor(r.info.Run) {
			all = append(all, w.WorkerInfo)
		}
	}
	return all
}

// countJobs counts the jobs of the workers. The caller holds mu.
func (r *Run) countJobs() {
	r.jobs = 0
	for _, w := range r.workers {
		if w.worksFor(r.info.Run) {
			r.jobs += w.Jobs
		}
	}
	if r.jobs > 0 {
		r.quietUntil = time.Now().Add(r.client.timing.Missing)
	}
}

// maxWarnings is how many different things a run warns of. Workers may invent more.
const maxWarnings = 100

func (r *Run) warnOnce(text string) {
	r.mu.Lock()
	warn := !r.warned[text] && len(r.warned) < maxWarnings
	if warn {
		r.warned[text] = true
	}
	r.mu.Unlock()
	if warn {
		r.warn(text)
	}
}
