package record

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"qhsh/engine/enginetest"
	"qhsh/engine/record"
	"qhsh/engine/xiangqi"
	"qhsh/engine/xiangqi/notation"
)

var binaryFormats = []string{"xqf", "cbr", "cbl"}

// TestWriteBinary: what is written in a binary format is read again as the same game.
func TestWriteBinary(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := short(randomGame(t))
		g.Start = mustPosition(t, startPos(g).WireFEN()+" - - 0 1")
		for _, form := range binaryFormats {
			sameAgain(t, []*record.Game{g}, form, notation.ICCS)
		}
	})
}

// writeLosing writes a game and returns what the format cannot hold.
func writeLosing(t testing.TB, g *record.Game, form string) (raw []byte, lost []string) {
	t.Helper()
	f, _ := Library.FormatByName(form)
	var file bytes.Buffer
	w, err := Library.NewWriter(&file, f, "")
	if err == nil {
		err = errors.Join(w.Write(g), w.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
	return file.Bytes(), w.Lost()
}

// TestXQFIsItsAuthors: the example of the description of version 1.0 is written byte for byte.
func TestXQFIsItsAuthors(t *testing.T) {
	g, errs := readText([]byte(`[Title "仙人指路对起马局"]
[Event "'中立杯'象棋电视快棋赛"]
[Date "1997年11月16日"]
[Site "北京"]
[Red "柳大华"]
[Black "吕  钦"]
[Result "0-1"]
[Annotator "刘殿中"]
[Author "过河象"]

1. 兵七进一 马８进７ 2. 兵三进一 0-1
`))
	if errs != nil {
		t.Fatal(errs)
	}
	raw, lost := writeLosing(t, g[0], "xqf")
	want := make([]byte, xqfHeader)
	for at, text := range map[int]string{
		0x00:  "XQ\x0a",
		0x10:  "\x50\x46\x3C\x32\x28\x1E\x14\x0A\x00\x48\x0C\x53\x3F\x2B\x17\x03\x09\x13\x1D\x27\x31\x3B\x45\x4F\x59\x11\x4D\x06\x1A\x2E\x42\x56",
		0x33:  "\x02",
		0x50:  "\x10\xCF\xC9\xC8\xCB\xD6\xB8\xC2\xB7\xB6\xD4\xC6\xF0\xC2\xED\xBE\xD6",
		0xd0:  "\x16'\xD6\xD0\xC1\xA2\xB1\xAD'\xCF\xF3\xC6\xE5\xB5\xE7\xCA\xD3\xBF\xEC\xC6\xE5\xC8\xFC",
		0x110: "\x0e1997\xC4\xEA11\xD4\xC216\xC8\xD5", 0x120: "\x04\xB1\xB1\xBE\xA9",
		0x130: "\x06\xC1\xF8\xB4\xF3\xBB\xAA", 0x140: "\x08\xC2\xC0  \xC7\xD5",
		0x1d0: "\x06\xC1\xF5\xB5\xEE\xD6\xD0", 0x1e0: "\x06\xB9\xFD\xBA\xD3\xCF\xF3",
	} {
		copy(want[at:], text)
	}
	want[0x140] = 6
	want = append(want, "\x18\x20\xf0\xff\x00\x00\x00\x00\x2f\x38\xf0\x00\x00\x00\x00\x00\x67\x63\xf0\x00\x00\x00\x00\x00\x57\x60\x00\x00\x00\x00\x00\x00"...)
	if diff := cmp.Diff(want, raw); diff != "" || lost != nil {
		t.Errorf("lost %v (-want +got):\n%s", lost, diff)
	}
}

// TestBinaryLoss: what does not fit is named, and the rest is written.
func TestBinaryLoss(t *testing.T) {
	g := record.NewGame(mustPosition(t, "4kab2/4a4/2R1b1P2/9/p3p4/5p3/P3P1c2/N2Cr4/4A4/3AK4 b - - 3 12"))
	g.Tags = record.Tags{{Name: "Red", Value: strings.Repeat("长", 40)}, {Name: "ECCO", Value: "A00"}, {Name: "black", Value: "甲"}, {Name: "Date", Value: "1956.12.16"}, {Name: record.OriginalDate, Value: "1956年12月16日"}}
	for form, want := range map[string]struct{ red, date, lost string }{
		"xqf": {strings.Repeat("长", 7), "1956.12.16", "the tag ECCO, the end of the tag Red, the counters of the start"},
		"cbr": {strings.Repeat("长", 31), "1956.12.16", "the tag ECCO, the end of the tag Red, the counters of the start"},
		"cbl": {strings.Repeat("长", 31), "1956.12.16", "the tag ECCO, the end of the tag Red, the counters of the start"},
	} {
		raw, lost := writeLosing(t, g, form)
		again, errs := readText(raw)
		if errs != nil || len(again) != 1 {
			t.Fatalf("%s: %v", form, errs)
		}
		tags := again[0].Tags
		if tags.Get("Red") != want.red || tags.Get("Black") != "甲" || tags.Get("Date") != want.date || tags.Get(record.OriginalDate) != "1956年12月16日" {
			t.Errorf("%s: %v", form, tags)
		}
		if got := strings.Join(lost, ", "); got != want.lost {
			t.Errorf("%s: lost %s, want %s", form, got, want.lost)
		}
		if got := startPos(again[0]).Side(); got != xiangqi.Black {
			t.Errorf("%s: %v to move", form, got)
		}
	}
}

// TestOneGame: a second game is an error.
func TestOneGame(t *testing.T) {
	for _, form := range []string{"xqf", "cbr"} {
		f, _ := Library.FormatByName(form)
		w, err := Library.NewWriter(io.Discard, f, "")
		if err == nil {
			err = w.Write(record.NewGame(xiangqi.Start()))
		}
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Write(record.NewGame(xiangqi.Start())); err == nil || err.Error() != "files of xqf and cbr hold one game: write each game to its own, or all to one of cbl" {
			t.Errorf("%s: %v", form, err)
		}
	}
}

// TestDataBinary: games of the data, those of the day, are the same after they were written in each binary format. If
// $QHSH_BINARY_OUT names a folder, all games are written, and the files are kept there with their
// contents as JSON, so that another reader can check them.
func TestDataBinary(t *testing.T) {
	enginetest.SkipUnderRace(t)
	folders := []string{"games/ccgc-pgn", "formats"}
	out := os.Getenv("QHSH_BINARY_OUT")
	if out != "" {
		folders = append(folders, "games/ccpd")
	}
	var found []*record.Game
	eachDataFile(t, folders, func(_, path string) {
		games, _ := readFile(t, path)
		found = append(found, games...)
	})
	if out == "" {
		found = enginetest.Daily(5, found)
	}
	for i, g := range found {
		for _, form := range binaryFormats {
			raw, _ := writeLosing(t, g, form)
			again, errs := readText(raw)
			if errs != nil || len(again) != 1 {
				t.Fatalf("game %d as %s: %d games, %v", i, form, len(again), errs)
			}
			want, got := binaryDump(t, g), binaryDump(t, again[0])
			if want != got {
				t.Fatalf("game %d as %s: %s", i, form, firstDifference(want, got))
			}
			if out != "" {
				keepBinary(t, filepath.Join(out, form), i, form, raw, got)
			}
		}
	}
	t.Logf("%d games, each written and read as %s", len(found), strings.Join(binaryFormats, ", "))
}

// binaryDump returns what binary formats hold of a game but its tags, which may be cut.
func binaryDump(t failer, g *record.Game) string {
	g = g.Clone()
	flatten(g.Root)
	g.Tags = nil
	g.Start = mustPosition(t, startPos(g).WireFEN()+" - - 0 1")
	return dump(t, []*record.Game{g})
}

// FuzzWriteBinary: whatever file a game was read from, its moves, comments and result are the same
// after it was written.
func FuzzWriteBinary(f *testing.F) {
	g, _ := readText([]byte(variations))
	f.Add(encodeXQF(f, g[0], 0x12, [13]byte{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13}))
	f.Add(encodeCBR(g[0], 1))
	f.Add([]byte(variations))
	f.Fuzz(func(t *testing.T, raw []byte) {
		games, _ := readText(raw)
		for _, g := range games {
			flatten(g.Root)
			g.Walk(func(n *record.Node) bool {
				n.Comment = strings.Map(plainRune, n.Comment)
				return true
			})
			for _, form := range binaryFormats {
				raw, _ := writeLosing(t, g, form)
				again, errs := readText(raw)
				if errs != nil || len(again) != 1 {
					t.Fatalf("%s: %d games, %v", form, len(again), errs)
				}
				if want, got := binaryDump(t, g), binaryDump(t, again[0]); want != got {
					t.Fatalf("%s: %s", form, firstDifference(want, got))
				}
			}
		}
	})
}

// plainRune leaves out what is not ASCII: the encoding of a few other characters is ambiguous.
func plainRune(r rune) rune {
	if r >= 0x80 {
		return -1
	}
	return r
}

// keepBinary writes a file and what was read from it.
func keepBinary(t *testing.T, folder string, i int, form string, raw []byte, text string) {
	t.Helper()
	if err := os.MkdirAll(folder, 0o777); err != nil {
		t.Fatal(err)
	}
	for ext, data := range map[string][]byte{form: raw, "json": []byte(text)} {
		if err := os.WriteFile(filepath.Join(folder, fmt.Sprintf("%04d.%s", i, ext)), data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}
