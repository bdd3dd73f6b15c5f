package stats

import (
	"math"
	"slices"
	"strings"

	"qhsh/engine"
	"qhsh/pluginclient/task/batch"
)

// A Comparison is two files and their agreement.
type Comparison struct {
	First  Summary `json:"first"`
	Second Summary `json:"second"`
	Agreement
}

// An Agreement counts where two files agree and differ. Answers are paired if their positions are
// equal, counters included; among several, those with the same ID, or else in order. Bad lines are
// paired by location.
type Agreement struct {
	Both int `json:"both"` // positions in both files

	OnlyFirst  int    `json:"only_first"`         // positions that are not in the second file
	OnlySecond int    `json:"only_second"`        // positions that are not in the first file
	SameMove   int    `json:"same_move"`          // positions whose best hints have the same move
	OtherMove  int    `json:"other_move"`         // positions whose best hints have different moves
	Bands      []Band `json:"by_score,omitempty"` // these, by the first file's score

	Scores  *ScoreGap    `json:"scores,omitempty"`
	Chances *Correlation `json:"win_chances,omitempty"`
	Solved  *SolvedGap   `json:"solved,omitempty"`

	Differences int    `json:"differences"` // the number of differences
	Listed      []Pair `json:"listed"`      // the first of them, in the order of the files
}

// A Band is how often the best hints have the same move when the first file's score is in a range.
type Band struct {
	Bin          // its Count is that of all of them
	SameMove int `json:"same_move"`
}

// ScoreGap is the difference between the scores of the best hints, in centipawns, where both have
// one. A positive Mean means that the scores of the second file are higher.
type ScoreGap struct {
	Pairs   int     `json:"pairs"`
	Mean    float64 `json:"mean"`
	MeanAbs float64 `json:"mean_abs"`
	MaxAbs  int     `json:"max_abs"`
}

// SolvedGap is which file has solved what, of the positions with a bm or am.
type SolvedGap struct {
	Both       int `json:"both"`
	OnlyFirst  int `json:"only_first"`
	OnlySecond int `json:"only_second"`
	Neither    int `json:"neither"`
}

// A Pair is two answers about one position that differ.
type Pair struct {
	Place  string   `json:"place"` // in the first file's input
	ID     string   `json:"id,omitempty"`
	FEN    string   `json:"fen"`
	Moves  []string `json:"moves,omitempty"`
	First  Outcome  `json:"first"`
	Second Outcome  `json:"second"`
}

// An Outcome is the short form of an answer: a move, how the game has ended, or an error.
type Outcome struct {
	Move      string       `json:"move,omitempty"`
	Score     engine.Score `json:"-"`
	ScoreText string       `json:"score,omitempty"` // as UCI writes it
	Over      string       `json:"over,omitempty"`
	Error     string       `json:"error,omitempty"`
}

func outcomeOf(a batch.Answer) (v Outcome) {
	switch {
	case a.Err != nil:
		v.Error = a.Err.Error()
	case len(a.Hints) > 0:
		v.Move, v.Score = a.Hints[0].Move, a.Hints[0].Score
		v.ScoreText = v.Score.String()
	default:
		v.Over = a.Over
	}
	return v
}

// differs reports whether two outcomes differ. Scores count if they differ by gap centipawns or
// more; a gap of 0 ignores them.
func (v Outcome) differs(w Outcome, gap int) bool {
	if v.Move != w.Move || v.Over != w.Over || (v.Error == "") != (w.Error == "") {
		return true
	}
	return gap > 0 && scoresDiffer(v.Score, w.Score, gap)
}

// scoresDiffer reports whether scores are at least gap apart. A mate differs from a score that is
// not a mate and from a mate of the other side.
func scoresDiffer(s, t engine.Score, gap int) bool {
	a, isCP := s.Centipawns()
	b, areCP := t.Centipawns()
	if isCP && areCP {
		return max(a-b, b-a) >= gap
	}
	return s.Known() && t.Known() && binOf(s) != binOf(t)
}

// Options configure a comparison.
type Options struct {
	Game engine.Game // the game of the positions
	Max  int         // the number of listed differences; 0: all
	Gap  int         // the minimum difference of scores that counts, in centipawns; 0: scores are ignored
	// Each, if not nil, is called with each difference instead of keeping it.
	Each func(d Difference) error
	// Baseline, if not nil, is an earlier file that Summarize compares with. It can be used once.
	Baseline *Baseline
	// Cases keeps what [Summary.WriteJUnit] needs.
	Cases bool
}

// A Difference is a Pair of two files among several.
type Difference struct {
	Files [2]string `json:"files"`
	Pair
}

// A comparer computes the Agreement of two files from their interleaved answers.
type comparer struct {
	*Options
	files   [2]string
	c       Agreement
	waiting [2]map[string][]batch.Answer // answers that are not in the other file so far
	sum     int64                        // of the differences of scores
	sumAbs  int64
	chances correlator
	bins    map[binIndex]int // pairs of best hints, by the score of the first
	same    map[binIndex]int // pairs with the same move
}

func newComparer(first, second string, o *Options) *comparer {
	return &comparer{
		Options: o, files: [2]string{first, second},
		waiting: [2]map[string][]batch.Answer{{}, {}}, bins: map[binIndex]int{}, same: map[binIndex]int{},
	}
}

// add adds a normalized answer of the first (0) or second (1) file.
func (x *comparer) add(side int, key string, a batch.Answer) error {
	other, ok := takeSame(x.waiting[1-side], key, func(o batch.Answer) bool { return o.ID == a.ID })
	if !ok {
		x.waiting[side][key] = append(x.waiting[side][key], a)
		return nil
	}
	if side == 1 {
		a, other = other, a
	}
	return x.pair(a, other)
}

