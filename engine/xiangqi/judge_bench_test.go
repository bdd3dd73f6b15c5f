package xiangqi

import "testing"

// repetitionBoards returns the final positions of the collected cases.
func repetitionBoards(tb testing.TB) (boards []*Board, ends []*Position) {
	for _, c := range readRepetitions(tb) {
		if p := c.play(tb); p != nil {
			boards, ends = append(boards, p.Board()), append(ends, p)
		}
	}
	return boards, ends
}

// BenchmarkRepetitionUnder measures the repetition check of a search, as an average over the
// cases.
func BenchmarkRepetitionUnder(b *testing.B) {
	boards, _ := repetitionBoards(b)
	for _, r := range RuleSets() {
		b.Run(r.String(), func(b *testing.B) {
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				boards[i%len(boards)].RepetitionUnder(r)
			}
		})
	}
	b.Run("checks only", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			boards[i%len(boards)].Repetition()
		}
	})
}

// BenchmarkAdjudicate measures the adjudication after each move, for positions that occur for the
// first time and for the cases.
func BenchmarkAdjudicate(b *testing.B) {
	_, ends := repetitionBoards(b)
	b.Run("first time", func(b *testing.B) {
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			start, _ := ends[i%len(ends)].History()
			Asian.Adjudicate(start)
		}
	})
	b.Run("third time", func(b *testing.B) {
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			Asian.Adjudicate(ends[i%len(ends)])
		}
	})
}

// BenchmarkJudge measures a full ruling, with the effect of each move.
func BenchmarkJudge(b *testing.B) {
	_, ends := repetitionBoards(b)
	for i := 0; b.Loop(); i++ {
		Asian.Judge(ends[i%len(ends)])
	}
}

func TestRepetitionUnderDoesNotAllocate(t *testing.T) {
	boards, _ := repetitionBoards(t)
	for _, r := range RuleSets() {
		allocs := testing.AllocsPerRun(10, func() {
			for _, b := range boards {
				b.RepetitionUnder(r)
			}
		})
		if allocs != 0 {
			t.Errorf("%v: %v allocations", r, allocs)
		}
	}
}
