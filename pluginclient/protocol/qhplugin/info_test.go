package qhplugin

import (
	"context"
	"io"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"qhsh/engine"
	"qhsh/engine/enginetest"
	"qhsh/pluginclient"
)

// TestInfoBlock compares the whole info block of a server.
func TestInfoBlock(t *testing.T) {
	server := &Server{Searcher: enginetest.Ranker{}, Name: "ranker", Text: []string{"Ranks by a rule"}}
	want := `QHPLUGIN V1.3
ranker
LEVELS 10
1 100 nodes a move
2 400 nodes a move
3 1600 nodes a move
4 6400 nodes a move
5 25600 nodes a move
6 102400 nodes a move
7 409600 nodes a move
8 1638400 nodes a move
9 6553600 nodes a move
10 26214400 nodes a move
UNDO 1
HINTS 1
RULES 1
BGTHINK 1
TIMEOUT 1
Extension: HINTS takes a count
Ranks by a rule
ENDINFO
`
	if diff := cmp.Diff(want, server.Info().String()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestParseInfo(t *testing.T) {
	level := func(id int, text string) engine.Level { return engine.Level{ID: id, Text: text} }
	block := func(protocol, name string, levels []engine.Level, text ...string) pluginclient.Info {
		return pluginclient.Info{Protocol: protocol, Name: name, Levels: levels, Text: text}
	}
	for _, c := range []struct {
		name, text string
		want       Info
		complete   bool
	}{
		{
			"the specification's example", "QHPLUGIN V1.3\nQianhong\nLEVELS 3\n1 - Very Easy\n2 - Easy\n3 - Smarter\nUNDO 1\nHINTS 1\nRULES 1\nBGTHINK 0\nTIMEOUT 0\nQianhong AI engine for Qianhong v3.1\nBy Jeremy Craner, 2001-2004\nENDINFO\n",
			Info{
				Info: block("QHPLUGIN V1.3", "Qianhong", []engine.Level{level(1, "- Very Easy"), level(2, "- Easy"), level(3, "- Smarter")},
					"Qianhong AI engine for Qianhong v3.1", "By Jeremy Craner, 2001-2004"),
				Undo: true, Hints: true, Rules: true,
			},
			true,
		},
		{
			"V1.2, lines missing, CRLF", "QHPLUGIN V1.2\r\nold\r\nLEVELS 1\r\n7\r\nUNDO 1\r\n\r\nENDINFO\r\n",
			Info{Info: block("QHPLUGIN V1.2", "old", []engine.Level{level(7, "")}), Undo: true},
			true,
		},
		{
			"other order, unknown lines, blank lines", "qhplugin V1.3\nodd\nTIMEOUT 1\n\nLEVELS 2\n0 fast\n6 slow\nSPEED 9\nRULES 1\nENDINFO\nafter\n",
			Info{Info: block("qhplugin V1.3", "odd", []engine.Level{level(0, "fast"), level(6, "slow")}, "", "SPEED 9"), Rules: true, Timeout: true},
			true,
		},
		{
			"fewer levels than told", "QHPLUGIN V1.3\nshort\nLEVELS 3\n1\nUNDO 1\nENDINFO\n",
			Info{Info: block("QHPLUGIN V1.3", "short", []engine.Level{level(1, "")}), Undo: true},
			true,
		},
		{
			"no ENDINFO: no abilities", "QHPLUGIN V1.3\ncut\nLEVELS 1\n1\nUNDO 1\nHINTS 1\n",
			Info{Info: block("QHPLUGIN V1.3", "cut", []engine.Level{level(1, "")})},
			false,
		},
		{"an absurd number of levels", "QHPLUGIN V1.3\nmany\nLEVELS 542220608\nENDINFO\n", Info{Info: block("QHPLUGIN V1.3", "many", nil, "LEVELS 542220608")}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, complete, err := ParseInfo(c.text)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, got); diff != "" || complete != c.complete {
				t.Errorf("complete %v, -want +got:\n%s", complete, diff)
			}
		})
	}
	for _, bad := range []string{"", "\n", "UCCI\nname\n", "Usage: cat\n"} {
		if got, _, err := ParseInfo(bad); err == nil {
			t.Errorf("%q reads as %+v", bad, got)
		}
	}
}

// TestInfoReadsBack: a formatted block parses to the same block.
func TestInfoReadsBack(t *testing.T) {
	line := rapid.StringMatching(`[A-Z][a-z]{0,9}( [a-z0-9.]{1,9}){0,3}`)
	rapid.Check(t, func(t *rapid.T) {
		info := Info{Info: pluginclient.Info{
			Protocol: Protocol, Name: line.Draw(t, "name"), Levels: []engine.Level{},
			Text: rapid.SliceOf(line).Draw(t, "text"),
		}}
		if len(info.Text) == 0 {
			info.Text = nil
		}
		for range rapid.IntRange(0, 20).Draw(t, "levels") {
			level := engine.Level{ID: rapid.IntRange(-5, 99).Draw(t, "id"), Text: rapid.StringMatching(`([a-z]+ ?[a-z]+)?`).Draw(t, "level")}
			info.Levels = append(info.Levels, level)
		}
		for _, flag := range info.flags() {
			*flag.on = rapid.Bool().Draw(t, string(flag.word))
		}
		got, complete, err := ParseInfo(info.String())
		if err != nil || !complete {
			t.Fatalf("complete %v, %v", complete, err)
		}
		if diff := cmp.Diff(info, got); diff != "" {
			t.Fatalf("-want +got:\n%s", diff)
		}
	})
}

// TestReadBlock: a block is read up to its last line, whatever its end.
func TestReadBlock(t *testing.T) {
	const block = "QHPLUGIN V1.3\nTiny 1.0\nLEVELS 1\n1\nENDINFO"
	for _, end := range []string{"\n", "\r\n", "\nmore", ""} {
		for _, exits := range []bool{true, false} {
			synctest.Test(t, func(t *testing.T) {
				info, err := askInfo(t.Context(), pluginclient.Pipe(func(ctx context.Context, _ io.Reader, out io.Writer) error {
					_, err := io.WriteString(out, block+end)
					if !exits {
						<-ctx.Done()
					}
					return err
				}))
				if err != nil || info.Name != "Tiny 1.0" || len(info.Levels) != 1 {
					t.Errorf("%q: %+v, %v", end, info, err)
				}
			})
		}
	}
}
