package repl

import (
	"context"
	"fmt"
	"sync"
	"time"

	"qhsh/pluginclient"
)

// listen shows what engines attached with -raw say between commands, until the returned function is
// called: to a person when it comes, above the prompt. Otherwise it shows what has come since the
// last command, before the next one is read.
func (s *Shell) listen() (stop func()) {
	if !s.byPerson() {
		ctx, cancel := context.WithDeadline(context.Background(), time.Now())
		defer cancel()
		for _, e := range s.engines {
			s.hear(ctx, e, s.current, func(text string) { fmt.Fprintln(s.console, text) })
		}
		return func() {}
	}
	ctx, cancel := context.WithCancel(context.Background())
	var all sync.WaitGroup
	current := s.current
	for _, e := range s.engines {
		all.Go(func() { s.hear(ctx, e, current, func(text string) { s.say("%s", text) }) })
	}
	return func() {
		cancel()
		all.Wait()
	}
}

// hear shows what an engine says until ctx ends, with its name if it is not the current one.
func (s *Shell) hear(ctx context.Context, e, current *attached, show func(text string)) {
	l, ok := pluginclient.As[pluginclient.Listener](e.session)
	if !ok {
		return
	}
	prefix := ""
	if e != current {
		prefix = e.name + ": "
	}
	if err := l.Listen(ctx, func(line string) { show(prefix + line) }); err != nil {
		s.reportError(s.reportEngineError(e, err))
	}
}
