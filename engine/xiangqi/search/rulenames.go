package search

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// The rules of a search are the fields of Options that are on or off, and Aspiration.
// Whoever tests them by a match names them in lower case.

// Rules are the names of the rules that an Engine can search with or without, in the
// order of the fields of Options.
func Rules() []string {
	var names []string
	for f := range reflect.TypeFor[Options]().Fields() {
		if f.Type.Kind() == reflect.Bool || f.Name == "Aspiration" {
			names = append(names, strings.ToLower(f.Name))
		}
	}
	return names
}

// With is o with the rules of these names, in any case. The error names one that does
// not exist, and all that do.
func (o Options) With(rules ...string) (Options, error) {
	return o.switched(rules, func(field reflect.Value) {
		if field.Kind() == reflect.Bool {
			field.SetBool(true)
		} else {
			field.SetInt(defaultAspiration)
		}
	})
}

// Without is o without the rules of these names. The error is that of With.
func (o Options) Without(rules ...string) (Options, error) {
	return o.switched(rules, reflect.Value.SetZero)
}

func (o Options) switched(rules []string, set func(field reflect.Value)) (Options, error) {
	names := Rules()
	v := reflect.ValueOf(&o).Elem()
	for _, rule := range rules {
		name := strings.ToLower(rule)
		if !slices.Contains(names, name) {
			return o, fmt.Errorf("no rule %q: the rules are %s", rule, strings.Join(names, ", "))
		}
		set(v.FieldByNameFunc(func(field string) bool { return strings.EqualFold(field, name) }))
	}
	return o, nil
}
