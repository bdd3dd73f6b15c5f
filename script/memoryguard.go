package script

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"go.starlark.net/starlark"
)

// hiddenNames returns the values that rewritten programs refer to.
func hiddenNames(e *Env) starlark.StringDict {
	names := starlark.StringDict{}
	hide := func(name string, apply func(*runLimits, starlark.Value) (starlark.Value, error)) *mark {
		m := &mark{name, e, apply}
		names[name] = m
		return m
	}
	for name, apply := range map[string]func(*runLimits, starlark.Value) (starlark.Value, error){
		operandName: markOperand, addendName: markAddend, inPlaceName: markInPlace,
		slicedName: markSliced, targetName: markTarget, spreadName: markSpread, collectedName: markCollected,
	} {
		hide(name, apply)
	}
	for name := range guardedNames {
		hide(methodPrefix+name, func(_ *runLimits, x starlark.Value) (starlark.Value, error) { return guardedAttr(x, name) })
	}
	names[listName] = newCollector{mark: hide(listName, nil)}
	names[dictName] = newCollector{mark: hide(dictName, nil), dict: true}
	return names
}

// guardedAttr returns x.name for a name of guardedNames.
func guardedAttr(x starlark.Value, name string) (starlark.Value, error) {
	if method := methodsOf(x)[name]; method != nil {
		return method.BindReceiver(x), nil
	}
	if has, ok := x.(starlark.HasAttrs); ok {
		if v, err := has.Attr(name); v != nil && err == nil {
			return v, nil
		}
	}
	v, err := universal("getattr").CallInternal(nil, starlark.Tuple{x, starlark.String(name)}, nil)
	return v, renamed(err, "getattr: ", "")
}

// methodsOf returns the methods of a value that check the memory.
func methodsOf(x starlark.Value) map[string]*starlark.Builtin {
	switch x.(type) {
	case starlark.String:
		return stringMethods
	case *starlark.List:
		return listMethods
	case *starlark.Dict:
		return dictMethods
	case *starlark.Set:
		return setMethods
	}
	return nil
}

// The methods whose result can be large.
var (
	stringMethods = map[string]*starlark.Builtin{
		"join":       starlark.NewBuiltin("join", join),
		"format":     guardMethod("format", fieldsBytes),
		"replace":    guardMethod("replace", replacedBytes),
		"split":      guardMethod("split", splitBytes),
		"rsplit":     guardMethod("rsplit", splitBytes),
		"splitlines": guardMethod("splitlines", linesBytes),
		"upper":      guardMethod("upper", casedBytes),
		"lower":      guardMethod("lower", casedBytes),
		"title":      guardMethod("title", casedBytes),
		"capitalize": guardMethod("capitalize", casedBytes),
	}
	listMethods = map[string]*starlark.Builtin{
		"append": starlark.NewBuiltin("append", appendElem),
		"insert": guardGrowth("insert", func(b *runLimits, x starlark.Value, _ starlark.Tuple) error {
			return b.growList("insert", x.(*starlark.List), 1)
		}),
		"extend": starlark.NewBuiltin("extend", extend),
	}
	dictMethods = map[string]*starlark.Builtin{
		"setdefault": guardGrowth("setdefault", func(b *runLimits, x starlark.Value, _ starlark.Tuple) error {
			return b.growTable("setdefault", x, 1)
		}),
		"update": guardGrowth("update", growByArgs),
		"items":  guardMethod("items", perEntry(6*valueBytes)),
		"keys":   guardMethod("keys", perEntry(2*valueBytes)),
		"values": guardMethod("values", perEntry(8*valueBytes)),
	}
	setMethods = map[string]*starlark.Builtin{
		"add": guardGrowth("add", func(b *runLimits, x starlark.Value, _ starlark.Tuple) error {
			return b.growTable("add", x, 1)
		}),
		"update":               guardGrowth("update", growByArgs),
		"union":                guardMethod("union", perEntry(entryBytes)),
		"intersection":         guardMethod("intersection", perEntry(entryBytes)),
		"difference":           guardMethod("difference", perEntry(entryBytes)),
		"symmetric_difference": guardMethod("symmetric_difference", perEntry(entryBytes)),
	}
)

// guardedNames are the names of them all.
var guardedNames = func() map[string]bool {
	names := map[string]bool{}
	for _, methods := range []map[string]*starlark.Builtin{stringMethods, listMethods, dictMethods, setMethods} {
		for name := range methods {
			names[name] = true
		}
	}
	return names
}()

// A guardedCall is a call of a method.
type guardedCall struct {
	*runLimits
	x      starlark.Value
	args   starlark.Tuple
	kwargs []starlark.Tuple
}

