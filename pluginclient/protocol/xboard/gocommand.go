package xboard

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"qhsh/engine"
	"qhsh/engine/xiangqi"
	"qhsh/pluginclient/protocol/uci"
)

// noTimeLimit is sent if there is no time limit, in seconds: a day.
const noTimeLimit = 86400

// noDepthLimit clears a depth limit. The protocol says that "new" clears it, but that also clears
// the hash table, and not every engine does it.
const noDepthLimit = 99

// goCommand returns the commands of a search: position, excluded moves, limits and "go".
func (p *protocol) goCommand(q uci.SearchRequest) uci.GoCommand {
	p.drawOffered, p.complaint = false, ""
	byNodes := p.features.nps && q.Nodes > 0
	var begin []string
	if p.npsSent && !byNodes {
		begin = p.newGameCommands() // only "new" clears nps
	}
	cmd := uci.GoCommand{Line: "go", SentNodes: byNodes, EnforceDepth: p.unsupported["sd"]}
	cmd.Setup = append(begin, p.positionCommands(q.Pos, q.Ranks)...)
	cmd.HasMoves = q.Pos.Ply()+len(q.Ban) > 0
	for _, m := range q.Ban {
		cmd.Setup = append(cmd.Setup, "exclude "+q.Ranks.Format(m))
		p.board.hasExclusions = true
	}
	seconds := noTimeLimit
	switch {
	case byNodes:
		cmd.Setup = append(cmd.Setup, "nps "+strconv.FormatInt(q.Nodes, 10))
		p.npsSent, seconds = true, 1
	case q.Time > 0:
		seconds = int((q.Time + time.Second - 1) / time.Second)
		cmd.SentTime = q.Time%time.Second == 0
	}
	cmd.Setup = append(append(cmd.Setup, p.timeCommands(seconds)...), p.depthCommand(q.Depth)...)
	p.board.playing, p.board.side = true, q.Pos.Side()
	p.multiPV = multiPVState{count: p.multiPV.count}
	return cmd
}

// timeCommands returns the commands for the time of a move. An engine without st gets level and
// clocks: one move in that time.
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

// depthCommand returns the command for a depth limit, if one is needed.
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

// parseBestMove parses the line that ends a search; the engine has then played its move. In a game
// of the user, a line that rejects a command also ends the wait.
func (p *protocol) parseBestMove(line string) (uci.BestMove, bool) {
	best, ok := parseBest(line)
	switch {
	case ok:
		p.board.applyEngineMove(best)
		switch {
		case p.resigns(best.Claim):
			best.Offer = engine.Resignation
		case p.drawOffered:
			best.Offer = engine.DrawOffer
		}
		p.drawOffered = false
	case p.userGame && (illegalMove(line) != "" || strings.HasPrefix(line, "Error")):
		p.unsolicited(line)
		return uci.BestMove{Claim: line}, true
	}
	return best, ok
}

// resigns reports whether a claim is that the engine itself has resigned.
func (p *protocol) resigns(claim string) bool {
	lost := []string{"0-1", "White"}
	if p.board.side == xiangqi.Black {
		lost = []string{"1-0", "Black"}
	}
	isOwn := func(begin string) bool { return strings.HasPrefix(claim, begin) }
	return claim == "resign" || strings.Contains(strings.ToLower(claim), "resign") && slices.ContainsFunc(append(lost, "computer"), isOwn)
}

// endSearch returns the commands that put the engine in force mode, in which it neither ponders nor
// moves.
func (p *protocol) endSearch() []string {
	if !p.board.playing || p.userGame {
		return nil
	}
	p.board.playing = false
	return []string{"force"}
}

// essential are the commands without which a search is not the requested one.
var essential = map[string]bool{"go": true, "setboard": true, "usermove": true, "force": true, "undo": true, "edit": true, "exclude": true, "new": true}

