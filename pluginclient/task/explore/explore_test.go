package explore

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"qhsh/engine"
	"qhsh/engine/enginetest"
	"qhsh/engine/games"
	"qhsh/engine/record"
	"qhsh/pluginclient/task/batch"
)

// pgn returns a game in PGN.
func pgn(first, second, event, date, result, moves string) string {
	return fmt.Sprintf("[Event %q]\n[Date %q]\n[Red %q]\n[Black %q]\n[Result %q]\n\n%s %[5]s\n\n", event, date, first, second, result, moves)
}

// The games of the tests. a3 and b1 have the moves of a1.
var (
	a1 = pgn("广东 吕  钦", "Xu", "Cup", "1990.05.01", "1-0", "1. H2-E2 H9-G7 2. H0-G2")
	a2 = pgn("Hu", "吕钦", "Cup", "1991-06", "0-1", "1. H2-E2 B9-C7")
	a3 = pgn("Xu", "Hu", "Repeat", "", "*", "1. H2-E2 H9-G7 2. H0-G2")
	b1 = pgn("Lv Qin", "XU", "League", "1992年", "1/2-1/2", "1. H2-E2 H9-G7 2. H0-G2")
	b2 = pgn("Li", "Hu", "League", "1993.??.??", "1/2-1/2", "1. C3-C4 H9-G7 2. H2-E2 G7-E8 3. E2-H2 E8-G7 4. H2-E2")
	b3 = pgn("Li", "Hu", "League", "1993", "*", "")
)

