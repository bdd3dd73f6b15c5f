package script

import (
	"sync"

	"go.starlark.net/resolve"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// globalRefs records which module variables each function refers to. The interpreter does not
// expose that for compiled functions, so the syntax trees are kept. A position belongs to one parse
// of one source, so a function is identified by the position of its def or lambda.
type globalRefs struct {
	functions sync.Map // from syntax.Position to func() []string, which returns the names in the function
}

// add records the functions of a program before it runs.
func (m *globalRefs) add(program syntax.Node) {
	syntax.Walk(program, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.DefStmt:
			m.functions.Store(n.Def, sync.OnceValue(func() []string { return outsideNames(n.Function) }))
		case *syntax.LambdaExpr:
			m.functions.Store(n.Lambda, sync.OnceValue(func() []string { return outsideNames(n.Function) }))
		}
		return true
	})
}

// of returns the module variables that a function, or one defined in it, can read: those that it
// names, or all if its source is unknown.
func (m *globalRefs) of(fn *starlark.Function) []starlark.Value {
	globals, predeclared := fn.Globals(), fn.Module().Predeclared()
	var names []string
	if found, ok := m.functions.Load(fn.Position()); ok {
		names = found.(func() []string)()
	} else {
		names = append(globals.Keys(), predeclared.Keys()...)
	}
	var all []starlark.Value
	for _, name := range names {
		v, ok := globals[name]
		if !ok {
			v, ok = predeclared[name]
		}
		if ok { // else a global that is not set yet
			all = append(all, v)
		}
	}
	return all
}

// outsideNames returns the variables of the module in a function. The function exists, so its syntax tree
// has been resolved.
func outsideNames(function any) (names []string) {
	seen := map[string]bool{}
	for _, stmt := range function.(*resolve.Function).Body {
		syntax.Walk(stmt, func(n syntax.Node) bool {
			id, ok := n.(*syntax.Ident)
			if ok && outside(id) && !seen[id.Name] {
				seen[id.Name] = true
				names = append(names, id.Name)
			}
			return true
		})
	}
	return names
}

// outside reports whether a name is a variable of the module: a global or, in an expression at a
// prompt, a name defined by earlier lines.
func outside(id *syntax.Ident) bool {
	b, ok := id.Binding.(*resolve.Binding)
	return ok && (b.Scope == resolve.Global || b.Scope == resolve.Predeclared)
}
