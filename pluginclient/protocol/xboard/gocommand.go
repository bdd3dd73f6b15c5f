package xboard

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"qhsh/engine"
	"qhsh/engine/xiangqi"
	"qhsh/pluginclient/protocol/uci"
)

// maxUndo is the maximum number of moves to take back. For more, the game is sent from its start.
const maxUndo = 20

// positionCommands returns the commands that set the engine's position in force mode: by undo and
// moves in the same game, otherwise from the start of the game.
func (p *protocol) positionCommands(pos *xiangqi.Position, r uci.Ranks) []string {
	var commands []string
	if !p.started || p.userGame {
		commands = p.newGameCommands()
	}
	p.ranks = r
	if p.playing {
		p.playing = false
		commands = append(commands, "force")
	}
	first, moves := pos.History()
	start, _ := first.(*xiangqi.Position)
	undone, kept := maxUndo+1, 0
	if p.pos != nil && p.start != nil && p.start.String() == start.String() {
		_, played := p.pos.History()
		for kept < len(played) && kept < len(moves) && played[kept] == moves[kept] {
			kept++
		}
		undone = len(played) - kept
	}
	switch {
	case undone > maxUndo:
		commands, kept = append(commands, p.startCommands(start)...), 0
	case undone > 0:
		commands = append(commands, slices.Repeat([]string{"undo"}, undone)...)
	case p.hasExclusions && kept == len(moves):
		commands = append(commands, "include all") // any other change of the position does that
	}
	for _, m := range moves[kept:] {
		commands = append(commands, p.userMove(m))
	}
	p.start, p.pos, p.hasExclusions = start, pos, false
	return commands
}

// startCommands returns the commands that set the start position of a game: by a FEN with six fields in
// the engine's letters, or, without setboard, by edit (section 8). That does not change the side to
// move, so a move of Red is played first if it is Black's turn.
func (p *protocol) startCommands(start *xiangqi.Position) []string {
	fen, letters := start.FEN(), " RNBAKCP"
	if cmp.Or(p.letters, p.setupLetters) != KnightBishop {
		fields := strings.Fields(fen)
		fields[0], _ = uci.CutWord(start.WireFEN())
		fen, letters = strings.Join(fields, " "), " RHEAKCP"
	}
	if p.has("setboard") {
		return []string{"setboard " + fen}
	}
	commands := p.newGameCommands()
	if start.String() == xiangqi.StartFEN {
		return commands
	}
	if start.Side() == xiangqi.Black {
		commands = append(commands, p.userMove(engine.Move(xiangqi.NewMove(27, 36)))) // a3a4
	}
	commands = append(commands, "edit", "#")
	for _, side := range []xiangqi.Side{xiangqi.Red, xiangqi.Black} {
		if side == xiangqi.Black {
			commands = append(commands, "c")
		}
		for sq := range xiangqi.Square(90) {
			if piece := start.At(sq); piece != xiangqi.Empty && piece.Side() == side {
				commands = append(commands, letters[piece.Kind():piece.Kind()+1]+p.ranks.Point(sq))
			}
		}
	}
	return append(commands, ".")
}

func (p *protocol) userMove(m engine.Move) string {
	if p.has("usermove") {
		return "usermove " + p.ranks.Format(m)
	}
	return p.ranks.Format(m)
}

// noTimeLimit is sent if there is no time limit, in seconds: a day.
const noTimeLimit = 86400

// noDepthLimit clears a depth limit. The protocol says that "new" clears it, but that also clears
// the hash table, and not every engine does it.
const noDepthLimit = 99

// goCommand returns the commands of a search: position, excluded moves, limits and "go".
func (p *protocol) goCommand(q uci.SearchRequest) uci.GoCommand {
	byNodes := p.has("nps") && q.Nodes > 0
	var setup []string
	if p.npsSent && !byNodes {
		setup = p.newGameCommands() // only "new" clears nps
	}
	cmd := uci.GoCommand{Line: "go", SentNodes: byNodes, EnforceDepth: p.unsupported["sd"], HasMoves: q.Pos.Ply()+len(q.Ban) > 0}
	setup = append(setup, p.positionCommands(q.Pos, q.Ranks)...)
	for _, m := range q.Ban {
		setup = append(setup, "exclude "+q.Ranks.Format(m))
		p.hasExclusions = true
	}
	seconds := noTimeLimit
	switch {
	case byNodes:
		setup = append(setup, "nps "+strconv.FormatInt(q.Nodes, 10))
		p.npsSent, seconds = true, 1
	case q.Time > 0:
		seconds = int((q.Time + time.Second - 1) / time.Second)
		cmd.SentTime = q.Time%time.Second == 0
	}
	if p.unsupported["st"] { // one move in that time
		clock := strconv.Itoa(seconds * 100)
		setup = append(setup, fmt.Sprintf("level 1 %d:%02d 0", seconds/60, seconds%60), "time "+clock, "otim "+clock)
	} else {
		setup = append(setup, "st "+strconv.Itoa(seconds))
	}
	if !p.unsupported["sd"] && (q.Depth > 0 || p.depthSent) {
		setup = append(setup, "sd "+strconv.Itoa(cmp.Or(q.Depth, noDepthLimit)))
		p.depthSent = true
	}
	cmd.Setup = setup
	_ = p.execute("go", "")
	p.search = search{lines: q.Lines}
	return cmd
}

