package annotate

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"slices"
	"strings"

	"qhsh/engine"
	"qhsh/engine/printable"
	"qhsh/engine/record"
	"qhsh/engine/render"
	"qhsh/engine/xiangqi"
	"qhsh/engine/xiangqi/notation"
)

//go:embed page.html
var pageHTML string

//go:embed page.css
var pageCSS string

//go:embed page.js
var pageJS string

// A page is what page.js shows. Scores and chances are Red's.
type page struct {
	Language  string               `json:"language"`
	Notation  string               `json:"notation"`
	Notations []string             `json:"notations"`
	Tags      [][2]string          `json:"tags"`
	Red       string               `json:"red"`
	Black     string               `json:"black"`
	Result    string               `json:"result"`
	Engine    string               `json:"engine"`
	Level     *int                 `json:"level,omitempty"`
	Limits    [3]float64           `json:"limits"` // from which loss on a move is bad
	Ends      map[string]string    `json:"ends"`   // why games end, in Chinese
	Sides     map[string]jsonTally `json:"sides"`
	Start     pageNode             `json:"start"`
	Line      []pageNode           `json:"line"`
}

// A pageNode is a position and the move that led to it.
type pageNode struct {
	Number    int          `json:"n,omitempty"` // of the full move
	Black     bool         `json:"black,omitempty"`
	Points    string       `json:"move,omitempty"`  // in ICCS
	Texts     []string     `json:"texts,omitempty"` // in the page's notations
	FEN       string       `json:"fen"`
	Lead      string       `json:"lead,omitempty"`
	Comment   string       `json:"comment,omitempty"`
	Glyphs    []int        `json:"glyphs,omitempty"`
	Judgement *judgement   `json:"judged,omitempty"` // of a position of the main line
	Others    [][]pageNode `json:"others,omitempty"` // what might have been played instead of the move
}

// A judgement is what the engine says of a position, and of the move that led to it.
type judgement struct {
	jsonScore
	Win   *float64   `json:"win,omitempty"`
	Class string     `json:"class,omitempty"`
	From  *float64   `json:"from,omitempty"` // the mover's chance with the best move
	Loss  float64    `json:"loss,omitempty"`
	Depth int        `json:"depth,omitempty"`
	Line  []pageNode `json:"line,omitempty"`
	Over  string     `json:"over,omitempty"`
	Error string     `json:"error,omitempty"`
}

// pageStyles are the notations that every page has.
var pageStyles = []notation.Style{notation.Chinese, notation.Traditional, notation.WXF, notation.ICCS}

// HTML writes one page that needs nothing from elsewhere, and may not load anything: the
// game to step through by keys and mouse, on a board, with the graph of Red's chance of
// winning, variations, and the engine's lines. It begins in a language and a notation;
// the reader may choose others. The fragment of its address chooses a position by the
// number of moves before it: report.html#12.
func (a *Annotated) HTML(w io.Writer, l Language, style notation.Style) error {
	a = a.escaped()
	data, err := json.Marshal(a.page(l, style)) // it escapes <, > and &
	if err != nil {
		return err
	}
	text := strings.NewReplacer(
		"{{language}}", map[Language]string{English: "en", Chinese: "zh-Hans"}[l],
		"{{title}}", html.EscapeString(a.title()),
		"{{style}}", pageCSS,
		"{{data}}", string(data),
		"{{board}}", render.Script(),
		"{{script}}", pageJS,
	).Replace(pageHTML)
	_, err = io.WriteString(w, text)
	return err
}

// escaped is the game and who has judged it as people may read them: a page, unlike JSON, is
// not for programs.
func (a *Annotated) escaped() *Annotated {
	shown := *a
	shown.Game, shown.Engine = a.Game.Clone(), printable.Line(a.Engine)
	for i, tag := range shown.Game.Tags {
		shown.Game.Tags[i].Value = printable.Line(tag.Value)
	}
	shown.Game.Walk(func(n *record.Node) bool {
		n.Lead, n.Comment = printable.Text(n.Lead), printable.Text(n.Comment)
		return true
	})
	return &shown
}

// title is what the game is called.
func (a *Annotated) title() string {
	tags := a.Game.Tags
	red, black := known(tags.Get("Red")), known(tags.Get("Black"))
	switch {
	case red != "" || black != "":
		return fmt.Sprintf("%s – %s", orWord(red, "?"), orWord(black, "?"))
	case known(tags.Get("Title")) != "":
		return tags.Get("Title")
	}
	return orWord(known(tags.Get("Event")), "Xiangqi")
}

// known is a tag's value, unless it says that it is not known.
func known(value string) string {
	if strings.Trim(value, "?. -") == "" {
		return ""
	}
	return value
}

func orWord(text, other string) string {
	if text == "" {
		return other
	}
	return text
}

