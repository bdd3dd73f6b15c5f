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
		{
			"lists: only the first element that differs, by its name or number", `{"b":["x","y","z"],"c":[1],"p":[{"name":"a"},{"name":"b","n":{"k":1},"m":2},{"name":"c"}]}`,
			`{"b":["x","Y","Z"],"c":[1,2],"p":[{"name":"a"},{"name":"b","n":{"k":3}},{"name":"d"}]}`,
			[]string{`b.2 is "y" there and "Y" here`, "c.2 is nothing there and 2 here", "p.b.m is 2 there and nothing here", "p.b.n.k is 1 there and 3 here"},
		},
		{"an element of another name", `{"p":[{"name":"a"}]}`, `{"p":[{"name":"b"}]}`, []string{`p.1.name is "a" there and "b" here`}},
		{"only spaces", `{"p":[ {"name":"a"}]}`, `{"p":[{"name":"a"}]}`, nil},
		{"another version", `{"log":1,"a":1}`, `{"log":2,"a":2}`, []string{"log version 1, but this program writes version 2"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := Kind{Prefix: `{"log":`}.Differences([]byte(c.theirs), []byte(c.ours))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
	for _, bad := range []string{"", "x", "[1]"} {
		if differ, err := (Kind{}).Differences([]byte(bad), []byte("{}")); err == nil {
			t.Errorf("%q has terms: %v", bad, differ)
		}
	}
}

func TestLine(t *testing.T) {
	got := MarshalLine(map[string]string{"a": "<x> & co"})
	if want := "{\"a\":\"<x> & co\"}\n"; string(got) != want {
		t.Errorf("%q; want %q", got, want)
	}
}
