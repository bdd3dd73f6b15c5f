package record

import (
	"errors"
	"slices"
	"strings"

	"golang.org/x/text/encoding/simplifiedchinese"

	"qhsh/engine/record"
	"qhsh/engine/xiangqi"
)

var errOneGame = errors.New("files of xqf and cbr hold one game: write each game to its own, or all to one of cbl")

// appendMoves appends the moves of a game to the header of a format without glyphs and counters: the root and
// the moves in the order of [treeBuilder.readTree], where a move's replies come before its alternatives.
func appendMoves(o *record.Output, g *record.Game, file []byte, add func(file []byte, m binaryMove) []byte) []byte {
	file = add(file, binaryMove{from: -1, comment: g.Root.Comment, hasReply: len(g.Root.Next) > 0})
	type step struct {
		node *record.Node
		rest []*record.Node // its alternatives
	}
	var pending []step
	push := func(nodes []*record.Node) {
		if len(nodes) > 0 {
			pending = append(pending, step{nodes[0], nodes[1:]})
		}
	}
	for push(g.Root.Next); len(pending) > 0; {
		s := pending[len(pending)-1]
		pending = pending[:len(pending)-1]
		m := xiangqi.Move(s.node.Move)
		file = add(file, binaryMove{
			from: int(m.From()), to: int(m.To()), comment: textOf(s.node),
			hasReply: len(s.node.Next) > 0, hasAlternative: len(s.rest) > 0,
		})
		push(s.rest)
		push(s.node.Next)
	}
	if !strings.HasSuffix(startPos(g).FEN(), " 0 1") {
		o.Lose("the counters of the start")
	}
	loseGlyphs(o, g)
	return file
}

// textOf returns a move's comments and glyphs in one text, for formats without glyphs.
func textOf(n *record.Node) string {
	var signs []string
	for _, glyph := range n.Glyphs {
		signs = append(signs, record.GlyphSign(glyph))
	}
	return record.JoinLines(record.JoinLines(n.StartingComment, strings.Join(signs, " ")), n.Comment)
}

// loseGlyphs records that a format without glyphs has them as text. The text is not read as glyphs
// again, because comments such as ? are common in files of other programs.
func loseGlyphs(o *record.Output, g *record.Game) {
	g.Walk(func(n *record.Node) bool {
		if len(n.Glyphs) > 0 {
			o.Lose("glyphs (written as comments)")
		}
		return true
	})
}

// putTexts calls put for each field of a header with the tag's text in it, cut to whole characters,
// and records what is lost. zeros is the number of bytes that end a field. The date is as the game's
// file had it, since the field may have any form.
func putTexts(o *record.Output, g *record.Game, fields []textField, zeros int, encode func(string) []byte, put func(f textField, raw []byte)) {
	values := map[string]string{}
	for _, f := range fields {
		values[f.name] = record.CleanLine(g.Tags.Get(f.name))
	}
	for _, tag := range g.Tags {
		written := func(f textField) bool { return strings.EqualFold(f.name, tag.Name) && values[f.name] != "" }
		switch {
		case tag.Name == record.OriginalDate && values["Date"] != "":
			values["Date"] = tag.Value
		case tag.Name != record.IllegalStart && !slices.ContainsFunc(fields, written):
			o.LoseTag(tag.Name)
		}
	}
	for _, f := range fields {
		var raw []byte
		for _, r := range values[f.name] {
			next := encode(string(r))
			if len(raw)+len(next) > f.size-zeros {
				o.Lose("the end of the tag " + f.name)
				break
			}
			raw = append(raw, next...)
		}
		put(f, raw)
	}
}

// gb18030 encodes a text, which the encoding can do with any.
func gb18030(text string) []byte {
	raw, _ := simplifiedchinese.GB18030.NewEncoder().Bytes([]byte(text))
	return raw
}
