package annotate

import (
	"slices"
	"strings"

	"qhsh/engine"
	"qhsh/engine/lazyregexp"
	"qhsh/engine/record"
	"qhsh/pluginclient/task/explore"
)

// maxLine is the maximum length of an engine's line in a record: later moves are rarely relevant.
const maxLine = 12

// line returns the first maxLine moves of the engine's line.
func (p *Ply) line() []engine.Move { return p.Line[:min(len(p.Line), maxLine)] }

// The annotation of a move is one line of the comment after it. It starts with the score in pawns
// for First, or # and the moves to mate, in the syntax of other programs, and may have a mark of
// qhsh: [%qhsh mistake]. Lines with these are recognised as annotations when a game is annotated
// again; other lines are the author's.
const (
	markNote   = "note"   // a move with a glyph of the author or without a mark, or the end of the game
	markEngine = "judged" // names the engine
	markLine   = "line"   // a variation by the engine
	markLuck   = "luck"   // an outcome of chance that changes much
	markNew    = "new"    // the first new move
)

// noveltyGlyph is the PGN glyph (NAG) of a new move.
const noveltyGlyph = 146

// mark returns a mark. The name of a class is a mark too: of a move that has the class's glyph.
func mark(word string) string { return "[%qhsh " + word + "]" }

// evalPattern matches a score in a comment, which may stand beside other commands and text.
var evalPattern = lazyregexp.New(` ?\[%eval [^\]\n]*\]`)

// markPattern matches a line of a comment that has a mark, or only a score.
var markPattern = lazyregexp.New(`^(?:\[%eval [^\]\n]*\] ?)?(?:\[%qhsh ([a-z]+)\].*)?$`)

// parseMark returns the mark of a line; ours reports whether the line is an annotation.
func parseMark(line string) (word string, ours bool) {
	found := markPattern().FindStringSubmatch(line)
	if line == "" || found == nil {
		return "", false
	}
	return found[1], true
}

// Record returns a copy of the game with annotations: the score of each move, a sentence on each
// bad one and on each outcome of chance that changes much, the reasons that are proved, the glyphs ?!, ? and ?? for moves without such a glyph, and the engine's line, with its
// score, as a variation of each bad move, even if the record has the same variation. Earlier
// annotations, and scores of any program, are replaced.
func (a *Annotated) Record(l Language) *record.Game {
	g := withoutAnnotations(a.Game)
	if g.Tags.Get("Annotator") == "" {
		g.Tags.Set("Annotator", a.Engine)
	}
	node := g.Root
	node.Comment = strings.TrimSpace(mark(markEngine) + " " + l.judgedBy(a) + "\n" + node.Comment)
	for i := range a.Plies[1:] {
		if before, n := &a.Plies[i], node; a.Plies[i+1].Class.isBad() {
			for ply, m := range before.line() {
				next := &record.Node{Move: m}
				if ply == 0 {
					next.Comment = strings.TrimSpace(record.FormatEval(before.firstScore()) + " " + mark(markLine))
				}
				n.Next = append(n.Next, next)
				n = next
			}
		}
		node = node.Next[0]
		a.note(node, i+1, l)
	}
	return g
}

// withoutAnnotations returns a copy of a game without annotations.
func withoutAnnotations(of *record.Game) *record.Game {
	g := of.Clone()
	removeAnnotation(g.Root)
	for n := g.Root; len(n.Next) > 0; n = n.Next[0] {
		n.Next = append(n.Next[:1:1], slices.DeleteFunc(slices.Clone(n.Next[1:]), isEngineLine)...)
		removeAnnotation(n.Next[0])
	}
	return g
}

// removeAnnotation removes the annotation of a move, the glyph that came with it, and scores within
// other lines.
func removeAnnotation(n *record.Node) {
	var lines []string
	for line := range strings.SplitSeq(n.Comment, "\n") {
		word, ours := parseMark(strings.TrimSpace(line))
		if c := slices.Index(classNames[:], word); c > 0 {
			n.Glyphs = slices.DeleteFunc(n.Glyphs, func(glyph uint8) bool { return glyph == Class(c).glyph() })
		}
		if word == markNew {
			n.Glyphs = slices.DeleteFunc(n.Glyphs, func(glyph uint8) bool { return glyph == noveltyGlyph })
		}
		rest := evalPattern().ReplaceAllString(line, "")
		if !ours && (rest == line || strings.TrimSpace(rest) != "") {
			lines = append(lines, rest)
		}
	}
	n.Comment = strings.TrimSpace(strings.Join(lines, "\n"))
}

