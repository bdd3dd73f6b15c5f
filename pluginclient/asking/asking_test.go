package asking

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"
	"testing"

	"qhsh/engine"
	"qhsh/engine/enginetest"
	"qhsh/pluginclient"
)

// response is how a fake engine behaves in one search.
type response struct {
	lines []engine.Line
	err   error
}

// fake is a Session that notes what it is told. Behind its acts it answers as a Ranker.
type fake struct {
	pluginclient.Session // nil: what asking does not use
	responses            []response
	restart              error
	calls                []string
}

func (f *fake) Info() pluginclient.Info { return pluginclient.Info{Name: "fake"} }
func (f *fake) Forget()                 { f.calls = append(f.calls, "forget") }

func (f *fake) Restart(context.Context) error {
	f.calls = append(f.calls, "restart")
	return f.restart
}

func (f *fake) Search(ctx context.Context, pos engine.Position, lim engine.Limits) iter.Seq2[[]engine.Line, error] {
	f.calls = append(f.calls, "search")
	if len(f.responses) == 0 {
		return enginetest.Ranker{}.Search(ctx, pos, lim)
	}
	a := f.responses[0]
	f.responses = f.responses[1:]
	return func(yield func([]engine.Line, error) bool) { yield(a.lines, a.err) }
}

func errorResponse(err error) response {
	return response{err: &pluginclient.Error{Engine: "fake", Err: err}}
}

func position(t *testing.T) engine.Position {
	t.Helper()
	pos, err := enginetest.Stones.Position("5 first 2")
	if err != nil {
		t.Fatal(err)
	}
	return pos
}

// TestAsk shows what an engine is told after each kind of failure.
func TestAsk(t *testing.T) {
	const asked, again = "forget search", "forget search again forget search"
	const mended = "forget search again restart forget search"
	illegal := response{lines: []engine.Line{{Moves: []engine.Move{77}}}}
	empty := response{lines: []engine.Line{{}}}
	start, died, odd := errorResponse(pluginclient.ErrStart), errorResponse(pluginclient.ErrDied), errorResponse(errors.New("odd"))
	for _, c := range []struct {
		name    string
		policy  Policy
		acts    []response
		restart error
		told    string
		want    string // the error
	}{
		{name: "it answers", told: asked},
		{name: "nonsense", acts: []response{errorResponse(pluginclient.ErrInvalidReply)}, told: mended},
		{name: "illegal", acts: []response{illegal}, told: mended},
		{name: "no move", acts: []response{empty}, told: mended},
		{name: "refused", acts: []response{errorResponse(pluginclient.ErrRefused)}, told: again},
		{name: "died", acts: []response{died}, told: again},
		{name: "silent but for nonsense", acts: []response{errorResponse(fmt.Errorf("%w: %w", pluginclient.ErrNoReply, pluginclient.ErrInvalidReply))}, told: again},
		{name: "unknown", acts: []response{odd}, told: again},
		{name: "illegal twice", acts: []response{illegal, illegal}, told: mended, want: "fake: search: an illegal move as hint 1"},
		{name: "late", acts: []response{errorResponse(pluginclient.ErrTimedOut)}, told: asked, want: "fake: took too long and was stopped"},
		{name: "started by the second try", acts: []response{died, start}, told: again + " forget search"},
		{name: "not started", acts: []response{died, start, start}, told: again + " forget search", want: "fake: cannot be started"},
		{
			name: "not restarted", acts: []response{illegal}, restart: start.err,
			told: "forget search again restart", want: "fake: cannot be started",
		},
		{name: "lost by the restart", acts: []response{illegal}, restart: died.err, told: mended},
		{name: "anew", policy: Policy{Restart: true}, told: "restart search"},
		{name: "anew after nonsense", policy: Policy{Restart: true}, acts: []response{illegal}, told: "restart search again restart restart search"},
		{
			name: "not started anew", policy: Policy{Restart: true}, restart: start.err,
			told: "restart restart", want: "fake: cannot be started",
		},
		{
			name: "died as it was started anew", policy: Policy{Restart: true}, restart: died.err,
			told: "restart again restart", want: "fake: died",
		},
		{name: "once", policy: Policy{NoRetry: true, KeepState: true}, acts: []response{illegal}, told: "search", want: "fake: search: an illegal move as hint 1"},
		{name: "started once", policy: Policy{NoRetry: true, KeepState: true}, acts: []response{start}, told: "search", want: "fake: cannot be started"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := &fake{responses: c.acts, restart: c.restart}
			c.policy.OnRetry = func(engine.Position, error) { f.calls = append(f.calls, "again") }
			lines, err := c.policy.Ask(t.Context(), f, position(t), engine.Limits{})
			if told := strings.Join(f.calls, " "); told != c.told {
				t.Errorf("told %s, want %s", told, c.told)
			}
			switch {
			case c.want == "" && (err != nil || len(lines) != 1):
				t.Errorf("%d lines, error %v", len(lines), err)
			case c.want != "" && (err == nil || err.Error() != c.want || lines != nil):
				t.Errorf("%d lines, error %v, want %s", len(lines), err, c.want)
			}
		})
	}
}

// TestContextDone: after the context's end nobody is asked again.
func TestContextDone(t *testing.T) {
	enough := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	f := &fake{responses: []response{errorResponse(pluginclient.ErrIllegal)}, restart: context.Canceled}
	_, err := Policy{OnRetry: func(engine.Position, error) { cancel(enough) }}.Ask(ctx, f, position(t), engine.Limits{})
	if !errors.Is(err, enough) {
		t.Errorf("the end during a restart: error %v", err)
	}
	f = &fake{responses: []response{errorResponse(pluginclient.ErrDied)}}
	if _, err := (Policy{}).Ask(ctx, f, position(t), engine.Limits{}); !errors.Is(err, pluginclient.ErrDied) || len(f.calls) != 2 {
		t.Errorf("error %v, told %v", err, f.calls)
	}
}

// TestLines: there are no more lines than are wanted, and only legal ones are seen.
func TestLines(t *testing.T) {
	pos := position(t)
	good := engine.Line{Moves: pos.Moves()[:1]}
	var seen int
	policy := Policy{OnLines: func(lines []engine.Line) { seen += len(lines) }}
	f := &fake{responses: []response{{lines: []engine.Line{{}}}, {lines: []engine.Line{good, good, {}}}, {lines: []engine.Line{good, good}}}}
	lines, err := policy.Ask(t.Context(), f, pos, engine.Limits{Lines: 2})
	if err != nil || len(lines) != 2 || seen != 2 {
		t.Errorf("%d lines, error %v; %d seen", len(lines), err, seen)
	}
	if lines, err = policy.Ask(t.Context(), f, pos, engine.Limits{}); err != nil || len(lines) != 1 || seen != 3 {
		t.Errorf("%d lines, error %v; %d seen", len(lines), err, seen)
	}
}
