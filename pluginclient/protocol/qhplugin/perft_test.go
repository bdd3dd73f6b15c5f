package qhplugin

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"

	"qhsh/engine/xiangqi"
	"qhsh/pluginclient"
	"qhsh/pluginclient/plugintest"
)

// TestPerft: a plugin counts what the rules count, or the error names the move that it judges wrongly.
func TestPerft(t *testing.T) {
	enough := errors.New("enough")
	for _, c := range []struct {
		name string
		m    mischief
		want int64
		kind error
		says string
	}{
		{"right", mischief{}, 1920, nil, ""},
		{"a blocked horse", mischief{in: on("PLAY B0-D1", act{Send: "OK\n"})}, 0, pluginclient.ErrInvalidReply, `"OK", although B0-D1: the horse is blocked at C0 in rnba`},
		{"refuses a legal move", mischief{in: on("PLAY H9-G7", plugintest.Send("ERROR no\n"))}, 0, pluginclient.ErrInvalidReply, `"ERROR no" to H9-G7, which is legal in rnbakabnr`},
		{"forgets to take back", mischief{in: on("UNDO", act{Send: "OK\n"})}, 0, pluginclient.ErrInvalidReply, "which is legal"},
		{"has no UNDO", mischief{info: func(i *Info) { i.Undo = false }}, 0, pluginclient.ErrRefused, "it has no UNDO"},
		{"the caller leaves", mischief{}, 0, enough, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				client := dialMischief(t, &c.m)
				defer client.Close()
				ctx, cancel := context.WithCancelCause(t.Context())
				defer cancel(nil)
				if c.kind == enough {
					cancel(enough)
				}
				n, err := client.Perft(ctx, xiangqi.Start(), 2)
				if !errors.Is(err, c.kind) || c.kind == nil && n != c.want || c.says != "" && !strings.Contains(err.Error(), c.says) {
					t.Errorf("%d, %v, want %d, %v: %s", n, err, c.want, c.kind, c.says)
				}
			})
		})
	}
}
