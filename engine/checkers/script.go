package checkers

import (
	_ "embed"
	"encoding/json"
	"strings"
)

//go:embed board.js
var boardJS string

// scriptParts are what board.js knows of a variant. Lists by number have an unused first element.
type scriptParts struct {
	Order      []int               `json:"order"` // the numbers in the order of the squares
	Flying     bool                `json:"flying"`
	Backward   bool                `json:"backward"`
	KingImmune bool                `json:"kingImmune"`
	Choice     string              `json:"choice"`
	Promotion  string              `json:"promotion"`
	Steps      [33][directions]int `json:"steps"` // the numbers of the squares beside each one; 0: none
	Algebraic  [33]string          `json:"algebraic"`
}

// The names of the rules in board.js.
var (
	choiceNames    = map[captureRule]string{anyCapture: "any", mostPieces: "most", mostThenKings: "kings", italianPriority: "italian"}
	promotionNames = map[promotion]string{promoteAndStop: "stop", promoteAndContinue: "continue", promoteAtEnd: "end"}
)

// ScriptRules returns the rules of a variant in JavaScript, as [render.Look.Script] wants them.
func ScriptRules(v Variant) string {
	t := variantTable[v]
	parts := scriptParts{
		Flying: t.flying, Backward: t.backward, KingImmune: t.kingImmune,
		Choice: choiceNames[t.captureRule], Promotion: promotionNames[t.promotion],
	}
	for _, sq := range allSquares.Squares() {
		n := v.Number(sq)
		parts.Order = append(parts.Order, n)
		parts.Algebraic[n] = sq.Algebraic()
		for d := range direction(directions) {
			if to := One(sq).step(d) & allSquares; to != 0 {
				parts.Steps[n][d] = v.Number(to.First())
			}
		}
	}
	text, _ := json.Marshal(parts) // strings and numbers always have a form
	return strings.Replace(boardJS, "RULES", string(text), 1)
}
