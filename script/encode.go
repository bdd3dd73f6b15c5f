package script

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"strings"

	starjson "go.starlark.net/lib/json"
	"go.starlark.net/starlark"
	"go.starlark.net/starlarkstruct"
)

// maxNesting is the maximum nesting depth of JSON.
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
		return appendString(b, string(x))
	case starlark.IterableMapping:
		b.WriteByte('{')
		for i, item := range x.Items() {
			key, ok := starlark.AsString(item[0])
			if !ok {
				return fmt.Errorf("key %s is a %s, want a string", item[0], item[0].Type())
			}
			if err := appendField(b, i, key, item[1], depth); err != nil {
				return err
			}
		}
		b.WriteByte('}')
		return nil
	case starlark.Iterable:
		return appendArray(b, x, depth)
	case *starlarkstruct.Struct:
		b.WriteByte('{')
		for i, name := range x.AttrNames() {
			v, err := x.Attr(name)
			if err != nil {
				return err
			}
			if err := appendField(b, i, name, v, depth); err != nil {
				return err
			}
		}
		b.WriteByte('}')
		return nil
	default:
		return fmt.Errorf("a %s cannot be encoded in JSON", x.Type())
	}
	return nil
}

func appendString(b *jsonText, s string) error {
	enc := json.NewEncoder(b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(s); err != nil {
		return err
	}
	b.Truncate(b.Len() - 1) // the line end
	return nil
}

func appendField(b *jsonText, i int, key string, v starlark.Value, depth int) error {
	if i > 0 {
		b.WriteByte(',')
	}
	if err := appendString(b, key); err != nil {
		return err
	}
	b.WriteByte(':')
	return appendJSON(b, v, depth+1)
}

func appendArray(b *jsonText, x starlark.Iterable, depth int) error {
	b.WriteByte('[')
	iter := x.Iterate()
	defer iter.Done()
	var elem starlark.Value
	for i := 0; iter.Next(&elem); i++ {
		if i > 0 {
			b.WriteByte(',')
		}
		if err := appendJSON(b, elem, depth+1); err != nil {
			return err
		}
	}
	b.WriteByte(']')
	return nil
}

// jsonModule returns Starlark's json module with a depth limit in decode, which is recursive.
func jsonModule() *starlarkstruct.Module {
	members := maps.Clone(starjson.Module.Members)
	decode := members["decode"].(*starlark.Builtin)
	members["decode"] = starlark.NewBuiltin(decode.Name(), func(thread *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		if len(args) > 0 {
			if text, _ := starlark.AsString(args[0]); nesting(text) > maxNesting {
				return nil, fmt.Errorf("%s: %w", decode.Name(), errNesting)
			}
		}
		return decode.CallInternal(thread, args, kwargs)
	})
	return &starlarkstruct.Module{Name: "json", Members: members}
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
