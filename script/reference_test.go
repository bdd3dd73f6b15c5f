package script

import (
	"context"
	"fmt"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"

	"qhsh/engine"
	"qhsh/engine/enginetest/golden"
	"qhsh/engine/games"
	"qhsh/pluginclient/task/annotate"
	"qhsh/pluginclient/task/batch/input"
	"qhsh/pluginclient/task/puzzle"
	"qhsh/pluginclient/task/tree"
)

// TestReference compares API.md with the bindings.
func TestReference(t *testing.T) { golden.Compare(t, "API.md", reference(games.Default)) }

const referenceHead = `<!-- Generated from the bindings: go test ./script -run TestReference -update -->

# Scripts: names, values, members

A script is a program in [Starlark](https://github.com/bazelbuild/starlark/blob/master/spec.md),
a small Python, that ` + "`qhsh run SCRIPT.star`" + ` runs:

` + "```python" + `
e = engine(level=3)
for b in positions():
    h = e.best(b)
    print(b.fen, h.move, h.score)
` + "```" + `

A move is a string, ` + "`\"H2-E2\"`" + `, and may be given in any notation of the game.
Starlark's own functions are available too: len, range, sorted,
min, max, zip, enumerate, print, fail and the rest. ` + "`help(x)`" + ` shows these texts at a prompt,
` + "`qhsh run -pyi >__builtins__.pyi`" + ` writes them for editors that know Python.
`

// reference returns API.md: the documentation of everything that a script can call with a table of
// games.
func reference(t games.Table) string {
	var b strings.Builder
	b.WriteString(referenceHead)
	section(&b, "Functions", "", functions(newCatalog(t)))
	section(&b, "Names", "", predeclaredNames())
	for _, c := range classes() {
		section(&b, c.name, c.doc, c.members)
	}
	return b.String()
}

// section writes a heading with its text and members.
func section(b *strings.Builder, title, doc string, members []*member) {
	fmt.Fprintf(b, "\n## %s\n\n", title)
	if text := parseText(doc); text.prose != "" {
		b.WriteString(markdown(text, "") + "\n")
	}
	for _, m := range members {
		fmt.Fprintf(b, "- **`%s`**  \n%s", m.signature, markdown(parseText(m.doc), "  "))
	}
}

// markdown returns a doc text with its examples as a code block, indented by margin.
func markdown(t docText, margin string) string {
	text := margin + escaper.Replace(t.prose) + "\n"
	if len(t.examples) > 0 {
		text += "\n" + indent("```python\n"+t.session()+"```\n", margin)
	}
	return text
}

// escaper escapes Markdown in prose.
var escaper = strings.NewReplacer("*", `\*`, "<", `\<`)

// A prompt is an Env with a value of each class, under the name of the class.
type prompt struct {
	env *Env
	out strings.Builder
}

func newPrompt(t *testing.T) *prompt {
	t.Helper()
	p := &prompt{}
	p.env = newEnv(Options{Open: new(stage).open, Stdout: &p.out})
	t.Cleanup(func() { p.env.Close(t.Context()) })
	if _, err := p.ask(t.Context(), `
Board = board("startpos moves h2e2")
Outcome = board("3k5/4P4/4R4/9/9/9/9/9/9/4K4 b").outcome
Ruling = Board.judge()
Validity = valid("startpos")
Random = random(1)
Score = score(cp=35)
Game = game(Board)
GameNode = Game.root
Engine = engine()
EngineInfo = Engine.info
Hint = Engine.best(Board)
Node = Engine.tree(Board, width=2, depth=2)
`); err != nil {
		t.Fatal(err)
	}
	p.env.globals["Puzzle"], p.env.globals["Played"] = object{samplePuzzle(t, 1)}, object{samplePlayed()}
	return p
}

// ask returns the output of a prompt after some lines.
func (p *prompt) ask(ctx context.Context, lines string) (string, error) {
	p.out.Reset()
	text, err := p.env.Exec(ctx, lines+"\n")
	return strings.TrimRight(p.out.String()+text, "\n"), err
}

// eachMember visits everything that has a signature and a doc text: functions by name, members by
// class and name.
func eachMember(visit func(name string, m *member)) {
	for _, m := range functions(testGames) {
		visit(m.name, m)
	}
	for _, c := range classes() {
		for _, m := range c.members {
			visit(c.name+"."+m.name, m)
		}
	}
}

