package analyze

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// TestParserKeepsNothing: a line is parsed in the same way whatever came before it.
func TestParserKeepsNothing(t *testing.T) {
	lines := rapid.SampledFrom([]string{
		`{"id":1}`, ` {"id":"a","moves":["h2e2"],"lines":2} `, `{"id":2,"limits":{"level":3}}`, `{"action":"cancel","id":"c","ids":[1]}`,
		``, `{`, `{"id":1}{`, `{"id":1} {"id":2}`, `{"id":1}x`, `{"id":1}}`, `{"id":1}]`, `[]`, `7`, `{"id":[]}`, `{"id":1,"x":2}`, `{"id":1,"moves":{}}`, `{"moves":[]}`, `{"id":1,"ids":[2]}`, "{\"id\":\"\xff\"}",
	})
	rapid.Check(t, func(t *rapid.T) {
		var kept messageParser
		for _, line := range rapid.SliceOf(lines).Draw(t, "lines") {
			got, gotErr := kept.parse([]byte(line))
			want, wantErr := new(messageParser).parse([]byte(line))
			if diff := cmp.Diff(want, got); diff != "" || fmt.Sprint(gotErr) != fmt.Sprint(wantErr) {
				t.Fatalf("%s: %v, want %v\n%s", line, gotErr, wantErr, diff)
			}
		}
	})
}
