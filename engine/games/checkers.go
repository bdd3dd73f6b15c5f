package games

import (
	"fmt"
	"strconv"
	"strings"

	"qhsh/engine"
	"qhsh/engine/checkers"
	"qhsh/engine/checkers/search"
	"qhsh/engine/lazyregexp"
	"qhsh/engine/printable"
	"qhsh/engine/record"
	"qhsh/engine/render"
)

// variantKey is the option of the game.
const variantKey = "variant"

var checkersRow = &Row{
	Game:    checkers.DefaultRules,
	Heading: "Checkers", Summary: "Checkers: variants, positions, libraries",
	Options: []Option{{Name: variantKey, Help: "play the `NAME`: " + printable.OneOf(checkers.VariantNames()), Words: checkers.VariantNames()}},
	New: func(v Values) (engine.Game, error) {
		name, ok := v[variantKey]
		if !ok {
			return checkers.DefaultRules, nil
		}
		variant, err := checkers.ParseVariant(name)
		return checkers.Rules{Variant: variant}, err
	},
	Values:   func(g engine.Game) Values { return Values{variantKey: g.(checkers.Rules).Variant.String()} },
	Describe: func(g engine.Game) string { return g.(checkers.Rules).Title() },
	PositionText: `a FEN as PDN has it, W or B to move, K before kings, in the
             numbers of the variant: W:W21,22,K5:B1-3`,
	Words: map[string]map[string]string{chinese: {
		"black": "黑方", "white": "白方", "no move left": "无子可动", "no piece left": "全部被吃", "repetition": "重复局面",
	}},

	Perft:   checkers.PerftUntil,
	Samples: func(g engine.Game) []engine.Position { return positions(checkers.Samples(g.(checkers.Rules).Variant)) },
	Styles:  []string{"ascii"}, // the only one, named so that a board can be flipped
	Board: &Board{
		Look:  func(g engine.Game) *render.Look { return checkers.Look(g.(checkers.Rules).Variant) },
		Items: func(p engine.Position) []render.Item { return checkersBoard(p).Items() },
		Ends: func(p engine.Position, move string) ([]string, error) {
			words := strings.FieldsFunc(move, func(r rune) bool { return strings.ContainsRune("-x:", r) })
			if len(words) < 2 {
				return nil, checkers.ErrMalformed
			}
			from, err := checkersPoint(p, words[0])
			if err != nil {
				return nil, err
			}
			to, err := checkersPoint(p, words[len(words)-1])
			return []string{from, to}, err
		},
		Point: checkersPoint,
		Rules: func(g engine.Game) string { return checkers.ScriptRules(g.(checkers.Rules).Variant) },
	},

	Notations:         []string{"pdn", "algebraic"},
	ReadableNotations: []string{"pdn", "algebraic"},
	Names:             checkersNames,
	MoveNumber: func(p engine.Position) int {
		start, moves := p.History()
		return (len(moves)+int(start.Turn()))/2 + 1
	},
	QuietPlies:  func(p engine.Position) int { return p.(*checkers.Position).QuietPlies() },
	Occurrences: func(p engine.Position) int { return p.(*checkers.Position).Occurrences() },
	Swap:        swapCheckers,

	Aliases: []string{"draughts"},
	Variants: &record.Variants{
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
			style.Tags = []record.Tag{{Name: "GameType", Value: strconv.Itoa(g.(checkers.Rules).Variant.GameType())}}
			return style
		},
		Other: func(text string) string {
			if largerBoard().MatchString(text) {
				return "international draughts"
			}
			return ""
		},
	},

	HandOver:      handOver(":", 0, "W", "B"),
	ForcedWin:     "win",
	EngineOptions: tableOptions,
	Engine: func(g engine.Game, settings []Setting) (Engine, error) {
		return tableEngine(settings, func(hash int) (engine.Searcher, error) {
			return search.New(search.Options{Rules: g.(checkers.Rules), Hash: hash})
		})
	},
}

// swapCheckers exchanges the sides, in the history too.
func swapCheckers(p engine.Position) (engine.Position, error) {
	turned := func(text string) string {
		return numberOrSide().ReplaceAllStringFunc(text, func(word string) string {
			switch n, err := strconv.Atoi(word); {
			case err == nil:
				return strconv.Itoa(33 - n)
			case word == "W":
				return "B"
			}
			return "W"
		})
	}
	start, moves := p.History()
	to, err := p.Game().Position(turned(start.String()))
	if err != nil {
		return nil, err
	}
	texts := engine.FormatMoves(start, moves)
	for i := range texts {
		texts[i] = turned(texts[i])
	}
	_, to, err = engine.ReadMoves(to, texts)
	return to, err
}

var numberOrSide = lazyregexp.New(`\d+|[WB]`)

// largerBoard matches a move or a position with a square from 33 to 50.
var largerBoard = lazyregexp.New(`\b(?:3[3-9]|4\d|50)(?:[x:]|-\d\d)|\d[x:-](?:3[3-9]|4\d|50)\b|[WBK,](?:3[3-9]|4\d|50)\b`)

// checkersBoard returns the board of a position of the game.
func checkersBoard(p engine.Position) *checkers.Board {
	board := p.(*checkers.Position).Board()
	return &board
}

func checkersNames(p engine.Position, moves []engine.Move, notation string) (names []string) {
	if notation != "algebraic" {
		return engine.FormatMoves(p, moves)
	}
	for _, m := range moves {
		next, err := p.Play(m)
		if err != nil {
			break
		}
		names = append(names, checkersBoard(p).FormatAlgebraic(checkers.Move(m)))
		p = next
	}
	return names
}

// checkersPoint reads a square in numbers or coordinates.
func checkersPoint(p engine.Position, text string) (string, error) {
	variant := p.Game().(checkers.Rules).Variant
	square, err := variant.ParseSquare(text)
	return strconv.Itoa(variant.Number(square)), err
}
