package uci

import (
	"cmp"
	"fmt"
	"slices"

	"qhsh/engine"
	"qhsh/engine/xiangqi"
	"qhsh/pluginclient"
)

// searchInfo collects the info lines of one "go".
type searchInfo struct {
	pos        *xiangqi.Position
	ban        []engine.Move
	wantLines  int
	ranks      Ranks
	ranksFixed bool // the numbering must not change
	banNotSent bool // the engine does not know the ban
	play       bool // the answer is played
	notef      func(format string, args ...any)

	nodes        int64                       // the latest number reported
	depth        int                         // of the deepest line of current
	current      []engine.Line               // the list that it sends, see put
	previous     []engine.Line               // the list before it
	byMove       map[engine.Move]engine.Line // the latest line of each move
	boundsByMove map[engine.Move]engine.Line // those whose score is only a bound
	unreadable   engine.Line                 // the latest line with an unreadable PV, without moves
	ranksFlipped bool                        // the ranks turned out to be numbered the other way
	noted        int
	ignored      string // the first illegal move in a PV, for a person
	isBanned     bool   // the best move is banned, and the engine knows it
}

// add adds an info line, and reports whether the list has changed. Lines whose score is only a bound
// are not part of the list.
func (t *searchInfo) add(r InfoLine) bool {
	if r.Nodes > 0 {
		t.nodes = r.Nodes
	}
	if len(r.PV) == 0 {
		if r.UnreadablePV && r.Bound == "" {
			t.unreadable = t.lineOf(nil, r)
		}
		return false
	}
	line := t.line(r)
	ok, isBound := len(line.Moves) > 0, r.Bound != ""
	switch {
	case ok && isBound:
		t.boundsByMove[line.Move()] = line
	case ok:
		t.byMove[line.Move()] = line
	}
	return !isBound && t.put(r, line) && (ok || len(t.lines()) > 0)
}

// missing is the Depth of a place in a list whose line has not come.
const missing = -1

// put puts a line into the list that the engine sends, whose lines may come in any order. A line that
// cannot be used has no moves, and only takes its place. put reports whether what is known of the list
// has changed.
func (t *searchInfo) put(r InfoLine, line engine.Line) bool {
	place := max(r.MultiPV, 1) - 1
	if place >= xiangqi.MaxMoves {
		return false
	}
	switch has := place < len(t.current) && t.current[place].Depth != missing; {
	case !has && !r.NewList:
	case r.NewList, place == 0, line.Depth > t.depth, line.Depth == 0: // the next list
		t.previous, t.current, t.depth = t.lines(), nil, 0
	case line.Depth < t.current[place].Depth: // of the previous list, once more
		return false
	default: // the list has changed
		t.previous = t.lines()
	}
	t.depth = max(t.depth, line.Depth)
	if i := slices.IndexFunc(t.current, sameMove(line)); i >= 0 {
		t.current[i] = engine.Line{Depth: missing} // its place has changed
	}
	for len(t.current) <= place {
		t.current = append(t.current, engine.Line{Depth: missing})
	}
	t.current[place] = line
	return place < len(t.known())
}

// known returns the lines of the current list up to the first that is missing.
func (t *searchInfo) known() []engine.Line {
	n := slices.IndexFunc(t.current, func(l engine.Line) bool { return l.Depth == missing })
	if n < 0 {
		n = len(t.current)
	}
	return t.current[:n]
}

// line converts an info line, with its PV up to the first illegal move. One that cannot be used has no
// moves.
func (t *searchInfo) line(r InfoLine) engine.Line {
	moves := t.moves(r.PV)
	why, isIllegal := "", true
	switch {
	case len(moves) == 0:
		why = fmt.Sprintf("passed over, since %s is illegal: pv %v", r.PV[0], pluginclient.Excerpt(fmt.Sprint(r.PV)))
	case slices.Contains(t.ban, moves[0]):
		if !t.banNotSent {
			why, isIllegal = fmt.Sprintf("passed over, since %s is banned", r.PV[0]), false
		}
		moves = nil
	case len(moves) < len(r.PV):
		why = fmt.Sprintf("a line is cut before %s, which is illegal there", r.PV[len(moves)])
	}
	if why != "" {
		if isIllegal && t.ignored == "" {
			t.ignored = why
		}
		if t.noted++; t.noted <= maxNoted {
			t.notef("%s", why)
		}
	}
	return t.lineOf(moves, r)
}

func (t *searchInfo) lineOf(moves []engine.Move, r InfoLine) engine.Line {
	line := engine.Line{Moves: moves, Score: r.Score, Depth: r.Depth, Nodes: cmp.Or(r.Nodes, t.nodes), Text: r.Bound, Details: r.Details}
	if r.Book {
		line.Score, line.Text = engine.Score{}, "book"
	}
	return line
}

