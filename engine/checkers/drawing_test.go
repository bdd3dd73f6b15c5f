package checkers_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"qhsh/engine/checkers"
)

var update = flag.Bool("update", false, "write the drawings in testdata")

// TestDrawings compares the text and the image of a board, from both sides, with a file for each
// variant.
func TestDrawings(t *testing.T) {
	for _, v := range checkers.Variants() {
		b, err := checkers.ParseBoard(v, "W:W29,K2:B12,K30")
		if err != nil {
			t.Fatal(err)
		}
		from, _ := v.Square(30)
		to, _ := v.Square(26)
		image := checkers.SVGOptions{Last: []checkers.Square{from}, Marks: []checkers.Square{to}, Arrows: [][2]checkers.Square{{from, to}}, Width: 400}
		got := fmt.Sprintf("%v\n\n%s\n%s\n%s", &b, b.Diagram(false), b.Diagram(true), b.SVG(image))
		image = checkers.SVGOptions{Flip: true}
		got += "\n" + b.SVG(image)
		name := filepath.Join("testdata", v.String()+".txt")
		if *update {
			if err := os.WriteFile(name, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), got); diff != "" {
			t.Errorf("%v: %s", v, diff)
		}
	}
}
