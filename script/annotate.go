package script

import (
	"errors"
	"fmt"
	"strings"

	"qhsh/pluginclient"
	"qhsh/pluginclient/task/annotate"
	"qhsh/pluginclient/task/batch"
	"qhsh/pluginclient/task/explore"
)

func (g *game) annotate(t *task, v *engineValue, language string, scale, deeper int, book string) (*game, error) {
	if deeper < 0 || deeper > annotate.MaxDeeper {
		return nil, fmt.Errorf("deeper=%d: want a number from 0 to %d", deeper, annotate.MaxDeeper)
	}
	if err := checkScale(scale); err != nil {
		return nil, err
	}
	l, err := annotate.ParseLanguage(language)
	if err != nil {
		return nil, fmt.Errorf("language %s: %w", shorten(language), err)
	}
	s, err := v.sessionFor(t, g)
	if err != nil {
		return nil, err
	}
	lim := v.searchLimits(1, nil)
	o := annotate.Options{
		Games: g.kind.Table, Scale: float64(scale), Deeper: batch.SessionAsker{Session: s, Policy: t.asking(), Limits: pluginclient.Deeper(s, lim, deeper)},
	}
	if book != "" {
		db, err := t.openExplored(book, g.kind, false)
		if err != nil {
			return nil, err
		}
		defer db.Close() // it is only read
		o.Book = &explore.Book{DB: db, Games: explore.DefaultBookGames}
	}
	judged, err := annotate.Game(t.ctx, batch.SessionAsker{Session: s, Policy: t.asking(), Limits: lim}, g.Game, o)
	if err != nil {
		return nil, err
	}
	for i := range judged.Plies {
		if p := &judged.Plies[i]; p.Err != nil {
			return nil, fmt.Errorf("%w (position %s)", p.Err, p.Pos)
		}
	}
	return &game{Game: judged.Record(l), kind: g.kind, damage: g.damage, judged: judged, language: l}, nil
}

// judgement returns the result of annotate in JSON; empty if there is none.
func (g *game) judgement() (string, error) {
	if g.judged == nil {
		return "", nil
	}
	var b strings.Builder
	if err := g.judged.JSON(&b, annotate.GameID{Number: 1}, ""); err != nil {
		return "", fmt.Errorf("judgement: %w", err)
	}
	return strings.TrimSuffix(b.String(), "\n"), nil
}

func (g *game) report(notation optional[string]) (string, error) {
	name, err := g.kind.notation(notation.or(g.kind.NotationFor(g.kind.game, "")))
	if err == nil && g.judged == nil {
		err = errors.New("the game is not annotated: use game.annotate(engine)")
	}
	if err != nil {
		return "", err
	}
	var b strings.Builder
	err = g.judged.HTML(&b, g.language, name)
	return b.String(), err
}
