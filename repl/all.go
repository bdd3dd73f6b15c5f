package repl

import (
	"bytes"
	"context"
	"errors"
	"sync"
	"time"

	"qhsh/pluginclient/qhplugin"
)

// runAll is .all: a command is given to every engine at the same time, and the answers
// are shown side by side.
func runAll(c *call) error {
	s := c.shell
	word, args := cutWord(c.args)
	inner := s.table.find(word)
	switch {
	case word == "":
		return c.misuse("the command is missing")
	case inner == nil:
		return s.unknown(word)
	case !inner.many:
		return c.misuse("%s is not for several engines", inner.name)
	}
	text, err := s.gather(c.args)
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
	if inner.group == groupProtocol {
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

// exchangeAll has several engines answer the same line at the same time.
func (s *Shell) exchangeAll(ctx context.Context, calls []*call) error {
	text := calls[0].line
	cmd, _ := qhplugin.ParseCommand(text)
	w := calls[0].engine.waitFor(cmd, s.timeout)
	w.engines, w.live = nil, nil
	for _, c := range calls {
		w.engines = append(w.engines, c.engine)
	}
	answers, failures := make([][]string, len(calls)), make([]error, len(calls))
	begun := time.Now()
	err := s.await(ctx, w, func(ctx context.Context) error {
		var all sync.WaitGroup
		for i, c := range calls {
			all.Go(func() { answers[i], failures[i] = c.engine.raw(ctx, text) })
		}
		all.Wait()
		return context.Cause(ctx)
	})
	if errors.Is(err, errKilled) || errors.Is(err, ErrInterrupted) {
		return err
	}
	err = nil
	for i, c := range calls {
		err = errors.Join(err, c.answered(cmd, answers[i], failures[i], begun))
	}
	return err
}