// placePattern matches a sentence of an annotation that names a point, or in Chinese a file.
var placePattern = lazyregexp.New(` ?[^].。]*(?: (?:on|from) [A-Z]\d|路)[^.。]*[.。]`)

// WithoutPlaces returns the comment of a move without the sentences of an annotation that name places of its board.
func WithoutPlaces(comment string) string {
	lines := strings.Split(comment, "\n")
	for i, line := range lines {
		if _, ours := parseMark(strings.TrimSpace(line)); ours {
			lines[i] = placePattern().ReplaceAllString(line, "")
		}
	}
	return strings.Join(lines, "\n")
}

// IsBetterLine reports whether a comment is that of the first move of an engine's better line.
func IsBetterLine(comment string) bool {
	word, _ := parseMark(comment)
	return word == markLine
}

// isEngineLine reports whether n was added by Record and has not been edited.
func isEngineLine(n *record.Node) bool {
	if !IsBetterLine(n.Comment) {
		return false
	}
	for ; len(n.Next) > 0; n = n.Next[0] {
		if next := n.Next[0]; len(n.Next) > 1 || next.Comment != "" || next.StartingComment != "" || len(next.Glyphs) > 0 {
			return false
		}
	}
	return true
}

// noveltyJSON returns the first new move, if there is one, in a notation.
func (a *Annotated) noveltyJSON(notation string) explore.NoveltyJSON {
	return a.Opening.Novelty.JSON(explore.WriteOptions{Games: a.Options.Games, Notation: notation})
}

// isNew reports whether the move of a ply is the first new one.
func (a *Annotated) isNew(ply int) bool {
	return a.Opening.Novelty != nil && a.Opening.Novelty.Ply == ply
}

// Sentences returns what is said of a judged move: how much it loses, if it is bad, and the reasons.
func (a *Annotated) Sentences(ply int, l Language) (all []string) {
	p := &a.Plies[ply]
	if best, _ := a.Chance(ply - 1); p.Class.isBad() {
		all = append(all, l.describeLoss(p.Class, best, best-p.Loss))
	}
	for _, r := range p.Reasons {
		all = append(all, l.Choose(r.English, r.Chinese))
	}
	return all
}

// note adds the annotation of a move to its node.
func (a *Annotated) note(n *record.Node, ply int, l Language) {
	p := &a.Plies[ply]
	text := []string{record.FormatEval(p.firstScore())}
	if p.Class.isBad() {
		word := markNote
		isRated := func(glyph uint8) bool { return 1 <= glyph && glyph <= 6 } // from ! to ?!
		if !slices.ContainsFunc(n.Glyphs, isRated) {
			word = p.Class.String()
			n.Glyphs = append(n.Glyphs, p.Class.glyph())
		}
		text = append(text, mark(word))
	} else if len(p.Reasons) > 0 {
		text = append(text, mark(markNote))
	}
	text = append(text, a.Sentences(ply, l)...)
	if game := a.Game.Start.Game(); a.isLuck(ply) {
		before, after, _ := a.luck(ply)
		side := a.Options.Games.Word(game, l.String(), engine.SideName(game, engine.First))
		text = append(text, mark(markLuck), l.describeLuck(side, before, after))
	}
	if p.Over.Over() {
		text = append(text, mark(markNote), a.Options.Games.Word(a.Game.Start.Game(), l.String(), p.Over.Reason))
	}
	lines := strings.TrimSpace(strings.Join(text, " "))
	if a.isNew(ply) {
		n.Glyphs = append(n.Glyphs, noveltyGlyph)
		lines += "\n" + mark(markNew) + " " + l.describeNovelty(a.noveltyJSON(""))
	}
	n.Comment = strings.TrimSpace(lines + "\n" + n.Comment)
}
