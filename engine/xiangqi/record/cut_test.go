package record

import (
	"archive/zip"
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"qhsh/engine/enginetest"
)

// zipped returns an archive of a file.
func zipped(t testing.TB, name string, text []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	f, err := w.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Write(text); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// cuts returns the lengths at which a file of so many bytes is cut: all, or some.
func cuts(size int) (at []int) {
	step := 1 + size/400
	for n := 1; n < size; n += step {
		at = append(at, n)
	}
	for n := max(1, size-100); n < size; n++ {
		at = append(at, n)
	}
	return at
}

// TestCut: a truncated file has an error, unless nothing was lost.
func TestCut(t *testing.T) {
	games, errs := readText([]byte(variations))
	if errs != nil {
		t.Fatal(errs)
	}
	dhtml := write(t, games[:1], "dhtmlxq", 0)
	lines := write(t, games[:1], "json", 0)
	g := short(games[0])
	for name, whole := range map[string][]byte{
		"dhtmlxq":  dhtml,
		"page":     []byte("<html><div>" + string(dhtml) + "</div></html>\n"),
		"json":     lines,
		"cbf":      []byte(cbf),
		"mxq":      mxq("甲-胜-乙", "7C-4C", "7J-6H"),
		"wxf":      []byte("FORMAT\tWXF\nRED\ta;b\nSTART{\n1. C2.5 H8+7 2. H2+3\n}END\n"),
		"xqf 1.0":  encodeXQF(t, g, 0x0a, [13]byte{}),
		"xqf 1.8":  encodeXQF(t, g, 0x12, [13]byte{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13}),
		"cbr 1":    encodeCBR(g, 1),
		"cbr 2":    encodeCBR(g, 2),
		"cbl":      encodeCBL(4, liveCBL(g, g, g)),
		"zip":      zipped(t, "a.ubb", dhtml),
		"zip, cbr": zipped(t, "a.cbr", encodeCBR(g, 1)),
	} {
		checkCuts(t, name, whole, cuts(len(whole)))
	}
}

// TestCutDataFiles cuts real files, each at the places of the day.
func TestCutDataFiles(t *testing.T) {
	enginetest.SkipUnderRace(t)
	eachDataFile(t, []string{"formats"}, func(name, path string) {
		raw, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		ext := strings.ToLower(filepath.Ext(path))
		if len(raw) > 20_000 || ext == ".pgn" || ext == ".txt" { // see TestCutText
			return
		}
		checkCuts(t, name, raw, enginetest.Daily(7, cuts(len(raw))))
	})
}

// checkCuts cuts a file at each of the places.
func checkCuts(t *testing.T, name string, whole []byte, places []int) {
	t.Helper()
	games, errs := readText(whole)
	if errs != nil || len(games) == 0 {
		return // it has an error anyway
	}
	want := dump(t, games)
	for _, n := range places {
		games, errs := readText(whole[:n])
		if got := dump(t, games); errs == nil && got != want {
			t.Errorf("%s: the first %d of %d bytes have no error, but lack something:\n got %.500s\nwant %.500s", name, n, len(whole), got, want)
			return
		}
	}
}

// TestCutText: PGN and plain moves need no sign at their end, so what is cut between two
// moves is whole; but it is the beginning of the game, and what is cut within a move is told.
func TestCutText(t *testing.T) {
	const line = "h2e2 h9g7 h0g2 i9h9 i0h0"
	for name, text := range map[string]string{
		"pgn":     "[Red \"a\"]\n[Black \"b\"]\n\n1. 炮二平五 马８进７ 2. 马二进三 {好} 车９平８\n3. 车一平二 *\n",
		"wxf":     "[Red \"a\"]\n\n1. C2=5 H8+7 2. H2+3 R9=8 3. R1=2 1-0\n",
		"moves":   "1. h2e2 h9g7 2. h0g2 i9h9 3. i0h0\n",
		"command": "position startpos moves h2e2 h9g7 h0g2 i9h9 i0h0\n",
	} {
		for n := 1; n <= len(text); n++ {
			games, errs := readText([]byte(text[:n]))
			for _, g := range games {
				if got := uci(g); !strings.HasPrefix(line, got) || errs == nil && n == len(text) && got != line {
					t.Errorf("%s: %q is %s", name, text[:n], got)
				}
			}
			if within := strings.HasPrefix(text[n-1:], "=") || strings.HasPrefix(text[n-1:], "{"); within && errs == nil {
				t.Errorf("%s: %q has no error", name, text[:n])
			}
		}
	}
}
