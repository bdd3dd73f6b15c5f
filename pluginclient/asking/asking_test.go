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

// A response is the result of one search of a fake engine.
type response struct {
	lines []engine.Line
	err   error
}

// A fake is a Session that records calls. After its responses it searches like a Ranker.
type fake struct {
	pluginclient.Session // nil: other methods are not called
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

// TestAsk checks the calls after each kind of failure.
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
		calls   string
		want    string // the error
	}{
		{name: "success", calls: asked},
		{name: "invalid reply", acts: []response{errorResponse(pluginclient.ErrInvalidReply)}, calls: mended},
		{name: "illegal", acts: []response{illegal}, calls: mended},
		{name: "no move", acts: []response{empty}, calls: mended},
		{name: "refused", acts: []response{errorResponse(pluginclient.ErrRefused)}, calls: again},
		{name: "died", acts: []response{died}, calls: again},
		{name: "invalid replies only", acts: []response{errorResponse(fmt.Errorf("%w: %w", pluginclient.ErrNoReply, pluginclient.ErrInvalidReply))}, calls: again},
		{name: "unknown", acts: []response{odd}, calls: again},
		{name: "illegal twice", acts: []response{illegal, illegal}, calls: mended, want: "fake: search: an illegal move as hint 1"},
		{name: "late", acts: []response{errorResponse(pluginclient.ErrTimedOut)}, calls: asked, want: "fake: took too long and was stopped"},
		{name: "resigns", acts: []response{errorResponse(pluginclient.ErrResigned)}, calls: asked, want: "fake: refused: the engine resigned"},
		{name: "started by the second try", acts: []response{died, start}, calls: again + " forget search"},
		{name: "not started", acts: []response{died, start, start}, calls: again + " forget search", want: "fake: cannot be started"},
		{
			name: "not restarted", acts: []response{illegal}, restart: start.err,
			calls: "forget search again restart", want: "fake: cannot be started",
		},
		{name: "lost by the restart", acts: []response{illegal}, restart: died.err, calls: mended},
		{name: "restart", policy: Policy{Restart: true}, calls: "restart search"},
		{name: "restart, invalid reply", policy: Policy{Restart: true}, acts: []response{illegal}, calls: "restart search again restart restart search"},
		{
			name: "restart fails to start", policy: Policy{Restart: true}, restart: start.err,
			calls: "restart restart", want: "fake: cannot be started",
		},
		{
			name: "died during a restart", policy: Policy{Restart: true}, restart: died.err,
			calls: "restart again restart", want: "fake: died",
		},
		{name: "once", policy: Policy{NoRetry: true, KeepState: true}, acts: []response{illegal}, calls: "search", want: "fake: search: an illegal move as hint 1"},
		{name: "started once", policy: Policy{NoRetry: true, KeepState: true}, acts: []response{start}, calls: "search", want: "fake: cannot be started"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := &fake{responses: c.acts, restart: c.restart}
			c.policy.OnRetry = func(engine.Position, error) { f.calls = append(f.calls, "again") }
			lines, err := c.policy.Ask(t.Context(), f, position(t), engine.Limits{})
			if calls := strings.Join(f.calls, " "); calls != c.calls {
				t.Errorf("calls %s, want %s", calls, c.calls)
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

// TestContextDone checks that there is no further search after ctx is done.
func TestContextDone(t *testing.T) {
	enough := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	f := &fake{responses: []response{errorResponse(pluginclient.ErrIllegal)}, restart: context.Canceled}
	_, err := Policy{OnRetry: func(engine.Position, error) { cancel(enough) }}.Ask(ctx, f, position(t), engine.Limits{})
	if !errors.Is(err, enough) {
		t.Errorf("done during a restart: error %v", err)
	}
	f = &fake{responses: []response{errorResponse(pluginclient.ErrDied)}}
	if _, err := (Policy{}).Ask(ctx, f, position(t), engine.Limits{}); !errors.Is(err, pluginclient.ErrDied) || len(f.calls) != 2 {
		t.Errorf("error %v, calls %v", err, f.calls)
	}
}

// TestLines checks that there are at most Limits.Lines lines, and that OnLines gets legal ones
// only.
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
