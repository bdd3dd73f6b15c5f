package qhplugin

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"qhsh/engine"
	"qhsh/engine/xiangqi"
	"qhsh/pluginclient"
	"qhsh/pluginclient/plugintest"
)

// The tests of this file show that a host never waits forever.

// ignoring makes a plugin ignore commands.
func ignoring(commands ...string) plugintest.Behaviour {
	return func(line string) act {
		if slices.Contains(commands, line) {
			return act{}
		}
		return obey(line)
	}
}

// TestDeadlines: every wait has a deadline and lasts that long. The defaults: 30 s for the start, 5
// s for a reply (and for the ping that follows), 5 minutes for a search or its time limit plus 3 s,
// and 2 s after ABORT.
func TestDeadlines(t *testing.T) {
	def := pluginclient.Deadlines{
		Start: 30 * time.Second, Reply: 5 * time.Second, Think: 5 * time.Minute,
		Late: 3 * time.Second, Abort: 2 * time.Second, Quit: time.Second,
	}
	own := pluginclient.Deadlines{
		Start: 7 * time.Second, Reply: 11 * time.Second, Think: 13 * time.Second,
		Late: 17 * time.Second, Abort: 19 * time.Second, Quit: 23 * time.Second,
	}
	const moment = 10 * time.Millisecond
	for _, c := range []struct {
		name string
		m    func(d pluginclient.Deadlines) mischief
		lim  engine.Limits
		took func(d pluginclient.Deadlines) time.Duration
		kind error
	}{
		{
			"start", func(pluginclient.Deadlines) mischief { return mischief{in: deaf("LEVEL")} },
			engine.Limits{},
			func(d pluginclient.Deadlines) time.Duration { return d.Start }, pluginclient.ErrStart,
		},
		{
			"a slow start", func(d pluginclient.Deadlines) mischief { return mischief{in: slow("LEVEL", d.Start-moment)} },
			engine.Limits{},
			func(d pluginclient.Deadlines) time.Duration { return d.Start - moment }, nil,
		},
		{
			"reply", func(pluginclient.Deadlines) mischief { return mischief{in: deaf("FEN")} },
			engine.Limits{},
			func(d pluginclient.Deadlines) time.Duration { return 2 * d.Reply }, pluginclient.ErrNoReply,
		},
		{
			"a slow reply", func(d pluginclient.Deadlines) mischief { return mischief{in: slow("FEN", d.Reply-moment)} },
			engine.Limits{},
			func(d pluginclient.Deadlines) time.Duration { return d.Reply - moment }, nil,
		},
		{
			"thinking", func(pluginclient.Deadlines) mischief { return mischief{in: ignoring("HINTS 1")} },
			engine.Limits{},
			func(d pluginclient.Deadlines) time.Duration { return d.Think + d.Abort }, pluginclient.ErrNoReply,
		},
		{
			"long thinking", func(d pluginclient.Deadlines) mischief { return mischief{in: slow("HINTS", d.Think-moment)} },
			engine.Limits{},
			func(d pluginclient.Deadlines) time.Duration { return d.Think - moment }, nil,
		},
		{
			"thinking with a time", func(pluginclient.Deadlines) mischief { return mischief{in: ignoring("HINTS 1")} },
			engine.Limits{Time: 4 * time.Second},
			func(d pluginclient.Deadlines) time.Duration { return 4*time.Second + d.Late + d.Abort }, pluginclient.ErrNoReply,
		},
		{
			"a late answer", func(d pluginclient.Deadlines) mischief {
				return mischief{pace: time.Hour, in: slow("TIMEOUT", d.Late-moment)}
			},
			engine.Limits{Time: 4 * time.Second},
			func(d pluginclient.Deadlines) time.Duration { return 4*time.Second + d.Late - moment }, nil,
		},
		{
			"a late answer to ABORT", func(d pluginclient.Deadlines) mischief {
				return mischief{pace: time.Hour, in: func(line string) act {
					switch line {
					case "TIMEOUT":
						return act{}
					case "ABORT":
						time.Sleep(d.Abort - moment)
					}
					return obey(line)
				}}
			},
			engine.Limits{Time: 4 * time.Second},
			func(d pluginclient.Deadlines) time.Duration { return 4*time.Second + d.Late + d.Abort - moment }, pluginclient.ErrTimedOut,
		},
	} {
		for _, d := range []struct{ given, want pluginclient.Deadlines }{{pluginclient.Deadlines{}, def}, {own, own}} {
			t.Run(fmt.Sprintf("%s, start %v", c.name, d.want.Start), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					m := c.m(d.want)
					begun := time.Now()
					client, err := Dial(t.Context(), m.plugin(), Options{ClientOptions: pluginclient.ClientOptions{Deadlines: d.given}})
					if err == nil {
						defer client.Close()
						_, err = searchOnce(t.Context(), client, c.lim)
					}
					if took := time.Since(begun); !errors.Is(err, c.kind) || took != c.took(d.want) {
						t.Errorf("error %v after %v, want %v after %v", err, took, c.kind, c.took(d.want))
					}
				})
			})
		}
	}
}

