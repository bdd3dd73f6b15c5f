package script

import (
	"os"
	"strings"

	"go.starlark.net/syntax"
)

// A DeclaredFlag is a flag that a script asks for by flag("name", default).
type DeclaredFlag struct {
	Name    string
	Default string // as in the source; "" if there is none
}

// DeclaredFlags returns the flags that the source of a script names, in their order, without
// running it. Flags of modules that it loads, and names that are computed, are not found.
func DeclaredFlags(path string) ([]DeclaredFlag, error) {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxSource {
		return nil, err
	}
	source, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	file, err := fileOptions.Parse(path, source, 0)
	if err != nil {
		return nil, err
	}
	var all []DeclaredFlag
	known := map[string]bool{}
	syntax.Walk(file, func(n syntax.Node) bool {
		if f, ok := declaredFlag(n); ok && !known[f.Name] {
			known[f.Name] = true
			all = append(all, f)
		}
		return true
	})
	return all, nil
}

// declaredFlag returns the flag that a call of flag asks for. ok is false for anything else.
func declaredFlag(n syntax.Node) (f DeclaredFlag, ok bool) {
	call, isCall := n.(*syntax.CallExpr)
	if !isCall {
		return f, false
	}
	if fn, isName := call.Fn.(*syntax.Ident); !isName || fn.Name != "flag" {
		return f, false
	}
	args := callArguments(call, "name", "default")
	name, isLiteral := args["name"].(*syntax.Literal)
	if !isLiteral || name.Token != syntax.STRING {
		return f, false
	}
	f.Name = strings.TrimLeft(name.Value.(string), "-")
	switch def := args["default"].(type) {
	case *syntax.Literal:
		f.Default = def.Raw
	case *syntax.Ident:
		f.Default = def.Name
	}
	return f, f.Name != ""
}

// callArguments returns the arguments of a call by the names of the parameters.
func callArguments(call *syntax.CallExpr, parameters ...string) map[string]syntax.Expr {
	args := map[string]syntax.Expr{}
	for i, arg := range call.Args {
		if named, ok := arg.(*syntax.BinaryExpr); ok && named.Op == syntax.EQ {
			args[named.X.(*syntax.Ident).Name] = named.Y
		} else if i < len(parameters) {
			args[parameters[i]] = arg
		}
	}
	return args
}