// endSearch returns the commands that put the engine in force mode, in which it neither ponders nor
// moves.
func (p *protocol) endSearch() []string {
	if !p.playing || p.userGame {
		return nil
	}
	p.playing = false
	return []string{"force"}
}

// A search is what an engine has said since "go".
type search struct {
	drawOffered bool   // it has offered a draw with its next move
	complaint   string // what it has told the user, or ""

	// The list of lines that an engine with MultiPV sends.
	lines               int // of a list; 0: MultiPV was not sent
	moves               []string
	last                uci.InfoLine
	rising              []string // the moves of the latest lines of one depth, each better than the one before
	bestFirst, bestLast bool     // how it sends lists; both false: not known
}

// parseBestMove parses the line that ends a search; the engine has then played its move. In a game
// of the user, a line that rejects a command also ends the wait.
func (p *protocol) parseBestMove(line string) (uci.BestMove, bool) {
	best, ok := parseBest(line)
	switch {
	case ok:
		p.applyEngineMove(best)
		switch {
		case p.resigns(best.Claim):
			best.Offer = engine.Resignation
		case p.search.drawOffered:
			best.Offer = engine.DrawOffer
		}
		p.search.drawOffered = false
	case p.userGame && (illegalMove(line) != "" || strings.HasPrefix(line, "Error")):
		p.unsolicited(line)
		return uci.BestMove{Claim: line}, true
	}
	return best, ok
}

// resigns reports whether a claim is that the engine itself has resigned.
func (p *protocol) resigns(claim string) bool {
	own := []string{"0-1", "White", "computer"}
	if p.side == xiangqi.Black {
		own = []string{"1-0", "Black", "computer"}
	}
	return claim == "resign" || strings.Contains(strings.ToLower(claim), "resign") &&
		slices.ContainsFunc(own, func(begin string) bool { return strings.HasPrefix(claim, begin) })
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
	rejected := func(text string) uci.InfoLine {
		p.pos = nil
		return uci.InfoLine{Rejected: "the engine sent " + strconv.Quote(excerpt(text))}
	}
	var info uci.InfoLine
	switch word, rest := uci.CutWord(line); {
	case word == "Error":
		p.unsolicited(line)
		_, about, _ := strings.Cut(rest, ":")
		switch command, _ := uci.CutWord(about); {
		case essential[command]:
			info = rejected(line)
		case uci.IsMove(command):
			p.pos = nil
			info = uci.InfoLine{IllegalMove: command}
		}
	case illegalMove(line) != "":
		p.unsolicited(line)
		info = uci.InfoLine{IllegalMove: illegalMove(line)}
	case word == "tellusererror" && strings.Contains(strings.ToLower(rest), "illegal position"):
		info = rejected(rest)
	case word == "tellusererror":
		p.search.complaint = "sent " + strconv.Quote(excerpt(rest))
		info = uci.InfoLine{Warning: p.search.complaint}
	case p.search.complaint != "" && p.pong(line): // an engine that still thinks does not answer a ping
		info = uci.InfoLine{Rejected: "the engine " + p.search.complaint}
	case word == "offer" && rest == "draw":
		p.search.drawOffered = true
	case word == "feature" || word == "setup":
		p.unsolicited(line)
	case isBadThought(line):
		info.Malformed = "integers for ply, score, time and nodes"
	case informational[word], strings.HasPrefix(line, "#"), strings.HasPrefix(line, "    "): // the last is the rest of a PV
	default:
		return uci.InfoLine{}, false
	}
	return info, true
}

// assignMultiPV assigns a line its place in the list, which the protocol does not transmit. The
// lines of a list are consecutive, best first, so a new list begins when a move repeats or a score
// is better than the one before. But if the first complete list is of one depth and each of its
// lines is better than the one before, the engine sends the best last. If only one line is wanted,
// each replaces the one before.
func (p *protocol) assignMultiPV(r *uci.InfoLine) {
	l, count := &p.search, p.search.lines
	if count < 2 || len(r.PV) == 0 {
		return
	}
	first, sameDepth, better := r.PV[0], r.Depth == l.last.Depth, r.Score.Compare(l.last.Score) > 0
	if !sameDepth || !better || slices.Contains(l.rising, first) {
		l.rising = nil
	}
	l.rising, l.last = append(l.rising, first), *r
	if len(l.moves) >= count || slices.Contains(l.moves, first) || l.bestLast && !sameDepth || !l.bestLast && better {
		l.moves = nil
	}
	r.NewList = len(l.moves) == 0
	l.moves = append(l.moves, first)
	r.MultiPV = len(l.moves)
	if l.bestLast {
		r.MultiPV = count + 1 - len(l.moves)
	}
	switch {
	case len(l.moves) == count:
		l.bestFirst, l.bestLast = l.bestFirst || len(l.rising) < count, len(l.rising) >= count
	case len(l.rising) >= count && !l.bestFirst:
		l.bestLast, l.moves = true, nil
	}
}
