package qtp

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"qhsh/engine"
	"qhsh/engine/enginetest"
	"qhsh/engine/quoridor"
	"qhsh/pluginclient"
	"qhsh/pluginclient/plugintest"
)

type act = plugintest.Action

// ranker returns a server of an enginetest.Ranker that searches for a second.
func ranker() pluginclient.Program {
	return InProcess(&Server{Searcher: enginetest.Ranker{}, Name: "mischief"})
}

func dial(t testing.TB, p pluginclient.Program, o Options) *Client {
	t.Helper()
	client, err := Dial(t.Context(), p, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { client.Close() })
	return client
}

// at returns the position after moves from the start.
func at(rules quoridor.Rules, moves ...string) engine.Position {
	pos := rules.Start()
	for _, text := range moves {
		m, err := pos.Parse(text)
		if err != nil {
			panic(err)
		}
		if pos, err = pos.Play(m); err != nil {
			panic(err)
		}
	}
	return pos
}

// TestConversation compares what the client sends: only what is missing, in upper case and whole
// words.
func TestConversation(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := dial(t, ranker(), Options{Rules: quoridor.Rules{Size: 5, Walls: 3}})
		defer c.Close()
		five := quoridor.Rules{Size: 5, Walls: 3}
		best := func(pos engine.Position) {
			if _, err := engine.Best(t.Context(), c, pos, engine.Limits{Lines: 3}); err != nil {
				t.Fatal(err)
			}
		}
		best(at(five))
		best(at(five, "C4", "B3h"))
		best(at(five, "C4", "B3h", "white:C2", "D4v"))
		best(at(five, "C4"))
		if err := c.NewGame(t.Context(), at(five, "C4", "c2")); err != nil {
			t.Fatal(err)
		}
		if err := c.Undo(t.Context()); err != nil {
			t.Fatal(err)
		}
		c.Forget()
		best(at(quoridor.Rules{Size: 3, Walls: 0}))
		if _, err := c.Raw(t.Context(), "winner"); err != nil {
			t.Fatal(err)
		}
		want := []string{
			"~name", "~boardsize 5", "~clear_board", "~walls 3",
			">genmove black",
			">undo", ">playmove black C4", ">playwall white B3 horizontal", ">genmove black",
			">undo", ">playmove white C2", ">playwall black D4 vertical", ">genmove white",
			">undo 4", ">genmove white",
			">undo", ">playmove white C2",
			">undo",
			">boardsize 3", ">clear_board", ">walls 0", ">genmove black",
			"~boardsize 5", "~clear_board", "~walls 3", "~playmove black C4", ">winner",
		}
		if diff := cmp.Diff(want, plugintest.SentLines(c)); diff != "" {
			t.Errorf("-want +sent:\n%s", diff)
		}
		if got := c.Position().String(); got != "5 w C4/3 C1/3 -" {
			t.Errorf("the conversation stands at %s", got)
		}
	})
}

// habits are deviations of known engines from the protocol. Each function rewrites a line of a
// server that follows it.
var habits = []struct {
	name string
	out  func(line string) string
	want []string
}{
	{"single line feeds", func(line string) string {
		if line == "" {
			return ""
		}
		return line + "\n"
	}, []string{"response.end"}},
	{"no blank", func(line string) string { return strings.Replace(line, "= ", "=", 1) + "\n" }, []string{"response.blank"}},
	{"two blanks", func(line string) string { return strings.Replace(line, "= ", "=  ", 1) + "\n" }, nil},
	{"no blanks where nothing follows", func(line string) string { return strings.TrimSpace(line) + "\n" }, nil},
	{"an empty line before", func(line string) string {
		if strings.HasPrefix(line, "=") {
			return "\n\n" + line + "\n"
		}
		return line + "\n"
	}, nil},
	{"the result below", func(line string) string {
		if rest, ok := strings.CutPrefix(line, "= "); ok && rest != "" {
			return "=\n" + rest + "\n"
		}
		return line + "\n"
	}, []string{"response.line"}},
	{"carriage returns", func(line string) string { return line + "\r\n" }, nil},
	{"control characters", func(line string) string {
		if line != "" {
			line += "\a"
		}
		return line + "\n"
	}, []string{"response.ascii"}},
	{"tabs", func(line string) string { return strings.Replace(line, "= ", "=\t", 1) + "\n" }, []string{"response.ascii"}},
	{"tabs and control characters", func(line string) string { return strings.Replace(line, "= ", "=\t\x01", 1) + "\n" }, []string{"response.ascii"}},
	{"says that it is done", func(line string) string {
		if line == "= " {
			line = "= ok done"
		}
		return line + "\n"
	}, []string{"response.empty"}},
	{"chatter", func(line string) string {
		if strings.HasPrefix(line, "=") {
			return "thinking ...\n# depth 3\n" + line + "\n"
		}
		return line + "\n"
	}, []string{"response.only"}},
	{"lower case and capitals", func(line string) string { return strings.ToLower(line) + "\n" }, nil},
	{"whole words", func(line string) string {
		if text, ok := strings.CutSuffix(line, " h"); ok {
			line = text + " HORIZONTAL"
		}
		return line + "\n"
	}, nil},
	{"false with the other sign", func(line string) string { return strings.Replace(line, "= false", "? False", 1) + "\n" }, []string{"known.answers", "winner.answers"}},
}

