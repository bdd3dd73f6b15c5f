package script

import (
	"fmt"
	"strings"

	"qhsh/engine/games"
)

// functions returns all functions of qhsh, in the order of the documentation.
func functions(g *catalog) []*member { return append(valueFunctions(g), runtimeFunctions(g)...) }

// classes returns all classes of qhsh.
func classes() []*class { return append(valueClasses(), generatorClass, engineClass, infoClass) }

// predeclaredNames returns the predeclared names that are not functions.
func predeclaredNames() []*member {
	name := func(sig, doc string) *member { return &member{signature: mustSignature(sig), doc: doc} }
	return []*member{
		name("args: list[str]", `The script's command line arguments, without the flags that flag() has returned.`),
		name("session: Engine", `The engine that the shell is attached to. It exists only in the shell.`),
		name("json: Module", `encode, encode_indent, decode and indent, as in other Starlark programs.`),
		name("math: Module", `Functions like those of Python's math, and the constants e and pi.`),
		name("time: Module", `Times and durations. Only time.now and hash can make a script's result depend on more than its input.`),
		name("struct: Callable[..., object]", `struct(a=1, b=2) is a value with these attributes.`),
	}
}

const stubsHead = `# Names available in qhsh scripts, for Python editors.
# Save this as __builtins__.pyi in the folder of your scripts.

from typing import Any, Callable, Iterable

import math as math

Module = Any
`

// Stubs returns Python stubs of everything that a script can call with a table of games.
func Stubs(t games.Table) string {
	var b strings.Builder
	b.WriteString(stubsHead)
	for _, c := range classes() {
		fmt.Fprintf(&b, "\nclass %s:\n%s", c.name, docstring(c.doc, "    "))
		for _, m := range c.members {
			b.WriteString(stub(m.signature, m.doc, "    ", "self"))
		}
		for _, op := range c.operators {
			b.WriteString(stub(op, "", "    ", "self"))
		}
	}
	for _, m := range functions(newCatalog(t)) {
		b.WriteString("\n" + stub(m.signature, m.doc, "", ""))
	}
	b.WriteString("\n")
	for _, m := range predeclaredNames() {
		if m.name != "math" {
			b.WriteString(stub(m.signature, m.doc, "", ""))
		}
	}
	return b.String()
}

func stub(s signature, doc, margin, self string) string {
	if !s.called {
		return margin + s.name + ": " + s.result + "\n" + docstring(doc, margin)
	}
	params := s.parameters()
	if self != "" && params != "" {
		self += ", "
	}
	head := fmt.Sprintf("%sdef %s(%s%s) -> %s:", margin, s.name, self, params, s.result)
	if doc == "" {
		return head + " ...\n"
	}
	return head + "\n" + docstring(doc, margin+"    ")
}

func docstring(doc, margin string) string {
	t := parseText(doc)
	if t.prose == "" {
		return ""
	}
	text := strings.TrimRight(wrap(t.prose, margin), "\n")
	if session := t.session(); session != "" {
		text += "\n\n" + strings.TrimRight(indent(session, margin), "\n")
	}
	text = strings.ReplaceAll(text, `\`, `\\`)
	return margin + `"""` + strings.TrimLeft(text, " ") + "\n" + margin + `"""` + "\n"
}
