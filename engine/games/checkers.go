package games

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"qhsh/engine"
	"qhsh/engine/checkers"
	"qhsh/engine/lazyregexp"
	"qhsh/engine/record"
)

var _ interface {
	Configurable
	Divider
	Sampler
	TextDrawer
	SVGDrawer
	ScriptDrawer
	Notator
	MoveCounter
	Varied
	Aliased
	PositionDescriber
	Documented
	Translator
} = checkersRow{}

type checkersRow struct{}

func (checkersRow) Section() (heading, summary string) {
	return "Checkers", "Checkers: variants, positions, libraries"
}

func (checkersRow) Game() engine.Game { return checkers.DefaultRules }

// variantKey is the option of the game.
const variantKey = "variant"

func (checkersRow) Options() []Option {
	return []Option{{Name: variantKey, Help: "play the `NAME`: " + OneOf(checkers.VariantNames()), Words: checkers.VariantNames()}}
}

func (checkersRow) New(v Values) (engine.Game, error) {
	name, ok := v[variantKey]
	if !ok {
		return checkers.DefaultRules, nil
	}
	variant, err := checkers.ParseVariant(name)
	return checkers.Rules{Variant: variant}, err
}

func (checkersRow) Describe(g engine.Game) string {
	rules, ok := g.(checkers.Rules)
	if !ok {
		return g.Name()
	}
	return rules.Title()
}

// checkersOf is a position in its own type. The table asks a Row about positions of its game alone.
func checkersOf(p engine.Position) *checkers.Position { return p.(*checkers.Position) }

func (checkersRow) Divide(ctx context.Context, p engine.Position, depth, jobs int) ([]Branch, error) {
	all, err := checkers.Divide(ctx, checkersOf(p), depth, jobs)
	branches := make([]Branch, len(all))
	for i, b := range all {
		branches[i] = Branch{p.Format(engine.Move(b.Move)), b.Nodes}
	}
	return branches, err
}

func (checkersRow) Samples(g engine.Game) (all []engine.Position) {
	rules, _ := g.(checkers.Rules)
	for _, p := range checkers.Samples(rules.Variant) {
		all = append(all, p)
	}
	return all
}

// Styles are none: a board is drawn in one way.
func (checkersRow) Styles() []string { return nil }

func (checkersRow) Draw(p engine.Position, l TextOptions) string {
	board := checkersOf(p).Board()
	return board.Diagram(l.Flip)
}

func (checkersRow) Notations() []string         { return []string{"pdn", "algebraic"} }
func (checkersRow) ReadableNotations() []string { return []string{"pdn", "algebraic"} }

func (checkersRow) Names(p engine.Position, moves []engine.Move, notation string) (names []string) {
	if notation != "algebraic" {
		return engine.FormatMoves(p, moves)
	}
	pos := checkersOf(p)
	for _, m := range moves {
		next, err := pos.Do(checkers.Move(m))
		if err != nil {
			break
		}
		board := pos.Board()
		names = append(names, board.FormatAlgebraic(checkers.Move(m)))
		pos = next
	}
	return names
}

func (checkersRow) PositionText() string {
	return `a FEN as PDN has it, W or B to move, K before kings, in the
             numbers of the variant: W:W21,22,K5:B1-3`
}

// Notation is none: moves are written alike in all languages.
func (checkersRow) Notation(string) string { return "" }

func (checkersRow) Words(language string) map[string]string {
	if language != chinese {
		return nil
	}
	return map[string]string{"black": "黑方", "white": "白方", "no move left": "无子可动", "no piece left": "全部被吃", "repetition": "重复局面"}
}

func (checkersRow) Aliases() []string { return []string{"draughts"} }

func (checkersRow) Variants() *record.Variants {
	return &record.Variants{
		Tag: "GameType",
		Game: func(value string) (engine.Game, error) {
			number, _, _ := strings.Cut(value, ",")
			n, err := strconv.Atoi(strings.TrimSpace(number))
			if err != nil {
				return nil, fmt.Errorf("%q: want a number", value)
			}
			variant, err := checkers.VariantOf(n)
			return checkers.Rules{Variant: variant}, err
		},
		PGN: func(g engine.Game) record.PGNStyle {
			style := record.NewPGNStyle(g)
			style.ByOrder = true
			if rules, ok := g.(checkers.Rules); ok {
				style.Tags = []record.Tag{{Name: "GameType", Value: strconv.Itoa(rules.Variant.GameType())}}
			}
			return style
		},
		Other: func(text string) string {
			if largerBoard().MatchString(text) {
				return "international draughts"
			}
			return ""
		},
	}
}

// largerBoard matches a move or a position with a square from 33 to 50.
var largerBoard = lazyregexp.New(`\b(?:3[3-9]|4\d|50)(?:[x:]|-\d\d)|\d[x:-](?:3[3-9]|4\d|50)\b|[WBK,](?:3[3-9]|4\d|50)\b`)