// TestExamples runs the examples of all doc texts and compares the output.
func TestExamples(t *testing.T) {
	p := newPrompt(t)
	check := func(name, doc string) {
		for _, e := range parseText(doc).examples {
			switch got, err := p.ask(t.Context(), e.expr); {
			case err != nil:
				t.Errorf("%s: %s: %v", name, e.expr, err)
			case got != e.result:
				t.Errorf("%s: %s\n got %s\nwant %s", name, e.expr, got, e.result)
			}
		}
	}
	eachMember(func(name string, m *member) { check(name, m.doc) })
	for _, c := range classes() {
		check(c.name, c.doc)
	}
}

// TestDocs requires a doc text for every member, with a first sentence that can stand alone.
func TestDocs(t *testing.T) {
	check := func(name, doc string) {
		t.Helper()
		switch first := firstSentence(doc); {
		case first == "":
			t.Errorf("%s has no doc text", name)
		case !strings.HasSuffix(first, ".") && !strings.HasSuffix(first, `."`):
			t.Errorf("%s: the first sentence has no end: %s", name, first)
		case len(first) > 180:
			t.Errorf("%s: the first sentence is too long: %s", name, first)
		}
	}
	eachMember(func(name string, m *member) { check(name, m.doc) })
	for _, m := range predeclaredNames() {
		check(m.name, m.doc)
	}
	for _, c := range classes() {
		check(c.name, c.doc)
		if len(c.byName) != len(c.members) {
			t.Errorf("%s: duplicate name", c.name)
		}
	}
}

// TestParameters calls everything with an unknown keyword argument: UnpackArgs must refuse it,
// with as many parameters as are declared.
func TestParameters(t *testing.T) {
	p := newPrompt(t)
	eachMember(func(name string, m *member) {
		if !m.called {
			return
		}
		const want = `unexpected keyword argument "zzz"`
		_, err := p.ask(t.Context(), name+"(zzz=None)")
		if err != nil && strings.Contains(err.Error(), "have no such thing") { // boards of another game have it
			_, err = p.ask(t.Context(), strings.Replace(name, "Board", `board(game="qchess")`, 1)+"(zzz=None)")
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s(zzz=None): %v; want an %s", name, err, want)
		}
	})
}

// TestDefaults compares the defaults of the signatures with those of the commands.
func TestDefaults(t *testing.T) {
	chances := puzzle.DefaultThresholds()
	want := map[string]any{
		"scale": engine.DefaultScale, "deeper": annotate.DefaultDeeper, "prove": puzzle.DefaultProve, "most": tree.DefaultMaxNodes,
		"win": chances.Win, "other": chances.Other, "language": strconv.Quote(annotate.English.String()), "column": strconv.Quote(input.DefaultColumn),
	}
	eachMember(func(name string, m *member) {
		for _, p := range m.params {
			if def, ok := want[p.name]; ok && p.optional && p.def != fmt.Sprint(def) {
				t.Errorf("%s: %s is %s, want %v", name, p.name, p.def, def)
			}
		}
	})
}

// TestAttributeTypes compares the declared types with actual values.
func TestAttributeTypes(t *testing.T) {
	p := newPrompt(t)
	python := map[string]string{"string": "str", "NoneType": "None"}
	for _, c := range classes() {
		python[strings.ToLower(c.name)] = c.name
	}
	eachMember(func(name string, m *member) {
		if m.called {
			return
		}
		got, err := p.ask(t.Context(), "print(type("+name+"))")
		if err != nil {
			t.Errorf("%s: %v", name, err)
			return
		}
		if typ := python[strings.ReplaceAll(got, "_", "")]; typ != "" {
			got = typ
		}
		if !slices.ContainsFunc(strings.Split(m.result, " | "), func(typ string) bool {
			base, _, _ := strings.Cut(typ, "[")
			return base == got
		}) {
			t.Errorf("%s is declared as %s and is a %s", name, m.result, got)
		}
	})
}

// TestStubs parses the stubs with Python.
func TestStubs(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("there is no python3 to read the stubs")
	}
	cmd := exec.Command(python, "-c", `
import ast, sys
tree = ast.parse(sys.stdin.read())
print(*sorted(n.name for n in tree.body if isinstance(n, ast.ClassDef)))
for node in ast.walk(tree):
    if isinstance(node, ast.FunctionDef) and node.args.args[:1] and node.args.args[0].arg != "self":
        assert all(a.annotation for a in node.args.args), node.name
`)
	cmd.Stdin = strings.NewReader(Stubs(games.Default))
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if got := string(out); got != "Board Engine EngineInfo Game GameNode Hint Node Outcome Played Puzzle Random Ruling Score Validity\n" {
		t.Errorf("the stubs have the classes %s", got)
	}
}
