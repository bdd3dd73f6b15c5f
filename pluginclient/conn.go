package pluginclient

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"syscall"
	"time"
)

// Bounds on what an engine may say that nobody has asked for.
const (
	maxLine   = 1 << 20 // bytes of one line
	maxUnread = 4 << 20 // bytes of lines that wait to be read
	maxStderr = 64 << 10
)

// endGrace is how long a killed process may take to disappear.
const endGrace = 2 * time.Second

// A Conn is a running engine as lines. It reads all the time, so that the engine
// never blocks on a full pipe. One goroutine at a time may use it.
type Conn struct {
	streams    *Streams
	input      syscall.RawConn // of Stdin; nil if it cannot be written to without waiting
	trace      *Trace
	output     *output
	lines      inbox
	rechecked  <-chan struct{} // the end of a wait after which Receive has caught up with the output
	writes     chan string
	writeErr   chan error
	ended      chan struct{} // closed when the engine has ended and its output is read
	stderrDone chan struct{} // closed when its stderr is read
	stop       func()        // closes the streams; once
	workers    sync.WaitGroup
}

// Connect starts an engine.
func Connect(ctx context.Context, start Starter, trace *Trace) (*Conn, error) {
	streams, err := start(ctx)
	if err != nil {
		return nil, err
	}
	c := &Conn{
		streams: streams, input: nonblockingWriter(streams.Stdin), trace: trace, lines: newInbox(),
		writes: make(chan string), writeErr: make(chan error, 1),
		ended: make(chan struct{}), stderrDone: make(chan struct{}),
	}
	c.output = newOutput(streams.Stdout, lineScanner{maxLine: maxLine, onLine: c.received, onPartial: c.lines.setPartial})
	c.stop = sync.OnceFunc(c.closeStreams)
	c.workers.Add(2)
	go c.read()
	go c.write()
	if streams.Stderr == nil {
		close(c.stderrDone)
		return c, nil
	}
	c.workers.Add(1)
	go c.readStderr()
	return c, nil
}

func (c *Conn) closeStreams() {
	c.streams.Stdin.Close()
	c.streams.Stdout.Close()
	if c.streams.Stderr != nil {
		c.streams.Stderr.Close()
	}
	close(c.writes)
}

// read drains the engine's output until it ends.
func (c *Conn) read() {
	defer c.workers.Done()
	defer close(c.ended)
	err := c.output.read()
	if errors.Is(err, ErrFlood) {
		c.streams.Kill()
	}
	c.lines.end(endError(err, c.waitExit()))
}

func (c *Conn) received(line string) error {
	c.trace.Add(Received, line)
	return c.lines.put(line)
}

// waitExit is the exit status. An engine that has closed its output without ending is of
// no use any more.
func (c *Conn) waitExit() error {
	exited := make(chan error, 1)
	go func() { exited <- c.streams.Wait() }()
	timer := time.NewTimer(endGrace)
	defer timer.Stop()
	select {
	case err := <-exited:
		return err
	case <-timer.C:
		c.streams.Kill()
		return <-exited
	}
}

// endError is what a reader is told after the last line.
func endError(read, exit error) error {
	switch {
	case errors.Is(read, ErrFlood):
		return read
	case exit != nil:
		return fmt.Errorf("%w: %w", ErrDied, exit)
	}
	return fmt.Errorf("%w: it ended its output", ErrDied)
}

func (c *Conn) readStderr() {
	defer c.workers.Done()
	defer close(c.stderrDone)
	_ = newOutput(c.streams.Stderr, lineScanner{maxLine: maxStderr, onLine: func(line string) error {
		c.trace.Add(Stderr, line)
		return nil
	}}).read()
	_, _ = io.Copy(io.Discard, c.streams.Stderr) // after an endless line
}

func (c *Conn) write() {
	defer c.workers.Done()
	for text := range c.writes {
		_, err := io.WriteString(c.streams.Stdin, text)
		c.writeErr <- err
		if err != nil {
			return
		}
	}
}

// Send writes lines, each with its line feed, and waits until the engine's pipe has
// taken them. An engine that does not take them within the time is ErrDeaf; one that
// has gone is ErrDied.
func (c *Conn) Send(dir Direction, within time.Duration, lines ...string) error {
	for _, line := range lines {
		c.trace.Add(dir, line)
	}
	return c.send(within, strings.Join(lines, "\n")+"\n")
}

