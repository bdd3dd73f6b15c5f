package script

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

func valueFunctions(g *catalog) []*member {
	return []*member{
		boardFunction(g), validFunction(g), gameFunction, scoreFunction, tableFunction, formatFunction, roundFunction, sumFunction,
		randomFunction, helpFunction(g),
	}
}

func valueClasses() []*class {
	return []*class{boardClass, validityClass, outcomeClass, rulingClass, gameClass, gameNodeClass, scoreClass, hintClass, puzzleClass, playedClass, nodeClass}
}

// data is what an object has: it never changes. It is equal to what equal says, where it has such a
// method, and in JSON what MarshalJSON returns.
type data interface {
	String() string
	class() *class
	json.Marshaler
}

// An object is data as a value of Starlark.
type object struct{ data }

var (
	_ starlark.Comparable = object{}
	_ hasClass            = object{}
)

func (o object) Type() string                             { return strings.ToLower(o.class().name) }
func (o object) Freeze()                                  {} // it never changes
func (o object) Hash() (uint32, error)                    { return starlark.String(o.String()).Hash() }
func (o object) Attr(name string) (starlark.Value, error) { return o.class().attr(o, name) }
func (o object) AttrNames() []string                      { return o.class().attrNames(o) }

// Truth is true but for data that says it is not.
func (o object) Truth() starlark.Bool {
	t, ok := o.data.(interface{ truth() bool })
	return starlark.Bool(!ok || t.truth())
}

// CompareSameType supports only equality.
func (o object) CompareSameType(op syntax.Token, other starlark.Value, _ int) (bool, error) {
	x, y := o.data, other.(object).data
	if x.class() != y.class() {
		if op != syntax.EQL && op != syntax.NEQ {
			return false, fmt.Errorf("%s %s %s: values of different kinds have no order", o.Type(), op, other.Type())
		}
		return op == syntax.NEQ, nil
	}
	if c, ok := x.(interface{ equal(data) bool }); ok {
		return compareEqual(op, c.equal(y), o.Type())
	}
	return compareEqual(op, x == y, o.Type())
}

// compareEqual compares values that have equality but no order.
func compareEqual(op syntax.Token, same bool, typ string) (bool, error) {
	switch op {
	case syntax.EQL:
		return same, nil
	case syntax.NEQ:
		return !same, nil
	}
	return false, fmt.Errorf("%s %s %s: not ordered", typ, op, typ)
}

// dataOf returns what Go code needs of a value: its data, or the value.
func dataOf(v starlark.Value) any {
	if o, ok := v.(object); ok {
		return o.data
	}
	return v
}

// toValue returns a Go value as one of Starlark. A slice is a tuple; nil is None, and so is a pointer
// to nothing.
func toValue(x any) starlark.Value {
	switch x := x.(type) {
	case nil:
		return starlark.None
	case starlark.Value:
		return x
	case string:
		return starlark.String(x)
	case bool:
		return starlark.Bool(x)
	case float64:
		return starlark.Float(x)
	case error:
		return starlark.String(x.Error())
	}
	switch v := reflect.ValueOf(x); v.Kind() {
	case reflect.Slice:
		all := make(starlark.Tuple, v.Len())
		for i := range all {
			all[i] = toValue(v.Index(i).Interface())
		}
		return all
	case reflect.Int, reflect.Int64:
		return starlark.MakeInt64(v.Int())
	case reflect.Uint8, reflect.Uint64:
		return starlark.MakeUint64(v.Uint())
	case reflect.String:
		return starlark.String(v.String())
	case reflect.Pointer:
		if v.IsNil() {
			return starlark.None
		}
	}
	return object{x.(data)}
}

// value returns what a Go function has returned as the value that a script gets: no text is None where
// that is possible, and what the signature calls a list is a new list.
func (s *signature) value(x any) starlark.Value {
	v := toValue(x)
	switch tuple, ok := v.(starlark.Tuple); {
	case ok && strings.HasPrefix(s.result, "list["):
		return starlark.NewList(tuple)
	case v == starlark.Value(starlark.String("")) && strings.HasSuffix(s.result, " | None"):
		return starlark.None
	}
	return v
}

// dictOf returns a new dict with an entry for each item. The keys are strings or numbers.
func dictOf[E, K, V any](items []E, entry func(E) (K, V)) *starlark.Dict {
	dict := starlark.NewDict(len(items))
	for _, item := range items {
		key, value := entry(item)
		_ = dict.SetKey(toValue(key), toValue(value)) // it is not frozen, and the key can be hashed
	}
	return dict
}

// dictOfPairs returns a new dict of keys and their values.
func dictOfPairs(pairs [][2]any) *starlark.Dict {
	return dictOf(pairs, func(pair [2]any) (key, value any) { return pair[0], pair[1] })
}