// habitual runs a conversation with an engine. Its result must not depend on the engine's habits.
func habitual(t *testing.T, c *Client) string {
	t.Helper()
	var said strings.Builder
	for _, pos := range []engine.Position{at(quoridor.Default), at(quoridor.Default, "E8", "E2", "E3h")} {
		lines, err := engine.Best(t.Context(), c, pos, engine.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		said.WriteString(pos.Format(lines[0].Move()) + "\n")
	}
	if answer, err := c.Raw(t.Context(), "known_command foo"); err != nil || c.Language().Fails(answer) {
		t.Fatalf("%q, %v", answer, err)
	}
	for _, command := range []string{"playmove black E8", "genmove white", "winner", "undo", "list_commands", "showboard"} {
		answer, err := c.Raw(t.Context(), command)
		if err != nil {
			t.Fatal(err)
		}
		text := strings.ToLower(strings.NewReplacer("\a", "", "\x01", "", "ok done", "").Replace(strings.Join(answer, "\n")))
		if c.Language().Fails(answer) {
			t.Errorf("%s fails: %q", command, answer)
		}
		said.WriteString(command + ": " + strings.Join(strings.Fields(strings.Trim(text, "=?")), " ") + "\n")
	}
	said.WriteString(c.Position().String())
	return said.String()
}

// TestHabits: the client can play with an engine that has any of the habits, and says which rules it
// breaks. For a strict client each is an error, unless it is advice.
func TestHabits(t *testing.T) {
	var want string
	synctest.Test(t, func(t *testing.T) { want = plainly(habitual(t, dial(t, ranker(), Options{}))) })
	for _, h := range habits {
		t.Run(h.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var told []string
				judged := func(j pluginclient.Judgement) { told = append(told, j.Name) }
				m := &plugintest.FaultyEngine{Engine: ranker().Start, OnReply: h.out}
				c := dial(t, pluginclient.Program{Name: "mischief", Start: m.Start}, Options{ClientOptions: pluginclient.ClientOptions{Judged: judged}})
				if diff := cmp.Diff(want, plainly(habitual(t, c))); diff != "" {
					t.Errorf("-without +with the habit:\n%s", diff)
				}
				if !cmp.Equal(h.want, told) {
					t.Errorf("judged %q, want %q", told, h.want)
				}
				if m.Starts() != 1 {
					t.Errorf("it was started %d times", m.Starts())
				}
			})
		})
		t.Run(h.name+" strictly", func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				m := &plugintest.FaultyEngine{Engine: ranker().Start, OnReply: h.out}
				err := strictly(t, pluginclient.Program{Name: "mischief", Start: m.Start})
				isFault := slices.ContainsFunc(h.want, func(rule string) bool { return !ruleTable.Named(rule).Advice })
				if (err != nil) != isFault || isFault && !errors.Is(err, pluginclient.ErrInvalidReply) {
					t.Errorf("error %v", err)
				}
			})
		})
	}
}

// strictly returns the first error of a strict client.
func strictly(t *testing.T, p pluginclient.Program) error {
	c, err := Dial(t.Context(), p, Options{Strict: true})
	if err != nil {
		return err
	}
	defer c.Close()
	for _, command := range []string{"known_command foo", "playmove black E8", "genmove white", "winner", "list_commands"} {
		if _, err := c.Raw(t.Context(), command); err != nil {
			return err
		}
	}
	return nil
}

