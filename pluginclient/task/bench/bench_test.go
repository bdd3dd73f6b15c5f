package bench

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"qhsh/engine"
	"qhsh/pluginclient"
)

const ms = time.Millisecond

// TestOrder checks that engines take turns, that the first one changes, that each forgets before a
// position, and that remote engines get a warm-up search.
func TestOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var d callLog
		config := Config{Positions: stones(t, "9 first", "8 first"), Limits: engine.Limits{Nodes: 50}, Repeat: 2}
		engines := []Engine{
			{Name: "a", Session: &fake{name: "a", log: &d, pace: []time.Duration{ms}}},
			{Name: "b", Session: &fake{name: "b", log: &d, pace: []time.Duration{ms}}, Remote: true},
		}
		var calls []string
		if _, err := Run(t.Context(), config, engines, func(done, total int) { calls = append(calls, fmt.Sprint(done, "/", total)) }); err != nil {
			t.Fatal(err)
		}
		var short []string
		for _, line := range d {
			words := strings.Fields(line)
			if words[1] == "forgets" {
				short = append(short, line)
				continue
			}
			short = append(short, fmt.Sprint(words[0], " ", words[1], strings.Contains(line, " Nodes:50 ")))
		}
		want := []string{
			"a forgets", "a 9true", "b forgets", "b 9false", "b 9true",
			"b forgets", "b 8false", "b 8true", "a forgets", "a 8true",
			"b forgets", "b 9false", "b 9true", "a forgets", "a 9true",
			"a forgets", "a 8true", "b forgets", "b 8false", "b 8true",
		}
		if diff := cmp.Diff(want, short); diff != "" {
			t.Errorf("requests (-want +got):\n%s", diff)
		}
		if diff := cmp.Diff([]string{"1/8", "2/8", "3/8", "4/8", "5/8", "6/8", "7/8", "8/8"}, calls); diff != "" {
			t.Errorf("progress (-want +got):\n%s", diff)
		}
	})
}

// TestWarmUp checks that the warm-up has the same kind of limits, and that there is none for a
// level.
func TestWarmUp(t *testing.T) {
	for _, c := range []struct{ lim, want engine.Limits }{
		{engine.Limits{Depth: 9, Nodes: 7}, engine.Limits{Depth: 1}},
		{engine.Limits{Nodes: 7, Lines: 3}, engine.Limits{Nodes: 1}},
		{engine.Limits{Level: 3, Time: time.Second}, engine.Limits{Level: 3, Time: ms}},
	} {
		if got, ok := warmUp(c.lim); !ok || !cmp.Equal(got, c.want) {
			t.Errorf("warm-up for %+v: %+v, %v", c.lim, got, ok)
		}
	}
	if _, ok := warmUp(engine.Limits{Level: 3}); ok {
		t.Error("warm-up for a level")
	}
}

// measure runs three repetitions of two positions.
func measure(t *testing.T, config Config, engines ...Engine) *Report {
	t.Helper()
	config.Positions, config.Repeat = stones(t, "9 first", "8 second"), 3
	r, err := Run(t.Context(), config, engines, nil)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func text(t *testing.T, r *Report) string {
	t.Helper()
	var b strings.Builder
	if err := writeText(&b, r); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func check(t *testing.T, got, want string) {
	t.Helper()
	if diff := cmp.Diff(strings.TrimPrefix(want, "\n"), got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// TestOneEngine checks the medians of three repetitions, of which the second is slow.
func TestOneEngine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{name: "a", log: new(callLog), pace: []time.Duration{ms, 2 * ms, 9 * ms, 9 * ms, 2 * ms, 4 * ms}}
		r := measure(t, Config{Limits: engine.Limits{Nodes: 1000}}, Engine{Name: "a", Session: f, Repeatable: true})
		check(t, text(t, r), `
position  nodes    time  nodes/s  depth    move
1          1000  2.000s      500      3  roll 1
2          1000  4.000s      250      3  roll 1
all        2000  6.000s      333      -
signature `+r.signature(0)+"\n")
		if got := r.signature(0); len(got) != 8 || got == "varies" {
			t.Errorf("signature %q", got)
		}
	})
}

// TestSideBySide checks that the ratio is the median of the ratios of each repetition, not the
// ratio of medians. One engine reports no nodes, another has searched more than it reports.
func TestSideBySide(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		pace := func(paces ...time.Duration) *fake {
			return &fake{name: "x", log: new(callLog), pace: paces}
		}
		noNodes, busy := pace(ms), pace(ms)
		noNodes.noNodes, busy.extraNodes = true, 1000
		r := measure(
			t, Config{Limits: engine.Limits{Nodes: 1000}},
			Engine{Name: "first", Session: pace(ms, ms, 4*ms, 4*ms, 2*ms, 2*ms), Repeatable: true},
			Engine{Name: "other", Session: pace(2*ms, 2*ms, 2*ms, 2*ms, 8*ms, 8*ms)},
			Engine{Name: "mute", Session: noNodes},
			Engine{Name: "busy", Session: busy},
		)
		check(t, text(t, r), `
nodes/s  first  other      mute  busy
1          500    500  (1.000s)  1000
2          500    500  (1.000s)  1000

engine  nodes    time  nodes/s  ratio  signature
first    2000  4.000s      500  1.000   `+r.signature(0)+`
other    2000  4.000s      500  0.500
mute        -  2.000s        -      -
busy     4000  4.000s     1000  2.000
`)
	})
}

