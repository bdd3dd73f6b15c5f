package analyze

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"qhsh/pluginclient/task/batch"
)

// An inputLine is a line of the input that is not blank, or the error that ends the input.
type inputLine struct {
	number int
	text   []byte
	bad    error // why it cannot be a message
	end    error // io.EOF, or the error of reading
}

// read accepts messages until the input ends. It returns the error of reading.
func (c *conversation) read(in io.Reader) error {
	lines := make(chan inputLine)
	go scan(c.ctx, in, lines)
	for {
		select {
		case l := <-lines:
			switch l.end {
			case nil:
				c.accept(l)
			case io.EOF:
				return nil
			default:
				return l.end
			}
		case <-c.ctx.Done():
			return nil // Serve returns the cause
		}
	}
}

// scan reads lines until ctx ends.
func scan(ctx context.Context, in io.Reader, lines chan<- inputLine) {
	reader := batch.NewLineReader(in)
	for {
		l := inputLine{end: reader.Next(), number: reader.Line, bad: reader.LineErr}
		if l.text = bytes.Clone(bytes.TrimSpace(reader.Text)); l.end == nil && l.bad == nil && len(l.text) == 0 {
			continue
		}
		select {
		case lines <- l:
		case <-ctx.Done():
			return
		}
		if l.end != nil {
			return
		}
	}
}

// accept answers a line, or puts its request into a queue.
func (c *conversation) accept(l inputLine) {
	m, err := message{}, l.bad
	if err == nil {
		m, err = parse(l.text)
	}
	c.mu.Lock()
	if others := c.inFlight[m.ID]; len(others) > 0 {
		if err == nil {
			text, _ := m.ID.MarshalJSON()
			err = inField("id", fmt.Errorf("id %s is in flight since line %d", text, others[0].line))
		}
		m.ID = batch.ID{}
	}
	c.mu.Unlock()
	switch {
	case err != nil:
		c.refuse(l, m.ID, err)
	case m.Action != "":
		c.act(l, m)
	default:
		c.request(l, m)
	}
}

// refuse answers a line that is neither a request nor an action.
func (c *conversation) refuse(l inputLine, id batch.ID, err error) {
	var in fieldError
	errors.As(err, &in)
	c.writeFinal(Answer{ID: id, Line: l.number, Input: batch.Excerpt(string(l.text)), Error: err.Error(), Field: in.field})
}

// request puts the requests of a line into a queue, or answers those for which nothing is to be searched.
func (c *conversation) request(l inputLine, m message) {
	to, err := c.lane(m.Engine)
	var turns []*request
	if err == nil {
		turns, err = c.newRequests(to, m, l.number)
	}
	if err != nil {
		c.refuse(l, m.ID, err)
		return
	}
	c.mu.Lock()
	c.inFlight[m.ID] = slices.Clone(turns)
	c.open.Add(len(turns))
	c.mu.Unlock()
	for _, r := range turns {
		if c.OnRead != nil {
			c.OnRead(batch.Item{Line: l.number, Pos: r.pos})
		}
		select {
		case c.room <- struct{}{}:
		case <-c.ctx.Done():
		}
		if !r.over() && c.ctx.Err() == nil && c.enqueue(r) {
			continue
		}
		a := r.answer(nil, 0)
		a.Over = r.pos.Result().Why()
		c.done(r, a) // which knows if ctx has ended
	}
}

// lane returns the engine with a name.
func (c *conversation) lane(name string) (*lane, error) {
	var known []string
	for _, l := range c.current() {
		if name == "" || l.Name == name {
			return l, nil
		}
		known = append(known, l.Name)
	}
	if known == nil {
		return nil, inField("engine", errors.New("there is no engine"))
	}
	return nil, inField("engine", fmt.Errorf("unknown engine %q: want %s", name, strings.Join(known, ", ")))
}
