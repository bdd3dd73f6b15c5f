package repl

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"qhsh/pluginclient"
	"qhsh/pluginclient/task/batch"
)

// runNative is .raw: a line in the engine's own protocol.
func runNative(c *call) error {
	bridge, ok := pluginclient.As[pluginclient.Bridge](c.engine.session)
	if !ok {
		return c.noRawError()
	}
	line := strings.TrimSpace(c.args)
	if line == "" {
		return c.usageError("the line is missing")
	}
	language := pluginclient.LanguageOf(bridge.Native())
	var answer []string
	asked := make(chan struct{})
	w := waitOptions{engines: []*attached{c.engine}, stoppable: true, timeout: c.shell.timeout, passLine: passInterrupts(bridge.Native(), language, asked)}
	begun := time.Now()
	err := c.shell.await(c.ctx, w, func(ctx context.Context) error {
		if err := c.engine.syncNative(ctx, bridge.Native()); err != nil {
			return err
		}
		var err error
		answer, err = bridge.Native().Raw(pluginclient.WithSearchStarted(ctx, sync.OnceFunc(func() { close(asked) })), line)
		return c.engine.withRestartHint(err)
	})
	stopped := errors.Is(err, errAborted) && !errors.As(err, new(reportedError))
	if p, _ := language.Lookup(line); stopped && p.Thinks {
		answer = answerSince(bridge.Native().Trace(), language, begun)
	}
	for _, line := range answer {
		fmt.Fprintln(c.out, line)
	}
	if stopped {
		c.reportStopped(pluginclient.CommandSpec{}, answer, begun)
		return nil
	}
	return c.shell.reportEngineError(c.engine, err)
}

// needsNoRaw is the error of .raw to an engine that is spoken to in its own language anyway.
func (c *call) noRawError() error {
	name := c.shell.languageOf(c.engine).Name
	if name != c.shell.host.Language.Name {
		return fmt.Errorf(".raw: lines go to %s as they are: they need no .raw, and .send sends any other", c.engine.name)
	}
	return fmt.Errorf(".raw: %s speaks %s itself: its lines need no .raw, and .send sends any other", c.engine.name, name)
}

// sayAside says to an engine that thinks what its protocol has for that. Both ".raw stop"
// and the bare word are understood: whoever speaks the protocol types it. What is typed
// before the engine has been asked is said, in its order, when it has been.
func passInterrupts(native pluginclient.Session, language pluginclient.Language, asked <-chan struct{}) func(ctx context.Context, line string) bool {
	before := asked
	return func(ctx context.Context, line string) bool {
		word, args := cutWord(line)
		if word == ".raw" {
			word, args = cutWord(args)
		}
		if p, _ := language.Lookup(word); args != "" || !p.Interrupt {
			return false
		}
		turn, said := before, make(chan struct{})
		before = said
		go func() {
			select {
			case <-turn:
				_, _ = native.Raw(ctx, word) // what comes of it is the answer to "go"
				close(said)
			case <-ctx.Done():
			}
		}()
		return true
	}
}

// nativeName is the name of an engine's own conversation, behind a bridge.
func (e *attached) nativeName(native pluginclient.Session) string {
	protocol, _ := cutWord(native.Info().Protocol)
	return e.name + "/" + strings.ToLower(protocol)
}

// follow brings an engine's own conversation to the shell's board, unless that is where it
// has been left: what .raw has told it then stays. The end of ctx does not keep it from that:
// it is meant for the line that follows.
func (e *attached) syncNative(ctx context.Context, native pluginclient.Session) error {
	pos := e.session.Position()
	game := batch.FormatGame(pos)
	follower, able := pluginclient.As[pluginclient.PositionSetter](native)
	if game == e.native || !able {
		return nil
	}
	e.native = game
	return follower.SetPosition(context.WithoutCancel(ctx), pos)
}
