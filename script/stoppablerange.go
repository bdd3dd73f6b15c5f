package script

import (
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// makeRange returns Starlark's range, made so that iterating over it ends when the script is
// stopped.
func makeRange(thread *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	v, err := starlark.Universe["range"].(*starlark.Builtin).CallInternal(thread, args, kwargs)
	if err != nil {
		return nil, err
	}
	return stoppableRange{v.(rangeLike), taskOf(thread).env}, nil
}

// rangeLike has the methods of Starlark's range.
type rangeLike interface {
	starlark.Indexable
	starlark.Iterable
	starlark.Sliceable
	starlark.Comparable
	starlark.Container
}

// A stoppableRange is a range. Every other sequence is in memory, so this is the only one on which
// a function such as max could run for years.
type stoppableRange struct {
	rangeLike
	env *Env
}

// Slice returns a part of it.
func (s stoppableRange) Slice(start, end, step int) starlark.Value {
	return stoppableRange{s.rangeLike.Slice(start, end, step).(rangeLike), s.env}
}

// CompareSameType compares with another range.
func (s stoppableRange) CompareSameType(op syntax.Token, y starlark.Value, depth int) (bool, error) {
	return s.rangeLike.CompareSameType(op, y.(stoppableRange).rangeLike, depth)
}

// Iterate walks over it.
func (s stoppableRange) Iterate() starlark.Iterator {
	return &stoppableIterator{Iterator: s.rangeLike.Iterate(), env: s.env}
}

type stoppableIterator struct {
	starlark.Iterator
	env *Env
	n   int
}

// Next returns the next number. It ends early only if the script must end, and then nobody sees the
// result.
func (it *stoppableIterator) Next(p *starlark.Value) bool {
	const lookEvery = 1024
	if it.n++; it.n%lookEvery == 0 && it.env.stopping() {
		return false
	}
	return it.Iterator.Next(p)
}
