package qchess

import (
	"cmp"
	"fmt"
	"iter"
	"math"
	"slices"
	"strings"

	"qhsh/engine"
)

// unknown yields the pieces of a side whose second kind is unknown to both sides, by square and with
// the probability of each kind.
func (b *Board) unknown(side engine.Turn) iter.Seq2[Square, [King]float64] {
	return func(yield func(Square, [King]float64) bool) {
		prior := b.Shown(side).Prior()
		for at := range squares(b.occupied[side]) {
			if i := b.at[at]; b.pieces[i].Kinds[1] == Unknown && !yield(at, prior[i%sidePieces]) {
				return
			}
		}
	}
}

// chances returns what a side's question marks in a diagram may be, in lines of at most 80 columns: the
// squares of pieces with the same chances, and these as in chanceText.
func (b *Board) chances(side engine.Turn) string {
	var texts []string
	squares := map[string]string{} // of a text
	for at, odds := range b.unknown(side) {
		text := chanceText(odds)
		if side == White {
			text = strings.ToUpper(text)
		}
		if squares[text] == "" {
			texts = append(texts, text)
			squares[text] = at.String()
		} else {
			squares[text] += "," + at.String()
		}
	}
	var lines strings.Builder
	line := "     ? on "
	for i, text := range texts {
		entry := squares[text] + " " + text
		if i+1 < len(texts) {
			entry += "; "
		}
		if i > 0 && len(line)+len(entry) > 80 {
			lines.WriteString(strings.TrimRight(line, " ") + "\n")
			line = "          "
		}
		line += entry
	}
	if texts == nil {
		return ""
	}
	return lines.String() + line + "\n"
}

// chanceText returns the letters of kinds, the likeliest first, with the percentage that each of them
// has, such as "p 45% rnb 16% q 5%".
func chanceText(odds [King]float64) string {
	var groups []string // letters and a percentage each
	for _, k := range likeliest(odds) {
		percent := percentText(odds[k])
		if last := len(groups) - 1; last >= 0 && strings.HasSuffix(groups[last], " "+percent) {
			groups[last] = strings.Replace(groups[last], " ", string(k.letter())+" ", 1)
		} else {
			groups = append(groups, string(k.letter())+" "+percent)
		}
	}
	return strings.Join(groups, " ")
}

// likeliest returns the possible kinds, the likeliest first, those with the same percentage in their order.
func likeliest(odds [King]float64) (kinds []Kind) {
	for k := Pawn; k < King; k++ {
		if odds[k] > 0 {
			kinds = append(kinds, k)
		}
	}
	slices.SortStableFunc(kinds, func(a, b Kind) int { return cmp.Compare(math.Round(100*odds[b]), math.Round(100*odds[a])) })
	return kinds
}

// percentText returns a probability in percent. Only what is certain is 100%.
func percentText(odds float64) string {
	switch percent := 100 * odds; {
	case percent < 0.5:
		return "<1%"
	case percent >= 99.5 && percent < 100-1e-6:
		return ">99%"
	default:
		return fmt.Sprintf("%.0f%%", percent)
	}
}
