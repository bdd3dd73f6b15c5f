package annotate

import (
	"cmp"
	"io"

	"qhsh/engine"
	"qhsh/engine/games"
	"qhsh/engine/printable"
	"qhsh/engine/record"
	"qhsh/pluginclient/task/page"
)

// A report is the data of a [page.Report]. Scores and chances are those of First. Arrays by side are
// in the order of the sides.
type report struct {
	page.Game
	judgedGame
}

// A judgedGame is what a page tells of an annotated game.
type judgedGame struct {
	Tags    [][2]string `json:"tags"`
	Players [2]string   `json:"players"`
	Engine  string      `json:"engine"`
	Level   *int        `json:"level,omitempty"`
	Deeper  *int        `json:"deeper,omitempty"` // the level of the second look
	Book    *int        `json:"book,omitempty"`   // how many moves stand in the book
	Sides   [2]tally    `json:"sides"`
	Start   page.Move   `json:"start"`
	Line    []page.Move `json:"line"`
}

// A judgement is the analysis of a position and the class of the move before it.
type judgement struct {
	engine.ScoreJSON
	Win     *float64       `json:"win,omitempty"`
	Class   string         `json:"class,omitempty"`
	From    *float64       `json:"from,omitempty"` // the mover's winning chance with the best move
	Loss    float64        `json:"loss,omitempty"`
	Luck    *float64       `json:"luck,omitempty"` // First's winning chance before an outcome of chance that changes it much
	Reasons []games.Reason `json:"reasons,omitempty"`
	Depth   int            `json:"depth,omitempty"`
	Line    []page.Move    `json:"line,omitempty"`
	Book    bool           `json:"book,omitempty"`
	New     *novelty       `json:"new,omitempty"`
	Over    string         `json:"over,omitempty"`
	Error   string         `json:"error,omitempty"`
}

// A novelty is what is known of a new move.
type novelty struct {
	Games  int           `json:"games"` // that had the position before
	Latest []predecessor `json:"latest"`
}

// A predecessor is a game that had the position before a new move.
type predecessor struct {
	Game string     `json:"game"` // players, date, result and event
	Move *page.Node `json:"move,omitempty"`
}

// HTML writes the game as a page, see package page: with a graph of First's winning chance,
// variations, and the engine's lines. It starts in the given language and notation; readers may
// choose others.
func (a *Annotated) HTML(w io.Writer, l Language, notation string) error {
	shown := a.printable()
	doc, err := shown.report(l, notation)
	if err != nil {
		return err
	}
	return doc.Write(w, page.Report, shown.title(), doc)
}

// printable returns an annotation with printable texts: unlike JSON, a page is read by people.
func (a *Annotated) printable() *Annotated {
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
	return a.Options.Games.PGN(a.Game.Start.Game()).Names(a.Game.Tags)
}

// event returns what the game is part of; empty if unknown.
func (a *Annotated) event() string {
	return cmp.Or(a.Game.Tags.Known("Event"), a.Game.Tags.Known("Title"))
}

// title returns the title of the page.
func (a *Annotated) title() string {
	tags := a.Game.Tags
	return cmp.Or(record.Versus(a.players()), tags.Known("Title"), tags.Known("Event"), engine.Title(a.Game.Start.Game()))
}

// A pageBuilder creates the nodes of a page.
type pageBuilder struct {
	*Annotated
	page         *page.Game
	notes, lines []string // by ply, the comments in PGN of a move, and of the engine's line after it
}

func (a *Annotated) report(l Language, notation string) (*report, error) {
	g := withoutAnnotations(a.Game)
	annotated := a.Record(l)
	common, err := page.NewGame(a.Options.Games, annotated, l.String(), notation)
	if err != nil {
		return nil, err
	}
	doc := &report{common, judgedGame{
		Tags: [][2]string{}, Players: a.players(), Engine: a.Engine, Level: a.Limits.OptionalLevel(), Deeper: a.Deeper.OptionalLevel(),
	}}
	for _, name := range []string{"Event", "Title", "Site", "Date", "Opening"} {
		if value := g.Tags.Known(name); value != "" && value != a.title() {
			doc.Tags = append(doc.Tags, [2]string{name, value})
		}
	}
	if a.Options.Book != nil {
		doc.Book = &a.Opening.Plies
	}
	for _, side := range sides {
		doc.Sides[side] = a.tally(side)
	}
	p := pageBuilder{Annotated: a, page: &doc.Game}
	for n := annotated.Root; ; n = n.Next[0] {
		p.notes, p.lines = append(p.notes, n.Comment), append(p.lines, "")
		if len(n.Next) == 0 {
			break
		}
		if last := n.Next[len(n.Next)-1]; len(n.Next) > 1 && isEngineLine(last) {
			p.lines[len(p.lines)-1] = last.Comment
		}
	}
	doc.Start = page.Move{Node: doc.Root(g.Start), Comment: g.Root.Comment}
	number := doc.Start.Number
	doc.Start.Note, doc.Start.Judged = p.note(0, g.Root.Comment), p.judgement(0, number)
	doc.judgedGame.Line = doc.Game.Line(g.Root, g.Start, number, func(m *page.Move, _ *record.Node, next engine.Position, ply int) {
		if ply > 0 {
			m.Note, m.Judged = p.note(ply, m.Comment), p.judgement(ply, m.NextNumber(next))
		}
	})
	return doc, nil
}

// note returns the comment in PGN of the move of a ply; empty if it is the record's own.
func (p *pageBuilder) note(ply int, comment string) string {
	if p.notes[ply] == comment {
		return ""
	}
	return p.notes[ply]
}

// judgement returns the judgement of a ply. number is the number of the move after it.
func (p *pageBuilder) judgement(ply, number int) *judgement {
	at := &p.Plies[ply]
	j := &judgement{
		ScoreJSON: at.firstScore().JSON(), Win: rounded(p.chanceOf(at, engine.First)),
		Class: at.Class.String(), Loss: Round(at.Loss), Reasons: at.Reasons, Depth: at.Depth, Book: at.Book,
	}
	if p.isNew(ply) {
		j.New = p.novelty()
	}
	if ply > 0 && at.Class.isBad() {
		j.From = rounded(p.Chance(ply - 1))
	}
	if p.isLuck(ply) {
		j.Luck = rounded(p.Chance(ply - 1))
	}
	if at.Err != nil {
		j.Error = printable.Line(at.Err.Error())
	}
	if at.Over.Over() {
		j.Over = at.Over.Reason
		if at.Over.Outcome != engine.Draw {
			j.ScoreJSON = engine.ScoreJSON{}
		}
	}
	var root record.Node
	root.AppendLine(at.line())
	if j.Line = p.page.Line(&root, at.Pos, number, nil); len(j.Line) > 0 {
		j.Line[0].Note = p.lines[ply]
	}
	return j
}

// novelty returns what is known of the new move.
func (p *pageBuilder) novelty() *novelty {
	n := p.Opening.Novelty
	shown := &novelty{Games: n.Games, Latest: []predecessor{}}
	for i, j := range p.noveltyJSON("").Latest {
		before := predecessor{Game: printable.Line(j.String())}
		if m := n.Latest[i].Move; m != engine.NoMove {
			node, _ := p.page.Play(n.Before, m, 0)
			before.Move = &node
		}
		shown.Latest = append(shown.Latest, before)
	}
	return shown
}