// guardMethod returns a method that checks the size of its result first.
func guardMethod(name string, size func(guardedCall) (float64, error)) *starlark.Builtin {
	return starlark.NewBuiltin(name, func(thread *starlark.Thread, fn *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		b, x := taskOf(thread).run, fn.Receiver()
		bytes, err := size(guardedCall{b, x, args, kwargs})
		if err != nil {
			return nil, err
		}
		args = b.counted(name, entryBytes, args)
		return b.value(name, bytes, func() (starlark.Value, error) { return callMethod(thread, x, name, args, kwargs) })
	})
}

// guardGrowth returns a method that first checks whether its receiver may grow.
func guardGrowth(name string, grow func(b *runLimits, x starlark.Value, args starlark.Tuple) error) *starlark.Builtin {
	return starlark.NewBuiltin(name, func(thread *starlark.Thread, fn *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		b := taskOf(thread).run
		if err := grow(b, fn.Receiver(), args); err != nil {
			return nil, err
		}
		return callMethod(thread, fn.Receiver(), name, b.counted(name, entryBytes, args), kwargs)
	})
}

// callMethod calls Starlark's own method.
func callMethod(thread *starlark.Thread, x starlark.Value, name string, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	method, err := x.(starlark.HasAttrs).Attr(name)
	if err != nil {
		return nil, err
	}
	return method.(*starlark.Builtin).CallInternal(thread, args, kwargs)
}

// growByArgs checks the memory for the elements of all arguments.
func growByArgs(b *runLimits, x starlark.Value, args starlark.Tuple) error {
	return b.growTable("update", x, int(max(argsLen(args), 2)))
}

// argsLen returns the number of elements of all arguments.
func argsLen(args starlark.Tuple) float64 {
	total := 0.0
	for _, arg := range args {
		total += lenOf(arg)
	}
	return total
}

// appendElem is the method append of lists.
func appendElem(thread *starlark.Thread, fn *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	list := fn.Receiver().(*starlark.List)
	if list.Len() >= longList {
		if err := taskOf(thread).run.growList("append", list, 1); err != nil {
			return nil, err
		}
	}
	return callMethod(thread, list, "append", args, kwargs)
}

// extend is the method of lists.
func extend(thread *starlark.Thread, fn *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var items starlark.Iterable
	if err := starlark.UnpackPositionalArgs("extend", args, kwargs, 1, &items); err != nil {
		return nil, err
	}
	return starlark.None, taskOf(thread).run.extend("extend", fn.Receiver().(*starlark.List), items)
}

// perEntry returns the size of a result with so many bytes for each element of the receiver and the
// arguments.
func perEntry(bytes float64) func(guardedCall) (float64, error) {
	return func(c guardedCall) (float64, error) { return bytes * (lenOf(c.x) + argsLen(c.args)), nil }
}

// fieldsBytes returns the size of format's result, which may contain an argument many times.
func fieldsBytes(c guardedCall) (float64, error) {
	format := string(c.x.(starlark.String))
	args := slices.Clone(c.args)
	for _, named := range c.kwargs {
		args = append(args, named[1])
	}
	times := 1
	if fields := strings.Count(format, "{"); fields > len(args) {
		times = fields
	}
	return c.filledBytes("format", format, strings.Contains(format, "!r"), times, args)
}

// join is the method of strings. Unlike Starlark's own it allocates the result once.
func join(thread *starlark.Thread, fn *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var items starlark.Iterable
	if err := starlark.UnpackPositionalArgs("join", args, kwargs, 1, &items); err != nil {
		return nil, err
	}
	b := taskOf(thread).run
	if isUnsized(items) { // it can be iterated only once
		list, err := universal("list").CallInternal(thread, b.counted("join", 2.25*valueBytes, args), nil)
		if err != nil {
			return nil, err
		}
		items = list.(*starlark.List)
	}
	sep := string(fn.Receiver().(starlark.String))
	size, n := 0.0, 0
	for elem := range starlark.Elements(items) {
		s, ok := elem.(starlark.String)
		if !ok {
			return nil, fmt.Errorf("join: in list, want string, got %s", elem.Type())
		}
		if n++; n > 1 {
			size += float64(len(sep))
		}
		size += float64(len(s))
	}
	return b.value("join", size, func() (starlark.Value, error) {
		var text strings.Builder
		text.Grow(int(size))
		n := 0
		for elem := range starlark.Elements(items) {
			if n++; n > 1 {
				text.WriteString(sep)
			}
			text.WriteString(string(elem.(starlark.String)))
		}
		return starlark.String(text.String()), nil
	})
}

func casedBytes(c guardedCall) (float64, error) {
	const growth = 1.5 // of letters whose other case is longer
	return copies * growth * float64(len(c.x.(starlark.String))), nil
}

func replacedBytes(c guardedCall) (float64, error) {
	if len(c.args) < 2 {
		return 0, nil
	}
	s := string(c.x.(starlark.String))
	old, _ := starlark.AsString(c.args[0])
	repl, _ := starlark.AsString(c.args[1])
	return float64(len(s)) + float64(strings.Count(s, old))*float64(len(repl)-len(old)), nil
}

