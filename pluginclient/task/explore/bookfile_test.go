package explore

import (
	"bytes"
	"database/sql"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"qhsh/engine"
	"qhsh/engine/games"
)

// makeBook executes statements in a new file, which is the working directory's book.
func makeBook(t testing.TB, statements string) {
	t.Helper()
	_ = os.Remove("book")
	db, err := sql.Open("sqlite", "book")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec(statements); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
}

func openBook(t testing.TB, index *BookIndex) (*DB, error) {
	t.Helper()
	d, err := OpenBook(t.Context(), "book", games.Default, games.Default.DefaultGame(), index)
	if err == nil {
		t.Cleanup(func() { d.Close() })
	}
	return d, err
}

// obk returns the statements that make a book with rows of key, move, score, win, draw, lost and valid.
func obk(rows ...string) string {
	return `CREATE TABLE bhobk (id INTEGER PRIMARY KEY, vkey INTEGER, vmove, vscore, vwin, vdraw, vlost, vvalid, vmemo);
		INSERT INTO bhobk (vkey, vmove, vscore, vwin, vdraw, vlost, vvalid) VALUES ` + strings.Join(rows, ", ")
}

const startKey = "7101337512282506414"

// TestForeignBook: valid legal moves, also with from and to exchanged and those of the mirror image, the higher score of a
// move that is there twice; with an index and without. The move with the highest score is chosen.
func TestForeignBook(t *testing.T) {
	t.Chdir(t.TempDir())
	makeBook(t, obk(
		"("+startKey+", 0xaaa7, 20, 1, 2, 3, 1)",
		"("+startKey+", 0xaaa7, 10, 9, 9, 9, 1)",
		"("+startKey+", 0x8595, 20, 0, 0, 0, 1)",          // C3-C4, from and to exchanged
		"("+startKey+", 0xc9a7, 30, 0, 0, 0, 0)",          // not valid
		"("+startKey+", 0xc373, 40, NULL, NULL, NULL, 1)", // not legal
		"("+startKey+", 0xa4a6, -5.0, NULL, NULL, NULL, 1)",
		"(-2.684809862467861e-145, 0x3a59, 7, 0, 1, 0, 1)", // after H2-E2
		"(NULL, 0x3a59, 7, 0, 1, 0, 1)",
	))
	const want = `rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1
6 games, red to move: 1 won, 2 drawn, 3 lost, average 33.3 %

move   games      %  won  drawn  lost  average  last  score
H2-E2      6  100.0    1      2     3   33.3 %        +0.20
C3-C4      0    0.0    0      0     0                 +0.20
B2-D2      0    0.0    0      0     0                 -0.05
rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/4C2C1/9/RNBAKABNR b - - 1 1
1 game, black to move: 0 won, 1 drawn, 0 lost, average 50.0 %

move   games      %  won  drawn  lost  average  last  score
B9-C7      1  100.0    0      1     0   50.0 %        +0.07
rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/2C4C1/9/RNBAKABNR b - - 1 1
0 games, black to move
`
	for _, index := range []*BookIndex{nil, {}} {
		d, err := openBook(t, index)
		if err != nil {
			t.Fatal(err)
		}
		var got string
		for _, pos := range []engine.Position{after(t), after(t, "B2-E2"), after(t, "B2-C2")} {
			got += text(t, d, pos, Filter{Mirror: true})
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("with an index %v: %s", index != nil, diff)
		}
		chosen := map[string]bool{}
		for seed := range uint64(20) {
			m, err := Book{DB: d, Games: 9, Seed: seed}.Choose(t.Context(), after(t), nil)
			if err != nil {
				t.Fatal(err)
			}
			chosen[after(t).Format(m)] = true
		}
		if diff := cmp.Diff(map[string]bool{"H2-E2": true, "C3-C4": true}, chosen); diff != "" {
			t.Error(diff)
		}
		if _, err := d.Query(t.Context(), after(t), Filter{Player: "x"}); err == nil || err.Error() != "database book: a book of another program has no games to choose from" {
			t.Error(err)
		}
	}
}

