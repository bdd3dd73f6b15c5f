package script

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"qhsh/engine/enginetest"
	"qhsh/engine/games"
	"qhsh/pluginclient"
)

func TestOutput(t *testing.T) {
	s := newStage()
	s.args = []string{"-depth", "3", "-fast", "a.fen", "-x=1", "b.fen"}
	check(t, s, `
print("one", 1, [1, "two"])
log("said", 2)
emit({"b": 1, "a": [None, True, 1.5, "<é>"], "s": struct(y = 1, x = (1, 2))})
emit(board())
depth = flag("depth", 1)
print(depth + 1, flag("fast", False), flag("slow", False), flag("x"), flag("y", "none"), args)
`, `one 1 [1, "two"]
{"b":1,"a":[null,true,1.5,"<é>"],"s":{"x":[1,2],"y":1}}
"rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1"
4 True False 1 none ["a.fen", "b.fen"]
!said 2
`)
}

func TestErrors(t *testing.T) {
	for _, c := range []struct{ name, source, want string }{
		{"calls", "def f(x):\n    return x // 0\n\ndef g(x):\n    return f(x)\n\nprint('before')\ng(3)\n", `before
#main.star:2:14: floored division by zero
#  main.star:8:2: in <toplevel>
#  main.star:5:13: in g
#  main.star:2:14: in f
`},
		{"at the top", "x = [1]\nx[1]\n", "#main.star:2:2: list index 1 out of range [-1:0]\n"},
		{"syntax", "x = (\n", "#main.star:2:1: got end of file, want primary expression\n"},
		{"names", "x = y + z\n", "#main.star:1:5: undefined: y\n#main.star:1:9: undefined: z\n"},
		{"fail", "fail('no', 'way')\n", "#main.star:1:5: fail: no way\n"},
		{"product", "def f():\n  return 1\nx = [1] * 'a' * f()\n", "#main.star:3:9: unknown binary op: list * string\n"},
		{"attribute", "[].join('a')\n", "#main.star:1:3: list has no .join field or method\n"},
		{"emit", "emit(len)\n", "#main.star:1:5: emit: a builtin_function_or_method cannot be encoded in JSON\n"},
		{"emit a circle", "x = []\nx.append(x)\nemit(x)\n", "#main.star:3:5: emit: nested more than 1000 deep\n"},
		{"a flag", "flag('d', 1)\n", "#main.star:1:5: -d x: want a whole number, such as 1\n"},
		{"a flag for a file", "positions(args[0])\n", "#main.star:1:10: positions: -d: no such file or directory; if it is a flag, take it out of args first: flag(\"d\")\n"},
		{"write", "write('a.txt', 'text')\n", "#main.star:1:6: write: a.txt: no output folder: use -out DIR\n"},
		{"decode", "json.decode('[' * 50000000)\n", "#main.star:1:12: json.decode: nested more than 1000 deep\n"},
		{"decode x", "json.decode(x = '[' * 50000000)\n", "#main.star:1:12: json.decode: nested more than 1000 deep\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newStage()
			s.args = []string{"-d", "x"}
			check(t, s, c.source, c.want)
		})
	}
}

