package record

import (
	"cmp"
	"fmt"
	"os"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"golang.org/x/text/encoding/simplifiedchinese"
	utf16 "golang.org/x/text/encoding/unicode"
)

// TestDecoder: names and comments in each encoding, alone in a game, are read as they are. Those that
// are not, and those that are guesses, are counted.
func TestDecoder(t *testing.T) {
	got := ""
	russian := map[string]string{"koi8-r": "windows-1251", "ibm866": "windows-1251"}
	for _, e := range encodings[1:] {
		text, err := os.ReadFile("testdata/encodings/" + cmp.Or(russian[e.name], e.name) + ".txt")
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(strings.TrimSpace(string(text)), "\n")
		for _, stored := range []*Encoding{e, UTF8} {
			chosen, guesses := map[string]int{}, 0
			var wrong []string
			for _, line := range lines {
				game := fmt.Sprintf("[Red \"%s\"]\n\n1. h2e2 {%s} h9g7 *\n", line, line)
				raw := []byte(game)
				if stored.enc != nil {
					if raw, err = e.enc.NewEncoder().Bytes(raw); err != nil && russian[e.name] != "" {
						continue // it is not Russian
					}
					if err != nil {
						t.Fatalf("%s: %v", line, err)
					}
				}
				best, guess := new(Decoder).choose(raw)
				if chosen[best.name]++; guess {
					guesses++
				}
				if best.decode(raw) != game {
					wrong = append(wrong, line)
				}
			}
			got += fmt.Sprintf("%s in %s: %v, %d guesses, wrong %q\n", e.name, stored.name, chosen, guesses, wrong)
		}
	}
	const want = `gb18030 in gb18030: map[gb18030:115], 2 guesses, wrong []
gb18030 in utf-8: map[utf-8:115], 0 guesses, wrong []
big5 in big5: map[big5:115], 3 guesses, wrong []
big5 in utf-8: map[utf-8:115], 0 guesses, wrong []
windows-1252 in windows-1252: map[windows-1252:115], 4 guesses, wrong []
windows-1252 in utf-8: map[utf-8:115], 3 guesses, wrong []
windows-1251 in windows-1251: map[gb18030:1 windows-1251:111 windows-1252:1], 6 guesses, wrong ["и" "Київ"]
windows-1251 in utf-8: map[utf-8:113], 1 guesses, wrong []
koi8-r in koi8-r: map[big5:1 gb18030:4 koi8-r:101 windows-1252:1], 18 guesses, wrong ["партия" "и" "ошибка" "блиц" "цугцванг" "Эм"]
koi8-r in utf-8: map[utf-8:113], 1 guesses, wrong []
ibm866 in ibm866: map[big5:2 gb18030:3 ibm866:103 utf-8:1 windows-1251:1], 10 guesses, wrong ["Рига" "ход" "и" "тренер" "блиц" "Ющенко" "Эм"]
ibm866 in utf-8: map[utf-8:113], 1 guesses, wrong []
`
	if diff := gocmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// TestNamedEncoding: a named encoding is not detected, but that of a byte order mark is.
func TestNamedEncoding(t *testing.T) {
	const game = "[First \"Müller\"]\n1. 12 *\n"
	latin, _ := ParseEncoding("latin1")
	koi8, _ := ParseEncoding("KOI8-R")
	if _, err := ParseEncoding("klingon"); err == nil {
		t.Error("klingon is an encoding")
	}
	bytes := func(e *Encoding, text string) string {
		raw, _ := e.enc.NewEncoder().String(text)
		return raw
	}
	little, big := utf16.UTF16(utf16.LittleEndian, utf16.IgnoreBOM), utf16.UTF16(utf16.BigEndian, utf16.UseBOM)
	for _, c := range []struct {
		name   string
		named  *Encoding
		stored string
		want   string
	}{
		{"named", latin, bytes(latin, game), "Müller"},
		{"otherwise", koi8, bytes(koi8, strings.Replace(game, "Müller", "Шашки", 1)), "Шашки"},
		{"detected", nil, bytes(latin, game), "Müller"},
		{"named wrongly", koi8, bytes(latin, game), "MЭller"},
		{"marked", latin, bom + game, "Müller"},
		{"UTF-16, unmarked", latin, bytes(&Encoding{enc: little}, game), "Müller"},
		{"UTF-16, marked", latin, bytes(&Encoding{enc: big}, game), "Müller"},
		{"UTF-16 that is named", &Encoding{name: "utf-16le", enc: little}, bytes(&Encoding{enc: little}, game), "Müller"},
	} {
		var got []string
		guesses := 0
		lib := stones.WithEncoding(c.named).OnGuess(func(string, string) { guesses++ })
		for g, err := range lib.Read(strings.NewReader(c.stored), "x") {
			if err != nil {
				t.Errorf("%s: %v", c.name, err)
			}
			got = append(got, g.Tags.Get("First"))
		}
		if strings.Join(got, " ") != c.want || guesses != 0 {
			t.Errorf("%s: %q, %d guesses", c.name, got, guesses)
		}
	}
}

// TestLastEncoding: what is ambiguous has the encoding of the last text that was not, and is no guess.
func TestLastEncoding(t *testing.T) {
	short, _ := simplifiedchinese.GBK.NewEncoder().Bytes([]byte("未知"))
	long, _ := simplifiedchinese.GBK.NewEncoder().Bytes([]byte("象棋大师马进，炮退"))
	guesses := 0
	d := &Decoder{onGuess: func(string) { guesses++ }}
	first := d.Decode(short)
	d.Decode(long)
	if second := d.Decode(short); first != "δ֪" || second != "未知" || guesses != 1 {
		t.Errorf("%q, then %q; %d guesses", first, second, guesses)
	}
}
