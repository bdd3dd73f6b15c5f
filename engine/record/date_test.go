package record

import (
	"fmt"
	"strings"
	"testing"

	"qhsh/engine/xiangqi"
)

func TestPGNDate(t *testing.T) {
	for text, want := range map[string]string{
		"1956年12月16日": "1956.12.16",
		"1989年6月4日":   "1989.06.04",
		"1989年 6月 4号": "1989.06.04",
		"１９８９年６月":     "1989.06.??",
		"1985年":       "1985.??.??",
		"1987":        "1987.??.??",
		"2024-08-26":  "2024.08.26",
		"2024/1/5":    "2024.01.05",
		"1999.12.9":   "1999.12.09",
		"2006.08.07":  "2006.08.07",
		"1989.06.??":  "1989.06.??",
		"1989.??.??":  "1989.??.??",
		"1989.??.07":  "1989.??.07",
		"2023-02-29":  "",
		"2023-13-01":  "",
		"0000.01.01":  "",
		"1956午12月16日": "",
		"156年12月21日":  "",
		"03-09-05":    "",
		"24-12-2022":  "",
		"1981年-2001年": "",
		"20世纪30年代":    "",
		"比赛日期":        "",
		"":            "",
	} {
		if got, ok := pgnDate(text); ok != (want != "") || ok && got != want {
			t.Errorf("%q: %q, %v, want %q", text, got, ok, want)
		}
	}
}

// TestDateTag: a date in another form becomes one of PGN, and the original stays, in PGN too.
func TestDateTag(t *testing.T) {
	lib := NewLibrary(Description{Game: xiangqi.Rules})
	for date, want := range map[string]string{
		"1956年12月16日": "[{Date 1956.12.16} {Red A} {OriginalDate 1956年12月16日}]",
		"2006.08.07":  "[{Date 2006.08.07} {Red A}]",
		"1982":        "[{Date 1982.??.??} {Red A}]",
		"冬":           "[{Date 冬} {Red A}]",
	} {
		text := fmt.Sprintf("[Date %q]\n[Red \"A\"]\n\n1. H2-E2 *\n", date)
		for range 2 {
			var tags Tags
			var again strings.Builder
			for g, err := range lib.Read(strings.NewReader(text), "") {
				if err != nil {
					t.Fatal(err)
				}
				tags = g.Tags
				w, err := lib.NewWriter(&again, PGN, "")
				if err == nil {
					err = w.Write(g)
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			if got := fmt.Sprint(tags); got != want {
				t.Errorf("%s, want %s", got, want)
			}
			text = again.String()
		}
	}
}
