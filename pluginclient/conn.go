package pluginclient

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// Limits on the output that is buffered.
const (
	maxLine   = 1 << 20  // bytes in one line
	MaxUnread = 4 << 20  // bytes in unread lines, each with LineCost
	LineCost  = 32       // bytes that a line needs besides its text: a flood may consist of empty lines
	maxStderr = 64 << 10 // bytes in one line of stderr
)

// endGrace is how long a killed process may take to exit.
const endGrace = 2 * time.Second

// A Conn exchanges lines with a running engine. It reads continuously, so that the engine
// never blocks on a full pipe. Only one goroutine at a time may use it.
type Conn struct {
	streams    *Streams
	input      syscall.RawConn // of Stdin; nil if it does not support nonblocking writes
	trace      *Trace
	output     *output
	lines      *inbox
	rechecked  <-chan struct{} // Done channel of the last expired context after which Receive reread the output
	writing    chan struct{}   // has one while a text is written
	ended      chan struct{}   // closed when the engine has exited and its output has been read
	stderrDone chan struct{}   // closed when its stderr has been read
	stop       func()          // closes the streams once
	workers    sync.WaitGroup
	returns    atomic.Bool // a line has ended with a carriage return
	killed     atomic.Bool // Kill has been called
}

// Connect starts an engine.
func Connect(ctx context.Context, start Starter, trace *Trace) (*Conn, error) {
	streams, err := start(ctx)
	if errors.Is(err, ErrDeadline) {
		err = fmt.Errorf("%w: %w", ErrStart, ErrNoReply)
	}
	if err != nil {
		return nil, err
	}
	c := &Conn{
		streams: streams, input: nonblocking(streams.Stdin), trace: trace, lines: &inbox{ready: make(chan struct{}, 1)},
		writing: make(chan struct{}, 1), ended: make(chan struct{}), stderrDone: make(chan struct{}),
	}
	c.output = newOutput(streams.Stdout, lineScanner{
		maxLine: maxLine,
		onLine: func(line string) error {
			c.trace.Add(Received, line)
			return c.lines.put(line)
		},
		onPartial: c.lines.setPartial, onReturn: func() { c.returns.Store(true) },
	})
	c.stop = sync.OnceFunc(func() {
		streams.Stdin.Close()
		streams.Stdout.Close()
		if streams.Stderr != nil {
			streams.Stderr.Close()
		}
	})
	c.workers.Go(c.read)
	if streams.Stderr == nil {
		close(c.stderrDone)
		return c, nil
	}
	c.workers.Go(func() {
		defer close(c.stderrDone)
		_ = newOutput(streams.Stderr, lineScanner{maxLine: maxStderr, onLine: func(line string) error {
			c.trace.Add(Stderr, line)
			return nil
		}}).read()
		_, _ = io.Copy(io.Discard, streams.Stderr) // after an endless line
	})
	return c, nil
}

// read reads the engine's output until its end, and waits for its exit. An engine that closes its output
// without exiting is killed.
func (c *Conn) read() {
	defer close(c.ended)
	err := c.output.read()
	if errors.Is(err, ErrFlood) {
		c.streams.Kill()
	}
	exited := make(chan error, 1)
	go func() { exited <- c.streams.Wait() }()
	var exit error
	select {
	case exit = <-exited:
	case <-time.After(endGrace):
		c.streams.Kill()
		<-exited
		exit = ErrOutputClosed
	}
	c.lines.end(endError(err, exit))
}

// endError returns the error that a reader gets after the last line.
func endError(read, exit error) error {
	switch {
	case errors.Is(read, ErrFlood):
		return read
	case exit != nil:
		return fmt.Errorf("%w: %w", ErrDied, exit)
	}
	return fmt.Errorf("%w: exit status 0", ErrDied)
}

// Send writes lines, each with a line feed, and waits until they are written to the engine's pipe.
// It returns ErrInputBlocked if the engine does not read them in time, and ErrDied if the engine
// has exited.
func (c *Conn) Send(dir Direction, within time.Duration, lines ...string) error {
	for _, line := range lines {
		c.trace.Add(dir, line)
	}
	return c.send(within, strings.Join(lines, "\n")+"\n")
}

