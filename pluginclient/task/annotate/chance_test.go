package annotate

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"qhsh/engine"
	"qhsh/engine/enginetest"
	"qhsh/engine/enginetest/browser"
	"qhsh/engine/games/gamestest"
	"qhsh/engine/qchess"
	"qhsh/engine/record"
	"qhsh/pluginclient/task/batch"
)

// A scoreAsker plays the last legal move and has a score for each position, in centipawns for the side
// to move. It notes what it is asked.
type scoreAsker struct {
	level  int
	scores map[string]int
	mu     *sync.Mutex
	asked  *[]string
}

func (scoreAsker) Size() int { return 1 }
func (s scoreAsker) Identity() batch.Reply {
	return batch.Reply{Engine: "sure", Limits: batch.Limits{Level: s.level, HasLevel: true}}
}

func (s scoreAsker) Ask(_ context.Context, pos engine.Position) (batch.Reply, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	*s.asked = append(*s.asked, pos.String())
	moves := pos.Moves()
	move := pos.Format(moves[len(moves)-1])
	r := s.Identity()
	r.Hints = []batch.Hint{{Move: move, Score: engine.Centipawns(s.scores[pos.String()]), PV: []string{move}}}
	return r, nil
}

// annotateStones annotates a game of stones by scores, and by those of a second look if there are any.
func annotateStones(t *testing.T, start, moves string, scores, deeper map[string]int) (a *Annotated, asked, again []string) {
	t.Helper()
	pos, err := enginetest.Stones.Position(start)
	if err != nil {
		t.Fatal(err)
	}
	for text := range strings.SplitSeq(moves, ", ") {
		m, err := pos.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if pos, err = pos.Play(m); err != nil {
			t.Fatal(err)
		}
	}
	mu := new(sync.Mutex)
	o := Options{Games: gamestest.Table()}
	if deeper != nil {
		o.Deeper = scoreAsker{6, deeper, mu, &again}
	}
	a, err = Game(t.Context(), scoreAsker{3, scores, mu, &asked}, record.FromPosition(pos), o)
	if err != nil {
		t.Fatal(err)
	}
	return a, asked, again
}

// classes returns the classes of the moves; - stands for none.
func classes(a *Annotated) string {
	var all []string
	for _, p := range a.Plies[1:] {
		all = append(all, cmp.Or(p.Class.String(), "-"))
	}
	return strings.Join(all, " ")
}

// TestExpectation: a choice is judged by what is expected of all outcomes, not by the one that chance
// has drawn; an outcome has no class.
func TestExpectation(t *testing.T) {
	for _, c := range []struct {
		name, moves string
		scores      map[string]int
		want, luck  string
	}{
		{
			"a right choice and bad luck", "take 1, roll 1",
			map[string]int{"5 first 2": 0, "4 second 1": 600, "4 second 2": -300},
			"good -", "Luck: first's chance of winning falls from 50 % to 15 %.",
		},
		{
			"a wrong choice and good luck", "take 1, roll 1",
			map[string]int{"5 first 2": 0, "4 second 1": -300, "4 second 2": 900},
			"blunder -", "Luck: first's chance of winning rises from 20 % to 68 %.",
		},
		{
			"no luck", "take 1, roll 1",
			map[string]int{"5 first 2": 0, "4 second 1": 300, "4 second 2": 310},
			"mistake -", "",
		},
		{
			"a game that ends before the outcome", "take 1",
			map[string]int{"5 first 2": 0, "4 second 1": -300, "4 second 2": 900},
			"blunder", "",
		},
	} {
		a, asked, _ := annotateStones(t, "5 first 2", c.moves, c.scores, nil)
		if got := classes(a); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
		slices.Sort(asked)
		if want := []string{"4 second 1", "4 second 2", "5 first 2"}; !slices.Equal(asked, want) {
			t.Errorf("%s: asked %q, want %q", c.name, asked, want)
		}
		annotated := a.Record(English)
		var comments string
		annotated.Walk(func(n *record.Node) bool { comments += n.Comment + "\n"; return true })
		_, luck, _ := strings.Cut(comments, "[%qhsh luck] ")
		if luck, _, _ = strings.Cut(luck, "\n"); luck != c.luck {
			t.Errorf("%s: luck %q, want %q", c.name, luck, c.luck)
		}
		if clean := withoutAnnotations(annotated); clean.Root.Next[0].Comment != "" || c.luck != "" && clean.Root.Next[0].Next[0].Comment != "" {
			t.Errorf("%s: annotations stay when they are replaced", c.name)
		}
	}
}

