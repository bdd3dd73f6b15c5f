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

	"qhsh/engine"
	"qhsh/engine/record"
	"qhsh/engine/xiangqi"
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

// encodeCBL writes a library as CCBridge 3 does. What it leaves in memory that it has not
// cleared is 0xee here: behind the flags and behind each text.
func encodeCBL(slots int, entries []cblFixture) []byte {
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
		raw := encodeCBL(rapid.IntRange(len(entries), 12).Draw(t, "slots"), entries)
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
	if got, want := titles(encodeCBL(128, entries)), "game 1\ngame 0\ngame 3\ngame 4\n"; got != want {
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
			if diff := cmp.Diff(c.want, titles(c.change(encodeCBL(5, liveCBL(games...))))); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// TestEmptyLibraries: a file without a game is not read with success.
func TestEmptyLibraries(t *testing.T) {
	for name, raw := range map[string][]byte{
		"CBL":             encodeCBL(2, nil),
		"written CBL":     write(t, nil, "cbl", 0),
		"header of match": []byte(`{"match":"1","game":"xiangqi"}`),
	} {
		if _, errs := readText(raw); len(errs) != 1 || !strings.Contains(errs[0].Error(), "no game in the file") {
			t.Errorf("%s: %v", name, errs)
		}
	}
}

// TestLongCBL: moves that go on behind the blocks of their game.
func TestLongCBL(t *testing.T) {
	games, errs := readText([]byte("[Title \"long\"]\n\n1. " + strings.Repeat("h0g2 h9g7 g2h0 g7h9 ", 150) + "*\n"))
	if errs != nil {
		t.Fatal(errs)
	}
	raw := encodeCBL(2, liveCBL(games[0], shortGame(t, "behind", 0)))
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

// TestWriteCBL: a library has all games that were written, in their order.
func TestWriteCBL(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var games []*record.Game
		for range rapid.IntRange(1, 4).Draw(t, "games") {
			g := short(randomGame(t))
			g.Start = mustPosition(t, startPos(g).WireFEN()+" - - 0 1")
			g.Root.Comment = strings.Repeat("好", rapid.SampledFrom([]int{0, 1, 900, 1900, 2048, 5000}).Draw(t, "comment"))
			games = append(games, g)
		}
		sameAgain(t, games, "cbl", 0)
	})
}

// TestWriteIndexCBL: the index of a written library, its header and the beginning of a game, as in files of
// CCBridge.
func TestWriteIndexCBL(t *testing.T) {
	games := []*record.Game{shortGame(t, "first", 0), shortGame(t, strings.Repeat("𠮷", 50), 5000)}
	for _, result := range []engine.Outcome{engine.FirstWins, engine.SecondWins, engine.Draw, engine.Ongoing} {
		g := record.NewGame(xiangqi.Start())
		g.Tags = record.Tags{{Name: "Red", Value: "胡荣华"}, {Name: "Black", Value: "柳大华"}}
		g.Result = result
		games = append(games, g)
	}
	games = append(games, record.NewGame(xiangqi.Start()))
	raw := write(t, games, "cbl", 0)
	const at = cblIndex + 128*cblEntrySize
	var got strings.Builder
	fmt.Fprintf(&got, "%q %x %x\n", raw[:16], raw[16:36], raw[36:64])
	fmt.Fprintln(&got, len(bytes.Trim(raw[64:cblIndex], "\x00")), len(bytes.Trim(raw[cblIndex+7*cblEntrySize:at], "\x00")))
	for i := range games {
		entry := raw[cblIndex+i*cblEntrySize:][:cblEntrySize]
		fmt.Fprintf(&got, "%x %s %s\n", entry[:20], utf16Text(entry[20:]), utf16Text(entry[100:]))
	}
	fmt.Fprintf(&got, "%q %x\n", raw[at:at+16], raw[at+16:at+52])
	want := "" +
		`"CCBridgeLibrary\x00" 03000000db640d96d5414a8686f5c98d2c0ef0fa 00000000000000000000000000000000ffffff7f0000000080000000` + "\n" +
		`0 0` + "\n" +
		`070000000000000001000000ae08000000000000 {311126AC-DD00-8D89-906E-BE5DB90FFD35} first` + "\n" +
		`0700000001000000020000003a1c000000000000 {6C0ED4F1-3A07-8F04-BB43-45F9728BF9EE} ` + strings.Repeat("𠮷", 43) + "\n" +
		`070000000200000001000000aa08000000000000 {9CC8D93F-9066-8059-900C-6E93F755824A} 胡荣华 先胜 柳大华` + "\n" +
		`070000000300000001000000aa08000000000000 {462E163D-83F2-8246-9F3C-A277D7538ED4} 胡荣华 先负 柳大华` + "\n" +
		`070000000400000001000000aa08000000000000 {44A28D00-371C-812A-B0A6-CE6A495A786F} 胡荣华 先和 柳大华` + "\n" +
		`070000000500000001000000aa08000000000000 {58B98101-A13A-8E5F-8740-C84DF2EC3B26} 胡荣华 对 柳大华` + "\n" +
		`070000000600000001000000aa08000000000000 {0CE184B4-8B69-8D3C-BC17-5CDD7B54ECAD} ` + "\n" +
		`"CCBridge Record\x00" 00000002ac26113100dd898d906ebe5db90ffd3500000000000000000000000000000000` + "\n"
	if diff := cmp.Diff(want, got.String()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// TestManyCBL: the index is as long as the library needs, and what is too large to be read is not written.
func TestManyCBL(t *testing.T) {
	g := shortGame(t, "x", 0)
	games, errs := readText(write(t, slices.Repeat([]*record.Game{g}, 140), "cbl", 0))
	if errs != nil || len(games) != 140 {
		t.Errorf("%d games, %v", len(games), errs)
	}
	full := &record.Output{Held: make([]byte, record.MaxFile-cblIndex)}
	if err := writeCBL(full, g); err == nil || err.Error() != "a library of cbl cannot hold more than 64 MB: write the games to several, or to pgn" {
		t.Error(err)
	}
}

// TestRealCBL: in real libraries, a record is where each used entry's turn comes, it has the
// entry's title, and behind the last one the file ends. Their games are the same after they were written.
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
		games, _ := readText(raw)
		again, errs := readText(write(t, games, "cbl", 0))
		if want, got := dump(t, games), dump(t, again); errs != nil || want != got {
			t.Errorf("%s: %v, %s", name, errs, firstDifference(want, got))
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
	library := encodeCBL(4, append(liveCBL(g, g), cblFixture{g, cblDeleted, 1}))
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
