package script

import (
	"fmt"
	"strings"

	"qhsh/engine/games"
)

// functions returns all functions of ours, in the order of the documentation.
func functions(g *catalog) []*member {
	var all []*member
	for _, list := range [][]member{valueFunctions(g), runtimeFunctions(g)} {
		for i := range list {
			all = append(all, &list[i])
		}
	}
	return all
}

// classes returns all kinds of values of ours.
func classes() []*class { return append(valueClasses(), runtimeClasses()...) }

// predeclaredNames returns the names besides functions that a script finds.
func predeclaredNames() []*member {
	name := func(sig, doc string) *member { return &member{signature: mustSignature(sig), doc: doc} }
	return []*member{
		name("args: list[str]", `What stands behind the script on the command line, without the flags that it has asked for.`),
		name("session: Engine", `The engine that the shell is attached to. Outside the shell there is none.`),
		name("json: Module", `encode, encode_indent, decode and indent, as in other Starlark programs.`),
		name("math: Module", `Functions like those of Python's math, and the constants e and pi.`),
		name("time: Module", `Times and durations. time.now and hash are the only doors through which a script's
result may depend on more than its input.`),
		name("struct: Callable[..., object]", `struct(a=1, b=2) is a value with these attributes.`),
	}
}

const referenceHead = `<!-- Generated from the bindings: go test ./script -run TestReference -update -->

# Scripts: names, values, members

A script is a program in [Starlark](https://github.com/bazelbuild/starlark/blob/master/spec.md),
a small Python, that ` + "`qhsh run SCRIPT.star`" + ` runs:

` + "```python" + `
e = engine(level=3)
for b in positions():
    h = e.best(b)
    print(b.fen, h.move, h.score)
` + "```" + `

A move is a string, ` + "`\"H2-E2\"`" + `, and may be given in any way that the position understands.
What a script needs beyond this page are Starlark's own functions: len, range, sorted,
min, max, zip, enumerate, print, fail and the rest. ` + "`help(x)`" + ` shows these texts at a prompt,
` + "`qhsh run -pyi >__builtins__.pyi`" + ` writes them for editors that know Python.
`

// reference returns the page API.md: everything that a script can call with a table of games, with
// its texts.
func reference(t games.Table) string {
	var b strings.Builder
	b.WriteString(referenceHead)
	section(&b, "Functions", "", functions(newCatalog(t)))
	section(&b, "Names", "", predeclaredNames())
	for _, c := range classes() {
		section(&b, c.name, c.doc, c.all())
	}
	return b.String()
}

// all returns the members in the order of the documentation.
func (c *class) all() []*member {
	all := make([]*member, len(c.members))
	for i := range c.members {
		all[i] = &c.members[i]
	}
	return all
}

// section is a heading with its text and its members.
func section(b *strings.Builder, title, doc string, members []*member) {
	fmt.Fprintf(b, "\n## %s\n\n", title)
	if text := parseText(doc); text.prose != "" {
		b.WriteString(markdown(text, "") + "\n")
	}
	for _, m := range members {
		fmt.Fprintf(b, "- **`%s`**  \n%s", m.signature, markdown(parseText(m.doc), "  "))
	}
}

// markdown returns a text with its examples as a block, every line behind a margin.
func markdown(t docText, margin string) string {
	text := margin + escaper.Replace(t.prose) + "\n"
	if len(t.examples) > 0 {
		text += "\n" + indent("```python\n"+t.session()+"```\n", margin)
	}
	return text
}

// escaper keeps what prose says from being taken as marks of Markdown.
var escaper = strings.NewReplacer("*", `\*`, "<", `\<`)

const stubsHead = `# What a script of qhsh finds, for editors that know Python.
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
		for _, m := range c.all() {
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

// stub returns the declaration of a member.
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

// docstring returns a doc text as Python has it.
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
