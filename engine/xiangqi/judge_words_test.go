package xiangqi

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestRulingInWords(t *testing.T) {
	tests := []struct {
		name       string
		rules      RuleSet
		fen, moves string
		want       string
	}{
		{"first time", Asian, StartFEN, "h2e2", `none
the position has not stood before
`},
		{"checkmate", Asian, "3k5/9/9/9/9/9/9/9/r8/r3K4 w", "", `loss by checkmate
`},
		{"second time", Computer, StartFEN, "h2e2 h9g7 e2h2 g7h9", `none
cycle of 4 plies, the position stands for the 2nd time, computer rules
  red    H2-E2
  black  H9-G7
  red    E2-H2
  black  G7-H9
red does nothing that is forbidden
black does nothing that is forbidden
the third time would be a draw by repetition
`},
		{"check", Asian, checking, checkingMoves + " e6f6", `none
cycle of 4 plies, the position stands for the 2nd time, asian rules
  black  F9-E9
  red    F6-E6  checks
  black  E9-F9
  red    E6-F6  checks
red checks with every move
black does nothing that is forbidden
the third time would be a win by perpetual check
`},
		{"chase", WXF, "3k5/9/9/R8/2c6/9/9/9/9/5K3 w", strings.Repeat("a6a5 c5c6 a5a6 c6c5 ", 3), `loss by perpetual chase
cycle of 4 plies, the position stands for the 4th time, wxf rules
  red    A6-A5  chases the cannon on C5 with the rook on A5
  black  C5-C6
  red    A5-A6  chases the cannon on C6 with the rook on A6
  black  C6-C5
red chases the cannon that began on C5 with every move
black does nothing that is forbidden
`},
		{"threats of mate", Chinese, "5k3/2CPP4/9/9/9/9/9/B3p4/r8/4K4 w", strings.Repeat("e8f8 f9e9 e0f0 e2f2 f8e8 e9f9 f0e0 f2e2 ", 2), `loss by perpetual attack
cycle of 8 plies, the position stands for the 3rd time, chinese rules
  red    E8-F8  checks
  black  F9-E9
  red    E0-F0  threatens mate
  black  E2-F2  threatens mate
  red    F8-E8  checks
  black  E9-F9
  red    F0-E0  threatens mate
  black  F2-E2
red checks, threatens mate or chases with every move
black does nothing that is forbidden
`},
	}
	for _, test := range tests {
		p := playAll(t, mustParse(test.fen), strings.Fields(test.moves)...)
		if diff := cmp.Diff(test.want, test.rules.Judge(p).String()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}

func TestOrdinal(t *testing.T) {
	for n, want := range map[int]string{1: "1st", 2: "2nd", 3: "3rd", 4: "4th", 11: "11th", 12: "12th", 13: "13th", 21: "21st", 111: "111th", 112: "112th"} {
		if got := ordinal(n); got != want {
			t.Errorf("%d: %s", n, got)
		}
	}
}

func TestParseRuleSet(t *testing.T) {
	for _, r := range RuleSets() {
		if got, err := ParseRuleSet(strings.ToUpper(r.String())); err != nil || got != r {
			t.Errorf("%v: %v, %v", r, got, err)
		}
	}
	_, err := ParseRuleSet("fide")
	if err == nil || err.Error() != `rules "fide": want asian, wxf, chinese or computer` {
		t.Error(err)
	}
	if RuleSet(200).String() != "asian" {
		t.Error("a rule set beyond the last is not the default")
	}
}