// plainly is what a conversation reports besides the habits.
func plainly(said string) string {
	return strings.NewReplacer(" horizontal", " h", "= ", "", "=", "").Replace(said)
}

// TestGenerousWithWalls: if an engine accepts one wall too many, the client reports it and restores
// the game.
func TestGenerousWithWalls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := &plugintest.FaultyEngine{Engine: ranker().Start, OnReply: func(line string) string {
			return strings.Replace(line, "? illegal move", "= ", 1) + "\n"
		}}
		c := dial(t, pluginclient.Program{Name: "mischief", Start: m.Start}, Options{Rules: quoridor.Rules{Size: 5, Walls: 0}})
		answer, err := c.Raw(t.Context(), "playwall black B3 h")
		if !errors.Is(err, pluginclient.ErrInvalidReply) || !strings.Contains(err.Error(), "no walls left") || !cmp.Equal(answer, []string{"= "}) {
			t.Errorf("%q, %v", answer, err)
		}
		if got := c.Position().String(); got != "5 b C5/0 C1/0 -" {
			t.Errorf("the conversation stands at %s", got)
		}
		if _, err := engine.Best(t.Context(), c, c.Position(), engine.Limits{}); err != nil {
			t.Error(err)
		}
		sent := plugintest.SentLines(c)
		if want := []string{">playwall black B3 h", ">boardsize 5", ">clear_board", ">walls 0", ">genmove black"}; !cmp.Equal(sent[len(sent)-5:], want) {
			t.Errorf("sent %q", sent)
		}
	})
}

// TestSecondResponse: a second response to genmove that comes after the next command is not taken for
// that command's.
func TestSecondResponse(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var asked atomic.Bool
		again := make(chan string, 1)
		m := &plugintest.FaultyEngine{
			Engine: ranker().Start,
			OnReply: func(line string) string {
				if asked.Swap(false) {
					again <- line + "\n\n"
				}
				return line + "\n"
			},
			OnCommand: func(line string) act {
				time.Sleep(time.Millisecond)
				asked.Store(strings.HasPrefix(line, "genmove"))
				select {
				case text := <-again:
					return act{Send: text, Obey: []string{line}}
				default:
					return plugintest.Obey(line)
				}
			},
		}
		var told []string
		c := dial(t, pluginclient.Program{Name: "mischief", Start: m.Start}, Options{ClientOptions: pluginclient.ClientOptions{Judged: func(j pluginclient.Judgement) { told = append(told, j.Name) }}})
		for _, pos := range []engine.Position{at(quoridor.Default), at(quoridor.Default, "E8", "E2"), at(quoridor.Default, "E8", "E2", "E7", "E3")} {
			if _, err := engine.Best(t.Context(), c, pos, engine.Limits{}); err != nil {
				t.Error(err)
			}
		}
		if m.Starts() != 1 || !cmp.Equal(told, []string{"response.single", "response.single"}) {
			t.Errorf("%d starts, judged %q", m.Starts(), told)
		}
	})
}

// TestLateResponse: a response that comes while the client asks whether the engine is still there is
// the command's.
func TestLateResponse(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var slow atomic.Bool
		m := &plugintest.FaultyEngine{
			Engine: ranker().Start,
			OnCommand: func(line string) act {
				slow.Store(strings.HasPrefix(line, "walls"))
				return plugintest.Obey(line)
			},
			OnReply: func(line string) string {
				if slow.Swap(false) {
					time.Sleep(7 * time.Second)
				}
				return line + "\n"
			},
		}
		var told []string
		c := dial(t, pluginclient.Program{Name: "mischief", Start: m.Start}, Options{ClientOptions: pluginclient.ClientOptions{Judged: func(j pluginclient.Judgement) { told = append(told, j.Name) }}})
		if _, err := engine.Best(t.Context(), c, c.Position(), engine.Limits{}); err != nil || m.Starts() != 1 || len(told) > 0 {
			t.Errorf("%v, %d starts, judged %q", err, m.Starts(), told)
		}
	})
}

