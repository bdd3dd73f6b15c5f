package exercise

import (
	"slices"

	"qhsh/engine"
	"qhsh/engine/record"
	"qhsh/pluginclient/task/annotate"
)

// A Mistake is a move that a record marks as bad, and a better one.
type Mistake struct {
	Ply    int             // of the move, from 1
	Before engine.Position // the move
	Better *record.Node
}

// Mistakes returns the bad moves of the sides for which isOf is true, as far as the record has a better move: that of
// an engine, or else the first one.
func Mistakes(g *record.Game, isOf func(engine.Turn) bool) (all []Mistake) {
	ply := 0
	for n, pos := range g.Positions(false) {
		ply++
		if len(n.Next) > 0 && isBad(n.Next[0]) && pos.Turn() != engine.Chance && isOf(pos.Turn()) {
			better := GoodMoves(n)
			i := max(slices.IndexFunc(better, func(n *record.Node) bool { return annotate.IsBetterLine(n.Comment) }), 0)
			if len(better) > 0 {
				all = append(all, Mistake{ply, pos, better[i]})
			}
		}
	}
	return all
}

func isBad(n *record.Node) bool {
	return slices.ContainsFunc(n.Glyphs, func(glyph uint8) bool { return glyph == 2 || glyph == 4 || glyph == 6 }) // ?, ?? and ?!
}

// GoodMoves returns the moves after a node that are not marked as bad.
func GoodMoves(n *record.Node) []*record.Node {
	return slices.DeleteFunc(slices.Clone(n.Next), isBad)
}