// TestSignature checks that signatures distinguish results, and that results that depend on chance
// or time have none.
func TestSignature(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sign := func(repeatable bool, lim engine.Limits) string {
			f := &fake{log: new(callLog), pace: []time.Duration{ms}}
			return measure(t, Config{Limits: lim}, Engine{Session: f, Repeatable: repeatable}).signature(0)
		}
		a, again, b := sign(true, engine.Limits{Nodes: 50}), sign(true, engine.Limits{Nodes: 50}), sign(true, engine.Limits{Nodes: 51})
		if a != again || a == b || len(a) != 8 {
			t.Errorf("signatures %q, %q and, for another result, %q", a, again, b)
		}
		if got := sign(false, engine.Limits{Nodes: 50}) + sign(true, engine.Limits{Nodes: 50, Time: ms}); got != "" {
			t.Errorf("signature %q of unrepeatable results", got)
		}
		r := measure(t, Config{Limits: engine.Limits{Nodes: 50}}, Engine{Session: &fake{log: new(callLog), pace: []time.Duration{ms}}, Repeatable: true})
		r.Results[0].Samples[2][1].Answer[0].Nodes++
		if got := r.signature(0); got != "varies" {
			t.Errorf("signature %q of results that differ", got)
		}
	})
}

func TestPerft(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		engines := []Engine{
			{Name: "a", Session: counter{&fake{counts: 100}}},
			{Name: "b", Session: counter{&fake{counts: 100}}},
		}
		config := Config{Perft: 3}
		check(t, text(t, measure(t, config, engines...)), `
nodes/s    a    b
1        300  300
2        300  300

engine  nodes    time  nodes/s  ratio
a         600  2.000s      300  1.000
b         600  2.000s      300  1.000
`)
		check(t, text(t, measure(t, config, engines[0])), `
position  nodes    time  nodes/s  depth
1           300  1.000s      300      3
2           300  1.000s      300      3
all         600  2.000s      300      -
`)
		engines[1].Session = counter{&fake{counts: 101}}
		r := measure(t, config, engines...)
		want := "position 1: a counts 300, b counts 303\nposition 2: a counts 300, b counts 303\n"
		if got := text(t, r); !strings.HasSuffix(got, "\n"+want) {
			t.Errorf("text\n%s", got)
		}
	})
}

func TestJSON(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{log: new(callLog), pace: []time.Duration{ms}}
		config := Config{Positions: stones(t, "9 first"), Limits: engine.Limits{Nodes: 500, Lines: 1}, Repeat: 2}
		r, err := Run(t.Context(), config, []Engine{{Name: "a", Session: f, Repeatable: true}}, nil)
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if err := writeJSON(&b, r); err != nil {
			t.Fatal(err)
		}
		check(t, b.String(), `{"positions":["9 first"],"limits":{"nodes":500,"hints":1},"repeat":2,"engines":[`+
			`{"engine":"a","nodes":500,"seconds":0.5,"nodes_per_second":1000,"ratio":1,"signature":"`+r.signature(0)+`",`+
			`"rounds":[[{"nodes":500,"seconds":0.5,"depth":3,"move":"roll 1"}],[{"nodes":500,"seconds":0.5,"depth":3,"move":"roll 1"}]]}]}`+"\n")
	})
}

// TestErrors checks that errors of a failed engine do not wrap ErrConfig, and others do.
func TestErrors(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		died := &pluginclient.Error{Engine: "x", Err: pluginclient.ErrDied}
		cause := errors.New("canceled")
		canceled, cancel := context.WithCancelCause(t.Context())
		cancel(cause)
		good := func(err error) []Engine {
			return []Engine{{Name: "a", Session: &fake{log: new(callLog), pace: []time.Duration{ms}, err: err}}}
		}
		position := Config{Positions: stones(t, "9 first"), Limits: engine.Limits{Nodes: 1}}
		for _, c := range []struct {
			ctx     context.Context
			config  Config
			engines []Engine
			want    error
			text    string
		}{
			{t.Context(), position, nil, ErrConfig, "no engines to measure"},
			{t.Context(), Config{}, good(nil), ErrConfig, "no positions to measure"},
			{t.Context(), position, good(errors.New("no limit on nodes")), ErrConfig, "position 1: a: no limit on nodes"},
			{t.Context(), Config{Positions: position.Positions, Perft: 1}, good(nil), errNoPerft, "position 1: a: perft is not supported"},
			{t.Context(), position, good(died), pluginclient.ErrDied, "position 1: a: x: died"},
			{t.Context(), position, good(&pluginclient.Error{Engine: "x", Err: pluginclient.ErrRefused}), pluginclient.ErrRefused, "position 1: a: x: refused"},
			{canceled, position, good(cause), cause, "position 1: a: canceled"},
		} {
			_, err := Run(c.ctx, c.config, c.engines, nil)
			if !errors.Is(err, c.want) || err.Error() != c.text || errors.Is(err, ErrConfig) != (c.want == ErrConfig || c.want == errNoPerft) {
				t.Errorf("error %v, want %s", err, c.text)
			}
		}
	})
}
