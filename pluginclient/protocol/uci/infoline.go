package uci

import (
	"cmp"
	"math"
	"strconv"
	"strings"

	"qhsh/engine"
)

// An InfoLine is a parsed "info" line. Zero values were not in the line.
type InfoLine struct {
	Depth        int
	MultiPV      int  // the number of the line in the list, from 1
	NewList      bool // the line begins a list, whatever its number
	Score        engine.Score
	Bound        string // "lowerbound" or "upperbound" if the score is only a bound
	Nodes        int64
	PV           []string // words in the form of moves
	Book         bool     // the score is a weight of an opening book
	UnreadablePV bool     // there is a PV, but not in coordinates
	IllegalMove  string   // a move of the client that the engine rejects
	Rejected     string   // another refusal, so that the search is not the requested one
	Warning      string   // for the user
	PlainScore   bool     // the score has neither "cp" nor "mate"
	Malformed    string   // what was expected where the line is malformed; empty: it is not
	engine.Details
}

// Defect returns what was expected where the line is malformed, or "". plainScores allows a plain
// number as the score.
func (r InfoLine) Defect(plainScores bool) string {
	if r.PlainScore && !plainScores {
		return "cp or mate and a number behind score"
	}
	return r.Malformed
}

// DefaultMate is the score of a mate in most UCCI engines, since UCCI has no mate scores. ElephantEye
// and its derivatives subtract 1 for each ply to the mate.
const DefaultMate = 10000

// matePlies is the maximum distance to the mate score, in plies, at which a plain score is a mate.
// ElephantEye uses twice this value for wins, but scores between are wins by repetition rules.
const matePlies = 100

// ParseInfoLine parses an "info" line tolerantly: items may come in any order, and unknown or
// invalid ones are ignored, the first invalid one being Malformed. mate is the score of a mate where scores are plain numbers; 0 disables
// numeric mate scores. ok is false for any other line.
func ParseInfoLine(line string, mate int) (r InfoLine, ok bool) {
	words := strings.Fields(line)
	if len(words) == 0 || !strings.EqualFold(words[0], "info") {
		return InfoLine{}, false
	}
	words = words[1:]
	expect := func(what string) {
		r.Malformed = cmp.Or(r.Malformed, what)
	}
	// number removes the number behind a word and returns it, or 0 if it is below least or above most.
	number := func(word string, least, most int64) int64 {
		var n int64
		err := strconv.ErrSyntax
		if len(words) > 0 {
			if n, err = strconv.ParseInt(words[0], 10, 64); err == nil {
				words = words[1:]
			}
		}
		switch {
		case err != nil || n < least:
			expect("a number behind " + word)
			return 0
		case n > most:
			return 0
		}
		return n
	}
	const few = 1 << 30
	atZero, plain := false, false // the depth is 0; the score is a plain number
	for len(words) > 0 {
		word := words[0]
		words = words[1:]
		switch word {
		case "depth":
			r.Depth = int(number(word, 0, few))
			atZero = r.Depth == 0
		case "multipv":
			r.MultiPV = int(number(word, 1, few))
		case "nodes":
			r.Nodes = number(word, 0, math.MaxInt64)
		case "time":
			number(word, 0, few) // only whether it is a number
		case "seldepth":
			r.SelDepth = int(max(0, number(word, math.MinInt64, few)))
		case "hashfull":
			r.HashFull = int(max(0, number(word, math.MinInt64, few)))
		case "tbhits":
			r.TBHits = max(0, number(word, math.MinInt64, math.MaxInt64))
		case "wdl":
			for i := range r.WDL {
				r.WDL[i] = int(number(word, 0, few))
			}
			if r.WDL.Check() != nil {
				r.WDL = engine.WDL{}
			}
		case "nps", "cpuload", "currmovenumber":
			number(word, math.MinInt64, math.MaxInt64)
		case "score": // "cp 35", "mate -3" and UCCI's plain number
			kind := ""
			if len(words) > 0 && (words[0] == "cp" || words[0] == "mate") {
				kind, words = words[0], words[1:]
			}
			r.PlainScore = r.PlainScore || kind == ""
			isWon := kind == "mate" && len(words) > 0 && words[0] == "+0"
			before := len(words)
			n := int(max(-few, min(few, number(word, math.MinInt64, math.MaxInt64))))
			switch {
			case len(words) == before: // no number
				r.Score = engine.Score{}
			case isWon:
				r.Score = engine.MateIn(0).Neg()
			case kind == "mate":
				r.Score = engine.MateIn(n)
			case kind == "cp":
				r.Score = engine.Centipawns(n)
			default:
				plain = true
				r.Score = ParsePlainScore(n, mate)
			}
		case "lowerbound", "upperbound":
			r.Bound = word
		case "pv":
			r.PV, words = cutMoves(words)
			if len(words) > 0 && strings.ContainsAny(words[0], "0123456789") {
				expect("moves behind pv")
			}
		case "currmove":
			words = words[min(1, len(words)):]
		case "refutation", "currline":
			_, words = cutMoves(words)
		case "string", "message":
			words = nil
		}
	}
	r.Book = atZero && plain && len(r.PV) > 0
	return r, true
}

// cutMoves splits words into those at the beginning that have the form of moves, and the rest.
func cutMoves(words []string) (moves, rest []string) {
	n := 0
	for n < len(words) && IsMove(words[n]) {
		n++
	}
	return words[:n:n], words[n:]
}

// ParsePlainScore converts a plain number to a score. If n is at most 100 below the mate score, it is
// a mate in that many plies; otherwise it is in centipawns.
func ParsePlainScore(n, mate int) engine.Score {
	plies := mate - max(n, -n)
	if mate <= 0 || plies < 0 || plies > matePlies {
		return engine.Centipawns(n)
	}
	switch {
	case n > 0 && plies == 0:
		return engine.MateIn(0).Neg()
	case n > 0:
		return engine.MateIn((plies + 1) / 2)
	}
	return engine.MateIn(-(plies + 1) / 2)
}

// FormatPlainScore returns a score as ParsePlainScore parses it. A score in centipawns that would be
// read as a mate is clamped, and so is a mate that is too far away.
func FormatPlainScore(s engine.Score, mate int) string {
	if n, ok := s.Centipawns(); ok {
		most := mate - 2*matePlies - 1
		return strconv.Itoa(max(-most, min(most, n)))
	}
	n, _ := s.Mate()
	switch {
	case s.Compare(engine.Centipawns(0)) < 0:
		return strconv.Itoa(-mate + min(-2*n, matePlies))
	case n == 0:
		return strconv.Itoa(mate)
	}
	return strconv.Itoa(mate - min(2*n-1, matePlies-1))
}

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
	if len(words) == 0 || !strings.EqualFold(words[0], "bestmove") {
		return BestMove{}, len(words) > 0 && strings.EqualFold(words[0], "nobestmove")
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
