package script

import (
	"context"
	"iter"
	"strings"
	"testing"

	"qhsh/engine"
	"qhsh/engine/xiangqi"
	"qhsh/pluginclient"
	"qhsh/pluginclient/task/batch"
	"qhsh/pluginclient/task/match"
	"qhsh/pluginclient/task/tree"
)

// confused is a Session over fake that proposes an illegal move until it is restarted.
type confused struct {
	pluginclient.Session // nil: not used here
	restarts             int
}

func (c *confused) Info() pluginclient.Info    { return pluginclient.Info{Name: "Confused"} }
func (c *confused) Level() (int, bool)         { return 0, false }
func (c *confused) Trace() *pluginclient.Trace { return pluginclient.NewTrace("confused", nil) }
func (c *confused) Position() engine.Position  { return xiangqi.Start() }
func (c *confused) Close() error               { return nil }

func (c *confused) open(context.Context) (pluginclient.Session, error) { return c, nil }

func (c *confused) Restart(context.Context) error {
	c.restarts++
	return nil
}

func (c *confused) Search(ctx context.Context, pos engine.Position, lim engine.Limits) iter.Seq2[[]engine.Line, error] {
	if c.restarts > 0 {
		return fake{}.Search(ctx, pos, lim)
	}
	return func(yield func([]engine.Line, error) bool) {
		yield([]engine.Line{{Moves: []engine.Move{engine.NoMove}}}, nil)
	}
}

// TestConfused: each function that gets an invalid reply from the engine restarts it and returns a
// valid reply.
func TestConfused(t *testing.T) {
	start := xiangqi.Start()
	scripted := func(source string) func(t *testing.T, c *confused) string {
		return func(t *testing.T, c *confused) string {
			s := newStage()
			s.Allowed, s.confused = []string{"confused"}, c
			answer, pathErr, _ := strings.Cut(s.run(t, "e = engine('confused')\n"+source), "\n")
			if want := "!Confused: search: an illegal move as hint 1; retrying (position "; !strings.HasPrefix(pathErr, want) {
				t.Errorf("told %q", pathErr)
			}
			return answer
		}
	}
	for name, ask := range map[string]func(t *testing.T, c *confused) string{
		"hints": func(t *testing.T, c *confused) string {
			pool, err := batch.NewPool(t.Context(), batch.PoolOptions{Open: c.open})
			if err != nil {
				t.Fatal(err)
			}
			reply, err := pool.Ask(t.Context(), start)
			if err != nil || reply.Err != nil || reply.Recovered == nil {
				t.Fatalf("error %v, %v; healed %v", err, reply.Err, reply.Recovered)
			}
			return reply.Hints[0].Move
		},
		"tree": func(t *testing.T, c *confused) string {
			grown, err := tree.Grow(t.Context(), c, start, tree.Options{Width: 1, Depth: 1})
			if err != nil {
				t.Fatal(err)
			}
			return grown.Root.Children[0].Name
		},
		"script": scripted("print(e.best(board()).move)\n"),
		"annotate": scripted(`
judged = game(board("startpos moves a0a1")).annotate(e).judgement
print([m["move"] for m in json.decode(judged)["moves"] if m["class"] == "best"][0])
`),
	} {
		t.Run(name, func(t *testing.T) {
			c := &confused{}
			if got := ask(t, c); got != "A0-A1" || c.restarts != 1 {
				t.Errorf("%s after %d restarts", got, c.restarts)
			}
		})
	}
}

// records is an Output of a match that keeps its records.
type records []match.Record

func (r *records) Write(record match.Record) error {
	*r = append(*r, record)
	return nil
}

// TestConfusedPlayer: in a match an invalid reply is a fault, and the request is not repeated.
func TestConfusedPlayer(t *testing.T) {
	c, sane := &confused{}, &confused{restarts: 1}
	var games records
	_, err := match.Run(t.Context(), &match.Config{
		Game: xiangqi.Rules, Tournament: match.RoundRobin, Order: match.Sequential, Games: 1, Rounds: 1,
		Players: []match.Player{{Name: "confused", Spec: "confused", Open: c.open}, {Name: "sane", Spec: "sane", Open: sane.open}},
	}, match.Options{Outputs: []match.Output{&games}})
	if err != nil || len(games) != 1 {
		t.Fatalf("%d games, error %v", len(games), err)
	}
	if g := games[0]; g.Reason != "illegal move" || g.Fault == nil || g.Fault.Player != "confused" || c.restarts != 0 {
		t.Errorf("%s %s, fault %+v, %d restarts", g.Result, g.Reason, g.Fault, c.restarts)
	}
}