// informational are the first words of lines that an engine may send at any time.
var informational = map[string]bool{
	"pong": true, "setup": true, "piece": true, "telluser": true, "tellopponent": true, "tellothers": true,
	"tellall": true, "tellics": true, "tellicsnoalias": true, "askuser": true, "Hint:": true,
	"stat01:": true, "++": true, "--": true, "highlight": true, "choice": true, "click": true, "#": true, "kibitz": true, "whisper": true,
}

// parseInfo parses any other line that an engine may send during a search.
func (p *protocol) parseInfo(line string, mate int) (uci.InfoLine, bool) {
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
		return uci.InfoLine{IllegalMove: illegalMove(line)}, true
	case word == "tellusererror":
		return p.userErrorInfo(rest), true
	case p.complaint != "" && p.pong(line): // an engine that still thinks does not answer a ping
		return uci.InfoLine{Rejected: "the engine " + p.complaint}, true
	case word == "offer" && rest == "draw":
		p.drawOffered = true
		return uci.InfoLine{Text: line}, true
	case word == "feature" || word == "setup":
		p.unsolicited(line)
		return uci.InfoLine{Text: line}, true
	case isBadThought(line):
		return uci.InfoLine{Text: line, Malformed: "integers for ply, score, time and nodes"}, true
	case informational[word] || strings.HasPrefix(line, "#"):
		return uci.InfoLine{Text: line}, true
	case strings.HasPrefix(line, "    "): // the rest of a PV
		return uci.InfoLine{Text: line}, true
	}
	return uci.InfoLine{}, false
}

// errorInfo returns the effect of an "Error" line on the search.
func (p *protocol) errorInfo(line, rest string) uci.InfoLine {
	_, command, _ := strings.Cut(rest, ":")
	switch word, _ := cutWord(command); {
	case essential[word]:
		p.board.pos = nil
		return uci.InfoLine{Rejected: "the engine sent " + strconv.Quote(excerpt(line))}
	case uci.IsMove(word):
		p.board.pos = nil
		return uci.InfoLine{IllegalMove: word}
	}
	return uci.InfoLine{Text: line}
}

// userErrorInfo returns the effect of a tellusererror line on the search.
func (p *protocol) userErrorInfo(text string) uci.InfoLine {
	if strings.Contains(strings.ToLower(text), "illegal position") {
		p.board.pos = nil
		return uci.InfoLine{Rejected: "the engine sent " + strconv.Quote(excerpt(text))}
	}
	p.complaint = "sent " + strconv.Quote(excerpt(text))
	return uci.InfoLine{Warning: p.complaint}
}

// assignMultiPV assigns a line its place in the list, which the protocol does not transmit. The
// lines of a list are consecutive, best first, so a new list begins when a move repeats or a score
// is better than the one before. But if the first complete list is of one depth and each of its
// lines is better than the one before, the engine sends the best last. If only one line is wanted,
// each replaces the one before.
func (p *protocol) assignMultiPV(r *uci.InfoLine) {
	l := &p.multiPV
	if l.count < 2 || len(r.PV) == 0 {
		return
	}
	first, sameDepth, better := r.PV[0], r.Depth == l.last.Depth, r.Score.Compare(l.last.Score) > 0
	if !sameDepth || !better || slices.Contains(l.rising, first) {
		l.rising = nil
	}
	l.rising, l.last = append(l.rising, first), *r
	if len(l.moves) >= l.count || slices.Contains(l.moves, first) || l.bestLast && !sameDepth || !l.bestLast && better {
		l.moves = nil
	}
	r.NewList = len(l.moves) == 0
	l.moves = append(l.moves, first)
	r.MultiPV = len(l.moves)
	if l.bestLast {
		r.MultiPV = l.count + 1 - len(l.moves)
	}
	switch {
	case len(l.moves) == l.count:
		l.bestFirst, l.bestLast = l.bestFirst || len(l.rising) < l.count, len(l.rising) >= l.count
	case len(l.rising) >= l.count && !l.bestFirst:
		l.bestLast, l.moves = true, nil
	}
}
