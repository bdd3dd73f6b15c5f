package annotate

import (
	"cmp"
	_ "embed"
	"encoding/json"
	"html"
	"io"
	"strings"

	"qhsh/engine"
	"qhsh/engine/games"
	"qhsh/engine/printable"
	"qhsh/engine/record"
)

//go:embed page.html
var pageHTML string

//go:embed page.css
var pageCSS string

//go:embed page.js
var pageJS string

// A page is the data of page.js. Scores and chances are those of First. Arrays by side are in the
// order of the sides.
type page struct {
	Language  string                       `json:"language"`
	Notation  string                       `json:"notation"`
	Notations []string                     `json:"notations"`
	Tags      [][2]string                  `json:"tags"`
	Names     [2]string                    `json:"names"` // of the sides, in English
	Words     map[string]map[string]string `json:"words"` // translations of the game's words, by language
	Players   [2]string                    `json:"players"`
	Result    string                       `json:"result"`
	Engine    string                       `json:"engine"`
	Level     *int                         `json:"level,omitempty"`
	Limits    [3]float64                   `json:"limits"` // thresholds of loss for bad moves
	Sides     [2]jsonTally                 `json:"sides"`
	Start     pageNode                     `json:"start"`
	Line      []pageNode                   `json:"line"`
}

// A pageNode is a position and the move before it.
type pageNode struct {
	Number    int          `json:"n,omitempty"`      // of the full move
	Second    bool         `json:"second,omitempty"` // belongs to a turn of the second side
	Chance    bool         `json:"chance,omitempty"` // an outcome of chance
	Move      string       `json:"move,omitempty"`   // in the game's own notation
	Texts     []string     `json:"texts,omitempty"`  // the move in each of the page's notations
	Position  string       `json:"position"`
	Drawing   string       `json:"drawing,omitempty"` // text drawing, for a game without a drawing script
	Lead      string       `json:"lead,omitempty"`
	Comment   string       `json:"comment,omitempty"`
	Glyphs    []int        `json:"glyphs,omitempty"`
	Judgement *judgement   `json:"judged,omitempty"` // main line only
	Others    [][]pageNode `json:"others,omitempty"` // variations that start instead of the move
}

// A judgement is the analysis of a position and the class of the move before it.
type judgement struct {
	jsonScore
	Win   *float64   `json:"win,omitempty"`
	Class string     `json:"class,omitempty"`
	From  *float64   `json:"from,omitempty"` // the mover's winning chance with the best move
	Loss  float64    `json:"loss,omitempty"`
	Depth int        `json:"depth,omitempty"`
	Line  []pageNode `json:"line,omitempty"`
	Over  string     `json:"over,omitempty"`
	Error string     `json:"error,omitempty"`
}

// HTML writes a self-contained page that cannot load anything. It shows the game on a board,
// navigated by keys and mouse, with a graph of First's winning chance, variations, and the engine's
// lines. It starts in the given language and notation; readers may choose others. The fragment of
// its address selects a position by ply: report.html#12.
func (a *Annotated) HTML(w io.Writer, l Language, notation string) error {
	a = a.escaped()
	data, err := json.Marshal(a.page(l, notation)) // escapes <, > and &
	if err != nil {
		return err
	}
	text := strings.NewReplacer(
		"{{language}}", map[Language]string{English: "en", Chinese: "zh-Hans"}[l],
		"{{title}}", html.EscapeString(a.title()),
		"{{style}}", pageCSS,
		"{{data}}", string(data),
		"{{board}}", a.Options.Games.Script(a.Game.Start.Game()),
		"{{script}}", pageJS,
	).Replace(pageHTML)
	_, err = io.WriteString(w, text)
	return err
}

// escaped returns a copy with printable texts: unlike JSON, a page is read by people.
func (a *Annotated) escaped() *Annotated {
	shown := *a
	shown.Game, shown.Engine = a.Game.Clone(), printable.Line(a.Engine)
	for i, tag := range shown.Game.Tags {
		shown.Game.Tags[i].Value = printable.Line(tag.Value)
	}
	shown.Game.Walk(func(n *record.Node) bool {
		n.StartingComment, n.Comment = printable.Text(n.StartingComment), printable.Text(n.Comment)
		return true
	})
	return &shown
}

// players returns the names of the players in the order of the sides; empty if unknown.
func (a *Annotated) players() [2]string {
	style := a.Options.Games.PGN(a.Game.Start.Game())
	return [2]string{tagValue(a.Game.Tags.Get(style.First)), tagValue(a.Game.Tags.Get(style.Second))}
}

// title returns the title of the page.
func (a *Annotated) title() string {
	tags, players := a.Game.Tags, a.players()
	switch {
	case players != [2]string{}:
		return cmp.Or(players[0], "?") + " – " + cmp.Or(players[1], "?")
	case tagValue(tags.Get("Title")) != "":
		return tags.Get("Title")
	}
	return cmp.Or(tagValue(tags.Get("Event")), engine.Title(a.Game.Start.Game()))
}

// tagValue returns a tag's value, or "" if it only means unknown.
func tagValue(value string) string {
	if strings.Trim(value, "?. -") == "" {
		return ""
	}
	return value
}

