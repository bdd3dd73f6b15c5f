package script

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"go.starlark.net/starlark"
	"go.starlark.net/starlarkstruct"
)

// This file computes how long a value is as text before the text is created. Small data can be very
// long as text if it contains the same list many times.

// copies is how many times its size a text needs while the interpreter creates it in a growing buffer.
const copies = 2.25

// maxDepth is the maximum nesting depth of data that is converted to text.
const maxDepth = 10_000

// A textSize computes the maximum size of values as text.
type textSize struct {
	run    *runLimits
	what   string // the function that creates the text
	json   bool
	values int
	known  map[any]textExtent // of containers that were measured before
	path   []any              // the containers around the value, which may contain themselves
	cycles int                // containers found that contain themselves
}

// A textExtent is the size of a value as text.
type textExtent struct {
	bytes  float64
	values float64
	height int // nesting depth
}

func (e *textExtent) add(o textExtent) {
	e.bytes += o.bytes
	e.values += o.values
	e.height = max(e.height, o.height+1)
}

// textFits returns an error if the texts of values do not fit into the remaining memory, as print
// writes them or, with quotes, as repr does.
func (b *runLimits) textFits(what string, quotes bool, values ...starlark.Value) error {
	size, err := b.filledBytes(what, "", quotes, 1, values)
	if err != nil {
		return err
	}
	return b.checkSize(what, size)
}

// repr returns a value as repr writes it.
func (b *runLimits) repr(what string, v starlark.Value) (string, error) {
	if isShort(v, true) {
		return v.String(), nil
	}
	if err := b.textFits(what, true, v); err != nil {
		return "", err
	}
	return v.String(), nil
}

// display returns a value as print writes it.
func (b *runLimits) display(what string, v starlark.Value) (string, error) {
	if s, ok := starlark.AsString(v); ok {
		return s, nil
	}
	return b.repr(what, v)
}

// printed returns the extent of a value as print writes it.
func (s *textSize) printed(v starlark.Value) (textExtent, error) {
	switch v := v.(type) {
	case starlark.String:
		return textExtent{bytes: float64(len(v))}, nil
	case starlark.Bytes:
		const longest = 3 // bytes for one that is no UTF-8
		return textExtent{bytes: longest * float64(len(v))}, nil
	}
	return s.of(v)
}

// of returns the extent of repr(v).
func (s *textSize) of(v starlark.Value) (textExtent, error) {
	const checkEvery = 4096
	if s.values++; s.values%checkEvery == 0 {
		if err := s.run.check(); err != nil {
			return textExtent{}, err
		}
	}
	const separators = 2
	size := 0.0
	switch v := v.(type) {
	case starlark.NoneType, starlark.Bool, starlark.Float:
		const longest = 26
		size = longest
	case starlark.Int:
		size = intDigits(v)
	case starlark.String:
		size = s.quoted(string(v))
	case starlark.Bytes:
		size = s.quoted(string(v)) + 1
	case *progress:
		return s.of(v.items)
	case *starlark.List, starlark.Tuple, *starlark.Set, *starlark.Dict, *starlarkstruct.Struct:
		return s.container(v)
	default:
		if strings.HasPrefix(v.Type(), "string.") || v.Type() == "bytes.elems" {
			const escaped = 10
			size = escaped * count(v)
		} else {
			size = float64(len(v.String()))
		}
	}
	return textExtent{size + separators, 1, 0}, nil
}

// container returns the extent of a value that contains others. It is measured only once, unless it
// contains itself: then its text depends on what is around it.
func (s *textSize) container(v starlark.Value) (textExtent, error) {
	const few = 1000
	key := identity(v)
	if e, ok := s.known[key]; ok {
		return e, nil
	}
	if slices.Contains(s.path, key) {
		s.cycles++
		return textExtent{bytes: 10, values: 1}, nil // [...]
	}
	if len(s.path) > maxDepth {
		return textExtent{}, errDeepStack
	}
	cycles := s.cycles
	s.path = append(s.path, key)
	e, err := s.elements(v)
	s.path = s.path[:len(s.path)-1]
	if err != nil {
		return e, err
	}
	if e.bytes > float64(s.run.limit) {
		return e, s.run.refuse(s.what, e.bytes)
	}
	if s.values > few && s.cycles == cycles {
		if s.known == nil {
			s.known = map[any]textExtent{}
		}
		s.known[key] = e
	}
	return e, nil
}

