package script

import (
	"fmt"
	"slices"
	"strings"

	"go.starlark.net/starlark"

	"qhsh/engine/games"
)

// A class describes a type of Starlark values in one place: the interpreter gets its members from
// it, help and API.md their texts, and the stubs for editors their types.
type class struct {
	name    string // as in Python, such as Board
	doc     string // sentences
	members []member
	byName  map[string]*member
	// operators are Python stub methods for operators: "__neg__() -> Score".
	operators []signature
}

// newClass returns a class with members in the order of the documentation.
func newClass(name, doc string, members ...member) *class {
	c := &class{name: name, doc: doc, members: members, byName: map[string]*member{}}
	for i := range c.members {
		c.byName[c.members[i].name] = &c.members[i]
	}
	return c
}

// with adds operators.
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
	return m.of(self)
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

// attribute returns an attribute. Its signature is "NAME: TYPE".
func attribute[T hasClass](sig, doc string, get func(T) (starlark.Value, error)) member {
	return member{
		signature: mustSignature(sig), doc: doc,
		get: func(self starlark.Value) (starlark.Value, error) { return get(self.(T)) },
	}
}

// method returns a method. Its signature is a Python stub without self: "hints(board: Board, hints:
// int = 0) -> list[Hint]".
func method[T hasClass](sig, doc string, run func(T, *call) (starlark.Value, error)) member {
	m := function(sig, doc, func(c *call) (starlark.Value, error) { return run(c.fn.Receiver().(T), c) })
	m.get = func(self starlark.Value) (starlark.Value, error) { return m.builtin.BindReceiver(self), nil }
	return m
}

// function returns a function that belongs to no class. A call without parameters has been unpacked
// before run gets it.
func function(sig, doc string, run func(*call) (starlark.Value, error)) member {
	s := mustSignature(sig)
	return member{signature: s, doc: doc, builtin: starlark.NewBuiltin(s.name,
		func(thread *starlark.Thread, fn *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			c := &call{thread: thread, fn: fn, signature: &s, args: args, kwargs: kwargs}
			if len(s.params) == 0 {
				if err := c.unpack(); err != nil {
					return nil, err
				}
			}
			return run(c)
		})}
}

func (m *member) of(self starlark.Value) (starlark.Value, error) { return m.get(self) }

// A call is one call of a method or a function.
type call struct {
	thread    *starlark.Thread
	fn        *starlark.Builtin
	signature *signature
	args      starlark.Tuple
	kwargs    []starlark.Tuple
}

// unpack assigns the arguments to variables, one for each parameter of the signature in order, like
// starlark.UnpackArgs. The variable of an absent optional parameter keeps its value, and so does
// one whose default is None if None is given. A signature with a rest parameter has no variables;
// see rest.
func (c *call) unpack(vars ...any) error {
	if len(vars) != len(c.signature.params) {
		return fmt.Errorf("%s: internal error: %d parameters are declared, %d read", c.fn.Name(), len(c.signature.params), len(vars))
	}
	if len(c.kwargs) == 0 && len(c.args) == len(vars) {
		for i, p := range c.signature.params {
			if p.def == "None" && c.args[i] == starlark.None {
				continue
			}
			if err := starlark.UnpackArg(c.args[i], vars[i]); err != nil {
				return fmt.Errorf("%s: for parameter %s: %w", c.fn.Name(), p.name, err)
			}
		}
		return nil
	}
	pairs := make([]any, 0, 2*len(vars))
	for i, p := range c.signature.params {
		pairs = append(pairs, p.pattern(), vars[i])
	}
	return c.withParameters(starlark.UnpackArgs(c.fn.Name(), c.args, c.kwargs, pairs...))
}

// withParameters adds the names of the parameters to the error of an unknown keyword for which the
// interpreter has no suggestion.
func (c *call) withParameters(err error) error {
	if err == nil || !strings.HasSuffix(err.Error(), `"`) || !strings.Contains(err.Error(), ": unexpected keyword argument ") {
		return err
	}
	names := make([]string, len(c.signature.params))
	for i, p := range c.signature.params {
		names[i] = p.name
	}
	return fmt.Errorf("%w: want %s", err, games.OneOf(names))
}

// rest returns the arguments of a signature with the single parameter "*NAME".
func (c *call) rest() (starlark.Tuple, error) {
	if len(c.kwargs) > 0 {
		return nil, fmt.Errorf("%s: unexpected keyword argument %s", c.fn.Name(), c.kwargs[0][0])
	}
	return c.args, nil
}

// A signature is a name with types as in a Python stub.
type signature struct {
	name   string
	params []param // of a method or function
	called bool
	result string // type of the attribute or of the call's result
}

// A param is a parameter.
type param struct {
	name, typ, def string // def is the default as a script would write it
	optional       bool
	rest           bool // *name
}

// String returns the signature as it was written.
func (s signature) String() string {
	if !s.called {
		return s.name + ": " + s.result
	}
	return s.name + "(" + s.parameters() + ") -> " + s.result
}

func (s signature) parameters() string {
	var params []string
	for _, p := range s.params {
		params = append(params, p.String())
	}
	return strings.Join(params, ", ")
}

func (p param) String() string {
	text := p.name + ": " + p.typ
	if p.rest {
		text = "*" + text
	}
	if p.optional {
		text += " = " + p.def
	}
	return text
}

// pattern returns the parameter in the form of starlark.UnpackArgs.
func (p param) pattern() string {
	switch {
	case p.def == "None":
		return p.name + "??"
	case p.optional:
		return p.name + "?"
	}
	return p.name
}

// mustSignature parses a signature of this package.
func mustSignature(text string) signature {
	s, err := parseSignature(text)
	if err != nil {
		panic(err)
	}
	return s
}

func parseSignature(text string) (signature, error) {
	head, result, called := strings.Cut(text, ") -> ")
	if !called {
		name, typ, ok := strings.Cut(text, ": ")
		if !ok {
			return signature{}, fmt.Errorf("signature %q: want NAME: TYPE or NAME(...) -> TYPE", text)
		}
		return signature{name: name, result: typ}, nil
	}
	name, list, ok := strings.Cut(head, "(")
	if !ok {
		return signature{}, fmt.Errorf("signature %q: the parameters are missing", text)
	}
	s := signature{name: name, called: true, result: result}
	for _, part := range splitParams(list) {
		p, err := parseParam(part)
		if err != nil {
			return s, fmt.Errorf("signature %q: %w", text, err)
		}
		s.params = append(s.params, p)
	}
	return s, nil
}

func parseParam(text string) (param, error) {
	decl, def, optional := strings.Cut(text, " = ")
	name, typ, ok := strings.Cut(decl, ": ")
	if !ok {
		return param{}, fmt.Errorf("parameter %q has no type", text)
	}
	bare := strings.TrimPrefix(name, "*")
	return param{name: bare, typ: typ, def: def, optional: optional, rest: bare != name}, nil
}

// splitParams splits a list at its commas, except within brackets.
func splitParams(list string) []string {
	var parts []string
	depth, from := 0, 0
	for i, r := range list {
		switch r {
		case '[', '(':
			depth++
		case ']', ')':
			depth--
		case ',':
			if depth == 0 {
				parts = append(parts, strings.TrimSpace(list[from:i]))
				from = i + 1
			}
		}
	}
	if last := strings.TrimSpace(list[from:]); last != "" {
		parts = append(parts, last)
	}
	return parts
}