// A pager makes the nodes of a page.
type pager struct {
	*Annotated
	styles []notation.Style
}

func (a *Annotated) page(l Language, style notation.Style) *page {
	g := cleaned(a.Game)
	styles := slices.Clone(pageStyles)
	if !slices.Contains(styles, style) {
		styles = append(styles, style)
	}
	t := a.Options.Thresholds
	doc := &page{
		Language: l.String(), Notation: style.String(), Tags: [][2]string{},
		Red: known(g.Tags.Get("Red")), Black: known(g.Tags.Get("Black")), Result: record.FormatResult(g.Result), Engine: a.Engine,
		Limits: [3]float64{t.Inaccuracy, t.Mistake, t.Blunder}, Ends: reasons, Sides: map[string]jsonTally{},
	}
	for _, s := range styles {
		doc.Notations = append(doc.Notations, s.String())
	}
	for _, name := range []string{"Event", "Title", "Site", "Date", "Opening"} {
		if value := known(g.Tags.Get(name)); value != "" && value != a.title() {
			doc.Tags = append(doc.Tags, [2]string{name, value})
		}
	}
	if a.HasLevel {
		doc.Level = &a.Level
	}
	for _, side := range []xiangqi.Side{xiangqi.Red, xiangqi.Black} {
		t := a.Tally(side)
		doc.Sides[side.String()] = jsonTally{t.Judged, t.Best, t.Good, t.Inaccuracy, t.Mistake, t.Blunder, Round(t.Loss)}
	}
	p := pager{a, styles}
	start := g.Start.(*xiangqi.Position)
	doc.Start = pageNode{FEN: board(start), Comment: g.Root.Comment, Judgement: p.judgement(0)}
	doc.Line = p.line(g.Root, start, true)
	return doc
}

// board is the board of a FEN, and who is to move.
func board(p *xiangqi.Position) string {
	words := strings.Fields(p.FEN())
	return words[0] + " " + words[1]
}

// line is the moves behind a node with their variations; the judgements are those of the
// main line.
func (p pager) line(n *record.Node, pos *xiangqi.Position, main bool) []pageNode {
	nodes := []pageNode{}
	for ply := 1; len(n.Next) > 0; ply++ {
		node, next := p.node(n.Next[0], pos)
		if next == nil {
			break
		}
		if main {
			node.Judgement = p.judgement(ply)
		}
		for _, other := range n.Next[1:] {
			if first, after := p.node(other, pos); after != nil {
				node.Others = append(node.Others, append([]pageNode{first}, p.line(other, after, false)...))
			}
		}
		nodes = append(nodes, node)
		n, pos = n.Next[0], next
	}
	return nodes
}

// node is a move that is played in a position, and the position behind it; nil if it
// cannot be played.
func (p pager) node(n *record.Node, pos *xiangqi.Position) (pageNode, *xiangqi.Position) {
	m := xiangqi.Move(n.Move)
	next, err := pos.PlayMove(m)
	if err != nil {
		return pageNode{}, nil
	}
	node := pageNode{
		Number: fullMove(pos), Black: pos.Side() == xiangqi.Black, Points: m.ICCS(), FEN: board(next),
		Lead: n.Lead, Comment: n.Comment,
	}
	b := pos.Board()
	for _, style := range p.styles {
		node.Texts = append(node.Texts, notation.Format(b, m, style))
	}
	for _, glyph := range n.Glyphs {
		node.Glyphs = append(node.Glyphs, int(glyph))
	}
	return node, next
}

// fullMove is the number of the move that is played in a position.
func fullMove(p *xiangqi.Position) int {
	number := 1
	words := strings.Fields(p.FEN())
	_, _ = fmt.Sscan(words[len(words)-1], &number)
	return number
}

// judgement is what the engine says of a ply.
func (p pager) judgement(ply int) *judgement {
	at := &p.Plies[ply]
	j := &judgement{jsonScore: scoreJSON(at.Red()), Class: at.Class.String(), Loss: Round(at.Loss), Depth: at.Depth}
	if chance, ok := WinChance(at.Red(), p.Options.Scale); ok {
		chance = Round(chance)
		j.Win = &chance
	}
	if ply > 0 && at.Class.Bad() {
		from, _ := p.Chance(ply - 1)
		from = Round(from)
		j.From = &from
	}
	if at.Err != nil {
		j.Error = printable.Line(at.Err.Error())
	}
	if at.Over.Over() {
		j.Over = at.Over.Reason
		if at.Over.Outcome != engine.Draw {
			j.jsonScore = jsonScore{}
		}
	}
	pos := at.Pos
	for _, m := range at.line() {
		node, next := p.node(&record.Node{Move: engine.Move(m)}, pos)
		if next == nil {
			break
		}
		j.Line = append(j.Line, node)
		pos = next
	}
	return j
}
