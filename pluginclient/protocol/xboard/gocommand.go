package xboard

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"qhsh/pluginclient/protocol/ucifamily"
)

// noTimeLimit stands for no limit on time, in seconds: a day.
const noTimeLimit = 86400

// noDepthLimit replaces a depth limit by none. The protocol says that "new" clears the limit, but that also
// clears the hash table, and not every engine does it.
const noDepthLimit = 99

// goCommand returns the commands of a search: position, excluded moves, limits and "go".
func (p *protocol) goCommand(q ucifamily.SearchRequest) ucifamily.GoCommand {
	p.drawOffered = false
	byNodes := p.features.nps && q.Nodes > 0
	var begin []string
	if p.npsSent && !byNodes {
		begin = p.newGameCommands() // nothing else ends it
	}
	asked := ucifamily.GoCommand{Line: "go", SentNodes: byNodes, EnforceDepth: p.unsupported["sd"]}
	asked.Setup = append(begin, p.positionCommands(q.Pos, q.Ranks)...)
	asked.HasMoves = q.Pos.Ply()+len(q.Ban) > 0
	for _, m := range q.Ban {
		asked.Setup = append(asked.Setup, "exclude "+q.Ranks.Format(m))
		p.board.hasExclusions = true
	}
	seconds := noTimeLimit
	switch {
	case byNodes:
		asked.Setup = append(asked.Setup, "nps "+strconv.FormatInt(q.Nodes, 10))
		p.npsSent, seconds = true, 1
	case q.Time > 0 && !q.Ponder:
		seconds = int((q.Time + time.Second - 1) / time.Second)
		asked.SentTime = q.Time%time.Second == 0
	}
	asked.Setup = append(append(asked.Setup, p.timeCommands(seconds)...), p.depthCommand(q.Depth)...)
	p.board.playing, p.board.side = true, q.Pos.Side()
	p.multiPV.moves = nil
	return asked
}

// timeCommands tell the time of a move. What has no st has level, and clocks: one move in that time.
func (p *protocol) timeCommands(n int) []string {
	text := strconv.Itoa(n)
	if !p.unsupported["st"] {
		return []string{"st " + text}
	}
	clock := strconv.Itoa(n * 100)
	return []string{
		"level 1 " + strconv.Itoa(n/60) + ":" + strconv.Itoa(n%60/10) + strconv.Itoa(n%10) + " 0",
		"time " + clock, "otim " + clock,
	}
}

// depthCommand tells the depth.
func (p *protocol) depthCommand(depth int) []string {
	switch {
	case p.unsupported["sd"] || depth == 0 && !p.depthSent:
		return nil
	case depth == 0:
		depth = noDepthLimit
	}
	p.depthSent = true
	return []string{"sd " + strconv.Itoa(depth)}
}

// parseBestMove reads the line that ends a search. The engine has then made its move. Of a person's
// game, a line that the engine does not take ends the wait for its move too.
func (p *protocol) parseBestMove(line string) (ucifamily.BestMove, bool) {
	best, ok := parseBest(line)
	switch {
	case ok:
		p.board.applyEngineMove(best)
		best.Draw, p.drawOffered = p.drawOffered, false
	case p.userGame && (illegalMove(line) != "" || strings.HasPrefix(line, "Error")):
		p.unsolicited(line)
		return ucifamily.BestMove{Claim: line}, true
	}
	return best, ok
}

// endSearch returns the commands that put the engine in force mode, in which it neither ponders nor moves.
func (p *protocol) endSearch() []string {
	if !p.board.playing || p.userGame {
		return nil
	}
	p.board.playing = false
	return []string{"force"}
}

// essential are the commands without which a search is not the one that was asked for.
var essential = map[string]bool{"go": true, "setboard": true, "usermove": true, "force": true, "undo": true, "edit": true, "exclude": true, "new": true}

// informational are the first words of lines that an engine may say at any time.
var informational = map[string]bool{
	"pong": true, "setup": true, "piece": true, "telluser": true, "tellopponent": true, "tellothers": true,
	"tellall": true, "tellics": true, "tellicsnoalias": true, "askuser": true, "Hint:": true,
	"stat01:": true, "++": true, "--": true, "highlight": true, "choice": true, "click": true, "#": true, "kibitz": true, "whisper": true,
}

// parseInfo reads any other line that an engine may say while it thinks.
func (p *protocol) parseInfo(line string, mate int) (ucifamily.InfoLine, bool) {
	if r, ok := parseThought(line, mate); ok {
		p.assignMultiPV(&r)
		return r, true
	}
	word, rest := cutWord(line)
	switch {
	case word == "Error":
		p.unsolicited(line)
		return p.errorInfo(line, rest), true
	case illegalMove(line) != "":
		p.unsolicited(line)
		return ucifamily.InfoLine{IllegalMove: illegalMove(line)}, true
	case word == "tellusererror":
		return p.userErrorInfo(rest), true
	case strings.Contains(line, "offer") && strings.Contains(line, "draw"):
		p.drawOffered = true
		return ucifamily.InfoLine{Text: line}, true
	case word == "feature" || word == "setup":
		p.unsolicited(line)
		return ucifamily.InfoLine{Text: line}, true
	case informational[word] || strings.HasPrefix(line, "#"):
		return ucifamily.InfoLine{Text: line}, true
	case strings.HasPrefix(line, "    "): // the rest of an expected line
		return ucifamily.InfoLine{Text: line}, true
	}
	return ucifamily.InfoLine{}, false
}

// errorInfo is what an "Error" means for the search.
func (p *protocol) errorInfo(line, rest string) ucifamily.InfoLine {
	_, command, _ := strings.Cut(rest, ":")
	switch word, _ := cutWord(command); {
	case essential[word]:
		p.board.pos = nil
		return ucifamily.InfoLine{Rejected: "it says " + strconv.Quote(excerpt(line))}
	case ucifamily.IsMove(word):
		p.board.pos = nil
		return ucifamily.InfoLine{IllegalMove: word}
	}
	return ucifamily.InfoLine{Text: line}
}

// userErrorInfo is what an engine wants a person to be told.
func (p *protocol) userErrorInfo(text string) ucifamily.InfoLine {
	if strings.Contains(strings.ToLower(text), "illegal position") {
		p.board.pos = nil
		return ucifamily.InfoLine{Rejected: "it says " + strconv.Quote(excerpt(text))}
	}
	return ucifamily.InfoLine{Warning: "says " + strconv.Quote(excerpt(text))}
}

// assignMultiPV finds a line's place in the list, which the protocol does not tell. The lines of a list
// follow each other, the best first, so that a new one begins where a move comes again or a
// score is better than the one before. Where only one line is wanted, each takes the place of
// the one before.
func (p *protocol) assignMultiPV(r *ucifamily.InfoLine) {
	if p.multiPV.count < 2 || len(r.PV) == 0 {
		return
	}
	l := &p.multiPV
	first := r.PV[0]
	if len(l.moves) >= l.count || slices.Contains(l.moves, first) || r.Score.Compare(l.score) > 0 {
		l.moves = nil
	}
	l.moves, l.score = append(l.moves, first), r.Score
	r.MultiPV = len(l.moves)
}
