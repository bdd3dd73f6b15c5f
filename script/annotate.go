package script

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"go.starlark.net/starlark"

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
	s, err := v.sessionFor(t, g)
	if err != nil {
		return nil, fmt.Errorf("annotate: %w", err)
	}
	lim := v.searchLimits(1, nil)
	o := annotate.Options{
		Games: g.kind.Table, Scale: float64(scale), Deeper: batch.NewSessionAsker(s, t.asking(), pluginclient.Deeper(s, lim, deeper)),
	}
	if path != "" {
		db, err := t.openExplored(path, g.kind)
		if err != nil {
			return nil, fmt.Errorf("annotate: %w", err)
		}
		defer db.Close() // it is only read
		o.Book = explore.Book{DB: db, Games: explore.DefaultBookGames}
	}
	judged, err := annotate.Game(t.ctx, batch.NewSessionAsker(s, t.asking(), lim), g.Game, o)
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
