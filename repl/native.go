package repl

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"qhsh/pluginclient"
	"qhsh/pluginclient/protocol/qhplugin"
	"qhsh/pluginclient/task/batch"
)

// runNative is .raw: a line in the engine's own protocol.
func runNative(c *call) error {
	bridge, ok := pluginclient.As[pluginclient.Bridge](c.engine.session)
	if c.engine.speaker() != nil {
		return fmt.Errorf(".raw: lines go to %s as they are: they need no .raw, and .send sends any other", c.engine.name)
	}
	if !ok {
		return fmt.Errorf(".raw: %s speaks QHPLUGIN itself: its lines need no .raw, and .send sends any other", c.engine.name)
	}
	line := strings.TrimSpace(c.args)
	if line == "" {
		return c.misuse("the line is missing")
	}
	var answer []string
	asked := make(chan struct{})
	w := wait{engines: []*attached{c.engine}, ahead: true, timeout: c.shell.timeout, aside: sayAside(bridge.Native(), asked)}
	begun := time.Now()
	err := c.shell.await(c.ctx, w, func(ctx context.Context) error {
		if err := c.engine.follow(ctx, bridge.Native()); err != nil {
			return err
		}
		var err error
		answer, err = bridge.Native().Raw(pluginclient.WhenAsked(ctx, sync.OnceFunc(func() { close(asked) })), line)
		return err
	})
	stopped := errors.Is(err, errAborted) && !errors.As(err, new(told))
	if word, _ := cutWord(line); stopped && word == "go" {
		answer = thoughtSince(bridge.Native(), begun)
	}
	for _, line := range answer {
		fmt.Fprintln(c.out, line)
	}
	if stopped {
		c.stopped(qhplugin.Command{}, answer, begun)
		return nil
	}
	return c.shell.blame(c.engine, err)
}

// asides are the words for an engine that thinks, of UCI and UCCI, and of XBoard's protocol.
var asides = []string{"stop", "ponderhit", "?", "exit"}

// sayAside says to an engine that thinks what its protocol has for that. Both ".raw stop"
// and the bare word are understood: whoever speaks the protocol types it. What is typed
// before the engine has been asked is said, in its order, when it has been.
func sayAside(native pluginclient.Session, asked <-chan struct{}) func(ctx context.Context, line string) bool {
	before := asked
	return func(ctx context.Context, line string) bool {
		word, args := cutWord(line)
		if word == ".raw" {
			word, args = cutWord(args)
		}
		if args != "" || !slices.Contains(asides, word) {
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

// thoughtSince is what an engine has said in its own protocol since a time, up to its move:
// the last lines of it, as many as the trace keeps.
func thoughtSince(native pluginclient.Session, begun time.Time) []string {
	const enough = 200
	var said []string
	for _, entry := range native.Trace().Last(enough, func(entry pluginclient.Entry) bool {
		return entry.Dir == pluginclient.Received && !entry.Time.Before(begun)
	}) {
		said = append(said, entry.Text)
		if word, _ := cutWord(entry.Text); word == "bestmove" || word == "nobestmove" || word == "move" {
			break
		}
	}
	return said
}

// nativeName is the name of an engine's own conversation, behind a bridge.
func (e *attached) nativeName(native pluginclient.Session) string {
	protocol, _ := cutWord(native.Info().Protocol)
	return e.name + "/" + strings.ToLower(protocol)
}

// follow brings an engine's own conversation to the shell's board, unless that is where it
// has been left: what .raw has told it then stays. The end of ctx does not keep it from that:
// it is meant for the line that follows.
func (e *attached) follow(ctx context.Context, native pluginclient.Session) error {
	pos := e.session.Position()
	game := batch.FormatGame(pos)
	follower, able := pluginclient.As[pluginclient.Follower](native)
	if game == e.native || !able {
		return nil
	}
	e.native = game
	return follower.SetPosition(context.WithoutCancel(ctx), pos)
}
