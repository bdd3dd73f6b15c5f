// Package drawing draws Xiangqi boards: [Look] describes the board for package render, and [Diagram] is the
// specification's. The characters in pictures are outlines of our own (package raster), so that no font has a
// say in how they look; those in text are ASCII and hanzi, of which any terminal knows the width.
package drawing

import (
	_ "embed"
	"fmt"
	"strings"
	"sync"

	"qhsh/engine"
	"qhsh/engine/render"
	"qhsh/engine/render/raster"
	"qhsh/engine/xiangqi"
)

// Rules are the rules in JavaScript, as [render.Look.Script] wants them.
//
//go:embed board.js
var Rules string

// hanzi are the names of the pieces, by side and kind. The sides have different ones
// for every kind, so that they are told apart without colour.
var hanzi = [2][8]string{
	{"", "俥", "傌", "相", "仕", "帥", "炮", "兵"},
	{"", "車", "馬", "象", "士", "將", "砲", "卒"},
}

// The names of the files, from A to I, and of the ranks. In the Chinese notation either side counts the files
// from its right.
const (
	fileNames  = "ABCDEFGHI"
	rankNames  = "0123456789"
	redFiles   = "九八七六五四三二一"
	blackFiles = "123456789"
)

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

const groupEnd = "</g>\n"

// The layers of the picture. What belongs together shares its attributes: a style element would apply to a
// whole page that the picture is part of.
var layers = []render.Layer{
	{`<g fill="none" stroke="` + colorMarked + `" stroke-width="4">`, groupEnd},
	{`<g stroke="` + colorRed + `" fill="` + colorRed + `">`, groupEnd},
	{`<g stroke="` + colorBlack + `" fill="` + colorBlack + `">`, groupEnd},
	{`<g stroke="` + colorMarked + `" stroke-width="5">`, groupEnd},
	{`<g stroke="` + colorArrow + `" stroke-width="8" stroke-opacity=".75" stroke-linecap="round" marker-end="url(#arrowhead)">`, groupEnd},
}

// Look describes the board: pieces with hanzi and the names of files in the Chinese notation, or letters.
var Look = sync.OnceValue(func() *render.Look {
	l := &render.Look{Width: width, Height: height, Points: map[string]render.Point{}, Layers: layers}
	for sq := range xiangqi.Square(90) {
		l.Points[sq.String()] = render.Point{X: unit + unit*int(sq%9), Y: height - unit - unit*int(sq/9)}
	}
	for flip := range l.Edges {
		l.Edges[flip] = [2]string{edge(flip == 1), chineseEdge(flip == 1)}
	}
	black := strings.Split(blackFiles, "")
	hanziText := strings.Join(hanzi[xiangqi.Red][:], "") + strings.Join(hanzi[xiangqi.Black][:], "")
	l.Skins[0] = skin(hanziText+riverNames, func(p xiangqi.Piece) string { return hanzi[p.Side()][p.Kind()] })
	l.Skins[0].Head += river()
	l.Skins[0].Names = render.Names{Top: black, Bottom: strings.Split(redFiles, "")}
	files, ranks := strings.Split(fileNames, ""), strings.Split("9876543210", "")
	l.Skins[1] = skin("RNBAKCPrnbakcp", func(p xiangqi.Piece) string { return string(p.Letter()) })
	l.Skins[1].Names = render.Names{Top: files, Bottom: files, Left: ranks, Right: ranks}
	return l
})

// skin returns how a board looks whose pieces have names. characters are those in the picture but for the names of files
// and ranks.
func skin(characters string, name func(xiangqi.Piece) string) render.Skin {
	shapes := map[string]render.Shape{
		"last":  {Layer: 0, SVG: `<rect x="$x-23" y="$y-23" width="46" height="46" rx="6"/>`},
		"dot":   {Layer: 3, SVG: `<circle cx="$x" cy="$y" r="6" fill="` + colorMarked + `"/>`},
		"ring":  {Layer: 3, SVG: `<circle cx="$x" cy="$y" r="23" fill="none"/>`},
		"arrow": {Layer: 4, SVG: `<path d="M$x $yL$X $Y"/>`},
	}
	for side := range xiangqi.Side(2) {
		for kind := xiangqi.Rook; kind <= xiangqi.Pawn; kind++ {
			p := xiangqi.NewPiece(side, kind)
			shapes[string(p.Letter())] = render.Shape{
				Layer: 1 + int(side), Text: name(p), Side: engine.Turn(side),
				SVG: `<circle cx="$x" cy="$y" r="21" fill="` + colorPiece + `" stroke-width="2"/>` + use(name(p), "$x", "$y", scalePiece, ` stroke="none"`),
			}
		}
	}
	return render.Skin{Head: head(characters + fileNames + rankNames), Shapes: shapes}
}

