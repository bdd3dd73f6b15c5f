package script

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"go.starlark.net/starlark"
)

// arguments are the script's command line arguments. Flags that the script has asked for are
// removed from args.
type arguments struct {
	mu    sync.Mutex
	all   []string           // all, in order
	rest  []string           // without the flags that were asked for
	flags map[string]*string // that were asked for, with their values; nil: it is not there
	list  *starlark.List     // the value args
}

// setArgs sets the arguments of the next script.
func (e *Env) setArgs(args []string) {
	a := &e.args
	a.all, a.rest, a.flags, a.list = args, slices.Clone(args), map[string]*string{}, starlark.NewList(nil)
	a.updateList()
	e.predeclared["args"] = a.list
	e.globals["args"] = a.list
}

// updateList updates the value args. A frozen list is left as it is: pmap has frozen it, and a flag
// first asked for there is still found.
func (a *arguments) updateList() {
	if a.list.Clear() != nil {
		return
	}
	for _, arg := range a.rest {
		_ = a.list.Append(starlark.String(arg)) // it is not frozen
	}
}

// isInput reports whether the command line names a file, as an argument or as a flag's value.
func (a *arguments) isInput(path string) bool {
	return slices.ContainsFunc(a.all, func(arg string) bool {
		_, value, isFlag := strings.Cut(arg, "=")
		return arg == path || isFlag && strings.HasPrefix(arg, "-") && value == path
	})
}

// flag removes a flag from the arguments and returns its value: -name=value, -name value, or -name
// alone for a switch; nil if it is absent.
func (a *arguments) flag(name string, isSwitch bool) *string {
	a.mu.Lock()
	defer a.mu.Unlock()
	given, asked := a.flags[name]
	if asked {
		return given
	}
	a.flags[name] = nil
	for i, arg := range a.rest {
		key, value, hasValue := strings.Cut(arg, "=")
		if key != "-"+name && key != "--"+name {
			continue
		}
		end := i + 1
		switch {
		case hasValue:
		case isSwitch:
			value = "true"
		case end < len(a.rest):
			value = a.rest[end]
			end++
		default:
			end = i // an empty value is not a number, which parseFlag reports, and the flag stays in args
		}
		a.rest = slices.Delete(slices.Clone(a.rest), i, end)
		a.updateList()
		a.flags[name] = &value
		break
	}
	return a.flags[name]
}

var flagFunction = function("flag(name: str, default: object = None) -> object", `The value of a flag given to the script on the command line as -name VALUE or -name=VALUE, or default if it is absent. It has the type of default: a number, a string, or a bool, for which -name alone means true. flag removes the flag from args, so call it before using args.`, flagValue)

func flagValue(t *task, name string, def starlark.Value) (starlark.Value, error) {
	name = strings.TrimLeft(name, "-")
	_, isSwitch := def.(starlark.Bool)
	g := t.env.args.flag(name, isSwitch)
	if g == nil {
		return def, nil
	}
	v, err := parseFlag(*g, def)
	if err != nil {
		return nil, bareError{fmt.Errorf("-%s %s: %w", name, *g, err)}
	}
	return v, nil
}

// parseFlag converts a flag's value to the type of the default.
func parseFlag(text string, def starlark.Value) (starlark.Value, error) {
	switch def.(type) {
	case starlark.NoneType, starlark.String:
		return starlark.String(text), nil
	case starlark.Bool:
		b, err := strconv.ParseBool(text)
		if err != nil {
			return nil, fmt.Errorf("want true or false")
		}
		return starlark.Bool(b), nil
	case starlark.Int:
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return nil, fmt.Errorf("want a whole number, such as %s", def)
		}
		return starlark.MakeInt64(n), nil
	case starlark.Float:
		x, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return nil, fmt.Errorf("want a number, such as %s", def)
		}
		return starlark.Float(x), nil
	}
	return nil, fmt.Errorf("default is a %s, want a number, a string, a bool or None", def.Type())
}
