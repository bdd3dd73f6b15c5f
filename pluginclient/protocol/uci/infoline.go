package uci

import (
	"strconv"
	"strings"
	"time"

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
	Time         time.Duration
	PV           []string // words in the form of moves
	Book         bool     // the score is a weight of an opening book
	Text         string   // of "string" and "message"
	UnreadablePV bool     // there is a PV, but not in coordinates
	IllegalMove  string   // a move of the client that the engine rejects
	Rejected     string   // another refusal, so that the search is not the requested one
	Warning      string   // for the user
	PlainScore   bool     // the score has neither "cp" nor "mate"
	Malformed    string   // what was expected where the line is malformed; empty: it is not
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
	p := infoParser{words: strings.Fields(line), mate: mate}
	if !strings.EqualFold(p.next(), "info") {
		return InfoLine{}, false
	}
	for len(p.words) > 0 {
		p.item(&r)
	}
	r.Book = p.zero && p.plain && len(r.PV) > 0
	r.PlainScore, r.Malformed = p.bare, p.malformed
	return r, true
}

type infoParser struct {
	words []string
	mate  int
	zero  bool // the depth is 0
	bare  bool // the score has no "cp" or "mate"
	plain bool // and is a number

	malformed string // see InfoLine
}

// expect notes that something was expected and did not come.
func (p *infoParser) expect(what string) {
	if p.malformed == "" {
		p.malformed = what
	}
}

// next removes and returns the next word, or "" at the end.
func (p *infoParser) next() string {
	if len(p.words) == 0 {
		return ""
	}
	word := p.words[0]
	p.words = p.words[1:]
	return word
}

// number removes and returns the next word if it is a number.
func (p *infoParser) number() (int64, bool) {
	if len(p.words) == 0 {
		return 0, false
	}
	n, err := strconv.ParseInt(p.words[0], 10, 64)
	if err != nil {
		return 0, false
	}
	p.words = p.words[1:]
	return n, true
}

// count reads the number behind a word, which is at least least. It returns 0 for any other.
func (p *infoParser) count(word string, least int64) int64 {
	n, ok := p.number()
	if !ok || n < least {
		p.expect("a number behind " + word)
		return 0
	}
	return n
}

// small is count for a number up to 1<<30.
func (p *infoParser) small(word string, least int64) int {
	n := p.count(word, least)
	if n > 1<<30 {
		return 0
	}
	return int(n)
}

func (p *infoParser) item(r *InfoLine) {
	switch word := p.next(); word {
	case "depth":
		r.Depth = p.small(word, 0)
		p.zero = r.Depth == 0
	case "multipv":
		r.MultiPV = p.small(word, 1)
	case "nodes":
		r.Nodes = p.count(word, 0)
	case "time":
		r.Time = time.Duration(p.small(word, 0)) * time.Millisecond
	case "seldepth", "nps", "hashfull", "tbhits", "cpuload", "currmovenumber":
		if _, ok := p.number(); !ok {
			p.expect("a number behind " + word)
		}
	case "score":
		r.Score = p.score()
	case "lowerbound", "upperbound":
		r.Bound = word
	case "pv":
		r.PV = p.moves()
		if len(p.words) > 0 && strings.ContainsAny(p.words[0], "0123456789") {
			p.expect("moves behind pv")
		}
	case "currmove":
		p.next()
	case "refutation", "currline":
		p.moves()
	case "string", "message":
		r.Text = strings.Join(p.words, " ")
		p.words = nil
	}
}

func (p *infoParser) moves() []string {
	n := 0
	for n < len(p.words) && IsMove(p.words[n]) {
		n++
	}
	moves := p.words[:n:n]
	p.words = p.words[n:]
	return moves
}

// score reads "cp 35", "mate -3" and UCCI's plain number.
func (p *infoParser) score() engine.Score {
	kind := ""
	if len(p.words) > 0 && (p.words[0] == "cp" || p.words[0] == "mate") {
		kind = p.next()
	}
	p.bare = p.bare || kind == ""
	if kind == "mate" && len(p.words) > 0 && p.words[0] == "+0" {
		p.next()
		return engine.MateIn(0).Neg()
	}
	n, ok := p.number()
	if !ok {
		p.expect("a number behind score")
		return engine.Score{}
	}
	n = max(-1<<30, min(1<<30, n))
	switch {
	case kind == "mate":
		return engine.MateIn(int(n))
	case kind == "":
		p.plain = true
		return ParsePlainScore(int(n), p.mate)
	}
	return engine.Centipawns(int(n))
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
