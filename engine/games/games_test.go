package games_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image/png"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"qhsh/engine"
	"qhsh/engine/checkers"
	"qhsh/engine/enginetest"
	"qhsh/engine/games"
	"qhsh/engine/games/gamestest"
	"qhsh/engine/quoridor"
	"qhsh/engine/record"
	"qhsh/engine/render/raster"
)

var table = gamestest.Table()

// TestWith: the table that a copy is made of stays as it is.
func TestWith(t *testing.T) {
	before := games.Default.Names()
	if diff := cmp.Diff(append(slices.Clone(before), "stones"), table.Names()); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(before, games.Default.Names()); diff != "" {
		t.Error(diff)
	}
}

func TestNew(t *testing.T) {
	for _, c := range []struct {
		name   string
		values games.Values
		want   string // described, or the error
	}{
		{"xiangqi", nil, "xiangqi"},
		{"quoridor", nil, "quoridor of size 9 with 10 walls"},
		{"quoridor", games.Values{"size": "5"}, "quoridor of size 5 with 3 walls"},
		{"quoridor", games.Values{"size": "5", "walls": "0"}, "quoridor of size 5 with 0 walls"},
		{"quoridor", games.Values{"size": "2"}, "size 2: want 3 to 25"},
		{"quoridor", games.Values{"cells": "2"}, `Quoridor has no option "cells"`},
		{"quoridor", games.Values{"size": "x"}, "size=x: want a number"},
		{"checkers", nil, "English checkers"},
		{"checkers", games.Values{"variant": "russian"}, "Russian checkers"},
		{"checkers", games.Values{"variant": "polish"}, "variant=polish: want english, italian, spanish, russian or brazilian"},
		{"xiangqi", games.Values{"size": "9"}, `Xiangqi has no option "size"`},
		{"stones", nil, "stones"},
		{"stones", games.Values{"size": "9"}, `Stones has no option "size"`},
		{"chess", nil, `unknown game "chess": want "` + strings.Join(games.Default.Names(), `", "`) + `" or "stones"`},
	} {
		game, err := table.New(c.name, c.values)
		got := fmt.Sprint(err)
		if err == nil {
			got = table.Describe(game)
			if values := table.Row(game).Values; values != nil {
				if again, err := table.New(c.name, values(game)); again != game {
					t.Errorf("%s again: %v, %v", got, again, err)
				}
			}
		}
		if got != c.want {
			t.Errorf("%s %v: %s, want %s", c.name, c.values, got, c.want)
		}
	}
}

// TestEveryGame: each game of the table, and one without abilities, has everything required.
func TestEveryGame(t *testing.T) {
	for _, name := range table.Names() {
		t.Run(name, func(t *testing.T) {
			game, err := table.New(name, nil)
			if err != nil {
				t.Fatal(err)
			}
			samples := table.Samples(game)
			for _, pos := range samples {
				handOver := table.Row(game).HandOver
				if handOver == nil {
					break
				}
				other, err := handOver(pos)
				if err != nil { // such as in check
					continue
				}
				if back, err := handOver(other); other.Turn() == pos.Turn() || err != nil || back.String() != pos.String() {
					t.Errorf("handed over, %s is %s, and again %v, %v", pos, other, back, err)
				}
			}
			if samples[0].String() != game.Start().String() {
				t.Errorf("the first sample is %s", samples[0])
			}
			for _, pos := range samples[:min(3, len(samples))] {
				checkCounts(t, pos)
			}
			style := table.PGN(game)
			if style.First == "" || style.Second == "" || style.Start != game.Start().String() || style.Game == "" {
				t.Errorf("PGN %+v", style)
			}
			if table.AnyNotation(game).Name() != name {
				t.Error("moves are read of another game")
			}
			checkPNG(t, game.Start())
			enginetest.Conform(t, game, 10)
		})
	}
}

