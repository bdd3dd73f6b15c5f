package explore

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"qhsh/engine/games"
	"qhsh/engine/record"
)

// whole returns the whole games of a database in PGN.
func whole(t testing.TB, d *DB) (all []string) {
	t.Helper()
	err := d.EachWhole(t.Context(), Filter{}, func(_ GameID, g *record.Game) error {
		var b strings.Builder
		out, err := d.games.Records(d.game).NewWriter(&b, record.PGN, "")
		if err == nil {
			err = out.Write(g)
		}
		all = append(all, b.String())
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// TestWhole: a database of an earlier program has no whole games until they are added again; of copies the one with
// comments has them, and the best one the players.
func TestWhole(t *testing.T) {
	t.Chdir(t.TempDir())
	commented := strings.Replace(pgn("", "Xu", "Meeting", "1990", "*", "1. H2-E2 {first} 1... H9-G7 $2 (1... B9-C7 {second}) 2. H0-G2"), "[Event", "[Annotator \"Li\"]\n[Event", 1)
	write(t, ".", map[string]string{"a.pgn": a1 + a2, "b.pgn": commented})
	d := create(t, "x.db")
	if err := d.Add(t.Context(), d.games.Records(d.game), []string{"a.pgn", "b.pgn"}, AddOptions{}); err != nil {
		t.Fatal(err)
	}
	if _, err := d.db.Exec("DROP TRIGGER records_of_games; DROP TABLE records"); err != nil {
		t.Fatal(err)
	}
	head := func(tags string) string { return "[Game \"Chinese Chess\"]\n" + tags + "[Format \"ICCS\"]\n\n" }
	first := "[Event \"Cup\"]\n[Site \"?\"]\n[Date \"1990.05.01\"]\n[Round \"?\"]\n[Red \"广东 吕  钦\"]\n[Black \"Xu\"]\n[Result \"1-0\"]\n"
	second := "[Event \"Cup\"]\n[Site \"?\"]\n[Date \"1991.06.??\"]\n[Round \"?\"]\n[Red \"Hu\"]\n[Black \"吕钦\"]\n[Result \"0-1\"]\n"
	opening := func(name string) string { return "[Opening \"" + name + "\"]\n" }
	plain := []string{
		head(first+opening("Central Cannon")) + "1. H2-E2 H9-G7 2. H0-G2 1-0\n",
		head(second+opening("Central Cannon")) + "1. H2-E2 B9-C7 0-1\n",
	}
	old, err := Open(t.Context(), "x.db", games.Default, games.Default.DefaultGame())
	if err != nil {
		t.Fatal(err)
	}
	defer old.Close()
	if diff := cmp.Diff(plain, whole(t, old)); diff != "" {
		t.Errorf("an earlier program's database (-want +got):\n%s", diff)
	}
	d = create(t, "x.db")
	if sources := add(t, d, "a.pgn", "b.pgn"); sources[0].Known || sources[1].Known {
		t.Errorf("files without whole games were not read: %v", sources)
	}
	if sources := add(t, d, "a.pgn", "b.pgn"); !sources[0].Known || !sources[1].Known {
		t.Errorf("files with whole games were read again: %v", sources)
	}
	full := []string{
		head(strings.Replace(first, "Cup", "Meeting", 1)+"[Annotator \"Li\"]\n"+opening("Central Cannon")) +
			"1. H2-E2 {first} 1... H9-G7 $2 (1... B9-C7 {second}) 2. H0-G2 1-0\n",
		head(second+"[OriginalDate \"1991-06\"]\n"+opening("Central Cannon")) + "1. H2-E2 B9-C7 0-1\n",
	}
	if diff := cmp.Diff(full, whole(t, d)); diff != "" {
		t.Errorf("whole games (-want +got):\n%s", diff)
	}
	removeAll(t, d)
	var left int
	if err := d.db.QueryRow("SELECT count(*) FROM records").Scan(&left); err != nil || left > 0 {
		t.Errorf("%d records left, %v", left, err)
	}
}
