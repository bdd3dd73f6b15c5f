package script

import (
	"fmt"
	"slices"

	"go.starlark.net/starlark"
)

// A full list is copied to a new array a quarter larger. Its capacity is not known here, so a long
// list checks for each new element whether there is memory for that.

// longList is the length from which on a list checks.
const longList = 1 << 20 / valueBytes

// growList is called before n elements are added to a list.
func (b *runLimits) growList(what string, list *starlark.List, n int) error {
	length := list.Len() + n
	if length < longList {
		return nil
	}
	return b.grow(what, valueBytes*max(1.25*float64(list.Len()), float64(length)))
}

// tableFull reports whether the table of a dict or a set with this many entries is full, so that
// the next entry doubles it. A test compares it with the interpreter.
func tableFull(entries int) bool {
	const load = 13 // entries in two buckets
	buckets := entries / load
	return entries%load == 0 && buckets&(buckets-1) == 0
}

// growTable is called before up to n entries are added to a dict or a set.
func (b *runLimits) growTable(what string, table starlark.Value, n int) error {
	length := starlark.Len(table)
	if n == 1 && !tableFull(length) {
		return nil
	}
	return b.grow(what, entryBytes*float64(length+n))
}

// extend adds the elements of an iterable to a list.
func (b *runLimits) extend(what string, list *starlark.List, items starlark.Iterable) error {
	n := max(starlark.Len(items), 1)
	if err := b.growList(what, list, n); err != nil {
		return err
	}
	if _, isList := items.(*starlark.List); !isList { // they are added one after the other
		if err := b.grow(what, valueBytes*(1.25*float64(list.Len())+2.25*float64(n))); err != nil {
			return err
		}
	}
	return plainCall(list, "extend", b.counted(what, 2.25*valueBytes, starlark.Tuple{items}))
}

// update adds the entries of a dict to another.
func (b *runLimits) update(what string, dict, from *starlark.Dict) error {
	if err := b.growTable(what, dict, max(from.Len(), 2)); err != nil {
		return err
	}
	return plainCall(dict, "update", starlark.Tuple{from})
}

// plainCall calls Starlark's own method.
func plainCall(x starlark.HasAttrs, name string, args starlark.Tuple) error {
	_, err := callMethod(nil, x, name, args, nil)
	return err
}

// isUnsized reports whether a value is an iterable of unknown length.
func isUnsized(v starlark.Value) bool {
	_, isIterable := v.(starlark.Iterable)
	_, isSequence := v.(starlark.Sequence)
	return isIterable && !isSequence
}

// counted returns arguments in which iterables of unknown length check the memory while they are
// iterated, with each bytes for an element.
func (b *runLimits) counted(what string, each float64, args starlark.Tuple) starlark.Tuple {
	if !slices.ContainsFunc(args, isUnsized) {
		return args
	}
	args = slices.Clone(args)
	for i, arg := range args {
		if isUnsized(arg) {
			args[i] = counting{arg.(starlark.Iterable), b, what, each}
		}
	}
	return args
}

type counting struct {
	starlark.Iterable
	run  *runLimits
	what string
	each float64
}

// Iterate returns an iterator.
func (c counting) Iterate() starlark.Iterator { return &countingIterator{c.Iterable.Iterate(), c, 0} }

type countingIterator struct {
	starlark.Iterator
	counting
	n int
}

// Next returns the next element. If there is no memory for more, it cancels the run.
func (it *countingIterator) Next(v *starlark.Value) bool {
	const every = 4096
	if it.n++; it.n%every == 0 {
		if err := it.run.grow(it.what, it.each*float64(it.n)); err != nil {
			it.run.cancel(err)
			return false
		}
	}
	return it.Iterator.Next(v)
}

// Done ends the iteration.
func (it *countingIterator) Done() { it.Iterator.Done() }

// markTarget is for x[y] = z.
func markTarget(b *runLimits, x starlark.Value) (starlark.Value, error) {
	if dict, ok := x.(*starlark.Dict); ok {
		return x, b.growTable("dict", dict, 1)
	}
	return x, nil
}

// A collector collects the elements of a comprehension.
type collector struct {
	run   *runLimits
	elems []starlark.Value
	dict  *starlark.Dict // of a dict comprehension
}

func (c *collector) String() string        { return "collector" }
func (c *collector) Type() string          { return "collector" }
func (c *collector) Freeze()               {}
func (c *collector) Truth() starlark.Bool  { return true }
func (c *collector) Hash() (uint32, error) { return 0, fmt.Errorf("unhashable: collector") }

// Get returns c[x]: it adds x, which is a pair in a dict comprehension.
func (c *collector) Get(x starlark.Value) (starlark.Value, bool, error) {
	if c.dict != nil {
		pair := x.(starlark.Tuple)
		if err := c.run.growTable("dict", c.dict, 1); err != nil {
			return nil, false, err
		}
		return starlark.False, true, c.dict.SetKey(pair[0], pair[1])
	}
	if n := len(c.elems); n == cap(c.elems) && n >= longList {
		if err := c.run.grow("list", 1.25*valueBytes*float64(n)); err != nil {
			return nil, false, err
		}
	}
	c.elems = append(c.elems, x)
	return starlark.False, true, nil
}

// newCollector is an iterable with a new collector as its only element.
type newCollector struct {
	*mark
	dict bool
}

// Iterate returns an iterator over a new collector.
func (c newCollector) Iterate() starlark.Iterator {
	made := &collector{run: c.env.running.Load()}
	if c.dict {
		made.dict = new(starlark.Dict)
	}
	return &once{made}
}

// once is an iterator over one value.
type once struct{ value starlark.Value }

// Next returns the value the first time.
func (o *once) Next(v *starlark.Value) bool {
	*v, o.value = o.value, nil
	return *v != nil
}

// Done does nothing.
func (o *once) Done() {}

// markCollected returns what the collector in a list of one has collected.
func markCollected(_ *runLimits, x starlark.Value) (starlark.Value, error) {
	c := x.(*starlark.List).Index(0).(*collector)
	if c.dict != nil {
		return c.dict, nil
	}
	return starlark.NewList(c.elems), nil
}
