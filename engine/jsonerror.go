package engine

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
)

// ExplainJSON says of a value that is not what its key wants, in the words of JSON, what
// package encoding/json says in Go's. Any other error stays as it is.
func ExplainJSON(err error) error {
	var kind *json.UnmarshalTypeError
	if !errors.As(err, &kind) {
		return err
	}
	is, _, _ := strings.Cut(kind.Value, " ") // behind it may stand which number
	key := kind.Field[strings.LastIndexByte(kind.Field, '.')+1:]
	if key == "" {
		return fmt.Errorf("a JSON %s: want %s", is, wanted(kind.Type))
	}
	return fmt.Errorf("the key %s is a JSON %s: want %s", key, is, wanted(kind.Type))
}

// wanted returns the JSON that a type is read from.
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