// TestLateButObedient: a plugin that takes too long but obeys ABORT is not lost, and the next call
// uses the same process.
func TestLateButObedient(t *testing.T) {
	for _, c := range []struct {
		name string
		info func(*Info)
		call func(ctx context.Context, c *Client) error
	}{
		{"HINTS", nil, func(ctx context.Context, c *Client) error {
			_, err := searchOnce(ctx, c, engine.Limits{})
			return err
		}},
		{"AI", noHints, func(ctx context.Context, c *Client) error {
			_, err := searchOnce(ctx, c, engine.Limits{})
			return err
		}},
		{"a move by AI", nil, func(ctx context.Context, c *Client) error {
			_, err := c.AI(ctx, engine.Limits{})
			return err
		}},
		{"raw AI", nil, func(ctx context.Context, c *Client) error { _, err := c.Raw(ctx, "AI"); return err }},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				m := &mischief{info: c.info, pace: time.Hour}
				client := dialMischief(t, m)
				defer client.Close()
				begun := time.Now()
				err := c.call(t.Context(), client)
				if !errors.Is(err, pluginclient.ErrTimedOut) || pluginclient.Lost(err) || time.Since(begun) != 5*time.Minute {
					t.Errorf("error %v after %v", err, time.Since(begun))
				}
				if err := client.Idle(t.Context()); err != nil {
					t.Errorf("idle: %v", err)
				}
				if err := client.Load(t.Context(), mustMoves("H2-E2")[0]); err != nil || m.running.Starts() != 1 {
					t.Errorf("after that: %v; it was started %d times", err, m.running.Starts())
				}
			})
		})
	}
}

// TestDeadlinesOfCalls: the deadlines of other calls than Search. Raw of QUIT ends like Close.
func TestDeadlinesOfCalls(t *testing.T) {
	raw := func(text string) func(ctx context.Context, c *Client) error {
		return func(ctx context.Context, c *Client) error {
			_, err := c.Raw(ctx, text)
			return err
		}
	}
	quiet := pluginclient.ErrNoReply
	for _, c := range []struct {
		name string
		in   plugintest.Behaviour
		call func(ctx context.Context, c *Client) error
		took time.Duration
		kind error
	}{
		{"AskLevel", nil, func(ctx context.Context, c *Client) error { _, err := c.AskLevel(ctx); return err }, 5 * time.Second, quiet},
		{"SetLevel", nil, func(ctx context.Context, c *Client) error { return c.SetLevel(ctx, 3) }, 10 * time.Second, quiet},
		{"CompareBoard", nil, func(ctx context.Context, c *Client) error { _, _, err := c.CompareBoard(ctx); return err }, 5 * time.Second, quiet},
		{"raw SCR", nil, raw("SCR"), 5 * time.Second, quiet},
		{"raw LEVEL", nil, raw("LEVEL"), 10 * time.Second, quiet},
		{"raw UNDO", nil, raw("UNDO"), 10 * time.Second, quiet},
		{"raw UNDO", ignoring("UNDO"), raw("UNDO"), 5 * time.Second, pluginclient.ErrRefused},
		{"raw AI", nil, raw("AI"), 5*time.Minute + 2*time.Second, quiet},
		{"raw HINTS", ignoring("HINTS"), raw("HINTS"), 5*time.Minute + 2*time.Second, quiet},
		{"raw QUIT", nil, raw("QUIT"), time.Second, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				started := false // it obeys until then
				in := func(line string) act {
					switch {
					case !started:
						return obey(line)
					case c.in != nil:
						return c.in(line)
					}
					return act{}
				}
				client := dialMischief(t, &mischief{in: in, lives: 1})
				defer client.Close()
				synctest.Wait()
				started = true
				begun := time.Now()
				if err := c.call(t.Context(), client); !errors.Is(err, c.kind) || time.Since(begun) != c.took {
					t.Errorf("error %v after %v, want %v after %v", err, time.Since(begun), c.kind, c.took)
				}
			})
		})
	}
}

