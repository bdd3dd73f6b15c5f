package games

import (
	"encoding/json"
	"fmt"
	"html"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"qhsh/engine"
	"qhsh/engine/enginetest"
	"qhsh/engine/enginetest/browser"
	"qhsh/engine/enginetest/golden"
	"qhsh/engine/render/raster"
)

func TestMain(m *testing.M) { os.Exit(enginetest.Main(m, browser.Stop)) }

// someMoves returns the position after random moves from the start, and the last of them.
func someMoves(t *testing.T, g engine.Game, plies int) (pos engine.Position, last string) {
	t.Helper()
	random := rand.New(rand.NewPCG(1, 2))
	pos = g.Start()
	for range plies {
		moves := pos.Moves()
		m := moves[random.IntN(len(moves))]
		next, err := pos.Play(m)
		if err != nil {
			t.Fatal(err)
		}
		pos, last = next, pos.Format(m)
	}
	return pos, last
}

// TestBoards compares the boards of every game with testdata: as text, plain, and marked and flipped, and the
// shapes of the picture.
func TestBoards(t *testing.T) {
	for _, g := range Default.Games() {
		for _, g := range withOptions(t, g) {
			pos, _ := someMoves(t, g, 9)
			marked := TextOptions{Last: true, Flip: true, Targets: pos.Moves()[:1]}
			pic := ImageOptions{Width: 300}
			if pos.Turn() != engine.Chance {
				pic.Arrows = []string{pos.Format(pos.Moves()[0])}
			}
			svg, err := Default.SVG(pos, pic)
			if err != nil {
				t.Fatalf("%s: %v", g.Name(), err)
			}
			if err := raster.PNG(new(strings.Builder), svg, pic.Width); err != nil {
				t.Errorf("%s: %v", g.Name(), err)
			}
			if _, shapes, found := strings.Cut(svg, "</defs>\n"); found { // outlines of characters may be there
				svg = shapes
			}
			text := fmt.Sprintf("%v\n\n%s\n%s\n%s", pos, Default.Draw(pos, TextOptions{}), Default.Draw(pos, marked), svg)
			golden.Compare(t, filepath.Join("testdata", strings.ReplaceAll(Default.Describe(g), " ", "-")+".txt"), text)
		}
	}
}

// TestScriptDrawsTheSame asks Chromium, where it is installed, what the scripts of web pages draw, and compares that with
// the pictures.
func TestScriptDrawsTheSame(t *testing.T) {
	enginetest.SkipUnderRace(t)
	var pages, want []string
	for _, g := range Default.Games() {
		for _, g := range withOptions(t, g) {
			var calls []string
			for _, plies := range []int{0, 5, 16} {
				pos, last := someMoves(t, g, plies)
				for _, pic := range []ImageOptions{{}, {Flip: true, Letters: Default.Row(g).Board.Look(g).HasLetters()}} {
					for _, m := range pos.Moves()[:min(2, len(pos.Moves()))] {
						if pos.Turn() != engine.Chance {
							pic.Arrows = append(pic.Arrows, pos.Format(m))
						}
					}
					drawn := *Default.Row(g).Board
					drawn.More = nil
					svg, err := drawn.svg(pos, pic)
					if err != nil {
						t.Fatal(err)
					}
					options, err := json.Marshal(map[string]any{"flip": pic.Flip, "letters": pic.Letters, "last": last, "arrows": append([]string{}, pic.Arrows...)})
					if err != nil {
						t.Fatal(err)
					}
					calls, want = append(calls, fmt.Sprintf("board.draw(%q, %s)", pos, options)), append(want, svg)
				}
			}
			pages = append(pages, fmt.Sprintf("...(() => { %s return [%s]; })()", Default.Script(g), strings.Join(calls, ",")))
		}
	}
	var got []string
	if err := json.Unmarshal([]byte(printed(t, "JSON.stringify(["+strings.Join(pages, ",")+"])")), &got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-SVG +board.draw):\n%s", diff)
	}
}

// printed returns the value of an expression in JavaScript, a text.
func printed(t *testing.T, expression string) string {
	t.Helper()
	page := "<!DOCTYPE html><meta charset=utf-8><pre></pre><script>document.querySelector('pre').textContent = " + expression + ";</script>"
	document, _ := browser.Visit(t, page, "")
	found := regexp.MustCompile(`(?s)<pre>(.*?)</pre>`).FindStringSubmatch(document)
	if found == nil {
		t.Fatal("the script has failed")
	}
	return html.UnescapeString(found[1])
}

// TestScriptEndsNoElement: the scripts can be embedded in an HTML page.
func TestScriptEndsNoElement(t *testing.T) {
	for _, g := range Default.Games() {
		script := Default.Script(g)
		for _, bad := range []string{"</script", "<script", "<!--", "RULES"} {
			if strings.Contains(script, bad) {
				t.Errorf("%s: there is %s in it", g.Name(), bad)
			}
		}
	}
}