// SendPinged is Send of lines that somebody wants sent, and of a ping behind them. An engine that
// reads them in one go is woken once.
func (c *Conn) SendPinged(within time.Duration, ping string, lines ...string) error {
	for _, line := range lines {
		c.trace.Add(Sent, line)
	}
	c.trace.Add(Pinged, ping)
	return c.send(within, strings.Join(lines, "\n")+"\n"+ping+"\n")
}

func (c *Conn) send(within time.Duration, text string) error {
	if !c.Alive() {
		return c.lines.failure()
	}
	if text = text[writeSome(c.input, text):]; text == "" {
		return nil
	}
	if pipe, ok := c.streams.Stdin.(timedWriter); ok && pipe.SetWriteDeadline(time.Now().Add(within)) == nil {
		return c.sendTimed(pipe, text)
	}
	timer := time.NewTimer(within)
	defer timer.Stop()
	select {
	case c.writes <- text:
	case <-c.ended:
		return c.lines.failure()
	case <-timer.C:
		return ErrInputBlocked
	}
	select {
	case err := <-c.writeErr:
		if err != nil {
			return c.writeError()
		}
		return nil
	case <-timer.C:
		return ErrInputBlocked
	}
}

// timedWriter is a pipe of the operating system, whose writes can be broken off. It spares
// the way to another goroutine and back, which counts where searches take no time.
type timedWriter interface {
	io.Writer
	SetWriteDeadline(time.Time) error
}

// sendTimed writes to a pipe that has been given a deadline.
func (c *Conn) sendTimed(pipe timedWriter, text string) error {
	_, err := io.WriteString(pipe, text)
	switch {
	case err == nil:
		return nil
	case errors.Is(err, os.ErrDeadlineExceeded):
		return ErrInputBlocked
	}
	return c.writeError()
}

// writeError waits a moment for the reason why the pipe is broken.
func (c *Conn) writeError() error {
	timer := time.NewTimer(endGrace)
	defer timer.Stop()
	select {
	case <-c.ended:
		return c.lines.failure()
	case <-timer.C:
		return ErrInputBlocked
	}
}

// Receive waits for the engine's next line. It ends with the context's cause, or
// with ErrDied or ErrFlood when there will be no more lines. What has arrived by a deadline of
// the context is received first.
func (c *Conn) Receive(ctx context.Context) (string, error) {
	for {
		line, ok, err := c.lines.take()
		if ok || err != nil {
			return line, err
		}
		select {
		case <-c.lines.ready:
		case <-ctx.Done():
			if !c.shouldRecheck(ctx) {
				return "", context.Cause(ctx)
			}
		}
	}
}

// shouldRecheck reports whether a wait has ended with its deadline and is to have one more look at what
// has come, for which it catches up with the engine's output.
func (c *Conn) shouldRecheck(ctx context.Context) bool {
	if !errors.Is(ctx.Err(), context.DeadlineExceeded) || c.rechecked == ctx.Done() {
		return false
	}
	c.rechecked = ctx.Done()
	if errors.Is(c.output.catchUp(), ErrFlood) {
		c.streams.Kill() // and c.read ends
	}
	return true
}

// Drain takes the lines that have come so far.
func (c *Conn) Drain() []string { return c.lines.takeAll() }

// Partial is the beginning of a line whose end has not come.
func (c *Conn) Partial() string { return c.lines.partialLine() }

// Alive reports whether the engine still runs, as far as is known. It is false for whoever
// has been told of the end by Receive.
func (c *Conn) Alive() bool { return c.lines.failure() == nil }

// Close ends the engine: it says the parting words, waits for the engine to end, and
// kills it if it does not. It returns when nothing of it is left.
func (c *Conn) Close(parting string, within time.Duration) {
	defer c.workers.Wait()
	defer c.stop()
	if parting != "" && c.Alive() && c.Send(Sent, within, parting) == nil {
		waitFor(c.ended, within)
	}
	c.Kill()
	waitFor(c.stderrDone, endGrace) // its last words
}

// Kill ends the engine at once.
func (c *Conn) Kill() {
	c.streams.Kill()
	if !waitFor(c.ended, endGrace) {
		// Something outside the group holds the other end of the pipe.
		c.streams.Stdout.Close()
		waitFor(c.ended, endGrace)
	}
}

func waitFor(done <-chan struct{}, within time.Duration) bool {
	timer := time.NewTimer(within)
	defer timer.Stop()
	select {
	case <-done:
		return true
	case <-timer.C:
		return false
	}
}
