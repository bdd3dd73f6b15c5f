package games

import (
	"context"

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

func (t xiangqiEndings) Make(ctx context.Context, material string, done func(s EndingStats, made bool)) error {
	m, err := endings.ParseMaterial(material)
	if err != nil {
		return err
	}
	return t.Tables.Make(ctx, m, done)
}

func (t xiangqiEndings) Query(p engine.Position, rules string) (a EndingAnswer, err error) {
	set, err := xiangqi.ParseRuleSet(rules)
	if err != nil {
		return a, err
	}
	return t.Tables.Query(xiangqiOf(p), set)
}
