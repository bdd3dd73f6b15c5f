package script

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestPmapFreezesWhatIsReached: everything reachable from the function of pmap is frozen, however
// it is reached; the rest stays mutable. Each script ends by changing the list out.
func TestPmapFreezesWhatIsReached(t *testing.T) {
	for _, c := range []struct {
		name, source string
		frozen       bool
	}{
		{"a list beside it", "def f(x): return x", false},
		{"a local variable of the same name", "def f(x):\n    out = [x]\n    return out", false},
		{"a parameter of the same name", "def f(out): return out", false},
		{"a variable of a comprehension", "def f(x): return [out for out in range(x)]", false},
		{"an argument and a field of the same name", "def f(x): return struct(out = x).out", false},
		{"a function that it does not call", "def g(x): return out\ndef f(x): return x", false},
		{"a variable of the function around it", "def make():\n    beside = out\n    def f(x): return x\n    return f\nf = make()", false},
		{"a global that held it once", "held = [out]\ndef f(x): return held\nheld = []", false},
		{"a lambda beside it", "g = lambda: out\nf = lambda x: x", false},

		{"args beside it", "args.extend([1, 2])\nout = args\ndef f(x): return x", false},
		{"a flag beside args", "args.extend([1, 2])\nout = args\ndef f(x): return flag('n', 1)", false},

		{"args", "args.extend([1, 2])\nout = args\ndef f(x): return len(args)", true},
		{"a name", "def f(x): return len(out)", true},
		{"a name that is not evaluated", "def f(x): return out if x < 0 else x", true},
		{"a name in a product", "def f(x): return x * len(out)", true},
		{"a name behind a guarded method", "def f(x): return ''.join([str(y) for y in out])", true},
		{"the name in a comprehension", "def f(x): return [y for y in range(x) if y in out]", true},
		{"the name in a loop", "def f(x):\n    for y in out: x += y\n    return x", true},
		{"a lambda", "f = lambda x: len(out)", true},
		{"a default", "def f(x, more = out): return x", true},
		{"a default by keyword", "def f(x, *, more = out): return x", true},
		{"a lambda's default", "f = lambda x, more = out: x", true},
		{"a default of a function within", "def f(x):\n    def g(more = out): return x\n    return g()", true},
		{"a function within", "def f(x):\n    def g(): return len(out)\n    return g()", true},
		{"a lambda within", "def f(x): return (lambda: len(out))()", true},
		{"a function that it calls", "def g(x): return len(out)\ndef f(x): return g(x)", true},
		{"a function that is defined later", "def f(x): return g(x)\ndef g(x): return len(out)", true},
		{"a function by another name", "def g(x): return len(out)\nh = g\ndef f(x): return h(x)", true},
		{"a chain", "def a(): return len(out)\ndef b(): return a()\ndef c(): return b()\ndef f(x): return c()", true},
		{"two that call each other", "def f(x): return g(x - 1) if x > 0 else 0\ndef g(x): return f(x - 1) if x > 0 else len(out)", true},
		{"a function in a list", "def g(x): return len(out)\nall = [g]\ndef f(x): return all[0](x)", true},
		{"a function in a dict", "def g(x): return len(out)\nall = {1: (g,)}\ndef f(x): return all[1][0](x)", true},
		{"a function in a struct", "def g(x): return len(out)\nall = struct(g = g)\ndef f(x): return all.g(x)", true},
		{"a function in progress", "def g(x): return len(out)\nall = progress([g])\ndef f(x): return [g(x) for g in all]", true},
		{"a list in a list", "held = [[out]]\ndef f(x): return held", true},
		{"a closure", "def make(held):\n    def f(x): return len(held)\n    return f\nf = make(out)", true},
		{"a closure's function", "def make(g): return lambda x: g(x)\nf = make(lambda x: len(out))", true},
		{"a variable of a comprehension of the module", "f = [lambda x: len(held) for held in [out]][0]", true},
		{"a bound method", "f = out.index", true},
		{"a bound method in a function", "g = out.index\ndef f(x): return g(x)", true},
		{"pmap within", "def g(x): return len(out)\ndef f(x): return pmap(g, [x], jobs = 2)", true},
		{"the item", "items = [out, out]\ndef f(x): return x", true},
		{"a function as the item", "def g(): return len(out)\nitems = [g, g]\ndef f(x): return x()", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			source := "out = [1, 2]\nitems = [1, 2]\n" + c.source + "\npmap(f, items, jobs = JOBS)\nout.append(3)\nprint(out)\n"
			want := "[1, 2, 3]\n"
			if c.frozen {
				want = fmt.Sprintf("#main.star:%d:11: append: cannot append to frozen list\n", strings.Count(source, "\n")-1)
			}
			for jobs := 1; jobs <= 3; jobs++ {
				got := newStage().run(t, strings.ReplaceAll(source, "JOBS", fmt.Sprint(jobs)))
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("%d jobs: -want +got:\n%s", jobs, diff)
				}
			}
		})
	}
}

// TestPmapAtThePrompt: each line of a prompt is a separate module, and expressions look up the
// names of earlier lines in a different way than functions do.
func TestPmapAtThePrompt(t *testing.T) {
	for _, c := range []struct {
		name  string
		lines []string
		want  string
	}{
		{"beside it", []string{"out = []", "def f(x): return x\n", "pmap(f, [1, 2])", "pmap(lambda x: f(x), [1, 2])", "out.append(3)", "out"}, ">\n>\n>[1, 2]\n>[1, 2]\n>\n>[3]\n"},
		{"in one chunk", []string{"out = []\ndef f(x): return x\nfor y in pmap(f, [1, 2]): out.append(y)\n", "out"}, ">\n>[1, 2]\n"},
		{"a name in an expression", []string{"out = []", "pmap(lambda x: out.append(x), [1, 2])"}, ">\n#<star>:1:26: pmap: item 0 (1): append: cannot append to frozen list\n"},
		{"a function's name in an expression", []string{"out = []", "def f(x): out.append(x)\n", "pmap(lambda x: f(x), [1, 2])"}, ">\n>\n#<star>:1:21: pmap: item 0 (1): append: cannot append to frozen list\n"},
		{"a function of an earlier line", []string{"out = []", "f = lambda x: len(out)", "pmap(f, [1, 2])", "out.append(3)"}, ">\n>\n>[0, 0]\n#<star>:1:11: append: cannot append to frozen list\n"},
		{"a function of an expression", []string{"out = []", "lambda x: len(out)", "f = _", "pmap(f, [1, 2])", "out.append(3)"}, ">\n><function lambda>\n>\n>[0, 0]\n#<star>:1:11: append: cannot append to frozen list\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := newPrompt(t)
			var got strings.Builder
			for _, line := range c.lines {
				text, err := p.ask(t.Context(), line)
				if err != nil {
					text = "#" + err.Error()
				} else {
					text = ">" + text
				}
				got.WriteString(text + "\n")
			}
			if diff := cmp.Diff(c.want, got.String()); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// TestUnknownFunctions: if the source of a function is not known, everything it refers to is
// frozen.
func TestUnknownFunctions(t *testing.T) {
	b := newBench(t.Context())
	names := b.run(t, "out = []\ndef f(x): return x\n")
	e := newEnv(Options{})
	defer e.Close(t.Context())
	if err := e.freeze(names["f"]); err != nil {
		t.Fatal(err)
	}
	b.names["out"] = names["out"]
	if got, want := b.eval("out.append(1)"), "error: append: cannot append to frozen list"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
