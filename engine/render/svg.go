package render

import (
	"fmt"
	"strings"
	"sync"
	"unicode/utf8"

	"qhsh/engine/render/raster"
	"qhsh/engine/xiangqi"
)

// An Arrow points from one point to another.
type Arrow struct{ From, To xiangqi.Square }

// SVGOptions say how a board is drawn as [SVG].
type SVGOptions struct {
	Letters bool             // pieces show the letters of a FEN; else hanzi
	Flip    bool             // Black's side is at the bottom
	Chinese bool             // edges name the files as in the Chinese notation; else files and ranks as in ICCS
	Last    xiangqi.Move     // its two points are marked; zero: none
	Targets []xiangqi.Square // points that are marked: a dot, or a ring around a piece
	Arrows  []Arrow
	Width   int // in pixels, with the height that belongs to it; 0: whatever there is room for
}

// The measures of the picture. Points are unit apart, and the outermost ones are as
// far from the edge. All of them are whole numbers, so that every program writes the
// same picture in the same way.
const (
	unit   = 50
	width  = 10 * unit
	height = 11 * unit

	topNames, bottomNames = 14, 537 // the middles of the names of files
	leftNames, rightNames = 14, 486 // and of ranks
)

// The colours.
const (
	colorBoard  = "#f2d9a6"
	colorGrid   = "#6b4a1f"
	colorRiver  = "#8a6533"
	colorPiece  = "#fff8e7"
	colorRed    = "#b71c1c"
	colorBlack  = "#212121"
	colorMarked = "#2e7d32"
	colorArrow  = "#1565c0"
)

// The sizes of characters, per thousandth of an em.
const (
	scaleName  = ".014"
	scaleRiver = ".026"
	scalePiece = ".03"
)

// The fixed parts of the picture, which board.js uses as well. Styles are attributes:
// a style element would apply to a whole page that the picture is part of. Outlines are
// defined once and used by their ids, which have the same meaning in every picture of a
// page. That is written as SVG 1.1 has it, since not every program knows SVG 2.
var (
	headHanzi = sync.OnceValue(func() string {
		return head(unique(strings.Join(hanzi[xiangqi.Red][:], "") + strings.Join(hanzi[xiangqi.Black][:], "") + riverNames + fileNames + rankNames))
	})
	headLetters = sync.OnceValue(func() string { return head(unique(letters[1:] + strings.ToLower(letters[1:]) + fileNames + rankNames)) })
	river       = sync.OnceValue(func() string {
		text := `<g fill="` + colorRiver + `">`
		for i, name := range []rune(riverNames) {
			text += use(name, riverColumns[i], riverMiddle, scaleRiver, "")
		}
		return text + groupEnd
	})

	groupChineseNames = sync.OnceValue(func() string { return groupNames + "<defs>\n" + definitions(redFiles) + "</defs>\n" })
)

const (
	fileNames = "ABCDEFGHI"
	rankNames = "0123456789"
)

// riverNames are the characters on the river, riverColumns where their middles are.
const riverNames = "楚河漢界"

var riverColumns = [4]int{137, 163, 337, 363}

const riverMiddle = 275 // the y of their middles

// head begins a picture that uses some characters, and draws the board.
func head(characters string) string {
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 %d %d" role="img" aria-label="Xiangqi board">`, width, height)
	b.WriteString("<defs>\n" + `<marker id="arrowhead" viewBox="0 0 8 8" refX="6" refY="4" markerWidth="4" markerHeight="4" orient="auto">` +
		`<path d="M0 0 8 4 0 8z" fill="` + colorArrow + `"/></marker>` + "\n")
	b.WriteString(definitions(characters))
	fmt.Fprintf(&b, "</defs>\n"+`<rect width="%d" height="%d" fill="%s"/>`+"\n", width, height, colorBoard)
	b.WriteString(`<path d="` + gridPath() + `" fill="none" stroke="` + colorGrid + `" stroke-width="2" stroke-linecap="square"/>` + "\n")
	return b.String()
}

// definitions returns the outlines of characters.
func definitions(characters string) string {
	var b strings.Builder
	for _, r := range characters {
		fmt.Fprintf(&b, `<path id="glyph-%x" d="%s"/>`+"\n", r, raster.Glyph(r))
	}
	return b.String()
}

// use draws a character in the colour of its group, with more attributes.
func use(r rune, x, y int, scale, more string) string {
	return fmt.Sprintf(`<use xlink:href="#glyph-%x" transform="translate(%d %d) scale(%s)"%s/>`, r, x, y, scale, more)
}

