package render

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
	"qhsh/engine/xiangqi"
)

func square(t *testing.T, name string) xiangqi.Square {
	t.Helper()
	m, err := xiangqi.ParseMove(name + name)
	if err != nil {
		t.Fatal(err)
	}
	return m.From()
}

// afterCannon returns the position after H2-E2, and that move.
func afterCannon(t *testing.T) (*xiangqi.Position, xiangqi.Move) {
	t.Helper()
	m, err := xiangqi.ParseMove("H2-E2")
	if err != nil {
		t.Fatal(err)
	}
	p, err := xiangqi.Start().PlayMove(m)
	if err != nil {
		t.Fatal(err)
	}
	return p, m
}

// TestBoards compares whole boards with testdata: every style, plain, flipped with marks, and with
// colour, where escape sequences are written as ^[.
func TestBoards(t *testing.T) {
	p, last := afterCannon(t)
	targets := []xiangqi.Square{square(t, "H0"), square(t, "H6"), square(t, "G7"), square(t, "I7"), square(t, "E3"), square(t, "F2")}
	for _, style := range []Style{ASCII, Letters, Chinese} {
		for name, o := range map[string]Options{
			"plain":  {},
			"marked": {Last: last, Targets: targets},
			"turned": {Last: last, Targets: targets, Flip: true},
			"colour": {Last: last, Targets: targets, Color: true},
		} {
			o.Style = style
			compare(t, style.String()+"-"+name+".txt", strings.ReplaceAll(Board(p, o), "\x1b", "^["))
		}
	}
}

// compare compares an output with a golden file.
func compare(t *testing.T, name, got string) {
	t.Helper()
	golden.Compare(t, filepath.Join("testdata", name), got)
}

var escapes = regexp.MustCompile("\x1b\\[[0-9;]*m")

// drawPosition returns a position after random moves, and its last move.
func drawPosition(t *rapid.T) (*xiangqi.Position, xiangqi.Move) {
	p := xiangqi.Start()
	for range rapid.IntRange(0, 40).Draw(t, "plies") {
		moves := p.LegalMoves()
		if len(moves) == 0 {
			break
		}
		p, _ = p.PlayMove(rapid.SampledFrom(moves).Draw(t, "move"))
	}
	last, _ := p.LastMove()
	return p, last
}

func drawOptions(t *rapid.T, last xiangqi.Move) Options {
	o := Options{
		Style: rapid.SampledFrom([]Style{ASCII, Letters, Chinese}).Draw(t, "style"),
		Flip:  rapid.Bool().Draw(t, "flip"),
	}
	if rapid.Bool().Draw(t, "last") {
		o.Last = last
	}
	for _, n := range rapid.SliceOfN(rapid.IntRange(0, 89), 0, 6).Draw(t, "targets") {
		o.Targets = append(o.Targets, xiangqi.Square(n))
	}
	return o
}

// TestWidths: for every board, and for both widths that a terminal may give to characters of
// ambiguous width, all ranks have the same width, colour adds none, and every point is below the
// name of its file.
func TestWidths(t *testing.T) {
	narrow, wide := runewidth.NewCondition(), runewidth.NewCondition()
	narrow.EastAsianWidth, wide.EastAsianWidth = false, true
	widths := map[Style]int{ASCII: 33, Letters: 23, Chinese: 28}
	rapid.Check(t, func(t *rapid.T) {
		p, last := drawPosition(t)
		o := drawOptions(t, last)
		plain := Board(p, o)
		o.Color = true
		colour := escapes.ReplaceAllString(Board(p, o), "")
		for i, board := range []string{plain, colour} {
			for line := range strings.Lines(board) {
				line = strings.TrimSuffix(line, "\n")
				width := narrow.StringWidth(line)
				if width != wide.StringWidth(line) {
					t.Fatalf("%q has a width that depends on the locale", line)
				}
				isRank := strings.ContainsAny(line[:3], "0123456789")
				if o.Style == Chinese {
					isRank = !strings.ContainsAny(line, "5五")
				}
				if isRank && width != widths[o.Style] || width > widths[o.Style] {
					t.Fatalf("%q is %d wide in board %d of style %v", line, width, i, o.Style)
				}
			}
		}
		checkColumns(t, narrow, p, o, colour)
	})
}

// checkColumns checks that every piece is below the name of its file and, unless the board is
// Chinese, beside that of its rank.
func checkColumns(t *rapid.T, c *runewidth.Condition, p *xiangqi.Position, o Options, board string) {
	lines := strings.Split(board, "\n")
	for sq := xiangqi.Square(0); sq < 90; sq++ {
		piece := p.At(sq)
		if piece == xiangqi.Empty {
			continue
		}
		above, _, _ := strings.Cut(lines[0], topName(o, int(sq%9)))
		want := map[Style]string{ASCII: wireLetter(piece), Letters: string(piece.Letter()), Chinese: hanzi[piece.Side()][piece.Kind()]}[o.Style]
		if got := inColumn(c, rankLine(lines, o, int(sq/9)), c.StringWidth(above)); got != want {
			t.Fatalf("at %v there is %q, want %q, in\n%s", sq, got, want, board)
		}
	}
}

// topName returns the name of a file at the upper edge.
func topName(o Options, file int) string {
	switch {
	case o.Style != Chinese:
		return "ABCDEFGHI"[file : file+1]
	case o.Flip:
		return strings.Split("九八七六五四三二一", "")[file]
	}
	return "123456789"[file : file+1]
}

// rankLine returns the line of a rank: the one that has its name or, on a Chinese board, the one
// that is as far from the upper edge.
func rankLine(lines []string, o Options, rank int) string {
	switch {
	case o.Style != Chinese:
		i := slices.IndexFunc(lines, func(line string) bool {
			return strings.HasPrefix(strings.TrimSpace(line), strconv.Itoa(rank))
		})
		return lines[i]
	case o.Flip:
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
		if diff := cmp.Diff(p.Diagram(), Board(p, Options{})); diff != "" {
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

func TestStyleNames(t *testing.T) {
	for i, name := range StyleNames() {
		s, ok := ParseStyle(strings.ToUpper(name))
		if !ok || s != Style(i) || s.String() != name {
			t.Errorf("%s is read as %v, %v", name, s, ok)
		}
	}
	if s, ok := ParseStyle("braille"); ok {
		t.Errorf("braille is %v", s)
	}
	if got := Style(9).String(); got != "no style" {
		t.Errorf("style 9 is %q", got)
	}
}

// TestSVG compares whole pictures with golden files.
func TestSVG(t *testing.T) {
	p, last := afterCannon(t)
	compare(t, "plain.svg", SVG(p, SVGOptions{}))
	compare(t, "marked.svg", SVG(p, SVGOptions{
		Letters: true, Flip: true, Last: last,
		Targets: []xiangqi.Square{square(t, "E6"), square(t, "E4")},
		Arrows:  []Arrow{{square(t, "H9"), square(t, "G7")}},
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
		picture := SVG(p, SVGOptions{Letters: rapid.Bool().Draw(t, "letters"), Flip: rapid.Bool().Draw(t, "flip"), Last: last})
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
