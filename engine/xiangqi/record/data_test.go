package record

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"qhsh/engine/enginetest"
	"qhsh/engine/record"
	"qhsh/engine/xiangqi"
	"qhsh/engine/xiangqi/notation"
)

// TestChineseGames: 1,835 games in Big5 and GB18030 give the moves that others have found in
// them. Three end with an illegal move.
func TestChineseGames(t *testing.T) {
	enginetest.SkipUnderRace(t)
	dir := filepath.Join(dataFolder(t), "games")
	f, err := os.Open(filepath.Join(dir, "chinese-pgn-expected-uci.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	whole, cut := 0, 0
	for s := bufio.NewScanner(f); s.Scan(); {
		fields := strings.Split(s.Text(), "\t")
		if fields[0] == "file" {
			continue
		}
		games, wrong := readFile(t, filepath.Join(dir, fields[0]))
		if len(games) != 1 {
			t.Errorf("%s: %d games\n%s", fields[0], len(games), wrong)
			continue
		}
		if diff := cmp.Diff(fields[4], uci(games[0])); diff != "" {
			t.Errorf("%s (-want +got):\n%s", fields[0], diff)
		}
		if board, _, _ := strings.Cut(fields[1], " "); !strings.HasPrefix(startPos(games[0]).FEN(), board+" ") {
			t.Errorf("%s: %s, want %s", fields[0], startPos(games[0]).FEN(), fields[1])
		}
		if (wrong == "") != (fields[3] == "ok") {
			t.Errorf("%s: %q, want %s", fields[0], wrong, fields[3])
		}
		if wrong == "" {
			whole++
		} else {
			cut++
		}
	}
	if whole != 1832 || cut != 3 {
		t.Errorf("%d whole games and %d others", whole, cut)
	}
}

// eachDataFile calls f with the files of some folders of the data.
func eachDataFile(t *testing.T, folders []string, f func(name, path string)) {
	t.Helper()
	dir := dataFolder(t)
	for _, folder := range folders {
		err := filepath.WalkDir(filepath.Join(dir, folder), func(path string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() {
				name, _ := filepath.Rel(dir, path)
				f(filepath.ToSlash(name), path)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// TestDataFiles: how many games there are in each file, with how many moves in the main
// lines and in all, and what is wrong.
func TestDataFiles(t *testing.T) {
	var got strings.Builder
	eachDataFile(t, []string{"games/ccgc-pgn", "formats", "notation"}, func(name, path string) {
		games, wrong := readFile(t, path)
		main, all := 0, 0
		for _, g := range games {
			main += g.Plies()
			all += nodes(t, g)
		}
		fmt.Fprintf(&got, "%s: %d games, %d moves, %d in all\n%s", name, len(games), main, all, wrong)
	})
	compareFile(t, "testdata/datafiles.txt", got.String())
}

// compareFile compares with a file, which UPDATE_RECORD=1 writes.
func compareFile(t *testing.T, path, got string) {
	t.Helper()
	if os.Getenv("UPDATE_RECORD") != "" {
		if err := os.WriteFile(path, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", path, diff)
	}
}

// TestSameGame: files in several forms that hold the same game.
func TestSameGame(t *testing.T) {
	dir := filepath.Join(dataFolder(t), "formats")
	for _, c := range [][2]string{
		{"eleeye/SAMPLE.XQF", "eleeye/SAMPLE.PGN"},
		{"eleeye/XQFEXAMA.XQF", "walker8088-cchess/test.xqf"},
		{"walker8088-cchess/test1.xqf", "walker8088-cchess/test1_move.txt"},
		{"walker8088-cchess/ucci_test1.xqf", "walker8088-cchess/ucci_test1_move.txt"},
	} {
		a, wrong := readFile(t, filepath.Join(dir, c[0]))
		b, wrong2 := readFile(t, filepath.Join(dir, c[1]))
		if wrong+wrong2 != "" || len(a) != 1 || len(b) != 1 {
			t.Errorf("%v: %s%s", c, wrong, wrong2)
			continue
		}
		if diff := cmp.Diff(uci(a[0]), uci(b[0])); diff != "" {
			t.Errorf("%v\n%s", c, diff)
		}
		if startPos(a[0]).WireFEN() != startPos(b[0]).WireFEN() || a[0].Result != b[0].Result {
			t.Errorf("%v: %v %v, %v %v", c, a[0].Start, a[0].Result, b[0].Start, b[0].Result)
		}
	}
}

// TestDataRoundTrip: real games, those of the day, written in every form and notation, are the same again.
func TestDataRoundTrip(t *testing.T) {
	enginetest.SkipUnderRace(t)
	var games []*record.Game
	eachDataFile(t, []string{"games/ccgc-pgn", "formats", "notation"}, func(_, path string) {
		found, _ := readFile(t, path)
		games = append(games, found...)
	})
	games = enginetest.Daily(5, games)
	want := dump(t, games)
	wantPGN := dump(t, rosterFirst(games))
	for _, style := range []notation.Style{notation.ICCS, notation.UCI, notation.WXF, notation.Chinese, notation.Traditional, notation.SAN} {
		again, errs := readText(write(t, games, "pgn", style))
		if errs != nil {
			t.Errorf("%v: %v", style, errors.Join(errs...))
			continue
		}
		if got := dump(t, again); got != wantPGN {
			t.Errorf("pgn, %v: %s", style, firstDifference(wantPGN, got))
		}
	}
	again, errs := readText([]byte(want))
	if got := dump(t, again); errs != nil || got != want {
		t.Errorf("json: %v %s", errs, firstDifference(want, got))
	}
	for _, g := range games {
		flatten(g.Root)
	}
	want = dump(t, games)
	again, errs = readText(write(t, games, "dhtmlxq", notation.ICCS))
	if got := dump(t, again); errs != nil || got != want {
		t.Errorf("dhtmlxq: %v %s", errs, firstDifference(want, got))
	}
	again, errs = readText(write(t, games, "moves", notation.Chinese))
	if len(again) != len(games) || errs != nil {
		t.Fatalf("moves: %d games of %d, %v", len(again), len(games), errs)
	}
	for i, g := range games {
		if uci(g) != uci(again[i]) {
			t.Errorf("moves: %s, want %s", uci(again[i]), uci(g))
		}
	}
}

// rosterFirst returns games with the order of tags that PGN demands.
func rosterFirst(games []*record.Game) []*record.Game {
	games, roster := slices.Clone(games), []string{"Event", "Site", "Date", "Round", "Red", "Black"}
	rank := func(t record.Tag) int {
		if i := slices.Index(roster, t.Name); i >= 0 {
			return i
		}
		return len(roster)
	}
	for i, g := range games {
		games[i] = g.Clone()
		slices.SortStableFunc(games[i].Tags, func(a, b record.Tag) int { return rank(a) - rank(b) })
	}
	return games
}

// firstDifference returns the first line that is not the same.
func firstDifference(want, got string) string {
	a, b := strings.Split(want, "\n"), strings.Split(got, "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return fmt.Sprintf("line %d\nwant %.2000s\n got %.2000s", i+1, a[i], b[i])
		}
	}
	return fmt.Sprintf("%d lines, want %d", len(b), len(a))
}

// keys returns the keys of the positions after a node and its children, the main one first.
func keys(b *xiangqi.Board, n *record.Node) []uint64 {
	all := []uint64{b.Key()}
	for _, next := range n.Next {
		b.Do(xiangqi.Move(next.Move))
		all = append(all, keys(b, next)...)
		b.Undo()
	}
	return all
}

// TestPositions visits the positions after all moves, or after those of the main line.
func TestPositions(t *testing.T) {
	games, _ := readText([]byte(variations))
	want := keys(startPos(games[0]).Board(), games[0].Root)
	var got, main []uint64
	for _, pos := range games[0].Positions(true) {
		got = append(got, pos.Key())
	}
	for _, pos := range games[0].Positions(false) {
		main = append(main, pos.Key())
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if diff := cmp.Diff(want[:4], main); diff != "" {
		t.Errorf("main line (-want +got):\n%s", diff)
	}
}