// partBytes is the size of a part of a string in a list: the string, the value, and the
// value's own.
const partBytes = 3 * valueBytes

func splitBytes(c guardedCall) (float64, error) {
	s := string(c.x.(starlark.String))
	if len(c.args) == 0 || c.args[0] == starlark.None {
		return partBytes * float64(len(s)/2+1), nil
	}
	sep, _ := starlark.AsString(c.args[0])
	if sep == "" {
		return 0, nil // it will be an error
	}
	return partBytes * float64(strings.Count(s, sep)+1), nil
}

func linesBytes(c guardedCall) (float64, error) {
	return partBytes * float64(strings.Count(string(c.x.(starlark.String)), "\n")+1), nil
}

// guardedFunctions replace Starlark functions whose result can be large.
func guardedFunctions() starlark.StringDict {
	guarded := starlark.StringDict{
		"range":   starlark.NewBuiltin("range", makeRange),
		"getattr": starlark.NewBuiltin("getattr", getattr),
		"fail":    starlark.NewBuiltin("fail", fail),
	}
	for name, each := range map[string]float64{
		"bytes": 1, "enumerate": 5 * valueBytes, "list": valueBytes, "reversed": valueBytes,
		"sorted": 3 * valueBytes, "tuple": valueBytes, "zip": 5 * valueBytes,
		"set": entryBytes, "dict": entryBytes,
	} {
		guarded[name] = guardFunction(universal(name), each)
	}
	for _, name := range []string{"str", "repr", "print"} {
		guarded[name] = guardText(universal(name))
	}
	for _, name := range []string{"int", "float"} {
		guarded[name] = guardNumber(universal(name))
	}
	return guarded
}

func universal(name string) *starlark.Builtin { return starlark.Universe[name].(*starlark.Builtin) }

// guardFunction returns a function that first checks the memory for the elements of its arguments, with
// each bytes for an element. It allocates as many elements as a sequence claims to have, and a range
// can claim any number.
func guardFunction(fn *starlark.Builtin, each float64) *starlark.Builtin {
	return starlark.NewBuiltin(fn.Name(), func(thread *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		b := taskOf(thread).run
		elements, calls := argsLen(args), false
		for _, named := range kwargs { // sorted(iterable=..., key=...)
			elements += lenOf(named[1])
			_, callable := named[1].(starlark.Callable)
			calls = calls || callable
		}
		args = b.counted(fn.Name(), 2.25*each, args)
		size := each * elements
		if calls {
			if err := b.checkSize(fn.Name(), size); err != nil {
				return nil, err
			}
			return fn.CallInternal(thread, args, kwargs)
		}
		return b.value(fn.Name(), size, func() (starlark.Value, error) { return fn.CallInternal(thread, args, kwargs) })
	})
}

// guardText returns a function that first checks the size of its arguments as text.
func guardText(fn *starlark.Builtin) *starlark.Builtin {
	quotes := fn.Name() == "repr"
	return starlark.NewBuiltin(fn.Name(), func(thread *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		if len(args) != 1 || !isShort(args[0], quotes) {
			if err := taskOf(thread).run.textFits(fn.Name(), quotes, args...); err != nil {
				return nil, err
			}
		}
		return fn.CallInternal(thread, args, kwargs)
	})
}

// isShort reports whether a value is short as text, or is a text already.
func isShort(v starlark.Value, quotes bool) bool {
	switch v := v.(type) {
	case starlark.String:
		return !quotes || len(v) < large/8
	case starlark.Int:
		return small(v)
	case starlark.Float, starlark.Bool, starlark.NoneType:
		return true
	}
	return false
}

// fail is Starlark's own with a limit on the message, which is copied several times.
func fail(thread *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	if err := taskOf(thread).run.textFits("fail", false, args...); err != nil {
		return nil, err
	}
	_, err := universal("fail").CallInternal(thread, args, kwargs)
	if err != nil && len(err.Error()) > 1<<20 {
		err = errors.New(shorten(err.Error()))
	}
	return nil, err
}

// guardNumber returns a function that parses a number and rejects very long texts.
func guardNumber(fn *starlark.Builtin) *starlark.Builtin {
	return starlark.NewBuiltin(fn.Name(), func(thread *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		if len(args) > 0 {
			if text, _ := starlark.AsString(args[0]); len(text) > maxBits {
				return nil, fmt.Errorf("%s: a text of %d bytes is no number", fn.Name(), len(text))
			}
		}
		return fn.CallInternal(thread, args, kwargs)
	})
}

// getattr is Starlark's own, except for the methods that check the memory.
func getattr(thread *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	if len(args) >= 2 && len(kwargs) == 0 {
		name, _ := starlark.AsString(args[1])
		if method := methodsOf(args[0])[name]; method != nil {
			return method.BindReceiver(args[0]), nil
		}
		if len(name) > 1<<20 {
			return nil, errors.New("getattr: the name is too long")
		}
	}
	return universal("getattr").CallInternal(thread, args, kwargs)
}
