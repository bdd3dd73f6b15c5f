package repl

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"qhsh/engine/xiangqi"
	"qhsh/pluginclient"
	"qhsh/pluginclient/qhplugin"
)

// runNative is .raw: a line in the engine's own protocol.
func runNative(c *call) error {
	bridge, ok := c.engine.session.(pluginclient.Bridge)
	if !ok {
		return fmt.Errorf(".raw: %s speaks QHPLUGIN itself: its lines need no .raw, and .send sends any other", c.engine.name)
	}
	line := strings.TrimSpace(c.args)
	if line == "" {
		return c.misuse("the line is missing")
	}
	var answer []string
	w := wait{engines: []*attached{c.engine}, ahead: true, timeout: c.shell.timeout}
	begun := time.Now()
	err := c.shell.await(c.ctx, w, func(ctx context.Context) error {
		if err := c.engine.follow(ctx, bridge.Native()); err != nil {
			return err
		}
		var err error
		answer, err = bridge.Native().Raw(ctx, line)
		return err
	})
	for _, line := range answer {
		fmt.Fprintln(c.out, line)
	}
	if errors.Is(err, errAborted) && !errors.As(err, new(told)) {
		c.stopped(qhplugin.Command{}, nil, begun)
		return nil
	}
	return c.shell.blame(c.engine, err)
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
