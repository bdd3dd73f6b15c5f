package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"qhsh/engine/games"
	"qhsh/engine/record"
	"qhsh/engine/xiangqi"
	"qhsh/pluginclient/task/batch"
	"qhsh/pluginclient/task/records"
)

// TestProgressFile: a line at the start, one at the end, and at most one per second between them.
func TestProgressFile(t *testing.T) {
	interrupted, interrupt := context.WithCancel(t.Context())
	interrupt()
	for _, c := range []struct {
		name string
		ctx  context.Context
		err  error
		last string
	}{
		{"done", t.Context(), nil, "done"},
		{"some failed", t.Context(), errDone, "done"},
		{"done though interrupted", interrupted, errDone, "done"},
		{"failed", t.Context(), errors.New("broken"), "failed"},
		{"interrupted", interrupted, context.Canceled, "interrupted"},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "progress.jsonl")
			shown := &progress{writesStdout: true}
			if err := shown.open(t.Context(), host{}, path); err != nil {
				t.Fatal(err)
			}
			synctest.Test(t, func(t *testing.T) {
				p := &batchProgress{progress: shown, total: 12}
				p.begin()
				time.Sleep(time.Minute) // the length of a replay
				p.resume(tally(4, 1))
				for done := 5; done <= 10; done++ {
					time.Sleep(400 * time.Millisecond)
					p.update(tally(done, 1))
				}
				if err := p.close(c.ctx, c.err); err != nil {
					t.Error(err)
				}
			})
			got, err := os.ReadFile(path)
			want := `{"state":"started","done":0,"total":12,"failed":0,"resumed":0,"rate":0,"seconds":0}
{"state":"running","done":5,"total":12,"failed":1,"resumed":4,"rate":2.5,"seconds":0.4,"left":2.8}
{"state":"running","done":8,"total":12,"failed":1,"resumed":4,"rate":2.5,"seconds":1.6,"left":1.6}
{"state":"` + c.last + `","done":10,"total":12,"failed":1,"resumed":4,"rate":2.5,"seconds":2.4,"left":0.8}
`
			if diff := cmp.Diff(want, string(got)); diff != "" || err != nil {
				t.Error(diff, err)
			}
		})
	}
}

func tally(done, failed int) batch.Tally { return batch.Tally{Done: done, Failed: failed} }

// TestProgressOfCommands: each command that has the flag reports what it counts.
func TestProgressOfCommands(t *testing.T) {
	layOut(t, "two.fen=startpos\nx\n")
	const game = "[Game \"Chinese Chess\"]\n\n1. C2=5 H8+7 *\n"
	write(t, "game.pgn", game)
	figures := regexp.MustCompile(`"rate":[^}]*`)
	const begun = `{"state":"started","done":0,"total":2,"failed":0,"resumed":0,"rate":0}` + "\n"
	for _, c := range []struct{ args, want string }{
		{
			"hints -level 1 -o two.jsonl -progress - two.fen",
			begun + `{"state":"done","done":2,"total":2,"failed":1,"resumed":0,"rate":0}`,
		},
		{
			"hints -level 1 -o two.jsonl -resume -progress - two.fen",
			`{"state":"done","done":2,"total":2,"failed":1,"resumed":2,"rate":0}`,
		},
		{
			"hints -engine absent -o three.jsonl -progress - two.fen",
			`{"state":"failed","done":0,"failed":0,"resumed":0,"rate":0}`,
		},
		{
			"match -nodes 100 -maxmoves 1 -progress progress.jsonl builtin b=builtin",
			begun + `{"state":"done","done":2,"total":2,"failed":0,"resumed":0,"rate":0}`,
		},
		{
			"annotate -level 1 -o new.pgn -progress - game.pgn",
			`{"state":"started","done":0,"failed":0,"resumed":0,"rate":0}` + "\n" + `{"state":"done","done":5,"total":5,"failed":0,"resumed":0,"rate":0}`,
		},
	} {
		got := runQhsh(t.Context(), nil, strings.Fields(c.args)...)
		text := got.stdout
		if !strings.Contains(c.args, "-progress - ") {
			file, err := os.ReadFile("progress.jsonl")
			if err != nil {
				t.Fatal(err)
			}
			text = string(file)
		}
		var lines []string
		for line := range strings.Lines(figures.ReplaceAllString(text, `"rate":0`)) {
			if !strings.Contains(line, `"running"`) {
				lines = append(lines, line)
			}
		}
		if diff := cmp.Diff(c.want+"\n", strings.Join(lines, "")); diff != "" {
			t.Errorf("%s: %s%s", c.args, diff, got.stderr)
		}
	}
}

// TestProgressOfMistakes: the total has the positions of the games that are annotated, and of no others.
func TestProgressOfMistakes(t *testing.T) {
	const text = "[Game \"Chinese Chess\"]\n[Red \"Li\"]\n\n1. C2=5 H8+7 *\n\n[Game \"Chinese Chess\"]\n[Red \"Wang\"]\n\n1. C2=5 H8+7 2. H2+3 R9=8 *\n"
	path := filepath.Join(t.TempDir(), "games.pgn")
	write(t, path, text)
	in := &gameFiles{Files: records.Files{Library: games.Default.Records(xiangqi.Rules), Names: []string{path}}}
	for name, want := range map[string]int64{"Li": 3, "Wang": 5, "": 8, "Zhang": 0} {
		selected := records.Selection{Player: name}
		r := &annotating{annotation: annotation{wanted: func(lib *record.Library, g *record.Game) bool { return selected.Matches(g, lib) }}}
		r.countWanted(t.Context(), in)
		if got := r.looks.all.Load(); got != want {
			t.Errorf("of %q: %d positions, want %d", name, got, want)
		}
	}
}
