package attach

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"qhsh/engine/enginetest"
	"qhsh/engine/games"
	"qhsh/pluginclient"
	"qhsh/pluginclient/task/check"
)

// jsonRow is an invented protocol.
var jsonRow = Row{
	Kind: Kind{
		Name: "json", Title: "JSON", Options: []Option{{Name: "tag", Repeats: true}}, Checked: true,
		Examples: []Example{{"json,tag=a:./x", "a program that speaks JSON,\nline by line"}},
	},
	Parse: func(s Spec) (Parsed, error) {
		return Parsed{
			Game: enginetest.Stones,
			Open: func(context.Context, Options) (pluginclient.Session, error) { return nil, pluginclient.ErrStart },
			Examine: func(context.Context, Options) (*check.Suite, error) {
				return &check.Suite{Protocol: strings.Join(s.Command, " ")}, nil
			},
		}, nil
	},
	Modes: []Mode{{Flag: "-json"}},
}

// TestWith: a row that With adds is opened, described, examined, served and in the help, and the
// original table is unchanged.
func TestWith(t *testing.T) {
	before := DefaultKinds(games.Default)
	o := Options{Games: games.Default, Kinds: before.With(jsonRow)}
	var start *StartError
	if _, err := Open(t.Context(), "json:./x", o); !errors.As(err, &start) || start.Protocol != "JSON" {
		t.Errorf("Open: %v", err)
	}
	d, err := Parse("json,tag=a,tag=b:./dir/engine -v", o)
	if err != nil || d.Name != "engine" || d.Title != "JSON" || d.Game != enginetest.Stones || d.Embedded {
		t.Errorf("%+v, %v", d, err)
	}
	if suite, err := d.Suite(t.Context()); err != nil || suite.Protocol != "./dir/engine -v" {
		t.Errorf("Suite: %v", err)
	}
	if !strings.Contains(o.Kinds.Table(), "\n| `json,tag=a:./x` | a program that speaks JSON, line by line |\n") {
		t.Errorf("the table lacks the example:\n%s", o.Kinds.Table())
	}
	if all := o.Kinds.Protocols(); !slices.ContainsFunc(all, func(k Kind) bool { return k.Name == "json" && k.Title == "JSON" }) {
		t.Errorf("protocols %+v", all)
	}
	if modes := o.Kinds.Modes(); modes[len(modes)-1].Flag != "-json" {
		t.Errorf("modes %v", modes)
	}
	file := filepath.Join(t.TempDir(), "engines.json")
	if err := os.WriteFile(file, []byte(`{"json": "builtin"}`), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := o.Kinds.LoadNames(file); err == nil {
		t.Error("a kind's name was accepted in engines.json")
	}
	if _, err := before.LoadNames(file); err != nil {
		t.Error(err)
	}
}

// TestKinds: every kind can be identified and explained. If a game's engine and the programs of its
// protocol have the same name, a command line after the name selects the programs.
func TestKinds(t *testing.T) {
	seen := map[string]bool{}
	for _, kind := range DefaultKinds(games.Default).All() {
		name := fmt.Sprint(kind.Name, kind.Embedded)
		if kind.Name == "" || seen[name] || kind.Title == "" && !kind.Embedded || len(kind.Examples) == 0 {
			t.Errorf("kind %+v", kind)
		}
		seen[name] = true
		for _, option := range kind.Options {
			if option.Help == "" {
				t.Errorf("%s: the option %s has no help", kind.Name, option.Name)
			}
		}
		if !kind.Embedded && !slices.ContainsFunc(kind.Options, func(o Option) bool { return o.Name == dirKey }) {
			t.Errorf("%s has no option %s", kind.Name, dirKey)
		}
	}
	for _, kind := range (Options{}).kinds().All() {
		if kind.Embedded {
			t.Errorf("without games there is %s", kind.Name)
		}
	}
}

func TestParsed(t *testing.T) {
	o := Options{Games: games.Default, Names: map[string]string{"strong": "builtin,nodes=1000000", "eleeye": "ucci:/opt/ELEEYE.exe"}}
	for _, c := range []struct {
		spec, kind, name, game string
		memory                 int
	}{
		{"builtin", "builtin", "builtin", "xiangqi", 0},
		{" builtin,threads=2,hash=64,hints=3", "builtin", "builtin,threads=2,hash=64,hints=3", "xiangqi", 64},
		{"builtin,hints=3", "builtin", "builtin,hints=3", "xiangqi", 0},
		{"strong", "builtin", "strong", "xiangqi", 0},
		{"eleeye", "ucci", "eleeye", "xiangqi", 0},
		{"quoridor,size=5,hash=8", "quoridor", "quoridor,size=5,hash=8", "quoridor of size 5 with 3 walls", 8},
		{"qtp,size=5:'./my engine.exe' -x", "qtp", "my engine", "quoridor of size 5 with 3 walls", 0},
		{"./dir/engine -plugin", "qh", "engine", "xiangqi", 0},
	} {
		d, err := Parse(c.spec, o)
		if err != nil || d.Kind.Name != c.kind || d.Name != c.name || o.Games.Describe(d.Game) != c.game || d.Memory != c.memory {
			t.Errorf("%s: %+v, %v", c.spec, d, err)
		}
	}
	for spec, want := range map[string]string{
		"builtin": "builtin", "builtin,nodes=100": "builtin", " quoridor,size=5": "quoridor", "strong": "strong", "eleeye": "eleeye",
		"./UCCI2QH -plugin": "UCCI2QH", "qh:'/opt/x y/folium' -plugin": "folium", "qh,dir=/opt/books:./engine.exe": "engine",
		"/opt/folium": "folium", "uci:./run.sh": "run", "builtin,nodes=x": "builtin", "": "", "qh:": "",
		"python3 -u ./eng.py -plugin": "eng", "ucci:wine64 /opt/ELEEYE.EXE": "ELEEYE", "qh:/usr/bin/java -jar x.jar": "x", "python3.12 -m tiny": "tiny",
		"sh -c 'exec ./engine'": "sh", "uci:python3": "python3", "./sherlock book.bin": "sherlock",
	} {
		if d, _ := Parse(spec, o); d.ShortName != want {
			t.Errorf("%q: %q, want %q", spec, d.ShortName, want)
		}
	}
	usual, _ := Parse("builtin", o)
	same, _ := Parse("builtin,eval=net,hash=8", o)
	if usual.Evaluation == "" || same.Evaluation != usual.Evaluation {
		t.Errorf("evaluations %q and %q", usual.Evaluation, same.Evaluation)
	}
	d, err := Parse("builtin:./x", o)
	if !d.Embedded || err == nil {
		t.Errorf("kind of a wrong SPEC: %q, %v", d.Kind.Name, err)
	}
}

// TestCloudBook: what a SPEC of the cloud book can say. Nothing is asked.
func TestCloudBook(t *testing.T) {
	o := Options{Games: games.Default}
	for spec, want := range map[string]string{
		"chessdb":                           "",
		"chessdb,learn=true":                "",
		`chessdb,url="http://localhost:80"`: "",
		"chessdb,learn=on":                  "engine specification: chessdb: learn=on: want true or false",
		"chessdb,url=localhost":             "engine specification: chessdb: url=localhost: want a URL without a query, such as https://www.chessdb.cn/chessdb.php",
		"chessdb,url=http://localhost":      `engine specification "chessdb,url=http://localhost": chessdb takes no command line: put a URL in quotes`,
		"chessdb:./x":                       `engine specification "chessdb:./x": chessdb takes no command line`,
		"chessdb,size=3":                    `engine specification: chessdb: there is no option "size", only url and learn`,
	} {
		d, err := Parse(spec, o)
		if err != nil && err.Error() != want || err == nil && (want != "" || d.Game.Name() != "xiangqi" || !d.Network) {
			t.Errorf("%s: %+v, %v, want %s", spec, d.Parsed, err, want)
		}
	}
}

// TestEnvironment: a variable of the SPEC comes after those that are inherited.
func TestEnvironment(t *testing.T) {
	o := Options{Games: games.Default}
	e, err := Parse(`uci,env.BOOK="a,b:c",Hash=1,env.PATH=,dir=d:./x`, o)
	if err != nil {
		t.Fatal(err)
	}
	cmd, rest, err := e.spec.Program()
	if err != nil || cmd.Dir != "d" || len(cmd.Env) != len(os.Environ())+2 {
		t.Errorf("%+v, %v", cmd, err)
	}
	if diff := cmp.Diff([]string{"BOOK=a,b:c", "PATH="}, cmd.Env[len(cmd.Env)-2:]); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]games.Setting{{Key: "Hash", Value: "1"}}, rest); diff != "" {
		t.Error(diff)
	}
	for _, spec := range []string{"qh,env.=x:./x", "uci,env.=x:./x", "xboard,env.=x:./x", "qtp,env.=x:./x"} {
		if _, err := Open(t.Context(), spec, o); !errors.Is(err, ErrSpec) || !strings.Contains(err.Error(), "want the name of a variable") {
			t.Errorf("%s: %v", spec, err)
		}
	}
}