// unique returns a text's characters, each once.
func unique(text string) string {
	var b strings.Builder
	for i, r := range text {
		if !strings.ContainsRune(text[:i], r) {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// The openings of groups. What belongs together shares its attributes.
const (
	groupNames   = `<g fill="` + colorGrid + `">`
	groupLast    = `<g fill="none" stroke="` + colorMarked + `" stroke-width="4">`
	groupTargets = `<g stroke="` + colorMarked + `" stroke-width="5">`
	groupRed     = `<g stroke="` + colorRed + `" fill="` + colorRed + `">`
	groupBlack   = `<g stroke="` + colorBlack + `" fill="` + colorBlack + `">`
	groupArrows  = `<g stroke="` + colorArrow + `" stroke-width="8" stroke-opacity=".75" stroke-linecap="round" marker-end="url(#arrowhead)">`
	groupEnd     = "</g>\n"
	svgEnd       = "</svg>\n"
)

// gridPath returns the lines of the board as path data: the river parts all files but the outer ones,
// and a palace has its diagonals.
func gridPath() string {
	const left, right, top, bottom = unit, 9 * unit, unit, 10 * unit
	var b strings.Builder
	line := func(x1, y1, x2, y2 int) { fmt.Fprintf(&b, "M%d %dL%d %d", x1, y1, x2, y2) }
	for y := top; y <= bottom; y += unit {
		line(left, y, right, y)
	}
	for x := left; x <= right; x += unit {
		if x == left || x == right {
			line(x, top, x, bottom)
			continue
		}
		line(x, top, x, 5*unit)
		line(x, 6*unit, x, bottom)
	}
	for _, y := range []int{top, bottom - 2*unit} {
		line(4*unit, y, 6*unit, y+2*unit)
		line(6*unit, y, 4*unit, y+2*unit)
	}
	return b.String()
}

// SVG returns the board as a picture that needs nothing from elsewhere, 500 wide and 550 high
// unless the options have a size. It looks the same wherever it is shown.
func SVG(p *xiangqi.Position, o SVGOptions) string {
	var b strings.Builder
	b.WriteString(o.head())
	if !o.Letters {
		b.WriteString(river())
	}
	o.names(&b)
	if o.Last != 0 {
		b.WriteString(groupLast)
		for _, sq := range []xiangqi.Square{o.Last.From(), o.Last.To()} {
			x, y := o.place(sq)
			fmt.Fprintf(&b, `<rect x="%d" y="%d" width="46" height="46" rx="6"/>`, x-23, y-23)
		}
		b.WriteString(groupEnd)
	}
	o.pieces(&b, p, xiangqi.Red, groupRed)
	o.pieces(&b, p, xiangqi.Black, groupBlack)
	if len(o.Targets) > 0 {
		b.WriteString(groupTargets)
		for _, sq := range o.Targets {
			x, y := o.place(sq)
			shape := `r="6" fill="` + colorMarked + `"`
			if p.At(sq) != xiangqi.Empty {
				shape = `r="23" fill="none"`
			}
			fmt.Fprintf(&b, `<circle cx="%d" cy="%d" %s/>`, x, y, shape)
		}
		b.WriteString(groupEnd)
	}
	if len(o.Arrows) > 0 {
		b.WriteString(groupArrows)
		for _, a := range o.Arrows {
			x1, y1 := o.place(a.From)
			x2, y2 := o.place(a.To)
			fmt.Fprintf(&b, `<path d="M%d %dL%d %d"/>`, x1, y1, x2, y2)
		}
		b.WriteString(groupEnd)
	}
	b.WriteString(svgEnd)
	return b.String()
}

// head begins the picture.
func (o SVGOptions) head() string {
	head := headHanzi
	if o.Letters {
		head = headLetters
	}
	if o.Width <= 0 {
		return head()
	}
	size := fmt.Sprintf(`<svg width="%d" height="%d" `, o.Width, (o.Width*height+width/2)/width)
	return strings.Replace(head(), "<svg ", size, 1)
}

// place returns where a point is in the picture.
func (o SVGOptions) place(sq xiangqi.Square) (x, y int) {
	file, rank := int(sq%9), int(sq/9)
	if o.Flip {
		file, rank = 8-file, 9-rank
	}
	return unit + unit*file, height - unit - unit*rank
}

// names writes the names of the files and the ranks around the board.
func (o SVGOptions) names(b *strings.Builder) {
	if o.Chinese { // each side's names of the files, at its own edge
		b.WriteString(groupChineseNames())
		red, black := bottomNames, topNames
		if o.Flip {
			red, black = black, red
		}
		for file, name := range []rune(redFiles) {
			x, _ := o.place(xiangqi.Square(file))
			b.WriteString(use(name, x, red, scaleName, "") + use(rune(blackFiles[file]), x, black, scaleName, ""))
		}
		b.WriteString(groupEnd)
		return
	}
	b.WriteString(groupNames)
	for file := range 9 {
		x, _ := o.place(xiangqi.Square(file))
		name := rune(fileNames[file])
		b.WriteString(use(name, x, topNames, scaleName, "") + use(name, x, bottomNames, scaleName, ""))
	}
	for rank := range 10 {
		_, y := o.place(xiangqi.Square(rank * 9))
		name := rune(rankNames[rank])
		b.WriteString(use(name, leftNames, y, scaleName, "") + use(name, rightNames, y, scaleName, ""))
	}
	b.WriteString(groupEnd)
}

func (o SVGOptions) pieces(b *strings.Builder, p *xiangqi.Position, side xiangqi.Side, group string) {
	b.WriteString(group)
	for sq := xiangqi.Square(0); sq < 90; sq++ {
		piece := p.At(sq)
		if piece == xiangqi.Empty || piece.Side() != side {
			continue
		}
		x, y := o.place(sq)
		fmt.Fprintf(b, `<circle cx="%d" cy="%d" r="21" fill="%s" stroke-width="2"/>`, x, y, colorPiece)
		b.WriteString(use(o.name(piece), x, y, scalePiece, ` stroke="none"`))
	}
	b.WriteString(groupEnd)
}

// name returns the character on a piece.
func (o SVGOptions) name(piece xiangqi.Piece) rune {
	if o.Letters {
		return rune(piece.Letter())
	}
	r, _ := utf8.DecodeRuneInString(hanzi[piece.Side()][piece.Kind()])
	return r
}

// ParseArrows reads arrows as a person writes them: pairs of points such as H9-G7 or b7e7,
// separated by blanks or commas. Whether they are moves is not asked.
func ParseArrows(text string) ([]Arrow, error) {
	var arrows []Arrow
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ' ' }) {
		m, err := xiangqi.ParseMove(word)
		if err != nil {
			return nil, fmt.Errorf("arrow: %w", err)
		}
		if m.From() == m.To() {
			return nil, fmt.Errorf("arrow %s: it goes nowhere", word)
		}
		arrows = append(arrows, Arrow{m.From(), m.To()})
	}
	return arrows, nil
}
