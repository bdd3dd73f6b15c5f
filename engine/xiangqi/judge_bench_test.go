package xiangqi

import "testing"

// repetitionBoards returns the collected cases, each at its end.
func repetitionBoards(tb testing.TB) (boards []*Board, ends []*Position) {
	for _, c := range readRepetitions(tb) {
		if p := c.play(tb); p != nil {
			boards, ends = append(boards, p.Board()), append(ends, p)
		}
	}
	return boards, ends
}

// BenchmarkRepetitionUnder is the judge inside a search, an average over the cases.
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

// BenchmarkAdjudicate is a game's end, asked for after every move: where the position
// has never stood before, and at the cases.
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

// BenchmarkJudge is a whole ruling, with what every move does.
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
