package repl

import (
	"context"
	"iter"
	"strings"
	"testing"

	"qhsh/engine"
	"qhsh/engine/enginetest/first"
	"qhsh/engine/games"
	"qhsh/pluginclient"
	"qhsh/pluginclient/protocol/qhplugin"
)

// confused proposes illegal moves until it is restarted.
type confused struct {
	*qhplugin.Client
	restarts *int
}

func (c confused) Restart(ctx context.Context) error {
	*c.restarts++
	return c.Client.Restart(ctx)
}

func (c confused) Search(ctx context.Context, pos engine.Position, lim engine.Limits) iter.Seq2[[]engine.Line, error] {
	if *c.restarts > 0 {
		return c.Client.Search(ctx, pos, lim)
	}
	return func(yield func([]engine.Line, error) bool) { yield([]engine.Line{{}}, nil) }
}

// TestConfused: .annotate and .tree restart an engine that sends invalid replies and repeat the
// request; .hints does not.
func TestConfused(t *testing.T) {
	const illegal = "slow: search: an illegal move as hint 1"
	for _, c := range []struct {
		lines, want, said string
		restarts          int
	}{
		{"PLAY A0-A1\n.annotate\n", "1. A0-A1 {[%eval -0.10]}", illegal + "; retrying\n", 1},
		{".tree -depth 1 -width 1\n", "A0-A1  +0.10  depth 1", "", 1},
		{".hints\n", "", illegal + "\n", 0},
	} {
		t.Run(c.lines, func(t *testing.T) {
			restarts := 0
			var out, said strings.Builder
			open := func(ctx context.Context, _ string, o OpenOptions) (pluginclient.Session, error) {
				client, err := qhplugin.Dial(ctx, fakePlugin("Slow 1.0", first.Searcher{}, nil, nil), qhplugin.Options{ClientOptions: pluginclient.ClientOptions{Warn: o.Warn}})
				return confused{client, &restarts}, err
			}
			shell := New(Host{Stdin: strings.NewReader(c.lines), Stdout: &out, Stderr: &said, Open: open, NameOf: nameForTest, Games: games.Default}, Options{Engine: "slow"})
			_ = shell.Run(t.Context()) // only the messages matter
			if !strings.Contains(out.String(), c.want) || !strings.HasSuffix(said.String(), c.said) || restarts != c.restarts {
				t.Errorf("%d restarts\n%s%s", restarts, out.String(), said.String())
			}
		})
	}
}