// TestMisbehaviour: whatever an engine does causes only an error that says what it did, within the
// deadlines. The next search finds the engine working or restarted.
func TestMisbehaviour(t *testing.T) {
	on, say := plugintest.On, plugintest.Send
	second := engine.Limits{Time: time.Second}
	none := engine.Limits{}
	for _, c := range []struct {
		name string
		in   plugintest.Behaviour
		lim  engine.Limits
		kind error
		most time.Duration
	}{
		{"speaks another protocol", func(string) act { return say("ERROR unknown command\n") }, none, pluginclient.ErrInvalidReply, 3 * time.Second},
		{"hangs at the start", func(string) act { return act{} }, none, pluginclient.ErrStart, 31 * time.Second},
		{"dies at once", func(string) act { return act{Die: true} }, none, pluginclient.ErrDied, 2 * time.Second},
		{"floods at the start", func(string) act { return act{Flood: true} }, none, pluginclient.ErrFlood, 2 * time.Second},
		{"hangs at playmove", on("playmove", act{Hang: true}), none, pluginclient.ErrNoReply, 12 * time.Second},
		{"passes over playmove", on("playmove", act{}), none, pluginclient.ErrRefused, 12 * time.Second},
		{"refuses playmove", on("playmove", say("? illegal move\n\n")), none, pluginclient.ErrRefused, 3 * time.Second},
		{"refuses undo", on("undo", say("? cannot undo\n\n")), none, nil, 5 * time.Second},
		{"refuses the size", on("boardsize", say("? unacceptable size\n\n")), none, pluginclient.ErrRefused, 3 * time.Second},
		{"hangs at genmove", on("genmove", act{Hang: true}), second, pluginclient.ErrNoReply, 6 * time.Second},
		{"thinks for ever", on("genmove", act{Hang: true}), none, pluginclient.ErrNoReply, 5*time.Minute + 5*time.Second},
		{"dies at genmove", on("genmove", act{Die: true}), none, pluginclient.ErrDied, 3 * time.Second},
		{"floods at genmove", on("genmove", act{Flood: true}), none, pluginclient.ErrFlood, 3 * time.Second},
		{"half a line", on("genmove", act{Send: "= E", Hang: true}), second, pluginclient.ErrPartialLine, 6 * time.Second},
		{"an endless line", on("genmove", say(strings.Repeat("x", 2<<20))), none, pluginclient.ErrFlood, 3 * time.Second},
		{"passes", on("genmove", say("= pass\n\n")), none, pluginclient.ErrInvalidReply, 3 * time.Second},
		{"answers nothing", on("genmove", say("= \n\n")), none, pluginclient.ErrInvalidReply, 3 * time.Second},
		{"fails to move", on("genmove", say("? no idea\n\n")), none, pluginclient.ErrRefused, 3 * time.Second},
		{"plays the impossible", on("genmove", say("= E1\n\n")), none, pluginclient.ErrIllegal, 3 * time.Second},
		{"builds off the board", on("genmove", say("= I9 v\n\n")), none, pluginclient.ErrIllegal, 3 * time.Second},
		{"an unknown orientation", on("genmove", say("= E5 x\n\n")), none, pluginclient.ErrInvalidReply, 3 * time.Second},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				m := &plugintest.FaultyEngine{Engine: ranker().Start, OnCommand: func(line string) act {
					time.Sleep(time.Millisecond) // until the answers to earlier commands are whole
					return c.in(line)
				}}
				plugintest.FaultTest{
					Faulty: m, Name: "mischief", Pos: at(quoridor.Default, "E8", "E2"), Limits: c.lim, WantErr: c.kind, MaxTime: c.most,
					Dial: func() (pluginclient.Session, error) {
						client, err := Dial(t.Context(), pluginclient.Program{Name: "mischief", Start: m.Start}, Options{})
						if err != nil {
							return nil, err
						}
						return client, nil
					},
				}.Run(t)
			})
		})
	}
}

