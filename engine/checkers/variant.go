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
	numVariants
)

// variantRules are the rules in which variants differ.
type variantRules struct {
	name        string
	gameType    int    // in PDN and CheckerBoard
	firstColour Colour // moves first
	flying      bool   // kings move and capture any distance
	backward    bool   // men capture backward
	kingImmune  bool   // men do not capture kings
	captureRule captureRule
	promotion   promotion
	mirrored    bool // drawn mirrored; see [Look]
}

// A captureRule restricts which captures a player may choose.
type captureRule uint8

const (
	anyCapture      captureRule = iota // any
	mostPieces                         // one of the most pieces
	mostThenKings                      // and of these, one of the most kings
	italianPriority                    // most pieces, then with a king, then most kings, then a king earliest
)

// A promotion is what happens to a man that reaches the last row while capturing.
type promotion uint8

const (
	promoteAndStop     promotion = iota
	promoteAndContinue           // it becomes a king and continues capturing
	promoteAtEnd                 // it continues as a man, and is promoted only if it ends there
)

var variantTable = [numVariants]variantRules{
	English:   {name: "english", gameType: 21, firstColour: Black},
	Italian:   {name: "italian", gameType: 22, firstColour: White, kingImmune: true, captureRule: italianPriority, mirrored: true},
	Spanish:   {name: "spanish", gameType: 24, firstColour: White, flying: true, captureRule: mostThenKings, mirrored: true},
	Russian:   {name: "russian", gameType: 25, firstColour: White, flying: true, backward: true, promotion: promoteAndContinue},
	Brazilian: {name: "brazilian", gameType: 26, firstColour: White, flying: true, backward: true, captureRule: mostPieces, promotion: promoteAtEnd},
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

// String returns the variant's name in lower case.
func (v Variant) String() string { return variantTable[v].name }

// GameType returns the variant's number in PDN's tag GameType and in the CheckerBoard API.
func (v Variant) GameType() int { return variantTable[v].gameType }

// Flying reports whether kings move and capture over any distance.
func (v Variant) Flying() bool { return variantTable[v].flying }

// ParseVariant parses a variant's name in any case.
func ParseVariant(name string) (Variant, error) {
	for _, v := range Variants() {
		if strings.EqualFold(v.String(), name) {
			return v, nil
		}
	}
	return 0, fmt.Errorf("unknown variant %s: want %s", engine.Quote(name), strings.Join(VariantNames(), ", "))
}

// VariantOf returns the variant with a GameType.
func VariantOf(gameType int) (Variant, error) {
	for _, v := range Variants() {
		if v.GameType() == gameType {
			return v, nil
		}
	}
	name, ok := otherGameTypes[gameType]
	if !ok {
		name = "unknown"
	}
	return 0, fmt.Errorf("game type %d (%s) is not supported: want 21, 22, 24, 25 or 26", gameType, name)
}

// otherGameTypes are the games of PDN that are not variants here.
var otherGameTypes = map[int]string{
	20: "international draughts", 23: "American pool checkers", 27: "Canadian draughts", 28: "Portuguese draughts",
	29: "Czech draughts", 30: "Turkish draughts", 31: "Thai draughts", 40: "Frisian draughts", 41: "Spantsireti",
}

// A Colour is Black or White.
type Colour uint8

// The colours. Black starts on the rows y = 0 to 2 and moves toward higher squares of English
// numbering.
const (
	Black Colour = iota
	White
)

// Other returns the other colour.
func (c Colour) Other() Colour { return c ^ 1 }

// String returns "black" or "white".
func (c Colour) String() string { return [...]string{"black", "white"}[c] }

// Turn returns the side that plays a colour in the variant.
func (v Variant) Turn(c Colour) engine.Turn {
	if c == variantTable[v].firstColour {
		return engine.First
	}
	return engine.Second
}

// Colour returns the colour that a side plays in the variant.
func (v Variant) Colour(side engine.Turn) Colour {
	if side == engine.First {
		return variantTable[v].firstColour
	}
	return variantTable[v].firstColour.Other()
}
