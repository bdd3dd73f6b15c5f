package ucifamily

import "strings"

// Best is what the line says that ends a search.
type Best struct {
	Move   string // empty if there is none
	Ponder string // the reply that is expected; may be empty
	Draw   bool   // it offers or accepts a draw
	Resign bool
	Claim  string // that the game is over, instead of a move, in the engine's words
}

// none are the words that engines use for no move at all.
var none = map[string]bool{"(none)": true, "none": true, "0000": true, "null": true, "nomove": true, "resign": true, "draw": true}

// ParseBest reads "bestmove" and "nobestmove" lines. Another line is none.
func ParseBest(line string) (b Best, ok bool) {
	words := strings.Fields(line)
	if len(words) == 0 {
		return Best{}, false
	}
	switch strings.ToLower(words[0]) {
	case "nobestmove":
		return Best{}, true
	case "bestmove":
	default:
		return Best{}, false
	}
	for i, word := range words[1:] {
		lower := strings.ToLower(word)
		switch {
		case lower == "draw":
			b.Draw = true
		case lower == "resign":
			b.Resign = true
		case i == 0 && !none[lower]:
			b.Move = word
		case words[i] == "ponder" && i > 0 && !none[lower]:
			b.Ponder = word
		}
	}
	return b, true
}
