package attach

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"qhsh/engine"
	"qhsh/engine/games"
	"qhsh/engine/xiangqi"
	"qhsh/engine/xiangqi/search"
	"qhsh/pluginclient"
)

func TestParseSpec(t *testing.T) {
	names := map[string]string{
		"eleeye": "qh:/opt/eleeye/UCCI2QH -plugin",
		"strong": "builtin,nodes=1000000",
		"alias":  "strong",
		"loop":   "pool",
		"pool":   "loop",
	}
	for _, c := range []struct {
		text string
		want Spec
		err  string
	}{
		{text: "builtin", want: Spec{Name: "builtin"}},
		{text: " builtin,nodes=20000,hash=64,threads=1 ", want: Spec{Name: "builtin", Options: []games.Setting{{Key: "nodes", Value: "20000"}, {Key: "hash", Value: "64"}, {Key: "threads", Value: "1"}}}},
		{text: "qh:./UCCI2QH -plugin", want: Spec{Name: "qh", Command: []string{"./UCCI2QH", "-plugin"}}},
		{text: "qh,dir=/tmp:'my engine' \"a b\" c\\ d", want: Spec{Name: "qh", Options: []games.Setting{{Key: "dir", Value: "/tmp"}}, Command: []string{"my engine", "a b", "c d"}}},
		{text: "./UCCI2QH -plugin", want: Spec{Name: "qh", Command: []string{"./UCCI2QH", "-plugin"}}},
		{text: `C:\\engines\\qh.exe`, want: Spec{Name: "qh", Command: []string{`C:\engines\qh.exe`}}},
		{text: `uci,"Book File"='a,b:c',dir="C:\engines":./x`, want: Spec{Name: "uci", Options: []games.Setting{{Key: "Book File", Value: "a,b:c"}, {Key: "dir", Value: `C:\engines`}}, Command: []string{"./x"}}},
		{text: `qh,env.A="x\"y",env.B=:./x`, want: Spec{Name: "qh", Options: []games.Setting{{Key: "env.A", Value: `x"y`}, {Key: "env.B"}}, Command: []string{"./x"}}},
		{text: `uci,dir="a:./x`, err: `engine specification "uci,dir=\"a:./x": unclosed quote`},
		{text: "builtins", want: Spec{Name: "qh", Command: []string{"builtins"}}},
		{text: "eleeye", want: Spec{Name: "qh", Command: []string{"/opt/eleeye/UCCI2QH", "-plugin"}}},
		{text: "alias", want: Spec{Name: "builtin", Options: []games.Setting{{Key: "nodes", Value: "1000000"}}}},
		{text: "uci,Threads=2,Hash=256:./pikafish", want: Spec{Name: "uci", Options: []games.Setting{{Key: "Threads", Value: "2"}, {Key: "Hash", Value: "256"}}, Command: []string{"./pikafish"}}},
		{text: "ucci:./ELEEYE", want: Spec{Name: "ucci", Command: []string{"./ELEEYE"}}},
		{text: "uci", err: `engine specification "uci": a command line is missing, as in uci:./engine`},
		{text: "builtin:./x", err: `engine specification "builtin:./x": builtin takes no command line`},
		{text: "builtin,nodes", err: `engine specification "builtin,nodes": "nodes" is not KEY=VALUE`},
		{text: "qh:", err: `engine specification "qh:": a command line is missing, as in qh:./engine`},
		{text: "qh", err: `engine specification "qh": a command line is missing, as in qh:./engine`},
		{text: "", err: `engine specification "": a command line is missing, as in qh:./engine`},
		{text: "./x 'y", err: `engine specification "./x 'y": unclosed quote`},
		{text: "./x \"y", err: `engine specification "./x \"y": unclosed quote`},
		{text: `./x \`, err: `engine specification "./x \\": trailing backslash`},
	} {
		if onWindows && strings.Contains(c.text, `\`) {
			continue // it has another meaning there
		}
		e, err := Parse(c.text, Options{Games: games.Default, Names: names})
		if c.err != "" {
			if err == nil || err.Error() != c.err || !errors.Is(err, ErrSpec) {
				t.Errorf("%q: error %v, want %s", c.text, err, c.err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%q: %v", c.text, err)
		}
		if diff := cmp.Diff(c.want, e.spec); diff != "" {
			t.Errorf("%q: -want +got:\n%s", c.text, diff)
		}
	}
	if _, err := Parse("loop", Options{Games: games.Default, Names: names}); err == nil {
		t.Error("a name that refers to itself was accepted")
	}
}

func TestLoadNames(t *testing.T) {
	file := filepath.Join(t.TempDir(), "engines.json")
	if names, err := DefaultKinds(games.Default).LoadNames(file); err != nil || names != nil {
		t.Errorf("no file: %v, %v", names, err)
	}
	for _, c := range []struct{ text, err string }{
		{`{"fast": "builtin,nodes=100", "eleeye": "qh:./UCCI2QH -plugin"}`, ""},
		{`{"fast": 3}`, `a JSON number: want a text: want {"name": "spec", ...}`},
		{`["fast"]`, `want {"name": "spec", ...}`},
		{`{"fast"`, `want {"name": "spec", ...}`},
		{`{"builtin": "qh:./x"}`, `"builtin" cannot be a name`},
		{`{"a b": "builtin"}`, `"a b" cannot be a name`},
		{`{"": "builtin"}`, `"" cannot be a name`},
	} {
		if err := os.WriteFile(file, []byte(c.text), 0o666); err != nil {
			t.Fatal(err)
		}
		names, err := DefaultKinds(games.Default).LoadNames(file)
		if c.err == "" {
			if err != nil || len(names) != 2 || names["fast"] != "builtin,nodes=100" {
				t.Errorf("%s: %v, %v", c.text, names, err)
			}
			continue
		}
		if err == nil || !strings.Contains(err.Error(), c.err) || !strings.Contains(err.Error(), file) {
			t.Errorf("%s: error %v", c.text, err)
		}
	}
}

func TestWrongSpecs(t *testing.T) {
	eleven, zero := 11, 0
	for _, c := range []struct {
		spec string
		o    Options
		kind error
		text string
	}{
		{"builtin,depth=3", Options{Games: games.Default}, ErrSpec, `engine specification: builtin: there is no option "depth", only nodes, hash, threads, hints, rules, eval, endings, on, off, margin.NAME, book, bookseed and bookgames`},
		{"builtin,Threads=2", Options{Games: games.Default}, ErrSpec, `engine specification: builtin: there is no option "Threads", only nodes, hash, threads, hints, rules, eval, endings, on, off, margin.NAME, book, bookseed and bookgames`},
		{"builtin,nodes=0", Options{Games: games.Default}, ErrSpec, `engine specification: builtin: nodes=0: want a number of at least 1`},
		{"builtin,off=singular+sorcery", Options{Games: games.Default}, ErrSpec, `engine specification: builtin: off: no rule "sorcery": the rules are ` + strings.Join(search.Rules(), ", ")},
		{"builtin,off=", Options{Games: games.Default}, ErrSpec, `engine specification: builtin: off: no rule "": the rules are ` + strings.Join(search.Rules(), ", ")},
		{"builtin,hash=999999999999999999999", Options{Games: games.Default}, ErrSpec, `engine specification: builtin: hash=999999999999999999999: the number is too large`},
		{"builtin,hash=-999999999999999999999", Options{Games: games.Default}, ErrSpec, `engine specification: builtin: hash=-999999999999999999999: want a number of at least 1`},
		{"quoridor,hash=999999999999999999999", Options{Games: games.Default}, ErrSpec, `engine specification: quoridor: hash=999999999999999999999: the number is too large`},
		{"quoridor,walls=x", Options{Games: games.Default}, ErrSpec, `engine specification: quoridor: walls=x: want a number`},
		{"quoridor,walls=-1", Options{Games: games.Default}, ErrSpec, `engine specification: quoridor: -1 walls: want 0 to 2147483647`},
		{"builtin,nodes=10,nodes=20", Options{Games: games.Default}, ErrSpec, `engine specification "builtin,nodes=10,nodes=20": nodes is given twice: remove one`},
		{"uci,Hash=1,dir=/,Hash=2:./x", Options{Games: games.Default}, ErrSpec, `engine specification "uci,Hash=1,dir=/,Hash=2:./x": Hash is given twice: remove one`},
		{"qh,ban=none,ban=keeps,dir=/,dir=/tmp:./x", Options{Games: games.Default}, ErrSpec, `engine specification "qh,ban=none,ban=keeps,dir=/,dir=/tmp:./x": dir is given twice: remove one`},
		{"builtin,off=praise+Singular,on=aspiration+singular", Options{Games: games.Default}, ErrSpec, `engine specification: builtin: the rule singular is to be on and off: give one of the two`},
		{"builtin,eval=", Options{Games: games.Default}, ErrSpec, `engine specification: builtin: eval=: want net, small or a file of weights`},
		{"builtin,eval=tapered", Options{Games: games.Default}, ErrSpec, `engine specification: builtin: eval=tapered: the hand-made evaluation is gone: use eval=small`},
		{"builtin,nodes=many", Options{Games: games.Default}, ErrSpec, `engine specification: builtin: nodes=many: want a number of at least 1`},
		{"builtin", Options{Games: games.Default, Level: &eleven}, ErrSpec, `builtin: no level 11: levels go from 1 to 10`},
		{"builtin", Options{Games: games.Default, Level: &zero}, ErrSpec, `builtin: no level 0: levels go from 1 to 10`},
		{"qh,hash=3:./x", Options{Games: games.Default}, ErrSpec, `engine specification: qh: no option "hash", only dir and the quirks letters=nb, side=r, fenlong=none, load=play, undo=none, hints=none, ban=none, ban=keeps, bgthink=none, timeout=none, abort=none, level=count, scr=none, quit=none`},
		{"./no-such-engine", Options{Games: games.Default}, pluginclient.ErrStart, `attach ./no-such-engine: ./no-such-engine: cannot be started: exec: "./no-such-engine": stat ./no-such-engine: no such file or directory`},
	} {
		_, err := Open(t.Context(), c.spec, c.o)
		if !errors.Is(err, c.kind) || err.Error() != c.text {
			t.Errorf("%s: error %v\nwant %s", c.spec, err, c.text)
		}
		if _, parsed := Parse(c.spec, c.o); parsed != nil && parsed.Error() != c.text && errors.Is(err, ErrSpec) {
			t.Errorf("%s: Parse returns %v\nand Open %s", c.spec, parsed, c.text)
		}
	}
}

// TestSuggestions: the error of a program that there is not names the name or prefix that was probably
// meant.
func TestSuggestions(t *testing.T) {
	o := Options{Games: games.Default, Names: map[string]string{"eleeye": "ucci:./eleeye", "other": "./no-such-engine"}}
	for spec, want := range map[string]string{
		"builtn": "builtin", "Builtin": "builtin", "builtn,nodes=5": "builtin,nodes=5", "quoridr": "quoridor",
		"ucx:./foo": "uci:./foo", "uc:./pikafish -x": "uci:./pikafish -x", "uci ./foo": "uci:./foo", "uci": "",
		"qtpp,size=7:./foo": "qtp,size=7:./foo", "eleey": "eleeye", "eleey,x=1": "",
		"qh:uci": "", "./uci": "", "x:./foo": "", "unheard-of": "", "other": "",
	} {
		_, err := Open(t.Context(), spec, o)
		_, got, _ := strings.Cut(fmt.Sprint(err), ": did you mean ")
		if want != "" {
			want += "?"
		}
		if got != want {
			t.Errorf("%s: %q, want %q: %v", spec, got, want, err)
		}
	}
}

// TestBuiltinSession: the embedded engine is a Session whose state is shared by searches, raw lines
// and typed calls. A trace does not change its answers.
func TestBuiltinSession(t *testing.T) {
	two := 2
	open := func(o Options) pluginclient.Session {
		s, err := Open(t.Context(), "builtin,hints=2", o)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { s.Close() })
		return s
	}
	var trace bytes.Buffer
	plain := open(Options{Games: games.Default, Level: &two})
	traced := open(Options{Games: games.Default, Level: &two, ClientOptions: pluginclient.ClientOptions{Log: pluginclient.NewTraceLog(&trace)}})
	if level, known := plain.Level(); level != 2 || !known {
		t.Errorf("level %d, %v", level, known)
	}
	for _, lim := range []engine.Limits{{}, {Lines: 3}, {Level: 3}} {
		engine.Forget(plain)
		engine.Forget(traced)
		a, err := engine.Best(t.Context(), plain, xiangqi.Start(), lim)
		if err != nil {
			t.Fatal(err)
		}
		b, err := engine.Best(t.Context(), traced, xiangqi.Start(), lim)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(a, b, cmp.AllowUnexported(engine.Score{})); diff != "" {
			t.Errorf("%+v: -direct +traced:\n%s", lim, diff)
		}
	}
	answer, err := plain.Raw(t.Context(), "HINTS")
	if err != nil || len(answer) != 3 || answer[2] != "ENDHINTS" {
		t.Errorf("HINTS answers %q, %v", answer, err)
	}
	if len(plain.Trace().Last(100, func(pluginclient.Entry) bool { return true })) == 0 {
		t.Error("raw lines leave no trace")
	}
	if err := plain.Restart(t.Context()); err != nil {
		t.Error(err)
	}
}

func parsed(t *testing.T, spec string, o Options) *Engine {
	t.Helper()
	e, err := Parse(spec, o)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// TestServerInFront: a plugin in front of a plugin.
func TestServerInFront(t *testing.T) {
	server, closing, err := NewServer(t.Context(), parsed(t, "builtin", Options{Games: games.Default}))
	if err != nil {
		t.Fatal(err)
	}
	defer closing()
	info := server.Info()
	if info.Name != "qhsh" || len(info.Levels) != 10 {
		t.Errorf("info %+v", info)
	}
}
