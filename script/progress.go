package script

import (
	"fmt"
	"strings"
	"time"

	"go.starlark.net/starlark"
)

var progressFunction = function("progress(items: Iterable, total: int = 0) -> Iterable", `The same items, with a progress bar on stderr if it is a terminal. total is the number of items if items has no length.`, makeProgress)

func makeProgress(t *task, items starlark.Iterable, total int) starlark.Value {
	if total <= 0 {
		total = starlark.Len(items)
	}
	return &progress{items, total, t.env}
}

// A progress is an iterable with a progress bar.
type progress struct {
	items starlark.Iterable
	total int // not positive: unknown
	env   *Env
}

func (p *progress) String() string        { return "progress(" + p.items.String() + ")" }
func (p *progress) Type() string          { return "progress" }
func (p *progress) Freeze()               { p.items.Freeze() }
func (p *progress) Truth() starlark.Bool  { return p.items.Truth() }
func (p *progress) Hash() (uint32, error) { return 0, fmt.Errorf("unhashable: progress") }

// Iterate starts at the beginning.
func (p *progress) Iterate() starlark.Iterator {
	return &progressIterator{Iterator: p.items.Iterate(), progress: p, begun: time.Now()}
}

type progressIterator struct {
	starlark.Iterator
	*progress
	begun, drawn time.Time
	n            int
}

// Next returns the next item.
func (it *progressIterator) Next(v *starlark.Value) bool {
	const redraw = 100 * time.Millisecond
	if now := time.Now(); now.Sub(it.drawn) >= redraw {
		it.env.console.show(it.bar(now.Sub(it.begun)))
		it.drawn = now
	}
	if !it.Iterator.Next(v) {
		return false
	}
	it.n++
	return true
}

// Done removes the bar.
func (it *progressIterator) Done() {
	it.env.console.show("")
	it.Iterator.Done()
}

func (it *progressIterator) bar(elapsed time.Duration) string {
	const width = 20
	if it.total <= 0 {
		return fmt.Sprintf("%d", it.n)
	}
	done := min(it.n, it.total)
	text := fmt.Sprintf("[%-*s] %d/%d", width, strings.Repeat("=", width*done/it.total), it.n, it.total)
	if left := it.total - done; done > 0 && left > 0 {
		remaining := elapsed / time.Duration(done) * time.Duration(left)
		text += fmt.Sprintf("  %v left", remaining.Round(time.Second))
	}
	return text
}
