package records

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"qhsh/engine"
	"qhsh/engine/games"
)

// judged returns the rulings on the games of a text in lines: the game, plies, verdict, reason,
// agreement, and for a repetition that is not decided the result of the third time.
func judged(t *testing.T, game engine.Game, text, rules string, all bool) string {
	t.Helper()
	lib := games.Default.Records(game)
	referee := Referee{Games: games.Default, Rules: rules, All: all}
	var lines []string
	number := 0
	for g, err := range lib.Read(strings.NewReader(text), "") {
		if err != nil {
			t.Fatal(err)
		}
		number++
		rulings, err := referee.Judge(g)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range rulings {
			words := []string{fmt.Sprint(number), fmt.Sprint(r.Ply), lib.PGN.FormatResult(r.Result.Outcome), r.Result.Reason, string(r.Agreement)}
			if r.Repetition.Over() && !r.Result.Over() {
				words = append(words, "third "+lib.PGN.FormatResult(r.Repetition.Outcome))
			}
			lines = append(lines, strings.Join(strings.Fields(strings.Join(words, " ")), " "))
		}
	}
	return strings.Join(lines, "\n")
}

// TestDisputedGames judges three games whose verdicts have been disputed in public: a rook chases,
// a check and a chase in turns are free, and a cannon chases a rook while that rook, pinned, attacks
// another cannon again and again, which is a chase by some rules only.
func TestDisputedGames(t *testing.T) {
	text, err := os.ReadFile("../../../examples/disputed.pgn")
	if err != nil {
		t.Fatal(err)
	}
	for rules, want := range map[string]string{
		"asian": `1 104 1-0 perpetual chase agrees
2 62 1/2-1/2 repetition contradicts
3 36 1-0 perpetual chase agrees`,
		"wxf": `1 104 1-0 perpetual chase agrees
2 62 1/2-1/2 repetition contradicts
3 36 1-0 perpetual chase agrees`,
		"chinese": `1 104 1-0 perpetual attack agrees
2 62 1/2-1/2 repetition contradicts
3 36 1/2-1/2 mutual perpetual attack contradicts`,
		"computer": `1 104 1-0 perpetual chase agrees
2 62 1/2-1/2 repetition contradicts
3 36 1/2-1/2 mutual perpetual chase contradicts`,
	} {
		if diff := cmp.Diff(want, judged(t, games.Default.DefaultGame(), string(text), rules, false)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", rules, diff)
		}
	}
}

// TestReferee checks which positions are judged, and what a recorded result is compared with.
func TestReferee(t *testing.T) {
	const (
		start = "[FEN \"3k5/9/9/R8/2c6/9/9/9/9/5K3 w\"]\n\n"
		cycle = "A6-A5 C5-C6 A5-A6 C6-C5 "
		idle  = "F0-F1 D8-D9 F1-F0 D9-D8 "
	)
	xiangqi := games.Default.DefaultGame()
	checkers, err := games.Default.New("checkers", nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, text string
		game       engine.Game
		all        bool
		want       string
	}{
		{"agrees", start + cycle + cycle + "0-1", xiangqi, false, "1 8 0-1 perpetual chase agrees"},
		{"contradicts", start + cycle + cycle + "1-0", xiangqi, false, "1 8 0-1 perpetual chase contradicts"},
		{"unknown result", start + cycle + cycle + "*", xiangqi, false, "1 8 0-1 perpetual chase"},
		{"played on in the cycle", start + cycle + cycle + cycle + "1/2-1/2", xiangqi, false, "1 8 0-1 perpetual chase contradicts"},
		{"played on", start + cycle + cycle + "A6-A9 1-0", xiangqi, false, "1 8 0-1 perpetual chase played on"},
		{"played on to the same result", start + cycle + cycle + "A6-A9 0-1", xiangqi, false, "1 8 0-1 perpetual chase agrees"},
		{"resigned", start + cycle + "0-1", xiangqi, false, "1 4 *"},
		{"over at the start", "[FEN \"3k5/9/9/9/9/9/9/9/9/4K4 w\"]\n\n1-0", xiangqi, false, "1 0 1/2-1/2 lack of attackers contradicts"},

		{"no repetition", start + "A6-A5 *", xiangqi, true, "1 1 *"},
		{"the players leave the cycle", start + cycle + "A6-A9 1-0", xiangqi, true, "1 4 * third 0-1"},
		{"a repetition is judged once", start + cycle + cycle + cycle + "*", xiangqi, true, "1 8 0-1 perpetual chase"},
		{"two repetitions", start + cycle + "A6-A7 D9-D8 A7-A6 D8-D9 " + cycle + "0-1", xiangqi, true, "1 4 * third 0-1\n1 8 1/2-1/2 repetition contradicts"},
		{"the verdict changes", start + "F0-F1 D9-D8 F1-F0 D8-D9 " + cycle + cycle + "*", xiangqi, true, "1 4 * third 1/2-1/2\n1 8 1/2-1/2 repetition\n1 12 0-1 perpetual chase"},
		{"also after the verdict", start + cycle + cycle + "A6-A4 D9-D8 " + idle + idle + "1/2-1/2", xiangqi, true, "1 8 0-1 perpetual chase played on\n1 17 1/2-1/2 repetition"},
		{"another game", "[FEN \"B:W18:B14\"]\n\n1. 14x23 1-0", checkers, false, "1 1 1-0 no piece left agrees"},
	} {
		if diff := cmp.Diff(c.want, judged(t, c.game, c.text, "", c.all)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}
