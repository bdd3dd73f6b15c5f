package input

import (
	"io"
	"runtime"
	"strings"
	"testing"

	"qhsh/engine/xiangqi"
	"qhsh/pluginclient/task/batch"
)

// endless repeats a text up to a number of bytes, without keeping it.
type endless struct {
	text string
	left int
	at   int
}

func (e *endless) Read(p []byte) (int, error) {
	if e.left <= 0 {
		return 0, io.EOF
	}
	n := min(copy(p, e.text[e.at:]), e.left)
	e.left -= n
	e.at = (e.at + n) % len(e.text)
	return n, nil
}

// longText has no line feed.
var longText = strings.Repeat("x", 64<<10)

// TestMemory: memory does not grow with the length of a stream or of its lines.
func TestMemory(t *testing.T) {
	size := 40 << 20
	if testing.Short() {
		size = 10 << 20
	}
	fen := board + " w - - 0 1\n"
	for name, c := range map[string]struct {
		head, text string
		items      int // at least
	}{
		"short lines":       {"", fen, 1000},
		"one long line":     {"", longText, 1},
		"one long JSON":     {"{\"fen\":\"", longText, 1},
		"one long cell":     {"fen\n\"", longText, 1},
		"quotes never shut": {"fen\n", "\"" + fen, 1000},
		"table":             {"fen,n\n", strings.TrimSpace(fen) + ",\"1\n2\"\n", 1000},
	} {
		t.Run(name, func(t *testing.T) {
			src, err := Open(xiangqi.Rules, io.MultiReader(strings.NewReader(c.head), &endless{text: c.text, left: size}), Options{Name: "x"})
			if err != nil {
				t.Fatal(err)
			}
			n, before := 0, heap()
			for ; err == nil; n++ {
				if n%1000 < 999 {
					err = src.Skip()
					continue
				}
				var item batch.Item // some are read, not skipped
				if item, err = src.Next(); len(item.Input) > batch.MaxExcerpt {
					t.Fatalf("%d bytes are quoted", len(item.Input))
				}
			}
			if err != io.EOF {
				t.Fatal(err)
			}
			if n--; n < c.items {
				t.Errorf("%d positions", n)
			}
			if grown := int64(heap()) - int64(before); grown > 8<<20 {
				t.Errorf("memory grew by %d bytes for a stream of %d", grown, size)
			}
			runtime.KeepAlive(src)
		})
	}
}

func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
