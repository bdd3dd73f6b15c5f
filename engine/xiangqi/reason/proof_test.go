package reason_test

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"qhsh/engine"
	"qhsh/engine/lazyregexp"
	"qhsh/engine/record"
	"qhsh/engine/xiangqi"
	"qhsh/engine/xiangqi/reason"
	xqrecord "qhsh/engine/xiangqi/record"
	"qhsh/engine/xiangqi/search"
	"qhsh/engine/xiangqi/xiangqitest/plain"
)

// A witness checks sentences on a move by the slow rules of package plain. It knows the words, and nothing of how they
// were found.
type witness struct {
	before, after       *plain.Board
	played, best, reply plain.Move
	earlier             map[plain.Board]bool // the boards of the game up to before
	captured, mated     map[claimed]bool
}

// A claimed is that the side to move wins so much, or mates in so many moves.
type claimed struct {
	board plain.Board
	n     int
}

var (
	worth  = map[string]int{"rook": 18, "cannon": 9, "horse": 8, "advisor": 4, "elephant": 4, "pawn": 2}
	kindOf = map[byte]string{'r': "rook", 'n': "horse", 'b': "elephant", 'a': "advisor", 'k': "king", 'c': "cannon", 'p': "pawn"}
)

// kindAt returns the kind of the piece on a point, "" if it is empty.
func kindAt(b *plain.Board, point int) string { return kindOf[b.At(point)|0x20] }

func worthAt(b *plain.Board, point int) int { return worth[kindAt(b, point)] }

// pointOf returns the point of a name such as C4.
func pointOf(name string) int { return int(name[1]-'0')*9 + int(name[0]-'A') }

// wins reports whether the side to move wins so much if the sides only capture and may stop at any time.
func (w *witness) wins(b *plain.Board, need int) bool {
	claim := claimed{*b, need}
	won, ok := w.captured[claim]
	if ok {
		return won
	}
	captures := b.Captures()
	slices.SortStableFunc(captures, func(x, y plain.Move) int { return worthAt(b, y.To) - worthAt(b, x.To) })
	switch {
	case b.InCheck() && len(b.Moves()) == 0:
		won = need <= -1000
	default:
		won = need <= 0 || slices.ContainsFunc(captures, func(m plain.Move) bool { return !w.wins(b.After(m), worthAt(b, m.To)-need+1) })
	}
	w.captured[claim] = won
	return won
}

// capturing returns what the side to move wins so; of a side that is checkmated, something below 0.
func (w *witness) capturing(b *plain.Board) int {
	n := -1
	for w.wins(b, n+1) {
		n++
	}
	return n
}

// trading returns what the side to move wins by captures on a point.
func trading(b *plain.Board, point int) (most int) {
	for _, m := range b.Captures() {
		if m.To == point {
			most = max(most, worthAt(b, point)-trading(b.After(m), point))
		}
	}
	return most
}

// takes reports whether the side to move can capture on a point, by the piece on another point if that is not -1, so
// that no more than allowed is won back.
func (w *witness) takes(b *plain.Board, point, by, allowed int) bool {
	return slices.ContainsFunc(b.Captures(), func(m plain.Move) bool {
		return m.To == point && (by < 0 || m.From == by) && !w.wins(b.After(m), allowed+1)
	})
}

// loses reports whether the side to move has a move, and loses one of some pieces after each.
func (w *witness) loses(b *plain.Board, points []int, by int) bool {
	answers := b.Moves()
	for _, answer := range answers {
		next, lost := b.After(answer), false
		for _, point := range points {
			if answer.From == point {
				point = answer.To
			}
			lost = lost || w.takes(next, point, by, worthAt(next, point)/4-worthAt(b, answer.To))
		}
		if !lost || answer.To == by {
			return false
		}
	}
	return len(answers) > 0
}

// gains reports whether the side to move wins so much by n moves, and captures after them.
func (w *witness) gains(b *plain.Board, need, n int, first plain.Move) bool {
	if w.wins(b, need) {
		return true
	}
	moves := b.Moves()
	slices.SortStableFunc(moves, func(x, y plain.Move) int { return worthAt(b, y.To) - worthAt(b, x.To) })
	return n > 0 && slices.ContainsFunc(moves, func(m plain.Move) bool {
		next := b.After(m)
		if kindAt(b, m.To) == "" && m != first && !next.InCheck() {
			return false
		}
		answers := next.Moves()
		slices.SortStableFunc(answers, func(x, y plain.Move) int { return worthAt(next, y.To) - worthAt(next, x.To) })
		return !slices.ContainsFunc(answers, func(answer plain.Move) bool {
			return !w.gains(next.After(answer), need-worthAt(b, m.To)+worthAt(next, answer.To), n-1, plain.Move{})
		})
	})
}

