package script

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestCSV(t *testing.T) {
	dir := t.TempDir()
	s := stageIn(t, dir)
	s.files["own.csv"] = "name;n\n\"a;\"\"b\";1\nshort\n\"two\nlines\"; 2\nnul\x00;\n"
	s.files["ragged.csv"] = "name,n\na,1,2\nb,3\n"
	s.files["empty.csv"] = ""
	check(t, s, `
print(list(read_csv("own.csv")), read_csv("own.csv"))
print(save_csv("own.csv", read_csv("own.csv")))
print(save_csv("sub/lists.csv", [["a,b", 1, None], (score(35), True, board().fen[:9])]))
print(save_csv("header.csv", [{"x": 1, "y": 2}, {"y": 3}], header=["y", "z"]), save_csv("none.csv", [], header=["a"]), save_csv("nothing.csv", []))
print(list(read_csv("ragged.csv", skip=True)))
`, `[{"name": "a;\"b", "n": "1"}, {"name": "short", "n": ""}, {"name": "two\nlines", "n": " 2"}, {"name": "nul\x00", "n": ""}] read_csv("own.csv")
4
2
2 0 0
[{"name": "b", "n": "3"}]
!read_csv: ragged.csv: skipped: line 2: 3 cells, but the header has 2: quote a cell that holds the separator ','
`)
	for name, want := range map[string]string{
		"own.csv":       "name,n\n\"a;\"\"b\",1\nshort,\n\"two\nlines\",\" 2\"\nnul\x00,\n",
		"sub/lists.csv": "\"a,b\",1,\n+0.35,True,rnbakabnr\n",
		"header.csv":    "y,z\n2,\n3,\n",
		"none.csv":      "a\n",
		"nothing.csv":   "",
	} {
		got, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil || string(got) != want {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	for source, want := range map[string]string{
		`list(read_csv("ragged.csv"))`:                `read_csv: ragged.csv: line 2: 3 cells, but the header has 2`,
		`list(read_csv("empty.csv"))`:                 `read_csv: empty.csv: empty file: want a header with column names`,
		`read_csv("none.csv")`:                        `read_csv: none.csv: no such file`,
		`save_csv("x.csv", [[1], [1, 2]])`:            `save_csv: row 2: 2 cells instead of 1`,
		`save_csv("x.csv", [[1]], header=["a", "b"])`: `save_csv: row 1: 1 cells instead of 2`,
		`save_csv("x.csv", [{"a": 1}, {"b": 1}])`:     `save_csv: row 2: keys not in the first row, a: set header`,
		`save_csv("x.csv", [1])`:                      `save_csv: row 1: got int, want a list, a tuple or a dict`,
		`save_csv("../x.csv", [])`:                    `save_csv: ../x.csv in the -out folder: path escapes from parent`,
		`save_csv("x.csv", positions("ragged.csv"))`:  `positions: ragged.csv: line 1`,
	} {
		if got := s.run(t, source); !strings.Contains(got, want) {
			t.Errorf("%s: %s, want %s", source, got, want)
		}
	}
}

// TestPositionFields: a board has what its file says about the position.
func TestPositionFields(t *testing.T) {
	s := newStage()
	s.files["own.epd"] = "startpos bm h2e2; c0 \"a \\ b\"; dm 4; id \"first\";\nstartpos am zz; id 7;\nstartpos\n"
	s.files["own.jsonl"] = `{"fen":"startpos","id":17,"elo":2.5e3,"tags":["x",null],"bm":["h2e2"],"n":123456789012345678901}` + "\n"
	s.files["own.csv"] = "fen,id,elo\nstartpos,a,2700\n"
	s.files["deep.jsonl"] = `{"fen":"startpos","x":` + strings.Repeat("[", 2000) + strings.Repeat("]", 2000) + "}\n"
	check(t, s, `
for path in ["own.epd", "own.jsonl", "own.csv"]:
    for b in positions(path):
        print(b.id, b.fields, b.copy().id, b.play("h2e2").id, b.mirror().fields)
b = list(positions("own.csv"))[0]
b.push("h2e2")
b.fields["elo"] = 1
print(b.id, b.fields, pmap(lambda b: b.fields, [b]))
list(positions("deep.jsonl"))[0].fields
`, `first {"bm": ["H2-E2"], "c0": "a \\ b", "dm": 4} first None {}
7 {"am": "zz", "unscored": "am: \"zz\": not a move: want one such as H2-E2, C2=5 or 炮二平五"} 7 None {}
None {} None None {}
17 {"bm": ["H2-E2"], "elo": 2500.0, "tags": ["x", None], "n": 123456789012345678901} 17 None {}
a {"elo": "2700"} a None {}
a {"elo": "2700"} [{"elo": "2700"}]
#main.star:9:33: json.decode: nested more than 1000 deep
`)
}
