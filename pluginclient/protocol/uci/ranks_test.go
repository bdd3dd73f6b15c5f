package uci_test

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"qhsh/engine"
	"qhsh/engine/enginetest"
	"qhsh/engine/xiangqi"
	"qhsh/engine/xiangqi/xiangqitest"
	"qhsh/pluginclient/plugintest"
	"qhsh/pluginclient/protocol/uci"
)

// TestRanks: a formatted move parses to the same move. With the other numbering it is either
// another text or obviously invalid.
func TestRanks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := engine.Move(xiangqi.NewMove(xiangqi.Square(rapid.IntRange(0, 89).Draw(t, "from")), xiangqi.Square(rapid.IntRange(0, 89).Draw(t, "to"))))
		for _, r := range []uci.Ranks{uci.FromZero, uci.FromOne} {
			text := r.Format(m)
			for _, written := range []string{text, strings.ToUpper(text)} {
				if back, ok := r.Parse(written); !ok || back != m {
					t.Errorf("%s reads back as %v, %v", written, back, ok)
				}
			}
		}
	})
	for _, c := range []struct {
		text string
		want string // with FromOne; empty: no move
	}{
		{"h3e3", "H2-E2"},
		{"a1a10", "A0-A9"},
		{"a10a1", "A9-A0"},
		{"b10c8", "B9-C7"},
		{"a10-a1", "A9-A0"},
		{"H3-E3", "H2-E2"},
		{"h0e3", ""},
		{"j1a1", ""},
		{"a11a1", ""},
		{"a1", ""},
		{"", ""},
		{"a1a", ""},
		{"a1b1q", ""},
		{"--", ""},
		{"a100", ""},
	} {
		m, ok := uci.FromOne.Parse(c.text)
		if ok != (c.want != "") || ok && xiangqi.Move(m).ICCS() != c.want {
			t.Errorf("%q: %v, %v", c.text, xiangqi.Move(m), ok)
		}
	}
}

// fromOne makes an engine number its ranks from 1 to 10, and reject other moves.
func fromOne(m *plugintest.FaultyEngine) {
	m.OnCommand = func(line string) act { return obey(renumber(line, uci.FromOne, uci.FromZero)) }
	m.OnReply = func(line string) string { return renumber(line, uci.FromZero, uci.FromOne) + "\n" }
}

// renumber converts the moves of a line to the other numbering. A move that cannot be parsed
// becomes an impossible one.
func renumber(line string, from, to uci.Ranks) string {
	words := strings.Split(line, " ")
	for i, word := range words {
		if !uci.IsMove(word) {
			continue
		}
		if m, ok := from.Parse(word); ok {
			words[i] = to.Format(m)
		} else {
			words[i] = "a0a0"
		}
	}
	return strings.Join(words, " ")
}

// TestLawFromOne: the client detects an engine that numbers its ranks from 1, by its options or by
// its moves.
func TestLawFromOne(t *testing.T) {
	variant := uci.Setter{Option: uci.Option{
		Name: "UCI_Variant", Kind: uci.Combo, Default: "chess", Vars: []string{"chess", "xiangqi"},
	}, Set: func(string) error { return nil }}
	s := engine.WithLevels(enginetest.Ranker{Depth: 3})
	for _, c := range []struct {
		name    string
		options []uci.Setter
		told    *uci.Ranks
	}{
		{"by its offers", []uci.Setter{variant}, nil},
		{"by the user", nil, ranks(uci.FromOne)},
		{"by its moves", nil, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := mischievous(uci.UCI.InProcess(uci.ServerConfig{Searcher: s, Name: "from one", Options: c.options}))
			fromOne(m)
			client, err := uci.UCI.Dial(context.Background(), asProgram(m), uci.Options{Ranks: c.told})
			if err != nil {
				t.Fatal(err)
			}
			defer client.Close()
			// The first search shows it, since a horse moves from or to rank 1.
			plugintest.CheckRoundTrip(t, client, s, xiangqi.Start(), engine.Limits{Lines: 100, Depth: 3})
			rapid.Check(t, func(t *rapid.T) {
				pos := xiangqitest.RandomPosition(t, 40)
				plugintest.CheckRoundTrip(t, client, s, pos, randomLimits(t, pos, 4000))
			})
		})
	}
}

func ranks(r uci.Ranks) *uci.Ranks { return &r }

// TestRanksAskedAgain: if the answer shows that the engine has misread the moves in the command,
// the search is repeated.
func TestRanksAskedAgain(t *testing.T) {
	s := enginetest.Ranker{}
	m := mischievous(uci.UCI.InProcess(uci.ServerConfig{Searcher: s, Name: "from one"}))
	fromOne(m)
	asked := 0
	translate := m.OnCommand
	m.OnCommand = func(line string) act {
		if strings.HasPrefix(line, "go ") {
			asked++
			if asked == 1 { // as if the engine had read another position
				return say("info depth 1 multipv 1 score cp 7 pv h10g8 b1c3\nbestmove h10g8 ponder b1c3\n")
			}
		}
		return translate(line)
	}
	client, err := uci.UCI.Dial(t.Context(), asProgram(m), uci.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	pos := position("H2-E2")
	lim := engine.Limits{Depth: 1}
	want := plugintest.SearchLines(t, s, pos, lim)
	plugintest.CheckSameLines(t, want, plugintest.SearchLines(t, client, pos, lim), pos, lim)
	if asked != 2 {
		t.Errorf("asked %d times", asked)
	}
	if err := client.Idle(t.Context()); err != nil {
		t.Fatal(err)
	}
	said := sent(client)
	if diff := cmp.Diff([]string{
		">position startpos moves h2e2", ">go depth 1", "~isready", ">position startpos moves h3e3", ">go depth 1", "~isready",
	}, said[len(said)-6:]); diff != "" {
		t.Errorf("-want +sent:\n%s", diff)
	}
}
