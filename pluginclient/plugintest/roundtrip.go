package plugintest

import (
	"context"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"qhsh/engine"
)

// A Client is a Searcher that can forget earlier searches.
type Client interface {
	engine.Searcher
	engine.Forgetter
}

// CheckRoundTrip fails the test unless a search over the protocol has the same result as a search
// by the searcher itself. Both forget earlier searches first.
func CheckRoundTrip(t rapid.TB, wire Client, direct engine.Searcher, pos engine.Position, lim engine.Limits) {
	t.Helper()
	engine.Forget(direct)
	want := SearchLines(t, direct, pos, lim)
	wire.Forget()
	CheckSameLines(t, want, SearchLines(t, wire, pos, lim), pos, lim)
}

// SearchLines returns the final lines of a search. An error ends the test.
func SearchLines(t rapid.TB, s engine.Searcher, pos engine.Position, lim engine.Limits) []engine.Line {
	t.Helper()
	lines, err := engine.Best(context.Background(), s, pos, lim)
	if err != nil {
		t.Fatal(err)
	}
	return lines
}

// CheckSameLines fails the test unless two results of a search are identical but for their Details, which a server may
// tell of a Searcher that does not have them in its lines.
func CheckSameLines(t rapid.TB, direct, wire []engine.Line, pos engine.Position, lim engine.Limits) {
	t.Helper()
	if diff := cmp.Diff(direct, wire, cmp.AllowUnexported(engine.Score{}), cmpopts.IgnoreTypes(engine.Details{})); diff != "" {
		t.Fatalf("%v under %+v: -direct +wire:\n%s", pos, lim, diff)
	}
}

// RandomBan returns some of the legal moves, but never all of them.
func RandomBan(t *rapid.T, pos engine.Position) []engine.Move {
	var ban []engine.Move
	moves := pos.Moves()
	for _, m := range moves {
		if len(ban) < len(moves)-1 && rapid.IntRange(0, 3).Draw(t, "ban") == 0 {
			ban = append(ban, m)
		}
	}
	return ban
}