func (w *witness) gainsInThree(b *plain.Board, need int, first plain.Move) bool {
	return slices.ContainsFunc([]int{1, 2, 3}, func(n int) bool { return w.gains(b, need, n, first) })
}

// mates reports whether the side to move forces checkmate in n moves.
func (w *witness) mates(b *plain.Board, n int, first plain.Move) bool {
	claim := claimed{*b, n}
	if won, ok := w.mated[claim]; ok && first == (plain.Move{}) {
		return won
	}
	won := slices.ContainsFunc(b.Moves(), func(m plain.Move) bool {
		next := b.After(m)
		check := next.InCheck()
		if !check && m != first && n != 2 {
			return false
		}
		answers := next.Moves()
		if len(answers) == 0 || n == 1 || w.earlier[*next] {
			return check && len(answers) == 0
		}
		return !slices.ContainsFunc(answers, func(answer plain.Move) bool {
			after := next.After(answer)
			return w.earlier[*after] || !w.mates(after, n-1, plain.Move{})
		})
	})
	if first == (plain.Move{}) {
		w.mated[claim] = won
	}
	return won
}

// allMate reports whether after every move but one the other side mates in n moves.
func (w *witness) allMate(but plain.Move, n int) bool {
	moves := w.before.Moves()
	return len(moves) > 1 && !slices.ContainsFunc(moves, func(m plain.Move) bool {
		next := w.before.After(m)
		in := func(k int) bool { return w.mates(next, k, plain.Move{}) }
		return m != but && !slices.ContainsFunc([]int{1, 2, 3}[:n], in)
	})
}

// A claim is a form of sentence.
type claim struct {
	kind   reason.Kind
	words  string
	isTrue func(w *witness, words []string) bool
}

const thePiece = `the (\w+) on (\w\d)`

// stands reports whether a piece stands on a point.
func stands(b *plain.Board, words []string) bool { return kindAt(b, pointOf(words[1])) == words[0] }

// threatens reports whether a move that is a check or not attacks so that a piece is lost.
func (w *witness) threatens(b *plain.Board, m plain.Move, check bool, words []string) bool {
	next, point := b.After(m), pointOf(words[1])
	return slices.Contains(b.Moves(), m) && stands(b, words) && next.InCheck() == check && w.loses(next, []int{point}, -1)
}

// forks reports whether a move attacks several pieces, of which one is lost.
func (w *witness) forks(b *plain.Board, m plain.Move, words []string) bool {
	next, passed := b.After(m), b.After(m).Passed()
	if kindAt(b, m.From) != words[0] || m.To != pointOf(words[2]) || !slices.Contains(b.Moves(), m) || next.InCheck() {
		return false
	}
	var points []int
	for text := range strings.SplitSeq(words[1], " and ") {
		piece := strings.Fields(text) // the rook on A9
		point := pointOf(piece[3])
		if kindAt(b, point) != piece[1] || !w.takes(passed, point, m.To, worthAt(b, point)/4) {
			return false
		}
		points = append(points, point)
	}
	return len(points) > 1 && w.loses(next, points, m.To)
}

// gain returns what a move and the captures after it win.
func (w *witness) gain(m plain.Move) int {
	return worthAt(w.before, m.To) - w.capturing(w.before.After(m))
}

func number(text string) int { n, _ := strconv.Atoi(text); return n }

