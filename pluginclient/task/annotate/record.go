package annotate

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"qhsh/engine"
	"qhsh/engine/record"
)

// maxLine is how many moves of an engine's line are kept: what it expects beyond that has
// little to do with what happens.
const maxLine = 12

// line returns an engine's line as far as it is kept.
func (p *Ply) line() []engine.Move { return p.Line[:min(len(p.Line), maxLine)] }

// What an annotation says of a move is a line of the comment after it. It begins with the
// score in pawns for the side that moves first, or # and the moves to mate, as other programs write and read it,
// and if there is more, a mark of our own: [%qhsh mistake]. By these it is known again; the
// words after them are for people. Other words are their author's.
const (
	evalMark   = "[%eval "
	markNote   = "note"   // of a move that has a glyph of its author's, or of the game's end
	markEngine = "judged" // who has judged it
	markLine   = "line"   // a variation of the engine's
)

// mark returns a mark. The name of a class is one, too: of a move that has the glyph of the class.
func mark(word string) string { return "[%qhsh " + word + "]" }

// markPattern is a line of a comment that has a mark, or is a score alone.
var markPattern = regexp.MustCompile(`^(?:\[%eval [^\]\n]*\] ?)?(?:\[%qhsh ([a-z]+)\].*)?$`)

// parseMark returns the mark of a line; ours reports whether an annotation has written it.
func parseMark(line string) (word string, ours bool) {
	found := markPattern.FindStringSubmatch(line)
	if line == "" || found == nil {
		return "", false
	}
	return found[1], true
}

// Record returns the game with what the engine says, in a copy: each move's score, and in words
// what a bad one has cost; the glyphs ?!, ? and ?? where the record has none of its own for
// a move's worth; and the engine's line, with its score, as a variation of a bad move, even
// where the record has one that begins so. What an annotation has said before, and the
// scores of whatever program, are replaced.
func (a *Annotated) Record(l Language) *record.Game {
	g := withoutAnnotations(a.Game)
	if g.Tags.Get("Annotator") == "" {
		g.Tags.Set("Annotator", a.Engine)
	}
	node := g.Root
	node.Comment = strings.TrimSpace(mark(markEngine) + " " + l.judgedBy(a) + "\n" + node.Comment)
	for i := range a.Plies[1:] {
		if a.Plies[i+1].Class.isBad() {
			a.Plies[i].addLine(node)
		}
		node = node.Next[0]
		a.note(node, i+1, l)
	}
	return g
}

// withoutAnnotations returns a copy of a game without what an annotation has said.
func withoutAnnotations(of *record.Game) *record.Game {
	g := of.Clone()
	removeAnnotation(g.Root)
	for n := g.Root; len(n.Next) > 0; n = n.Next[0] {
		n.Next = append(n.Next[:1:1], slices.DeleteFunc(slices.Clone(n.Next[1:]), isEngineLine)...)
		removeAnnotation(n.Next[0])
	}
	return g
}

// removeAnnotation takes what an annotation has said of a move off its node, and the glyph that it has
// given.
func removeAnnotation(n *record.Node) {
	lines := slices.DeleteFunc(strings.Split(n.Comment, "\n"), func(line string) bool {
		word, ours := parseMark(strings.TrimSpace(line))
		if c := slices.Index(classNames[:], word); c > 0 {
			n.Glyphs = slices.DeleteFunc(n.Glyphs, func(glyph uint8) bool { return glyph == Class(c).glyph() })
		}
		return ours
	})
	n.Comment = strings.TrimSpace(strings.Join(lines, "\n"))
}

// addLine adds the engine's line after a node.
func (p *Ply) addLine(n *record.Node) {
	for i, m := range p.line() {
		next := &record.Node{Move: engine.Move(m)}
		if i == 0 {
			next.Comment = strings.TrimSpace(evalText(p.firstScore()) + " " + mark(markLine))
		}
		n.Next = append(n.Next, next)
		n = next
	}
}

// isEngineLine knows what addLine adds, unless somebody has added to it.
func isEngineLine(n *record.Node) bool {
	if word, _ := parseMark(n.Comment); word != markLine {
		return false
	}
	for ; len(n.Next) > 0; n = n.Next[0] {
		if next := n.Next[0]; len(n.Next) > 1 || next.Comment != "" || next.StartingComment != "" || len(next.Glyphs) > 0 {
			return false
		}
	}
	return true
}

// note writes what is said of a move into its node.
func (a *Annotated) note(n *record.Node, ply int, l Language) {
	p := &a.Plies[ply]
	text := []string{evalText(p.firstScore())}
	if p.Class.isBad() {
		best, _ := a.Chance(ply - 1)
		word := markNote
		if !slices.ContainsFunc(n.Glyphs, isMoveGlyph) {
			word = p.Class.String()
			n.Glyphs = append(n.Glyphs, p.Class.glyph())
		}
		text = append(text, mark(word), l.describeLoss(p.Class, best, best-p.Loss))
	}
	if p.Over.Over() {
		text = append(text, mark(markNote), a.Options.Games.Word(a.Game.Start.Game(), l.String(), p.Over.Reason))
	}
	n.Comment = strings.TrimSpace(strings.TrimSpace(strings.Join(text, " ")) + "\n" + n.Comment)
}

// isMoveGlyph reports whether a glyph is one of those from ! to ?!, which say what a move is worth.
func isMoveGlyph(glyph uint8) bool { return 1 <= glyph && glyph <= 6 }

// evalText returns a score for the first side as other programs write it; empty if it is not known, or
// nobody needs it any more.
func evalText(s engine.Score) string {
	if cp, ok := s.Centipawns(); ok {
		return fmt.Sprintf("%s%.2f]", evalMark, float64(cp)/100)
	}
	if n, ok := s.Mate(); ok && n != 0 {
		return fmt.Sprintf("%s#%d]", evalMark, n)
	}
	return ""
}
