package script

import (
	"fmt"
	"slices"
	"unsafe"

	"go.starlark.net/starlark"
	"go.starlark.net/starlarkstruct"
)

// Limits on data shared between threads or modules. The interpreter freezes data recursively, and
// enters a tuple every time it occurs.
const (
	maxShared = 10_000
	maxVisits = 1e8
)

// freeze freezes values with everything reachable from them. Unlike the interpreter's own Freeze it
// also freezes the globals that a function refers to, because that is what a function on another
// thread reads.
func (e *Env) freeze(values ...starlark.Value) error {
	f := freezer{globalRefs: &e.globalRefs, seen: map[any]bool{}, tuples: map[tupleID]tupleCost{}}
	for _, v := range values {
		if err := f.collect(v); err != nil {
			return err
		}
	}
	for _, v := range f.found {
		v.Freeze()
	}
	return nil
}

// A freezer collects the values to freeze, in the order in which the interpreter would, but without
// recursion. Each value comes after its contents, so that freezing it finds them frozen.
type freezer struct {
	globalRefs *globalRefs
	seen       map[any]bool
	found      []starlark.Value
	tuples     map[tupleID]tupleCost
}

// A tupleCost is the work of the interpreter for a tuple, which it does not mark as frozen.
type tupleCost struct {
	depth  int
	visits float64
}

type tupleID struct {
	first *starlark.Value
	n     int
}

// A freezeFrame is a value whose contents are being visited.
type freezeFrame struct {
	v    starlark.Value
	rest []starlark.Value
}

func (f *freezer) collect(v starlark.Value) error {
	path := []freezeFrame{{rest: []starlark.Value{v}}}
	for len(path) > 0 {
		top := &path[len(path)-1]
		if len(top.rest) == 0 {
			if err := f.finish(top.v); err != nil {
				return err
			}
			path = path[:len(path)-1]
			continue
		}
		next := top.rest[0]
		top.rest = top.rest[1:]
		if f.isNew(next) {
			path = append(path, freezeFrame{next, f.contents(next)})
		}
		if len(path) > maxShared {
			return errDeep
		}
	}
	return nil
}

var errDeep = fmt.Errorf("data nested more than %d deep cannot be shared", maxShared)

// isNew reports whether a value must be visited, the first time.
func (f *freezer) isNew(v starlark.Value) bool {
	var id any
	switch v := v.(type) {
	case nil, starlark.NoneType, starlark.Bool, starlark.Int, starlark.Float, starlark.String, starlark.Bytes:
		return false
	case starlark.Tuple:
		id = idOf(v)
	case *starlark.List, *starlark.Dict, *starlark.Set, *starlark.Function, *starlark.Builtin, *starlarkstruct.Struct, *progress:
		id = v
	default:
		return true // a leaf of this package
	}
	if f.seen[id] {
		return false
	}
	f.seen[id] = true
	return true
}

func idOf(t starlark.Tuple) tupleID { return tupleID{unsafe.SliceData(t), len(t)} }

// finish is called after all contents of a value have been visited.
func (f *freezer) finish(v starlark.Value) error {
	tuple, ok := v.(starlark.Tuple)
	if !ok {
		if v != nil {
			f.found = append(f.found, v)
		}
		return nil
	}
	e := tupleCost{visits: 1}
	for _, elem := range tuple {
		if inner, ok := elem.(starlark.Tuple); ok {
			within := f.tuples[idOf(inner)]
			e = tupleCost{max(e.depth, within.depth), e.visits + within.visits}
		}
	}
	e.depth++
	if e.depth > maxShared || e.visits > maxVisits {
		return errDeep
	}
	f.tuples[idOf(tuple)] = e
	return nil
}

func (f *freezer) contents(v starlark.Value) []starlark.Value {
	switch v := v.(type) {
	case starlark.Tuple:
		return v
	case *starlark.List:
		return slices.Collect(v.Elements())
	case *starlark.Set:
		return slices.Collect(v.Elements())
	case *starlark.Dict:
		var all []starlark.Value
		for key, value := range v.Entries() {
			all = append(all, key, value)
		}
		return all
	case *starlark.Function:
		return f.functionContents(v)
	case *starlark.Builtin:
		return []starlark.Value{v.Receiver()}
	case *progress:
		return []starlark.Value{v.items}
	case *starlarkstruct.Struct:
		var all []starlark.Value
		for _, name := range v.AttrNames() {
			field, _ := v.Attr(name) // the name is one of its own
			all = append(all, field)
		}
		return all
	}
	return nil
}

func (f *freezer) functionContents(fn *starlark.Function) []starlark.Value {
	all := f.globalRefs.of(fn)
	for i := range fn.NumFreeVars() {
		_, v := fn.FreeVar(i)
		all = append(all, v)
	}
	params := fn.NumParams()
	if fn.HasVarargs() {
		params--
	}
	if fn.HasKwargs() {
		params--
	}
	for i := range params {
		all = append(all, fn.ParamDefault(i))
	}
	return all
}
