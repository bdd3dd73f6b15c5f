package record

import (
	"fmt"
	"html"
	"io"
	"strings"

	"qhsh/engine"
	"qhsh/engine/lazyregexp"
	"qhsh/engine/record"
	"qhsh/engine/xiangqi"
)

// dhtmlResults are the results as dpxq.com writes them.
var dhtmlResults = map[engine.Outcome]string{engine.FirstWins: "红胜", engine.SecondWins: "黑胜", engine.Draw: "和棋"}

// A dhtmlWriter writes a game. Variations are numbered in the order in which they are written.
type dhtmlWriter struct {
	out           *record.Output
	isPage        bool
	text          strings.Builder
	lastVariation int // number of the last variation
}

// dhtmlPage begins a page. Its first < makes the reader unescape the values.
const dhtmlPage = `<!DOCTYPE html>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'">
<title>DhtmlXQ</title>
<pre>
`

// dhtmlHead are the tags that each game must have for other readers: the version, and the size of the board in a page.
const dhtmlHead = "[DhtmlXQ_ver]www_dpxq_com[/DhtmlXQ_ver]\n[DhtmlXQ_init]500,350[/DhtmlXQ_init]\n"

// writeDhtmlXQ writes a game, as one of a web page if isPage is set.
func writeDhtmlXQ(o *record.Output, g *record.Game, isPage bool) error {
	d := &dhtmlWriter{out: o, isPage: isPage}
	switch {
	case o.Number > 1:
		d.text.WriteByte('\n')
	case isPage:
		d.text.WriteString(dhtmlPage)
	}
	d.text.WriteString(dhtmlOpen + "\n" + dhtmlHead)
	for _, tag := range g.Tags {
		if name := dhtmlKey(tag.Name); validName().MatchString(name) && !isDhtmlReserved(name) {
			d.tag(name, o.Line(strings.TrimSpace(tag.Value)))
		} else {
			o.LoseTag(tag.Name)
		}
	}
	d.tag("result", dhtmlResults[g.Result])
	d.tag("binit", binit(startPos(g)))
	if fen := startPos(g).FEN(); !strings.HasSuffix(fen, " 0 1") || len(g.Root.Next) == 0 && startPos(g).Side() == xiangqi.Black {
		d.tag("fen", fen)
	}
	d.comment(0, 0, g.Root.Comment)
	d.line(0, 0, 1, g.Root, nil)
	d.text.WriteString(dhtmlClose + "\n")
	loseGlyphs(o, g)
	_, err := io.WriteString(o, d.text.String())
	return err
}

func dhtmlKey(name string) string {
	for _, pair := range dhtmlNames {
		if strings.EqualFold(name, pair[1]) {
			return pair[0]
		}
	}
	return name
}

// tag writes a tag, unless its value is empty.
func (d *dhtmlWriter) tag(name, value string) {
	if value == "" {
		return
	}
	fmt.Fprintf(&d.text, "[DhtmlXQ_%s]%s[/DhtmlXQ_%s]\n", name, d.escape(d.out.Text(value)), name)
}

// escape returns a value without what has a meaning in the file.
func (d *dhtmlWriter) escape(value string) string {
	if d.isPage {
		return dhtmlInValue().ReplaceAllString(html.EscapeString(value), "&#91;$1")
	}
	if dhtmlInValue().MatchString(value) {
		d.out.Lose("[DhtmlXQ in texts (written with a parenthesis)")
	}
	return dhtmlInValue().ReplaceAllString(value, "($1")
}

var validName = lazyregexp.New(`^[0-9A-Za-z_]*$`)

// dhtmlInValue matches what a value must not contain: the beginning of a DhtmlXQ tag.
var dhtmlInValue = lazyregexp.New(`(?i)\[(/?DhtmlXQ)`)

func (d *dhtmlWriter) comment(line, ply int, text string) {
	name := fmt.Sprintf("comment%d", ply)
	if line != 0 {
		name = fmt.Sprintf("comment%d_%d", line, ply)
	}
	if strings.Contains(text, dhtmlNewline) {
		d.out.Lose("|| in comments (read as a new line)")
	}
	d.tag(name, strings.ReplaceAll(text, "\n", dhtmlNewline))
}

// line writes a line: first, unless it is nil, and the main moves after it; then their comments,
// then the variations.
func (d *dhtmlWriter) line(parent, id, ply int, before, first *record.Node) {
	type fork struct {
		before, first *record.Node
		ply           int
	}
	var nodes []*record.Node
	var forks []fork
	if first != nil {
		nodes, before = append(nodes, first), first
	}
	for len(before.Next) > 0 {
		for _, other := range before.Next[1:] {
			forks = append(forks, fork{before, other, ply + len(nodes)})
		}
		before = before.Next[0]
		nodes = append(nodes, before)
	}
	var moves strings.Builder
	for _, n := range nodes {
		moves.WriteString(dhtmlDigits(xiangqi.Move(n.Move).From()) + dhtmlDigits(xiangqi.Move(n.Move).To()))
	}
	name := "movelist"
	if id != 0 {
		name = fmt.Sprintf("move_%d_%d_%d", parent, ply, id)
	}
	d.tag(name, moves.String())
	for i, n := range nodes {
		d.comment(id, ply+i, textOf(n))
	}
	for _, f := range forks {
		d.lastVariation++
		d.line(id, d.lastVariation, f.ply, f.before, f.first)
	}
}

// dhtmlDigits formats a point as two digits.
func dhtmlDigits(sq xiangqi.Square) string {
	return string([]byte{'0' + byte(sq%9), '9' - byte(sq/9)})
}

// binit returns the points of the pieces in the order of binitPieces.
func binit(p *xiangqi.Position) string {
	slots, _ := pieceSlots(p)
	var text strings.Builder
	for _, sq := range slots {
		if sq < 0 {
			text.WriteString("99")
		} else {
			text.WriteString(dhtmlDigits(xiangqi.Square(sq)))
		}
	}
	return text.String()
}

// pieceSlots returns the points of the pieces in the order of binitPieces, or -1; pieces of a kind
// are ordered from their player's right. ok is false if an illegal position has more pieces of a
// kind.
func pieceSlots(p *xiangqi.Position) (slots [len(binitPieces)]int, ok bool) {
	points := map[byte][]int{} // by letter
	for i := range 90 {
		for side, sq := range [2]int{xiangqi.Red: i/9*9 + 8 - i%9, xiangqi.Black: i} {
			if piece := p.At(xiangqi.Square(sq)); piece != xiangqi.Empty && int(piece.Side()) == side {
				points[piece.Letter()] = append(points[piece.Letter()], sq)
			}
		}
	}
	for i := range slots {
		slots[i] = -1
		if left := points[binitPieces[i]]; len(left) > 0 {
			slots[i], points[binitPieces[i]] = left[0], left[1:]
		}
	}
	ok = true
	for _, left := range points {
		ok = ok && len(left) == 0
	}
	return slots, ok
}
