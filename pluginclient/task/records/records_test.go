package records

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"qhsh/engine"
	"qhsh/engine/games"
	"qhsh/engine/record"
)

const (
	one = "[Event \"Cup\"]\n[Red \"Hu\"]\n[Black \"Xu\"]\n[Result \"1-0\"]\n\n1. H2-E2 (1. B2-E2 H9-G7) H9-G7 1-0\n\n"
	two = "[Title \"A cup\"]\n[Red \"Xu\"]\n[Black \"Li\"]\n[Result \"*\"]\n\n1. H2-E2 *\n\n"
)

// files returns two files and standard input.
func files(t *testing.T) *Files {
	t.Helper()
	dir := t.TempDir()
	f := &Files{
		Library: games.Default.Records(games.Default.DefaultGame()), Stdin: strings.NewReader(one),
		OnDamaged: func(err error) { t.Error(err) },
	}
	for name, text := range map[string]string{"a.pgn": one + two, "b.pgn": two} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	f.Names = []string{filepath.Join(dir, "a.pgn"), Stdin, filepath.Join(dir, "b.pgn")}
	return f
}

// TestSelection checks the order of the games and each condition.
func TestSelection(t *testing.T) {
	won := engine.FirstWins
	after := func(moves ...string) engine.Position {
		pos := games.Default.DefaultGame().Start()
		for _, text := range moves {
			m, err := pos.Parse(text)
			if err == nil {
				pos, err = pos.Play(m)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		return pos
	}
	for _, c := range []struct {
		s    Selection
		want string
	}{
		{Selection{}, "a.pgn:1 a.pgn:2 -:1 b.pgn:1"},
		{Selection{Player: "XU"}, "a.pgn:1 a.pgn:2 -:1 b.pgn:1"},
		{Selection{Player: "li"}, "a.pgn:2 b.pgn:1"},
		{Selection{Tags: map[string]string{"Red": "hu", "Black": ""}}, "a.pgn:1 -:1"},
		{Selection{Event: "cup"}, "a.pgn:1 a.pgn:2 -:1 b.pgn:1"},
		{Selection{Event: "a cup"}, "a.pgn:2 b.pgn:1"},
		{Selection{Result: &won}, "a.pgn:1 -:1"},
		{Selection{Position: after("h2e2", "h9g7")}, "a.pgn:1 -:1"},
		{Selection{Position: after("b2e2")}, ""},
		{Selection{Position: after("b2e2"), Variations: true}, "a.pgn:1 -:1"},
		{Selection{Player: "li", Result: &won}, ""},
	} {
		in := files(t)
		var got []string
		err := in.Each(t.Context(), func(file string, number int, g *record.Game) error {
			if c.s.Matches(g, in.Library) {
				got = append(got, fmt.Sprintf("%s:%d", filepath.Base(file), number))
			}
			return nil
		})
		if diff := cmp.Diff(c.want, strings.Join(got, " ")); diff != "" || err != nil {
			t.Errorf("%+v: %v (-want +got):\n%s", c.s, err, diff)
		}
	}
}

func TestPositions(t *testing.T) {
	for _, c := range []struct {
		of   *Positions
		want string // plies
	}{
		{&Positions{}, "0 1 2 0 1 0 1 2 0 1"},
		{&Positions{Unique: true}, "0 1 2"},
		{&Positions{Last: true}, "2 1 2 1"},
		{&Positions{Last: true, Unique: true}, "2 1"},
		{&Positions{Variations: true, Unique: true}, "0 1 2 1 2"},
	} {
		var got bytes.Buffer
		err := files(t).Each(t.Context(), func(_ string, _ int, g *record.Game) error {
			return c.of.Each(g, func(ply int, _ engine.Position) error {
				_, err := fmt.Fprintf(&got, "%d ", ply)
				return err
			})
		})
		if diff := cmp.Diff(c.want, strings.TrimSpace(got.String())); diff != "" || err != nil {
			t.Errorf("%+v: %v (-want +got):\n%s", c.of, err, diff)
		}
	}
}

// TestEachEnds checks that Each ends when ctx is done, after an error of f, and at a missing file.
func TestEachEnds(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	stop()
	none := func(string, int, *record.Game) error { return nil }
	if err := files(t).Each(ctx, none); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	broken := errors.New("broken")
	if err := files(t).Each(t.Context(), func(string, int, *record.Game) error { return broken }); !errors.Is(err, broken) {
		t.Errorf("error %v", err)
	}
	in := files(t)
	in.Names[0] += ".none"
	if err := in.Each(t.Context(), none); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("error %v", err)
	}
}
