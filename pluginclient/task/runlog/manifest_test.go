package runlog

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestDifferences(t *testing.T) {
	for _, c := range []struct {
		name, theirs, ours string
		want               []string
	}{
		{"the same", `{"a":1,"b":"x"}`, `{"b":"x","a":1}`, nil},
		{"another value", `{"a":1,"b":[1]}`, `{"a":2,"b":[1]}`, []string{"a is 1 there and 2 here"}},
		{
			"keys that the other has not", `{"z":1,"b":"x"}`, `{"b":"x","a":true}`,
			[]string{"a is nothing there and true here", "z is 1 there and nothing here"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := Differences([]byte(c.theirs), []byte(c.ours))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
	for _, bad := range []string{"", "x", "[1]"} {
		if differ, err := Differences([]byte(bad), []byte("{}")); err == nil {
			t.Errorf("%q has terms: %v", bad, differ)
		}
	}
}

func TestLine(t *testing.T) {
	got, err := MarshalLine(map[string]string{"a": "<x> & co"})
	if want := "{\"a\":\"<x> & co\"}\n"; err != nil || string(got) != want {
		t.Errorf("%q, %v; want %q", got, err, want)
	}
}
