package checkers

import (
	"encoding/json"
	"fmt"
	"html"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"qhsh/engine/enginetest"
	"qhsh/engine/enginetest/browser"
)

// TestScriptDrawsTheSame compares the output of the scripts in Chromium with that of Go.
func TestScriptDrawsTheSame(t *testing.T) {
	enginetest.SkipUnderRace(t)
	var calls, want []string
	for _, v := range []Variant{English, Italian, Spanish, Russian} {
		b, err := ParseBoard(v, "W:WK5,21,22:B1-3,K32")
		if err != nil {
			t.Fatal(err)
		}
		from, to := must(t, v, 22), must(t, v, 17)
		for _, flip := range []bool{false, true} {
			call := fmt.Sprintf(`board.draw(%q, {flip: %v, last: "22x8x17", arrows: ["17-22"]})`, b.String(), flip)
			calls = append(calls, fmt.Sprintf("(() => { %s return %s; })()", Script(v), call))
			want = append(want, b.SVG(SVGOptions{Flip: flip, Last: []Square{from, to}, Arrows: [][2]Square{{to, from}}}))
		}
	}
	page := "<!DOCTYPE html><meta charset=utf-8><pre></pre><script>" +
		"document.querySelector('pre').textContent = JSON.stringify([" + strings.Join(calls, ",") + "]);</script>"
	found := regexp.MustCompile(`(?s)<pre>(.*?)</pre>`).FindStringSubmatch(browser.Dump(t, page, ""))
	if found == nil {
		t.Fatal("the script has failed")
	}
	var got []string
	if err := json.Unmarshal([]byte(html.UnescapeString(found[1])), &got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-SVG +board.draw):\n%s", diff)
	}
}

// must returns the square with a number.
func must(t *testing.T, v Variant, number int) Square {
	t.Helper()
	s, ok := v.Square(number)
	if !ok {
		t.Fatalf("no square %d", number)
	}
	return s
}
