package qhplugin

import (
	"slices"
	"testing"

	"qhsh/engine"
	"qhsh/engine/xiangqi"
	"qhsh/pluginclient/plugintest"
)

// TestRawListsAreWhole: LOAD and BAN are not sent without the lines that they announce, and the
// plugin stays in step.
func TestRawListsAreWhole(t *testing.T) {
	client := dialMischief(t, &mischief{})
	defer client.Close()
	for text, want := range map[string]string{
		"LOAD 1":               "LOAD 1: 1 line has to come with it, not 0, so nothing was sent",
		"BAN 2\nH2-E2":         "BAN 2: 2 lines have to come with it, not 1, so nothing was sent",
		"load 1\nH2-E2\nH9-G7": "LOAD 1: 1 line has to come with it, not 2, so nothing was sent",
	} {
		before := len(plugintest.SentLines(client))
		if _, err := client.Raw(t.Context(), text); err == nil || err.Error() != want {
			t.Errorf("%q: error %v, want %s", text, err, want)
		}
		if after := len(plugintest.SentLines(client)); after != before {
			t.Errorf("%q: %d lines were sent", text, after-before)
		}
	}
	if answer, err := client.Raw(t.Context(), "LOAD 1\nH2-E2"); err != nil || !slices.Equal(answer, []string{"OK"}) {
		t.Errorf("%q, %v", answer, err)
	}
}

// TestBansStandUntilTheyAreUsed: the client knows which moves the user has banned.
func TestBansStandUntilTheyAreUsed(t *testing.T) {
	client := dialMischief(t, &mischief{})
	defer client.Close()
	for _, c := range []struct {
		text string
		want []string
	}{
		{"BAN 2\nH2-E2\nB2-E2", []string{"H2-E2", "B2-E2"}},
		{"PLAY A0-A1", []string{"H2-E2", "B2-E2"}},
		{"HINTS 1", nil},
		{"BAN 1\nA9-A8", []string{"A9-A8"}},
		{"BAN 0", nil},
		{"BAN 1\nA9-A8", []string{"A9-A8"}},
		{"FEN rheakaehr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RHEAKAEHR w", nil},
	} {
		if _, err := client.Raw(t.Context(), c.text); err != nil {
			t.Fatal(err)
		}
		if got := client.Bans(); !slices.Equal(got, c.want) {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
}

// TestRawComesBack: before a raw line the client restores the conversation's level and board, even
// after a restart by a typed call.
func TestRawComesBack(t *testing.T) {
	client := dialMischief(t, &mischief{})
	defer client.Close()
	if err := client.SetLevel(t.Context(), 2); err != nil {
		t.Fatal(err)
	}
	elsewhere, err := xiangqi.ParseFEN("3k5/9/9/9/9/9/9/9/9/R3K4 w")
	if err != nil {
		t.Fatal(err)
	}
	for name, call := range map[string]func() error{
		"search": func() error {
			_, err := engine.Best(t.Context(), client, elsewhere, engine.Limits{Level: 1})
			return err
		},
		"ai": func() error {
			_, err := client.AI(t.Context(), engine.Limits{Level: 1})
			return err
		},
	} {
		client.Kill()
		if err := call(); err != nil {
			t.Fatal(name, err)
		}
		if answer, err := client.Raw(t.Context(), "LEVEL"); err != nil || !slices.Equal(answer, []string{"2"}) {
			t.Errorf("%s: %q, %v", name, answer, err)
		}
		want := client.Position().Moves()[0]
		if answer, err := client.Raw(t.Context(), "PLAY "+client.Position().Format(want)); err != nil || !slices.Equal(answer, []string{"OK"}) {
			t.Errorf("%s: %q, %v", name, answer, err)
		}
	}
}