// Items returns the pieces of a position.
func Items(p *xiangqi.Position) (all []render.Item) {
	for sq := range xiangqi.Square(90) {
		if piece := p.At(sq); piece != xiangqi.Empty {
			all = append(all, render.Item{Shape: string(piece.Letter()), Point: sq.String()})
		}
	}
	return all
}

// riverNames are the characters on the river, riverColumns where their middles are.
const riverNames = "楚河漢界"

var riverColumns = [4]int{137, 163, 337, 363}

const riverMiddle = 275 // the y of their middles

func river() string {
	text := `<g fill="` + colorRiver + `">`
	for i, name := range strings.Split(riverNames, "") {
		text += use(name, riverColumns[i], riverMiddle, scaleRiver, "")
	}
	return text + groupEnd
}

// head begins a picture that uses some characters, and draws the board. Outlines are defined once and used by
// their ids, which have the same meaning in every picture of a page. That is written as SVG 1.1 has it, since
// not every program knows SVG 2.
func head(characters string) string {
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 %d %d" role="img" aria-label="Xiangqi board">`, width, height)
	b.WriteString("<defs>\n" + render.ArrowHead + definitions(characters))
	fmt.Fprintf(&b, "</defs>\n"+`<rect width="%d" height="%d" fill="%s"/>`+"\n", width, height, colorBoard)
	b.WriteString(`<path d="` + gridPath() + `" fill="none" stroke="` + colorGrid + `" stroke-width="2" stroke-linecap="square"/>` + "\n")
	return b.String()
}

// definitions returns the outlines of characters.
func definitions(characters string) string {
	var b strings.Builder
	for i, r := range characters {
		if !strings.ContainsRune(characters[:i], r) {
			fmt.Fprintf(&b, `<path id="glyph-%x" d="%s"/>`+"\n", r, raster.Glyph(r))
		}
	}
	return b.String()
}

// use draws a character in the colour of its group, with more attributes.
func use(name string, x, y any, scale, more string) string {
	return fmt.Sprintf(`<use xlink:href="#glyph-%x" transform="translate(%v %v) scale(%s)"%s/>`, []rune(name)[0], x, y, scale, more)
}

// gridPath returns the lines of the board as path data: the river parts all files but the outer ones,
// a palace has its diagonals, and the points of cannons and pawns have marks.
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
	mark := func(x, y int) { // a corner in each of the four squares around a point
		const gap, arm = 5, 9
		for _, side := range []int{-1, 1} {
			for _, way := range []int{-1, 1} {
				if to := x + side*(gap+arm); to > left && to < right {
					fmt.Fprintf(&b, "M%d %dh%dv%d", to, y+way*gap, -side*arm, way*arm)
				}
			}
		}
	}
	for _, y := range []int{3 * unit, 8 * unit} {
		mark(2*unit, y) // of the cannons
		mark(8*unit, y)
	}
	for x := left; x <= right; x += 2 * unit {
		mark(x, 4*unit) // of the pawns
		mark(x, 7*unit)
	}
	return b.String()
}

// edge returns the names of the files and the ranks around the board.
func edge(flip bool) string {
	text := `<g fill="` + colorGrid + `">`
	for file, name := range strings.Split(fileNames, "") {
		if flip {
			file = 8 - file
		}
		x := unit + unit*file
		text += use(name, x, topNames, scaleName, "") + use(name, x, bottomNames, scaleName, "")
	}
	for rank, name := range strings.Split(rankNames, "") {
		if flip {
			rank = 9 - rank
		}
		y := height - unit - unit*rank
		text += use(name, leftNames, y, scaleName, "") + use(name, rightNames, y, scaleName, "")
	}
	return text + groupEnd
}

// chineseEdge returns each side's names of the files, at its own edge.
func chineseEdge(flip bool) string {
	red, black := bottomNames, topNames
	if flip {
		red, black = black, red
	}
	text := `<g fill="` + colorGrid + `"><defs>` + "\n" + definitions(redFiles) + "</defs>\n"
	for file, name := range strings.Split(redFiles, "") {
		x := unit + unit*file
		if flip {
			x = width - x
		}
		text += use(name, x, red, scaleName, "") + use(blackFiles[file:file+1], x, black, scaleName, "")
	}
	return text + groupEnd
}
