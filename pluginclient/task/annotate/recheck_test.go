package annotate

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"qhsh/engine"
	"qhsh/engine/games"
	"qhsh/pluginclient/task/batch"
)

// A deepAsker is a fakeAsker of another level that notes which plies it is asked about.
type deepAsker struct {
	fakeAsker
	mu    sync.Mutex
	asked []int
}

func (d *deepAsker) Identity() batch.Reply {
	return batch.Reply{Engine: "reader", Limits: batch.Limits{Level: 6, HasLevel: true}}
}

func (d *deepAsker) Ask(ctx context.Context, pos engine.Position) (batch.Reply, error) {
	_, moves := pos.History()
	d.mu.Lock()
	d.asked = append(d.asked, len(moves))
	d.mu.Unlock()
	r, err := d.fakeAsker.Ask(ctx, pos)
	r.Limits = d.Identity().Limits
	return r, err
}

// evenReplies are replies for testdata/game.pgn by which every move is the engine's and loses
// nothing.
func evenReplies() []reply {
	even := slices.Clone(gameReplies)
	for i, m := range []string{"H2-E2", "B9-C7", "H0-G2", "I9-I8", "I0-H0", "C6-C5", "E2-E6", "A9-A8"} {
		even[i] = reply{line: m, score: engine.Centipawns(0)}
	}
	even[1].line = "H9-G7"
	return even
}

// with returns replies with others for some plies.
func with(replies []reply, others ...map[int]reply) []reply {
	replies = slices.Clone(replies)
	for _, some := range others {
		for ply, r := range some {
			replies[ply] = r
		}
	}
	return replies
}

// blackAhead returns the replies of evenReplies from ply on with scores by which Black is ahead.
func blackAhead(ply, cp int) map[int]reply {
	ahead := map[int]reply{}
	for i, r := range evenReplies()[ply:] {
		r.score = engine.Centipawns(cp)
		if (ply+i)%2 == 0 {
			r.score = engine.Centipawns(-cp)
		}
		ahead[ply+i] = r
	}
	return ahead
}

// TestRecheck checks which positions are searched again and what becomes of the marks. Red's second
// move leads to ply 3.
func TestRecheck(t *testing.T) {
	even := evenReplies()
	better := map[int]reply{2: {line: "B0-C2", score: engine.Centipawns(0)}} // than Red's second move
	for _, c := range []struct {
		name        string
		first, deep []reply
		want        string // the classes; then the plies that were searched again
	}{
		{"nothing is suspicious", even, even, "best best best best best best best; "},
		{"a mark stands", with(even, blackAhead(3, 250), better), with(even, blackAhead(3, 300), better), "best best mistake best best best best; 2 3"},
		{"a mark does not stand", with(even, blackAhead(3, 100), better), with(even, blackAhead(3, 40), better), "best best good best best best best; 2 3"},
		{"a loss that is nearly a mark's becomes one", with(even, blackAhead(3, 70), better), with(even, blackAhead(3, 120), better), "best best inaccuracy best best best best; 2 3"},
		{"a smaller loss is not looked at", with(even, blackAhead(3, 60), better), with(even, blackAhead(3, 500), better), "best best good best best best best; "},
		{
			"the score falls after the engine's own move, which is not the best",
			with(even, blackAhead(3, 250)), with(even, blackAhead(3, 250), better), "best best mistake best best best best; 2 3",
		},
		{
			"the fall is followed back to the move that was to blame",
			with(even, blackAhead(3, 250), map[int]reply{0: {line: "B2-E2", score: engine.Centipawns(0)}}),
			with(even, blackAhead(1, 250), map[int]reply{0: {line: "B2-E2", score: engine.Centipawns(0)}}),
			"mistake best best best best best best; 0 1 2 3",
		},
		{
			"no answer at the second look",
			with(even, blackAhead(3, 250), better), with(even, blackAhead(3, 250), map[int]reply{2: {err: errors.New("died")}}),
			"best best mistake best best best best; 2 3",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, jobs := range []int{1, 4} {
				deep := &deepAsker{fakeAsker: fakeAsker{jobs, c.deep}}
				var last Progress
				a, err := Game(t.Context(), fakeAsker{jobs, c.first}, readGame(t, "game.pgn"),
					Options{Games: games.Default, Deeper: deep, Progress: func(_ *Annotated, p Progress) { last = p }})
				if err != nil {
					t.Fatal(err)
				}
				slices.Sort(deep.asked)
				if diff := cmp.Diff(c.want, classesOf(a)+"; "+strings.Trim(fmt.Sprint(deep.asked), "[]")); diff != "" {
					t.Errorf("%d jobs (-want +got):\n%s", jobs, diff)
				}
				if last.First.Done != len(even) || last.Second.Done != len(deep.asked) || last.Again != len(deep.asked) {
					t.Errorf("the last progress is %+v", last)
				}
			}
		})
	}
}

// classesOf returns the classes of all moves.
func classesOf(a *Annotated) string {
	var words []string
	for _, p := range a.Plies[1:] {
		words = append(words, p.Class.String())
	}
	return strings.Join(words, " ")
}

// TestRecheckNamed: outputs name the limits of both looks; there is no second look if the engine
// cannot search deeper.
func TestRecheckNamed(t *testing.T) {
	for _, c := range []struct {
		deeper           batch.Asker
		english, chinese string
	}{
		{&deepAsker{fakeAsker: fakeAsker{1, evenReplies()}}, "Judged by reader at level 3, suspicious moves at level 6.", "由 reader（第 3 级，可疑着法第 6 级）点评。"},
		{fakeAsker{1, nil}, "Judged by reader at level 3.", "由 reader（第 3 级）点评。"},
	} {
		a, err := Game(t.Context(), fakeAsker{1, gameReplies}, readGame(t, "game.pgn"), Options{Games: games.Default, Deeper: c.deeper})
		if err != nil {
			t.Fatal(err)
		}
		if got := English.judgedBy(a); got != c.english {
			t.Errorf("%s, want %s", got, c.english)
		}
		if got := Chinese.judgedBy(a); got != c.chinese {
			t.Errorf("%s, want %s", got, c.chinese)
		}
	}
}
