package record

import "testing"

func TestPlayerName(t *testing.T) {
	for text, want := range map[string]string{
		"上海 胡榮華":      "胡榮華",
		"上海胡榮華":       "胡榮華",
		"廣東 呂  欽":     "呂欽",
		"黑龙江省队 赵国荣":   "赵国荣",
		"胡荣华":         "胡荣华",
		" 王 嘉良":       "王嘉良",
		"HU RongHua":  "HU RongHua",
		"HU  RongHua": "HU RongHua",
		"江西":          "江西",
		"海南 王":        "海南王",
		"":            "",
	} {
		if got := PlayerName(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
