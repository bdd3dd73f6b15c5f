package cluster_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/nats-io/nats.go"

	"qhsh/pluginclient/task/cluster"
)

// A peer has access to the server and sends what it likes.
type peer struct {
	t *testing.T
	*nats.Conn
}

func newPeer(t *testing.T, s *testServer) peer {
	t.Helper()
	conn, err := nats.Connect(s.url(), nats.Timeout(time.Minute))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(conn.Close)
	return peer{t, conn}
}

// send publishes a message, or replies to one.
func (p peer) send(subject string, message any) {
	p.t.Helper()
	data, err := json.Marshal(message)
	if err == nil {
		err = p.Publish(subject, data)
	}
	if err == nil {
		err = p.FlushTimeout(time.Minute)
	}
	if err != nil {
		p.t.Fatal(err)
	}
}

const (
	peerID = "00000000aa"
	forged = "x\n0123456789  here  \x1b[31m\t\u202e"
)

// TestForgedNotices: no number that a peer says of itself stops a run.
func TestForgedNotices(t *testing.T) {
	t.Parallel()
	s := startServer(t)
	r := startRun(t, connect(t, s.url(), testTiming), ignore)
	startWorker(t, s, 2, testTiming, double)
	await(t, func() bool { return len(r.Workers()) == 1 })
	p := newPeer(t, s)
	run := r.Info().Run
	for _, w := range []cluster.WorkerInfo{
		{Worker: peerID, Jobs: 1 << 62, Runs: []string{run}},
		{Worker: peerID, Jobs: 1, Busy: -1, Runs: []string{run}},
		{Worker: peerID, Jobs: 1, Done: -1, Runs: []string{run}},
		{Worker: peerID, Jobs: 1, Rate: -1, Runs: []string{run}},
		{Worker: "*", Jobs: 1, Runs: []string{run}},
		{Worker: strings.Repeat("a", 1000), Jobs: 1, Runs: []string{run}},
		{Worker: peerID, Jobs: -100_000, Runs: []string{run}},
	} {
		p.send("qhsh.worker.x.here", w)
	}
	for _, info := range []cluster.RunInfo{{Run: ">"}, {Run: "DEAD"}, {Run: peerID, Waiting: -1}} {
		p.send("qhsh.run.x.here", info)
	}
	for _, seconds := range []float64{-1e300, 1e300, 0} {
		p.send("qhsh.run."+run+".answers", map[string]any{"chunk": -1, "seconds": seconds, "answers": []map[string]any{{"unit": -1}, {"unit": 1 << 40}}})
	}
	if diff := cmp.Diff(doubled(100), doAll(t, r, 100)); diff != "" {
		t.Error(diff)
	}
	if all := r.Workers(); len(all) != 1 || all[0].Worker == peerID {
		t.Errorf("workers: %+v", all)
	}
}

// TestWrongAnswers: a peer answers all that it gets with garbage, and says that it is done, although it is
// named and told that it is not asked any more. Another worker does the work: what the peer says
// is done would else be sent again soon.
func TestWrongAnswers(t *testing.T) {
	t.Parallel()
	s := startServer(t)
	warned := make(chan string, 100)
	r := startRun(t, connect(t, s.url(), testTiming), func(text string) { warned <- text })
	answers := make(chan []string, 1)
	go func() { answers <- doAll(t, r, 300) }()
	go newPeer(t, s).answer(r.Info().Run)
	if text := <-warned; !strings.Contains(text, `worker bad is not asked any more: 2 of its answers were wrong, the last one: "garbage" is not <`) {
		t.Error(text)
	}
	startWorker(t, s, 2, testTiming, double)
	if diff := cmp.Diff(doubled(300), <-answers); diff != "" {
		t.Error(diff)
	}
}

