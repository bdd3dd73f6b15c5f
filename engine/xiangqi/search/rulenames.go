package search

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// The rules of a search are the boolean fields of Options, and Aspiration. Users name them in lower
// case.

// Rules returns the names of the rules that can be switched, in the order of the fields of Options.
func Rules() []string {
	var names []string
	for f := range reflect.TypeFor[Options]().Fields() {
		if f.Type.Kind() == reflect.Bool || f.Name == "Aspiration" {
			names = append(names, strings.ToLower(f.Name))
		}
	}
	return names
}

// With returns o with these rules switched on, named in any case. The error of an unknown name
// lists all rules.
func (o Options) With(rules ...string) (Options, error) {
	return o.switched(rules, func(field reflect.Value) {
		if field.Kind() == reflect.Bool {
			field.SetBool(true)
		} else {
			field.SetInt(defaultAspiration)
		}
	})
}

// Without returns o with these rules switched off. The error is that of With.
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
