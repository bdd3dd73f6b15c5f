package search_test

import (
	"reflect"
	"strings"
	"testing"

	"qhsh/engine/xiangqi/search"
)

// changed returns the names of the fields in which options differ, in lower case.
func changed(a, b search.Options) (names []string) {
	before, after := reflect.ValueOf(a), reflect.ValueOf(b)
	for i := range before.NumField() {
		if f := before.Type().Field(i); f.Type.Comparable() && !before.Field(i).Equal(after.Field(i)) {
			names = append(names, strings.ToLower(f.Name))
		}
	}
	return names
}

// Each rule can be turned off and on again, which changes only its own field.
func TestWithAndWithout(t *testing.T) {
	names := search.Rules()
	full := search.DefaultOptions() // all rules are on
	newEngine(t, full)
	for _, name := range names {
		without, err := full.Without(strings.ToUpper(name))
		if err != nil {
			t.Fatal(err)
		}
		if got := changed(full, without); len(got) != 1 || got[0] != name {
			t.Errorf("without %s, %v have changed", name, got)
		}
		again, err := without.With(name)
		if err != nil {
			t.Fatal(err)
		}
		if got := changed(full, again); got != nil {
			t.Errorf("with %s again, %v have changed", name, got)
		}
	}
	none, err := full.Without(names...)
	if err != nil {
		t.Fatal(err)
	}
	newEngine(t, none)
	if got, want := len(changed(full, none)), len(names); got != want || want < 30 {
		t.Errorf("without all %d rules, %d have changed", want, got)
	}
}

func TestUnknownRule(t *testing.T) {
	want := `no rule "sorcery": the rules are ` + strings.Join(search.Rules(), ", ")
	if _, err := search.DefaultOptions().Without("singular", "sorcery"); err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
	if _, err := search.DefaultOptions().With("sorcery"); err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}
