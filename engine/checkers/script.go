package checkers

import (
	_ "embed"
	"encoding/json"
	"strings"
)

//go:embed board.js
var boardJS string

// A scriptView is what board.js knows of a board that is seen from one side: the middles of the
// squares by their numbers, and the labels.
type scriptView struct {
	Middles [33][2]int `json:"middles"` // the first is not used
	Labels  string     `json:"labels"`
}

// scriptRules are what board.js knows of the rules of a variant.
type scriptRules struct {
	Flying     bool   `json:"flying"`
	Backward   bool   `json:"backward"`
	KingImmune bool   `json:"kingImmune"`
	Choice     string `json:"choice"`
	Promotion  string `json:"promotion"`
}

// The names of the rules in board.js.
var (
	choiceNames    = map[captureRule]string{anyCapture: "any", mostPieces: "most", mostThenKings: "kings", italianPriority: "italian"}
	promotionNames = map[promotion]string{promoteAndStop: "stop", promoteAndContinue: "continue", promoteAtEnd: "end"}
)

// scriptParts are what board.js knows of a variant. Lists by number have an unused first element.
type scriptParts struct {
	Head      string              `json:"head"`
	Order     []int               `json:"order"` // the numbers in the order of the squares
	Views     [2]scriptView       `json:"views"` // as it is, and flipped
	Rules     scriptRules         `json:"rules"`
	Steps     [33][directions]int `json:"steps"` // the numbers of the squares beside each one; 0: none
	Algebraic [33]string          `json:"algebraic"`
}

// Script returns JavaScript for a page of a variant. It defines board, as package games describes it,
// with the rules: draw returns the SVG of [Board.SVG] for a position's text.
func Script(v Variant) string {
	b, t := With(v, 0, 0, 0, Black), variantTable[v]
	parts := scriptParts{Rules: scriptRules{t.flying, t.backward, t.kingImmune, choiceNames[t.captureRule], promotionNames[t.promotion]}}
	var head strings.Builder
	drawing{Board: &b}.head(&head)
	parts.Head = head.String()
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
	for i, flip := range []bool{false, true} {
		p := drawing{SVGOptions{Flip: flip}, &b, b.view(flip)}
		for _, sq := range allSquares.Squares() {
			x, y := p.middle(sq)
			parts.Views[i].Middles[v.Number(sq)] = [2]int{x, y}
		}
		var labels strings.Builder
		p.labels(&labels)
		parts.Views[i].Labels = labels.String()
	}
	text, err := json.Marshal(parts) // it escapes < and >
	if err != nil {
		return "" // strings and numbers always have a form
	}
	return strings.Replace(boardJS, "PARTS", string(text), 1)
}
