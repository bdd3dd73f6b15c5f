package script

import (
	"fmt"
	"reflect"
	"strings"

	"go.starlark.net/starlark"

	"qhsh/engine/printable"
)

// A binding calls a Go function for a script. The signature says what is optional and what it is then.
type binding struct {
	signature
	run      reflect.Value
	self     bool            // run's first parameter is the value whose method it is
	context  reflect.Type    // *task or *starlark.Thread, if run wants it; else nil
	types    []reflect.Type  // run's parameters behind these
	defaults []reflect.Value // for these parameters
	patterns []string        // of the signature's parameters, for starlark.UnpackArgs
}

func newBinding(s signature, run any, self bool) *binding {
	b := &binding{signature: s, run: reflect.ValueOf(run), self: self}
	for i := range b.run.Type().NumIn() {
		switch t := b.run.Type().In(i); {
		case i == 0 && self:
		case t == reflect.TypeFor[*task](), t == reflect.TypeFor[*starlark.Thread]():
			b.context = t
		default:
			b.types = append(b.types, t)
		}
	}
	at := 0
	for _, t := range b.types {
		b.defaults = append(b.defaults, reflect.Zero(t))
		if t == reflect.TypeFor[gameArgument]() {
			at += 1 + len(s.params) - len(b.types)
			continue
		}
		anyValue, unpacker := t == reflect.TypeFor[starlark.Value](), reflect.PointerTo(t).Implements(reflect.TypeFor[starlark.Unpacker]())
		if v := s.params[at].defaultValue(); v != nil && !unpacker && (v != starlark.None || anyValue) {
			def := reflect.New(t)
			if err := starlark.UnpackArg(v, def.Interface()); err != nil {
				panic(fmt.Sprintf("script: %s: %v", s, err)) // at the start of the program
			}
			b.defaults[len(b.defaults)-1] = def.Elem()
		}
		at++
	}
	if at != len(s.params) {
		panic(fmt.Sprintf("script: %s: %d parameters are declared, %d read", s, len(s.params), at))
	}
	for _, p := range s.params {
		b.patterns = append(b.patterns, p.pattern())
	}
	return b
}

func (b *binding) builtin() *starlark.Builtin { return starlark.NewBuiltin(b.name, b.call) }

// A bareError is an error that does not get the name of the function that returns it in front.
type bareError struct{ error }

// failure returns an error as scripts see it.
func (b *binding) failure(err error) error {
	if bare, ok := err.(bareError); ok { //nolint:errorlint // one that is wrapped is named
		return bare.error
	}
	return fmt.Errorf("%s: %w", b.name, err)
}

// callDirectly calls without reflection what scripts call for every move that they try; ok is false for other
// functions, and for arguments that are invalid.
func (b *binding) callDirectly(self starlark.Value, args starlark.Tuple) (v starlark.Value, err error, ok bool) {
	switch run := b.run.Interface().(type) {
	case func(*board, string) error:
		if len(args) == 1 {
			var text string
			if text, ok = starlark.AsString(args[0]); ok {
				v, err = starlark.None, run(self.(*board), text)
			}
		}
	case func(*board) (starlark.Value, error):
		if ok = len(args) == 0; ok {
			v, err = run(self.(*board))
		}
	}
	return v, err, ok
}

func (b *binding) call(thread *starlark.Thread, fn *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	if b.self && len(kwargs) == 0 {
		if v, err, ok := b.callDirectly(fn.Receiver(), args); ok {
			if err != nil {
				return nil, b.failure(err)
			}
			return v, nil
		}
	}
	in := make([]reflect.Value, 0, 2+len(b.types))
	if b.self {
		in = append(in, reflect.ValueOf(dataOf(fn.Receiver())))
	}
	switch b.context {
	case nil:
	case reflect.TypeFor[*task]():
		in = append(in, reflect.ValueOf(taskOf(thread)))
	default:
		in = append(in, reflect.ValueOf(thread))
	}
	if len(b.params) == 1 && b.params[0].rest {
		if len(kwargs) > 0 {
			return nil, fmt.Errorf("%s: unexpected keyword argument %s", b.name, kwargs[0][0])
		}
		in = append(in, reflect.ValueOf(args))
	} else {
		pairs := make([]any, 0, 2*len(b.params))
		for i, t := range b.types {
			variable := reflect.New(t)
			variable.Elem().Set(b.defaults[i])
			in = append(in, variable.Elem())
			if g, ok := variable.Interface().(*gameArgument); ok {
				pairs = g.appendPairs(pairs, b.params[len(pairs)/2:][:1+len(b.params)-len(b.types)])
			} else {
				pairs = append(pairs, b.patterns[len(pairs)/2], variable.Interface())
			}
		}
		if err := starlark.UnpackArgs(b.name, args, kwargs, pairs...); err != nil {
			return nil, b.withParameters(err)
		}
	}
	var result any
	for _, out := range b.run.Call(in) {
		switch out := out.Interface().(type) {
		case error:
			return nil, b.failure(out)
		case nil:
		default:
			result = out
		}
	}
	return b.value(result), nil
}

// withParameters adds the names of the parameters to the error of an unknown keyword for which the
// interpreter has no suggestion.
func (b *binding) withParameters(err error) error {
	if !strings.HasSuffix(err.Error(), `"`) || !strings.Contains(err.Error(), ": unexpected keyword argument ") {
		return err
	}
	names := make([]string, len(b.params))
	for i, p := range b.params {
		names[i] = p.name
	}
	return fmt.Errorf("%w: want %s", err, printable.OneOf(names))
}

// An optional argument may be absent, or None.
type optional[T any] struct {
	value T
	given bool
}

// Unpack implements starlark.Unpacker.
func (o *optional[T]) Unpack(v starlark.Value) error {
	o.given = true
	return starlark.UnpackArg(v, &o.value)
}

// or returns the argument, or else a default that depends on other arguments.
func (o *optional[T]) or(def T) T {
	if o.given {
		return o.value
	}
	return def
}

// A stringsArgument is an argument that is an iterable of strings.
type stringsArgument []string

// Unpack implements starlark.Unpacker.
func (s *stringsArgument) Unpack(v starlark.Value) error {
	items, ok := v.(starlark.Iterable)
	if !ok {
		return fmt.Errorf("got %s, want a list of strings", v.Type())
	}
	for elem := range starlark.Elements(items) {
		text, ok := starlark.AsString(elem)
		if !ok {
			return fmt.Errorf("element %d is a %s, want a string", len(*s), elem.Type())
		}
		*s = append(*s, text)
	}
	return nil
}