func TestLoad(t *testing.T) {
	s := newStage()
	s.files = map[string]string{
		"lib.star":    "print('once')\nload('deep.star', 'deep')\nnumbers = [1, 2]\ndef add(x):\n    numbers.append(x)\n",
		"deep.star":   "deep = 7\n",
		"a.star":      "load('b.star', 'b')\na = 1\n",
		"b.star":      "load('./a.star', 'a')\nb = 1\n",
		"wrong.star":  "def f():\n    return 1 // 0\nf()\n",
		"data.txt":    "x = 1\n",
		"marked.star": "\ufeffx = 1\n",
	}
	for _, c := range []struct{ name, source, want string }{
		{"begun with a byte order mark", "\ufeffload('marked.star', 'x')\nprint(x)\n", "1\n"},
		{"once", "load('lib.star', 'numbers')\nload('./lib.star', n='numbers')\nprint(numbers == n)\n", "once\nTrue\n"},
		{"frozen", "load('lib.star', 'add')\nadd(3)\n", `once
#lib.star:5:19: append: cannot append to frozen list
#  main.star:2:4: in <toplevel>
#  lib.star:5:19: in add
`},
		{"library", "load('@qhsh//blunders.star', 'blunders')\nprint(blunders)\n", "<function blunders>\n"},
		{"no such library", "load('@qhsh//x.star', 'x')\n", "#main.star:1:1: cannot load @qhsh//x.star: no such module: want @qhsh//blunders.star, @qhsh//compare.star, @qhsh//mates.star, @qhsh//openings.star\n"},
		{"cycle", "load('a.star', 'a')\n", `#b.star:1:1: cannot load a.star: cannot load b.star: cannot load ./a.star: import cycle: main.star loads a.star loads b.star loads a.star
#  main.star:1:1: in <toplevel>
#  a.star:1:1: in <toplevel>
#  b.star:1:1: in <toplevel>
`},
		{"itself", "load('main.star', 'a')\n", "#main.star:1:1: cannot load main.star: import cycle: main.star loads main.star\n"},
		{"wrong", "load('wrong.star', 'f')\n", `#wrong.star:2:14: cannot load wrong.star: floored division by zero
#  main.star:1:1: in <toplevel>
#  wrong.star:3:2: in <toplevel>
#  wrong.star:2:14: in f
`},
		{"outside", "load('../../x.star', 'x')\n", "#main.star:1:1: cannot load ../../x.star: outside the script's folder: scripts can only load files in their own folder and @qhsh//NAME.star\n"},
		{"absolute", "load('/etc/x.star', 'x')\n", "#main.star:1:1: cannot load /etc/x.star: outside the script's folder: scripts can only load files in their own folder and @qhsh//NAME.star\n"},
		{"no module", "load('data.txt', 'x')\n", "#main.star:1:1: cannot load data.txt: scripts can only load files in their own folder and @qhsh//NAME.star with names ending in .star\n"},
		{"not there", "load('not.star', 'x')\n", "#main.star:1:1: cannot load not.star: no such file or directory: scripts can only load files in their own folder and @qhsh//NAME.star\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			check(t, s, c.source, c.want)
		})
	}
}

