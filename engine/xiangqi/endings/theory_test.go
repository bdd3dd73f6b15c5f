package endings

import (
	"bytes"
	"encoding/csv"
	"flag"
	"os"
	"strconv"
	"testing"
)

var theoryDir = flag.String("theory", "", "compare the results of theory with the tables of `FOLDER`, too")

// What is said of the tables is what they say: those of the program, and with -theory all. -update rewrites it.
func TestTheory(t *testing.T) {
	tables := Open(*theoryDir)
	defer tables.Close()
	var out bytes.Buffer
	w := csv.NewWriter(&out)
	_ = w.Write([]string{"material", "name", "claim", "source", "quiet", "won", "longest", "position"})
	for _, r := range Theory() {
		m, err := ParseMaterial(r.Material)
		if err != nil {
			t.Fatal(err)
		}
		standard, swapped := m.standard()
		f, err := tables.file(standard)
		switch {
		case err == nil:
			s := f.stats.Sides[0]
			if swapped {
				s = f.stats.Sides[1]
			}
			now := r
			now.Quiet, now.Won, now.Longest, now.Position = s.Quiet, s.QuietWins, s.LongestWin, s.Position
			if now != r && !*update {
				t.Errorf("%+v, want %+v", r, now)
			}
			r = now
		case *theoryDir != "":
			t.Errorf("%s: %v", r.Material, err)
		}
		_ = w.Write([]string{r.Material, r.Name, r.Claim, r.Sources, strconv.Itoa(r.Quiet), strconv.Itoa(r.Won), strconv.Itoa(r.Longest), r.Position})
	}
	if w.Flush(); *update {
		if err := os.WriteFile("theory.csv", out.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}
