package cluster_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/nats-io/nats-server/v2/server"

	"qhsh/engine/enginetest"
	"qhsh/pluginclient/task/cluster"
)

// double is what test workers do.
func double(_ context.Context, unit []byte) ([]byte, error) { return append(unit, unit...), nil }

// slowly is double, after some time.
func slowly(d time.Duration) answerFunc {
	return func(ctx context.Context, unit []byte) ([]byte, error) {
		select {
		case <-time.After(d):
			return double(ctx, unit)
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}

// startRun starts a run and closes it at the end of the test.
func startRun(t testing.TB, c *cluster.Client, warn func(string)) *cluster.Run {
	t.Helper()
	r, err := c.Start(t.Context(), "test run", "here", cluster.Terms{Kind: "test"}, warn)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return r
}

func ignore(string) {}

func await(t testing.TB, done func() bool) {
	t.Helper()
	if !enginetest.Await(done) {
		t.Fatal("it does not happen")
	}
}

// do has a unit answered, which has to be doubled.
func do(ctx context.Context, r *cluster.Run, unit []byte) (answer []byte, err error) {
	err = r.Do(ctx, unit, func(data []byte) error {
		if answer = data; string(data) != string(unit)+string(unit) {
			return fmt.Errorf("%q is not %s doubled", data, unit)
		}
		return nil
	})
	return answer, err
}

// doAll has the units 0 to n-1 answered and returns the answers, or the errors as text.
func doAll(t *testing.T, r *cluster.Run, n int) []string {
	t.Helper()
	got := make([]string, n)
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() {
			data, err := do(t.Context(), r, fmt.Appendf(nil, "<%d>", i))
			if got[i] = string(data); err != nil {
				got[i] = err.Error()
			}
		})
	}
	all.Wait()
	return got
}

func doubled(n int) []string {
	want := make([]string, n)
	for i := range want {
		want[i] = fmt.Sprintf("<%d><%d>", i, i)
	}
	return want
}

