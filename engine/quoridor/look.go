package quoridor

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"

	"qhsh/engine"
	"qhsh/engine/render"
)

// ScriptRules are the rules in JavaScript, as [render.Look.Script] wants them. In a page, a click in a cell moves
// the pawn there; one in a groove builds a wall that begins there and goes to the right or downwards.
//
//go:embed board.js
var ScriptRules string

// Sizes in SVG units.
const (
	cellSize = 44
	pitch    = 54 // of a cell with the groove beside it
	margin   = 30
)

// The layers of the picture.
const (
	layerWalls = iota
	layerMarked
	layerPawns
	layerPointed
	layerCount
)

// Look describes a board of a size, with White at the bottom. Its points are the cells, the middles of walls, whose
// kinds are h and v, and the grooves in which they begin, with the word groove behind the wall's name.
func Look(size int) *render.Look {
	all := 2*margin + pitch*size - (pitch - cellSize)
	l := &render.Look{Width: all, Height: all, Points: map[string]render.Point{}, Layers: make([]render.Layer, layerCount)}
	var head strings.Builder
	fmt.Fprintf(&head, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" role="img" aria-label="Quoridor board">`+"\n"+`<rect width="%d" height="%d" fill="#7a4a2b"/>`+"\n", all, all, all, all)
	for row := range size {
		for col := range size {
			at := cellAt(row, col)
			x, y := margin+pitch*col+cellSize/2, margin+pitch*(size-1-row)+cellSize/2
			l.Points[at.String()] = render.Point{X: x, Y: y}
			fmt.Fprintf(&head, `<rect x="%d" y="%d" width="%d" height="%d" rx="5" fill="#e8cfa6"/>`+"\n", x-cellSize/2, y-cellSize/2, cellSize, cellSize)
			if row > 0 && col < size-1 {
				for _, wall := range []render.Point{{X: x, Y: y + pitch/2, Kind: "h"}, {X: x + pitch/2, Y: y, Kind: "v"}} {
					name := at.String() + wall.Kind
					l.Points[name+" groove"] = wall
					wall.X, wall.Y = x+pitch/2, y+pitch/2
					l.Points[name] = wall
				}
			}
		}
	}
	for flip := range l.Edges {
		text := `<g font-family="sans-serif" font-size="15" text-anchor="middle" fill="#f3dfbd">` + "\n"
		for i := range size {
			name := i
			if flip == 1 {
				name = size - 1 - i
			}
			at := margin + pitch*i + cellSize/2
			text += fmt.Sprintf(`<text x="%d" y="%d">%c</text><text x="%d" y="%d">%d</text>`+"\n", at, all-margin/2+5, 'A'+name, margin/2, all-at+5, name+1)
		}
		text += "</g>\n"
		l.Edges[flip] = [2]string{text, text}
	}
	l.Skins[0] = render.Skin{Head: head.String(), Shapes: shapes(all)}
	return l
}

// shapes returns those of a board as wide as all. Above it stands how many walls each side has left.
func shapes(all int) map[string]render.Shape {
	found := map[string]render.Shape{}
	add := func(name string, layer int, svg string) { found[name] = render.Shape{Layer: layer, SVG: svg + "\n"} }
	// mark adds a shape of cells and of walls.
	mark := func(name string, layer int, cell, wall string) {
		if cell != "" {
			add(name, layer, fmt.Sprintf(`<rect x="$x-%d" y="$y-%d" width="%d" height="%d" rx="5" %s/>`, cellSize/2, cellSize/2, cellSize, cellSize, cell))
		}
		const long = pitch + cellSize
		add(name+"h", layer, fmt.Sprintf(`<rect x="$x-%d" y="$y-4" width="%d" height="8" rx="2" %s/>`, long/2, long, wall))
		add(name+"v", layer, fmt.Sprintf(`<rect x="$x-4" y="$y-%d" width="8" height="%d" rx="2" %s/>`, long/2, long, wall))
	}
	mark("wall", layerWalls, "", `fill="#2b1608"`)
	mark("last", layerMarked, `fill="#9ccc65"`, `fill="#7cb342"`)
	for _, name := range []string{"dot", "ring"} {
		mark(name, layerPointed, `fill="none" stroke="#1565c0" stroke-width="4"`, `fill="#1565c0" fill-opacity=".75"`)
	}
	for side, paint := range [...]string{Black: `fill="#2b2b2b" stroke="#c8c8c8"`, White: `fill="#fdfdf6" stroke="#5a5a5a"`} {
		add(ColourName(engine.Turn(side)), layerPawns, `<circle cx="$x" cy="$y" r="15" `+paint+` stroke-width="2"/>`)
		x := margin + pitch/2
		if side == int(White) {
			x = all - x - 40
		}
		add(ColourName(engine.Turn(side))+" walls", layerPawns, fmt.Sprintf(`<circle cx="%d" cy="15" r="6" %s stroke-width="1"/><rect x="%d" y="12" width="14" height="6" rx="2" fill="#2b1608"/>`+
			`<text x="%d" y="20" font-family="sans-serif" font-size="15" fill="#f3dfbd">$t</text>`, x, paint, x+10, x+29))
	}
	return found
}

// Items returns what is on the board.
func (p *Position) Items() (all []render.Item) {
	b := &p.board
	for _, wall := range b.BuiltWalls() {
		all = append(all, render.Item{Shape: "wall", Point: wall.String()})
	}
	for _, side := range []engine.Turn{Black, White} {
		all = append(all, render.Item{Shape: ColourName(side), Point: b.pawns[side].String()},
			render.Item{Shape: ColourName(side) + " walls", Text: strconv.Itoa(b.left[side])})
	}
	return all
}
