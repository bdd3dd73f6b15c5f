package script

import (
	"errors"
	"fmt"
	"strings"

	"go.starlark.net/starlark"
	"go.starlark.net/starlarkstruct"
	"go.starlark.net/syntax"
)

// A mark is what a rewritten program puts around an operand: mark[x] is x, or a value that acts like
// x and checks the memory before it creates something large. Indexing is the fastest operation of
// the interpreter for that: it creates no frame, and for a number it allocates nothing.
type mark struct {
	name  string
	env   *Env
	apply func(b *runLimits, x starlark.Value) (starlark.Value, error)
}

func (m *mark) String() string        { return m.name }
func (m *mark) Type() string          { return "mark" }
func (m *mark) Freeze()               {}
func (m *mark) Truth() starlark.Bool  { return true }
func (m *mark) Hash() (uint32, error) { return 0, fmt.Errorf("unhashable: mark") }

// Get returns mark[x].
func (m *mark) Get(x starlark.Value) (starlark.Value, bool, error) {
	v, err := m.apply(m.env.running.Load(), x)
	return v, true, err
}

// markOperand is for an operand of x + y and other binary operators.
func markOperand(b *runLimits, x starlark.Value) (starlark.Value, error) {
	switch v := x.(type) {
	case starlark.Int:
		if small(v) {
			return x, nil
		}
		return operand{x, b}, nil
	case starlark.String, starlark.Bytes, *starlark.List, starlark.Tuple, *starlark.Dict, *starlark.Set, *starlarkstruct.Struct:
		return operand{x, b}, nil
	}
	return x, nil
}

// markInPlace is for the right side of x *= y and other assignments.
func markInPlace(b *runLimits, y starlark.Value) (starlark.Value, error) {
	return inPlace{operand{y, b}}, nil
}

// markAddend is markInPlace for x += y, in which a number creates nothing large.
func markAddend(b *runLimits, y starlark.Value) (starlark.Value, error) {
	switch y.(type) {
	case starlark.Int, starlark.Float:
		return y, nil
	}
	return markInPlace(b, y)
}

// An operand is a Starlark value that may create a large value with another.
type operand struct {
	starlark.Value
	run *runLimits
}

// Binary returns the result of the operator.
func (o operand) Binary(op syntax.Token, other starlark.Value, side starlark.Side) (starlark.Value, error) {
	if side == starlark.Left {
		return o.run.binary(op, o.Value, other)
	}
	return o.run.binary(op, other, o.Value)
}

// inPlace is the right operand of an assignment that may change x in place.
type inPlace struct{ operand }

// Binary returns the new x of x op= y.
func (p inPlace) Binary(op syntax.Token, x starlark.Value, side starlark.Side) (starlark.Value, error) {
	switch x := x.(type) {
	case *starlark.List:
		if items, ok := p.Value.(starlark.Iterable); ok && op == syntax.PLUS {
			err := p.run.extend("+", x, items)
			return x, renamed(err, "extend: cannot extend", "cannot apply += to")
		}
	case *starlark.Dict:
		if from, ok := p.Value.(*starlark.Dict); ok && op == syntax.PIPE {
			err := p.run.update("|", x, from)
			return x, renamed(err, "update: cannot insert into", "cannot apply |= to")
		}
	}
	return p.run.binary(op, x, p.Value)
}

// renamed returns the error of a method as the error of an operator.
func renamed(err error, method, operator string) error {
	if err == nil {
		return nil
	}
	return errors.New(strings.Replace(err.Error(), method, operator, 1))
}

// binary returns x op y if it fits into the remaining memory.
func (b *runLimits) binary(op syntax.Token, x, y starlark.Value) (starlark.Value, error) {
	if o, ok := y.(operand); ok {
		y = o.Value
	}
	size, err := b.binaryBytes(op, x, y)
	if err != nil {
		return nil, err
	}
	if size < large {
		return starlark.Binary(op, x, y)
	}
	return b.value(op.String(), size, func() (starlark.Value, error) { return starlark.Binary(op, x, y) })
}

// binaryBytes returns the maximum size of x op y in bytes; 0 if the interpreter rejects it.
func (b *runLimits) binaryBytes(op syntax.Token, x, y starlark.Value) (float64, error) {
	switch op {
	case syntax.PLUS:
		return elementBytes(x)*lenOf(x) + elementBytes(y)*lenOf(y), nil
	case syntax.STAR:
		return productBytes(x, y)
	case syntax.PERCENT:
		if s, ok := x.(starlark.String); ok {
			return b.formattedBytes(string(s), y)
		}
	case syntax.LTLT:
		return shiftedBytes(x, y)
	case syntax.MINUS, syntax.AMP, syntax.PIPE, syntax.CIRCUMFLEX:
		return entryBytes * (entries(x) + entries(y)), nil
	}
	return 0, nil
}

