package games

import (
	"context"
	"fmt"

	"qhsh/engine"
	"qhsh/engine/xiangqi"
	"qhsh/engine/xiangqi/endings"
)

// xiangqiEndings are the tables of Xiangqi.
type xiangqiEndings struct{ *endings.Tables }

func (xiangqiEndings) Material(text string) (string, error) {
	m, err := endings.ParseMaterial(text)
	if err != nil {
		return "", err
	}
	return m.Standard().String(), nil
}

func (xiangqiEndings) Theory() []EndingResult { return endings.Theory() }

func (t xiangqiEndings) Make(ctx context.Context, material string, begin func(material string, positions int), done func(s EndingStats, made bool)) error {
	m, err := endings.ParseMaterial(material)
	if err != nil {
		return err
	}
	return t.Tables.Make(ctx, m, begin, done)
}

func (t xiangqiEndings) Query(p engine.Position, rules string) (e engine.Ending, err error) {
	pos, ok := p.(*xiangqi.Position)
	if !ok {
		return e, fmt.Errorf("%w for %s", engine.ErrUnknownEnding, engine.Title(p.Game()))
	}
	set := xiangqi.Asian
	if rules != "" {
		if set, err = xiangqi.ParseRuleSet(rules); err != nil {
			return e, err
		}
	}
	return t.Tables.Query(pos, set)
}

func (t xiangqiEndings) Sample(material string, n int) (all []engine.Position, err error) {
	m, err := endings.ParseMaterial(material)
	if err != nil {
		return nil, err
	}
	found, err := t.Tables.Sample(m, n)
	for _, p := range found {
		all = append(all, p)
	}
	return all, err
}
