package cluster

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// LeastServer is the first version of nats-server that has what a cluster uses: 2.8.4 does not answer
// the request that creates a consumer. TestVersions passes with 2.9.0, 2.9.10, 2.10.0, 2.10.27, 2.11.0
// and 2.15.2.
const LeastServer = "2.9.0"

// A Client is a connection to a cluster. It reconnects whenever it is lost.
type Client struct {
	conn   *nats.Conn
	js     jetstream.JetStream
	timing Timing
	open   context.Context // ends with the connection; the cause is why
}

// Options configure a Client.
type Options struct {
	Timing Timing            // zero: DefaultTiming
	Warn   func(text string) // told when the server is lost and found; may be nil
}

// connectFactor is how many times Timing.Request a connection may take: a busy server is slow at it.
const connectFactor = 6

// Connect connects to the server at a URL, nats://USER:PASSWORD@HOST:PORT or tls://..., whose query
// may name files: creds (a user's credentials), ca, cert and key. name is what the server shows.
func Connect(ctx context.Context, address, name string, o Options) (*Client, error) {
	if o.Timing == (Timing{}) {
		o.Timing = DefaultTiming()
	}
	if o.Warn == nil {
		o.Warn = func(string) {}
	}
	at, options, err := parseURL(address)
	if err != nil {
		return nil, err
	}
	c := &Client{timing: o.Timing}
	var closed context.CancelCauseFunc
	c.open, closed = context.WithCancelCause(context.Background())
	options = append(options, nats.Name(name), nats.MaxReconnects(-1), nats.ReconnectWait(time.Second),
		nats.PingInterval(o.Timing.Ping), nats.MaxPingsOutstanding(2), nats.Timeout(connectFactor*o.Timing.Request),
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) {
			if err != nil {
				o.Warn(fmt.Sprintf("lost the server: %v: reconnecting", err))
			}
		}),
		nats.ClosedHandler(func(conn *nats.Conn) { closed(explain(at, conn.LastError())) }), // by Close, or refused twice
		nats.ReconnectHandler(func(*nats.Conn) { o.Warn("the server is back") }),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { o.Warn(err.Error()) }),
	)
	if c.conn, err = nats.Connect("", options...); err != nil {
		return nil, explain(at, err)
	}
	if err := c.checkServer(ctx); err != nil {
		c.conn.Close()
		return nil, explain(at, err)
	}
	return c, nil
}

// Close closes the connection.
func (c *Client) Close() { c.conn.Close() }

// checkServer returns an error if the server is too old or has no JetStream.
func (c *Client) checkServer(ctx context.Context) (err error) {
	if is := c.conn.ConnectedServerVersion(); slices.Compare(numbers(is), numbers(LeastServer)) < 0 {
		return fmt.Errorf("nats-server %s is too old: %s or newer is needed", is, LeastServer)
	}
	if c.js, err = jetstream.New(c.conn, jetstream.WithDefaultTimeout(c.timing.Request)); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, connectFactor*c.timing.Request)
	defer cancel()
	_, err = c.js.AccountInfo(ctx)
	switch {
	case errors.Is(err, jetstream.ErrJetStreamNotEnabledForAccount):
		return errors.New("the account has no JetStream: enable it for the account, or use another user")
	case errors.Is(err, jetstream.ErrJetStreamNotEnabled), errors.Is(err, nats.ErrNoResponders):
		return errors.New("the server has no JetStream: start it with -js")
	case errors.Is(err, context.DeadlineExceeded):
		return errors.New("the server does not answer: check it and the network, and try again")
	case err != nil:
		return fmt.Errorf("JetStream: %w", err)
	}
	return nil
}

func numbers(version string) (all []int) {
	version, _, _ = strings.Cut(version, "-")
	for part := range strings.SplitSeq(version, ".") {
		n, _ := strconv.Atoi(part) // otherwise 0: no server has such a version
		all = append(all, n)
	}
	return all
}

const idBytes = 5

// newID returns the ID of a run or a worker.
func newID() string {
	var b [idBytes]byte
	_, _ = rand.Read(b[:]) // never fails
	return hex.EncodeToString(b[:])
}

// The subjects of a cluster; see the package comment.
const (
	whoSubject       = "qhsh.who"
	anyRunHere       = "qhsh.run.*.here"
	anyWorkerHere    = "qhsh.worker.*.here"
	streamPrefix     = "QHSH_"
	deadStream       = streamPrefix + "DEAD"
	deadSubject      = "qhsh.dead"
	workConsumer     = "work"
	deadFor          = 30 * 24 * time.Hour
	maxDead          = 10_000
	maxPendingPulls  = 16_384
	maxPendingChunks = 2 * maxAhead
)

func runSubject(run, what string) string       { return "qhsh.run." + run + "." + what }
func workerSubject(worker, what string) string { return "qhsh.worker." + worker + "." + what }

// send publishes a message that may be lost.
func (c *Client) send(subject string, message any) {
	if data, err := json.Marshal(message); err == nil {
		_ = c.conn.Publish(subject, data) // it is sent again
	}
}

// A subscription is what is done with the messages of a subject.
type subscription struct {
	subject string
	handle  nats.MsgHandler
}

// subscribe subscribes to subjects in their order. Those subscribed to are returned even with an error.
func (c *Client) subscribe(all []subscription) (subs []*nats.Subscription, err error) {
	for _, one := range all {
		s, err := c.conn.Subscribe(one.subject, one.handle)
		if err != nil {
			return subs, err
		}
		subs = append(subs, s)
	}
	return subs, c.conn.FlushTimeout(connectFactor * c.timing.Request)
}

func unsubscribe(subs []*nats.Subscription) {
	for _, s := range subs {
		_ = s.Unsubscribe() // fails only if the connection is closed
	}
}

// answerWith returns a handler of messages that are requests in JSON. Others are ignored.
func answerWith[Request, Reply any](handle func(Request) Reply) nats.MsgHandler {
	return func(m *nats.Msg) {
		var request Request
		if len(m.Data) == 0 || decode(m.Data, &request) == nil {
			reply(m, handle(request))
		}
	}
}

func reply(m *nats.Msg, message any) {
	if data, err := json.Marshal(message); err == nil && m.Reply != "" {
		_ = m.Respond(data) // otherwise the request is repeated
	}
}

// request sends a request once and parses the reply, which is there soon.
func (c *Client) request(ctx context.Context, subject string, message, answer any) error {
	ctx, cancel := context.WithTimeout(ctx, c.timing.Request)
	defer cancel()
	return c.ask(ctx, subject, message, answer)
}

// ask sends a request once and parses the reply.
func (c *Client) ask(ctx context.Context, subject string, message, answer any) error {
	data, err := json.Marshal(message)
	if err != nil {
		return err
	}
	m, err := c.conn.RequestWithContext(ctx, subject, data)
	if err != nil {
		return err
	}
	return decode(m.Data, answer)
}