func TestDo(t *testing.T) {
	t.Parallel()
	s := startServer(t)
	c := connect(t, s.url(), testTiming)
	r := startRun(t, c, ignore)
	startWorker(t, s, 2, testTiming, double)
	startWorker(t, s, 2, testTiming, double)
	if diff := cmp.Diff(doubled(2000), doAll(t, r, 2000)); diff != "" {
		t.Error(diff)
	}
	r.Close()
	await(t, func() bool {
		status, err := c.Status(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return len(status.Runs) == 0 && len(status.Workers) == 2
	})
}

// TestFaults runs while workers vanish, the server is restarted with and without its store, and the
// coordinator's connection is slow, stalled, cut and parted. Every unit has its answer.
func TestFaults(t *testing.T) {
	t.Parallel()
	s := startServer(t)
	p := startProxy(t, s)
	c := connect(t, p.url(), hastyTiming)
	r := startRun(t, c, ignore)
	var workers []*testWorker
	for range 4 {
		workers = append(workers, startWorker(t, s, 2, hastyTiming, slowly(5*time.Millisecond)))
	}
	const n = 2000
	answers := make(chan []string, 1)
	go func() { answers <- doAll(t, r, n) }()
	for _, fault := range []func(){
		func() { p.slow(20 * time.Millisecond) },
		func() { p.slow(0); defer p.stall()(); time.Sleep(300 * time.Millisecond) },
		p.cut,
		func() { defer p.part()(); time.Sleep(300 * time.Millisecond) },
		func() { s.stop(); s.start() },
		func() { s.stop(); os.RemoveAll(s.options.StoreDir); s.start() },
	} {
		i := rand.IntN(len(workers))
		workers[i].kill()
		workers[i] = startWorker(t, s, 2, hastyTiming, slowly(5*time.Millisecond))
		time.Sleep(100 * time.Millisecond)
		fault()
	}
	if diff := cmp.Diff(doubled(n), <-answers); diff != "" {
		t.Error(diff)
	}
}

// startMortal starts a worker that dies some time after it has begun a unit, and is replaced then.
func startMortal(t *testing.T, s *testServer, jobs int, timing cluster.Timing, poison string, after time.Duration, answer answerFunc) {
	t.Helper()
	var mu sync.Mutex
	var start func()
	start = func() {
		mu.Lock()
		defer mu.Unlock()
		if t.Context().Err() != nil {
			return
		}
		var w *testWorker
		begun := make(chan struct{})
		w = startWorker(t, s, jobs, timing, func(ctx context.Context, unit []byte) ([]byte, error) {
			<-begun
			if string(unit) != poison {
				return answer(ctx, unit)
			}
			time.Sleep(after)
			w.kill()
			go start()
			<-ctx.Done()
			return nil, context.Cause(ctx)
		})
		close(begun)
	}
	start()
}

// wantDead tests whether one unit is in the list of dead units.
func wantDead(t *testing.T, c *cluster.Client, unit string) {
	t.Helper()
	status, err := c.Status(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(status.Dead) != 1 || status.Dead[0].Unit != unit || len(status.Dead[0].Workers) != 5 {
		t.Errorf("dead units: %+v, want %s", status.Dead, unit)
	}
}

// TestPoison: a unit that kills its worker costs one error, and is in the list of dead units.
func TestPoison(t *testing.T) {
	t.Parallel()
	timing := testTiming
	timing.AckWait, timing.Progress, timing.Chunk = 300*time.Millisecond, 60*time.Millisecond, 10*time.Second
	s := startServer(t)
	c := connect(t, s.url(), timing)
	r := startRun(t, c, ignore)
	startMortal(t, s, 1, timing, "<7>", 0, double)
	want := doubled(50)
	want[7] = (&cluster.DeadError{Begins: 5}).Error()
	if diff := cmp.Diff(want, doAll(t, r, 50)); diff != "" {
		t.Error(diff)
	}
	r.Close()
	wantDead(t, c, "<7>")
}

// TestInnocents: the other jobs of a worker have long units whenever one of them kills it. These are
// not given up.
func TestInnocents(t *testing.T) {
	t.Parallel()
	timing := testTiming
	timing.AckWait = time.Second
	s := startServer(t)
	c := connect(t, s.url(), timing)
	r := startRun(t, c, ignore)
	startMortal(t, s, 4, timing, "<0>", 100*time.Millisecond, slowly(time.Second))
	await(t, func() bool { return len(r.Workers()) > 0 }) // so that each unit is a chunk
	want := doubled(4)
	want[0] = (&cluster.DeadError{Begins: 5}).Error()
	if diff := cmp.Diff(want, doAll(t, r, 4)); diff != "" {
		t.Error(diff)
	}
	r.Close()
	wantDead(t, c, "<0>")
}

// TestClosedRun: when a run is closed early, workers drop what they have of it.
func TestClosedRun(t *testing.T) {
	t.Parallel()
	s := startServer(t)
	c := connect(t, s.url(), testTiming)
	r := startRun(t, c, ignore)
	working := make(chan struct{}, 100)
	startWorker(t, s, 2, testTiming, func(ctx context.Context, unit []byte) ([]byte, error) {
		working <- struct{}{}
		return slowly(time.Hour)(ctx, unit)
	})
	ctx, cancel := context.WithCancel(t.Context())
	for range 20 {
		go do(ctx, r, []byte("x"))
	}
	<-working
	cancel()
	r.Close()
	waitForIdle(t, c)
}

// waitForIdle waits until no worker works for a run, and there is none.
func waitForIdle(t *testing.T, c *cluster.Client) {
	t.Helper()
	await(t, func() bool {
		status, err := c.Status(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return len(status.Runs) == 0 && !slices.ContainsFunc(status.Workers, func(w cluster.WorkerInfo) bool { return w.Busy > 0 || len(w.Runs) > 0 })
	})
}

// TestPartition cuts off first a worker, whose chunks another does meanwhile, and then the
// coordinator, whose run the workers leave. Both are back afterwards.
func TestPartition(t *testing.T) {
	t.Parallel()
	s := startServer(t)
	p := startProxy(t, s)
	r := startRun(t, connect(t, p.url(), hastyTiming), ignore)
	var mu sync.Mutex
	answered := map[string]int{}
	count := func(name string) answerFunc {
		return func(ctx context.Context, unit []byte) ([]byte, error) {
			mu.Lock()
			answered[name]++
			mu.Unlock()
			return slowly(5*time.Millisecond)(ctx, unit)
		}
	}
	worked := func(name string) bool {
		mu.Lock()
		defer mu.Unlock()
		return answered[name] > 0
	}
	lost := startWorker(t, s, 2, hastyTiming, count("lost"))
	startWorker(t, s, 2, hastyTiming, count("kept"))
	perform := func() {
		t.Helper()
		if diff := cmp.Diff(doubled(300), doAll(t, r, 300)); diff != "" {
			t.Error(diff)
		}
	}
	waitFor := func(workers int) {
		await(t, func() bool { return len(r.Workers()) == workers })
	}
	waitFor(2)
	answers := make(chan struct{})
	go func() {
		defer close(answers)
		perform()
	}()
	await(t, func() bool { return worked("lost") })
	join := lost.part()
	<-answers // without it
	waitFor(1)
	join()
	waitFor(2)
	mu.Lock()
	clear(answered)
	mu.Unlock()
	await(t, func() bool { // it has work again
		perform()
		return worked("lost")
	})
	c := connect(t, s.url(), testTiming)
	join = p.part()
	go func() {
		enginetest.Await(func() bool { // the workers have left
			workers, _ := c.Workers(t.Context())
			return len(workers) == 2 && !slices.ContainsFunc(workers, func(w cluster.WorkerInfo) bool { return len(w.Runs) > 0 })
		})
		join()
	}()
	perform()
}

// TestStoppedWorker: a worker that is told to stop hands back its chunks at once, with the answers
// that it has: the test would not end before AckWait.
func TestStoppedWorker(t *testing.T) {
	t.Parallel()
	timing := testTiming
	timing.AckWait, timing.Check = time.Hour, time.Hour
	s := startServer(t)
	r := startRun(t, connect(t, s.url(), timing), ignore)
	working := make(chan struct{}, 1000)
	w := startWorker(t, s, 2, timing, func(ctx context.Context, unit []byte) ([]byte, error) {
		working <- struct{}{}
		if string(unit) == "<1>" {
			return double(ctx, unit)
		}
		<-ctx.Done()
		return nil, context.Cause(ctx)
	})
	answers := make(chan []string, 1)
	go func() { answers <- doAll(t, r, 20) }()
	<-working
	w.cancel()
	if err := <-w.ended; err != nil {
		t.Error(err)
	}
	w.ended <- nil
	startWorker(t, s, 2, timing, double)
	if diff := cmp.Diff(doubled(20), <-answers); diff != "" {
		t.Error(diff)
	}
}

// TestStoppedWithoutServer: a worker can be stopped while the server is away.
func TestStoppedWithoutServer(t *testing.T) {
	t.Parallel()
	s := startServer(t)
	r := startRun(t, connect(t, s.url(), hastyTiming), ignore)
	w := startWorker(t, s, 1, hastyTiming, double)
	doAll(t, r, 1)
	s.stop()
	w.cancel()
	if err := <-w.ended; err != nil {
		t.Error(err)
	}
	w.ended <- nil
	s.start() // the run is deleted there
}

// TestFullStore: a store that is full delays a run and is told of.
func TestFullStore(t *testing.T) {
	t.Parallel()
	s := startServer(t, func(o *server.Options) { o.JetStreamMaxStore = 20 << 10 })
	var mu sync.Mutex
	var told []string
	r := startRun(t, connect(t, s.url(), hastyTiming), func(text string) {
		mu.Lock()
		defer mu.Unlock()
		told = append(told, text)
	})
	startWorker(t, s, 2, testTiming, slowly(time.Millisecond))
	unit := []byte(strings.Repeat("x", 6<<10))
	var all sync.WaitGroup
	for range 40 {
		all.Go(func() {
			if data, err := do(t.Context(), r, unit); err != nil || len(data) != 2*len(unit) {
				t.Errorf("%d bytes, %v", len(data), err)
			}
		})
	}
	all.Wait()
	mu.Lock()
	defer mu.Unlock()
	if !slices.ContainsFunc(told, func(text string) bool { return strings.Contains(text, "the server does not take work") }) {
		t.Errorf("warnings: %q", told)
	}
}

// TestUselessWorker: a worker whose engine fails leaves the run, and the others do its work.
func TestUselessWorker(t *testing.T) {
	t.Parallel()
	s := startServer(t)
	warned := make(chan string, 100)
	r := startRun(t, connect(t, s.url(), testTiming), func(text string) { warned <- text })
	startWorker(t, s, 2, testTiming, func(context.Context, []byte) ([]byte, error) { return nil, errors.New("no engine") })
	answers := make(chan []string, 1)
	go func() { answers <- doAll(t, r, 20) }()
	if text := <-warned; !strings.Contains(text, "no engine") {
		t.Error(text)
	}
	startWorker(t, s, 2, testTiming, double)
	if diff := cmp.Diff(doubled(20), <-answers); diff != "" {
		t.Error(diff)
	}
}

// TestWrongUnit: a unit at which five workers were wrong has an error for an answer.
func TestWrongUnit(t *testing.T) {
	t.Parallel()
	s := startServer(t)
	r := startRun(t, connect(t, s.url(), testTiming), ignore)
	for range 3 {
		startWorker(t, s, 1, testTiming, func(ctx context.Context, unit []byte) ([]byte, error) {
			if string(unit) == "<7>" {
				return unit, nil
			}
			return double(ctx, unit)
		})
	}
	want := doubled(20)
	want[7] = (&cluster.DeadError{Begins: 5, Wrong: errors.New(`"<7>" is not <7> doubled`)}).Error()
	if diff := cmp.Diff(want, doAll(t, r, 20)); diff != "" {
		t.Error(diff)
	}
}

// TestMissing: a run that waits for workers says what they lack, and says it again.
func TestMissing(t *testing.T) {
	t.Parallel()
	timing := testTiming
	timing.Missing, timing.MissingAgain = time.Millisecond, time.Millisecond
	s := startServer(t)
	c := connect(t, s.url(), timing)
	startRun(t, c, ignore) // without one a server removes the folder of runs, in which it may be creating the next
	for _, test := range []struct {
		engine cluster.Engine
		want   string
	}{
		{cluster.Engine{Spec: "builtin"}, "has build test"},
		{cluster.Engine{Name: "slow"}, "has no engine named slow"},
		{cluster.Engine{Name: "fast"}, "has another SPEC or other files for fast"},
		{cluster.Engine{Name: "fast", Spec: "one"}, "does not join: it says why"},
	} {
		said := make(chan string)
		r, err := c.Start(t.Context(), "", "", cluster.Terms{Build: "other", Engines: []cluster.Engine{test.engine}}, func(text string) {
			select {
			case said <- text:
			case <-t.Context().Done():
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		go do(ctx, r, []byte("x"))
		if s.engines == 0 {
			const none = "waiting for workers: none answers: start some with 'qhsh work' and the same -cluster"
			if first, second := <-said, <-said; first != none || second != none {
				t.Errorf("%s, then %s", first, second)
			}
			s.engines++
			startWorkerWith(t, s.url(), timing, cluster.WorkerOptions{Host: "one", Build: "test", Jobs: 1, Engines: []cluster.Engine{{Name: "fast", Spec: "one"}}})
		}
		await(t, func() bool { return strings.HasSuffix(<-said, test.want) })
		cancel()
		go func() {
			for range said { // until it is closed
			}
		}()
		r.Close()
		close(said)
	}
}

// TestManyRuns: a worker works for sixteen runs, and another waits and says so.
func TestManyRuns(t *testing.T) {
	t.Parallel()
	timing := testTiming
	timing.Missing, timing.MissingAgain = time.Millisecond, time.Millisecond
	s := startServer(t)
	c := connect(t, s.url(), timing)
	for range 16 {
		startRun(t, c, ignore)
	}
	startWorker(t, s, 1, timing, double)
	await(t, func() bool {
		workers, err := c.Workers(t.Context())
		return err == nil && len(workers) == 1 && len(workers[0].Runs) == 16
	})
	said := make(chan string, 1)
	r := startRun(t, c, func(text string) {
		select {
		case said <- text:
		default:
		}
	})
	go do(t.Context(), r, []byte("x"))
	await(t, func() bool { return strings.HasSuffix(<-said, "works for 16 other runs") })
}

func TestCancel(t *testing.T) {
	t.Parallel()
	s := startServer(t)
	c := connect(t, s.url(), testTiming)
	r := startRun(t, c, ignore)
	answered := make(chan error, 1)
	go func() {
		_, err := do(t.Context(), r, []byte("x"))
		answered <- err
	}()
	if err := connect(t, s.url(), testTiming).Cancel(t.Context(), r.Info().Run); err != nil {
		t.Fatal(err)
	}
	if err := <-answered; !errors.Is(err, cluster.ErrCancelled) {
		t.Error(err)
	}
	r.Close()
	if err := c.Cancel(t.Context(), r.Info().Run); !errors.Is(err, cluster.ErrNoRun) {
		t.Error(err)
	}
}

// TestAbandonedRun: what a killed coordinator has left is listed and can be deleted.
func TestAbandonedRun(t *testing.T) {
	t.Parallel()
	s := startServer(t)
	p := startProxy(t, s)
	r := startRun(t, connect(t, p.url(), testTiming), ignore)
	defer p.part()() // the run is closed afterwards
	await(t, func() bool { return s.NumClients() == 0 })
	c := connect(t, s.url(), testTiming)
	status, err := c.Status(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(status.Runs) != 1 || status.Runs[0].Live || status.Runs[0].Title != "test run" || status.Runs[0].Run != r.Info().Run {
		t.Fatalf("runs: %+v", status.Runs)
	}
	if err := c.Cancel(t.Context(), r.Info().Run); err != nil {
		t.Fatal(err)
	}
	if status, err = c.Status(t.Context()); err != nil || len(status.Runs) != 0 {
		t.Errorf("runs: %+v, %v", status.Runs, err)
	}
}

func TestServerWithoutJetStream(t *testing.T) {
	t.Parallel()
	s := startServer(t)
	s.stop()
	s.options.JetStream = false
	s.start()
	_, err := cluster.Connect(t.Context(), s.url(), "", cluster.Options{})
	if err == nil || !strings.HasSuffix(err.Error(), "the server has no JetStream: start it with -js") {
		t.Error(err)
	}
}
