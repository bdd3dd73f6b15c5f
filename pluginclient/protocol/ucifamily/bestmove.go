package ucifamily

import (
	"strings"

	"qhsh/engine"
)

// A BestMove is the parsed line that ends a search.
type BestMove struct {
	Move   string // empty if there is none
	Ponder string // the expected reply; may be empty
	Offer  engine.Offer
	Claim  string // that the game is over, instead of a move, in the engine's words
}

// noMoveWords are the words that engines send instead of a move.
var noMoveWords = map[string]bool{"(none)": true, "none": true, "0000": true, "null": true, "nomove": true, "resign": true, "draw": true}

// ParseBestMove parses a "bestmove" or "nobestmove" line. ok is false for any other line.
func ParseBestMove(line string) (b BestMove, ok bool) {
	words := strings.Fields(line)
	if len(words) == 0 {
		return BestMove{}, false
	}
	switch strings.ToLower(words[0]) {
	case "nobestmove":
		return BestMove{}, true
	case "bestmove":
	default:
		return BestMove{}, false
	}
	for i, word := range words[1:] {
		lower := strings.ToLower(word)
		switch {
		case lower == "draw":
			b.Offer = max(b.Offer, engine.DrawOffer)
		case lower == "resign":
			b.Offer = engine.Resignation
		case i == 0 && !noMoveWords[lower]:
			b.Move = word
		case words[i] == "ponder" && i > 0 && !noMoveWords[lower]:
			b.Ponder = word
		}
	}
	return b, true
}
