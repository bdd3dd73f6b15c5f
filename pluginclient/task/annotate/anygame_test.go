package annotate

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"qhsh/engine"
	"qhsh/engine/enginetest"
	"qhsh/engine/games/gamestest"
	"qhsh/engine/record"
	"qhsh/pluginclient/task/batch"
)

// A stonesAsker takes one stone, with a winning score unless three stones are left.
type stonesAsker struct{ t *testing.T }

func (stonesAsker) Size() int             { return 1 }
func (stonesAsker) Identity() batch.Reply { return batch.Reply{Engine: "sure"} }

func (c stonesAsker) Ask(_ context.Context, pos engine.Position) (batch.Reply, error) {
	if pos.Turn() == engine.Chance {
		c.t.Errorf("search at chance's turn: %s", pos)
	}
	moves, score := pos.Moves(), engine.Centipawns(500)
	if strings.HasPrefix(pos.String(), "3 ") {
		score = score.Neg()
	}
	move := pos.Format(moves[0])
	r := c.Identity()
	r.Hints = []batch.Hint{{Move: move, Score: score, PV: []string{move}}}
	return r, nil
}

// TestAnyGame checks a game that implements only its rules. Chance is not searched, and two moves
// in a row are scored for the same side.
func TestAnyGame(t *testing.T) {
	pos := enginetest.Stones.Start()
	for _, text := range []string{"roll 2", "take 2", "take 2", "take 1", "roll 1"} {
		m, err := pos.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if pos, err = pos.Play(m); err != nil {
			t.Fatal(err)
		}
	}
	a, err := Game(t.Context(), stonesAsker{t}, record.FromPosition(pos), Options{Games: gamestest.Table()})
	if err != nil {
		t.Fatal(err)
	}
	var said []string
	for _, p := range a.Plies[1:] {
		said = append(said, strings.TrimSpace(p.By.String()+" "+p.Class.String()))
	}
	if diff := cmp.Diff([]string{"chance", "first good", "first blunder", "first best", "chance"}, said); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	var line, page bytes.Buffer
	if err := a.JSON(&line, GameID{}, ""); err != nil {
		t.Fatal(err)
	}
	const want = `"sides":{"first":{"judged":3,"best":1,"good":1,"inaccuracy":0,"mistake":0,"blunder":1,`
	if !strings.Contains(line.String(), want) {
		t.Errorf("%s: want %s", &line, want)
	}
	if err := a.HTML(&page, English, ""); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(page.String(), `"drawing":"7 first 2\n"`) {
		t.Errorf("no drawing in the page:\n%s", &page)
	}
	if want := `"notations":["stones"]`; !strings.Contains(page.String(), want) {
		t.Errorf("page: want %s", want)
	}
}
