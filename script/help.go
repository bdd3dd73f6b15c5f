package script

import (
	"fmt"
	"slices"
	"strings"

	"go.starlark.net/lib/json"
	"go.starlark.net/lib/math"
	"go.starlark.net/lib/time"
	"go.starlark.net/starlark"
	"go.starlark.net/starlarkstruct"
)

func helpFunction(g *catalog) *member {
	return function("help(x: object = None) -> None", `Prints the documentation of a value, a function, or a method such as board().push; for a string, of that name: help("board.push"). Without an argument it lists all names.`,
		func(thread *starlark.Thread, x starlark.Value) {
			thread.Print(thread, g.helpOn(x))
		})
}

// helpOn returns the help on a value, without a trailing newline.
func (g *catalog) helpOn(x starlark.Value) string {
	text := ""
	switch x := x.(type) {
	case starlark.NoneType:
		text = g.overview()
	case starlark.String:
		text = g.helpOnName(string(x))
	case *starlark.Builtin:
		text = g.helpOnBuiltin(x)
	case *starlark.Function:
		text = helpOnFunction(x)
	case *starlarkstruct.Module:
		text = x.Name + ": a module with " + strings.Join(x.AttrNames(), ", ")
	case hasClass:
		text = x.class().help()
	default:
		text = helpOnKind(x)
	}
	return strings.TrimRight(text, "\n")
}

func (g *catalog) overview() string {
	var b strings.Builder
	b.WriteString("Functions (for details use help(NAME)):\n\n")
	for _, m := range functions(g) {
		b.WriteString(m.line())
	}
	b.WriteString("\nPredeclared values:\n\n")
	for _, m := range predeclaredNames() {
		b.WriteString(m.line())
	}
	b.WriteString("\nTypes of values (for details use help(VALUE) or help(\"NAME\")):\n\n")
	for _, c := range classes() {
		b.WriteString("  " + c.name + "\n" + wrap(firstSentence(c.doc), "      "))
	}
	return b.String()
}

func (m *member) line() string {
	return "  " + m.String() + "\n" + wrap(firstSentence(m.doc), "      ")
}

func (m *member) help() string {
	return m.String() + "\n" + parseText(m.doc).write("    ")
}

func (c *class) help() string {
	var b strings.Builder
	b.WriteString(c.name + "\n" + parseText(c.doc).write("    ") + "\n")
	for _, m := range c.members {
		b.WriteString(m.line())
	}
	fmt.Fprintf(&b, "\nFor details use help(\"%s.%s\").\n", c.name, c.members[len(c.members)-1].name)
	return b.String()
}

// helpOnName returns the help on a function, a class, or a member of a class by name, in any case.
func (g *catalog) helpOnName(name string) string {
	owner, attr, _ := strings.Cut(name, ".")
	if c := classNamed(owner); c != nil && c.byName[attr] != nil {
		return c.name + "." + c.byName[attr].help()
	}
	if m := g.named(name); m != nil {
		return m.help() + m.resultHelp()
	}
	if c := classNamed(name); c != nil {
		return c.help()
	}
	return "No help on " + shorten(name) + ". help() lists all names.\n\n" +
		helpOnKind(starlark.String(name))
}

// named returns the function or the predeclared value of a name; nil if there is none.
func (g *catalog) named(name string) *member {
	for _, m := range slices.Concat(functions(g), []*member{shellFunction}, predeclaredNames()) {
		if m.name == name {
			return m
		}
	}
	return nil
}

// classNamed returns the class of a name in any case; nil if there is none.
func classNamed(name string) *class {
	for _, c := range classes() {
		if strings.EqualFold(c.name, name) {
			return c
		}
	}
	return nil
}

// resultHelp returns the help on the class of a function's result.
func (m *member) resultHelp() string {
	if c := classNamed(m.result); m.called && c != nil {
		return "\n" + c.help()
	}
	return ""
}

func (g *catalog) helpOnBuiltin(fn *starlark.Builtin) string {
	if owner, ok := fn.Receiver().(hasClass); ok {
		if m := owner.class().byName[fn.Name()]; m != nil {
			return owner.class().name + "." + m.help()
		}
	}
	if fn.Receiver() != nil {
		return fmt.Sprintf("%s: a method of Starlark's type %s", fn.Name(), fn.Receiver().Type())
	}
	if m := g.named(fn.Name()); m != nil && !ofLanguage(fn) {
		return m.help() + m.resultHelp()
	}
	return fn.Name() + ": a Starlark function"
}

// ofLanguage reports whether a function is Starlark's own: log is also a name of qhsh.
func ofLanguage(fn *starlark.Builtin) bool {
	return slices.ContainsFunc([]starlark.StringDict{starlark.Universe, json.Module.Members, math.Module.Members, time.Module.Members}, func(members starlark.StringDict) bool {
		return members[fn.Name()] == starlark.Value(fn)
	})
}

func helpOnFunction(fn *starlark.Function) string {
	text := fn.Name() + "(" + strings.Join(parametersOf(fn), ", ") + ")\n"
	if doc := dedent(fn.Doc()); doc != "" {
		return text + indent(doc, "    ")
	}
	return text + fmt.Sprintf("    No docstring. Defined at %s.\n", fn.Position())
}

// parametersOf returns a function's parameters as written. The interpreter lists keyword-only
// parameters before *args.
func parametersOf(fn *starlark.Function) []string {
	var all []string
	for i := range fn.NumParams() {
		name, _ := fn.Param(i)
		if def := fn.ParamDefault(i); def != nil {
			name += "=" + def.String()
		}
		all = append(all, name)
	}
	var kwargs, star []string
	if last := len(all) - 1; fn.HasKwargs() {
		all, kwargs = all[:last], []string{"**" + all[last]}
	}
	if last := len(all) - 1; fn.HasVarargs() {
		all, star = all[:last], []string{"*" + all[last]}
	} else if fn.NumKwonlyParams() > 0 {
		star = []string{"*"}
	}
	named := len(all) - fn.NumKwonlyParams()
	return slices.Concat(all[:named], star, all[named:], kwargs)
}

func helpOnKind(x starlark.Value) string {
	text := x.Type() + ": a Starlark value"
	if attrs, ok := x.(starlark.HasAttrs); ok {
		text += ", with " + strings.Join(attrs.AttrNames(), ", ")
	}
	return wrap(text, "")
}
