package repl

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"qhsh/pluginclient"
	"qhsh/pluginclient/task/batch"
)

// runRaw implements .raw: it sends a line in the engine's own protocol.
func runRaw(c *call) error {
	bridge, ok := pluginclient.As[pluginclient.Bridge](c.engine.session)
	if !ok {
		name := c.shell.languageOf(c.engine).Name
		if name != c.shell.host.Language.Name {
			return fmt.Errorf(".raw: not needed: lines go to %s unchanged; .send sends any other line", c.engine.name)
		}
		return fmt.Errorf(".raw: not needed: %s speaks %s itself; .send sends any other line", c.engine.name, name)
	}
	language := pluginclient.LanguageOf(bridge.Native())
	var answer []string
	asked := make(chan struct{})
	w := waitOptions{engines: []*attached{c.engine}, stoppable: true, timeout: c.shell.timeout, passLine: passInterrupts(bridge.Native(), language, asked)}
	start := time.Now()
	err := c.shell.await(c.ctx, w, func(ctx context.Context) error {
		if err := c.engine.syncNative(ctx, bridge.Native()); err != nil {
			return err
		}
		var err error
		answer, err = bridge.Native().Raw(pluginclient.WithSearchStarted(ctx, sync.OnceFunc(func() { close(asked) })), c.args)
		return c.engine.withRestartHint(err)
	})
	stopped := isStopped(err)
	if p, _ := language.Lookup(c.args); stopped && p.Thinks {
		answer = answerSince(bridge.Native().Trace(), language, start)
	}
	for _, line := range answer {
		fmt.Fprintln(c.out, line)
	}
	if stopped {
		c.reportStopped(pluginclient.CommandSpec{}, answer, start)
		return nil
	}
	return c.shell.reportEngineError(c.engine, err)
}

// passInterrupts returns a function that passes typed lines to a thinking engine if its protocol
// allows them at that time, such as stop. Both ".raw stop" and the bare word are accepted. Words
// typed before the engine has been asked are sent, in order, once it has been.
func passInterrupts(native pluginclient.Session, language pluginclient.Language, asked <-chan struct{}) func(ctx context.Context, line string) bool {
	before := asked
	return func(ctx context.Context, line string) bool {
		word, args := cutWord(line)
		if strings.EqualFold(word, ".raw") {
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
				_, _ = native.Raw(ctx, word) // its effect shows in the answer to "go"
				close(said)
			case <-ctx.Done():
			}
		}()
		return true
	}
}

// syncNative sets the board of the native conversation to the shell's board, unless the shell's
// board has not changed since the last .raw: what .raw has set then stays. It ignores the
// cancellation of ctx, which is meant for the line that follows.
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
