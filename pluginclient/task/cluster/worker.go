package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"golang.org/x/sync/semaphore"
)

// An Answerer answers the units of a run. It is used by as many goroutines as the worker has jobs.
type Answerer interface {
	// Answer returns the answer of a unit. An error means that this worker cannot answer the run's
	// units, or is the cause of ctx's end.
	Answer(ctx context.Context, unit []byte) ([]byte, error)
	Close() error
}

// A Handler opens what answers the units of a run.
type Handler func(ctx context.Context, t Terms, jobs int) (Answerer, error)

// WorkerOptions configure a worker.
type WorkerOptions struct {
	Host, Build string
	Jobs        int // chunks answered at the same time
	Engines     []Engine
	Handlers    map[string]Handler // by the kind of units
	// Check returns why this worker cannot work for a run.
	Check func(Terms) error
	// Describe starts an engine and describes it; request and answer belong to package job.
	Describe func(ctx context.Context, request json.RawMessage) (json.RawMessage, error)
	Say      func(text string) // told what a person may want to know
}

// A worker works for all runs that it can.
type worker struct {
	WorkerOptions
	client *Client
	id     string
	tasks  sync.WaitGroup

	room       *semaphore.Weighted // for the jobs that have a chunk, or for one alone
	describing *semaphore.Weighted // for the descriptions that are being made

	mu      sync.Mutex
	runs    map[string]*joined
	refused map[string]bool // runs that this worker cannot do
	busy    int
	done    int
	rate    meter
	leaving bool
}

// Work works for the runs of the cluster until ctx is done, or the connection has ended for good.
func (c *Client) Work(ctx context.Context, o WorkerOptions) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	defer context.AfterFunc(c.open, stop)()
	w := &worker{
		WorkerOptions: o, client: c, id: newID(), room: semaphore.NewWeighted(int64(o.Jobs)), describing: semaphore.NewWeighted(maxDescribing),
		runs: map[string]*joined{}, refused: map[string]bool{}, rate: meter{begun: time.Now()},
	}
	subs, err := c.subscribe([]subscription{
		{anyRunHere, answerWith(func(info RunInfo) struct{} { w.see(ctx, info); return struct{}{} })},
		{workerSubject(w.id, "describe"), func(m *nats.Msg) { w.describe(ctx, m) }},
		// Last, because who knows of the worker may ask it for a description.
		{whoSubject, answerWith(func(struct{}) present {
			info := w.info()
			return present{Worker: &info}
		})},
	})
	defer unsubscribe(subs)
	if err != nil {
		return err
	}
	w.announce()
	var jobs sync.WaitGroup
	for range o.Jobs {
		jobs.Go(func() { w.job(ctx) })
	}
	w.tend(ctx)
	jobs.Wait()
	for _, run := range w.all() {
		w.leave(run, errors.New("the worker stops"))
	}
	w.tasks.Wait()
	w.announce()
	_ = c.conn.FlushTimeout(c.timing.Request) // fails if the server is away: a worker may stop then, too
	return context.Cause(c.open)
}

// tend announces the worker and leaves runs whose coordinator is gone, until ctx is done.
func (w *worker) tend(ctx context.Context) {
	tick := time.NewTicker(w.client.timing.Here)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			w.announce()
			for _, run := range w.all() {
				run.mu.Lock()
				silent := time.Since(run.lastSeen)
				run.mu.Unlock()
				if silent > goneFactor*w.client.timing.Gone {
					w.leave(run, errors.New("its coordinator is gone"))
				}
			}
		case <-ctx.Done():
			w.mu.Lock()
			w.leaving = true
			w.mu.Unlock()
			return
		}
	}
}

func (w *worker) announce() { w.client.send(workerSubject(w.id, "here"), w.info()) }

func (w *worker) info() WorkerInfo {
	w.mu.Lock()
	defer w.mu.Unlock()
	return WorkerInfo{
		Worker: w.id, Host: w.Host, Build: w.Build, Jobs: w.Jobs, Busy: w.busy, Engines: w.Engines,
		Runs: slices.Sorted(maps.Keys(w.runs)), Done: w.done, Rate: w.rate.perSecond(), Leaving: w.leaving,
	}
}

// see notes that a run is there: it joins or leaves it.
func (w *worker) see(ctx context.Context, info RunInfo) {
	w.mu.Lock()
	run, refused := w.runs[info.Run], w.refused[info.Run]
	w.mu.Unlock()
	switch {
	case info.Ended && run != nil:
		w.leave(run, errRunEnded)
	case info.Ended, refused, ctx.Err() != nil:
	case run != nil:
		run.mu.Lock()
		run.lastSeen = time.Now()
		run.mu.Unlock()
	default:
		w.join(ctx, info)
	}
}

// maxDescribing is how many engines are started at the same time to be described. Further requests
// wait.
const maxDescribing = 4

// describe answers a request for the description of an engine, in the background.
func (w *worker) describe(ctx context.Context, m *nats.Msg) {
	if w.describing.Acquire(ctx, 1) != nil { // ctx is done
		return
	}
	w.tasks.Go(func() {
		defer w.describing.Release(1)
		var d description
		answer, err := w.Describe(ctx, m.Data)
		if d.Answer = answer; err != nil {
			d.Error = err.Error()
		}
		reply(m, d)
	})
}

// A description is the reply to a request for one.
type description struct {
	Answer json.RawMessage `json:"answer,omitempty"`
	Error  string          `json:"error,omitempty"`
}

