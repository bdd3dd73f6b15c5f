package records

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"qhsh/engine"
	"qhsh/engine/games"
	"qhsh/engine/printable"
	"qhsh/engine/record"
	"qhsh/pluginclient/format"
)

// A Filter selects positions for training data, and counts them. Quiet and NoCheck need a game with captures and
// checks. It must not be copied after first use.
type Filter struct {
	Quiet   bool // the move that was played neither captures nor gives check
	NoCheck bool // the side to move is not in check
	Score   int  // at most this, for either side, and no mate; 0: any
	Plies   int  // at the beginning of a game that are left out

	Written                   int // positions that passed
	games                     int // left out
	failed, unscored, unmoved int // positions left out
}

// FilterWords are what ParseFilter reads, with examples of numbers.
var FilterWords = []string{"quiet", "nocheck", "score=2000", "plies=16"}

// ParseFilter parses "quiet,nocheck,score=2000,plies=16", of which each may be missing.
func ParseFilter(text string) (f Filter, err error) {
	for word := range strings.SplitSeq(text, ",") {
		key, value, _ := strings.Cut(word, "=")
		number := map[string]*int{"score": &f.Score, "plies": &f.Plies}[key]
		switch {
		case word == "quiet":
			f.Quiet = true
		case word == "nocheck":
			f.NoCheck = true
		case number == nil:
			return f, fmt.Errorf("unknown word %q: use some of %s", word, strings.Join(FilterWords, ","))
		default:
			if *number, err = strconv.Atoi(value); err != nil || *number < 1 {
				return f, fmt.Errorf("%s: want a number of at least 1", word)
			}
		}
	}
	return f, nil
}

func (f *Filter) passes(row *games.Row, s record.Scored) bool {
	cp, ok := s.Score.Centipawns()
	switch {
	case s.Ply < f.Plies,
		f.Score > 0 && (!ok || max(cp, -cp) > f.Score),
		f.NoCheck && row.InCheck(s.Position),
		f.Quiet && (s.Next == nil || row.Captures(s.Position, s.Next.Move) || row.GivesCheck(s.Position, s.Next.Move)):
		return false
	}
	return true
}

// Left says which positions were left out, after a semicolon; "" if none were.
func (f *Filter) Left() string {
	var left []string
	for _, part := range []struct {
		count     int
		what, why string
	}{
		{f.games, "game", "without a result, or lost by a fault"},
		{f.unscored, "position", "without a score"},
		{f.unmoved, "position", "without a move"},
		{f.failed, "position", "by -filter"},
	} {
		if part.count > 0 {
			left = append(left, printable.Plural(part.count, part.what)+" "+part.why)
		}
	}
	if left == nil {
		return ""
	}
	return "; left out: " + strings.Join(left, ", ")
}

type trainingFormat struct {
	name       string
	extensions []string
	text       func(p *Position, s record.Scored, o engine.Outcome) string
}

// training are the formats of training data. Each position is written by one call of Write. A position that the
// format cannot hold has no text.
var training = []trainingFormat{
	{"plain", []string{".plain"}, func(p *Position, s record.Scored, o engine.Outcome) string {
		if s.Next == nil {
			return ""
		}
		return fmt.Sprintf("fen %s\nmove %s\nscore %d\nply %d\nresult %d\ne\n",
			p.FEN, p.Move, record.ScoreNumber(s.Score), p.Ply, points(o, s.Position.Turn()))
	}},
	{"text", nil, func(p *Position, s record.Scored, o engine.Outcome) string {
		number := record.ScoreNumber(s.Score)
		if s.Position.Turn() == engine.Second {
			number = -number
		}
		return fmt.Sprintf("%s | %d | %.1f\n", p.FEN, number, float64(1+points(o, engine.First))/2)
	}},
	{"jsonl", nil, func(p *Position, _ record.Scored, _ engine.Outcome) string {
		var b strings.Builder
		_ = format.JSONLine(&b, p) // a Builder takes everything
		return b.String()
	}},
}

// points returns the result of a game for a side: 1, 0 or -1.
func points(o engine.Outcome, side engine.Turn) int {
	switch o {
	case engine.Win(side):
		return 1
	case engine.Draw:
		return 0
	}
	return -1
}

// IsTraining reports whether a format has training data: positions with a score, and not games.
func IsTraining(name string) bool {
	return slices.ContainsFunc(training, func(f trainingFormat) bool { return f.name == name })
}

func trainingFormats(all games.Table) (formats []Format) {
	for _, of := range training {
		formats = append(formats, Format{Name: of.name, Extensions: of.extensions, Write: func(w io.Writer, s Style) (Sink, error) {
			row, f := all.Row(s.Library.Game), s.Filter
			return Sink{Write: func(file string, number int, g *record.Game) error {
				if !g.ResultCounts() {
					f.games++
					return nil
				}
				if n, err := strconv.Atoi(g.Tags.Get(record.GameTag)); err == nil {
					number = n
				}
				file = cmp.Or(g.Tags.Get(record.FileTag), file)
				for scored := range s.Library.Scored(g) {
					switch {
					case !scored.Score.Known():
						if scored.Next != nil {
							f.unscored++
						}
						continue
					case !f.passes(row, scored):
						f.failed++
						continue
					}
					p := &Position{
						File: file, Game: number, Ply: scored.Ply, FEN: scored.Position.String(), ScoreJSON: scored.Score.JSON(),
						Result: s.Library.PGN.FormatResult(g.Result), Player: scored.By,
					}
					if scored.Next != nil {
						p.Move = all.MoveName(scored.Position, scored.Next.Move, "uci")
					}
					text := of.text(p, scored, g.Result)
					if text == "" {
						f.unmoved++
						continue
					}
					f.Written++
					if _, err := io.WriteString(w, text); err != nil {
						return err
					}
				}
				return nil
			}}, nil
		}})
	}
	return formats
}
