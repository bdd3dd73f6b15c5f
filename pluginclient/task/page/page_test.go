package page

import (
	"slices"
	"strings"
	"testing"

	"qhsh/engine/games"
	"qhsh/engine/record"
)

// TestFiles checks that the files can be put into one page: none ends a script element, has a
// placeholder, or belongs to no page.
func TestFiles(t *testing.T) {
	used := []string{"frame.html"}
	for _, kind := range components {
		for extension, names := range map[string][]string{".js": kind.scripts, ".css": kind.styles, ".html": kind.html} {
			for _, name := range names {
				used = append(used, name+extension)
			}
		}
	}
	entries, err := files.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		text := read("", []string{e.Name()})
		if !slices.Contains(used, e.Name()) {
			t.Errorf("%s is in no page", e.Name())
		}
		if e.Name() == "frame.html" {
			continue
		}
		for _, bad := range []string{"</script", "<script", "<!--", "{{"} {
			if strings.Contains(text, bad) {
				t.Errorf("%s: %s in it", e.Name(), bad)
			}
		}
	}
}

// TestGameData checks the data of every game: the language's usual notation is among those that the
// page offers, and its tags end before the moves.
func TestGameData(t *testing.T) {
	for _, g := range games.Default.Games() {
		p, err := NewGame(games.Default, record.NewGame(g.Start()), "", "")
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range []string{english, chinese} {
			if !strings.Contains(strings.Join(p.Notations, " "), p.Usual[l]) || p.Usual[l] == "" {
				t.Errorf("%s: the usual notation %q of %s is not in %q", g.Name(), p.Usual[l], l, p.Notations)
			}
		}
		if !strings.HasPrefix(p.PGN, "[Game ") || !strings.HasSuffix(p.PGN, "\"]\n") || p.Result != "*" {
			t.Errorf("%s: tags %q, result %q", g.Name(), p.PGN, p.Result)
		}
		if node := p.Root(g.Start()); node.Number != 1 || node.Second || (node.Drawing == "") != (games.Default.Script(g) != "") {
			t.Errorf("%s: the first node is %+v", g.Name(), node)
		}
	}
}