// TestEveryWaitHasAContext: when ctx ends, a call returns its cause at once, whatever the plugin
// does.
func TestEveryWaitHasAContext(t *testing.T) {
	why := errors.New("had enough")
	ban := engine.Limits{Level: 3, Ban: mustMoves("I3-I4")}
	for _, c := range []struct {
		command string
		m       mischief
	}{
		{"LEVEL", mischief{}},
		{"FEN", mischief{}},
		{"LOAD", mischief{}},
		{"BAN", mischief{}},
		{"HINTS", mischief{}},
		{"LEVEL 3", mischief{}},
		{"AI", mischief{info: noHints}},
		{"UNDO", mischief{info: noHints}},
		{"AI", mischief{info: func(i *Info) { i.Hints, i.Timeout = false, false }}},
	} {
		t.Run(c.command, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c.m.in = deaf(c.command)
				ctx, cancel := context.WithCancelCause(t.Context())
				time.AfterFunc(time.Second, func() { cancel(why) })
				begun := time.Now()
				client, err := Dial(ctx, c.m.plugin(), Options{})
				if err == nil {
					defer client.Close()
					_, err = searchOnce(ctx, client, ban)
				}
				// Dial ends the plugin before it returns, after the time for QUIT.
				took := time.Since(begun)
				if client == nil && took == 2*time.Second {
					took -= time.Second
				}
				if !errors.Is(err, why) || took != time.Second {
					t.Errorf("error %v after %v", err, took)
				}
			})
		})
	}
	synctest.Test(t, func(t *testing.T) {
		client := dialMischief(t, &mischief{})
		defer client.Close()
		ctx, cancel := context.WithCancelCause(t.Context())
		cancel(why)
		for range 10 { // to rule out chance
			for _, err := range []error{
				client.SetLevel(ctx, 3), client.NewGame(ctx, xiangqi.Start()), client.Load(ctx, mustMoves("H2-E2")[0]),
			} {
				if !errors.Is(err, why) {
					t.Errorf("error %v", err)
				}
			}
		}
		synctest.Wait()
		checkSent(t, client, "~LEVEL")
	})
}

// TestNoFlushUntilExit: a plugin that flushes its output only at its end is handled like one that
// hangs.
func TestNoFlushUntilExit(t *testing.T) {
	for _, from := range []string{"LEVEL", "FEN", "HINTS"} {
		synctest.Test(t, func(t *testing.T) {
			held, text := false, ""
			m := &mischief{lives: 1}
			m.in = func(line string) act {
				held = held || strings.HasPrefix(line, from)
				if line == "QUIT" {
					return act{Send: text, Die: true}
				}
				return obey(line)
			}
			m.out = func(line string) string {
				if held {
					text += line + "\n"
					return ""
				}
				return line + "\n"
			}
			client, err := Dial(t.Context(), m.plugin(), Options{})
			if err == nil {
				defer client.Close()
				_, err = searchOnce(t.Context(), client, engine.Limits{Time: time.Second})
			}
			if !errors.Is(err, pluginclient.ErrNoReply) {
				t.Errorf("from %s on: %v", from, err)
			}
			if client == nil {
				return
			}
			if _, err := searchOnce(t.Context(), client, engine.Limits{Time: time.Second}); err != nil {
				t.Errorf("from %s on, the next: %v", from, err)
			}
		})
	}
}

// TestGivenUp: a plugin is not judged by what the client did not wait for.
func TestGivenUp(t *testing.T) {
	enough := errors.New("had enough")
	for _, command := range []string{"LEVEL", "LEVEL 3", "FEN", "LOAD", "SCR", "HINTS"} {
		t.Run(command, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithCancelCause(t.Context())
				m := mischief{in: slow(command, time.Second/2)}
				time.AfterFunc(time.Second/10, func() { cancel(enough) })
				client, err := Dial(ctx, m.plugin(), Options{ClientOptions: pluginclient.ClientOptions{Judged: func(j pluginclient.Judgement) { t.Errorf("%s: %s", j.Name, j.What) }}})
				if err == nil {
					if _, _, err = client.CompareBoard(ctx); command != "SCR" {
						_, err = searchOnce(ctx, client, engine.Limits{Level: 3})
					}
					client.Close()
				}
				if !errors.Is(err, enough) {
					t.Error(err)
				}
			})
		})
	}
	t.Run("killed", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			m := mischief{in: slow("QUIT", time.Second/2)}
			client, err := Dial(t.Context(), m.plugin(), Options{ClientOptions: pluginclient.ClientOptions{Judged: func(j pluginclient.Judgement) { t.Errorf("%s: %s", j.Name, j.What) }}})
			if err != nil {
				t.Fatal(err)
			}
			time.AfterFunc(time.Second/10, client.Kill)
			client.Close()
		})
	})
	t.Run("info", func(t *testing.T) {
		ctx, cancel := context.WithCancelCause(t.Context())
		plugin := (&mischief{}).plugin()
		plugin.Info = func(context.Context) (Info, error) {
			cancel(enough)
			return Info{}, errNoEndInfo
		}
		if _, err := Dial(ctx, plugin, Options{ClientOptions: pluginclient.ClientOptions{Warn: func(text string) { t.Error(text) }}}); !errors.Is(err, enough) {
			t.Error(err)
		}
	})
}