// maxBits is the maximum length in bits of an integer.
const maxBits = 1 << 20

// productBytes returns the size of x * y.
func productBytes(x, y starlark.Value) (float64, error) {
	m, xInt := x.(starlark.Int)
	n, yInt := y.(starlark.Int)
	switch {
	case xInt && yInt:
		if small(m) && small(n) {
			return 0, nil
		}
		return intBytes("*", m.BigInt().BitLen()+n.BigInt().BitLen())
	case xInt:
		return repeated(y, m), nil
	case yInt:
		return repeated(x, n), nil
	}
	return 0, nil
}

// shiftedBytes returns the size of x << y. The interpreter itself rejects a y that is too large.
func shiftedBytes(x, y starlark.Value) (float64, error) {
	m, xInt := x.(starlark.Int)
	shift, err := starlark.AsInt32(y)
	if !xInt || err != nil || small(m) {
		return 0, nil
	}
	return intBytes("<<", m.BigInt().BitLen()+max(shift, 0))
}

func intBytes(what string, bits int) (float64, error) {
	if bits > maxBits {
		return 0, fmt.Errorf("%s: integer of %d bits, more than %d", what, bits, maxBits)
	}
	return float64(bits) / 8, nil
}

func small(n starlark.Int) bool {
	_, ok := n.Int64()
	return ok
}

// repeated returns the size in bytes of n copies of a sequence; 0 if the interpreter itself rejects
// n.
func repeated(x starlark.Value, n starlark.Int) float64 {
	times, err := starlark.AsInt32(n)
	if err != nil {
		return 0
	}
	return elementBytes(x) * lenOf(x) * float64(max(times, 0))
}

const (
	// valueBytes is the size of a value in a list.
	valueBytes = 16
	// entryBytes is the size of an entry of a dict or a set, whose table may be half empty.
	entryBytes = 160
)

// elementBytes returns the size of a sequence's elements; 0 if x is not a sequence.
func elementBytes(x starlark.Value) float64 {
	switch x.(type) {
	case starlark.String, starlark.Bytes:
		return 1
	case *starlark.List, starlark.Tuple:
		return valueBytes
	case *starlarkstruct.Struct:
		return 3 * valueBytes
	}
	return 0
}

// lenOf returns the number of elements of a value; 0 if it is not known.
func lenOf(x starlark.Value) float64 {
	if s, ok := x.(*starlarkstruct.Struct); ok {
		return float64(len(s.AttrNames()))
	}
	return float64(max(starlark.Len(x), 0))
}

// entries returns the number of entries of a dict or a set.
func entries(x starlark.Value) float64 {
	switch x.(type) {
	case *starlark.Dict, *starlark.Set:
		return lenOf(x)
	}
	return 0
}

// markSpread is for f(*x) and f(**x).
func markSpread(b *runLimits, x starlark.Value) (starlark.Value, error) {
	return x, b.checkSize("*", 4*valueBytes*lenOf(x))
}

// markSliced is for x[i:j].
func markSliced(b *runLimits, x starlark.Value) (starlark.Value, error) {
	switch x.(type) {
	case starlark.String, starlark.Bytes, *starlark.List, starlark.Tuple:
		if elementBytes(x)*lenOf(x) >= large/4 {
			return sliced{x.(starlark.Sliceable), b}, nil
		}
	}
	return x, nil
}

// A sliced is a sequence whose slices check the memory.
type sliced struct {
	starlark.Sliceable
	run *runLimits
}

// Slice returns a slice. It cannot return an error, so a slice that is too large cancels the run.
func (s sliced) Slice(start, end, step int) starlark.Value {
	size := elementBytes(s.Sliceable) * float64((end-start)/step+1)
	if _, isString := s.Sliceable.(starlark.String); isString && step == 1 {
		size = 0 // it shares the bytes
	} else if step != 1 {
		size *= copies
	}
	part, err := s.run.value("slice", size, func() (starlark.Value, error) { return s.Sliceable.Slice(start, end, step), nil })
	if err != nil {
		s.run.cancel(err)
		return starlark.None
	}
	return part
}
