package qchess

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"
	"sync"

	"qhsh/engine"
	"qhsh/engine/render"
)

// ScriptRules are the rules in JavaScript, as [render.Look.Script] wants them.
//
//go:embed board.js
var ScriptRules string

const svgCell = 100 // the size of a square in the picture

// The layers of the picture.
const (
	layerMarked = iota
	layerPieces
	layerRings
	layerArrows
	layerCount
)

// Look describes the board, with White at the bottom. Its points are the squares by their columns and rows. A piece
// shows its current kind, or a question mark, and both kinds below it.
var Look = sync.OnceValue(func() *render.Look {
	const size = 8 * svgCell
	l := &render.Look{Width: size, Height: size, Points: map[string]render.Point{}, Layers: make([]render.Layer, layerCount)}
	var head strings.Builder
	fmt.Fprintf(&head, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" role="img" aria-label="Quantum chess board" font-family="sans-serif" text-anchor="middle">`+"\n", size, size)
	for at := range Square(64) {
		fill := "#f0d9b5"
		if at.odd() {
			fill = "#b58863"
		}
		x, y := at.X()*svgCell, at.Y()*svgCell
		l.Points[at.String()] = render.Point{X: x + svgCell/2, Y: y + svgCell/2}
		fmt.Fprintf(&head, `<rect x="%d" y="%d" width="%d" height="%d" fill="%s"/>`+"\n", x, y, svgCell, svgCell, fill)
	}
	for flip := range l.Edges {
		text := `<g font-size="18" fill="#7a5433">` + "\n"
		for i := range 8 {
			name := i
			if flip == 1 {
				name = 7 - i
			}
			text += fmt.Sprintf(`<text x="%d" y="%d">%d</text><text x="%d" y="%d">%d</text>`+"\n", i*svgCell+92, size-6, name, 8, i*svgCell+18, name)
		}
		text += "</g>\n"
		l.Edges[flip] = [2]string{text, text}
	}
	shapes := map[string]render.Shape{
		"last":  {Layer: layerMarked, SVG: `<rect x="$x-50" y="$y-50" width="100" height="100" fill="#ffe04d" fill-opacity="0.6"/>` + "\n"},
		"arrow": {Layer: layerArrows, SVG: `<line x1="$x" y1="$y" x2="$X" y2="$Y" stroke="#1a7f37" stroke-width="10" stroke-opacity="0.7" stroke-linecap="round"/>` + "\n" + `<circle cx="$X" cy="$Y" r="14" fill="#1a7f37"/>` + "\n"},
	}
	shapes["ring"] = render.Shape{Layer: layerRings, SVG: `<circle cx="$x" cy="$y" r="46" fill="none" stroke="#1a7f37" stroke-width="6"/>` + "\n"}
	shapes["dot"] = shapes["ring"]
	shapes["chance"] = render.Shape{Layer: layerPieces, SVG: `<rect x="$x-27" y="$y+33" width="54" height="16" rx="8" fill="#fff8dc" stroke="#202020"/>` +
		`<text x="$x" y="$y+46" font-size="14" fill="#202020">$t</text>` + "\n"}
	for side, colours := range [...][2]string{White: {"#ffffff", "#202020"}, Black: {"#202020", "#ffffff"}} {
		fill, ink := colours[0], colours[1]
		add := func(name, svg string) {
			shapes[sideLetters[side]+name] = render.Shape{Layer: layerPieces, SVG: svg + "\n", Side: engine.Turn(side)}
		}
		add("", `<circle cx="$x" cy="$y" r="42" fill="`+fill+`" stroke="#202020" stroke-width="3"/>`)
		add("now", `<text x="$x" y="$y+6" font-size="40" font-weight="bold" fill="`+ink+`">$t</text>`)
		for i, x := range []string{"$x-14", "$x+14"} {
			add(strconv.Itoa(i), `<text x="`+x+`" y="$y+30" font-size="22" fill="`+ink+`">$t</text>`)
			add(strconv.Itoa(i)+"now", `<text x="`+x+`" y="$y+30" font-size="22" font-weight="bold" text-decoration="underline" fill="`+ink+`">$t</text>`)
		}
	}
	l.Skins[0] = render.Skin{Head: head.String(), Shapes: shapes}
	return l
})

// ChanceItems returns, below each piece whose second kind is unknown to both sides, which it is likeliest to be.
func (b *Board) ChanceItems() (all []render.Item) {
	for side := range engine.Turn(2) {
		for at, odds := range b.unknown(side) {
			first := likeliest(odds)[0]
			all = append(all, render.Item{Shape: "chance", Point: at.String(), Text: string(first.letter()) + " " + percentText(odds[first])})
		}
	}
	return all
}

// sideLetters begin the names of the shapes of a side's pieces.
var sideLetters = [...]string{White: "w", Black: "b"}

// Items returns what is on the board.
func (b *Board) Items() (all []render.Item) {
	if p, ok := b.Selected(); ok {
		all = append(all, render.Item{Shape: "last", Point: p.At.String()})
	}
	for at := range Square(64) {
		p, side, ok := b.PieceAt(at)
		if !ok {
			continue
		}
		add := func(shape, text string) {
			all = append(all, render.Item{Shape: sideLetters[side] + shape, Point: at.String(), Text: text})
		}
		now := p.Kind()
		if p.fixed() {
			now = p.Kinds[0]
		}
		add("", "")
		add("now", strings.ToUpper(string(now.letter())))
		if now == King {
			continue
		}
		for i, k := range p.Kinds {
			shape := strconv.Itoa(i)
			if p.State == int8(i) {
				shape += "now"
			}
			add(shape, string(k.letter()))
		}
	}
	return all
}
