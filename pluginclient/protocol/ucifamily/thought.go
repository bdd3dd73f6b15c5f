package ucifamily

import (
	"fmt"
	"slices"

	"qhsh/engine"
	"qhsh/engine/xiangqi"
	"qhsh/pluginclient"
)

// thought is what has come of one "go" so far.
type thought struct {
	pos   *xiangqi.Position
	ban   []engine.Move
	want  int // lines
	ranks Ranks
	fixed bool // the ranks are known for sure
	held  bool // the engine does not know of the ban
	note  func(format string, args ...any)

	nodes   int64                       // the latest number that was told
	current []engine.Line               // of this iteration, in their places
	before  []engine.Line               // the list before it
	seen    map[engine.Move]engine.Line // the latest line of each move
	bounds  map[engine.Move]engine.Line // those whose score is only a bound
	unread  engine.Line                 // the latest whose moves cannot be read; it has none
	turned  bool                        // the ranks turned out to be numbered the other way
	noted   int
}

// add takes in a report, and reports whether it has changed the list. Lines whose score is
// only a bound are not part of it.
func (t *thought) add(r InfoLine) bool {
	if r.Nodes > 0 {
		t.nodes = r.Nodes
	}
	if len(r.PV) == 0 {
		if r.UnreadablePV && r.Bound == "" {
			t.unread = t.lineOf(nil, r)
		}
		return false
	}
	line, ok := t.line(r)
	switch {
	case !ok:
		return false
	case r.Bound != "":
		t.bounds[line.Move()] = line
		return false
	}
	t.seen[line.Move()] = line
	place := max(r.MultiPV, 1)
	if place == 1 {
		t.before, t.current = t.lines(), nil
	}
	if place <= len(t.current) {
		t.current[place-1] = line
	} else {
		t.current = append(t.current, line)
	}
	return true
}

// line reads the moves of a report, as far as they are legal.
func (t *thought) line(r InfoLine) (engine.Line, bool) {
	moves := t.moves(r.PV)
	switch {
	case len(moves) == 0:
		t.remark("passed over, since %s is illegal: pv %v", r.PV[0], pluginclient.Excerpt(fmt.Sprint(r.PV)))
		return engine.Line{}, false
	case slices.Contains(t.ban, moves[0]):
		if !t.held {
			t.remark("passed over, since %s is banned", r.PV[0])
		}
		return engine.Line{}, false
	case len(moves) < len(r.PV):
		t.remark("a line is cut before %s, which is illegal there", r.PV[len(moves)])
	}
	return t.lineOf(moves, r), true
}

func (t *thought) lineOf(moves []engine.Move, r InfoLine) engine.Line {
	nodes := r.Nodes
	if nodes == 0 {
		nodes = t.nodes
	}
	line := engine.Line{Moves: moves, Score: r.Score, Depth: r.Depth, Nodes: nodes, Text: r.Bound}
	if r.Book {
		line.Score, line.Text = engine.Score{}, "book"
	}
	return line
}

func (t *thought) remark(format string, args ...any) {
	if t.noted++; t.noted <= maxNoted {
		t.note(format, args...)
	}
}

// moves reads moves up to the first that is not legal. Where they show that the ranks are
// numbered the other way, that is how they are read from now on.
func (t *thought) moves(texts []string) []engine.Move {
	moves := legalPrefix(t.pos, texts, t.ranks)
	if t.fixed || len(moves) == len(texts) {
		return moves
	}
	other := legalPrefix(t.pos, texts, t.ranks.other())
	if len(other) == 0 || len(other) <= len(moves) && !tells(texts, t.ranks.other()) {
		return moves
	}
	t.turn()
	return other
}

// turn reads ranks the other way from now on. It answers false if it is known how they are
// numbered.
func (t *thought) turn() bool {
	if t.fixed {
		return false
	}
	t.note("its ranks are numbered %v", t.ranks.other())
	t.ranks, t.turned, t.fixed = t.ranks.other(), true, true
	t.current, t.before = nil, nil
	clear(t.seen)
	clear(t.bounds)
	return true
}

// tells reports whether moves must be numbered in a way.
func tells(texts []string, r Ranks) bool {
	return slices.ContainsFunc(texts, func(text string) bool {
		told, ok := tell(text)
		return ok && told == r
	})
}

// lines is the list so far: what this iteration has brought, and behind it what is left of
// the list before.
func (t *thought) lines() []engine.Line {
	return joinLines(t.want, t.current, t.before)
}

// joinLines are lists behind each other, a move at most once.
func joinLines(most int, lists ...[]engine.Line) []engine.Line {
	var joined []engine.Line
	for _, list := range lists {
		for _, line := range list {
			same := func(l engine.Line) bool { return l.Move() == line.Move() }
			if len(joined) < most && !slices.ContainsFunc(joined, same) {
				joined = append(joined, line)
			}
		}
	}
	return joined
}

// answer is the list that the best move ends: it comes first, whatever was told before.
func (t *thought) answer(best BestMove) ([]engine.Line, error) {
	if best.Move == "" {
		return nil, noMove(best)
	}
	moves := t.moves([]string{best.Move})
	switch {
	case len(moves) == 0:
		return nil, fmt.Errorf("%w: bestmove %q", pluginclient.ErrIllegal, pluginclient.Excerpt(best.Move))
	case slices.Contains(t.ban, moves[0]) && t.held && len(t.lines()) > 0:
		return t.lines(), nil
	case slices.Contains(t.ban, moves[0]) && t.held:
		return nil, fmt.Errorf("%w: it plays %s, which is banned: it cannot be told to leave moves out", pluginclient.ErrRefused, pluginclient.Excerpt(best.Move))
	case slices.Contains(t.ban, moves[0]):
		return nil, fmt.Errorf("%w: it plays %s, which is banned (an engine with an opening book may do so until the book is turned off)", pluginclient.ErrRefused, pluginclient.Excerpt(best.Move))
	}
	return joinLines(t.want, []engine.Line{t.bestLine(moves[0], best)}, t.lines()), nil
}

func noMove(best BestMove) error {
	if best.Claim != "" {
		return fmt.Errorf("%w: it says that the game is over instead of a move: %s", pluginclient.ErrRefused, pluginclient.Excerpt(best.Claim))
	}
	if best.Resign {
		return fmt.Errorf("%w: it resigns without a move", pluginclient.ErrRefused)
	}
	return fmt.Errorf("%w: it says that there is no move, though there is (some do so where they hold the game to be drawn)", pluginclient.ErrRefused)
}

// bestLine is the line of the best move.
func (t *thought) bestLine(move engine.Move, best BestMove) engine.Line {
	line, ok := t.seen[move]
	if first := t.lines(); len(first) > 0 && first[0].Move() == move {
		line, ok = first[0], true
	}
	if !ok {
		line, ok = t.bounds[move]
	}
	if !ok {
		line = t.unread
		line.Moves = []engine.Move{move}
	}
	if best.Ponder != "" && len(line.Moves) == 1 {
		line.Moves = append(line.Moves[:1:1], t.reply(move, best.Ponder)...)
	}
	switch {
	case best.Resign:
		line.Text = "resign"
	case best.Draw:
		line.Text = "draw"
	}
	return line
}

// reply is the reply that is expected to a move, if it is legal.
func (t *thought) reply(move engine.Move, text string) []engine.Move {
	next, err := t.pos.Play(move)
	if err != nil {
		return nil
	}
	return legalPrefix(next, []string{text}, t.ranks)
}