var claims = []claim{
	{reason.AllowsMate, `Allows mate in (\d)\.`, func(w *witness, words []string) bool { return w.mates(w.after, number(words[0]), w.reply) }},
	{reason.Hangs, `Leaves ` + thePiece + ` hanging\.`, func(w *witness, words []string) bool {
		point := pointOf(words[1])
		return stands(w.after, words) && kindAt(w.before, w.played.To) == "" && w.reply.To == point && slices.Contains(w.after.Moves(), w.reply) &&
			!w.wins(w.after.After(w.reply), worth[words[0]]/4+1) && trading(w.after.After(w.reply), point) <= worth[words[0]]/4 && w.gain(w.best) > w.gain(w.played)
	}},
	{reason.Exchange, `Gives ` + thePiece + ` for (.*)\.`, func(w *witness, words []string) bool {
		point, next := pointOf(words[1]), w.after.After(w.reply)
		got, wantGot := 0, strings.Split(words[2], " and ")
		var names []string
		if taken := kindAt(w.before, w.played.To); taken != "" {
			names = append(names, taken)
		}
		if w.capturing(next) > 0 {
			names = append(names, kindAt(next, point))
			got = worthAt(next, point)
			if !w.takes(next, point, -1, 0) {
				return false
			}
		}
		for i, name := range wantGot {
			wantGot[i] = strings.Fields(name)[1]
		}
		return stands(w.after, words) && w.reply.To == point && slices.Contains(w.after.Moves(), w.reply) && slices.Equal(names, wantGot) &&
			got == w.capturing(next) && worth[words[0]]-got-worthAt(w.before, w.played.To) >= 4 && w.gain(w.best) > w.gain(w.played)
	}},
	{reason.AllowsFork, `Allows the (\w+) to fork (.*) from (\w\d)\.`, func(w *witness, words []string) bool { return w.forks(w.after, w.reply, words) }},
	{reason.AllowsCheck, `Allows a check that wins ` + thePiece + `\.`, func(w *witness, words []string) bool { return w.threatens(w.after, w.reply, true, words) }},
	{reason.AllowsTrap, `Lets ` + thePiece + ` be trapped\.`, func(w *witness, words []string) bool { return w.threatens(w.after, w.reply, false, words) }},
	{reason.LosesMaterial, `Loses the worth of an? (\w+) by force\.`, func(w *witness, words []string) bool {
		return w.gainsInThree(w.after, worth[words[0]]+worthAt(w.before, w.played.To), w.reply)
	}},
	{reason.MissesMate, `Misses mate in (\d)\.`, func(w *witness, words []string) bool { return w.mates(w.before, number(words[0]), w.best) }},
	{reason.MissesCapture, `Misses that ` + thePiece + ` is hanging\.`, func(w *witness, words []string) bool {
		return stands(w.before, words) && w.best.To == pointOf(words[1]) && w.capturing(w.before.After(w.best)) == 0 && trading(w.before.After(w.best), w.best.To) == 0 && w.gain(w.played) < w.gain(w.best)
	}},
	{reason.MissesFork, `Misses that the (\w+) can fork (.*) from (\w\d)\.`, func(w *witness, words []string) bool { return w.forks(w.before, w.best, words) }},
	{reason.MissesCheck, `Misses a check that wins ` + thePiece + `\.`, func(w *witness, words []string) bool { return w.threatens(w.before, w.best, true, words) }},
	{reason.MissesTrap, `Misses that ` + thePiece + ` can be trapped\.`, func(w *witness, words []string) bool { return w.threatens(w.before, w.best, false, words) }},
	{reason.MissesMaterial, `Misses winning the worth of an? (\w+) by force\.`, func(w *witness, words []string) bool {
		return w.gainsInThree(w.before, worth[words[0]]+max(0, w.gain(w.played)), w.best)
	}},
	{reason.OnlyMove, `The only legal move\.`, func(w *witness, _ []string) bool {
		return slices.Equal(w.before.Moves(), []plain.Move{w.played})
	}},
	{reason.OnlyMove, `The only move: every other one allows mate in (\d)(?: at most)?\.`, func(w *witness, words []string) bool {
		return w.allMate(w.played, number(words[0]))
	}},
	{reason.MissesOnlyMove, `Every move but one allows mate in (\d)(?: at most)?\.`, func(w *witness, words []string) bool {
		return w.allMate(w.best, number(words[0]))
	}},
}

// check returns an error if the words of a reason are not true, or are those of another kind.
func (w *witness) check(r reason.Reason) error {
	for _, c := range claims {
		words := lazyregexp.New(`^` + c.words + `$`)().FindStringSubmatch(r.English)
		switch {
		case words == nil:
		case c.kind != r.Kind:
			return fmt.Errorf("it is %q, not %q", c.kind, r.Kind)
		case !c.isTrue(w, words[1:]):
			return errors.New("it is not true")
		default:
			return nil
		}
	}
	return errors.New("unknown words")
}