// TestGivenUp: an engine that moves soon after ctx has ended keeps running and takes the move back;
// one that does not is restarted.
func TestGivenUp(t *testing.T) {
	for _, c := range []struct {
		thinks time.Duration
		starts int
		sent   []string // in the end
	}{
		{2 * time.Second, 1, []string{">genmove black", ">undo", ">genmove black"}},
		{time.Hour, 2, []string{">genmove black", "~name", ">boardsize 9", ">clear_board", ">walls 10", ">genmove black"}},
	} {
		synctest.Test(t, func(t *testing.T) {
			limits := func() engine.Limits { return engine.Limits{Time: c.thinks} }
			server := &Server{Searcher: enginetest.Ranker{Depth: 1 << 20, Pace: 100 * time.Millisecond}, Name: "slow", Limits: limits}
			m := &plugintest.FaultyEngine{Engine: InProcess(server).Start}
			client := dial(t, pluginclient.Program{Name: "slow", Start: m.Start}, Options{})
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			begun := time.Now()
			_, err := engine.Best(ctx, client, at(quoridor.Default), engine.Limits{})
			if !errors.Is(err, context.DeadlineExceeded) || time.Since(begun) != time.Second {
				t.Errorf("%v after %v", err, time.Since(begun))
			}
			if err := client.Idle(t.Context()); (err != nil) != (c.starts > 1) {
				t.Errorf("at rest: %v", err)
			}
			if time.Since(begun) > 4*time.Second {
				t.Errorf("at rest after %v", time.Since(begun))
			}
			now, moveNow := context.WithCancelCause(t.Context())
			if c.thinks < time.Minute {
				time.AfterFunc(time.Second, func() { moveNow(engine.ErrMoveNow) })
			} else {
				server.Limits = nil
			}
			if _, err := engine.Best(now, client, at(quoridor.Default), engine.Limits{}); err != nil {
				t.Error(err)
			}
			if m.Starts() != c.starts {
				t.Errorf("it was started %d times, want %d", m.Starts(), c.starts)
			}
			sent := plugintest.SentLines(client)
			if got := sent[len(sent)-len(c.sent):]; !cmp.Equal(got, c.sent) {
				t.Errorf("sent %q", sent)
			}
			moveNow(nil)
		})
	}
}

// TestRefuses: what the protocol cannot express is an error, and nothing is sent.
func TestRefuses(t *testing.T) {
	c := dial(t, ranker(), Options{})
	spoken := len(plugintest.SentLines(c))
	start := at(quoridor.Default)
	odd, err := quoridor.Default.Position("9 b E9/10 E1/10 B3h")
	if err != nil {
		t.Fatal(err)
	}
	over, err := quoridor.Default.Position("9 w E1/10 E2/10 -")
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range []struct {
		pos  engine.Position
		lim  engine.Limits
		want string
	}{
		{start, engine.Limits{Nodes: 5}, "mischief: QTP carries no level and no limit on nodes or depth: use a time"},
		{start, engine.Limits{Level: 5}, "mischief: QTP carries no level and no limit on nodes or depth: use a time"},
		{start, engine.Limits{Ban: start.Moves()}, "every legal move is banned: no move to choose from"},
		{over, engine.Limits{}, "goal reached: no move to choose from"},
		{odd, engine.Limits{}, "mischief: position: 9 b E9/10 E1/10 B3h cannot be set up over QTP: the remaining and the built walls do not add up to equal numbers for both sides"},
		{enginetest.Stones.Start(), engine.Limits{}, "mischief: the position is of Stones, and the engine plays Quoridor"},
	} {
		if _, err := engine.Best(t.Context(), c, r.pos, r.lim); err == nil || err.Error() != r.want {
			t.Errorf("%v: %v, want %s", r.pos, err, r.want)
		}
	}
	if err := c.SetLevel(t.Context(), 3); !errors.Is(err, pluginclient.ErrRefused) {
		t.Errorf("level 3: %v", err)
	}
	if sent := plugintest.SentLines(c); len(sent) != spoken {
		t.Errorf("sent %q", sent[spoken:])
	}
	only := engine.Limits{Ban: start.Moves()[1:]} // which the ranker does not play
	if _, err := engine.Best(t.Context(), c, start, only); !errors.Is(err, pluginclient.ErrRefused) {
		t.Errorf("a banned move: %v", err)
	}
}

// TestConfirm checks results at the end of a game.
func TestConfirm(t *testing.T) {
	over := at(quoridor.Rules{Size: 3, Walls: 0}, "B2", "A1", "C2", "A2", "C1")
	c := dial(t, ranker(), Options{})
	if err := c.CheckResult(t.Context(), over); err != nil {
		t.Error(err)
	}
	m := &plugintest.FaultyEngine{Engine: ranker().Start, OnCommand: plugintest.On("winner", plugintest.Send("= false\n\n"))}
	c = dial(t, pluginclient.Program{Name: "mischief", Start: m.Start}, Options{})
	if err := c.CheckResult(t.Context(), over); !errors.Is(err, pluginclient.ErrInvalidReply) {
		t.Errorf("it denies the end: %v", err)
	}
}
