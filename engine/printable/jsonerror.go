package printable

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
)

// JSON returns a value in JSON, with <, > and & as they are.
func JSON(v any) ([]byte, error) {
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return bytes.TrimSuffix(text.Bytes(), []byte("\n")), err
}

// JSONObject returns an object of n fields in the order of their numbers.
func JSONObject(n int, field func(i int) (name string, value any)) ([]byte, error) {
	object := []byte{'{'}
	for i := range n {
		name, value := field(i)
		key, _ := JSON(name) // a text always has a form
		text, err := JSON(value)
		if err != nil {
			return nil, err
		}
		if i > 0 {
			object = append(object, ',')
		}
		object = append(append(append(object, key...), ':'), text...)
	}
	return append(object, '}'), nil
}

// JSONError rewrites, for a person, a type error of encoding/json in terms of JSON instead of Go. It
// returns any other error unchanged.
func JSONError(err error) error {
	var kind *json.UnmarshalTypeError
	if !errors.As(err, &kind) {
		return err
	}
	is, _, _ := strings.Cut(kind.Value, " ") // a number may follow
	key := kind.Field[strings.LastIndexByte(kind.Field, '.')+1:]
	if key == "" {
		return fmt.Errorf("a JSON %s: want %s", is, wanted(kind.Type))
	}
	return fmt.Errorf("the key %s is a JSON %s: want %s", key, is, wanted(kind.Type))
}

// wanted returns the name of the JSON type that a Go type is decoded from.
func wanted(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Bool:
		return "true or false"
	case reflect.Slice, reflect.Array:
		return "a list"
	case reflect.Map, reflect.Struct:
		return "an object"
	case reflect.String:
		return "a text"
	case reflect.Float64:
		return "a number"
	}
	return "a whole number"
}
