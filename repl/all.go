package repl

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"qhsh/engine"
	"qhsh/pluginclient"
)

// runAll implements .all: it gives a command to every engine at the same time and shows the
// answers side by side.
func runAll(c *call) error {
	s := c.shell
	word, args := cutWord(c.args)
	inner := s.command(word)
	switch {
	case inner == nil:
		return s.unknownCommand(word)
	case !inner.many:
		return c.usageError("%s cannot run on several engines", inner.name)
	}
	text, raw := inner.sends(c.args)
	if raw && strings.TrimSpace(text) == "" {
		return c.usageError("missing line")
	}
	text, err := s.readLines(text, s.engines...)
	if err != nil {
		return err
	}
	var calls []*call
	for _, e := range s.engines {
		calls = append(calls, &call{
			ctx: c.ctx, shell: s, command: inner, engine: e,
			line: text, args: args, out: &bytes.Buffer{},
		})
	}
	if raw {
		err = s.exchangeAll(c.ctx, calls)
	} else {
		for _, each := range calls {
			err = errors.Join(err, each.run())
		}
	}
	var titles, texts []string
	for _, each := range calls {
		titles = append(titles, each.engine.name)
		texts = append(texts, each.out.(*bytes.Buffer).String())
	}
	if _, writing := c.out.Write([]byte(sideBySide(titles, texts, s.host.width()))); writing != nil {
		return writing
	}
	return err
}

// exchangeAll sends the same line to several engines at the same time and shows their answers.
func (s *Shell) exchangeAll(ctx context.Context, calls []*call) error {
	text := calls[0].line
	w := calls[0].engine.waitFor(calls[0].spec(text), s.timeout)
	w.engines, w.status = s.engines, nil
	now, moveNow := context.WithCancel(ctx)
	defer moveNow()
	w.moveNow = moveNow
	answers, failures := make([][]string, len(calls)), make([]error, len(calls))
	before := make([]engine.Position, len(calls))
	answered := make([]atomic.Bool, len(calls))
	for i, c := range calls {
		before[i] = c.engine.session.Position()
		if c.command.group == groupProtocol {
			failures[i] = c.checkWord(c.command.name)
			answered[i].Store(failures[i] != nil)
		}
	}
	w.pending = func() (left []*attached) {
		for i, c := range calls {
			if !answered[i].Load() {
				left = append(left, c.engine)
			}
		}
		return left
	}
	start := time.Now()
	err := s.await(ctx, w, func(ctx context.Context) error {
		var all sync.WaitGroup
		for i, c := range calls {
			if failures[i] != nil {
				continue
			}
			all.Go(func() {
				ctx, cancel := context.WithCancelCause(ctx)
				defer cancel(nil)
				if c.engine.has(pluginclient.AbilityTimeout) {
					defer context.AfterFunc(now, func() { cancel(engine.ErrMoveNow) })()
				}
				answers[i], failures[i] = c.engine.raw(ctx, text)
				answered[i].Store(failures[i] == nil)
			})
		}
		all.Wait()
		return context.Cause(ctx)
	})
	if errors.Is(err, ErrInterrupted) {
		return err
	}
	s.tellAllJudged() // some may have been told while others still thought
	killed, restarted := errors.Is(err, errKilled), errors.As(err, new(reportedError))
	for i, c := range calls {
		if failures[i] != nil && (killed || restarted && len(c.answerSince(start)) == 0) {
			failures[i] = err // already reported
		}
	}
	err = nil
	for i, c := range calls {
		p := c.spec(text)
		for k, line := range answers[i] { // what is said about an illegal move stands apart from it
			move, _ := cutWord(line)
			if _, err := s.host.Games.ReadMove(before[i], move); p.Thinks && err != nil && s.reader(c.engine).isMove(move) {
				answers[i][k] += "  (illegal)"
			}
		}
		err = errors.Join(err, c.showAnswer(p, answers[i], failures[i], start))
	}
	calls[0].remarkNew(before[0])
	return err
}
