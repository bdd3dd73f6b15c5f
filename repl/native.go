package repl

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"qhsh/engine/xiangqi"
	"qhsh/pluginclient"
	"qhsh/pluginclient/qhplugin"
)

// runNative is .raw: a line in the engine's own protocol.
func runNative(c *call) error {
	bridge, ok := c.engine.session.(pluginclient.Bridge)
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
	w := wait{engines: []*attached{c.engine}, ahead: true, timeout: c.shell.timeout, aside: sayAside(bridge.Native())}
	begun := time.Now()
	err := c.shell.await(c.ctx, w, func(ctx context.Context) error {
		if err := c.engine.follow(ctx, bridge.Native()); err != nil {
			return err
		}
		var err error
		answer, err = bridge.Native().Raw(ctx, line)
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
// and the bare word are understood: whoever speaks the protocol types it.
func sayAside(native pluginclient.Session) func(ctx context.Context, line string) bool {
	return func(ctx context.Context, line string) bool {
		word, args := cutWord(line)
		if word == ".raw" {
			word, args = cutWord(args)
		}
		if args != "" || !slices.Contains(asides, word) {
			return false
		}
		go func() { _, _ = native.Raw(ctx, word) }() // what comes of it is the answer to "go"
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
// has been left: what .raw has told it then stays.
func (e *attached) follow(ctx context.Context, native pluginclient.Session) error {
	pos := e.session.Position()
	game := gameText(pos)
	board, isXiangqi := pos.(*xiangqi.Position)
	follower, able := native.(interface {
		SetPosition(ctx context.Context, pos *xiangqi.Position) error
	})
	if game == e.native || !isXiangqi || !able {
		return nil
	}
	e.native = game
	return follower.SetPosition(ctx, board)
}
