package search_test

import (
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"qhsh/engine"
	"qhsh/engine/enginetest"
	"qhsh/engine/xiangqi/search"
)

// TestMarginsMatter: every margin changes the search, and only its own field.
func TestMarginsMatter(t *testing.T) {
	enginetest.SkipUnderRace(t)
	pos := []engine.Position{position(t, benchPositions[0]), position(t, benchPositions[1]), position(t, benchPositions[2])}
	full := trial(t, small())
	for i, name := range search.MarginNames() {
		if name == "historyply" {
			continue // applies only to deep searches, as its rule does
		}
		o := small()
		field := reflect.ValueOf(o.Margins).Field(i)
		if err := o.Margins.Set(name, 1+int(field.Int())*3); err != nil {
			t.Fatal(err)
		}
		if got := reflect.ValueOf(o.Margins).Field(i).Int(); got != 1+field.Int()*3 {
			t.Errorf("%s is %d", name, got)
		}
		changed := trial(t, o)
		differs := func(nodes int64) bool {
			return slices.ContainsFunc(pos, func(pos engine.Position) bool { return full(pos, nodes) != changed(pos, nodes) })
		}
		if !differs(8_000) && !differs(40_000) {
			t.Errorf("with another %s the search is the same", name)
		}
	}
}

// TestMarginsText: every default can be set as it is printed.
func TestMarginsText(t *testing.T) {
	var m search.Margins
	for _, one := range strings.Split(search.DefaultOptions().Margins.String(), ", ") {
		name, value, _ := strings.Cut(one, "=")
		n, err := strconv.Atoi(value)
		if err == nil {
			err = m.Set(name, n)
		}
		if err != nil {
			t.Errorf("%s: %v", one, err)
		}
	}
	if m != search.DefaultOptions().Margins {
		t.Errorf("the margins are %v", m)
	}
}

func TestUnknownMargin(t *testing.T) {
	var m search.Margins
	for _, c := range []struct {
		name  string
		value int
		want  string
	}{
		{"sorcery", 5, `no margin "sorcery": the margins are ` + strings.Join(search.MarginNames(), ", ")},
		{"reverse", 0, "margin reverse=0: want 1 to 100000"},
		{"reverse", 100_001, "margin reverse=100001: want 1 to 100000"},
	} {
		if err := m.Set(c.name, c.value); err == nil || err.Error() != c.want {
			t.Errorf("%s=%d: %v, want %s", c.name, c.value, err, c.want)
		}
	}
}
