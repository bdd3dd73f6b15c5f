package xiangqi

import "testing"

// TestRealRepetitions replays the collected cases on which all references agree: if only one side
// gives perpetual check, that must also be their reason.
func TestRealRepetitions(t *testing.T) {
	verdicts := map[string]Verdict{"loss": Loses, "draw": Draws, "win": Wins}
	judged := 0
	for _, c := range readRepetitions(t) {
		if !c.unanimous() {
			continue
		}
		b := c.play(t).Board()
		verdict, ok := b.Repetition()
		if !ok || b.Occurrences() == 0 {
			t.Errorf("%s: no repetition seen", c.ID)
		}
		if verdict != Draws {
			judged++
			if want, ok := verdicts[c.verdicts[published]]; !ok || verdict != want {
				t.Errorf("%s: verdict %d, want %s", c.ID, verdict, c.verdicts[published])
			}
		}
	}
	t.Logf("%d perpetual checks", judged)
}