// takeSame removes one of those that wait at a key, the first that is the same or else the first of all.
func takeSame[T any](waiting map[string][]T, key string, same func(T) bool) (one T, ok bool) {
	all := waiting[key]
	if len(all) == 0 {
		return one, false
	}
	i := max(0, slices.IndexFunc(all, same))
	one = all[i]
	if waiting[key] = slices.Delete(all, i, i+1); len(all) == 1 {
		delete(waiting, key)
	}
	return one, true
}

// normalise converts the best hint's move, and those to find and to avoid, to the game's notation, which files in another notation
// and those of other programs do not have, and returns a key that is equal for answers that belong together.
func (o *Options) normalise(a *batch.Answer) (key string) {
	if a.Text == "" {
		return "line " + batch.Location(a.Item)
	}
	item := batch.Record{Text: a.Text, Moves: a.Moves}.Item(o.Game)
	if item.Err != nil {
		return a.Text + " moves " + strings.Join(a.Moves, " ")
	}
	rename := func(move *string) {
		if m, err := batch.ReadMove(o.Game, item.Pos, *move); err == nil {
			*move = item.Pos.Format(m)
		}
	}
	if len(a.Hints) > 0 {
		rename(&a.Hints[0].Move)
	}
	for _, moves := range [][]string{a.BM, a.AM} {
		for i := range moves {
			rename(&moves[i])
		}
	}
	return item.Pos.String()
}

func (x *comparer) pair(a, b batch.Answer) error {
	x.c.Both++
	v, w := outcomeOf(a), outcomeOf(b)
	if v.Move != "" && w.Move != "" {
		x.moves(v, w)
	}
	x.solved(a, b)
	if !v.differs(w, x.Gap) {
		return nil
	}
	x.c.Differences++
	if x.Max != 0 && x.c.Differences > x.Max {
		return nil
	}
	p := Pair{Place: batch.Location(a.Item), ID: a.ID, FEN: a.Text, Moves: a.Moves, First: v, Second: w}
	if x.Each != nil {
		return x.Each(Difference{x.files, p})
	}
	x.c.Listed = append(x.c.Listed, p)
	return nil
}

func (x *comparer) moves(v, w Outcome) {
	in := binOf(v.Score)
	x.bins[in]++
	if v.Move == w.Move {
		x.c.SameMove++
		x.same[in]++
	} else {
		x.c.OtherMove++
	}
	x.chances.add(v.Score, w.Score)
	a, ok := v.Score.Centipawns()
	b, both := w.Score.Centipawns()
	if ok && both {
		if x.c.Scores == nil {
			x.c.Scores = &ScoreGap{}
		}
		d := b - a
		x.c.Scores.Pairs++
		x.sum += int64(d)
		x.sumAbs += int64(max(d, -d))
		x.c.Scores.MaxAbs = max(x.c.Scores.MaxAbs, d, -d)
	}
}

func (x *comparer) solved(a, b batch.Answer) {
	first, scored := a.Solved()
	second, both := b.Solved()
	if !scored || !both {
		return
	}
	if x.c.Solved == nil {
		x.c.Solved = &SolvedGap{}
	}
	switch s := x.c.Solved; {
	case first && second:
		s.Both++
	case first:
		s.OnlyFirst++
	case second:
		s.OnlySecond++
	default:
		s.Neither++
	}
}

func (x *comparer) agreement() Agreement {
	c := x.c
	c.OnlyFirst, c.OnlySecond = count(x.waiting[0]), count(x.waiting[1])
	if s := c.Scores; s != nil {
		s.Mean = float64(x.sum) / float64(s.Pairs)
		s.MeanAbs = float64(x.sumAbs) / float64(s.Pairs)
	}
	c.Chances = x.chances.correlation()
	for _, bin := range binsOf(x.bins) {
		if bin.Count > 0 {
			c.Bands = append(c.Bands, Band{bin, x.same[bin.edge]})
		}
	}
	return c
}

func count[T any](waiting map[string][]T) (n int) {
	for _, all := range waiting {
		n += len(all)
	}
	return n
}

// A Correlation is Pearson's coefficient of two files' scores, converted to chances of winning, see
// [engine.Score.Chance]. Unlike centipawns these can represent mates, and a few won positions do
// not dominate.
type Correlation struct {
	Pairs   int     `json:"pairs"`
	Pearson float64 `json:"pearson"` // from -1 to 1, to four decimals
}

// correlator accumulates a Correlation by Welford's method.
type correlator struct {
	n            int
	x, y         float64 // means
	xx, yy, both float64 // sums of the products of the distances from these
}

// add adds two scores of a position, if both are known.
func (c *correlator) add(first, second engine.Score) {
	x, ok := first.Chance(engine.DefaultScale)
	y, both := second.Chance(engine.DefaultScale)
	if !ok || !both {
		return
	}
	c.n++
	dx, dy := x-c.x, y-c.y
	c.x += dx / float64(c.n)
	c.y += dy / float64(c.n)
	c.xx += dx * (x - c.x)
	c.yy += dy * (y - c.y)
	c.both += dx * (y - c.y)
}

// correlation returns the result; nil if it is meaningless: with two positions it is always 1 or
// -1, and it is undefined if all scores of a file are equal.
func (c *correlator) correlation() *Correlation {
	of := math.Sqrt(c.xx * c.yy)
	if c.n < 3 || of == 0 {
		return nil
	}
	return &Correlation{c.n, round(c.both / of)}
}
