package format

import "testing"

var table = Table[int]{
	{"json", []string{".jsonl", ".json"}, 1}, {"text", []string{".txt"}, 2}, {"svg", []string{".svg"}, 3},
}

func TestTable(t *testing.T) {
	for path, want := range map[string]string{
		"x.jsonl": "json", "a.b/x.JSON": "json", "x.txt": "text", "x.svg": "svg",
		"x.csv": "", "jsonl": "", "x.": "", "": "",
	} {
		if f, ok := table.ByPath(path); f.Name != want || ok != (want != "") {
			t.Errorf("%q: %q", path, f.Name)
		}
	}
	for name, want := range map[string]int{"json": 1, "text": 2, "svg": 3, "jsonl": 1, "txt": 2, ".svg": 0, "TXT": 0, "": 0} {
		if f, ok := table.ByName(name); f.Write != want || ok != (want > 0) {
			t.Errorf("%q: %d", name, f.Write)
		}
	}
	for n, want := range map[int]string{1: "json", 2: "json or text", 3: "json, text or svg"} {
		if got := table[:n].Names(); got != want {
			t.Errorf("%d names: %s", n, got)
		}
	}
	if got := table.Extensions(); got != ".jsonl .json .txt .svg" {
		t.Errorf("extensions: %s", got)
	}
}
