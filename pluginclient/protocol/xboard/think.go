package xboard

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"qhsh/pluginclient/protocol/ucifamily"
)

// longest stands for no limit on time, in seconds: a day.
const longest = 86400

// deepest replaces a depth limit by none. The protocol says that "new" clears the limit, but that also
// clears the hash table, and not every engine does it.
const deepest = 99

// ask returns the commands of a search: position, excluded moves, limits and "go".
func (p *protocol) ask(q ucifamily.SearchRequest) ucifamily.GoCommand {
	p.offered = false
	byNodes := p.able.nps && q.Nodes > 0
	var begin []string
	if p.nps && !byNodes {
		begin = p.begin() // nothing else ends it
	}
	asked := ucifamily.GoCommand{Line: "go", SentNodes: byNodes, EnforceDepth: p.unable["sd"]}
	asked.Setup = append(begin, p.place(q.Pos, q.Ranks)...)
	asked.HasMoves = q.Pos.Ply()+len(q.Ban) > 0
	for _, m := range q.Ban {
		asked.Setup = append(asked.Setup, "exclude "+q.Ranks.Format(m))
		p.board.banned = true
	}
	seconds := longest
	switch {
	case byNodes:
		asked.Setup = append(asked.Setup, "nps "+strconv.FormatInt(q.Nodes, 10))
		p.nps, seconds = true, 1
	case q.Time > 0 && !q.Ponder:
		seconds = int((q.Time + time.Second - 1) / time.Second)
		asked.SentTime = q.Time%time.Second == 0
	}
	asked.Setup = append(append(asked.Setup, p.seconds(seconds)...), p.deep(q.Depth)...)
	p.board.playing, p.board.side = true, q.Pos.Side()
	p.list.moves = nil
	return asked
}

// seconds tell the time of a move. What has no st has level, and clocks: one move in that time.
func (p *protocol) seconds(n int) []string {
	text := strconv.Itoa(n)
	if !p.unable["st"] {
		return []string{"st " + text}
	}
	clock := strconv.Itoa(n * 100)
	return []string{
		"level 1 " + strconv.Itoa(n/60) + ":" + strconv.Itoa(n%60/10) + strconv.Itoa(n%10) + " 0",
		"time " + clock, "otim " + clock,
	}
}

// deep tells the depth.
func (p *protocol) deep(depth int) []string {
	switch {
	case p.unable["sd"] || depth == 0 && !p.depth:
		return nil
	case depth == 0:
		depth = deepest
	}
	p.depth = true
	return []string{"sd " + strconv.Itoa(depth)}
}

// readBest reads the line that ends a search. The engine has then made its move. Of a person's
// game, a line that the engine does not take ends the wait for its move too.
func (p *protocol) readBest(line string) (ucifamily.BestMove, bool) {
	best, ok := parseBest(line)
	switch {
	case ok:
		p.board.engineMoves(best)
		best.Draw, p.offered = p.offered, false
	case p.byHand && (isIllegal(line) != "" || strings.HasPrefix(line, "Error")):
		p.overhear(line)
		return ucifamily.BestMove{Claim: line}, true
	}
	return best, ok
}

// rest returns the commands that put the engine in force mode, in which it neither ponders nor moves.
func (p *protocol) rest() []string {
	if !p.board.playing || p.byHand {
		return nil
	}
	p.board.playing = false
	return []string{"force"}
}

// needed are the commands without which a search is not the one that was asked for.
var needed = map[string]bool{"go": true, "setboard": true, "usermove": true, "force": true, "undo": true, "edit": true, "exclude": true, "new": true}

// harmless are the first words of lines that an engine may say at any time.
var harmless = map[string]bool{
	"pong": true, "setup": true, "piece": true, "telluser": true, "tellopponent": true, "tellothers": true,
	"tellall": true, "tellics": true, "tellicsnoalias": true, "askuser": true, "Hint:": true,
	"stat01:": true, "++": true, "--": true, "highlight": true, "choice": true, "click": true, "#": true, "kibitz": true, "whisper": true,
}

// readReport reads any other line that an engine may say while it thinks.
func (p *protocol) readReport(line string, mate int) (ucifamily.InfoLine, bool) {
	if r, ok := parseThought(line, mate); ok {
		p.number(&r)
		return r, true
	}
	word, rest := cutWord(line)
	switch {
	case word == "Error":
		p.overhear(line)
		return p.refusal(line, rest), true
	case isIllegal(line) != "":
		p.overhear(line)
		return ucifamily.InfoLine{IllegalMove: isIllegal(line)}, true
	case word == "tellusererror":
		return p.userError(rest), true
	case strings.Contains(line, "offer") && strings.Contains(line, "draw"):
		p.offered = true
		return ucifamily.InfoLine{Text: line}, true
	case word == "feature" || word == "setup":
		p.overhear(line)
		return ucifamily.InfoLine{Text: line}, true
	case harmless[word] || strings.HasPrefix(line, "#"):
		return ucifamily.InfoLine{Text: line}, true
	case strings.HasPrefix(line, "    "): // the rest of an expected line
		return ucifamily.InfoLine{Text: line}, true
	}
	return ucifamily.InfoLine{}, false
}

// refusal is what an "Error" means for the search.
func (p *protocol) refusal(line, rest string) ucifamily.InfoLine {
	_, command, _ := strings.Cut(rest, ":")
	switch word, _ := cutWord(command); {
	case needed[word]:
		p.board.at = nil
		return ucifamily.InfoLine{Rejected: "it says " + strconv.Quote(excerpt(line))}
	case ucifamily.IsMove(word):
		p.board.at = nil
		return ucifamily.InfoLine{IllegalMove: word}
	}
	return ucifamily.InfoLine{Text: line}
}

// userError is what an engine wants a person to be told.
func (p *protocol) userError(text string) ucifamily.InfoLine {
	if strings.Contains(strings.ToLower(text), "illegal position") {
		p.board.at = nil
		return ucifamily.InfoLine{Rejected: "it says " + strconv.Quote(excerpt(text))}
	}
	return ucifamily.InfoLine{Warning: "says " + strconv.Quote(excerpt(text))}
}

// number finds a line's place in the list, which the protocol does not tell. The lines of a list
// follow each other, the best first, so that a new one begins where a move comes again or a
// score is better than the one before. Where only one line is wanted, each takes the place of
// the one before.
func (p *protocol) number(r *ucifamily.InfoLine) {
	if p.list.want < 2 || len(r.PV) == 0 {
		return
	}
	l := &p.list
	first := r.PV[0]
	if len(l.moves) >= l.want || slices.Contains(l.moves, first) || r.Score.Compare(l.score) > 0 {
		l.moves = nil
	}
	l.moves, l.score = append(l.moves, first), r.Score
	r.MultiPV = len(l.moves)
}