// job answers one chunk after another. While it works, the next one is fetched.
func (w *worker) job(ctx context.Context) {
	next := make(chan *delivery, 1)
	fetch := func() { go func() { next <- w.fetch(ctx) }() }
	fetch()
	for {
		d := <-next
		if d == nil { // ctx is done
			return
		}
		if ctx.Err() != nil {
			d.handBack()
			return
		}
		fetch()
		w.count(1)
		w.work(ctx, d)
		w.count(-1)
	}
}

func (w *worker) count(busy int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.busy += busy
}

// work answers a chunk.
func (w *worker) work(ctx context.Context, d *delivery) {
	defer d.stop()
	ctx, release := d.run.use(ctx)
	if release == nil {
		d.handBack()
		return
	}
	defer release()
	begun, jobs, err := w.begin(ctx, d)
	if err != nil {
		d.handBack()
		return
	}
	defer w.room.Release(jobs)
	if begun.Refused {
		w.refuse(d.run, errWrong)
		d.handBack()
		return
	}
	if len(begun.Wanted) == 0 {
		d.ack()
		return
	}
	answers := &answering{worker: w, delivery: d, atOnce: begun.Suspect}
	err = w.answer(ctx, d, begun.Wanted, answers)
	if err == nil {
		if err = answers.send(ctx); err == nil {
			d.ack()
			return
		}
	}
	if errors.Is(err, errRunEnded) {
		return
	}
	switch {
	case errors.Is(err, errWrong):
		w.refuse(d.run, err)
	case ctx.Err() == nil:
		answers.problem = err.Error()
		w.Say(fmt.Sprintf("run %s: %v", d.run.id, err))
		w.refuse(d.run, errRefused)
	}
	answers.handBack(ctx)
	d.handBack()
}

// answer answers the wanted units of a chunk.
func (w *worker) answer(ctx context.Context, d *delivery, wanted []int, answers *answering) error {
	answerer, err := d.run.open(ctx, w)
	if err != nil {
		return err
	}
	answers.begun = time.Now()
	for _, i := range wanted {
		if i < 0 || i >= len(d.Units) {
			continue
		}
		data, err := answerer.Answer(ctx, d.Units[i])
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err != nil {
			return err
		}
		if err := answers.add(ctx, answer{i, data}); err != nil {
			return err
		}
	}
	return nil
}

// begin asks the coordinator to begin a chunk, a suspect one when no other job has work. The chunk has
// the room of so many jobs, which is to be released when it is done.
func (w *worker) begin(ctx context.Context, d *delivery) (r beginReply, jobs int64, err error) {
	all := int64(w.Jobs)
	for jobs = 1; ; jobs = all {
		if err := w.room.Acquire(ctx, jobs); err != nil {
			return r, 0, err
		}
		r = beginReply{}
		err = w.insist(ctx, runSubject(d.run.id, "begin"), beginRequest{d.Chunk, d.attempt, w.name(), jobs == all}, &r)
		if err == nil && (!r.Suspect || jobs == all) {
			return r, jobs, nil
		}
		w.room.Release(jobs)
		if err != nil {
			return r, 0, err
		}
	}
}

func (w *worker) name() string { return WorkerInfo{Host: w.Host, Worker: w.id}.name() }

// insist sends a request until there is a reply, or ctx is done.
func (w *worker) insist(ctx context.Context, subject string, message, answer any) error {
	for {
		err := w.client.request(ctx, subject, message, answer)
		if err == nil {
			return nil
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if errors.Is(err, nats.ErrConnectionClosed) {
			return err
		}
		sleep(ctx, w.client.timing.Request/10)
	}
}

// answering are the answers of a chunk that are not accepted yet.
type answering struct {
	worker   *worker
	delivery *delivery
	answers  []answer
	bytes    int
	begun    time.Time // when the first of them was begun
	atOnce   bool      // they are sent before the next unit is begun
	problem  string
}

// add adds an answer, and sends those that are there when they are many or old.
func (a *answering) add(ctx context.Context, one answer) error {
	a.answers = append(a.answers, one)
	a.bytes += len(one.Data)
	if !a.atOnce && a.bytes < maxBytes && time.Since(a.begun) < a.worker.client.timing.Progress {
		return nil
	}
	return a.send(ctx)
}

// send sends the answers until they are accepted.
func (a *answering) send(ctx context.Context) error {
	if len(a.answers) == 0 {
		return nil
	}
	var r answersReply
	if err := a.worker.insist(ctx, runSubject(a.delivery.run.id, "answers"), a.request(), &r); err != nil {
		return err
	}
	w := a.worker
	w.mu.Lock()
	w.done += len(a.answers)
	w.rate.add(len(a.answers))
	w.mu.Unlock()
	a.answers, a.bytes, a.begun = nil, 0, time.Now()
	switch {
	case r.Refused:
		return errWrong
	case r.Ended:
		return errRunEnded
	}
	return nil
}

func (a *answering) request() answersRequest {
	return answersRequest{
		Chunk: a.delivery.Chunk, Attempt: a.delivery.attempt, Worker: a.worker.name(),
		Answers: a.answers, Seconds: time.Since(a.begun).Seconds(), Problem: a.problem,
	}
}

// handBack sends the answers that are there and says that the others will not come. ctx may be done.
func (a *answering) handBack(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), a.worker.client.timing.Request)
	defer cancel()
	q := a.request()
	q.Returned = true
	_ = a.worker.insist(ctx, runSubject(a.delivery.run.id, "answers"), q, new(answersReply)) // otherwise it counts as an attempt
}
