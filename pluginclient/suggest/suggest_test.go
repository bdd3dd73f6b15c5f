package suggest

import "testing"

func TestClosest(t *testing.T) {
	words := []string{"hints", "perft", "version", "help"}
	for word, want := range map[string]string{
		"hint": "hints", "hinst": "hints", "HINTS": "hints", "hins": "hints", "pref": "perft",
		"ver": "version", "vresion": "version", "h": "", "match": "", "": "", "xyz": "",
	} {
		if got := Closest(word, words); got != want {
			t.Errorf("%q: %q, want %q", word, got, want)
		}
	}
}
