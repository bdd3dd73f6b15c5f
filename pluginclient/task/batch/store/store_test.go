package store

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"qhsh/engine"
	"qhsh/engine/enginetest"
	"qhsh/engine/xiangqi"
	"qhsh/pluginclient"
	"qhsh/pluginclient/sqlitefile"
	"qhsh/pluginclient/task/batch"
)

var about = Run{Spec: "uci:./engine", Timeout: 3 * time.Second, Hints: 2}

// answer returns an answer whose kind depends on a number.
func answer(n int) batch.Answer {
	a := batch.Answer{Engine: "qhsh; \"x\"", Spec: "uci:./engine", Limits: batch.Limits{
		Level: n % 3, HasLevel: n%3 > 0, Nodes: int64(n % 2), Depth: n % 4, Time: time.Duration(n%5) * time.Millisecond,
	}}
	switch n % 5 {
	case 0:
		a.Item = batch.Item{File: "b.fen", Input: "9/9 'x' w", Err: errors.New("2 ranks instead of 10")}
		a.Err, a.Engine, a.Spec, a.Limits = a.Item.Err, "", "", batch.Limits{}
	case 1:
		a.Item = batch.Record{Text: "startpos", Moves: []string{"h2e2"}, ID: fmt.Sprint("三 ", n), BM: []string{"h9g7"}, Ops: []batch.Op{{Code: "c0", Args: `"a; b"`}}}.Item(xiangqi.Rules)
		a.Hints = []batch.Hint{
			{Move: "H9-G7", Score: engine.Centipawns(-n), Depth: n, Nodes: 1 << 40, PV: []string{"H9-G7", "H0-G2"}, Text: "x 'y'"},
			{Move: "B9-C7", Score: engine.MateIn(-3), PV: []string{"B9-C7"}},
		}
	case 2:
		a.Item = batch.Parse(enginetest.Stones, "5 first 2")
		a.Hints = []batch.Hint{{Move: "take 2", PV: []string{"take 2"}}}
	case 3:
		a.Item = batch.Parse(xiangqi.Rules, "startpos bm C2.5; id \"x\";")
		a.Err = errors.New("folium: HINTS: died")
	case 4:
		a.Item = batch.Parse(xiangqi.Rules, "3k5/9/9/9/9/9/9/9/r8/r3K4 w")
		a.Over = "checkmate"
	}
	a.Line = n + 1
	a.Fields = fieldsOf(n)
	if n%5 == 0 {
		a.ID, a.IDNumber = fmt.Sprint(n), n%2 == 0
	}
	return a
}

// fieldsOf returns fields whose kind depends on a number.
func fieldsOf(n int) batch.Fields {
	value := []string{`17`, `"17"`, `1e400`, `123456789012345678901234567890`, `{"a":[1,"\u00e9"]}`, `null`, `""`, `true`, `0.10`}[n%9]
	field := func(name, value string) batch.Field { return batch.Field{Name: name, Value: json.RawMessage(value)} }
	return []batch.Fields{
		nil,
		{field("year", value), field("a 'b' \"c\" \\", `"x"`)},
		{field("$.x", value), field("year", `1`), field("Year", `2`), field("", value)},
	}[n%3]
}

var sameErrors = cmp.Comparer(func(a, b error) bool { return textOf(a) == textOf(b) })

func textOf(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// plain returns an answer as it reads back.
func plain(a batch.Answer) batch.Answer {
	if a.Pos != nil {
		a.Input = ""
	}
	a.After, a.Pos, a.Ops = a.Position(), nil, a.OtherOps()
	return a
}

func writeAll(t *testing.T, d *DB, from, to int) {
	t.Helper()
	for n := from; n < to; n++ {
		if err := d.Write(answer(n)); err != nil {
			t.Fatal(err)
		}
	}
}

func readAll(t *testing.T, path string) (all []batch.Answer) {
	t.Helper()
	for a, err := range Answers(path) {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, a)
	}
	return all
}

