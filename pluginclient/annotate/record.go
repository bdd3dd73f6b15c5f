package annotate

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"qhsh/engine"
	"qhsh/engine/xiangqi"
	"qhsh/engine/xiangqi/record"
)

// mostLine is how many moves of an engine's line are kept: what it expects beyond that has
// little to do with what happens.
const mostLine = 12

// line is an engine's line as far as it is kept.
func (p *Ply) line() []xiangqi.Move { return p.Line[:min(len(p.Line), mostLine)] }

// evalMark begins what an annotation says of a move. The score is in pawns for Red, or #
// and the moves to mate, as other programs write and read it.
const evalMark = "[%eval "

// Record is the game with what the engine says, in a copy: each move's score, and in words
// what a bad one has cost; the glyphs ?!, ? and ?? where the record has none of its own for
// a move's worth; and the engine's line, with its score, as a variation of a bad move. What
// an annotation has said before, by whatever engine, is replaced.
func (a *Annotated) Record(l Language) *record.Game {
	g := cleaned(a.Game)
	if g.Tags.Get("Annotator") == "" {
		g.Tags.Set("Annotator", a.Engine)
	}
	node := g.Root
	node.Comment = strings.TrimSpace(l.judgedBy(a) + "\n" + node.Comment)
	for i := range a.Plies[1:] {
		if a.Plies[i+1].Class.Bad() {
			a.Plies[i].addLine(node)
		}
		node = node.Next[0]
		a.note(node, i+1, l)
	}
	return g
}

// cleaned is a copy of a game without what an annotation has said.
func cleaned(of *record.Game) *record.Game {
	g := *of
	g.Root = copyTree(of.Root)
	g.Tags = slices.Clone(of.Tags)
	g.Root.Comment = withoutLines(g.Root.Comment, isJudgedBy)
	for n := g.Root; len(n.Next) > 0; n = n.Next[0] {
		n.Next = append(n.Next[:1:1], slices.DeleteFunc(slices.Clone(n.Next[1:]), isEngineLine)...)
		played := n.Next[0]
		glyph := glyphOf(played.Comment)
		played.Comment = withoutLines(played.Comment, isNote)
		played.Glyphs = slices.DeleteFunc(played.Glyphs, func(g uint8) bool { return g == glyph })
	}
	return &g
}

// addLine adds the engine's line behind a node. Where the record has it already, nothing
// is said of it.
func (p *Ply) addLine(n *record.Node) {
	there := len(n.Next)
	for i, m := range p.line() {
		before := n
		n = before.Add(m)
		if i == 0 && len(before.Next) > there {
			n.Comment = evalText(p.Red())
		}
	}
}

// isEngineLine knows what addLine adds.
func isEngineLine(n *record.Node) bool {
	if !evalAlone.MatchString(n.Comment) {
		return false
	}
	for ; len(n.Next) > 0; n = n.Next[0] {
		if next := n.Next[0]; len(n.Next) > 1 || next.Comment != "" || next.Lead != "" || len(next.Glyphs) > 0 {
			return false
		}
	}
	return true
}

// copyTree copies a node and all that may follow. The main line may be long, so it is no
// recursion.
func copyTree(root *record.Node) *record.Node {
	first := *root
	todo := []*record.Node{&first}
	for len(todo) > 0 {
		n := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		n.Glyphs = slices.Clone(n.Glyphs)
		n.Next = slices.Clone(n.Next)
		for i, next := range n.Next {
			one := *next
			n.Next[i] = &one
			todo = append(todo, &one)
		}
	}
	return &first
}

// note writes what is said of a move into its node.
func (a *Annotated) note(n *record.Node, ply int, l Language) {
	p := &a.Plies[ply]
	text := evalText(p.Red())
	if p.Over.Over() {
		text = strings.TrimSpace(text + " " + l.reason(p.Over.Reason))
	}
	if p.Class.Bad() {
		best, _ := a.Chance(ply - 1)
		text = strings.TrimSpace(text + " " + l.verdict(p.Class, best, best-p.Loss))
		if !slices.ContainsFunc(n.Glyphs, isWorth) {
			n.Glyphs = append(n.Glyphs, p.Class.glyph())
		}
	}
	n.Comment = strings.TrimSpace(text + "\n" + n.Comment)
}

// isWorth tells whether a glyph is one of those from ! to ?!, which say what a move is worth.
func isWorth(glyph uint8) bool { return 1 <= glyph && glyph <= 6 }

// evalText is a score for Red as other programs write it; empty if it is not known, or
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

// evalAlone is a comment that is a score, and no more.
var evalAlone = regexp.MustCompile(`^\[%eval [^\]\n]*\]$`)

// noted is a line that note has written, but for a score alone.
var noted = regexp.MustCompile(`^(\[%eval [^\]]*\] )?((Inaccuracy|Mistake|Blunder): the chance .* %\.|(缓着|失误|漏着)：胜率由.*。)$`)

// glyphOf is the glyph that belongs to what note has written, if it has called a move bad;
// else 0. An author's glyph that says something else stays.
func glyphOf(comment string) uint8 {
	for line := range strings.Lines(comment) {
		found := noted.FindStringSubmatch(strings.TrimSpace(line))
		if found == nil {
			continue
		}
		for c := Inaccuracy; c <= Blunder; c++ {
			if word := found[3] + found[4]; word == classWords[English][c] || word == classWords[Chinese][c] {
				return c.glyph()
			}
		}
	}
	return 0
}

// isNote knows a line of what note has written.
func isNote(line string) bool {
	if evalAlone.MatchString(line) || noted.MatchString(line) {
		return true
	}
	_, isReason := reasons[line]
	return isReason || slices.Contains(slices.Collect(maps.Values(reasons)), line)
}

// isJudgedBy knows what judgedBy writes.
func isJudgedBy(line string) bool {
	return strings.HasPrefix(line, "Judged by ") || strings.HasPrefix(line, "由 ") && strings.HasSuffix(line, "点评。")
}

// withoutLines is a comment without some of its lines.
func withoutLines(text string, drop func(line string) bool) string {
	lines := slices.DeleteFunc(strings.Split(text, "\n"), func(line string) bool { return drop(strings.TrimSpace(line)) })
	return strings.TrimSpace(strings.Join(lines, "\n"))
}
