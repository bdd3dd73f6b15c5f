package qchess

import (
	"fmt"
	"slices"
	"strings"

	"qhsh/engine"
	"qhsh/engine/printable"
	"qhsh/engine/render"
)

// Diagram draws the board as lines of text, with columns and rows numbered as in the protocol and
// White's pieces in capitals. A piece is its two kinds, the current one in brackets: R? is in
// superposition, with an unknown second kind; [R]n is a rook whose second kind is a knight. Below
// the board are the second kinds that have not been revealed and, with chances, which of them each
// piece may have: of two pieces on "67,77 PRN 33%" each is a pawn, rook or knight, equally likely.
//
// The points of the last move are marked with asterisks, or inverse in colour.
func (b *Board) Diagram(o render.TextOptions, chances bool) string {
	order := []int{0, 1, 2, 3, 4, 5, 6, 7}
	if o.Flip {
		slices.Reverse(order)
	}
	var s strings.Builder
	letters := "    "
	for _, x := range order {
		letters += fmt.Sprintf("  %d   ", x)
	}
	letters = strings.TrimRight(letters, " ") + "\n"
	rule := "   " + strings.Repeat("+-----", 8) + "+\n"
	s.WriteString(letters + rule)
	for _, y := range order {
		fmt.Fprintf(&s, " %d ", y)
		for _, x := range order {
			s.WriteString("|" + b.cellText(SquareAt(x, y), o))
		}
		fmt.Fprintf(&s, "| %d\n%s", y, rule)
	}
	s.WriteString(letters)
	for _, side := range []engine.Turn{Black, White} {
		fmt.Fprintf(&s, "   %s may still show: %s\n", ColourName(side), b.StillHidden(side))
		if chances {
			s.WriteString(b.chances(side))
		}
	}
	if p, ok := b.Selected(); ok {
		fmt.Fprintf(&s, "   %s has selected %d %d\n", ColourName(b.turn), p.At.X(), p.At.Y())
	}
	return s.String()
}

const cellWidth = 5

// cellText returns a square's content in cellWidth characters, apart from escape sequences.
func (b *Board) cellText(at Square, o render.TextOptions) string {
	text := ""
	p, side, ok := b.PieceAt(at)
	switch {
	case ok && side == White:
		text = strings.ToUpper(p.letters())
	case ok:
		text = p.letters()
	case !at.odd():
		text = "."
	}
	if !o.Color && slices.Contains(o.Last, at.String()) {
		text = "*" + text
		if len(text) < cellWidth { // there is no room beside [R]n
			text += "*"
		}
	}
	blanks := cellWidth - len(text)
	text = strings.Repeat(" ", blanks/2) + text + strings.Repeat(" ", blanks-blanks/2)
	return o.Paint(text, at.String(), ok, side)
}

// letters returns the letters of the kinds, the current one in brackets.
func (p *Piece) letters() string {
	if p.Kinds[0] == King {
		return "k"
	}
	var text string
	for i, k := range p.Kinds {
		letter := string(k.letter())
		if p.State == int8(i) {
			letter = "[" + letter + "]"
		}
		text += letter
	}
	return text
}

// StillHidden returns the second kinds of a side that have not been revealed, such as "8 pawns, 2
// rooks". Those of captured pieces are included.
func (b *Board) StillHidden(side engine.Turn) string {
	var count [King]int
	for slot, k := range b.Shown(side) {
		if slot != kingSlot {
			count[k%King]++
		}
	}
	var parts []string
	for k := Pawn; k < King; k++ {
		if n := kindCount[k] - count[k]; n > 0 {
			parts = append(parts, printable.Plural(n, k.String()))
		}
	}
	if parts == nil {
		return "nothing"
	}
	return strings.Join(parts, ", ")
}