// newWitness returns a witness of a move.
func newWitness(m reason.Move, board *plain.Board, earlier map[plain.Board]bool) *witness {
	return &witness{
		before: board, after: board.After(plainMove(m.Played)), played: plainMove(m.Played), best: plainMove(m.Best), reply: plainMove(m.Reply),
		earlier: earlier, captured: map[claimed]bool{}, mated: map[claimed]bool{},
	}
}

// plainMove returns a move in the type of package plain.
func plainMove(m xiangqi.Move) plain.Move { return plain.Move{From: int(m.From()), To: int(m.To())} }

// A prosecutor has an engine with few nodes play the part of the one that judges, and checks all reasons.
type prosecutor struct {
	*testing.T
	engine engine.Searcher
	counts map[reason.Kind]int
}

// line returns the engine's line.
func (p *prosecutor) line(pos engine.Position) engine.Line {
	lines, err := engine.Best(p.Context(), p.engine, pos, engine.Limits{Nodes: 1500, Lines: 1})
	if err != nil {
		p.Fatal(err)
	}
	return lines[0]
}

// game checks what is said of every move of a game, and if others is set, of another one in each position, such as a
// beginner plays.
func (p *prosecutor) game(g *record.Game, others bool) {
	earlier := map[plain.Board]bool{}
	pos := g.Start.(*xiangqi.Position)
	best := p.line(pos)
	for ply, m := range g.MainLine() {
		board, err := plain.Parse(pos.FEN())
		if err != nil {
			p.Fatal(err)
		}
		earlier[*board] = true
		if legal := pos.LegalMoves(); others {
			p.move(pos, legal[ply*7%len(legal)], best, board, earlier)
		}
		reply, over := p.move(pos, xiangqi.Move(m), best, board, earlier)
		if over {
			break
		}
		if pos, err = pos.PlayMove(xiangqi.Move(m)); err != nil {
			p.Fatal(err)
		}
		best = reply
	}
}

// move checks what is said of a move, and returns the engine's reply, unless the game is over.
func (p *prosecutor) move(pos *xiangqi.Position, m xiangqi.Move, best engine.Line, board *plain.Board, earlier map[plain.Board]bool) (reply engine.Line, over bool) {
	next, err := pos.PlayMove(m)
	if err != nil {
		p.Fatal(err)
	}
	if next.Result().Over() {
		return reply, true
	}
	reply = p.line(next)
	judged := reason.Move{
		Before: pos, Played: m, Bad: m != xiangqi.Move(best.Move()), Best: xiangqi.Move(best.Move()), Reply: xiangqi.Move(reply.Move()),
		BestScore: best.Score, ReplyScore: reply.Score,
	}
	w := newWitness(judged, board, earlier)
	for _, r := range reason.Of(judged) {
		p.counts[r.Kind]++
		if err := w.check(r); err != nil {
			p.Errorf("%v, %v, best %v, reply %v: %s: %v", pos, m, judged.Best, judged.Reply, r.English, err)
		}
	}
	return reply, false
}

// TestProofs checks every sentence on real games: two of the examples, and thirty of $QHSH_DATA.
func TestProofs(t *testing.T) {
	for _, c := range []struct {
		name, path   string
		games, every int
		others       bool
	}{
		{"examples", "../../../examples/games.pgn", 2, 9, true},
		{"data", filepath.Join(os.Getenv("QHSH_DATA"), "games", "Hu_Ronghua_1391_UCI_games.pgn.zip"), 30, 46, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.name == "data" && os.Getenv("QHSH_DATA") == "" {
				t.Skip("QHSH_DATA is not set: only the games of the examples are checked")
			}
			e, err := search.New(search.DefaultOptions())
			if err != nil {
				t.Fatal(err)
			}
			file, err := os.Open(c.path)
			if err != nil {
				t.Fatal(err)
			}
			defer file.Close()
			p := &prosecutor{t, e, map[reason.Kind]int{}}
			read := 0
			for g, err := range xqrecord.Library.Read(file, c.path) {
				if err != nil || read == c.games*c.every {
					break
				}
				if read++; read%c.every == 0 {
					p.game(g, c.others)
				}
			}
			for _, kind := range slices.Sorted(maps.Keys(p.counts)) {
				t.Logf("%-16s %d", kind, p.counts[kind])
			}
			if read < c.games*c.every {
				t.Errorf("%d games", read)
			}
		})
	}
}
