package script

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"go.starlark.net/starlark"

	"qhsh/engine"
	"qhsh/pluginclient"
	"qhsh/pluginclient/task/annotate"
	"qhsh/pluginclient/task/batch"
	"qhsh/pluginclient/task/explore"
)

// annotateGame implements game.annotate.
func annotateGame(g *game, c *call) (starlark.Value, error) {
	var v *engineValue
	language, scale, deeper, path := annotate.English.String(), batch.DefaultScale, annotate.DefaultDeeper, ""
	if err := c.unpack(&v, &language, &scale, &deeper, &path); err != nil {
		return nil, err
	}
	if deeper < 0 || deeper > annotate.MaxDeeper {
		return nil, fmt.Errorf("annotate: deeper=%d: want a number from 0 to %d", deeper, annotate.MaxDeeper)
	}
	if err := checkScale(scale); err != nil {
		return nil, fmt.Errorf("annotate: %w", err)
	}
	l, err := annotate.ParseLanguage(language)
	if err != nil {
		return nil, fmt.Errorf("annotate: language %s: %w", shorten(language), err)
	}
	t := taskOf(c.thread)
	s, err := v.session(t)
	if err != nil {
		return nil, fmt.Errorf("annotate: %w", err)
	}
	if plays := s.Position().Game(); plays.Name() != g.kind.game.Name() {
		return nil, fmt.Errorf("annotate: %w", engine.OtherGame(g.Start, plays))
	}
	lim := v.searchLimits(1, nil)
	judged, err := judgeGame(t, g, path, batch.NewSessionAsker(s, t.asking(), lim), annotate.Options{
		Games: g.kind.Table, Scale: float64(scale), Deeper: batch.NewSessionAsker(s, t.asking(), pluginclient.Deeper(s, lim, deeper)),
	})
	if err != nil {
		return nil, fmt.Errorf("annotate: %w", err)
	}
	for i := range judged.Plies {
		if p := &judged.Plies[i]; p.Err != nil {
			return nil, fmt.Errorf("annotate: %w (position %s)", p.Err, p.Pos)
		}
	}
	return &game{Game: judged.Record(l), kind: g.kind, damage: g.damage, judged: judged, language: l}, nil
}

// judgeGame annotates a game, but for the moves of the book in the database at path, if there is one.
func judgeGame(t *task, g *game, path string, asker batch.Asker, o annotate.Options) (*annotate.Annotated, error) {
	if path != "" {
		db, err := openBook(t, g, path)
		if err != nil {
			return nil, err
		}
		defer db.Close() // it is only read
		o.Book = explore.Book{DB: db, Games: explore.DefaultBookGames}
	}
	return annotate.Game(t.ctx, asker, g.Game, o)
}

// openBook opens a database for the game that g is of.
func openBook(t *task, g *game, path string) (*explore.DB, error) {
	file, err := t.env.filePath(path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return explore.Open(t.ctx, file, g.kind.Table, g.kind.game)
}

// judgement implements game.judgement.
func judgement(g *game) (starlark.Value, error) {
	if g.judged == nil {
		return starlark.None, nil
	}
	var b bytes.Buffer
	if err := g.judged.JSON(&b, annotate.GameID{Number: 1}, ""); err != nil {
		return nil, fmt.Errorf("judgement: %w", err)
	}
	return starlark.String(strings.TrimSuffix(b.String(), "\n")), nil
}

var errNotJudged = errors.New("the game is not annotated: use game.annotate(engine)")

// gameReport implements game.report.
func gameReport(g *game, c *call) (starlark.Value, error) {
	name := g.kind.NotationFor(g.kind.game, "")
	if err := c.unpack(&name); err != nil {
		return nil, err
	}
	notation, err := g.kind.notation(name)
	if err == nil && g.judged == nil {
		err = errNotJudged
	}
	if err != nil {
		return nil, fmt.Errorf("report: %w", err)
	}
	var b strings.Builder
	if err := g.judged.HTML(&b, g.language, notation); err != nil {
		return nil, fmt.Errorf("report: %w", err)
	}
	return starlark.String(b.String()), nil
}
