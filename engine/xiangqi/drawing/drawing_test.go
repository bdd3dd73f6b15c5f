package drawing

import (
	"encoding/xml"
	"io"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/mattn/go-runewidth"
	"pgregory.net/rapid"

	"qhsh/engine/enginetest/golden"
	"qhsh/engine/render"
	"qhsh/engine/xiangqi"
)

// afterCannon returns the position after H2-E2, and the points of that move.
func afterCannon(t *testing.T) (*xiangqi.Position, []string) {
	t.Helper()
	m, err := xiangqi.ParseMove("H2-E2")
	if err != nil {
		t.Fatal(err)
	}
	p, err := xiangqi.Start().PlayMove(m)
	if err != nil {
		t.Fatal(err)
	}
	return p, []string{"H2", "E2"}
}

const (
	ascii   = "ascii"
	letters = "letters"
	chinese = "chinese"
)

// board draws a board of text in a style.
func board(p *xiangqi.Position, style string, o render.TextOptions) string {
	if style == ascii {
		return Diagram(p, o)
	}
	o.Letters = style == letters
	return Look().Text(Items(p), o)
}

// TestBoards compares whole boards with testdata: every style, plain, flipped with marks, and with
// colour, where escape sequences are written as ^[.
func TestBoards(t *testing.T) {
	p, last := afterCannon(t)
	targets := []string{"H0", "H6", "G7", "I7", "E3", "F2"}
	for _, style := range []string{ascii, letters, chinese} {
		for name, o := range map[string]render.TextOptions{
			"plain":  {},
			"marked": {Last: last, Targets: targets},
			"turned": {Last: last, Targets: targets, Flip: true},
			"colour": {Last: last, Targets: targets, Color: true},
		} {
			compare(t, style+"-"+name+".txt", strings.ReplaceAll(board(p, style, o), "\x1b", "^["))
		}
	}
}

// compare compares an output with a golden file.
func compare(t *testing.T, name, got string) {
	t.Helper()
	golden.Compare(t, filepath.Join("testdata", name), got)
}

var escapes = regexp.MustCompile("\x1b\\[[0-9;]*m")

// drawPosition returns a position after random moves, and the points of its last move.
func drawPosition(t *rapid.T) (*xiangqi.Position, []string) {
	p := xiangqi.Start()
	for range rapid.IntRange(0, 40).Draw(t, "plies") {
		moves := p.LegalMoves()
		if len(moves) == 0 {
			break
		}
		p, _ = p.PlayMove(rapid.SampledFrom(moves).Draw(t, "move"))
	}
	before, last := p.Undo()
	if before == nil {
		return p, nil
	}
	m := xiangqi.Move(last)
	return p, []string{m.From().String(), m.To().String()}
}

func drawOptions(t *rapid.T, last []string) render.TextOptions {
	o := render.TextOptions{Flip: rapid.Bool().Draw(t, "flip")}
	if rapid.Bool().Draw(t, "last") {
		o.Last = last
	}
	for _, n := range rapid.SliceOfN(rapid.IntRange(0, 89), 0, 6).Draw(t, "targets") {
		o.Targets = append(o.Targets, xiangqi.Square(n).String())
	}
	return o
}

// TestWidths: for every board, and for both widths that a terminal may give to characters of
// ambiguous width, all ranks have the same width, colour adds none, and every point is below the
// name of its file.
func TestWidths(t *testing.T) {
	narrow, wide := runewidth.NewCondition(), runewidth.NewCondition()
	narrow.EastAsianWidth, wide.EastAsianWidth = false, true
	widths := map[string]int{ascii: 33, letters: 23, chinese: 26} // of ranks without what may be blank at their ends
	rapid.Check(t, func(t *rapid.T) {
		p, last := drawPosition(t)
		style, o := rapid.SampledFrom([]string{ascii, letters, chinese}).Draw(t, "style"), drawOptions(t, last)
		plain := board(p, style, o)
		o.Color = true
		colour := escapes.ReplaceAllString(board(p, style, o), "")
		for i, board := range []string{plain, colour} {
			for line := range strings.Lines(board) {
				line = strings.TrimSuffix(line, "\n")
				width := narrow.StringWidth(line)
				if width != wide.StringWidth(line) {
					t.Fatalf("%q has a width that depends on the locale", line)
				}
				isRank := strings.ContainsAny(line[:3], "0123456789")
				if style == chinese {
					isRank = !strings.ContainsAny(line, "5五")
				}
				if isRank && width < widths[style] || width > widths[style]+2 {
					t.Fatalf("%q is %d wide in board %d of style %v", line, width, i, style)
				}
			}
		}
		checkColumns(t, narrow, p, style, o.Flip, colour)
	})
}

