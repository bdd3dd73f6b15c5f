package qhplugin

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"qhsh/engine"
	"qhsh/engine/xiangqi"
	"qhsh/pluginclient"
	"qhsh/pluginclient/plugintest"
)

// dialQuirky dials a plugin with a known quirk.
func dialQuirky(t *testing.T, quirk string, m *mischief) *Client {
	t.Helper()
	var q Quirks
	key, value, _ := strings.Cut(quirk, "=")
	if err := q.Set(key, value); err != nil {
		t.Fatal(err)
	}
	client, err := Dial(t.Context(), m.plugin(), Options{Quirks: q})
	if err != nil {
		t.Fatal(err)
	}
	return client
}

// TestQuirks: each quirk is applied from the first line on.
func TestQuirks(t *testing.T) {
	search := func(lim engine.Limits) func(c *Client) error {
		return func(c *Client) error {
			_, err := searchOnce(context.Background(), c, lim)
			return err
		}
	}
	raw := func(lines ...string) func(c *Client) error {
		return func(c *Client) error {
			for _, line := range lines {
				if _, err := c.Raw(context.Background(), line); err != nil {
					return err
				}
			}
			return nil
		}
	}
	const nb = "FEN rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w"
	two := []string{">LOAD 2", ">H2-E2", ">H9-G7"}
	for _, c := range []struct {
		quirk string
		m     mischief
		do    func(c *Client) error
		want  []string // sent after LEVEL
	}{
		{"letters=nb", mischief{}, search(engine.Limits{}), slices.Concat([]string{">" + nb}, two, []string{">HINTS 1"})},
		{"side=r", mischief{}, search(engine.Limits{}), slices.Concat([]string{">" + strings.TrimSuffix(startFEN, "w") + "r"}, two, []string{">HINTS 1"})},
		{"load=play", mischief{}, search(engine.Limits{}), []string{">" + startFEN, ">PLAY H2-E2", ">PLAY H9-G7", ">HINTS 1"}},
		{"hints=none", mischief{}, search(engine.Limits{}), slices.Concat([]string{">" + startFEN}, two, []string{">AI", ">UNDO"})},
		{"undo=none", mischief{info: noHints}, search(engine.Limits{}), slices.Concat([]string{">" + startFEN}, two, []string{">AI"})},
		{"ban=none", mischief{}, search(engine.Limits{Ban: mustMoves("I3-I4")}), slices.Concat([]string{">" + startFEN}, two, []string{">HINTS 1"})},
		{"ban=keeps", mischief{}, raw("BAN 1\nA3-A4", "HINTS 1", "HINTS 1"), []string{">BAN 1", ">A3-A4", ">HINTS 1", "~BAN 0", ">HINTS 1"}},
		{"timeout=none", mischief{pace: time.Second}, func(c *Client) error {
			_, err := searchOnce(context.Background(), c, engine.Limits{Time: 3 * time.Second})
			if !errors.Is(err, pluginclient.ErrTimedOut) {
				return errors.Join(errors.New("it was not late"), err)
			}
			return nil
		}, slices.Concat([]string{">" + startFEN}, two, []string{">HINTS 1", ">ABORT", "~LEVEL"})},
		{"bgthink=none", mischief{}, func(c *Client) error {
			return errors.Join(c.SetBGThink(context.Background(), false), search(engine.Limits{})(c))
		}, slices.Concat([]string{">" + startFEN}, two, []string{">HINTS 1"})},
		{"scr=none", mischief{}, func(c *Client) error {
			_, ok, err := c.CompareBoard(context.Background())
			if ok {
				return errors.New("a picture")
			}
			return err
		}, nil},
		{"level=count", mischief{in: on("LEVEL", act{Send: "3\n"})}, func(c *Client) error {
			if level, known := c.Level(); known {
				return errors.New("the level is believed: " + strings.Repeat("I", level))
			}
			return nil
		}, nil},
	} {
		t.Run(c.quirk, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				client := dialQuirky(t, c.quirk, &c.m)
				defer client.Close()
				if err := c.do(client); err != nil {
					t.Error(err)
				}
				sent := plugintest.SentLines(client)[1:]
				if diff := cmp.Diff(c.want, sent[:len(sent):len(sent)]); diff != "" && len(c.want)+len(sent) > 0 {
					t.Errorf("-want +got:\n%s", diff)
				}
			})
		})
	}
}

// TestQuirkAbort: a plugin that is known to ignore ABORT is restarted without a wait.
func TestQuirkAbort(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := &mischief{pace: time.Hour, in: on("ABORT", act{})}
		client := dialQuirky(t, "abort=none", m)
		defer client.Close()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		begun := time.Now()
		if _, err := searchOnce(ctx, client, engine.Limits{}); !errors.Is(err, context.DeadlineExceeded) {
			t.Error(err)
		}
		_ = client.Idle(t.Context())
		if took := time.Since(begun); took != time.Second {
			t.Errorf("it took %v", took)
		}
		if level, err := client.AskLevel(t.Context()); level != 5 || err != nil || m.running.Starts() != 2 {
			t.Errorf("level %d, %v after %d starts", level, err, m.running.Starts())
		}
		if slices.Contains(plugintest.SentLines(client), ">ABORT") {
			t.Error("ABORT was sent")
		}
	})
}

// TestQuirkQuit: a plugin that is known to ignore QUIT is killed at once.
func TestQuirkQuit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client := dialQuirky(t, "quit=none", &mischief{in: on("QUIT", act{})})
		begun := time.Now()
		client.Close()
		if took := time.Since(begun); took != 0 {
			t.Errorf("it took %v", took)
		}
	})
}

// TestQuirkFEN: a position that would be misread is an error, and any other is not.
func TestQuirkFEN(t *testing.T) {
	client := dialQuirky(t, "fenlong=none", &mischief{})
	defer client.Close()
	long, err := xiangqi.ParseFEN("1r1ak1e1r/1h1c1h1c1/R1C1e1C1R/p1p1p1p1p/1P1P1P1P1/1H2P2H1/9/3A1A3/9/3K2E2 b")
	if err != nil {
		t.Fatal(err)
	}
	if err := client.NewGame(t.Context(), long); !errors.Is(err, pluginclient.ErrRefused) || !strings.Contains(err.Error(), "79 bytes") {
		t.Error(err)
	}
	if _, err := searchOnce(t.Context(), client, engine.Limits{}); err != nil {
		t.Error(err)
	}
}

// TestSetQuirk: the error for an unknown quirk lists the known ones.
func TestSetQuirk(t *testing.T) {
	var q Quirks
	for _, c := range []struct{ key, value, want string }{
		{"ban", "twice", "ban=twice: want ban=none or ban=keeps"},
		{"letters", "", "letters=: want letters=nb"},
	} {
		if err := q.Set(c.key, c.value); err == nil || err.Error() != c.want {
			t.Errorf("%s=%s: %v", c.key, c.value, err)
		}
	}
	if err := q.Set("hash", "3"); err == nil || !strings.Contains(err.Error(), "letters=nb, side=r") {
		t.Error(err)
	}
	if q != (Quirks{}) {
		t.Errorf("%v", q)
	}
	for _, known := range q.all() {
		if err := q.Set(known.Key, known.Value); err != nil {
			t.Error(err)
		}
	}
	if n := strings.Count(q.String(), ","); n != len(q.all())-1 {
		t.Error(q)
	}
}