// TestChanceOutputs checks what JSON and the page have of an outcome, and the tallies.
func TestChanceOutputs(t *testing.T) {
	a, _, _ := annotateStones(t, "5 first 2", "take 1, roll 1", map[string]int{"5 first 2": 0, "4 second 1": -300, "4 second 2": 900}, nil)
	var line, page strings.Builder
	if err := a.JSON(&line, GameID{}, ""); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`{"move":"take 1","cp":-500,"win":0.2012,"class":"blunder","loss":0.2988,`,
		`{"move":"roll 1","cp":300,"win":0.6821,"luck":0.4809}`,
		`"first":{"judged":1,"best":0,"good":0,"inaccuracy":0,"mistake":0,"blunder":1,"loss":0.2988,"accuracy":24.9,"phases":{"opening":{"judged":1,"accuracy":24.9}}}`,
		`"second":{"judged":0,`,
	} {
		if !strings.Contains(line.String(), want) {
			t.Errorf("%s\nwant %s", &line, want)
		}
	}
	if err := a.HTML(&page, English, ""); err != nil {
		t.Fatal(err)
	}
	if want := `"judged":{"cp":300,"win":0.6821,"luck":0.2012,`; !strings.Contains(page.String(), want) {
		t.Errorf("page: want %s in\n%s", want, &page)
	}
	dom, console := browser.Visit(t, page.String(), "#2")
	if want := "luck: First's chance of winning rises from 20 % to 68 %"; !strings.Contains(dom, want) || len(console) > 0 {
		t.Errorf("page: no %q, console %q", want, console)
	}
}

// TestHiddenOutcomes: what the host of a game knows does not count, as neither side knew it.
func TestHiddenOutcomes(t *testing.T) {
	host, _ := engine.Deal(qchess.Rules.Start(), rand.NewPCG(1, 1))
	m, err := host.Parse("@36")
	if err != nil {
		t.Fatal(err)
	}
	if host, err = host.Play(m); err != nil {
		t.Fatal(err)
	}
	p := Ply{Pos: host}
	p.addOutcomes(nil)
	sum := 0.0
	for _, o := range p.outcomes {
		sum += o.odds
	}
	if len(host.Moves()) != 2 || len(p.outcomes) != 6 || math.Abs(sum-1) > 1e-9 {
		t.Errorf("%d outcomes of the host, %d of the players with a sum of %v; want 2, 6, 1", len(host.Moves()), len(p.outcomes), sum)
	}
}

// TestSecondLookAtOutcomes: a suspicious choice has all its outcomes searched again, each once.
func TestSecondLookAtOutcomes(t *testing.T) {
	scores := map[string]int{"5 first 2": 0, "4 second 1": 200, "4 second 2": 200}
	a, _, again := annotateStones(t, "5 first 2", "take 1, roll 1", scores, map[string]int{"4 second 1": 300, "4 second 2": -150})
	if got := classes(a); got != "good -" {
		t.Errorf("%s, want good", got)
	}
	slices.Sort(again)
	if want := []string{"4 second 1", "4 second 2", "5 first 2"}; !slices.Equal(again, want) {
		t.Errorf("asked again %q, want %q", again, want)
	}
}
