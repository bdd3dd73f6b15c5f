package cluster_test

import (
	"context"
	"fmt"
	"net"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"qhsh/engine/enginetest"
	"qhsh/pluginclient/task/cluster"
)

// testTiming has short intervals and long deadlines: however slow a machine is, nobody is taken to be
// lost, and connections last until they are closed.
var testTiming = cluster.Timing{
	Here: 250 * time.Millisecond, Gone: time.Hour, Ping: time.Hour, Progress: 200 * time.Millisecond, AckWait: 30 * time.Second,
	Chunk: 100 * time.Millisecond, Check: 500 * time.Millisecond, Request: 30 * time.Second, Who: time.Second,
	Missing: time.Minute, MissingAgain: time.Minute,
}

// hastyTiming is for tests that close the connections of a worker, the coordinator or the server: what
// is lost is noticed within seconds. A slow machine may lose more, which must not fail the test.
var hastyTiming = func() cluster.Timing {
	timing := testTiming
	timing.Gone, timing.AckWait, timing.Request = 500*time.Millisecond, 5*time.Second, 5*time.Second
	return timing
}()

// A testServer is a server that can be restarted at the same address.
type testServer struct {
	t       testing.TB
	options server.Options
	engines int // workers that startEngines has started
	*server.Server
}

// startServer starts a server with JetStream, and further options.
func startServer(t testing.TB, options ...func(*server.Options)) *testServer {
	t.Helper()
	s := &testServer{t: t, options: server.Options{
		Host: "127.0.0.1", Port: freePort(t), JetStream: true, StoreDir: t.TempDir(), NoLog: true, NoSigs: true,
		AuthTimeout: time.Minute.Seconds(),
	}}
	for _, option := range options {
		option(&s.options)
	}
	s.start()
	t.Cleanup(s.stop)
	return s
}

func freePort(t testing.TB) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}

func (s *testServer) start() {
	s.t.Helper()
	options := s.options
	var err error
	if s.Server, err = server.NewServer(&options); err != nil {
		s.t.Fatal(err)
	}
	go s.Start()
	if !s.ReadyForConnections(time.Minute) {
		s.t.Fatal("the server does not start")
	}
}

func (s *testServer) stop() {
	s.Shutdown()
	s.WaitForShutdown()
}

func (s *testServer) url() string { return fmt.Sprintf("nats://127.0.0.1:%d", s.options.Port) }

// connect connects a client to the server, or to a proxy of it.
func connect(t testing.TB, url string, timing cluster.Timing) *cluster.Client {
	t.Helper()
	var c *cluster.Client
	var err error
	if !enginetest.Await(func() bool { // a busy server may not answer in time
		c, err = cluster.Connect(t.Context(), url, t.Name(), cluster.Options{Timing: timing})
		return err == nil
	}) {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

// A proxy is a TCP connection to a server that fails in every way.
type proxy struct {
	listener net.Listener
	to       string

	mu      sync.Mutex
	stalled chan struct{} // closed when data may pass; nil: it may
	delay   time.Duration
	refuses bool
	conns   map[net.Conn]bool
}

func startProxy(t testing.TB, s *testServer) *proxy {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &proxy{listener: l, to: s.url()[len("nats://"):], conns: map[net.Conn]bool{}}
	t.Cleanup(p.close)
	go p.serve()
	return p
}

func (p *proxy) url() string { return "nats://" + p.listener.Addr().String() }

func (p *proxy) serve() {
	for {
		in, err := p.listener.Accept()
		if err != nil {
			return
		}
		out, err := net.Dial("tcp", p.to)
		if err != nil || !p.add(in, out) {
			in.Close()
			if out != nil {
				out.Close()
			}
			continue
		}
		go p.pass(in, out)
		go p.pass(out, in)
	}
}

func (p *proxy) add(conns ...net.Conn) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.refuses {
		return false
	}
	for _, c := range conns {
		p.conns[c] = true
	}
	return true
}

func (p *proxy) pass(from, to net.Conn) {
	defer from.Close()
	defer to.Close()
	buf := make([]byte, 32<<10)
	for {
		n, err := from.Read(buf)
		if err != nil {
			return
		}
		p.mu.Lock()
		stalled, delay := p.stalled, p.delay
		p.mu.Unlock()
		time.Sleep(delay)
		if stalled != nil {
			<-stalled
		}
		if _, err := to.Write(buf[:n]); err != nil {
			return
		}
	}
}

// slow delays everything.
func (p *proxy) slow(d time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.delay = d
}

// stall lets nothing pass until resume is called.
func (p *proxy) stall() (resume func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	stalled := make(chan struct{})
	p.stalled = stalled
	return func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.stalled = nil
		close(stalled)
	}
}

// cut closes all connections.
func (p *proxy) cut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for c := range p.conns {
		c.Close()
	}
	clear(p.conns)
}

// part cuts and accepts no new connection until the returned function is called.
func (p *proxy) part() (join func()) {
	p.refuse(true)
	p.cut()
	return func() { p.refuse(false) }
}

func (p *proxy) refuse(is bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.refuses = is
}

func (p *proxy) close() {
	p.listener.Close()
	p.part()
}

// A testWorker is a worker in this process.
type testWorker struct {
	*proxy
	client *cluster.Client
	cancel context.CancelFunc
	ended  chan error
}

// startWorker starts a worker of so many jobs that answers units with answer.
func startWorker(t testing.TB, s *testServer, jobs int, timing cluster.Timing, answer answerFunc) *testWorker {
	t.Helper()
	p := startProxy(t, s)
	w := startWorkerAt(t, p.url(), jobs, timing, answer)
	w.proxy = p
	return w
}

// startWorkerAt is startWorker without a proxy.
func startWorkerAt(t testing.TB, url string, jobs int, timing cluster.Timing, answer answerFunc) *testWorker {
	t.Helper()
	return startWorkerWith(t, url, timing, cluster.WorkerOptions{
		Host: "test", Build: "test", Jobs: jobs, Check: func(cluster.Terms) error { return nil }, Say: ignore,
		Handlers: map[string]cluster.Handler{"test": func(context.Context, cluster.Terms, int) (cluster.Answerer, error) { return answer, nil }},
	})
}

// startWorkerWith starts a worker with any options.
func startWorkerWith(t testing.TB, url string, timing cluster.Timing, o cluster.WorkerOptions) *testWorker {
	t.Helper()
	w := &testWorker{client: connect(t, url, timing), ended: make(chan error, 1)}
	ctx, cancel := context.WithCancel(context.Background())
	w.cancel = cancel
	go func() { w.ended <- w.client.Work(ctx, o) }()
	t.Cleanup(func() {
		cancel()
		<-w.ended
	})
	return w
}

// kill makes the worker vanish without a word, as the end of its process does.
func (w *testWorker) kill() {
	w.close()
	w.client.Close()
	w.cancel()
}

// An answerFunc answers units.
type answerFunc func(ctx context.Context, unit []byte) ([]byte, error)

func (f answerFunc) Answer(ctx context.Context, unit []byte) ([]byte, error) { return f(ctx, unit) }
func (f answerFunc) Close() error                                            { return nil }