// checkColumns checks that every piece is below the name of its file and, unless the board is
// Chinese, beside that of its rank.
func checkColumns(t *rapid.T, c *runewidth.Condition, p *xiangqi.Position, style string, flip bool, board string) {
	lines := strings.Split(board, "\n")
	for sq := xiangqi.Square(0); sq < 90; sq++ {
		piece := p.At(sq)
		if piece == xiangqi.Empty {
			continue
		}
		above, _, _ := strings.Cut(lines[0], topName(style, flip, int(sq%9)))
		want := map[string]string{ascii: wireLetter(piece), letters: string(piece.Letter()), chinese: hanzi[piece.Side()][piece.Kind()]}[style]
		if got := inColumn(c, rankLine(lines, style, flip, int(sq/9)), c.StringWidth(above)); got != want {
			t.Fatalf("at %v there is %q, want %q, in\n%s", sq, got, want, board)
		}
	}
}

// topName returns the name of a file at the upper edge.
func topName(style string, flip bool, file int) string {
	switch {
	case style != chinese:
		return "ABCDEFGHI"[file : file+1]
	case flip:
		return strings.Split("九八七六五四三二一", "")[file]
	}
	return "123456789"[file : file+1]
}

// rankLine returns the line of a rank: the one that has its name or, on a Chinese board, the one
// that is as far from the upper edge.
func rankLine(lines []string, style string, flip bool, rank int) string {
	switch {
	case style != chinese:
		i := slices.IndexFunc(lines, func(line string) bool {
			return strings.HasPrefix(strings.TrimSpace(line), strconv.Itoa(rank))
		})
		return lines[i]
	case flip:
		return lines[1+rank]
	}
	return lines[10-rank]
}

// wireLetter returns the letter of a piece in the diagram.
func wireLetter(p xiangqi.Piece) string {
	return strings.NewReplacer("N", "H", "n", "h", "B", "E", "b", "e").Replace(string(p.Letter()))
}

// inColumn returns the character that starts in a column.
func inColumn(c *runewidth.Condition, line string, column int) string {
	at := 0
	for _, r := range line {
		if at == column {
			return string(r)
		}
		at += c.RuneWidth(r)
	}
	return ""
}

// TestDiagramIsTheSpecifications: without marks the diagram is exactly the specified one.
func TestDiagramIsTheSpecifications(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, _ := drawPosition(t)
		if diff := cmp.Diff(p.Diagram(), Diagram(p, render.TextOptions{})); diff != "" {
			t.Fatalf("(-want +got):\n%s", diff)
		}
	})
}

// TestSidesDiffer: no red piece is drawn like a black one.
func TestSidesDiffer(t *testing.T) {
	seen := map[string]bool{}
	for _, side := range hanzi {
		for _, name := range side[1:] {
			if seen[name] {
				t.Errorf("%s comes twice", name)
			}
			seen[name] = true
		}
	}
}

// TestSVG compares whole pictures with golden files.
func TestSVG(t *testing.T) {
	p, last := afterCannon(t)
	compare(t, "plain.svg", Look().SVG(Items(p), render.SVGOptions{}))
	compare(t, "marked.svg", Look().SVG(Items(p), render.SVGOptions{
		Letters: true, Flip: true, Last: last,
		Marks:  []string{"E6", "E4"},
		Arrows: [][]string{{"H9", "G7"}},
	}))
}

// TestSVGProperties: a picture is valid XML with one circle per piece, and nothing in it is out of
// bounds.
func TestSVGProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, last := drawPosition(t)
		pieces := 0
		for sq := xiangqi.Square(0); sq < 90; sq++ {
			if p.At(sq) != xiangqi.Empty {
				pieces++
			}
		}
		picture := Look().SVG(Items(p), render.SVGOptions{Letters: rapid.Bool().Draw(t, "letters"), Flip: rapid.Bool().Draw(t, "flip"), Last: last})
		dec := xml.NewDecoder(strings.NewReader(picture))
		circles := 0
		for {
			token, err := dec.Token()
			if err == io.EOF {
				break
			} else if err != nil {
				t.Fatal(err)
			}
			if e, ok := token.(xml.StartElement); ok && e.Name.Local == "circle" {
				circles++
			}
		}
		if circles != pieces {
			t.Fatalf("%d circles for %d pieces", circles, pieces)
		}
	})
}
