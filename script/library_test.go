package script

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestLibraryDocuments: every module has a docstring, and every function that a script can load
// has a docstring with its parameters.
func TestLibraryDocuments(t *testing.T) {
	for _, name := range libraryNames() {
		file := strings.TrimPrefix(name, libraryPrefix)
		source, err := library.ReadFile("library/" + file)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(string(source), `"""`) {
			t.Errorf("%s has no docstring", name)
		}
		for line := range strings.Lines(string(source)) {
			def, found := strings.CutPrefix(line, "def ")
			if !found || strings.HasPrefix(def, "_") {
				continue
			}
			fn, _, _ := strings.Cut(def, "(")
			help := newStage().run(t, "load(\""+name+"\", \""+fn+"\")\nhelp("+fn+")")
			if !strings.HasPrefix(help, fn+"(") || strings.Contains(help, "No docstring") {
				t.Errorf("help(%s) of %s:\n%s", fn, name, help)
			}
		}
	}
}

func TestLibraryMates(t *testing.T) {
	s := newStage()
	s.files["mates.epd"] = `2Rckab1C/4a4/4R3n/p5p2/9/2N6/2P5P/C5r2/4K4/2B2A3 w - - dm 1;
5aC2/3k5/3a1P3/4c4/2b1N1n1p/9/P8/B8/4A4/3A1K3 w - - dm 2;
3k1ab2/4a4/8n/p2rp1N1p/3R5/4c4/P7P/4C3B/1nC1A4/1NB1KA3 b - - dm 3;
`
	check(t, s, `
load("@qhsh//mates.star", "line", "mate_in", "mates", "verify")
for n, b in enumerate(positions("mates.epd"), 1):
    fen = b.fen
    print(mate_in(b, 3), mate_in(b, n - 1), mates(b, n), mates(b, n, checks=True), line(b, n), b.fen == fen)
print(verify(b, 3))
print(verify(b, 2))
print(mate_in(board("3k5/9/9/9/9/9/9/9/r8/r3K4 w"), 2), verify(board(), 1).line)
print(mates(board("3k5/9/4P4/4R4/9/9/9/9/9/4K4 w"), 1)) # one is stalemate, which wins
`, `1 None ["E7-E8"] ["E7-E8"] ["E7-E8"] True
2 None ["E5-C6"] ["E5-C6"] ["E5-C6", "D8-E8", "F7-F8"] True
3 None ["D6-D5"] [] ["D6-D5", "C1-D1", "D5-D1", "E2-E3", "D1-D0"] True
struct(first = ["D6-D5"], line = ["D6-D5", "C1-D1", "D5-D1", "E2-E3", "D1-D0"], ok = True, shortest = 3)
struct(first = [], line = [], ok = False, shortest = None)
None []
["E7-D7", "E7-E8"]
`)
}

// TestLibraryBlunders: the fake engine prefers the first move by 10 centipawns.
func TestLibraryBlunders(t *testing.T) {
	check(t, newStage(), `
load("@qhsh//blunders.star", "blunders", "review")
e = engine()
game = board("4k4/9/9/9/9/9/9/9/4A4/3K4R").play("i0i9", "e9e8", "i9i8", "e8e7")
for x in review(e, game):
    print(x.ply, x.side, x.move, x.best, x.before, x.after, x.loss, x.chance, x.line, x.board.fen)
print([x.ply for x in blunders(e, game, drop=20)], blunders(e, game, drop=21))
over = board("3k5/9/4P4/4R4/9/9/9/9/9/4K4 w").play("e7e8")
print([(x.after, x.loss) for x in review(e, over)], review(e, board()))
`, `1 red I0-I9 I0-E0 +0.10 -0.10 20 0.012 ("I0-E0",) 4k4/9/9/9/9/9/9/9/4A4/3K4R w - - 0 1
2 black E9-E8 E9-E8 +0.10 -0.10 0 0.0 ("E9-E8",) 4k3R/9/9/9/9/9/9/9/4A4/3K5 b - - 1 1
3 red I9-I8 I9-I0 +0.10 -0.10 20 0.012 ("I9-I0",) 8R/4k4/9/9/9/9/9/9/4A4/3K5 w - - 2 2
4 black E8-E7 E8-E7 +0.10 -0.10 0 0.0 ("E8-E7",) 9/4k3R/9/9/9/9/9/9/4A4/3K5 b - - 3 2
[1, 3] []
[(mate 1, 0)] []
`)
}

