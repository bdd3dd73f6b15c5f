package record_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"qhsh/engine"
	"qhsh/engine/qchess/record"
	records "qhsh/engine/record"
)

// logs returns the real server's logs.
func logs(t *testing.T) []string {
	t.Helper()
	files, _ := filepath.Glob(filepath.Join(os.Getenv("QHSH_DATA"), "qchess", "*.log"))
	if os.Getenv("QHSH_DATA") == "" || len(files) == 0 {
		t.Skip("QHSH_DATA has no logs of the server")
	}
	return files
}

func read(t *testing.T, name string, text []byte) *records.Game {
	t.Helper()
	var all []*records.Game
	for g, err := range record.Records.Read(bytes.NewReader(text), name) {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, g)
	}
	if len(all) != 1 {
		t.Fatalf("%s has %d games", name, len(all))
	}
	return all[0]
}

func write(t *testing.T, form *records.Format, g *records.Game) string {
	t.Helper()
	var out bytes.Buffer
	w, err := record.Records.NewWriter(&out, form, "")
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Write(g); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// The server's games replay to their recorded results, and are written back unchanged.
func TestServerLogs(t *testing.T) {
	for _, file := range logs(t) {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		g := read(t, file, text)
		end := g.Start
		for _, m := range g.MainLine() {
			if end, err = end.Play(m); err != nil {
				t.Fatalf("%s: %v", file, err)
			}
		}
		if end.Result().Outcome != g.Result || g.Result == engine.Ongoing {
			t.Errorf("%s: the server says %v, the rules %v", file, g.Result, end.Result())
		}
		if back := write(t, record.Log, g); back != strings.TrimRight(string(text), "\n")+"\n" {
			t.Errorf("%s: is written back as\n%s", file, back)
		}
		for _, form := range []*records.Format{records.JSON, records.PGN, records.Moves} {
			again := read(t, form.Name, []byte(write(t, form, g)))
			if back := write(t, record.Log, again); form != records.Moves && back != write(t, record.Log, g) {
				t.Errorf("%s: goes through %s as\n%s", file, form.Name, back)
			}
			if len(again.MainLine()) != len(g.MainLine()) {
				t.Errorf("%s: has %d moves behind %s, not %d", file, len(again.MainLine()), form.Name, len(g.MainLine()))
			}
		}
	}
}
