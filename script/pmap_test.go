package script

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestPmap: the results and the output do not depend on the number of workers.
func TestPmap(t *testing.T) {
	for _, c := range []struct{ name, source, want string }{
		{"order", `
def f(x):
    n = 0
    for i in range((7 - x % 8) * 300):
        n += i
    print("item", x)
    emit({"n": n % 10})
    return x * x
print(pmap(f, range(20), jobs = JOBS))
`, func() string {
			var b strings.Builder
			var squares []string
			for x := range 20 {
				n := (7 - x%8) * 300
				fmt.Fprintf(&b, "item %d\n{\"n\":%d}\n", x, n*(n-1)/2%10)
				squares = append(squares, fmt.Sprint(x*x))
			}
			return b.String() + "[" + strings.Join(squares, ", ") + "]\n"
		}()},
		{"no items", "print(pmap(len, [], jobs = JOBS))\n", "[]\n"},
		{"a builtin", "print(pmap(len, ['a', 'bb'], jobs = JOBS))\n", "[1, 2]\n"},
		{"engines", `
e = engine()
def f(b):
    h = e.best(b)
    own = engine(level = 2)
    c = b.copy()
    own.play(c)
    own.close()
    return (h.move, len(c.move_stack), e.info.name)
bs = [board().play(m) for m in board().legal_moves[:5]]
serial = [f(b) for b in bs]
print(pmap(f, bs, jobs = JOBS) == serial, serial[0])
`, "True (\"A9-A7\", 2, \"Fake 1.0\")\n"},
		{"an engine from outside is not a worker's to close", `
e = engine()
def f(x):
    e.close()
pmap(f, range(2), jobs = JOBS)
`, "#main.star:4:12: pmap: item 0 (0): close: engine(\"builtin\") was started outside pmap and must be closed there\n#  main.star:5:5: in <toplevel>\n#  main.star:4:12: in f\n"},
		{"within", `
def g(x):
    print(x)
    return x + 1
def f(x):
    return sum_of(pmap(g, range(x), jobs = 2))
def sum_of(xs):
    n = 0
    for x in xs: n += x
    return n
print(pmap(f, [1, 2, 3], jobs = JOBS))
`, "0\n0\n1\n0\n1\n2\n[1, 3, 6]\n"},
		{"an error", `
def check(x):
    print("item", x)
    if x >= 3:
        fail("bad", x)
def f(x):
    check(x)
pmap(f, list(range(10)), jobs = JOBS)
`, `item 0
item 1
item 2
item 3
#main.star:5:13: pmap: item 3 (3): fail: bad 3
#  main.star:8:5: in <toplevel>
#  main.star:7:10: in f
#  main.star:5:13: in check
`},
		{"a global", `
seen = []
def f(x):
    seen.append(x)
pmap(f, [1, 2], jobs = JOBS)
`, `#main.star:4:16: pmap: item 0 (1): append: cannot append to frozen list
#  main.star:5:5: in <toplevel>
#  main.star:4:16: in f
`},
		{"a closure's variable", `
def outer():
    seen = {}
    def f(x):
        seen[x] = 1
    pmap(f, [1, 2], jobs = JOBS)
outer()
`, `#main.star:5:13: pmap: item 0 (1): cannot insert into frozen hash table
#  main.star:7:6: in <toplevel>
#  main.star:6:9: in outer
#  main.star:5:13: in f
`},
		{"a global of another function's module", `
load("lib.star", "add")
pmap(lambda x: add(x), [1, 2], jobs = JOBS)
`, `#lib.star:3:14: pmap: item 0 (1): append: cannot append to frozen list
#  main.star:3:5: in <toplevel>
#  main.star:3:19: in lambda
#  lib.star:3:14: in add
`},
		{"an item", `
pmap(lambda b: b.push("h2e2"), [board()], jobs = JOBS)
`, `#main.star:2:22: pmap: item 0 (rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1): push: cannot change a frozen board: use b.copy()
#  main.star:2:5: in <toplevel>
#  main.star:2:22: in lambda
`},
		{"recursion", `
def f(x): return f(x)
def g(x): return f(x) if x == 2 else x
pmap(g, [1, 2, 3], jobs = JOBS)
`, `#main.star:2:18: pmap: item 1 (2): calls nested more than 10000 deep: infinite recursion?
`},
	} {
		t.Run(c.name, func(t *testing.T) {
			for jobs := 1; jobs <= 3; jobs++ {
				s := newStage()
				s.files["lib.star"] = "seen = []\ndef add(x):\n  seen.append(x)\n"
				got := s.run(t, strings.ReplaceAll(c.source, "JOBS", fmt.Sprint(jobs)))
				if c.name == "recursion" { // a long stack follows
					got, _, _ = strings.Cut(got, "\n")
					got += "\n"
				}
				if diff := cmp.Diff(c.want, got); diff != "" {
					t.Errorf("%d jobs: -want +got:\n%s", jobs, diff)
				}
			}
		})
	}
}

