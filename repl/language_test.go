package repl

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	"qhsh/engine"
	"qhsh/engine/games"
	"qhsh/pluginclient"
	"qhsh/pluginclient/protocol/qhplugin"
)

// wrapped hides all optional methods of a Session except Unwrap.
type wrapped struct{ pluginclient.Session }

func (w wrapped) Unwrap() engine.Searcher { return w.Session }

// TestWrappedSession: the shell finds the abilities and the language of an engine behind a
// wrapper.
func TestWrappedSession(t *testing.T) {
	open := func(ctx context.Context, spec string, o OpenOptions) (pluginclient.Session, error) {
		session, err := openForTest(ctx, "bare", o)
		return wrapped{session}, err
	}
	var out, said strings.Builder
	s := New(Host{
		Stdin: strings.NewReader(".attach x\nPLAY H2-E2\n.undo\nH2-E2 H9-G7\n.history\nUNDO\n"), Stdout: &out, Stderr: &said,
		Open: open, NameOf: nameForTest, Games: games.Default,
	}, Options{})
	if err := s.Run(t.Context()); err != nil {
		t.Error(err)
	}
	if diff := cmp.Diff("OK\n  1.  H2-E2  H9-G7\nOK\n", out.String()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if diff := cmp.Diff("x does not announce UNDO\n", said.String()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// parrot is a Session with an invented language.
type parrot struct{ pluginclient.Session }

func (parrot) Language() pluginclient.Language {
	return pluginclient.Language{
		Name: "PARROT",
		Commands: []pluginclient.CommandSpec{
			{Word: "say", Usage: "N", Summary: "repeat the N lines that follow", Lines: func(args string) int { return len(args) }},
			{Word: "muse", Summary: "think until told to stop", Thinks: true},
			{Word: "enough", Summary: "end musing", Interrupt: true, Stop: pluginclient.GiveUp},
			{Word: "now", Summary: "end musing with what there is", Interrupt: true, Stop: pluginclient.MoveNow},
			{Word: "dive", Summary: "needs water", Needs: "WATER"},
			{Word: "die", Summary: "end", Quits: true},
		},
		Failed: func(answer []string) bool { return slices.Contains(answer, "awk") },
		Stopped: func(conversation []pluginclient.Entry) []string {
			return []string{"so far " + conversation[len(conversation)-1].Text}
		},
	}
}

func (parrot) MissingAbilities() []string { return []string{"WATER"} }

func (p parrot) Raw(ctx context.Context, text string) ([]string, error) {
	if p.State().Status != pluginclient.StatusRunning {
		return nil, pluginclient.ErrNotRunning
	}
	p.Trace().Add(pluginclient.Sent, text)
	switch text {
	case "die":
		if _, err := p.Session.Raw(ctx, "QUIT"); err != nil {
			return nil, err
		}
	case "dive":
		return []string{"awk"}, nil
	case "muse":
		<-ctx.Done()
		if cause := context.Cause(ctx); strings.Contains(cause.Error(), errAborted.Error()) {
			return nil, cause
		}
		return []string{"now"}, nil
	}
	return []string{strings.ReplaceAll(text, "\n", "/")}, nil
}

// TestMadeUpLanguage: commands unknown to the shell are sent, waited for and judged.
func TestMadeUpLanguage(t *testing.T) {
	open := func(ctx context.Context, _ string, o OpenOptions) (pluginclient.Session, error) {
		session, err := openForTest(ctx, "first", o)
		return parrot{session}, err
	}
	for _, c := range []struct{ lines, out, said string }{
		{"say xx\na\nb\nsay\n", "say xx/a/b\nsay\n", ""},
		{".send anything\n", "anything\n", ""},
		{"muse\n.wait 1ms\nenough\n", "so far muse\n", ""},
		{"muse\n.wait 1ms\nnow\n", "now\n", ""},
		{"muse\n.wait 1ms\nABORT\n", "so far muse\n", ""},
		{".timeout 1ms\nmuse\n", "now\n", ""},
		{"dive\n", "awk\n", "bird does not announce WATER\n"},
		{"die\nsay\n", "die\n", "line 2: the engine is not running: '.restart bird' restarts it at the same position\n"},
		{"Say x\n", "", "line 1: unknown command \"Say\": did you mean say?\n"},
		{"LEVEL\n", "", "line 1: unknown command \"LEVEL\": .help lists the commands, .send sends any line to the engine\n"},
		{".raw x\n", "", "line 1: .raw: not needed: lines go to bird unchanged; .send sends any other line\n"},
		{".help say\n", "say N\n  repeat the N lines that follow\n", ""},
		{".help dive\n", "dive\n  needs water\n  for engines that announce WATER\n", ""},
	} {
		synctest.Test(t, func(t *testing.T) {
			var out, said bytes.Buffer
			s := New(Host{
				Stdin: strings.NewReader(c.lines), Stdout: &out, Stderr: &said, Open: open, NameOf: nameForTest, Games: games.Default, Language: qhplugin.Language(),
			}, Options{Engine: "bird"})
			if err := s.Run(t.Context()); (err != nil) != (c.said != "") {
				t.Errorf("%q: %v", c.lines, err)
			}
			if diff := cmp.Diff(c.out+c.said, out.String()+said.String()); diff != "" {
				t.Errorf("%q: -want +got:\n%s", c.lines, diff)
			}
		})
	}
}
