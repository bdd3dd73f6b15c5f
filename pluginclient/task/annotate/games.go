package annotate

import (
	"io"

	"qhsh/engine/printable"
	"qhsh/pluginclient/task/page"
)

// A reportOfGames is a page of all annotated games, a [page.Games]. It adds up what their sides have in common.
type reportOfGames struct {
	page.Game
	Games []gameOfReport `json:"games"`

	options WriteOptions
	first   *Annotated
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
	shown := a.printable()
	doc, err := shown.report(p.options.Language, p.options.Notation)
	if err != nil {
		return err
	}
	if p.first == nil {
		p.first, p.Game = a, doc.Game
	}
	g := gameOfReport{
		judgedGame: doc.judgedGame, File: printable.Line(at.File), Number: at.Number, Title: shown.title(),
		Date: shown.Game.Tags.Known("Date"), Opening: doc.Game.Opening, Names: doc.Players, PGN: doc.PGN, Result: doc.Game.Result,
	}
	for side, name := range g.Names {
		g.Names[side] = a.Options.Games.PlayerName(a.Game.Start.Game(), name)
	}
	p.Games = append(p.Games, g)
	return nil
}

// write writes the page, which is that of a [page.Report] if there is only one game.
func (p *reportOfGames) write(w io.Writer) error {
	switch len(p.Games) {
	case 0:
		return nil
	case 1:
		return p.first.HTML(w, p.options.Language, p.options.Notation)
	}
	return p.Write(w, page.Games, printable.Plural(len(p.Games), "game"), p)
}