// TestPmapIsLazy: items are requested as needed, so an early item of a very long range can fail at
// once.
func TestPmapIsLazy(t *testing.T) {
	check(t, newStage(), "pmap(lambda x: 1 // (x - 5), range(1 << 40), jobs = 2)\n", `#main.star:1:18: pmap: item 5 (5): floored division by zero
#  main.star:1:5: in <toplevel>
#  main.star:1:18: in lambda
`)
}

// TestNestedPmap: calls within one another are limited in depth and share their workers.
func TestNestedPmap(t *testing.T) {
	got := newStage().run(t, "def f(x): return pmap(f, [x])\npmap(f, [0])\n")
	want := "#main.star:1:22: " + strings.Repeat("pmap: item 0 (0): ", maxNested) + "pmap: calls nested more than 20 deep: infinite recursion?\n"
	if !strings.HasPrefix(got, want) {
		t.Errorf("got %s, want %s", got, want)
	}
	b := &runLimits{}
	for _, c := range [][2]int{{1000, 1000}, {1000, 24}, {1000, 1}, {5, 1}} {
		if n, err := b.hire(c[0]); n != c[1] || err != nil {
			t.Errorf("hire(%d) = %d, %v", c[0], n, err)
		}
	}
	b.workers.Store(maxWorkers)
	if n, err := b.hire(1); err == nil {
		t.Errorf("%d more than %d workers", n, maxWorkers)
	}
}

// TestTwins: each worker has one engine in place of the script's, used for all its items.
func TestTwins(t *testing.T) {
	s := newStage()
	check(t, s, `
e = engine()
def f(x):
    return e.best(board()).move
print(len(pmap(f, range(50), jobs = 2)))
print(e.best(board()).move)
e.close()
e.best(board())
`, `50
A0-A1
#main.star:8:7: best: the engine is closed (position rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1)
`)
	if n := s.opened.Load(); n < 2 || n > 3 {
		t.Errorf("%d engines were started for 2 workers and the script", n)
	}
}

// TestDeepDataIsNotShared: data nested too deeply to be frozen is refused.
func TestDeepDataIsNotShared(t *testing.T) {
	for _, c := range []struct{ name, build string }{
		{"a chain of lists", "x = []\nfor i in range(100000): x = [x]\n"},
		{"a chain of tuples", "x = ()\nfor i in range(100000): x = (x,)\n"},
		{"a chain with all its links", "x = ()\nall = []\nfor i in range(100000):\n  x = (x,)\n  all.append(x)\n"},
		{"a tuple that doubles", "x = (1,)\nfor i in range(100): x = (x, x)\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := newStage().run(t, c.build+"def f(i): return x\npmap(f, [1])\n")
			if !strings.Contains(got, "pmap: data nested more than 10000 deep cannot be shared\n") {
				t.Error(got)
			}
		})
	}
}