// answer answers the chunks of a run with garbage until it has ended.
func (p peer) answer(run string) {
	js, err := p.JetStream(nats.MaxWait(time.Minute))
	if err != nil {
		return
	}
	sub, err := js.PullSubscribe("", "work", nats.Bind("QHSH_"+run, "work"))
	for attempt := 0; err == nil; attempt++ {
		var all []*nats.Msg
		if all, err = sub.Fetch(1, nats.Context(p.t.Context())); err != nil {
			return
		}
		var chunk struct {
			Chunk int      `json:"chunk"`
			Units [][]byte `json:"units"`
		}
		if err = json.Unmarshal(all[0].Data, &chunk); err != nil {
			return
		}
		request := map[string]any{"chunk": chunk.Chunk, "attempt": fmt.Sprint(attempt), "worker": "bad", "alone": true}
		p.ask("qhsh.run."+run+".begin", request)
		var garbage []map[string]any
		for i := range chunk.Units {
			garbage = append(garbage, map[string]any{"unit": i, "data": []byte("garbage")})
		}
		request["answers"] = garbage
		p.ask("qhsh.run."+run+".answers", request)
		err = all[0].Ack()
	}
}

// ask sends a request and waits for a reply.
func (p peer) ask(subject string, message any) {
	if data, err := json.Marshal(message); err == nil {
		ctx, cancel := context.WithTimeout(p.t.Context(), 10*time.Second) // a reply may be lost
		defer cancel()
		_, _ = p.RequestWithContext(ctx, subject, data) // fails when the run has ended
	}
}

// TestDescriptions: however many ask for one, few engines are started at the same time, and none when the
// worker stops.
func TestDescriptions(t *testing.T) {
	t.Parallel()
	s := startServer(t)
	var started atomic.Int32
	w := startWorkerWith(t, s.url(), testTiming, cluster.WorkerOptions{Jobs: 1, Describe: func(ctx context.Context, _ json.RawMessage) (json.RawMessage, error) {
		started.Add(1)
		<-ctx.Done()
		return nil, context.Cause(ctx)
	}})
	c, p := connect(t, s.url(), testTiming), newPeer(t, s)
	var all []cluster.WorkerInfo
	await(t, func() (found bool) {
		all, _ = c.Workers(t.Context())
		return len(all) == 1
	})
	for range 200 {
		p.send("qhsh.worker."+all[0].Worker+".describe", nil)
	}
	await(t, func() bool { return started.Load() >= 4 })
	w.cancel()
	if err := <-w.ended; err != nil {
		t.Error(err)
	}
	w.ended <- nil
	if n := started.Load(); n != 4 {
		t.Errorf("%d engines are started", n)
	}
}

// TestForgedStatus: what a peer says of itself is in its own row, escaped; what cannot be true is not
// there.
func TestForgedStatus(t *testing.T) {
	t.Parallel()
	s := startServer(t)
	c := connect(t, s.url(), testTiming)
	p := newPeer(t, s)
	if _, err := p.Subscribe("qhsh.who", func(m *nats.Msg) {
		for _, reply := range []map[string]any{
			{"worker": cluster.WorkerInfo{Worker: peerID, Host: forged, Build: forged, Jobs: 1, Engines: []cluster.Engine{{Name: forged}}, Runs: []string{forged}}},
			{"run": cluster.RunInfo{Run: peerID, Title: forged, Host: forged, Live: true, Terms: cluster.Terms{Build: forged}}},
			{"worker": cluster.WorkerInfo{Worker: peerID, Jobs: -1}},
			{"run": cluster.RunInfo{Run: forged}},
		} {
			p.send(m.Reply, reply)
		}
	}); err != nil {
		t.Fatal(err)
	}
	if err := p.FlushTimeout(time.Minute); err != nil {
		t.Fatal(err)
	}
	var status cluster.Status
	await(t, func() bool {
		var err error
		if status, err = c.Status(t.Context()); err != nil {
			t.Fatal(err)
		}
		return len(status.Workers) == 1 && len(status.Runs) == 1
	})
	status.Dead = []cluster.DeadUnit{{Run: forged, Unit: forged}}
	var b strings.Builder
	if err := cluster.Formats()[0].Write(&b, status); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(b.String()), "\n")
	if len(lines) != 11 || slices.ContainsFunc(lines, func(l string) bool { return strings.HasPrefix(l, "0123456789") }) || strings.ContainsAny(b.String(), "\x1b\t\u202e") {
		t.Errorf("%q", lines)
	}
}
