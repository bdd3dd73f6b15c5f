package records

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
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

// TestUnique: a game is repeated if its moves were there before, unless it has comments or
// variations that were not.
func TestUnique(t *testing.T) {
	const bare, annotated = "1. H2-E2 H9-G7 *\n", "1. H2-E2 H9-G7 {good} *\n"
	for _, c := range []struct {
		name, games, want string
	}{
		{"names do not matter", "[Red \"A\"]\n\n" + bare + "\n[Red \"B\"]\n\n" + bare, "1"},
		{"comments do", "[Red \"A\"]\n\n" + bare + "\n[Red \"B\"]\n\n" + annotated + "\n[Red \"C\"]\n\n" + annotated, "1 2"},
		{"an annotated game has the moves", "[Red \"A\"]\n\n" + annotated + "\n[Red \"B\"]\n\n" + bare, "1"},
		{"a beginning", "[Red \"A\"]\n\n" + bare + "\n[Red \"B\"]\n\n1. H2-E2 *\n", "1 2"},
		{"cut short", "[Red \"許銀川\"]\n[Black \"B\"]\n\n" + bare + "\n[Red \"许 银川\"]\n[Black \"b\"]\n[Date \"1998\"]\n\n1. H2-E2 H9-G7 2. H0-G2 1-0\n", "2"},
		{"cut short of one that is left out", "[Red \"A\"]\n[Black \"B\"]\n\n" + bare + "\n[Red \"A\"]\n[Black \"B\"]\n\n1. H2-E2 H9-G7 2. H0-G2 H7-G7 *\n[Red \"A\"]\n[Black \"B\"]\n\n1. H2-E2 H9-G7 2. H0-G2 *\n", "2"},
		{"cut short with a comment", "[Red \"A\"]\n[Black \"B\"]\n\n" + annotated + "\n[Red \"A\"]\n[Black \"B\"]\n\n1. H2-E2 H9-G7 2. H0-G2 *\n", "1 2"},
		{"another result", "[Red \"A\"]\n[Black \"B\"]\n\n1. H2-E2 H9-G7 0-1\n\n[Red \"A\"]\n[Black \"B\"]\n\n1. H2-E2 H9-G7 2. H0-G2 1-0\n", "1 2"},
		{"another date", "[Red \"A\"]\n[Black \"B\"]\n[Date \"1998.05\"]\n\n1. H2-E2 H9-G7 *\n\n[Red \"A\"]\n[Black \"B\"]\n[Date \"1998.06.01\"]\n\n1. H2-E2 H9-G7 2. H0-G2 *\n", "1 2"},
		{"few moves without players", bare + "\n1. H2-E2 H9-G7 2. H0-G2 *\n", "1 2"},
		{"22 plies without players", "startpos moves " + strings.Repeat("h0g2 h9g7 g2h0 g7h9 ", 6) + "\nstartpos moves " + strings.Repeat("h0g2 h9g7 g2h0 g7h9 ", 7) + "\n", "2"},
		{"no moves", "[Red \"A\"]\n\n*\n\n[Red \"B\"]\n\n*\n", "1 2"},
		{"another start", "[Red \"A\"]\n\n1. E0-E1 *\n\n[FEN \"3k5/9/9/9/9/9/9/9/9/R3K4 w\"]\n\n1. E0-E1 *\n", "1 2"},
	} {
		duplicates := Duplicates{Games: games.Default}
		n := 0
		for g := range games.Default.Records(games.Default.DefaultGame()).Read(strings.NewReader(c.games), "") {
			n++
			duplicates.Add("", n, g)
		}
		var got []string
		found := duplicates.Find(false)
		for i := range n {
			if !slices.ContainsFunc(found, func(d Duplicate) bool { return d.Index == i }) {
				got = append(got, fmt.Sprint(i+1))
			}
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// TestListIsCut: at the width of a terminal every game has one line.
func TestListIsCut(t *testing.T) {
	var b strings.Builder
	lib := games.Default.Records(games.Default.DefaultGame())
	sink, err := ListFormats()[0].Write(&b, Style{Library: lib, Width: 60})
	for g := range lib.Read(strings.NewReader("[Date \"1956年12月16日\"]\n[Red \"黑龙江省哈尔滨王嘉良\"]\n[Event \"1956年全国象棋锦标赛\"]\n\n1. H2-E2 *\n"), "") {
		if err == nil {
			err = sink.Write("", 1, g)
		}
	}
	const want = `    #  result   plies  date          red               blac…
    1  *            1  1956.12.16    黑龙江省哈尔滨…       …
`
	if diff := cmp.Diff(want, b.String()); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
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
