package record

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"qhsh/engine/record"
)

// A cblFixture is an entry of a library's index, and its record.
type cblFixture struct {
	game  *record.Game
	flags byte
	order int
}

const (
	cblLive    = 7
	cblDeleted = 5
	cblOther   = 3
)

// liveCBL returns entries of games in order.
func liveCBL(games ...*record.Game) (entries []cblFixture) {
	for i, g := range games {
		entries = append(entries, cblFixture{g, cblLive, i})
	}
	return entries
}

// writeCBL writes a library as CCBridge 3 does. What it leaves in memory that it has not
// cleared is 0xee here: behind the flags and behind each text.
func writeCBL(slots int, entries []cblFixture) []byte {
	raw := make([]byte, cblIndex+slots*cblEntrySize)
	copy(raw, cblMagic)
	binary.LittleEndian.PutUint32(raw[16:], 3)
	binary.LittleEndian.PutUint32(raw[52:], math.MaxInt32)
	binary.LittleEndian.PutUint32(raw[cblSlots:], uint32(slots))
	for i, e := range entries {
		record := encodeCBR(e.game, 2)
		if e.flags == cblOther {
			clear(record[:len(cbrMagic)])
		}
		length := len(record)
		record = append(record, make([]byte, -length&(cblBlock-1))...)
		entry := raw[cblIndex+i*cblEntrySize:][:cblEntrySize]
		copy(entry, bytes.Repeat([]byte{0xee}, cblEntrySize))
		entry[cblFlags] = e.flags
		binary.LittleEndian.PutUint32(entry[cblOrder:], uint32(e.order))
		binary.LittleEndian.PutUint32(entry[cblBlocks:], uint32(len(record)/cblBlock))
		binary.LittleEndian.PutUint32(entry[12:], uint32(length))
		copy(entry[20:], utf16Bytes(fmt.Sprintf("{%08X-0000-4000-8000-000000000000}\x00", i)))
		copy(entry[cblTitle:], utf16Bytes(e.game.Tags.Get("Title")+"\x00"))
		raw = append(raw, record...)
	}
	return raw
}

// shortGame returns a game of a move, with a title and a comment of so many bytes.
func shortGame(t failer, title string, comment int) *record.Game {
	t.Helper()
	games, errs := readText(fmt.Appendf(nil, "[Title %q]\n\n1. c3c4 {%s} *\n", title, strings.Repeat("好", comment/2)))
	if errs != nil || len(games) != 1 {
		t.Fatalf("%d games, %v", len(games), errs)
	}
	return games[0]
}

// titles returns those of games, with the errors between them.
func titles(raw []byte) string {
	var text strings.Builder
	for g, err := range library.Read(bytes.NewReader(raw), "") {
		if g != nil {
			text.WriteString(g.Tags.Get("Title"))
		}
		if err != nil {
			text.WriteString(" !! " + err.Error())
		}
		text.WriteString("\n")
	}
	return text.String()
}

// TestCBL: the games of a library are read in the order that CCBridge shows, from where the
// lengths of those before them in the index put them.
func TestCBL(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var entries []cblFixture
		for _, order := range rapid.Permutation([]int{0, 1, 2, 3, 4, 5, 6, 7}).Draw(t, "orders") {
			g := short(randomGame(t))
			g.Start = mustPosition(t, startPos(g).WireFEN()+" - - 0 1")
			g.Root.Comment = strings.Repeat("好", rapid.SampledFrom([]int{0, 1, 900, 1900, 2048, 5000}).Draw(t, "comment"))
			flags := rapid.SampledFrom([]byte{cblLive, cblLive, cblLive, cblDeleted, cblOther}).Draw(t, "flags")
			entries = append(entries, cblFixture{g, flags, order})
		}
		raw := writeCBL(rapid.IntRange(len(entries), 12).Draw(t, "slots"), entries)
		slices.SortFunc(entries, func(a, b cblFixture) int { return a.order - b.order })
		var want []*record.Game
		for _, e := range entries {
			if e.flags == cblLive {
				want = append(want, e.game)
			}
		}
		if want == nil {
			t.Skip("a file without games is an error")
		}
		got, errs := readText(raw)
		if errs != nil {
			t.Fatalf("%d games, %v", len(got), errs)
		}
		if diff := cmp.Diff(dump(t, want), dump(t, got)); diff != "" {
			t.Fatalf("-want +got:\n%s", diff)
		}
	})
}