// check checks that a database has the first n answers.
func check(t *testing.T, path string, n int) {
	t.Helper()
	var want []batch.Answer
	for i := range n {
		want = append(want, plain(answer(i)))
	}
	if diff := cmp.Diff(want, readAll(t, path), sameErrors, cmp.AllowUnexported(engine.Score{})); diff != "" {
		t.Error(diff)
	}
}

func create(t *testing.T, path string) *DB {
	t.Helper()
	d, err := Create(path, about)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func finish(t *testing.T, d *DB) {
	t.Helper()
	if err := d.Finish(); err != nil {
		t.Fatal(err)
	}
}

// onlyFile checks that there are no other files next to a file.
func onlyFile(t *testing.T, path string) []byte {
	t.Helper()
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil || len(entries) != 1 {
		t.Errorf("files in the folder: %v, %v", entries, err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestFieldsView: fields become columns, in order of first occurrence.
func TestFieldsView(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.db")
	d := create(t, path)
	writeAll(t, d, 0, 20)
	finish(t, d)
	db, err := sqlitefile.OpenReading(path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	rows, err := db.Query("SELECT * FROM fields WHERE position_id IN (2, 3, 11)")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		t.Fatal(err)
	}
	got := [][]any{{strings.Join(columns, "|")}}
	for rows.Next() {
		row := make([]any, len(columns))
		to := make([]any, len(columns))
		for i := range row {
			to[i] = &row[i]
		}
		if err := rows.Scan(to...); err != nil {
			t.Fatal(err)
		}
		got = append(got, row)
	}
	want := [][]any{
		{`position_id|year|a 'b' "c" \|$.x|Year:1|`},
		{int64(2), "17", "x", nil, nil, nil},
		{int64(3), int64(1), nil, math.Inf(1), int64(2), math.Inf(1)},
		{int64(11), "17", "x", nil, nil, nil},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestMerge: writing what the databases of all shards have gives the database of an undivided run.
func TestMerge(t *testing.T) {
	for _, n := range []int{0, 1, 23} {
		whole := filepath.Join(t.TempDir(), "whole.db")
		d := create(t, whole)
		writeAll(t, d, 0, n)
		finish(t, d)
		var parts []string
		for k := range 3 {
			path := filepath.Join(t.TempDir(), "part.db")
			d := create(t, path)
			for i := k; i < n; i += 3 {
				writeAll(t, d, i, i+1)
			}
			finish(t, d)
			parts = append(parts, path)
		}
		merged := filepath.Join(t.TempDir(), "merged.db")
		d = create(t, merged)
		var answers [3][]batch.Answer
		for k, path := range parts {
			for a, err := range Answers(path) {
				if err != nil {
					t.Fatal(err)
				}
				answers[k] = append(answers[k], a)
			}
		}
		for i := range n {
			if err := d.Write(answers[i%3][i/3]); err != nil {
				t.Fatal(err)
			}
		}
		finish(t, d)
		if !bytes.Equal(onlyFile(t, merged), onlyFile(t, whole)) {
			t.Errorf("parts of %d are not merged into the bytes of the whole", n)
			check(t, merged, n)
		}
	}
}

func TestReadsBack(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a b#%?.db")
	d := create(t, path)
	writeAll(t, d, 0, 23)
	finish(t, d)
	onlyFile(t, path)
	check(t, path, 23)
}

func TestEmpty(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.db")
	finish(t, create(t, path))
	check(t, path, 0)
}

// TestSameBytes: equal answers give equal bytes, whatever the file contained before and whenever
// they were committed.
func TestSameBytes(t *testing.T) {
	const total = 400
	path := filepath.Join(t.TempDir(), "x.db")
	var want []byte
	for _, left := range []int{0, 1, 7, 211, 400} { // answers of an interrupted run
		d := create(t, path)
		writeAll(t, d, 0, left)
		if err := d.Close(); err != nil {
			t.Fatal(err)
		}
		check(t, path, left)
		d = create(t, path)
		for n := range total {
			writeAll(t, d, n, n+1)
			if left > 0 && n%left == 0 {
				if err := d.Commit(); err != nil {
					t.Fatal(err)
				}
			}
		}
		finish(t, d)
		got := onlyFile(t, path)
		if want == nil {
			want = got
		}
		if !bytes.Equal(want, got) {
			t.Errorf("after %d answers of an earlier run the bytes differ", left)
		}
	}
}

// leftBehind returns a copy of a database and of the file next to it, as they are during a run.
func leftBehind(t *testing.T, path, beside string) string {
	t.Helper()
	left := filepath.Join(t.TempDir(), "x.db")
	for _, suffix := range []string{"", beside} {
		data, err := os.ReadFile(path + suffix)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(left+suffix, data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return left
}

// TestKilled: the database that a killed process leaves has all committed answers.
func TestKilled(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.db")
	d := create(t, path)
	writeAll(t, d, 0, 50)
	if err := d.Commit(); err != nil {
		t.Fatal(err)
	}
	writeAll(t, d, 50, 60) // not committed
	left := leftBehind(t, path, "-wal")
	check(t, left, 50)
	again := create(t, left)
	writeAll(t, again, 0, 60)
	finish(t, again)
	finish(t, d)
	if !bytes.Equal(onlyFile(t, path), onlyFile(t, left)) {
		t.Error("the final bytes differ")
	}
}

// TestKilledAtTheBegin: the file of a process that is killed while it writes the header can be
// replaced.
func TestKilledAtTheBegin(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.db")
	db, err := sql.Open("sqlite", sqlitefile.DSN(path))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	if _, err := db.Exec("PRAGMA journal_mode = delete; CREATE TABLE x (y); PRAGMA cache_spill = 1; BEGIN; PRAGMA cache_size = 1"); err != nil {
		t.Fatal(err)
	}
	for range 20 { // more pages than the cache holds, so that they are written with a journal
		if _, err := db.Exec("INSERT INTO x VALUES (zeroblob(4000))"); err != nil {
			t.Fatal(err)
		}
	}
	left := leftBehind(t, path, "-journal")
	if err := CheckReplaceable(left); !errors.Is(err, kind.ErrForeign) {
		t.Errorf("error %v, want that of a foreign database", err)
	}
}

// TestCreateReplaces: an earlier run is removed, also the files next to it.
func TestCreateReplaces(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "x.db")
	before := create(t, path)
	writeAll(t, before, 0, 9)
	finish(t, before)
	for _, name := range []string{path + "-wal", path + "-new"} {
		if err := os.WriteFile(name, []byte("something else"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	d := create(t, path)
	writeAll(t, d, 0, 5)
	finish(t, d)
	onlyFile(t, path)
	check(t, path, 5)
}

// TestLink: a link stays, and its target is written. A process that reads the file while it is
// finished keeps the old write-ahead log, which is not applied to the new file.
func TestReadWhileFinished(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.db")
	d := create(t, path)
	writeAll(t, d, 0, 200)
	if err := d.Commit(); err != nil {
		t.Fatal(err)
	}
	if _, err := d.db.Exec("PRAGMA wal_checkpoint(TRUNCATE)"); err != nil {
		t.Fatal(err)
	}
	reader, err := sqlitefile.OpenReading(path)
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	if err := reader.Ping(); err != nil {
		t.Fatal(err)
	}
	writeAll(t, d, 200, 400)
	finish(t, d)
	onlyFile(t, path)
	check(t, path, 400)
}

func TestLink(t *testing.T) {
	real, link := filepath.Join(t.TempDir(), "real.db"), filepath.Join(t.TempDir(), "link.db")
	if err := os.WriteFile(real, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(real, link); err != nil {
		t.Skip(err)
	}
	d := create(t, link)
	writeAll(t, d, 0, 5)
	finish(t, d)
	if info, err := os.Lstat(link); err != nil || info.Mode().Type() != fs.ModeSymlink {
		t.Errorf("the link is %v, %v", info, err)
	}
	check(t, real, 5)
	check(t, link, 5)
}

func TestRefuses(t *testing.T) {
	dir := t.TempDir()
	text, foreign, short := filepath.Join(dir, "text.db"), filepath.Join(dir, "foreign.db"), filepath.Join(dir, "short.db")
	if err := os.WriteFile(text, []byte(strings.Repeat("no database\n", 100)), 0o666); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", sqlitefile.DSN(foreign))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec("CREATE TABLE positions (x)"); err != nil {
		t.Fatal(err)
	}
	db.Close()
	d := create(t, short)
	writeAll(t, d, 0, 5)
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		text:                          "not a database",
		foreign:                       "not written by 'qhsh hints'",
		filepath.Join(dir, "none.db"): "unable to open database file",
		dir:                           "not a regular file",
	} {
		for _, err := range Answers(path) {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s was accepted: %v", path, err)
			}
		}
	}
	for _, path := range []string{text, foreign, dir} {
		before, _ := os.ReadFile(path)
		if _, err := Create(path, about); err == nil {
			t.Errorf("%s was replaced", path)
		}
		if after, _ := os.ReadFile(path); !bytes.Equal(before, after) {
			t.Errorf("%s has changed", path)
		}
	}
	none := filepath.Join(dir, "tables.db") // as left by a process that is killed immediately
	db, err = sql.Open("sqlite", sqlitefile.DSN(none, "_pragma=journal_mode(wal)"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec("PRAGMA user_version = 0"); err != nil {
		t.Fatal(err)
	}
	db.Close()
	finish(t, create(t, none))
	check(t, short, 5)
}

// TestQueries: the tables are as 'qhsh help formats' describes them.
func TestQueries(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.db")
	d := create(t, path)
	writeAll(t, d, 0, 10)
	finish(t, d)
	db, err := sql.Open("sqlite", sqlitefile.DSN(path))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for query, want := range map[string]string{
		"SELECT version || spec || ifnull(level, '-') || timeout_ms || hints FROM runs": pluginclient.Version + "uci:./engine-30002",
		"SELECT count(*) FROM positions WHERE error IS NOT NULL":                        "4",
		"SELECT count(*) FROM best WHERE move = 'H9-G7' AND solved":                     "2",
		"SELECT position FROM best WHERE id = '三 6'":                                    "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR b - - 1 1",
		"SELECT group_concat(rank || move) FROM hints WHERE position_id = 2":            "1H9-G7,2B9-C7",
		"SELECT count(*) FROM pragma_foreign_key_check":                                 "0",
		"PRAGMA integrity_check":                                                        "ok",
	} {
		var got string
		if err := db.QueryRow(query).Scan(&got); err != nil || got != want {
			t.Errorf("%s: %q, %v, want %q", query, got, err, want)
		}
	}
	// the query of that page, of a database and itself
	var other string
	err = db.QueryRow(`SELECT group_concat(b.move) FROM best a JOIN best b USING (position)
		WHERE a.move = b.move AND a.position_id < b.position_id ORDER BY abs(b.cp - a.cp) DESC`).Scan(&other)
	if err != nil || other != "H9-G7,take 2" {
		t.Errorf("joined by position: %q, %v", other, err)
	}
	var plan string
	var ignored int
	err = db.QueryRow("EXPLAIN QUERY PLAN SELECT * FROM best WHERE position = 'x'").Scan(&ignored, &ignored, &ignored, &plan)
	if err != nil || !strings.Contains(plan, "positions_by_position") {
		t.Errorf("query plan for a position: %s, %v", plan, err)
	}
}

// TestStops: breaking out of the loop over the answers ends it without an error.
func TestStops(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.db")
	d := create(t, path)
	writeAll(t, d, 0, 10)
	finish(t, d)
	n := 0
	for _, err := range Answers(path) {
		if err != nil {
			t.Fatal(err)
		}
		if n++; n == 3 {
			break
		}
	}
}

func BenchmarkWrite(b *testing.B) {
	d, err := Create(filepath.Join(b.TempDir(), "x.db"), about)
	if err != nil {
		b.Fatal(err)
	}
	a := answer(1)
	for b.Loop() {
		if err := d.Write(a); err != nil {
			b.Fatal(err)
		}
	}
	if err := d.Finish(); err != nil {
		b.Fatal(err)
	}
}