// TestBookIndexFollowsFile: an index is made again when the file has changed, as by SetScore, which changes each row of
// the move, the mirror image's too, or adds one.
func TestBookIndexFollowsFile(t *testing.T) {
	t.Chdir(t.TempDir())
	makeBook(t, obk("("+startKey+", 0xaaa7, 20, 1, 2, 3, 1)", "(-2.684809862467861e-145, 0x3a59, 7, 0, 1, 0, 1)"))
	index := new(BookIndex)
	for _, c := range []struct {
		pos   engine.Position
		move  string
		score int
		rows  string
	}{
		{after(t), "C3-C4", 30, "(43687 20) (14937 7) (38277 30)"},
		{after(t, "B2-E2"), "B9-C7", -4, "(43687 20) (14937 -4) (38277 30)"},
		{after(t), "H2-E2", 40, "(43687 40) (14937 -4) (38277 30)"},
	} {
		d, err := openBook(t, index)
		if err != nil {
			t.Fatal(err)
		}
		m, err := c.pos.Parse(c.move)
		if err == nil {
			err = d.SetScore(t.Context(), c.pos, m, c.score)
		}
		if err != nil {
			t.Fatal(err)
		}
		if d, err = openBook(t, index); err != nil {
			t.Fatal(err)
		}
		r, err := d.Query(t.Context(), c.pos, Filter{})
		if err != nil || r.Moves[0].Move != m || r.Moves[0].Score.String() != fmt.Sprintf("cp %d", c.score) {
			t.Errorf("%s: %v, %v", c.move, r, err)
		}
		var rows []string
		var stored, score int
		err = each(t.Context(), d.db, []any{&stored, &score}, func() error {
			rows = append(rows, fmt.Sprintf("(%d %d)", stored, score))
			return nil
		}, "SELECT vmove, vscore FROM bhobk ORDER BY id")
		if got := strings.Join(rows, " "); got != c.rows || err != nil {
			t.Errorf("%s: %s, %v", c.move, got, err)
		}
	}
}

// TestWriteBook: what is written from a database, with a score that no game has, is the same in each format, from which
// it is written to the others; positions and moves that were played once are left out.
func TestWriteBook(t *testing.T) {
	d := two(t)
	start := after(t)
	makeBook(t, obk("("+startKey+", 0xc9a7, 30, 0, 0, 0, 1)"))
	book, err := openBook(t, nil)
	if err != nil {
		t.Fatal(err)
	}
	if n, err := d.AddBook(t.Context(), book, start); n != 1 || err != nil {
		t.Fatal(n, err)
	}
	const want = `rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1
2 games, red to move: 1 won, 0 drawn, 1 lost, average 50.0 %

move   games      %  won  drawn  lost  average  last  score
G0-E2      0    0.0    0      0     0                 +0.30
H2-E2      2  100.0    1      0     1   50.0 %        +0.00
`
	formats := games.Default.Row(d.Game()).Books
	from := d
	for _, format := range append(formats, formats[0]) {
		var file bytes.Buffer
		positions, moves, err := from.WriteBook(t.Context(), &file, format, start, 2)
		if err != nil || positions != 1 || moves != 2 {
			t.Fatalf("%s: %d, %d, %v", format.Name, positions, moves, err)
		}
		if err := os.WriteFile("book", file.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
		if from, err = openBook(t, new(BookIndex)); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, text(t, from, start, Filter{})); diff != "" {
			t.Errorf("%s: %s", format.Name, diff)
		}
	}
}