// TestSameOrderCBL: games at the same position of the list are in the order of the index. A
// deleted game may have the position of another, and positions may be left out.
func TestSameOrderCBL(t *testing.T) {
	var entries []cblFixture
	for i, e := range []cblFixture{{nil, cblLive, 1}, {nil, cblLive, 0}, {nil, cblDeleted, 0}, {nil, cblLive, 1}, {nil, cblLive, math.MaxUint32}} {
		e.game = shortGame(t, fmt.Sprintf("game %d", i), 5000*(i%2))
		entries = append(entries, e)
	}
	if got, want := titles(writeCBL(128, entries)), "game 1\ngame 0\ngame 3\ngame 4\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestMissingCBL: what the index promises and the file does not hold is named and counted, and
// all the others are read.
func TestMissingCBL(t *testing.T) {
	var games []*record.Game
	for i := range 4 {
		games = append(games, shortGame(t, fmt.Sprintf("game %d", i), 5000*(i%2)))
	}
	const data = cblIndex + 5*cblEntrySize
	field := func(raw []byte, entry, at int) []byte { return raw[cblIndex+entry*cblEntrySize+at:] }
	for _, c := range []struct {
		name   string
		change func(raw []byte) []byte
		want   string
	}{
		{"nothing", func(raw []byte) []byte { return raw }, "game 0\ngame 1\ngame 2\ngame 3\n"},
		{"padding cut", func(raw []byte) []byte { return raw[:len(raw)-100] }, "game 0\ngame 1\ngame 2\ngame 3\n"},
		{"more behind", func(raw []byte) []byte { return append(raw, "CCBridge Record\x00"...) }, "game 0\ngame 1\ngame 2\ngame 3\n"},
		{"cut in a game", func(raw []byte) []byte { return raw[:data+4*cblBlock+2220] }, "" +
			"game 0\ngame 1\ngame 2\ngame 3 !! game 4: byte 0x1524e: unexpected end of file within the game\n"},
		{"cut in a header", func(raw []byte) []byte { return raw[:data+4*cblBlock+2000] }, "" +
			"game 0\ngame 1\ngame 2\n" +
			" !! game 4: byte 0x149a4: the file ends within the header of this game: \"game 3\" (missing: 1 of 4 games)\n"},
		{"cut in a magic", func(raw []byte) []byte { return raw[:data+4*cblBlock+9] }, "" +
			"game 0\ngame 1\ngame 2\n" +
			" !! game 4: byte 0x149a4: the file ends before this game: \"game 3\" (missing: 1 of 4 games)\n"},
		{"cut in a game, others behind", func(raw []byte) []byte { return raw[:data+cblBlock+3000] }, "" +
			"game 0\ngame 1 !! game 2: byte 0x12256: comment of 5000 bytes, but only 774 are left\n" +
			" !! game 3: byte 0x1255c: the file ends before this game: \"game 2\" (missing: 2 of 4 games)\n" +
			" !! game 4: byte 0x1255c: the file ends before this game: \"game 3\" (missing: 2 of 4 games)\n"},
		{"cut behind the index", func(raw []byte) []byte { return raw[:data] }, "" +
			" !! game 1: byte 0x109a4: the file ends before this game: \"game 0\" (missing: 4 of 4 games)\n" +
			" !! game 2: byte 0x109a4: the file ends before this game: \"game 1\" (missing: 4 of 4 games)\n" +
			" !! game 3: byte 0x109a4: the file ends before this game: \"game 2\" (missing: 4 of 4 games)\n" +
			" !! game 4: byte 0x109a4: the file ends before this game: \"game 3\" (missing: 4 of 4 games)\n"},
		{"cut in the index", func(raw []byte) []byte { return raw[:cblIndex+cblEntrySize+8] }, "" +
			" !! game 1: byte 0x1055c: the file ends before this game: \"game 0\" (missing: 1 of 1 games)\n" +
			" !! byte 0x1055c: unexpected end of file within an index of 5 entries\n"},
		{"cut in the header", func(raw []byte) []byte { return raw[:cblIndex-1] }, " !! byte 0x1043f: unexpected end of file within the header of CBL\n"},
		{"no record", func(raw []byte) []byte { copy(raw[data+cblBlock:], "x"); return raw }, "" +
			"game 0\n !! game 2: byte 0x119a4: no game at the offset that the index gives: \"game 1\" (missing: 1 of 4 games)\ngame 2\ngame 3\n"},
		{"no record and no title", func(raw []byte) []byte {
			copy(raw[data+cblBlock:], "x")
			copy(field(raw, 1, cblTitle), "\x00\x00")
			return raw
		}, "game 0\n !! game 2: byte 0x119a4: no game at the offset that the index gives (missing: 1 of 4 games)\ngame 2\ngame 3\n"},
		{"no blocks", func(raw []byte) []byte {
			copy(field(raw, 3, cblBlocks), "\x00\x00\x00\x00")
			return raw
		}, "game 0\ngame 1\ngame 2\n !! game 4: byte 0x149a4: the index has no blocks for this game: \"game 3\" (missing: 1 of 4 games)\n"},
		{"too few blocks", func(raw []byte) []byte {
			copy(field(raw, 3, cblBlocks), "\x01")
			return raw
		}, "game 0\ngame 1\ngame 2\ngame 3 !! game 4: byte 0x15256: comment of 5000 bytes, but only 1870 are left\n"},
		{"many blocks", func(raw []byte) []byte {
			for i := range 4 {
				copy(field(raw, i, cblBlocks), "\xff\xff\xff\xff")
			}
			return raw
		}, "game 0\n" +
			" !! game 2: byte 0x169a4: the file ends before this game: \"game 1\" (missing: 3 of 4 games)\n" +
			" !! game 3: byte 0x169a4: the file ends before this game: \"game 2\" (missing: 3 of 4 games)\n" +
			" !! game 4: byte 0x169a4: the file ends before this game: \"game 3\" (missing: 3 of 4 games)\n"},
		{"an endless index", func(raw []byte) []byte {
			copy(raw[cblSlots:], "\xff\xff\xff\xff")
			return raw[:data]
		}, "" +
			" !! game 1: byte 0x109a4: the file ends before this game: \"game 0\" (missing: 4 of 4 games)\n" +
			" !! game 2: byte 0x109a4: the file ends before this game: \"game 1\" (missing: 4 of 4 games)\n" +
			" !! game 3: byte 0x109a4: the file ends before this game: \"game 2\" (missing: 4 of 4 games)\n" +
			" !! game 4: byte 0x109a4: the file ends before this game: \"game 3\" (missing: 4 of 4 games)\n" +
			" !! byte 0x109a4: unexpected end of file within an index of 4294967295 entries\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, titles(c.change(writeCBL(5, liveCBL(games...))))); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// TestLongCBL: moves that go on behind the blocks of their game.
// TestEmptyLibraries: a file without a game is not read with success.
func TestEmptyLibraries(t *testing.T) {
	for name, raw := range map[string][]byte{
		"CBL":             writeCBL(2, nil),
		"header of match": []byte(`{"match":"1","game":"xiangqi"}`),
	} {
		if _, errs := readText(raw); len(errs) != 1 || !strings.Contains(errs[0].Error(), "no game in the file") {
			t.Errorf("%s: %v", name, errs)
		}
	}
}

func TestLongCBL(t *testing.T) {
	games, errs := readText([]byte("[Title \"long\"]\n\n1. " + strings.Repeat("h0g2 h9g7 g2h0 g7h9 ", 150) + "*\n"))
	if errs != nil {
		t.Fatal(errs)
	}
	raw := writeCBL(2, liveCBL(games[0], shortGame(t, "behind", 0)))
	if got := outline(t, raw); len(games[0].MainLine()) != 600 || strings.Count(got, "\n") != 2 || strings.Contains(got, "!!") {
		t.Errorf("%s", got)
	}
	raw[cblIndex+cblBlocks] = 1
	const want = "long !! game 1: byte 0x11666: the game does not end within its blocks\n" +
		" !! game 2: byte 0x11668: no game at the offset that the index gives: \"behind\" (missing: 1 of 2 games)\n"
	if diff := cmp.Diff(want, titles(raw)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// TestRealCBL: in real libraries, a record is where each used entry's turn comes, it has the
// entry's title, and behind the last one the file ends.
func TestRealCBL(t *testing.T) {
	found := 0
	eachDataFile(t, []string{"formats"}, func(name, path string) {
		if !strings.EqualFold(filepath.Ext(path), ".cbl") {
			return
		}
		found++
		raw, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for i := range int(cblSlotsOf(raw)) {
			raw[cblIndex+i*cblEntrySize] |= raw[cblIndex+i*cblEntrySize] & cblGame >> 1 // undelete
		}
		end := int64(0)
		for i, r := range cblRecords(raw) {
			if r.err != nil || r.title != record.CleanLine(utf16Text(r.raw[180:308])) {
				t.Errorf("%s: record %d, %q: %v, the record has %q", name, i, r.title, r.err, utf16Text(r.raw[180:308]))
			}
			end = max(end, r.offset+int64(len(r.raw)))
		}
		if end != int64(len(raw)) {
			t.Errorf("%s: the records end at %d of %d", name, end, len(raw))
		}
	})
	if found == 0 {
		t.Error("no libraries in the data")
	}
}

// FuzzCBL changes the index and the games of a library, but not the long header.
func FuzzCBL(f *testing.F) {
	games, _ := readText([]byte(variations))
	g := short(games[0])
	library := writeCBL(4, append(liveCBL(g, g), cblFixture{g, cblDeleted, 1}))
	head, data := library[:cblIndex], cblIndex+4*cblEntrySize
	index, records := library[cblIndex:data], library[data:data+2*cblBlock]
	f.Add(uint32(4), index, records)
	f.Add(uint32(math.MaxUint32), index, records)
	most := bytes.Repeat([]byte{0xff}, 4*cblEntrySize) // counts of blocks whose sum is beyond any file
	f.Add(uint32(4), most, records)
	f.Fuzz(func(t *testing.T, slots uint32, index, records []byte) {
		raw := bytes.Clone(head)
		binary.LittleEndian.PutUint32(raw[cblSlots:], slots)
		checkRead(t, append(append(raw, index...), records...))
	})
}
