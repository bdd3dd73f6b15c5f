package script

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	starjson "go.starlark.net/lib/json"
	"go.starlark.net/starlark"
	"go.starlark.net/starlarkstruct"

	"qhsh/engine/printable"
)

const maxNesting = 1000

var errNesting = fmt.Errorf("nested more than %d deep", maxNesting)

// encodeJSON returns a value as one line of JSON. Unlike json.encode it keeps the order of a dict
// and does not escape letters. Small data can be very long as text if it contains the same list
// many times: stopped is called for each value, and its error ends the encoding.
func encodeJSON(x starlark.Value, stopped func() error) ([]byte, error) {
	b := jsonText{stopped: stopped}
	if err := appendJSON(&b, x, 0); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

type jsonText struct {
	bytes.Buffer
	stopped func() error
}

func appendJSON(b *jsonText, x starlark.Value, depth int) error {
	if depth > maxNesting {
		return errNesting
	}
	if err := b.stopped(); err != nil {
		return err
	}
	switch x := x.(type) {
	case json.Marshaler:
		text, err := x.MarshalJSON()
		if err != nil {
			return err
		}
		return json.Compact(&b.Buffer, text)
	case starlark.NoneType:
		b.WriteString("null")
	case starlark.Bool:
		fmt.Fprintf(b, "%t", bool(x))
	case starlark.Int:
		b.WriteString(x.String())
	case starlark.Float:
		if math.IsInf(float64(x), 0) || math.IsNaN(float64(x)) {
			return fmt.Errorf("%v cannot be encoded in JSON", x)
		}
		b.WriteString(x.String())
	case starlark.String:
		text, err := printable.JSON(string(x))
		b.Write(text)
		return err
	case starlark.IterableMapping:
		return appendObject(b, x.Items(), depth)
	case starlark.Iterable:
		b.WriteByte('[')
		i := 0
		for elem := range starlark.Elements(x) {
			if i++; i > 1 {
				b.WriteByte(',')
			}
			if err := appendJSON(b, elem, depth+1); err != nil {
				return err
			}
		}
		b.WriteByte(']')
	case *starlarkstruct.Struct:
		fields := starlark.StringDict{}
		x.ToStringDict(fields)
		var items []starlark.Tuple
		for _, name := range fields.Keys() {
			items = append(items, starlark.Tuple{starlark.String(name), fields[name]})
		}
		return appendObject(b, items, depth)
	default:
		return fmt.Errorf("a %s cannot be encoded in JSON", x.Type())
	}
	return nil
}

func appendObject(b *jsonText, items []starlark.Tuple, depth int) error {
	b.WriteByte('{')
	for i, item := range items {
		if i > 0 {
			b.WriteByte(',')
		}
		key, ok := starlark.AsString(item[0])
		if !ok {
			return fmt.Errorf("key %s is a %s, want a string", item[0], item[0].Type())
		}
		text, err := printable.JSON(key)
		if err != nil {
			return err
		}
		b.Write(text)
		b.WriteByte(':')
		if err := appendJSON(b, item[1], depth+1); err != nil {
			return err
		}
	}
	b.WriteByte('}')
	return nil
}

// jsonModule returns Starlark's json module with decodeBuiltin.
func jsonModule() *starlarkstruct.Module {
	members := maps.Clone(starjson.Module.Members)
	members["decode"] = decodeBuiltin
	return &starlarkstruct.Module{Name: "json", Members: members}
}

// decodeBuiltin is Starlark's json.decode, which is recursive, with a depth limit.
var decodeBuiltin = starlark.NewBuiltin("json.decode", func(thread *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	texts := slices.Clone(args)
	for _, pair := range kwargs {
		texts = append(texts, pair[1])
	}
	for _, x := range texts {
		if text, _ := starlark.AsString(x); nesting(text) > maxNesting {
			return nil, fmt.Errorf("%s: %w", b.Name(), errNesting)
		}
	}
	return starjson.Module.Members["decode"].(*starlark.Builtin).CallInternal(thread, args, kwargs)
})

func decodeJSON(text string) (starlark.Value, error) {
	return decodeBuiltin.CallInternal(nil, starlark.Tuple{starlark.String(text)}, nil)
}

// nesting returns the maximum nesting depth of a JSON text.
func nesting(text string) int {
	depth, most, quoted := 0, 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case strings.IndexByte("[{", c) >= 0:
			depth++
			most = max(most, depth)
		case strings.IndexByte("]}", c) >= 0:
			depth--
		}
	}
	return most
}
