package annotate

import (
	"io"

	"qhsh/engine/printable"
	"qhsh/engine/record"
	"qhsh/pluginclient/task/page"
)

// A reportOfGames is a page of all annotated games, a [page.Games]. It adds up what their sides have in common.
type reportOfGames struct {
	page.Game
	Games []gameOfReport `json:"games"`

	options WriteOptions
	first   *Annotated
	players record.Spellings
}

// A gameOfReport is what takes the place of the fields of a report that are those of a game.
type gameOfReport struct {
	judgedGame
	File    string            `json:"file,omitempty"`
	Number  int               `json:"number"`
	Title   string            `json:"title"`
	Date    string            `json:"date"`
	Opening map[string]string `json:"opening"` // as in page.Game
	Names   [2]string         `json:"who"`     // the players, as they are the same in several games
	PGN     string            `json:"pgn"`
	Result  string            `json:"result"`
}

func (p *reportOfGames) add(at GameID, a *Annotated) error {
	common, g, err := a.ofReport(at, p.options)
	if err != nil {
		return err
	}
	if p.first == nil {
		p.first, p.Game = a, common
	}
	for _, name := range g.Names {
		p.players.Add(name, 1)
	}
	p.Games = append(p.Games, g)
	return nil
}

// ofReport returns the game in a report of several, with what is common to them.
func (a *Annotated) ofReport(at GameID, o WriteOptions) (page.Game, gameOfReport, error) {
	shown := a.printable()
	doc, err := shown.report(o.Language, o.Notation)
	if err != nil {
		return page.Game{}, gameOfReport{}, err
	}
	g := gameOfReport{
		judgedGame: doc.judgedGame, File: printable.Line(at.File), Number: at.Number, Title: shown.title(),
		Date: shown.Game.Tags.Known("Date"), Opening: doc.Game.Opening, Names: doc.Players, PGN: doc.PGN, Result: doc.Game.Result,
	}
	for side, name := range g.Names {
		g.Names[side] = a.Options.Games.PlayerName(a.Game.Start.Game(), name)
	}
	return doc.Game, g, nil
}

// An Excerpt is what a page shows of a move of a game, and of the one before it.
type Excerpt struct{ gameOfReport }

// Excerpts returns those of some moves, which are plies from 1, with what is common to them.
func (a *Annotated) Excerpts(at GameID, o WriteOptions, moves []int) (page.Game, []Excerpt, error) {
	common, g, err := a.ofReport(at, o)
	if err != nil {
		return common, nil, err
	}
	all := make([]Excerpt, len(moves))
	for i, ply := range moves {
		from := max(ply-2, 0)
		all[i].gameOfReport = g
		all[i].Line = g.Line[from:ply]
		if from > 0 {
			all[i].Start = page.Move{Node: common.Root(a.Plies[from].Pos), Judged: g.Line[from-1].Judged}
			all[i].Start.Number = g.Line[from].Number
		}
	}
	return common, all, nil
}

// write writes the page, which is that of a [page.Report] if there is only one game.
func (p *reportOfGames) write(w io.Writer) error {
	switch len(p.Games) {
	case 0:
		return nil
	case 1:
		return p.first.HTML(w, p.options.Language, p.options.Notation)
	}
	for i, g := range p.Games {
		for side := range g.Names {
			p.Games[i].Names[side] = p.players.Usual(g.Names[side])
		}
	}
	return p.Write(w, page.Games, printable.Plural(len(p.Games), "game"), p)
}
