package script

import (
	"slices"

	"go.starlark.net/starlark"
)

// A class describes a type of Starlark values in one place: the interpreter gets its members from
// it, help and API.md their texts, and the stubs for editors their types.
type class struct {
	name    string // as in Python, such as Board
	doc     string // sentences
	members []*member
	byName  map[string]*member
	// operators are Python stub methods for operators: "__neg__() -> Score".
	operators []signature
}

// newClass returns a class with members in the order of the documentation.
func newClass(name, doc string, members ...*member) *class {
	c := &class{name: name, doc: doc, members: members, byName: map[string]*member{}}
	for _, m := range members {
		c.byName[m.name] = m
	}
	return c
}

func (c *class) with(operators ...string) *class {
	for _, sig := range operators {
		c.operators = append(c.operators, mustSignature(sig))
	}
	return c
}

// hasClass is a value with a class.
type hasClass interface {
	starlark.HasAttrs
	class() *class
}

// attr implements starlark.HasAttrs.
func (c *class) attr(self starlark.Value, name string) (starlark.Value, error) {
	m := c.byName[name]
	if m == nil {
		return nil, nil
	}
	if m.unsupported != nil {
		if err := m.unsupported(self); err != nil {
			return nil, err
		}
	}
	return m.get(self)
}

// attrNames returns the names of a value's members, sorted.
func (c *class) attrNames(self starlark.Value) []string {
	names := make([]string, 0, len(c.members))
	for _, m := range c.members {
		if m.unsupported == nil || m.unsupported(self) == nil {
			names = append(names, m.name)
		}
	}
	slices.Sort(names)
	return names
}

// A member is an attribute or a method of a class, or a function.
type member struct {
	signature
	doc         string // sentences; the first is a summary
	get         func(self starlark.Value) (starlark.Value, error)
	builtin     *starlark.Builtin               // of a method or a function
	unsupported func(self starlark.Value) error // returns why a value does not have the member; nil: all values have it
}

// attribute returns an attribute of values of type T. Its signature is "NAME: TYPE".
func attribute[T, R any](sig, doc string, get func(T) R) *member {
	return fallible(sig, doc, func(self T) (R, error) { return get(self), nil })
}

// fallible returns an attribute that not every value has to give.
func fallible[T, R any](sig, doc string, get func(T) (R, error)) *member {
	m := &member{signature: mustSignature(sig), doc: doc}
	m.get = func(self starlark.Value) (starlark.Value, error) {
		result, err := get(dataOf(self).(T))
		if err != nil {
			return nil, err
		}
		return m.value(result), nil
	}
	return m
}

// method returns a method. Its signature is a Python stub without self: "hints(board: Board, hints:
// int = 0) -> list[Hint]". run is like that of a [function], with the value before all else.
func method(sig, doc string, run any) *member {
	m := &member{signature: mustSignature(sig), doc: doc}
	m.builtin = newBinding(m.signature, run, true).builtin()
	m.get = func(self starlark.Value) (starlark.Value, error) { return m.builtin.BindReceiver(self), nil }
	return m
}

// function returns a function that belongs to no class. run is a Go function with a parameter for
// each of the signature, possibly after a *task or *starlark.Thread. It returns the result, an error,
// or both.
func function(sig, doc string, run any) *member {
	m := &member{signature: mustSignature(sig), doc: doc}
	m.builtin = newBinding(m.signature, run, false).builtin()
	return m
}