// TestWriteMirrored: a book has what was played in the mirror image of a position.
func TestWriteMirrored(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, ".", map[string]string{"a.pgn": pgn("A", "B", "", "1990", "1-0", "1. H2-E2 H9-G7") + pgn("C", "D", "", "1992", "0-1", "1. B2-E2 B9-C7 2. B0-C2")})
	d := create(t, "x.db")
	add(t, d, "a.pgn")
	var file bytes.Buffer
	positions, moves, err := d.WriteBook(t.Context(), &file, games.Default.Row(d.Game()).Books[0], after(t), 2)
	if err != nil || positions != 2 || moves != 2 {
		t.Fatalf("%d, %d, %v", positions, moves, err)
	}
	if err := os.WriteFile("book", file.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	book, err := openBook(t, nil)
	if err != nil {
		t.Fatal(err)
	}
	const want = `rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/4C2C1/9/RNBAKABNR b - - 1 1
2 games, black to move: 1 won, 0 drawn, 1 lost, average 50.0 %

move   games      %  won  drawn  lost  average  last  score
B9-C7      2  100.0    1      0     1   50.0 %        +0.00
`
	if diff := cmp.Diff(want, text(t, book, after(t, "B2-E2"), Filter{})); diff != "" {
		t.Error(diff)
	}
}

// TestBadBooks: the error of a book says what is wrong with it, and where.
func TestBadBooks(t *testing.T) {
	t.Chdir(t.TempDir())
	const xqb = "CREATE TABLE book (key, move, score, win, draw, lost, valid); CREATE TABLE information (name, value);"
	const version = xqb + "INSERT INTO information VALUES ('version', 1)"
	for _, c := range []struct{ statements, want string }{
		{"CREATE TABLE other (vkey)", "not written by 'qhsh explore add'"},
		{"CREATE TABLE book (key, move)", "not written by 'qhsh explore add'"},
		{"CREATE VIEW bhobk AS SELECT 1", "not written by 'qhsh explore add'"},
		{"CREATE TABLE bhobk (vkey, vmove)", "the table bhobk has no column vscore"},
		{"CREATE TABLE bhobk (vkey PRIMARY KEY, vmove, vscore, vwin, vdraw, vlost, vvalid) WITHOUT ROWID", "SQL logic error: no such column: rowid (1)"},
		{xqb, "the table information does not tell the type of the book"},
		{xqb + "INSERT INTO information VALUES ('version', 2), ('type', 'xiangqi')", `the version of the book is "2", not 1`},
		{version + ", ('type', 'jieqi')", `the type of the book is "jieqi", not xiangqi`},
		{obk("(" + startKey + ", 'h2e2', 0, 0, 0, 0, 1)"), "row 1: move is not a number"},
		{obk("(0, 0, 0, 0, 0, 0, 1)", "("+startKey+", 0xaaa7, 0.5, 0, 0, 0, 1)"), "row 2: score is 0.5, not an integer"},
		{obk("(" + startKey + ", 0xaaa7, 0, -1, 0, 0, 1)"), "row 1: win is -1"},
		{obk("(" + startKey + ", 0xaaa7, 1000000001, 0, 0, 0, 1)"), "row 1: score is 1000000001"},
	} {
		makeBook(t, c.statements)
		d, err := openBook(t, nil)
		if err == nil {
			_, err = d.Query(t.Context(), after(t), Filter{})
		}
		if err == nil || err.Error() != "database book: "+c.want {
			t.Errorf("%s: %v", c.statements, err)
		}
	}
}

// FuzzBook: whatever is damaged in a book, its moves are legal or there is an error, with an index and without.
func FuzzBook(f *testing.F) {
	f.Chdir(f.TempDir())
	makeBook(f, obk("("+startKey+", 0xaaa7, 20, 1, 2, 3, 1)"))
	whole, err := os.ReadFile("book")
	if err != nil {
		f.Fatal(err)
	}
	for _, at := range []uint16{0, 20, 60, 100, 4000, 8100} {
		f.Add(at, []byte("\xff\x00\x7f"))
	}
	f.Fuzz(func(t *testing.T, at uint16, damage []byte) {
		file := bytes.Clone(whole)
		copy(file[min(int(at), len(file)):], damage)
		if err := os.WriteFile("book", file, 0o666); err != nil {
			t.Fatal(err)
		}
		for _, index := range []*BookIndex{nil, {}} {
			d, err := openBook(t, index)
			if err != nil {
				continue
			}
			r, err := d.Query(t.Context(), after(t), Filter{})
			if err != nil {
				continue
			}
			for _, m := range r.Moves {
				if _, err := r.Position.Play(m.Move); err != nil {
					t.Error(err)
				}
			}
		}
	})
}
