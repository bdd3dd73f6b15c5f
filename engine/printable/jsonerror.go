package printable

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
)

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
