package script

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"go.starlark.net/starlark"

	"qhsh/engine"
	"qhsh/pluginclient/task/annotate"
	"qhsh/pluginclient/task/batch"
)

// annotateGame implements game.annotate.
func annotateGame(g *game, c *call) (starlark.Value, error) {
	var v *engineValue
	language, scale := annotate.English.String(), engine.DefaultScale
	if err := c.unpack(&v, &language, &scale); err != nil {
		return nil, err
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
	asker := batch.NewSessionAsker(s, t.asking(), v.searchLimits(1, nil))
	judged, err := annotate.Game(t.ctx, asker, g.Game, annotate.Options{Games: g.kind.Table, Scale: float64(scale)})
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
