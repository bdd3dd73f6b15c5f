package render

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
	"qhsh/engine/xiangqi"
)

// scriptCases returns pictures with the Go options and the JavaScript call for each.
func scriptCases(t *testing.T) (positions []*xiangqi.Position, options []SVGOptions) {
	t.Helper()
	opening, last := afterCannon(t)
	ending, err := xiangqi.ParseFEN("3k5/P8/4b3n/9/pN5Rc/r1B4pP/9/8B/9/4K4 b")
	if err != nil {
		t.Fatal(err)
	}
	return []*xiangqi.Position{xiangqi.Start(), opening, ending}, []SVGOptions{
		{},
		{Letters: true, Flip: true},
		{Chinese: true},
		{
			Chinese: true, Last: last, Flip: true, Targets: []xiangqi.Square{square(t, "A0"), square(t, "I9"), square(t, "E5")},
			Arrows: []Arrow{{square(t, "H9"), square(t, "G7")}, {square(t, "B7"), square(t, "E7")}},
		},
	}
}

// call returns the JavaScript that draws a picture.
func call(p *xiangqi.Position, o SVGOptions) string {
	options := map[string]any{"letters": o.Letters, "flip": o.Flip, "chinese": o.Chinese}
	if o.Last != 0 {
		options["last"] = o.Last.ICCS()
	}
	var targets, arrows []string
	for _, sq := range o.Targets {
		targets = append(targets, sq.String())
	}
	for _, a := range o.Arrows {
		arrows = append(arrows, xiangqi.NewMove(a.From, a.To).ICCS())
	}
	if targets != nil {
		options["targets"] = targets
	}
	if arrows != nil {
		options["arrows"] = arrows
	}
	text, _ := json.Marshal(options)
	return fmt.Sprintf("board.draw(%q, %s)", p.FEN(), text)
}

// TestScriptDrawsTheSame compares the output of the script in Chromium with that of Go. It needs
// Chromium.
func TestScriptDrawsTheSame(t *testing.T) {
	enginetest.SkipUnderRace(t)
	positions, options := scriptCases(t)
	var calls []string
	var want []string
	for _, p := range positions {
		for _, o := range options {
			calls = append(calls, call(p, o))
			want = append(want, SVG(p, o))
		}
	}
	page := "<!DOCTYPE html><meta charset=utf-8><pre></pre><script>" + Script() +
		"document.querySelector('pre').textContent = JSON.stringify([" + strings.Join(calls, ",") + "]);</script>"
	var got []string
	found := regexp.MustCompile(`(?s)<pre>(.*?)</pre>`).FindStringSubmatch(browser.Dump(t, page, ""))
	if found == nil {
		t.Fatal("the script has failed")
	}
	if err := json.Unmarshal([]byte(html.UnescapeString(found[1])), &got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-SVG +board.draw):\n%s", diff)
	}
}

// TestScriptEndsNoElement: the script can be embedded in an HTML page.
func TestScriptEndsNoElement(t *testing.T) {
	script := Script()
	for _, bad := range []string{"</script", "<script", "<!--", "PARTS"} {
		if strings.Contains(script, bad) {
			t.Errorf("there is %s in it", bad)
		}
	}
}
