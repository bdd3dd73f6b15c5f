package record

import (
	"fmt"
	"strings"
	"testing"
)

func TestNameKey(t *testing.T) {
	for _, same := range [][]string{
		{"许银川", "許銀川", "许 银川", "許　銀川"},
		{"胡荣华", "胡榮華"},
		{"吕钦", "呂欽", " 吕　　钦 "},
		{"余", "餘"},
		{"群峰", "羣峯"},
		{"HU RongHua", "hu  ronghua", "ＨＵ　ＲｏｎｇＨｕａ"},
	} {
		for _, name := range same {
			if NameKey(name) != NameKey(same[0]) {
				t.Errorf("%q and %q have different keys %q and %q", same[0], name, NameKey(same[0]), NameKey(name))
			}
		}
	}
	for _, pair := range [][2]string{{"赵国荣", "赵国华"}, {"LI An", "Lian"}, {"", "?"}} {
		if NameKey(pair[0]) == NameKey(pair[1]) {
			t.Errorf("%q and %q have the same key", pair[0], pair[1])
		}
	}
}

func TestSpellings(t *testing.T) {
	var names Spellings
	for i, name := range []string{"许银川", "許銀川", "张发", "張發", "張髮", "余", "餘"} {
		names.Add(name, []int{1, 3, 2, 2, 1, 1, 1}[i])
	}
	got := strings.Join([]string{names.Usual("许银川"), names.Usual("張髮"), names.Usual("nobody")}, " ")
	for _, pair := range names.Ambiguous() {
		got += fmt.Sprintf(" %s/%s", pair[0], pair[1])
	}
	if want := "許銀川 张发 nobody 余/餘 张发/張發 张发/張髮 張發/張髮"; got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
}
