package script

import (
	"fmt"
	"strconv"
	"strings"

	"go.starlark.net/starlark"
)

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

// defaultValue returns the default; nil if there is none, or an empty list.
func (p param) defaultValue() starlark.Value {
	switch p.def {
	case "", "()", "[]":
		return nil
	case "None":
		return starlark.None
	case "{}":
		return starlark.NewDict(0)
	case "True", "False":
		return starlark.Bool(p.def == "True")
	}
	if n, err := strconv.Atoi(p.def); err == nil {
		return starlark.MakeInt(n)
	}
	if x, err := strconv.ParseFloat(p.def, 64); err == nil {
		return starlark.Float(x)
	}
	text, err := strconv.Unquote(p.def)
	if err != nil {
		panic(fmt.Sprintf("script: parameter %s: %v", p, err)) // at the start of the program
	}
	return starlark.String(text)
}

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
