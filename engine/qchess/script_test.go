package qchess_test

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
	"qhsh/engine/qchess"
)

// TestScriptDrawsTheSame asks Chromium, where it is installed, what the script draws.
func TestScriptDrawsTheSame(t *testing.T) {
	enginetest.SkipUnderRace(t)
	at := qchess.SquareAt
	var calls, want []string
	for _, text := range []string{
		"startpos",
		"w r?n@07,n?@17,b?@27,kk@37,q?@47,b?@57,-n,r?@77,pp@06,pq1@16,p?@26,p?0@36,++@45,p?@56,p?@66,p?@76 r?@00,n?@10,b?@20,kk0@31,q?@40,b?@50,n?@60,r?@70,p?@01,p?@11,p?@21,p?@54,p?@41,p?@51,p?@61,-  36",
	} {
		pos, err := qchess.Rules.Position(text)
		if err != nil {
			t.Fatal(err)
		}
		board := pos.(*qchess.Position).Board()
		for options, pic := range map[string]qchess.SVGOptions{
			`{}`: {},
			`{"flip":true,"last":"17-25","arrows":["36-34","@16"]}`: {
				Flip: true, Last: []qchess.Square{at(1, 7), at(2, 5)}, Marks: []qchess.Square{at(1, 6)}, Arrows: [][2]qchess.Square{{at(3, 6), at(3, 4)}},
			},
			`{"last":"1=pawn"}`: {},
		} {
			calls = append(calls, fmt.Sprintf("board.draw(%q, %s)", board.String(), options))
			want = append(want, board.SVG(pic))
		}
	}
	page := "<!DOCTYPE html><meta charset=utf-8><pre></pre><script>" + qchess.Script() +
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