// moves parses moves up to the first illegal one. If they show that the ranks are numbered the other
// way, it switches to that numbering.
func (t *searchInfo) moves(texts []string) []engine.Move {
	moves := t.ranks.LegalPrefix(t.pos, texts)
	if t.ranksFixed || len(moves) == len(texts) || t.ranks.Detect(t.pos, texts) == t.ranks {
		return moves
	}
	t.flipRanks()
	return t.ranks.LegalPrefix(t.pos, texts)
}

// flipRanks switches to the other rank numbering. It returns false if the numbering is already fixed.
func (t *searchInfo) flipRanks() bool {
	if t.ranksFixed {
		return false
	}
	t.notef("its ranks are numbered %v", t.ranks.other())
	t.ranks, t.ranksFlipped, t.ranksFixed = t.ranks.other(), true, true
	t.ignored = ""
	t.current, t.previous = nil, nil
	clear(t.byMove)
	clear(t.boundsByMove)
	return true
}

// lines returns the list so far: what is known of the current one, then the rest of the previous one.
// Each line has the depth of its list.
func (t *searchInfo) lines() []engine.Line {
	return joinLines(t.wantLines, t.known(), t.previous, t.current)
}

// joinLines concatenates lists without lines that have no moves, keeping the first of each move, up to
// most lines.
func joinLines(most int, lists ...[]engine.Line) []engine.Line {
	var joined []engine.Line
	for _, list := range lists {
		for _, line := range list {
			if len(line.Moves) > 0 && len(joined) < most && !slices.ContainsFunc(joined, sameMove(line)) {
				joined = append(joined, line)
			}
		}
	}
	return joined
}

// sameMove returns a function that reports whether a line has the first move of line, if both have one.
func sameMove(line engine.Line) func(engine.Line) bool {
	return func(l engine.Line) bool {
		return len(line.Moves) > 0 && len(l.Moves) > 0 && l.Move() == line.Move()
	}
}

// answer returns the final list, which begins with the best move.
func (t *searchInfo) answer(best BestMove) ([]engine.Line, error) {
	if best.Move == "" {
		switch lines := t.lines(); {
		case best.Offer == engine.Resignation && !t.play && len(lines) > 0:
			lines[0] = withOffer(lines[0], best.Offer)
			return lines, nil
		case best.Offer == engine.Resignation:
			return nil, pluginclient.ErrResigned
		case best.Claim != "":
			return nil, fmt.Errorf("%w: the engine claims that the game is over: %s", pluginclient.ErrRefused, pluginclient.Excerpt(best.Claim))
		}
		return nil, fmt.Errorf("%w: no best move, although there are legal moves (some engines do this in a drawn position)", pluginclient.ErrRefused)
	}
	moves := t.moves([]string{best.Move})
	switch {
	case len(moves) == 0:
		return nil, fmt.Errorf("%w: bestmove %q%s", pluginclient.ErrIllegal, pluginclient.Excerpt(best.Move), t.ranks.Hint(t.pos, best.Move))
	case slices.Contains(t.ban, moves[0]) && t.banNotSent && len(t.lines()) > 0:
		return t.lines(), nil
	case slices.Contains(t.ban, moves[0]) && t.banNotSent:
		return nil, fmt.Errorf("%w: banned move %s; the engine cannot exclude moves", pluginclient.ErrRefused, pluginclient.Excerpt(best.Move))
	case slices.Contains(t.ban, moves[0]):
		t.isBanned = true
		return nil, fmt.Errorf("%w: banned move %s (if the engine has an opening book, turn it off)", pluginclient.ErrRefused, pluginclient.Excerpt(best.Move))
	}
	return joinLines(t.wantLines, []engine.Line{t.bestLine(moves[0], best)}, t.lines()), nil
}

// bestLine returns the line of the best move, from the most reliable info line available.
func (t *searchInfo) bestLine(move engine.Move, best BestMove) engine.Line {
	line, ok := t.byMove[move]
	if first := t.lines(); len(first) > 0 && first[0].Move() == move && first[0].Depth >= line.Depth {
		line, ok = first[0], true
	}
	if !ok {
		line, ok = t.boundsByMove[move]
	}
	if !ok {
		line = t.unreadable
		line.Moves = []engine.Move{move}
	}
	if best.Ponder != "" && len(line.Moves) == 1 {
		if next, err := t.pos.Play(move); err == nil {
			line.Moves = append(line.Moves[:1:1], t.ranks.LegalPrefix(next, []string{best.Ponder})...)
		}
	}
	return withOffer(line, best.Offer)
}

func withOffer(line engine.Line, offer engine.Offer) engine.Line {
	if line.Offer = offer; offer != engine.NoOffer {
		line.Text = offer.String()
	}
	return line
}
