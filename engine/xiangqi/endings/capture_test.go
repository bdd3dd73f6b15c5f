package endings

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"qhsh/engine/enginetest"
	"qhsh/engine/xiangqi"
)

// TestUntilCapture compares the plies to a capture or mate with those after each move, by a limit so low
// that there are wins that exceed it.
func TestUntilCapture(t *testing.T) {
	enginetest.SkipUnderRace(t)
	for _, test := range []struct {
		material string
		limit    int
	}{{"KPPK", 9}, {"KNKP", 10}, {"KPKA", 6}} {
		k := makeMaker(t, test.material, test.limit)
		counts := map[string]int{}
		for i := range k.layout.size {
			for _, side := range sides {
				v := Value(k.values[side].at(i))
				if v > longest {
					continue
				}
				least, most := never, 0
				k.next(i, side, func(s step, after *placement, next Value) bool {
					until := 1
					switch {
					case next > longest:
						until = never
					case s.taken < 0:
						number, _, _ := k.layout.number(after, false, false)
						until = min(int(k.until[side^1].at(number))+1, never)
					case k.parts[k.layout.men[s.taken]].until(after, side^1) > test.limit:
						until = never
						counts["captures that are too late"]++
					}
					if next.Loses() {
						least = min(least, until)
					}
					most = max(most, until)
					return true
				})
				want := most
				if v.Wins() {
					want = least
				}
				until := int(k.until[side].at(i))
				switch {
				case until != want:
					p, _ := k.layout.at(i)
					t.Fatalf("%s: %d plies to a capture or mate, but %d by the moves", p.fen(side), until, want)
				case until == never:
					counts["never"]++
				case until < int(v):
					counts["sooner than mate"]++
				}
			}
		}
		t.Log(test.material, counts)
	}
}

// TestCursed asks a file with plies to a capture about games in which nothing has been taken for long.
func TestCursed(t *testing.T) {
	k := makeMaker(t, "KPPK", 9)
	_, made := written(t, k)
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, made, 0o666); err != nil {
		t.Fatal(err)
	}
	in, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	tables := newTables("")
	if tables.files[k.layout.material], err = newFile(in, k.layout.material); err != nil {
		t.Fatal(err)
	}
	const clock = 90
	cursed := 0
	for i := 0; i < k.layout.size; i += 7 {
		p, _ := k.layout.at(i)
		for _, side := range sides {
			v := Value(k.values[side].at(i))
			if v > longest {
				continue
			}
			pos, err := xiangqi.ParseFEN(strings.Replace(p.fen(side), " 0 1", fmt.Sprintf(" %d 60", clock), 1))
			if err != nil {
				t.Fatal(err)
			}
			e, err := tables.Query(pos, xiangqi.Asian)
			if err != nil {
				t.Fatal(err)
			}
			if want := clock+int(k.until[side].at(i)) > xiangqi.Asian.QuietPlies(); e.Cursed != want {
				t.Fatalf("%v: %v, %d plies to a capture", pos, e, k.until[side].at(i))
			}
			if e.Cursed {
				cursed++
				continue
			}
			for _, m := range e.Moves {
				next, err := pos.PlayMove(xiangqi.Move(m))
				if err != nil {
					t.Fatal(err)
				}
				if e, err := tables.Query(next, xiangqi.Asian); err != nil || e.Cursed {
					t.Fatalf("%v after %v: %v, %v", next, m, e, err)
				}
			}
		}
	}
	if cursed == 0 {
		t.Error("nothing is cursed")
	}
}