// write writes files into a folder, by their names.
func write(t testing.TB, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// create returns a new database in a folder, which is the working directory.
func create(t testing.TB, name string) *DB {
	t.Helper()
	d, err := Create(t.Context(), name, games.Default, games.Default.DefaultGame())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	return d
}

// add adds files and returns the reports about them.
func add(t testing.TB, d *DB, names ...string) (all []Source) {
	t.Helper()
	err := d.Add(t.Context(), d.games.Records(d.game), names, AddOptions{
		Whole:     true,
		OnSource:  func(s Source) { all = append(all, s) },
		OnDamaged: func(err error) { t.Log(err) },
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// two returns a database with the files a.pgn and b.pgn.
func two(t *testing.T) *DB {
	t.Helper()
	t.Chdir(t.TempDir())
	write(t, ".", map[string]string{"a.pgn": a1 + a2 + a3, "b.pgn": b1 + b2 + b3})
	d := create(t, "x.db")
	add(t, d, "a.pgn", "b.pgn")
	return d
}

// after returns the position after moves.
func after(t testing.TB, moves ...string) engine.Position {
	t.Helper()
	item := batch.Record{Text: "startpos", Moves: moves}.Item(games.Default.DefaultGame())
	if item.Err != nil {
		t.Fatal(item.Err)
	}
	return item.Pos
}

// text returns a report as text.
func text(t testing.TB, d *DB, pos engine.Position, f Filter) string {
	t.Helper()
	r, err := d.Query(t.Context(), pos, f)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := WriteText(&b, r, WriteOptions{Games: games.Default}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// rows returns the rows of all tables, without ids of names.
func rows(t testing.TB, d *DB) (all []string) {
	t.Helper()
	for _, q := range []string{
		"SELECT 'source ' || name || ' ' || damaged FROM sources",
		`SELECT 'game ' || s.name || ' ' || number || ' ' || a.name || ' ' || b.name || ' ' || result || ' ' || date || ' ' || coalesce(original, '-')
			FROM games g JOIN sources s USING (source_id) JOIN names a ON a.name_id = first JOIN names b ON b.name_id = second`,
		"SELECT 'line ' || game_id || ' ' || hex(moves) FROM lines",
		"SELECT 'ply ' || key || ' ' || move || ' ' || game FROM plies",
	} {
		r, err := d.db.Query(q)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		for r.Next() {
			var s string
			if err := r.Scan(&s); err != nil {
				t.Fatal(err)
			}
			all = append(all, s)
		}
	}
	return all
}

func TestAdd(t *testing.T) {
	d := two(t)
	sources, err := d.Sources(t.Context())
	if diff := cmp.Diff([]Source{{Name: "a.pgn", Games: 3, Duplicates: 1}, {Name: "b.pgn", Games: 2, Duplicates: 1}}, sources); diff != "" || err != nil {
		t.Errorf("%v\n%s", err, diff)
	}
	duplicates, err := d.Duplicates(t.Context())
	if diff := cmp.Diff([]Duplicate{
		{GameID{"a.pgn", 3}, GameID{"a.pgn", 1}, 3},
		{GameID{"b.pgn", 1}, GameID{"a.pgn", 1}, 3},
	}, duplicates); diff != "" || err != nil {
		t.Errorf("%v\n%s", err, diff)
	}
	const want = `rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1
3 games, red to move: 1 won, 1 drawn, 1 lost, average 50.0 %

move   games     %  won  drawn  lost  average  last     score
H2-E2      2  66.7    1      0     1   50.0 %  1991.06
C3-C4      1  33.3    0      1     0   50.0 %  1993
`
	if diff := cmp.Diff(want, text(t, d, after(t), Filter{})); diff != "" {
		t.Error(diff)
	}
	// A position that a game reaches twice counts once, and results are for the side to move.
	const twice = `rnbakab1r/9/1c4nc1/p1p1p1p1p/9/2P6/P3P1P1P/1C2C4/9/RNBAKABNR b - - 3 2
1 game, black to move: 0 won, 1 drawn, 0 lost, average 50.0 %

move   games      %  won  drawn  lost  average  last  score
G7-E8      1  100.0    0      1     0   50.0 %  1993
`
	if diff := cmp.Diff(twice, text(t, d, after(t, "C3-C4", "H9-G7", "H2-E2"), Filter{})); diff != "" {
		t.Error(diff)
	}
}

func TestFilter(t *testing.T) {
	d := two(t)
	won, aliases := engine.FirstWins, &Aliases{map[string]string{"lv qin": "吕钦"}}
	for _, c := range []struct {
		filter Filter
		games  int
	}{
		{Filter{Player: "吕钦"}, 2},
		{Filter{Player: "lv qin"}, 0},
		{Filter{Player: "lv qin", Aliases: aliases}, 2},
		{Filter{First: "吕钦"}, 1},
		{Filter{Second: "吕钦"}, 1},
		{Filter{First: "li", Second: "hu"}, 1},
		{Filter{Player: "hu", Event: "cup"}, 1},
		{Filter{Event: "LEAGUE"}, 1},
		{Filter{Since: 19910000}, 2},
		{Filter{Until: 19910000}, 2},
		{Filter{Since: 19910600, Until: 19910600}, 1},
		{Filter{Since: 19910700}, 1},
		{Filter{Result: &won}, 1},
		{Filter{Player: "nobody"}, 0},
		{Filter{Position: after(t)}, 3},
		{Filter{Position: after(t, "H2-E2")}, 2},
		{Filter{Position: after(t, "H2-E2"), Player: "hu"}, 1},
		{Filter{Position: after(t, "A0-A1")}, 0},
	} {
		r, err := d.Query(t.Context(), after(t), c.filter)
		if err != nil || r.Games != c.games {
			t.Errorf("%+v: %d games, %v", c.filter, r.Games, err)
		}
	}
}

// TestEmpty: a database that nothing has come into is not left behind, unless it was there before.
func TestEmpty(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, ".", map[string]string{"bad.pgn": "no games\x00", "none.pgn": b3 + b3, "one.pgn": b3 + a1 + b3})
	for i, c := range []struct {
		file  string
		empty int
		left  bool
	}{{"bad.pgn", 0, false}, {"none.pgn", 2, false}, {"one.pgn", 2, true}} {
		path := fmt.Sprintf("%d.db", i)
		d := create(t, path)
		if got := add(t, d, c.file); got[0].Empty != c.empty {
			t.Errorf("%s: %+v", c.file, got)
		}
		if err := d.Close(); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(path); (err == nil) != c.left {
			t.Errorf("%s: %v", c.file, err)
		}
	}
	d := create(t, "2.db")
	if err := d.Remove(t.Context(), "one.pgn"); err != nil {
		t.Fatal(err)
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat("2.db"); err != nil {
		t.Error(err)
	}
}

// TestUnknown: a name that is not known is no player or event, and an opening has that of the game's own names.
func TestUnknown(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, ".", map[string]string{"a.pgn": pgn("?", "Hu", "?", "????.??.??", "1-0", "1. H2-E2") + pgn("未知", "?", "", "?", "0-1", "1. C3-C4")})
	d := create(t, "x.db")
	add(t, d, "a.pgn")
	players, err := d.Players(t.Context(), Filter{})
	if diff := cmp.Diff([]Results{{Name: "Hu", Counts: Counts{Games: 1, Losses: 1}}}, players); diff != "" || err != nil {
		t.Errorf("%v\n%s", err, diff)
	}
	openings, err := d.Openings(t.Context(), Filter{})
	if diff := cmp.Diff([]Results{{Name: "Central Cannon", Counts: Counts{Games: 1, Wins: 1}}, {Name: "Pointing Immortal", Counts: Counts{Games: 1, Losses: 1}}}, openings); diff != "" || err != nil {
		t.Errorf("%v\n%s", err, diff)
	}
	for _, f := range []Filter{{Player: "?"}, {First: "?"}, {First: "未知"}, {Event: "?"}} {
		if r, err := d.Query(t.Context(), after(t), f); err != nil || r.Games != 0 {
			t.Errorf("%+v: %d games, %v", f, r.Games, err)
		}
	}
}

// TestRemove: without the source of an original, its first duplicate elsewhere takes its place; and
// all that is left is what the other sources brought.
func TestRemove(t *testing.T) {
	d := two(t)
	if err := d.Remove(t.Context(), "c.pgn"); !errors.Is(err, ErrNoSource) {
		t.Errorf("error %v", err)
	}
	if err := d.Remove(t.Context(), "a.pgn"); err != nil {
		t.Fatal(err)
	}
	other := create(t, "y.db")
	add(t, other, "b.pgn")
	if diff := cmp.Diff(counted(rows(t, other)), counted(rows(t, d))); diff != "" {
		t.Error(diff)
	}
	for _, pos := range []engine.Position{after(t), after(t, "H2-E2"), after(t, "C3-C4", "H9-G7")} {
		if diff := cmp.Diff(text(t, other, pos, Filter{}), text(t, d, pos, Filter{})); diff != "" {
			t.Error(diff)
		}
	}
	if err := d.Remove(t.Context(), "b.pgn"); err != nil {
		t.Fatal(err)
	}
	if left := rows(t, d); len(left) > 0 {
		t.Errorf("left: %q", left)
	}
}

// counted returns how many rows of each kind there are.
func counted(rows []string) map[string]int {
	count := map[string]int{}
	for _, r := range rows {
		kind, _, _ := strings.Cut(r, " ")
		count[kind]++
	}
	return count
}

// TestAddAgain: a file that is known is skipped, and one that has changed replaces its games.
func TestAddAgain(t *testing.T) {
	d := two(t)
	before := rows(t, d)
	if got, want := add(t, d, "a.pgn", "b.pgn"), []Source{{Name: "a.pgn", Known: true}, {Name: "b.pgn", Known: true}}; !slices.Equal(got, want) {
		t.Errorf("%+v", got)
	}
	if diff := cmp.Diff(before, rows(t, d)); diff != "" {
		t.Error(diff)
	}
	write(t, ".", map[string]string{"a.pgn": a2 + "[Event \"x\"]\n\n1. H2-E2 A0-A1 *\n"})
	if got, want := add(t, d, "a.pgn", "b.pgn"), []Source{{Name: "a.pgn", Games: 2, Damaged: 1}, {Name: "b.pgn", Known: true}}; !slices.Equal(got, want) {
		t.Errorf("%+v", got)
	}
	sources, err := d.Sources(t.Context())
	want := []Source{{Name: "b.pgn", Games: 2}, {Name: "a.pgn", Games: 2, Damaged: 1}}
	if diff := cmp.Diff(want, sources); diff != "" || err != nil {
		t.Errorf("%v\n%s", err, diff)
	}
}

// TestUnread: a file is not read again if its size and time are those of a source, and not just written; and it is
// when it has another time.
func TestUnread(t *testing.T) {
	t.Chdir(t.TempDir())
	d := create(t, "x.db")
	long := time.Now().Add(-time.Hour).Truncate(time.Second)
	other := strings.ReplaceAll(b2, "Li", "Lu")
	for _, c := range []struct {
		text     string
		modified time.Time
		want     Source
		player   string
	}{
		{b2, long, Source{Name: "a.pgn", Games: 1}, "Li"},
		{other, long, Source{Name: "a.pgn", Known: true}, "Li"},
		{other, long.Add(time.Second), Source{Name: "a.pgn", Games: 1}, "Lu"},
		{b2, time.Now(), Source{Name: "a.pgn", Games: 1}, "Li"},
		{other, time.Now(), Source{Name: "a.pgn", Games: 1}, "Lu"},
		{other, long, Source{Name: "a.pgn", Known: true}, "Lu"},
	} {
		write(t, ".", map[string]string{"a.pgn": c.text})
		if err := os.Chtimes("a.pgn", time.Time{}, c.modified); err != nil {
			t.Fatal(err)
		}
		if got := add(t, d, "a.pgn"); !slices.Equal(got, []Source{c.want}) {
			t.Errorf("%s of %v: %+v, want %+v", c.player, c.modified, got, c.want)
		}
		if players, err := d.Players(t.Context(), Filter{First: c.player}); err != nil || len(players) != 2 {
			t.Errorf("%s of %v: %+v, %v", c.player, c.modified, players, err)
		}
	}
}

// TestOpeningTags: an opening is what the record calls it, or else its name by position, or else its code, in either system.
func TestOpeningTags(t *testing.T) {
	t.Chdir(t.TempDir())
	tagged := func(tags string) string { return strings.Replace(b2, "\n", "\n"+tags, 1) }
	for i, tags := range []string{"[ECCO \"C48\"]\n", "[ECO \"A00\"]\n[ECCO \"C48\"]\n", "[ECCO \"C48\"]\n[Opening \"中炮\"]\n", "[ECCO \"?\"]\n", ""} {
		d := create(t, fmt.Sprintf("%d.db", i))
		write(t, ".", map[string]string{"a.pgn": tagged(tags)})
		add(t, d, "a.pgn")
		openings, err := d.Openings(t.Context(), Filter{})
		var names []string
		for _, r := range openings {
			names = append(names, r.Name)
		}
		const byPosition = "Pointing Immortal against Horse"
		want := [][]string{{byPosition}, {byPosition}, {"中炮"}, {byPosition}, {byPosition}}[i]
		if err != nil || !slices.Equal(names, want) {
			t.Errorf("%q: %q, %v, want %q", tags, names, err, want)
		}
	}
	g := record.NewGame(games.Default.DefaultGame().Start())
	for _, c := range []struct{ tag, value, want string }{{"ECCO", "?", ""}, {"ECCO", "C48", "C48"}, {"ECO", "A00", "A00"}} {
		g.Tags.Set(c.tag, c.value)
		if got := games.Default.Opening(g); got != c.want {
			t.Errorf("%v without a move is %q, want %q", g.Tags, got, c.want)
		}
	}
}

// TestInterrupted: files that are complete when the run is interrupted are not added again.
func TestInterrupted(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, ".", map[string]string{"a.pgn": a1 + a2 + a3, "b.pgn": b1 + b2})
	d := create(t, "x.db")
	ctx, cancel := context.WithCancel(t.Context())
	err := d.Add(ctx, d.games.Records(d.game), []string{"a.pgn", "b.pgn"}, AddOptions{Whole: true, OnSource: func(Source) { cancel() }})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	if got, want := add(t, d, "a.pgn", "b.pgn"), []Source{{Name: "a.pgn", Known: true}, {Name: "b.pgn", Games: 2, Duplicates: 1}}; !slices.Equal(got, want) {
		t.Errorf("%+v", got)
	}
	whole := create(t, "y.db")
	add(t, whole, "a.pgn", "b.pgn")
	if diff := cmp.Diff(rows(t, whole), rows(t, d)); diff != "" {
		t.Error(diff)
	}
}

// TestTransactions: a transaction ends with a file after some time and after some plies, of duplicates too;
// what it has brought is kept if the run is interrupted within a later file.
func TestTransactions(t *testing.T) {
	t.Chdir(t.TempDir())
	const damaged = "[Event \"x\"]\n\n1. H2-E2 A0-A1 *\n\n"
	names := []string{"a.pgn", "b.pgn", "c.pgn", "d.pgn"}
	write(t, ".", map[string]string{"a.pgn": a1, "b.pgn": a1 + a1, "c.pgn": a1, "d.pgn": damaged + a1})
	for i, c := range []struct {
		options AddOptions
		kept    []int // sources in the database after each file but the last, and at the end
	}{
		{AddOptions{commitEvery: time.Hour}, []int{0, 0, 0, 0}},
		{AddOptions{commitEvery: time.Nanosecond}, []int{0, 1, 2, 3}},
		{AddOptions{commitEvery: time.Hour, maxRows: 8}, []int{0, 0, 2, 2}},
	} {
		path := fmt.Sprintf("%d.db", i)
		d := create(t, path)
		var kept []int
		count := func() {
			other, err := Open(t.Context(), path, d.games, d.game)
			if err != nil {
				t.Fatal(err)
			}
			defer other.Close()
			sources, err := other.Sources(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			kept = append(kept, len(sources))
		}
		ctx, cancel := context.WithCancel(t.Context())
		c.options.OnSource = func(Source) { count() }
		c.options.OnDamaged = func(error) { cancel() }
		if err := d.Add(ctx, d.games.Records(d.game), names, c.options); !errors.Is(err, context.Canceled) {
			t.Errorf("%d: error %v", i, err)
		}
		count()
		if !slices.Equal(kept, c.kept) {
			t.Errorf("%d: sources %v, want %v", i, kept, c.kept)
		}
	}
}

// TestScores: a move has its own score, or else that of the position after it.
func TestScores(t *testing.T) {
	d := two(t)
	answers := func(yield func(batch.Answer, error) bool) {
		one := batch.Record{Text: "startpos"}.Item(d.game)
		two := batch.Record{Text: "startpos", Moves: []string{"C3-C4"}}.Item(d.game)
		_ = yield(batch.Answer{Item: one, Engine: "e", Hints: []batch.Hint{{Move: "H2-E2", Score: engine.Centipawns(35), Depth: 9}, {Move: "A0-A5"}}}, nil) &&
			yield(batch.Answer{}, errors.New("no answer")) &&
			yield(batch.Answer{Item: two, Engine: "e", Hints: []batch.Hint{{Move: "H9-G7", Score: engine.Centipawns(-20)}}}, nil)
	}
	n, err := d.AddScores(t.Context(), answers, func(error) bool { return false })
	if n != 2 || err != nil {
		t.Errorf("%d positions, %v", n, err)
	}
	got := text(t, d, after(t), Filter{})
	for _, want := range []string{"1991.06  +0.35 depth 9\n", "1993     +0.20\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing in\n%s", want, got)
		}
	}
}

// TestOtherGame: a database is of one game, whose name it tells.
func TestOtherGame(t *testing.T) {
	t.Chdir(t.TempDir())
	table := games.Default.With(&games.Row{Game: enginetest.Stones})
	d, err := Create(t.Context(), "x.db", table, enginetest.Stones)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	_, err = Open(t.Context(), "x.db", table, table.DefaultGame())
	if err == nil || !strings.Contains(err.Error(), "games of stones, not of") {
		t.Errorf("error %v", err)
	}
	if d, err = Open(t.Context(), "x.db", table, enginetest.Stones); err != nil {
		t.Fatal(err)
	}
	d.Close()
}

func TestParseDate(t *testing.T) {
	for text, want := range map[string]string{
		"1956.12.16": "1956.12.16", "1956-12-16": "1956.12.16", "1956年12月16日": "1956.12.16", "1956年": "1956",
		"1956.??.??": "1956", "2006年8月": "2006.08", "1956.13.01": "", "1956.12.45": "", "2000.02.30": "2000.02", "2000.02.29": "2000.02.29", "1900.02.29": "1900.02", "1956.12.32": "", "01-2-4": "", "": "", "May 1956": "", "19561216": "",
	} {
		date, ok := ParseDate(text)
		if date.String() != want || ok != (want != "") {
			t.Errorf("%q: %v %v", text, date, ok)
		}
		if pgn := date.PGN(); ok && (len(pgn) != len("1956.12.16") || strings.TrimSuffix(strings.TrimSuffix(pgn, ".??"), ".??") != want) {
			t.Errorf("%q: %v in PGN", text, pgn)
		}
	}
}

func TestParseLimit(t *testing.T) {
	for text, want := range map[string]string{
		"1956": "1956", "1956.12": "1956.12", "1956-1-6": "1956.01.06", "1956/12/16": "1956.12.16",
		"1990.13": "", "2000.02.30": "", "1990.00": "", "1990.1.1.1": "", "1990x": "", "1990.": "", "90": "", "yesterday": "", "0000": "",
	} {
		if date, err := ParseLimit(text); date.String() != want || (err == nil) != (want != "") {
			t.Errorf("%q: %v %v", text, date, err)
		}
	}
}

func TestFilterCheck(t *testing.T) {
	for _, c := range []struct {
		since, until Date
		want         string
	}{
		{0, 0, ""},
		{19950000, 0, ""},
		{0, 19950000, ""},
		{19950600, 19950000, ""},
		{19950630, 19950600, ""},
		{19950000, 19900000, "since 1995, until 1990: the end is before the beginning"},
		{19950602, 19950601, "since 1995.06.02, until 1995.06.01: the end is before the beginning"},
	} {
		if err := (Filter{Since: c.since, Until: c.until}).Check(); (err == nil) != (c.want == "") || err != nil && err.Error() != c.want {
			t.Errorf("%v to %v: %v", c.since, c.until, err)
		}
	}
}

func TestReadAliases(t *testing.T) {
	a, err := ReadAliases(strings.NewReader("# players\n\n吕钦 = 呂欽, LV Qin\n"), "names.txt")
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"呂欽": "吕钦", "Lv qin": "吕钦", "Hu": "Hu"} {
		if got := a.of(name); got != want {
			t.Errorf("%s: %s", name, got)
		}
	}
	if _, err := ReadAliases(strings.NewReader("\nx"), "names.txt"); err == nil || err.Error() != "names.txt:2: want NAME = OTHER, OTHER" {
		t.Errorf("error %v", err)
	}
}