// A pageBuilder creates the nodes of a page.
type pageBuilder struct {
	*Annotated
	notations []string
	hasScript bool // the page has a script that draws the board
}

func (a *Annotated) page(l Language, notation string) *page {
	g, all := withoutAnnotations(a.Game), a.Options.Games
	game := g.Start.Game()
	notations, notation := all.PageNotations(game, notation)
	t := a.Options.Thresholds
	doc := &page{
		Language: l.String(), Notation: notation, Notations: notations, Tags: [][2]string{},
		Words: map[string]map[string]string{Chinese.String(): all.Words(game, Chinese.String())}, Players: a.players(),
		Result: all.PGN(game).FormatResult(g.Result), Engine: a.Engine,
		Limits: [3]float64{t.Inaccuracy, t.Mistake, t.Blunder},
	}
	for _, name := range []string{"Event", "Title", "Site", "Date", "Opening"} {
		if value := tagValue(g.Tags.Get(name)); value != "" && value != a.title() {
			doc.Tags = append(doc.Tags, [2]string{name, value})
		}
	}
	if a.Limits.HasLevel {
		doc.Level = &a.Limits.Level
	}
	for _, side := range sides {
		doc.Names[side], doc.Sides[side] = engine.SideName(game, side), a.jsonTally(side)
	}
	p := pageBuilder{a, notations, all.Script(game) != ""}
	doc.Start = p.positionNode(g.Start)
	doc.Start.Comment, doc.Start.Judgement = g.Root.Comment, p.judgement(0, 1)
	doc.Line = p.line(g.Root, g.Start, 1, true)
	return doc
}

// positionNode returns a node that has only a position.
func (p pageBuilder) positionNode(pos engine.Position) pageNode {
	node := pageNode{Position: pos.String()}
	if !p.hasScript {
		node.Drawing = p.Options.Games.Draw(pos, games.TextOptions{})
	}
	return node
}

// line returns the moves after n with their variations; main adds the judgements of the main line.
// number is the number of the next full move.
func (p pageBuilder) line(n *record.Node, pos engine.Position, number int, main bool) []pageNode {
	nodes := []pageNode{}
	for ply := 1; len(n.Next) > 0; ply++ {
		node, next := p.node(n.Next[0], pos, number)
		if next == nil {
			break
		}
		if main {
			node.Judgement = p.judgement(ply, nextNumber(node, next))
		}
		for _, other := range n.Next[1:] {
			if first, after := p.node(other, pos, number); after != nil {
				node.Others = append(node.Others, append([]pageNode{first}, p.line(other, after, nextNumber(first, after), false)...))
			}
		}
		nodes = append(nodes, node)
		n, pos, number = n.Next[0], next, nextNumber(node, next)
	}
	return nodes
}

// nextNumber returns the number of the move after a node, for games without a MoveCounter: it
// increases when First is to move again.
func nextNumber(node pageNode, pos engine.Position) int {
	if node.Second && pos.Turn() == engine.First {
		return node.Number + 1
	}
	return node.Number
}

// owner returns the side whose turn it is. A chance move belongs to the turn of the side that moved
// before it.
func owner(pos engine.Position) engine.Turn {
	for pos.Turn() == engine.Chance {
		before, _, err := engine.TakeBack(pos)
		if err != nil || before == nil {
			break
		}
		pos = before
	}
	return pos.Turn()
}

// node returns the node of a move and the position after it; nil if the move is illegal.
func (p pageBuilder) node(n *record.Node, pos engine.Position, number int) (pageNode, engine.Position) {
	next, err := pos.Play(n.Move)
	if err != nil {
		return pageNode{}, nil
	}
	node := p.positionNode(next)
	node.Number, node.Second, node.Chance = number, owner(pos) == engine.Second, pos.Turn() == engine.Chance
	node.Move, node.Lead, node.Comment = pos.Format(n.Move), n.StartingComment, n.Comment
	if counter, ok := games.Ability[games.MoveCounter](p.Options.Games, pos.Game()); ok {
		node.Number = counter.MoveNumber(pos)
	}
	for _, notation := range p.notations {
		node.Texts = append(node.Texts, p.formatMoves(pos, []engine.Move{n.Move}, notation)[0])
	}
	for _, glyph := range n.Glyphs {
		node.Glyphs = append(node.Glyphs, int(glyph))
	}
	return node, next
}

// judgement returns the judgement of a ply. number is the number of the move after it.
func (p pageBuilder) judgement(ply, number int) *judgement {
	at := &p.Plies[ply]
	j := &judgement{jsonScore: scoreJSON(at.firstScore()), Class: at.Class.String(), Loss: Round(at.Loss), Depth: at.Depth}
	if chance, ok := at.firstScore().WinChance(p.Options.Scale); ok {
		chance = Round(chance)
		j.Win = &chance
	}
	if ply > 0 && at.Class.isBad() {
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
	var root record.Node
	n := &root
	for _, m := range at.line() {
		n = n.Append(m)
	}
	j.Line = p.line(&root, at.Pos, number, false)
	return j
}
