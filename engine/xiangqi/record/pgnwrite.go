package record

import (
	"fmt"
	"io"
	"strings"

	"github.com/mattn/go-runewidth"

	"qhsh/engine/printable"
	"qhsh/engine/record"
	"qhsh/engine/xiangqi"
	"qhsh/engine/xiangqi/notation"
)

// pgnWidth is how many columns a line of moves has at most.
const pgnWidth = 80

// roster are the tags that stand first.
var roster = []string{"Event", "Site", "Date", "Round", "Red", "Black"}

// formats are the values of the Format tag; the format that needs none is Chinese.
var formats = map[notation.Style]string{notation.ICCS: "ICCS", notation.UCI: "UCI", notation.WXF: "WXF", notation.SAN: "SAN"}

func writePGN(w *Writer, g *Game) error {
	var text strings.Builder
	if w.count > 1 {
		text.WriteByte('\n')
	}
	writeTags(&text, g, w.style)
	text.WriteByte('\n')
	p := pgnWriter{text: &text, board: startPos(g).Board(), style: w.style, ply: firstPly(startPos(g))}
	p.comment(g.Root.Comment)
	p.line(g.Root, true)
	p.word(record.FormatResult(g.Result))
	text.WriteByte('\n')
	_, err := io.WriteString(w.w, text.String())
	return err
}

// firstPly is twice the number of the move that a position's FEN has, and 1 more for Black.
func firstPly(p *xiangqi.Position) int {
	number := 1
	fen := p.FEN()
	_, _ = fmt.Sscan(fen[strings.LastIndexByte(fen, ' ')+1:], &number)
	return 2*number + int(p.Side())
}

func writeTags(text *strings.Builder, g *Game, style notation.Style) {
	tag := func(name, value string) {
		fmt.Fprintf(text, "[%s \"%s\"]\n", name, escape.Replace(printable.Line(strings.TrimSpace(value))))
	}
	tag("Game", "Chinese Chess")
	for _, name := range roster {
		value := g.Tags.Get(name)
		if value == "" {
			value = "?"
		}
		tag(name, value)
	}
	tag("Result", record.FormatResult(g.Result))
	for _, t := range g.Tags {
		if !contains(roster, t.Name) && isTagName(t.Name) {
			tag(t.Name, t.Value)
		}
	}
	if fen := startPos(g).FEN(); fen != xiangqi.StartFEN {
		tag("SetUp", "1")
		tag("FEN", fen)
	}
	if format := formats[style]; format != "" {
		tag("Format", format)
	}
}

func contains(names []string, name string) bool {
	for _, n := range names {
		if strings.EqualFold(n, name) {
			return true
		}
	}
	return false
}

// isTagName tells whether PGN can have a tag of that name, and it means nothing else.
func isTagName(name string) bool {
	if name == "" || !isLetter(name[0]) || contains([]string{"Game", "Result", "SetUp", "FEN", "Format"}, name) {
		return false
	}
	return strings.TrimFunc(name, func(r rune) bool { return r < 0x80 && isNameByte(byte(r)) }) == ""
}

var escape = strings.NewReplacer(`\`, `\\`, `"`, `\"`)

// A pgnWriter writes the moves of a game. The board stands at the node whose followers are
// written.
type pgnWriter struct {
	text  *strings.Builder
	board *xiangqi.Board
	style notation.Style
	ply   int  // of the next move: 2 x the number of the full move, and 1 more for Black
	used  int  // columns of the line
	tight bool // no blank before the next word
}

// line writes the moves behind a node. Black's first has its number if numbered is set.
func (p *pgnWriter) line(n *Node, numbered bool) {
	depth := 0
	for ; len(n.Next) > 0; depth++ {
		main := n.Next[0]
		p.move(main, numbered)
		p.comment(record.JoinLines(main.Lead, main.Comment))
		numbered = main.Lead+main.Comment != ""
		for _, other := range n.Next[1:] {
			p.variation(other)
			numbered = true
		}
		p.play(main)
		n = main
	}
	for range depth {
		p.undo()
	}
}

// variation writes what might have been played, and what behind it.
func (p *pgnWriter) variation(n *Node) {
	p.word("(")
	p.tight = true
	p.comment(n.Lead)
	p.move(n, true)
	p.comment(n.Comment)
	p.play(n)
	p.line(n, n.Comment != "")
	p.undo()
	p.tight = true
	p.word(")")
}

func (p *pgnWriter) play(n *Node) {
	p.board.Do(xiangqi.Move(n.Move))
	p.ply++
}

func (p *pgnWriter) undo() {
	p.board.Undo()
	p.ply--
}

// move writes a move with its number and glyphs.
func (p *pgnWriter) move(n *Node, numbered bool) {
	text := notation.Format(p.board, xiangqi.Move(n.Move), p.style)
	switch {
	case p.ply%2 == 0:
		text = fmt.Sprintf("%d. %s", p.ply/2, text)
	case numbered:
		text = fmt.Sprintf("%d... %s", p.ply/2, text)
	}
	p.word(text)
	for _, glyph := range n.Glyphs {
		p.word(fmt.Sprintf("$%d", glyph))
	}
}

// comment writes a comment. What would end it, or would look like the tag of another game,
// is changed, and what a terminal would obey is escaped: people read PGN as it is.
func (p *pgnWriter) comment(text string) {
	if text == "" {
		return
	}
	text = unbraced.Replace(printable.Text(text))
	p.word("{" + tagLine.ReplaceAllStringFunc(text, func(tag string) string {
		return strings.Replace(tag, "[", "(", 1)
	}) + "}")
}

var unbraced = strings.NewReplacer("{", "(", "}", ")")

// word writes a word, in the next line if this one is full.
func (p *pgnWriter) word(word string) {
	n := width(word)
	switch {
	case p.used == 0, p.tight:
	case p.used+1+n > pgnWidth:
		p.text.WriteByte('\n')
		p.used = 0
	default:
		p.text.WriteByte(' ')
		p.used++
	}
	p.tight = false
	p.text.WriteString(word)
	p.used += n
	if end := strings.LastIndexByte(word, '\n'); end >= 0 {
		p.used = width(word[end+1:])
	}
}

// wide counts the columns of a text on a terminal. What is of either width is narrow.
var wide = &runewidth.Condition{}

// width is how many columns a text takes.
func width(text string) int {
	n := 0
	for _, r := range text {
		n += wide.RuneWidth(r)
	}
	return n
}
