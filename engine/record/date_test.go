package record

import (
	"fmt"
	"strings"
	"testing"

	"qhsh/engine/xiangqi"
)

func TestPGNDate(t *testing.T) {
	for text, want := range map[string]string{
		"1956年12月16日":         "1956.12.16",
		"1989年6月4日":           "1989.06.04",
		"1989年 6月 4号":         "1989.06.04",
		"１９８９年６月":             "1989.06.??",
		"1985年":               "1985.??.??",
		"1987":                "1987.??.??",
		"2024-08-26":          "2024.08.26",
		"2024/1/5":            "2024.01.05",
		"1999.12.9":           "1999.12.09",
		"2006.08.07":          "2006.08.07",
		"1989.06.??":          "1989.06.??",
		"1989.??.??":          "1989.??.??",
		"1989.??.07":          "1989.??.07",
		"2023-02-29":          "",
		"2023-13-01":          "",
		"0000.01.01":          "",
		"1956午12月16日":         "",
		"156年12月21日":          "",
		"03-09-05":            "",
		"24-12-2022":          "2022.12.24",
		"19810910":            "1981.09.10",
		"20010203 12:00":      "2001.02.03",
		"10/13/1996":          "1996.10.13",
		"23-9-2009":           "2009.09.23",
		"3/4/1996":            "1996.??.??",
		"4.4.1996":            "1996.04.04",
		"01-2-4":              "2001.02.04",
		"00-12-31":            "2000.12.31",
		"01-12-31":            "",
		"01.2.93":             "1993.??.??",
		"93-12-25":            "1993.12.25",
		"25.12.93":            "1993.12.25",
		"93年12月":              "",
		"2010-12-01 09:0":     "2010.12.01",
		"2020-02-02 02:02:02": "2020.02.02",
		"2003年3月26日 2":        "2003.03.26",
		"2001。3。17":           "2001.03.17",
		"1993、12、22":          "1993.12.22",
		"1995 8 15":           "1995.08.15",
		"1999年8月20日-25日":      "1999.08.20",
		"1999.8.20～25":        "1999.08.20",
		"2002.6-7":            "2002.06.??",
		"1999年8月-9月":          "1999.08.??",
		"1989年6月上旬":           "1989.06.??",
		"1996/13/13":          "",
		"13/13/1996":          "",
		"123456789":           "",
		"19811332":            "",
		"1981年-2001年":         "",
		"20世纪30年代":            "",
		"比赛日期":                "",
		"":                    "",
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
