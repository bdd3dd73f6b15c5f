package games

import (
	"context"
	"fmt"

	"qhsh/engine"
	"qhsh/engine/xiangqi"
	"qhsh/engine/xiangqi/endings"
)

// EndingTables are tables of endings in a folder, whose materials and rule sets are texts.
type EndingTables struct{ *endings.Tables }

// EndingStats say what a table has, and an EndingResult what books and it say of an ending.
type (
	EndingStats  = endings.Stats
	EndingResult = endings.Result
)

// Material returns the standard form of a material's text. The error says what is wrong with it.
func (EndingTables) Material(text string) (string, error) {
	m, err := endings.ParseMaterial(text)
	if err != nil {
		return "", err
	}
	return m.Standard().String(), nil
}

// Theory returns the results of books that are known, with what their tables say.
func (EndingTables) Theory() []EndingResult { return endings.Theory() }

// Make makes the table of a material and those that it needs, unless they are there. It calls begin and done with each.
func (t EndingTables) Make(ctx context.Context, material string, begin func(material string, positions int), done func(s EndingStats, made bool)) error {
	m, err := endings.ParseMaterial(material)
	if err != nil {
		return err
	}
	return t.Tables.Make(ctx, m, begin, done)
}

// Query returns what a position is worth by a rule set; "": the usual one. The error wraps
// [engine.ErrUnknownEnding] if a table is missing, and says which.
func (t EndingTables) Query(p engine.Position, rules string) (e engine.Ending, err error) {
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

// Sample returns up to n positions of a material that are won, and as many that are drawn, in which a move can
// spoil that.
func (t EndingTables) Sample(material string, n int) ([]engine.Position, error) {
	m, err := endings.ParseMaterial(material)
	if err != nil {
		return nil, err
	}
	return t.Tables.Sample(m, n)
}
