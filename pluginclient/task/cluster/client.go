package cluster

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// LeastServer is the first version of nats-server that has what a cluster uses.
const LeastServer = "2.9.0"

// ErrURL is wrapped by the error of an invalid URL, or one without the credentials that it needs.
var ErrURL = errors.New("URL of a cluster")

// A Client is a connection to a cluster. It reconnects whenever it is lost.
type Client struct {
	conn   *nats.Conn
	js     jetstream.JetStream
	timing Timing
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
	options = append(options, nats.Name(name), nats.MaxReconnects(-1), nats.ReconnectWait(time.Second),
		nats.PingInterval(o.Timing.Progress), nats.MaxPingsOutstanding(2), nats.Timeout(connectFactor*o.Timing.Request),
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) {
			if err != nil {
				o.Warn(fmt.Sprintf("lost the server: %v: reconnecting", err))
			}
		}),
		nats.ReconnectHandler(func(*nats.Conn) { o.Warn("the server is back") }),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { o.Warn(err.Error()) }),
	)
	if c.conn, err = nats.Connect(at.String(), options...); err != nil {
		return nil, fmt.Errorf("%s: %w", at.Redacted(), err)
	}
	if err := c.checkServer(ctx); err != nil {
		c.conn.Close()
		return nil, fmt.Errorf("%s: %w", at.Redacted(), err)
	}
	return c, nil
}

// Close closes the connection.
func (c *Client) Close() { c.conn.Close() }

// checkServer returns an error if the server is too old or has no JetStream.
func (c *Client) checkServer(ctx context.Context) (err error) {
	if is := c.conn.ConnectedServerVersion(); isOlder(is, LeastServer) {
		return fmt.Errorf("nats-server %s is too old: %s or newer is needed", is, LeastServer)
	}
	if c.js, err = jetstream.New(c.conn); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, connectFactor*c.timing.Request)
	defer cancel()
	_, err = c.js.AccountInfo(ctx)
	switch {
	case errors.Is(err, jetstream.ErrJetStreamNotEnabled), errors.Is(err, jetstream.ErrJetStreamNotEnabledForAccount), errors.Is(err, nats.ErrNoResponders):
		return errors.New("the server has no JetStream: start it with -js")
	case err != nil:
		return fmt.Errorf("JetStream: %w", err)
	}
	return nil
}

// isOlder reports whether a version, such as 2.10.27-RC.1, is before another.
func isOlder(version, than string) bool { return slices.Compare(numbers(version), numbers(than)) < 0 }

func numbers(version string) (all []int) {
	version, _, _ = strings.Cut(version, "-")
	for part := range strings.SplitSeq(version, ".") {
		n, _ := strconv.Atoi(part) // otherwise 0: no server has such a version
		all = append(all, n)
	}
	return all
}

// fileOptions are the files that the query of a URL may name.
var fileOptions = map[string]func(path string) nats.Option{
	"creds": func(path string) nats.Option { return nats.UserCredentials(path) },
	"ca":    func(path string) nats.Option { return nats.RootCAs(path) },
}

// parseURL returns the server of a URL and the options in its query.
func parseURL(address string) (at *url.URL, options []nats.Option, err error) {
	at, err = url.Parse(address)
	switch {
	case err != nil: // its text would show the password
		return nil, nil, fmt.Errorf("%w: cannot be parsed: want nats://USER:PASSWORD@HOST:PORT", ErrURL)
	case at.Scheme != "nats" && at.Scheme != "tls" && at.Scheme != "ws" && at.Scheme != "wss", at.Host == "":
		return nil, nil, fmt.Errorf("%w: %s: want nats://HOST:PORT or tls://HOST:PORT", ErrURL, at.Redacted())
	}
	query := at.Query()
	for key := range query {
		if _, ok := fileOptions[key]; !ok && key != "cert" && key != "key" {
			return nil, nil, fmt.Errorf("%w: unknown option %q: use creds, ca, cert and key", ErrURL, key)
		}
	}
	for key, option := range fileOptions {
		if path := query.Get(key); path != "" {
			options = append(options, option(path))
		}
	}
	cert, key := query.Get("cert"), query.Get("key")
	if (cert == "") != (key == "") {
		return nil, nil, fmt.Errorf("%w: cert and key belong together", ErrURL)
	}
	if cert != "" {
		options = append(options, nats.ClientCert(cert, key))
	}
	if at.User == nil && query.Get("creds") == "" && cert == "" && !isLoopback(at.Hostname()) {
		return nil, nil, fmt.Errorf("%w: %s is another machine: credentials are required, as in nats://USER:PASSWORD@%s or ?creds=FILE", ErrURL, at.Host, at.Host)
	}
	at.RawQuery = ""
	return at, options, nil
}

// isLoopback reports whether a host is this machine.
func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// newID returns the ID of a run or a worker.
func newID() string {
	var b [5]byte
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

// reply answers a request.
func reply(m *nats.Msg, message any) {
	if data, err := json.Marshal(message); err == nil && m.Reply != "" {
		_ = m.Respond(data) // otherwise the request is repeated
	}
}

// request sends a request once and parses the reply.
func (c *Client) request(ctx context.Context, subject string, message, answer any) error {
	data, err := json.Marshal(message)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, c.timing.Request)
	defer cancel()
	m, err := c.conn.RequestWithContext(ctx, subject, data)
	if err != nil {
		return err
	}
	return json.Unmarshal(m.Data, answer)
}
