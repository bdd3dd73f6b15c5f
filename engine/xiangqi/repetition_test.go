package xiangqi

import (
	"encoding/json"
	"testing"
)

// TestRealRepetitions replays the collected cases on which every implementation
// agrees: where one side alone checks perpetually, that must be their reason too.
func TestRealRepetitions(t *testing.T) {
	verdicts := map[string]Verdict{"loss": Loses, "draw": Draws, "win": Wins}
	judged := 0
	for _, line := range readLines(t, dataFile(t, "rules/repetition-cases.jsonl")) {
		var c struct {
			ID, FEN, Expect string
			Moves           []string
			Unanimous       bool
		}
		if err := json.Unmarshal([]byte(line), &c); err != nil {
			t.Fatal(err)
		}
		p, err := ParseFEN(c.FEN)
		if err != nil || !c.Unanimous {
			continue
		}
		b := p.Board()
		for _, text := range c.Moves {
			m := mustMove(t, text)
			if !b.Legal(m) {
				t.Fatalf("%s: %s is not legal", c.ID, text)
			}
			b.Do(m)
		}
		verdict, ok := b.Repetition()
		if !ok || b.Occurrences() == 0 {
			t.Errorf("%s: no repetition seen", c.ID)
		}
		if verdict != Draws {
			judged++
			if want, ok := verdicts[c.Expect]; !ok || verdict != want {
				t.Errorf("%s: verdict %d, want %s", c.ID, verdict, c.Expect)
			}
		}
	}
	t.Logf("%d perpetual checks", judged)
}