// identity returns a comparable value that identifies a container. Tuples are not comparable.
func identity(v starlark.Value) any {
	if tuple, ok := v.(starlark.Tuple); ok {
		if len(tuple) == 0 {
			return 0
		}
		return struct {
			first  *starlark.Value
			length int
		}{&tuple[0], len(tuple)}
	}
	return v
}

// elements returns the extent of what a container contains.
func (s *textSize) elements(v starlark.Value) (textExtent, error) {
	all := textExtent{8, 1, 0}
	add := func(v starlark.Value) error {
		e, err := s.of(v)
		all.add(e)
		if all.bytes > float64(s.run.limit) {
			err = s.run.refuse(s.what, all.bytes)
		}
		return err
	}
	switch v := v.(type) {
	case *starlark.Dict:
		for key, value := range v.Entries() {
			if err := add(key); err != nil {
				return all, err
			}
			if err := add(value); err != nil {
				return all, err
			}
		}
	case *starlarkstruct.Struct:
		all.bytes += float64(len(v.Constructor().String()))
		for _, name := range v.AttrNames() {
			field, err := v.Attr(name)
			if err == nil {
				all.bytes += float64(len(name)) + 3
				err = add(field)
			}
			if err != nil {
				return all, err
			}
		}
	case starlark.Iterable:
		for elem := range starlark.Elements(v) {
			if err := add(elem); err != nil {
				return all, err
			}
		}
	}
	return all, nil
}

// intDigits returns the maximum number of digits of an integer.
func intDigits(n starlark.Int) float64 {
	if v, ok := n.Int64(); ok {
		var digits [20]byte
		return float64(len(strconv.AppendInt(digits[:0], v, 10)))
	}
	return float64(n.BigInt().BitLen())/3 + 2
}

// quoted returns the size of a literal.
func (s *textSize) quoted(text string) float64 {
	n := 2.0
	for i := 0; i < len(text); {
		r, size := rune(text[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(text[i:])
		}
		i += size
		switch {
		case r == utf8.RuneError && size == 1:
			n += 6
		case s.json && (r < ' ' || strings.ContainsRune("<>&\"\\\x7f\u2028\u2029", r)):
			n += 6
		case r == '"' || r == '\\':
			n += 2
		case !unicode.IsPrint(r):
			n += 10
		default:
			n += float64(size)
		}
	}
	return n
}

// count returns the number of elements of an iterable, if necessary by iterating.
func count(v starlark.Value) float64 {
	if n := starlark.Len(v); n >= 0 {
		return float64(n)
	}
	n := 0.0
	if items, ok := v.(starlark.Iterable); ok {
		for range starlark.Elements(items) {
			n++
		}
	}
	return n
}

// formattedBytes returns the maximum memory in bytes to create format % x.
func (b *runLimits) formattedBytes(format string, x starlark.Value) (float64, error) {
	args, isTuple := x.(starlark.Tuple)
	if !isTuple {
		args = starlark.Tuple{x}
	}
	if dict, ok := x.(starlark.Mapping); ok && strings.Contains(format, "%(") {
		args = nil
		for _, field := range strings.Split(format, "%(")[1:] {
			key, _, _ := strings.Cut(field, ")")
			if v, found, err := dict.Get(starlark.String(key)); found && err == nil {
				args = append(args, v)
			}
		}
	}
	return b.filledBytes("%", format, strings.Contains(format, "r"), 1, args)
}

// filledBytes returns the maximum memory in bytes to create a text from a format that contains each
// argument so many times.
func (b *runLimits) filledBytes(what, format string, quoted bool, times int, args []starlark.Value) (float64, error) {
	size := textSize{run: b, what: what}
	measure := size.printed
	if quoted {
		measure = size.of
	}
	total := float64(len(format))
	for _, arg := range args {
		e, err := measure(arg)
		if err != nil {
			return 0, err
		}
		if total += (e.bytes + 1) * float64(times); total > float64(b.limit) {
			return 0, b.refuse(what, total)
		}
	}
	return copies * total, nil
}