func TestPositions(t *testing.T) {
	const e2 = "startpos moves h2e2"
	s := newStage()
	s.files = map[string]string{"own.fen": "# two\nstartpos\n\n" + e2 + "\n", "bad.fen": "startpos\nnonsense\n" + e2 + "\n"}
	outside := filepath.Join(t.TempDir(), "outside.fen")
	if err := os.WriteFile(outside, []byte(e2+"\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	s.args = []string{outside}
	s.Stdin = strings.NewReader("startpos\n")
	check(t, s, `
print([b.turn for b in positions("own.fen")], positions("own.fen"))
print([b.move_stack for b in positions(args[0])])
print(len(list(positions("bad.fen", skip = True))))
print(len(list(positions())))
for b in positions("bad.fen"):
    print(b.turn)
print("not reached")
`, `["red", "black"] positions("own.fen")
[["H2-E2"]]
2
1
red
!positions: bad.fen: skipped: line 2: `+badLine(t, s)+`
#main.star:6:1: positions: bad.fen: line 2: `+badLine(t, s)+`
`)
	for _, c := range []struct{ source, want string }{
		{"positions('/etc/passwd')\n", "#main.star:1:10: positions: /etc/passwd: outside the script's folder; scripts can only read their arguments and files in their own folder\n"},
		{"positions('../../etc/passwd')\n", "#main.star:1:10: positions: ../../etc/passwd: outside the script's folder; scripts can only read their arguments and files in their own folder\n"},
		{"positions('no.fen')\n", "#main.star:1:10: positions: no.fen: no such file or directory; scripts can only read their arguments and files in their own folder\n"},
		{"list(positions())\nlist(positions())\n", "#main.star:2:5: positions: -: standard input can be read only once: keep its positions in a list, as in list(positions())\n"},
	} {
		check(t, s, c.source, c.want)
	}
}

// TestPositionsOfEveryForm: scripts read the files that qhsh hints reads and writes.
func TestPositionsOfEveryForm(t *testing.T) {
	const moved = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR b - - 1 1"
	s := newStage()
	s.files = map[string]string{
		"a.fen.gz": gzipped(t, "startpos\n"),
		"a.csv":    "fen,moves,hints\nstartpos,h2e2,\nnonsense,,\n",
		"a.jsonl":  `{"line":1,"fen":"startpos","moves":["H2-E2"],"hints":[{"move":"H9-G7","cp":3}]}` + "\n",
		"a.epd":    "4k4/9/9/9/9/9/9/9/9/3K4R w - - bm I0-I9;\n",
		"a.txt":    "place\tfen\n1\tstartpos\n",
		"b.csv":    "a,b\n1,2\n",
		"own.csv":  "start\nstartpos\n",
		"a.db":     "SQLite format 3\x00",
		"a.pgn":    twoGames,
	}
	for _, c := range []struct{ args, want string }{
		{"'a.fen.gz'", "w"},
		{"'a.jsonl'", moved},
		{"'a.epd'", "3K4R w"},
		{"'a.txt'", "w"},
		{"'a.csv', skip=True", moved},
		{"'own.csv', column='start'", "w"},
		{"'a.txt', form='csv'", "w"},
		{"'a.csv'", "positions: a.csv: line 3: "},
		{"'b.csv'", `positions: b.csv: line 1, which is the header of a table, has no column "fen", but a, b: `},
		{"'a.pgn'", `positions: a.pgn: a file of games (pgn), not of positions: use games("a.pgn")`},
		{"'a.db'", "positions: a.db: cannot read positions from an SQLite database"},
		{"'a.csv', form='xml'", `positions: form "xml": want fen, epd, json or csv`},
	} {
		if got := s.run(t, "print([b.fen for b in positions("+c.args+")])\n"); !strings.Contains(got, c.want) {
			t.Errorf("positions(%s): %s, want %s", c.args, got, c.want)
		}
	}
}

// badLine returns the error of the rules for the line.
func badLine(t *testing.T, s *stage) string {
	t.Helper()
	_, err := games.Default.DefaultGame().Position("nonsense")
	return err.Error()
}

// TestLinksLeadNowhere: a link that leads out of the script's folder is not followed.
func TestLinksLeadNowhere(t *testing.T) {
	dir := t.TempDir()
	secret := filepath.Join(t.TempDir(), "secret.star")
	if err := os.WriteFile(secret, []byte("x = 1\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(secret, filepath.Join(dir, "link.star")); err != nil {
		t.Skip(err)
	}
	for _, c := range []struct{ source, want string }{
		{"load('link.star', 'x')\n", "cannot load link.star: outside the script's folder (path escapes from parent): scripts can only load files in their own folder and @qhsh//NAME.star"},
		{"positions('link.star')\n", "positions: link.star: outside the script's folder (path escapes from parent); scripts can only read their arguments and files in their own folder"},
	} {
		if err := os.WriteFile(filepath.Join(dir, "main.star"), []byte(c.source), 0o666); err != nil {
			t.Fatal(err)
		}
		e := newEnv(Options{})
		err := e.RunFile(t.Context(), filepath.Join(dir, "main.star"), nil)
		e.Close(t.Context())
		if got := errors.Unwrap(err); got == nil || got.Error() != c.want {
			t.Errorf("got %v, want %s", got, c.want)
		}
	}
}

func TestWrite(t *testing.T) {
	dir := t.TempDir()
	s := stageIn(t, dir)
	check(t, s, `
write("sub/a.txt", "text")
write("b.bin", b"\x00")
write("../c.txt", "text")
`, "#main.star:4:6: write: ../c.txt in the -out folder: path escapes from parent\n")
	got, err := os.ReadFile(filepath.Join(dir, "sub", "a.txt"))
	if err != nil || string(got) != "text" {
		t.Errorf("%q, %v", got, err)
	}
}

func TestPrompt(t *testing.T) {
	e := newEnv(Options{})
	defer e.Close(t.Context())
	var got strings.Builder
	for _, line := range []string{
		"x = 3", "x * 4", "_ + 1", "None", "def f(y):\n    return x * y\n", "f(2)", "x = 5", "f(2)", "y", "x +", "r = range(5000)", "len(list(r))",
		"load('x.star', 'x')",
		"def command_twice(args):\n    \"\"\"says it twice\"\"\"\n    return args + ' ' + args\n", "def command_hello():\n    print('hello')\n",
	} {
		text, err := e.Exec(t.Context(), line)
		got.WriteString(">" + text + "\n")
		if err != nil {
			got.WriteString("#" + err.Error() + "\n")
		}
	}
	// f keeps the x of its own chunk, like at Starlark's own prompt.
	want := `>
>12
>13
>
>
>6
>
>6
>
#<star>:1:1: undefined: y
>
#<star>:1:4: got end of file, want primary expression
>
>5000
>
#<star>:1:1: cannot load x.star: a script without a file has no folder: scripts can only load files in their own folder and @qhsh//NAME.star
>
>
`
	if diff := cmp.Diff(want, got.String()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	commands := []Command{{Name: "hello", Pos: "<star>:1:1"}, {Name: "twice", Pos: "<star>:1:1", Doc: "says it twice", Args: true}}
	if diff := cmp.Diff(commands, e.Commands()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if text, err := e.Call(t.Context(), "twice", "a b"); text != "a b a b" || err != nil {
		t.Errorf("%q, %v", text, err)
	}
	if _, err := e.Call(t.Context(), "hello", "you"); err == nil {
		t.Error("it takes no arguments")
	}
}

func TestComplete(t *testing.T) {
	for source, want := range map[string]bool{
		"x = 1\n": true, "f(\n": false, "f(\n1)\n": true, "def f():\n": false, "def f():\n  return 1\n": false,
		"def f():\n  return 1\n\n": true, "x = '''a\n": false, "x +\n": true, "\n": true, "if x:\n  y\n": false,
	} {
		if got := IsComplete(source); got != want {
			t.Errorf("%q: %v", source, got)
		}
	}
}

// TestSourced: the names that a file defines are available at the prompt.
func TestSourced(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "lib.star")
	if err := os.WriteFile(path, []byte("_own = 1\nseen = []\ndef see(x):\n    seen.append(x + _own)\n    return len(seen)\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	e := newEnv(Options{})
	defer e.Close(t.Context())
	if err := e.RunFile(t.Context(), path, nil); err != nil {
		t.Fatal(err)
	}
	_, _ = e.Exec(t.Context(), "see(1)")
	if text, err := e.Exec(t.Context(), "see(2), seen"); text != "(2, [2, 3])" || err != nil {
		t.Errorf("%q, %v", text, err)
	}
	if _, err := e.Exec(t.Context(), "_own"); err == nil {
		t.Error("a private name of the file is defined at the prompt")
	}
}

// TestInterrupt interrupts scripts that do not end by themselves.
func TestInterrupt(t *testing.T) {
	why := errors.New("had enough")
	for name, source := range map[string]string{
		"a loop":         "print('go')\nwhile True: pass\n",
		"an engine":      "e = engine('slow')\nprint('go')\ne.best(board())\n",
		"pmap":           "def f(x):\n  while True: pass\nprint('go')\npmap(f, [1, 2, 3], jobs = 2)\n",
		"pmap's engine":  "e = engine('slow')\ndef f(x):\n  e.best(board())\nprint('go')\npmap(f, [1, 2, 3], jobs = 2)\n",
		"a tree":         "e = engine('slow')\nprint('go')\ne.tree(board())\n",
		"endless items":  "print('go')\npmap(lambda x: x, range(1 << 40), jobs = 2)\n",
		"an inner range": "print('go')\nx = [y for y in range(1 << 40) if y < 0]\n",
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancelCause(t.Context())
			defer cancel(nil)
			s := newStage()
			s.Allowed = []string{"slow"}
			path := filepath.Join(t.TempDir(), "main.star")
			if err := os.WriteFile(path, []byte(source), 0o666); err != nil {
				t.Fatal(err)
			}
			begun := make(chan struct{})
			e := newEnv(Options{Open: s.open, Allowed: s.Allowed, Stdout: writerFunc(func(p []byte) (int, error) {
				close(begun)
				return len(p), nil
			})})
			var err error
			go func() {
				<-begun
				time.Sleep(10 * time.Millisecond)
				cancel(why)
			}()
			inTime(t, func() {
				err = e.RunFile(ctx, path, nil)
				e.Close(ctx)
			})
			if !errors.Is(err, why) || errors.Is(err, ErrAbandoned) {
				t.Errorf("error %v", err)
			}
		})
	}
}

type writerFunc func([]byte) (int, error)

func (w writerFunc) Write(p []byte) (int, error) { return w(p) }

// TestDeepCallsBeforeEngines: goroutine stacks that grew in deep calls are not mistaken for data
// nested too deeply.
func TestDeepCallsBeforeEngines(t *testing.T) {
	check(t, newStage(), `
def deep(n):
    kept = [n] * 200
    return deep(n - 1) if n > 0 else len(kept)
print(deep(4000), deep(4000))
for i in range(64):
    engine()
`, "200 200\n")
}

// TestClosesEngines: engines that a script leaves open are closed.
func TestClosesEngines(t *testing.T) {
	before := runtime.NumGoroutine()
	s := newStage()
	check(t, s, "for i in range(64): engine()\n", "")
	if s.opened.Load() != 64 {
		t.Errorf("%d engines", s.opened.Load())
	}
	if !enginetest.Await(func() bool { return runtime.NumGoroutine() <= before }) {
		t.Fatal("goroutines are left")
	}
}

// TestFailuresAreTold: failed requests are reported even if a retry succeeds. If there are many
// failures, only some are reported.
func TestFailuresAreTold(t *testing.T) {
	s := newStage()
	s.Allowed = []string{"shaky"}
	const line = "!Fake 1.0: HINTS 1: refused: the search failed: a bad day; retrying (position " +
		"rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1)"
	got := s.run(t, "e = engine('shaky')\nfor i in range(25): e.best(board())\n")
	got = regexp.MustCompile(` after [0-9.]+m?s`).ReplaceAllString(got, "") // on a busy machine
	if diff := cmp.Diff(strings.Repeat(line+"\n", maxReported), strings.Replace(got, "; further failures are not reported", "", 1)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if !strings.HasSuffix(got, "; further failures are not reported\n") {
		t.Errorf("the end is missing: %s", got)
	}
}

// TestInternalError: a panic is reported as an error of running the script, not of parsing it.
func TestInternalError(t *testing.T) {
	path := filepath.Join(t.TempDir(), "main.star")
	if err := os.WriteFile(path, []byte("engine()"), 0o666); err != nil {
		t.Fatal(err)
	}
	e := newEnv(Options{Open: func(context.Context, string, EngineOptions) (pluginclient.Session, error) { panic("broken") }})
	defer e.Close(t.Context())
	err := e.RunFile(t.Context(), path, nil)
	var pathErr *Error
	if !errors.As(err, &pathErr) || pathErr.Pos != path || pathErr.Err.Error() != "internal error: broken" {
		t.Errorf("%#v", err)
	}
}
