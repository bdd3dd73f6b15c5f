package script

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.starlark.net/starlark"
)

// TestValues checks the operations that every kind of value must support.
func TestValues(t *testing.T) {
	twins := samples(t)
	for name, v := range samples(t) {
		c := v.(hasClass).class()
		if c.name != name || v.Type() != strings.ToLower(name) {
			t.Errorf("%s: the class is %s, the type %s", name, c.name, v.Type())
		}
		if text := v.String(); text == "" || strings.Contains(text, "\n") {
			t.Errorf("%s prints as %q", name, text)
		}
		if !v.Truth() {
			t.Errorf("%s is false", name)
		}
		v.Freeze()
		v.Freeze()
		if equal, err := starlark.Equal(v, v); !equal || err != nil {
			t.Errorf("%s is not equal to itself: %v", name, err)
		}
		replica := twins[name]
		replica.Freeze()
		alone := name == "Node" || name == "Game" || name == "GameNode" || name == "Puzzle" // equal only to themselves
		if equal, err := starlark.Equal(v, replica); equal == alone || err != nil {
			t.Errorf("%s == its copy: %t, %v", name, equal, err)
		}
		if hashOf(t, v) != hashOf(t, replica) {
			t.Errorf("%s and its copy have different hashes", name)
		}
		if data, err := v.(json.Marshaler).MarshalJSON(); err != nil || !json.Valid(data) {
			t.Errorf("%s in JSON: %s, %v", name, data, err)
		}
		if missing, err := v.(starlark.HasAttrs).Attr("missing"); missing != nil || err != nil {
			t.Errorf("%s.missing: %v, %v", name, missing, err)
		}
	}
	if len(twins) != len(valueClasses()) {
		t.Errorf("there are %d samples of %d classes", len(twins), len(valueClasses()))
	}
}

// TestSignatures parses signatures and prints them again.
func TestSignatures(t *testing.T) {
	for _, text := range []string{
		"fen: str", "pop() -> str", "play(*moves: str) -> Board",
		`text(style: str = "ascii", flip: bool = False) -> str`,
		"f(a: dict[str, int], b: Callable[[Node], object] = None) -> tuple[str, ...]",
	} {
		if got := mustSignature(text).String(); got != text {
			t.Errorf("got %s, want %s", got, text)
		}
	}
	for _, text := range []string{"fen", "pop) -> str", "push(move) -> None"} {
		if s, err := parseSignature(text); err == nil {
			t.Errorf("%s is read as %v", text, s)
		}
	}
}

// TestDocText splits texts and joins them again.
func TestDocText(t *testing.T) {
	doc := parseText("First: it is\nwrapped. Second.\n>>> f()\n1\n2\n>>> g()\n")
	want := docText{prose: "First: it is wrapped. Second.", examples: []example{{"f()", "1\n2"}, {"g()", ""}}}
	if diff := cmp.Diff(want, doc, cmp.AllowUnexported(docText{}, example{})); diff != "" {
		t.Errorf("parsed (-want +got):\n%s", diff)
	}
	if got, want := doc.write("  "), "  First: it is wrapped. Second.\n  >>> f()\n  1\n  2\n  >>> g()\n"; got != want {
		t.Errorf("written:\n%s", cmp.Diff(want, got))
	}
	for doc, want := range map[string]string{
		"":                            "",
		"one line":                    "one line",
		"\n    a\n      b\n\n    c\n": "a\n  b\n\nc",
		"First.\n\n        Second.\n": "First.\n\nSecond.",
	} {
		if got := dedent(doc); got != want {
			t.Errorf("dedent(%q): got %q, want %q", doc, got, want)
		}
	}
}