// SendPinged sends lines followed by a ping in one write, so that the engine wakes up only once.
func (c *Conn) SendPinged(within time.Duration, ping string, lines ...string) error {
	for _, line := range lines {
		c.trace.Add(Sent, line)
	}
	c.trace.Add(Pinged, ping)
	return c.send(within, strings.Join(append(slices.Clone(lines), ping), "\n")+"\n")
}

func (c *Conn) send(within time.Duration, text string) error {
	if !c.Alive() {
		return c.lines.failure()
	}
	if text = text[writeSome(c.input, text):]; text == "" {
		return nil
	}
	if pipe, ok := c.streams.Stdin.(timedWriter); ok && pipe.SetWriteDeadline(time.Now().Add(within)) == nil {
		_, err := io.WriteString(pipe, text)
		switch {
		case err == nil:
			return nil
		case errors.Is(err, os.ErrDeadlineExceeded):
			return ErrInputBlocked
		}
		return c.writeError()
	}
	expired, written := time.After(within), make(chan error, 1)
	select {
	case c.writing <- struct{}{}:
	case <-c.ended:
		return c.lines.failure()
	case <-expired:
		return ErrInputBlocked
	}
	c.workers.Go(func() {
		_, err := io.WriteString(c.streams.Stdin, text)
		<-c.writing
		written <- err
	})
	select {
	case err := <-written:
		if err != nil {
			return c.writeError()
		}
		return nil
	case <-expired:
		return ErrInputBlocked
	}
}

// timedWriter is a pipe of the operating system whose writes can time out. Writing to it directly
// avoids a switch to another goroutine and back, which matters when searches are very short.
type timedWriter interface {
	io.Writer
	SetWriteDeadline(time.Time) error
}

// writeError waits briefly for the reason why the pipe is broken.
func (c *Conn) writeError() error {
	if waitFor(c.ended, endGrace) {
		return c.lines.failure()
	}
	return ErrInputBlocked
}

// Receive waits for the engine's next line. It returns the cause of ctx when ctx ends, or ErrDied
// or ErrFlood when there are no more lines. Lines that arrived before a deadline of ctx are
// returned first.
func (c *Conn) Receive(ctx context.Context) (string, error) {
	for {
		line, ok, err := c.lines.take()
		if ok || err != nil {
			return line, err
		}
		select {
		case <-c.lines.ready:
		case <-ctx.Done():
			if !errors.Is(ctx.Err(), context.DeadlineExceeded) || c.rechecked == ctx.Done() {
				return "", context.Cause(ctx)
			}
			// Once after a deadline, all output that has arrived is read first.
			c.rechecked = ctx.Done()
			if errors.Is(c.output.catchUp(), ErrFlood) {
				c.streams.Kill() // and c.read ends
			}
		}
	}
}

// HasReturns reports whether a line of the engine has ended with a carriage return.
func (c *Conn) HasReturns() bool { return c.returns.Load() }

// Drain returns and removes all unread lines.
func (c *Conn) Drain() []string { return c.lines.takeAll() }

// Partial returns the unfinished last line.
func (c *Conn) Partial() string { return c.lines.partialLine() }

// Alive reports whether the engine is still running, as far as is known. It is false once Receive
// has returned ErrDied or ErrFlood.
func (c *Conn) Alive() bool { return c.lines.failure() == nil }

// Close sends the parting command, if any, waits for the engine to exit, and kills it if it does
// not. When Close returns, no process or goroutine of the engine is left.
func (c *Conn) Close(parting string, within time.Duration) {
	defer c.workers.Wait()
	defer c.stop()
	if parting != "" && c.Alive() && c.Send(Sent, within, parting) == nil {
		waitFor(c.ended, within)
	}
	c.Kill()
	waitFor(c.stderrDone, endGrace) // collect the last lines of stderr
}

// Kill kills the engine.
func (c *Conn) Kill() {
	c.killed.Store(true)
	c.streams.Kill()
	if !waitFor(c.ended, endGrace) {
		// A process outside the group still holds the other end of the pipe.
		c.streams.Stdout.Close()
		waitFor(c.ended, endGrace)
	}
}

func waitFor(done <-chan struct{}, within time.Duration) bool {
	select {
	case <-done:
		return true
	case <-time.After(within):
		return false
	}
}
