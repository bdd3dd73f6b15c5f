package script

import (
	"testing"

	"go.starlark.net/starlark"
)

// BenchmarkPerft3 counts perft(3) from the start position by recursion in Starlark, playing every
// move, like the program in CPython with pyffish.
func BenchmarkPerft3(b *testing.B) {
	bench := newBench(b.Context())
	globals := bench.run(b, `
def perft(b, depth):
    if depth == 0:
        return 1
    n = 0
    for m in b.legal_moves:
        b.push(m)
        n += perft(b, depth - 1)
        b.pop()
    return n

def main():
    return perft(board(), 3)
`)
	for b.Loop() {
		if n, err := starlark.Call(bench.thread, globals["main"], nil, nil); err != nil || n.String() != "79666" {
			b.Fatal(n, err)
		}
	}
}

// BenchmarkPushMovesPop runs 100,000 rounds of push, legal_moves, pop.
func BenchmarkPushMovesPop(b *testing.B) {
	bench := newBench(b.Context())
	globals := bench.run(b, `
def main():
    b = board()
    for _ in range(100000):
        b.push("H2-E2")
        b.legal_moves
        b.pop()
`)
	for b.Loop() {
		if _, err := starlark.Call(bench.thread, globals["main"], nil, nil); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkLanguage measures programs that use only lists, dicts and strings.
func BenchmarkLanguage(b *testing.B) {
	for _, c := range []struct{ name, body string }{
		{"add", "n = 0\n    for i in range(20000): n = n + i"},
		{"add in place", "n = 0\n    for i in range(20000): n += i"},
		{"multiply", "n = 0\n    for i in range(20000): n = i * i"},
		{"index", "x = list(range(100))\n    for i in range(20000): x[i % 100]"},
		{"set", "x = {}\n    for i in range(20000): x[i] = i"},
		{"append", "x = []\n    for i in range(20000): x.append(i)"},
		{"comprehension", "x = [i for i in range(20000)]"},
		{"concat", "for i in range(20000): 'ab' + str(i)"},
		{"format", "for i in range(20000): '%d of %s' % (i, i)"},
		{"join", "for i in range(2000): ','.join(['a', 'b', 'c'])"},
	} {
		b.Run(c.name, func(b *testing.B) {
			t := testTask()
			t.run.limit, t.run.maxHeap = DefaultMemory, heap()+DefaultMemory
			thread, end := t.begin("x")
			defer end()
			file, err := fileOptions.Parse("x", "def main():\n    "+c.body+"\n", 0)
			if err != nil {
				b.Fatal(err)
			}
			program, err := starlark.FileProgram(file, t.env.predeclared.Has)
			if err != nil {
				b.Fatal(err)
			}
			globals, err := program.Init(thread, t.env.predeclared)
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				t.run.steps.Store(1 << 40)
				if _, err := starlark.Call(thread, globals["main"], nil, nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