func TestLibraryCompare(t *testing.T) {
	s := newStage()
	s.files["suite.epd"] = `# comment bm a0a1; id "no";
4k4/9/9/9/9/9/9/9/9/3K4R w - - bm d0d1 i0i9; id "first or not"; dm 4;
4k4/9/9/9/9/9/9/9/9/3K4R w - - id "no best move";

4k4/9/9/9/9/9/9/9/9/3K4R b - - bm e9e8
`
	check(t, s, `
load("@qhsh//compare.star", "compare", "read_suite", "solve")
suite = read_suite("suite.epd")
for x in suite: print(x)
e = engine()
for x in solve(e, suite): print(x.name, x.hint.move, x.best, x.solved)
found = compare({"one": e, "two": engine()}, suite)
print(found.rows, found.differences)
`, `struct(best = ["D0-D1", "I0-I9"], board = 4k4/9/9/9/9/9/9/9/9/3K4R w - - 0 1, name = "first or not")
struct(best = ["E9-E8"], board = 4k4/9/9/9/9/9/9/9/9/3K4R b - - 0 1, name = "position 3")
first or not I0-E0 ["D0-D1", "I0-I9"] False
position 3 E9-E8 ["E9-E8"] True
[{"engine": "one", "solved": 1, "of": 2, "share": "50.0%", "nodes": 0}, {"engine": "two", "solved": 1, "of": 2, "share": "50.0%", "nodes": 0}] []
`)
}

func TestLibraryOpenings(t *testing.T) {
	s := newStage()
	s.files["games.txt"] = `startpos moves h2e2 h9g7 b0c2 b9c7
startpos moves h2e2 b9c7
startpos moves b0c2 h9g7 h2e2 b9a7
startpos moves b2e2
4k4/9/9/9/9/9/9/9/9/3K4R w - - 0 1 moves i0i9
`
	check(t, s, `
load("@qhsh//openings.star", "count_moves", "opening_tree", "show")
tree = opening_tree(positions("games.txt"), depth=4)
print(show(tree))
print(tree.move, tree.games, [(c.move, c.games, c.share, c.board.turn) for c in tree.children])
print(show(opening_tree(positions("games.txt"), depth=1, least=2)))
print(show(opening_tree(positions("games.txt"), start="startpos moves h2e2 h9g7", depth=1)))
print(show(opening_tree([])), len(count_moves(positions("games.txt"))))
`, `4 games
├── H2-E2    2   50%
│   ├── B9-C7    1   50%
│   └── H9-G7    1   50%
│       └── B0-C2    1  100%
│           ├── B9-A7    1   50%
│           └── B9-C7    1   50%
├── B0-C2    1   25%
│   └── H9-G7    1  100%
│       └── H2-E2    1  100%
│           ├── B9-A7    1   50%
│           └── B9-C7    1   50%
└── B2-E2    1   25%
None 4 [("H2-E2", 2, 0.5, "black"), ("B0-C2", 1, 0.25, "black"), ("B2-E2", 1, 0.25, "black")]
4 games
└── H2-E2    2   50%
1 games
└── B0-C2    1  100%
0 games 7
`)
}

// TestLibraryInWorkers: the library returns the same results within pmap.
func TestLibraryInWorkers(t *testing.T) {
	const source = `
load("@qhsh//blunders.star", "review")
e = engine()
games = [board().play("h2e2", "h9g7"), board().play("b2e2")]
def moves(game): return [(x.move, x.best, x.loss) for x in review(e, game)]
print(%s)
`
	one := newStage().run(t, strings.ReplaceAll(source, "%s", "[moves(g) for g in games]"))
	two := newStage().run(t, strings.ReplaceAll(source, "%s", "pmap(moves, games, jobs=2)"))
	if diff := cmp.Diff(one, two); diff != "" || strings.Contains(one, "#") {
		t.Errorf("-plain +pmap:\n%s%s", diff, one)
	}
}
