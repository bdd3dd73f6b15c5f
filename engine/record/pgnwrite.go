package record

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"qhsh/engine"
	"qhsh/engine/lazyregexp"
	"qhsh/engine/printable"
)

// A PGNText builds the PGN of a game: its tags, an empty line, and the moves in lines of up to 80
// columns. The zero PGNText is empty.
type PGNText struct {
	strings.Builder
	column  int  // columns used in the current line
	noSpace bool // no space before the next word
}

// pgnWidth is the maximum number of columns of a line of moves.
const pgnWidth = 80

// Tag writes a tag.
func (t *PGNText) Tag(name, value string) {
	fmt.Fprintf(t, "[%s \"%s\"]\n", name, escape.Replace(printable.Line(value)))
}

var escape = strings.NewReplacer(`\`, `\\`, `"`, `\"`)

// Comment writes a comment. Text that would end it or look like a tag is changed, and control
// characters are escaped, because people read PGN as it is.
func (t *PGNText) Comment(text string) {
	text = replaceBraces.Replace(printable.Text(text))
	t.Word("{" + tagLine().ReplaceAllStringFunc(text, func(tag string) string {
		return strings.Replace(tag, "[", "(", 1)
	}) + "}")
}

var replaceBraces = strings.NewReplacer("{", "(", "}", ")")

// Chance writes a chance move in a comment, so that programs without chance ignore it.
func (t *PGNText) Chance(move string) { t.Comment(chanceMark + move) }

// Word writes a word, on the next line if it does not fit.
func (t *PGNText) Word(word string) {
	n := width(word)
	switch {
	case t.column == 0, t.noSpace:
	case t.column+1+n > pgnWidth:
		t.WriteByte('\n')
		t.column = 0
	default:
		t.WriteByte(' ')
		t.column++
	}
	t.noSpace = false
	t.WriteString(word)
	t.column += n
	if end := strings.LastIndexByte(word, '\n'); end >= 0 {
		t.column = width(word[end+1:])
	}
}

func width(text string) int {
	n := 0
	for _, r := range text {
		n += printable.Width.RuneWidth(r)
	}
	return n
}

func writePGN(o *Output, g *Game) error {
	p := pgnWriter{out: o, board: o.lib.Board(g.Start, o.Notation), counter: newCounter(o.lib.Number(g.Start))}
	if o.Number > 1 {
		p.WriteByte('\n')
	}
	p.tags(o, g)
	p.WriteByte('\n')
	p.comment(g.Root.Comment)
	p.line(g.Root, true)
	p.Word(o.lib.style(g).FormatResult(g.Result))
	p.WriteByte('\n')
	_, err := io.WriteString(o, p.String())
	return err
}

// A pgnWriter writes a game. The board is at the node whose children are being written.
type pgnWriter struct {
	PGNText
	out     *Output
	board   Board
	counter counter
}

func (p *pgnWriter) tags(o *Output, g *Game) {
	style := o.lib.style(g)
	players := style.Players()
	roster := []string{"Event", "Site", "Date", "Round", players[0], players[1]} // come first
	result := style.FormatResult(g.Result)
	p.Tag("Game", style.Game)
	for _, name := range roster {
		value := cmp.Or(strings.TrimSpace(g.Tags.Get(name)), "?")
		p.Tag(name, o.Line(value))
	}
	p.Tag("Result", result)
	for _, t := range style.Tags {
		roster = append(roster, t.Name)
		p.Tag(t.Name, t.Value)
	}
	for _, t := range g.Tags {
		switch {
		case contains(roster, t.Name):
		case validTag().MatchString(t.Name) && !contains([]string{"Game", "Result", "SetUp", "FEN", "Format"}, t.Name):
			p.Tag(t.Name, o.Line(strings.TrimSpace(t.Value)))
		default:
			o.LoseTag(t.Name)
		}
	}
	if start := g.Start.String(); start != style.Start {
		p.Tag("SetUp", "1")
		p.Tag("FEN", start)
	}
	if format := style.Formats[o.Notation]; format != "" {
		p.Tag("Format", format)
	}
}

func contains(names []string, name string) bool {
	return slices.ContainsFunc(names, func(n string) bool { return strings.EqualFold(n, name) })
}

var validTag = lazyregexp.New(`^[A-Za-z][A-Za-z0-9_]*$`)

func (p *pgnWriter) comment(text string) {
	if text == "" {
		return
	}
	if strings.ContainsAny(text, "{}") {
		p.out.Lose("braces in comments (written as parentheses)")
	}
	if tagLine().MatchString(text) {
		p.out.Lose("tags in comments (written with a parenthesis)")
	}
	p.Comment(p.out.Text(text))
}

// line writes the moves after a node. A reply is numbered too if numbered is set.
func (p *pgnWriter) line(n *Node, numbered bool) {
	depth := 0
	for ; len(n.Next) > 0; depth++ {
		main, before := n.Next[0], p.counter
		p.move(main, numbered)
		p.comment(JoinLines(main.StartingComment, main.Comment))
		numbered = main.StartingComment+main.Comment != ""
		after := p.counter
		for _, other := range n.Next[1:] {
			p.counter = before
			p.Word("(")
			p.noSpace = true
			p.comment(other.StartingComment)
			p.move(other, true)
			p.comment(other.Comment)
			p.board.Do(other.Move)
			p.line(other, other.Comment != "")
			p.board.Undo()
			p.noSpace = true
			p.Word(")")
			numbered = true
		}
		p.counter = after
		p.board.Do(main.Move)
		n = main
	}
	for range depth {
		p.board.Undo()
	}
}

func (p *pgnWriter) move(n *Node, numbered bool) {
	if turn := p.board.Turn(); turn == engine.Chance {
		p.Chance(p.board.Format(n.Move))
	} else {
		text := PGNWord(p.board.Format(n.Move))
		if plain := p.counter.next(turn); !plain || numbered {
			text = p.counter.String() + " " + text
		}
		p.Word(text)
	}
	for _, glyph := range n.Glyphs {
		p.Word(fmt.Sprintf("$%d", glyph))
	}
}
