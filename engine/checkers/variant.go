package checkers

import (
	"fmt"
	"strings"

	"qhsh/engine"
)

// A Variant is a set of rules. The zero Variant is English.
type Variant uint8

// The variants.
const (
	English Variant = iota
	Italian
	Spanish
	Russian
	Brazilian
	numVariants // how many there are
)

// variantRules is how a variant differs from the others.
type variantRules struct {
	name        string
	gameType    int    // of PDN and of CheckerBoard
	firstColour Colour // who begins
	flying      bool   // kings move and capture any distance
	backward    bool   // men capture backward
	kingImmune  bool   // men do not capture kings
	captureRule captureRule
	promotion   promotion
	quietPlies  int // without a capture, a promotion or a move of a man, after which the game is drawn
	algebraic   bool
}

// A captureRule is which of several captures a player may choose.
type captureRule uint8

const (
	anyCapture      captureRule = iota // all of them
	mostPieces                         // those of the most pieces
	mostThenKings                      // and of them, those of the most kings
	italianPriority                    // and before that with a king, and after that meeting a king first
)

// A promotion is what becomes of a man that reaches the last row while capturing.
type promotion uint8

const (
	promoteAndStop     promotion = iota
	promoteAndContinue           // it continues as a king
	promoteAtEnd                 // it continues as a man, and is crowned only if it ends there
)

// The limits on quiet plies: the 40-move rule of the American Checker Federation, which Italy has,
// too; Spain's 50 moves; 15 moves of kings alone in Russia, and 20 in Brazil.
var variantTable = [numVariants]variantRules{
	English:   {name: "english", gameType: 21, firstColour: Black, quietPlies: 80},
	Italian:   {name: "italian", gameType: 22, firstColour: White, kingImmune: true, captureRule: italianPriority, quietPlies: 80},
	Spanish:   {name: "spanish", gameType: 24, firstColour: White, flying: true, captureRule: mostThenKings, quietPlies: 100},
	Russian:   {name: "russian", gameType: 25, firstColour: White, flying: true, backward: true, promotion: promoteAndContinue, quietPlies: 30, algebraic: true},
	Brazilian: {name: "brazilian", gameType: 26, firstColour: White, flying: true, backward: true, captureRule: mostPieces, promotion: promoteAtEnd, quietPlies: 40, algebraic: true},
}

// Variants returns all variants.
func Variants() []Variant { return []Variant{English, Italian, Spanish, Russian, Brazilian} }

// VariantNames returns their names.
func VariantNames() []string {
	names := make([]string, 0, numVariants)
	for _, v := range Variants() {
		names = append(names, v.String())
	}
	return names
}

// String is the variant's name in lower case.
func (v Variant) String() string { return variantTable[v].name }

func (v Variant) title() string {
	return strings.ToUpper(variantTable[v].name[:1]) + variantTable[v].name[1:]
}

// GameType is the number of the variant in PDN's tag GameType and in the CheckerBoard API.
func (v Variant) GameType() int { return variantTable[v].gameType }

// Flying reports whether kings move and capture any distance.
func (v Variant) Flying() bool { return variantTable[v].flying }

// ParseVariant reads a variant's name in any case.
func ParseVariant(name string) (Variant, error) {
	for _, v := range Variants() {
		if strings.EqualFold(v.String(), name) {
			return v, nil
		}
	}
	return 0, fmt.Errorf("unknown variant %s: want %s", quote(name), strings.Join(VariantNames(), ", "))
}

// VariantOf returns the variant of a GameType.
func VariantOf(gameType int) (Variant, error) {
	for _, v := range Variants() {
		if v.GameType() == gameType {
			return v, nil
		}
	}
	return 0, fmt.Errorf("unknown game type %d: want 21, 22, 24, 25 or 26", gameType)
}

// A Colour is Black or White.
type Colour uint8

// The colours. Black starts on the rows y = 0 to 2 and moves toward higher squares of English
// numbering.
const (
	Black Colour = iota
	White
)

// Other is the other colour.
func (c Colour) Other() Colour { return c ^ 1 }

// String is "black" or "white".
func (c Colour) String() string { return [...]string{"black", "white"}[c] }

// Turn is the side that a colour is in a variant.
func (v Variant) Turn(c Colour) engine.Turn {
	if c == variantTable[v].firstColour {
		return engine.First
	}
	return engine.Second
}

// Colour is the colour of a side in a variant.
func (v Variant) Colour(side engine.Turn) Colour {
	if side == engine.First {
		return variantTable[v].firstColour
	}
	return variantTable[v].firstColour.Other()
}