// checkPNG draws a position as PNG, from its SVG.
func checkPNG(t *testing.T, pos engine.Position) {
	t.Helper()
	svg, err := table.SVG(pos, games.ImageOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	if err := raster.PNG(&file, svg, 100); err != nil {
		t.Error(err)
	}
	if got, err := png.DecodeConfig(&file); err != nil || got.Width != 100 {
		t.Errorf("the PNG is %d wide (%v)", got.Width, err)
	}
}

// checkCounts compares perft with the moves played one by one.
func checkCounts(t *testing.T, pos engine.Position) {
	t.Helper()
	want := int64(0)
	for _, m := range pos.Moves() {
		next, err := pos.Play(m)
		if err != nil {
			t.Fatal(err)
		}
		want += int64(len(next.Moves()))
	}
	for depth, want := range []int64{1, int64(len(pos.Moves())), want} {
		if got, err := table.Perft(t.Context(), pos, depth); err != nil || got != want {
			t.Errorf("perft %d of %s: %d, %v; want %d", depth, pos, got, err, want)
		}
	}
	if _, err := table.Divide(t.Context(), pos, 0, 1); err == nil || err.Error() != "perft depth 0: want 1 or more" {
		t.Errorf("depth 0: %v", err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	cause := errors.New("enough")
	cancel(cause)
	if _, err := table.Perft(ctx, pos, 30); !errors.Is(err, cause) {
		t.Errorf("with a context that has ended: %v", err)
	}
}

// TestWords: a game that has words in Chinese has the names of both sides.
func TestWords(t *testing.T) {
	for _, name := range []string{"xiangqi", "quoridor", "qchess"} {
		game, err := table.New(name, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, side := range []engine.Turn{engine.First, engine.Second} {
			word := engine.SideName(game, side)
			if got := table.Word(game, "zh", word); got == word {
				t.Errorf("%s: %q has no Chinese word", name, word)
			}
		}
	}
	p, err := quoridor.Default.Position("9 w E1/10 E5/10 -")
	if err != nil {
		t.Fatal(err)
	}
	reason := p.Result().Reason
	if got := table.Word(p.Game(), "zh", reason); got != "到达底线" {
		t.Errorf("%q in Chinese is %q", reason, got)
	}
}

func TestStyles(t *testing.T) {
	for name, want := range map[string]record.PGNStyle{
		"xiangqi": {
			Game: "Chinese Chess", First: "Red", Second: "Black",
			Formats: map[string]string{"": "ICCS", "iccs": "ICCS", "uci": "UCI", "wxf": "WXF", "san": "SAN"},
			Start:   "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1",
		},
		"quoridor": {Game: "Quoridor", First: "Black", Second: "White", Start: "9 b E9/10 E1/10 -"},
		"stones":   {Game: "Stones", First: "First", Second: "Second", Start: "7 first"},
	} {
		game, err := table.New(name, nil)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, table.PGN(game)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// TestOtherBoards: the mirror image of a position and the one with its sides exchanged have as many moves, and
// theirs are the position itself.
func TestOtherBoards(t *testing.T) {
	for _, game := range append(table.Games(), checkers.Rules{Variant: checkers.Italian}) {
		row := table.Row(game)
		for name, change := range map[string]func(engine.Position) (engine.Position, error){"mirror": row.Mirror, "swap": row.Swap} {
			if change == nil {
				continue
			}
			for _, pos := range row.Samples(game) {
				if moves := pos.Moves(); len(moves) > 0 { // so that there is a history
					next, err := pos.Play(moves[len(moves)/2])
					if err != nil {
						t.Fatal(err)
					}
					pos = next
				}
				other, err := change(pos)
				if err != nil {
					t.Fatalf("%s of %v: %v", name, pos, err)
				}
				back, err := change(other)
				if err != nil {
					t.Fatalf("%s of %v: %v", name, other, err)
				}
				same := pos.Turn() == other.Turn()
				if len(pos.Moves()) != len(other.Moves()) || same != (name == "mirror") || back.String() != pos.String() {
					t.Errorf("%s of %v is %v, and that of it %v", name, pos, other, back)
				}
			}
		}
	}
}
