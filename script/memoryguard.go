package script

import (
	"fmt"
	"strings"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// maxBits is the maximum length in bits of an integer product.
const maxBits = 1 << 20

// guardBuiltins returns the builtins called by rewritten programs.
func guardBuiltins() starlark.StringDict {
	return starlark.StringDict{
		multiplyName:   starlark.NewBuiltin(multiplyName, multiply),
		multiplyByName: starlark.NewBuiltin(multiplyByName, multiplyBy),
		attrName:       starlark.NewBuiltin(attrName, attr),
	}
}

// multiply returns x * y.
func multiply(thread *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
	return product(thread, args[0], args[1])
}

func product(thread *starlark.Thread, x, y starlark.Value) (starlark.Value, error) {
	if err := checkProduct(taskOf(thread).run, x, y); err != nil {
		return nil, err
	}
	return starlark.Binary(syntax.STAR, x, y)
}

// checkProduct returns an error if a product would be too large.
func checkProduct(b *runLimits, x, y starlark.Value) error {
	m, xInt := x.(starlark.Int)
	n, yInt := y.(starlark.Int)
	switch {
	case xInt && yInt:
		return checkIntProduct(m, n)
	case xInt:
		return b.checkSize("*", repeated(y, m))
	case yInt:
		return b.checkSize("*", repeated(x, n))
	}
	return nil
}

func checkIntProduct(m, n starlark.Int) error {
	if small(m) && small(n) {
		return nil
	}
	if bits := m.BigInt().BitLen() + n.BigInt().BitLen(); bits > maxBits {
		return fmt.Errorf("*: integer of %d bits, more than %d", bits, maxBits)
	}
	return nil
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
	return elementBytes(x) * float64(starlark.Len(x)) * float64(times)
}

// valueBytes is the size of a value in a list.
const valueBytes = 16

// elementBytes returns the size of a sequence's elements; 0 if x is not a sequence.
func elementBytes(x starlark.Value) float64 {
	switch x.(type) {
	case starlark.String, starlark.Bytes:
		return 1
	case *starlark.List, starlark.Tuple:
		return valueBytes
	}
	return 0
}

// multiplyBy wraps the right side of x *= y, so that x is evaluated once.
func multiplyBy(thread *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
	return factor{args[0], thread}, nil
}

// A factor is the right side of x *= y.
type factor struct {
	starlark.Value
	thread *starlark.Thread
}

// Binary returns x * f.
func (f factor) Binary(op syntax.Token, x starlark.Value, side starlark.Side) (starlark.Value, error) {
	return product(f.thread, x, f.Value)
}

// attr returns x.NAME for a name of guardedMethods.
func attr(_ *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
	name := string(args[1].(starlark.String))
	if s, ok := args[0].(starlark.String); ok {
		return guardedMethods[name].BindReceiver(s), nil
	}
	return plainAttr(args[0], name)
}

// plainAttr returns the attribute of any other value, with the interpreter's own errors.
func plainAttr(x starlark.Value, name string) (starlark.Value, error) {
	if has, ok := x.(starlark.HasAttrs); ok {
		v, err := has.Attr(name)
		if err != nil || v != nil {
			return v, err
		}
	}
	return nil, fmt.Errorf("%s has no .%s field or method", x.Type(), name)
}

// guardedMethods are the string methods whose result can be much larger than their arguments.
var guardedMethods = map[string]*starlark.Builtin{
	"join":       guardMethod("join", joinedBytes),
	"replace":    guardMethod("replace", replacedBytes),
	"split":      guardMethod("split", splitBytes),
	"rsplit":     guardMethod("rsplit", splitBytes),
	"splitlines": guardMethod("splitlines", linesBytes),
}

// guardMethod returns a string method that checks the size of its result first.
func guardMethod(name string, size func(s string, args starlark.Tuple) float64) *starlark.Builtin {
	return starlark.NewBuiltin(name, func(thread *starlark.Thread, fn *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		s := fn.Receiver().(starlark.String)
		if err := taskOf(thread).run.checkSize(name, size(string(s), args)); err != nil {
			return nil, err
		}
		method, err := s.Attr(name)
		if err != nil {
			return nil, err
		}
		return method.(*starlark.Builtin).CallInternal(thread, args, kwargs)
	})
}

func joinedBytes(s string, args starlark.Tuple) float64 {
	if len(args) != 1 {
		return 0
	}
	list, ok := args[0].(starlark.Indexable)
	if !ok {
		return 0
	}
	total := float64(len(s)) * float64(list.Len())
	for i := range list.Len() {
		elem, ok := list.Index(i).(starlark.String)
		if !ok {
			return total // the interpreter reports an error
		}
		total += float64(len(elem))
	}
	return total
}

func replacedBytes(s string, args starlark.Tuple) float64 {
	if len(args) < 2 {
		return 0
	}
	old, _ := starlark.AsString(args[0])
	repl, _ := starlark.AsString(args[1])
	return float64(len(s)) + float64(strings.Count(s, old))*float64(len(repl)-len(old))
}

// partBytes is the size of a substring in a list: its value and its header.
const partBytes = 3 * valueBytes

func splitBytes(s string, args starlark.Tuple) float64 {
	if len(args) == 0 || args[0] == starlark.None {
		return partBytes * float64(len(s)/2+1)
	}
	sep, _ := starlark.AsString(args[0])
	if sep == "" {
		return 0 // the interpreter reports an error
	}
	return partBytes * float64(strings.Count(s, sep)+1)
}

func linesBytes(s string, _ starlark.Tuple) float64 {
	return partBytes * float64(strings.Count(s, "\n")+1)
}

// guardedFunctions replace Starlark functions that allocate as many elements as a sequence claims
// to have, because a range can claim any number.
func guardedFunctions() starlark.StringDict {
	guarded := starlark.StringDict{
		"range":   starlark.NewBuiltin("range", makeRange),
		"getattr": starlark.NewBuiltin("getattr", getattr),
	}
	for name, each := range map[string]float64{
		"bytes": 1, "enumerate": 5 * valueBytes, "list": valueBytes, "reversed": valueBytes,
		"sorted": 3 * valueBytes, "tuple": valueBytes, "zip": 5 * valueBytes,
	} {
		guarded[name] = guardFunction(starlark.Universe[name].(*starlark.Builtin), each)
	}
	return guarded
}

// guardFunction returns a function that checks whether there is memory for the elements of its
// arguments.
func guardFunction(fn *starlark.Builtin, each float64) *starlark.Builtin {
	return starlark.NewBuiltin(fn.Name(), func(thread *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		elements := 0.0
		for _, arg := range args {
			elements += float64(max(starlark.Len(arg), 0))
		}
		for _, named := range kwargs { // sorted(iterable=...)
			elements += float64(max(starlark.Len(named[1]), 0))
		}
		if err := taskOf(thread).run.checkSize(fn.Name(), each*elements); err != nil {
			return nil, err
		}
		return fn.CallInternal(thread, args, kwargs)
	})
}

// getattr is Starlark's own, except for the guarded string methods.
func getattr(thread *starlark.Thread, fn *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	if len(args) >= 2 && len(kwargs) == 0 {
		s, isString := args[0].(starlark.String)
		name, _ := starlark.AsString(args[1])
		if method := guardedMethods[name]; isString && method != nil {
			return method.BindReceiver(s), nil
		}
	}
	return starlark.Universe["getattr"].(*starlark.Builtin).CallInternal(thread, args, kwargs)
}
