package script

import (
	"testing"

	"go.starlark.net/starlark"
)

// BenchmarkPerft3 counts perft(3) from the start position by recursion in Starlark, where
// every move is played. The program in CPython with pyffish does the same.
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

// BenchmarkPushMovesPop does 100,000 times push, legal_moves, pop.
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
