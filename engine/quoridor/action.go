package quoridor

import (
	"fmt"
	"strconv"
	"strings"

	"qhsh/engine"
)

// A Cell is a cell of the board: row x 32 + column, both from 0 at A1.
type Cell uint16

func cellAt(row, col int) Cell { return Cell(row<<5 | col) }

// Row returns the row, 0 at the bottom.
func (c Cell) Row() int { return int(c >> 5) }

// Col returns the column, 0 for A.
func (c Cell) Col() int { return int(c & 31) }

// String returns the vertex, such as "E9".
func (c Cell) String() string {
	return string(rune('A'+c.Col())) + strconv.Itoa(c.Row()+1)
}

// A Kind is a kind of action.
type Kind uint8

// The kinds.
const (
	Step       Kind = iota // of the pawn, jumps too
	Horizontal             // a wall
	Vertical
)

// An Action is a move of a side. Its cell is the pawn's target, or the cell to the upper left of
// the wall's centre.
type Action uint16

// Black begins, so the colours are the sides of the contract.
const (
	Black = engine.First
	White = engine.Second
)

const (
	kindShift = 10
	sideShift = 12
	someMove  = 1 << 13 // set in all, so that none is engine.NoMove
)

// NewAction returns a side's action without checking it.
func NewAction(side engine.Turn, kind Kind, at Cell) Action {
	return someMove | Action(side)<<sideShift | Action(kind)<<kindShift | Action(at)
}

// Side returns Black or White.
func (a Action) Side() engine.Turn { return engine.Turn(a >> sideShift & 1) }

// Kind returns the kind of action.
func (a Action) Kind() Kind { return Kind(a >> kindShift & 3) }

// Cell returns the pawn's target, or the wall's vertex.
func (a Action) Cell() Cell { return Cell(a & (1<<kindShift - 1)) }

// String returns the action without its side: "E8", or "B5h" for a wall.
func (a Action) String() string {
	orientation := [4]string{Horizontal: "h", Vertical: "v"}[a.Kind()]
	return a.Cell().String() + orientation
}

// ColourName returns "black" or "white".
func ColourName(side engine.Turn) string {
	if side == Black {
		return "black"
	}
	return "white"
}

// ParseColour reads black, white, b or w in any case.
func ParseColour(text string) (engine.Turn, error) {
	switch strings.ToLower(text) {
	case "black", "b":
		return Black, nil
	case "white", "w":
		return White, nil
	}
	return 0, fmt.Errorf("colour %s: want black or white", engine.Quote(text))
}

// ParseOrientation reads horizontal, vertical, h or v in any case.
func ParseOrientation(text string) (Kind, error) {
	switch strings.ToLower(text) {
	case "horizontal", "h":
		return Horizontal, nil
	case "vertical", "v":
		return Vertical, nil
	}
	return 0, fmt.Errorf("orientation %s: want horizontal or vertical", engine.Quote(text))
}

// ErrMalformed is wrapped by the error of text that is not an action at all.
var ErrMalformed = engine.Malformed("want a cell such as E8, or a wall such as B5h")

// ParseVertex reads a vertex in any case. It may lie outside a board that is smaller
// than MaxSize.
func ParseVertex(text string) (Cell, error) {
	if len(text) == 2 || len(text) == 3 {
		col := int(text[0]|0x20) - 'a'
		row, err := strconv.ParseUint(text[1:], 10, 8)
		if err == nil && col >= 0 && col < MaxSize && row <= MaxSize && text[1] != '0' {
			return cellAt(int(row)-1, col), nil
		}
	}
	return 0, fmt.Errorf("vertex %s: %w", engine.Quote(text), ErrMalformed)
}

// ParseAction parses "E8", "B5h", "B5 h" or "B5 horizontal" in any case, optionally after another
// side, "white:E8". It does not check legality. The error wraps ErrMalformed if the text is not an
// action.
func ParseAction(text string, side engine.Turn) (Action, error) {
	whole := text
	if colour, rest, ok := strings.Cut(text, ":"); ok {
		named, err := ParseColour(colour)
		if err != nil {
			return 0, fmt.Errorf("move %s: %w", engine.Quote(whole), err)
		}
		side, text = named, rest
	}
	vertex, orientation, _ := strings.Cut(text, " ")
	if orientation == "" && len(vertex) > 2 && vertex[len(vertex)-1] > '9' {
		vertex, orientation = vertex[:len(vertex)-1], vertex[len(vertex)-1:]
	}
	cell, err := ParseVertex(vertex)
	if err != nil {
		return 0, fmt.Errorf("move %s: %w", engine.Quote(whole), ErrMalformed)
	}
	kind := Step
	if orientation != "" {
		if kind, err = ParseOrientation(orientation); err != nil {
			return 0, fmt.Errorf("move %s: %w", engine.Quote(whole), err)
		}
	}
	return NewAction(side, kind, cell), nil
}
