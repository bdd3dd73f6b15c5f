package games

import (
	"encoding/json"
	"fmt"
	"html"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"qhsh/engine"
	"qhsh/engine/enginetest"
	"qhsh/engine/enginetest/browser"
)

// A scriptCase is a position with the legal moves, sorted, their names, and the positions after them.
type scriptCase struct {
	Position string   `json:"position"`
	Moves    []string `json:"moves"`
	After    []string `json:"after"`
	// Names are the moves in each of the notations for people.
	Names map[string][]string `json:"names"`
}

func newScriptCase(pos engine.Position) scriptCase {
	c := scriptCase{Position: pos.String(), Moves: []string{}, Names: map[string][]string{}}
	var notations []string
	if n, ok := Ability[Notator](Default, pos.Game()); ok {
		notations = n.ReadableNotations()
	}
	moves := pos.Moves()
	slices.SortFunc(moves, func(a, b engine.Move) int { return strings.Compare(pos.Format(a), pos.Format(b)) })
	for _, m := range moves {
		next, err := pos.Play(m)
		if err != nil {
			panic(err)
		}
		c.Moves, c.After = append(c.Moves, pos.Format(m)), append(c.After, next.String())
		for _, notation := range notations {
			c.Names[notation] = append(c.Names[notation], Default.MoveNames(pos, []engine.Move{m}, notation)...)
		}
	}
	return c
}

// rarePositions are positions by game that random games do not reach: several pawns on files, whose
// names in Chinese and in WXF follow rules of their own.
var rarePositions = map[string][]string{"xiangqi": {
	"3k5/9/2P1P4/2P1P4/2P6/9/9/9/9/4K4 w - - 0 1",
	"3k5/9/P7P/P7P/P8/9/9/9/9/4K4 w - - 0 1",
	"3k5/6P2/6P2/6P2/6P2/6P2/9/9/9/4K4 w - - 0 1",
	"3k5/9/9/9/9/2p3p2/2p3p2/2p6/9/4K4 b - - 0 1",
	"3k5/9/9/R1c6/R1c5n/8n/9/9/9/4K4 w - - 0 1",
	"3k5/9/9/R1c6/R1c5n/8n/9/9/9/4K4 b - - 0 1",
}}

// randomCheckers returns random positions with many kings, whose captures have rules that random games
// seldom reach: some of any kind, and some in which captures with the same ends take other pieces.
func randomCheckers(t *testing.T, g engine.Game) (cases []scriptCase) {
	t.Helper()
	random := rand.New(rand.NewPCG(3, 4))
	for try := range 2000 {
		pos, err := g.Position(randomCheckersText(random))
		if err != nil {
			t.Fatal(err)
		}
		hasSeveral := slices.ContainsFunc(pos.Moves(), func(m engine.Move) bool { return strings.Count(pos.Format(m), "x") > 1 })
		if try < 60 || hasSeveral {
			cases = append(cases, newScriptCase(pos))
		}
	}
	return cases
}

// randomCheckersText returns a position. Men are on squares where they are in every variant.
func randomCheckersText(random *rand.Rand) string {
	var sides [2][]string
	for _, n := range random.Perm(32)[:4+random.IntN(14)] {
		name := fmt.Sprint(n + 1)
		if n < 4 || n >= 28 || random.IntN(3) == 0 {
			name = "K" + name
		}
		side := random.IntN(2)
		if len(sides[side]) < 12 {
			sides[side] = append(sides[side], name)
		}
	}
	return fmt.Sprintf("%c:W%s:B%s", "WB"[random.IntN(2)], strings.Join(sides[0], ","), strings.Join(sides[1], ","))
}

// withOptions returns a game with every value of its options that are words.
func withOptions(t *testing.T, g engine.Game) (all []engine.Game) {
	t.Helper()
	for _, o := range Default.GameOptions() {
		if o.Game.Name() != g.Name() {
			continue
		}
		for _, word := range o.Words {
			with, err := Default.New(g.Name(), Values{o.Name: word})
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, with)
		}
	}
	if len(all) == 0 {
		return []engine.Game{g}
	}
	return all
}

// randomCases returns the positions of random games from the samples of a game.
func randomCases(g engine.Game, plies int) (cases []scriptCase) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, pos := range Default.Samples(g) {
		for range plies {
			cases = append(cases, newScriptCase(pos))
			moves := pos.Moves()
			if len(moves) == 0 {
				break
			}
			pos, _ = pos.Play(moves[random.IntN(len(moves))])
		}
	}
	return cases
}

// checkScript compares the rules of the script with those of cases, and writes the first differences.
const checkScript = `
	const differences = [];
	for (const {position, moves, after, names} of cases) {
		const found = board.moves(position).sort();
		if (String(found) !== String(moves)) differences.push(position + ': ' + found + ' want ' + moves);
		moves.forEach((move, i) => {
			const next = board.play(position, move);
			if (next !== after[i]) differences.push(position + ' ' + move + ': ' + next + ' want ' + after[i]);
			for (const notation in names) {
				const name = board.name(position, move, notation);
				if (name !== names[notation][i]) differences.push(position + ' ' + move + ': ' + name + ' want ' + names[notation][i]);
			}
			if (!board.points(move, false, position).every((point) => point.every(Number.isFinite))) differences.push(move + ' has no points');
		});
	}
	document.querySelector('pre').textContent = cases.length + ' positions\n' + differences.slice(0, 10).join('\n');`

// TestScriptRules compares the rules in the scripts of web pages with those in Go, in Chromium.
func TestScriptRules(t *testing.T) {
	enginetest.SkipUnderRace(t)
	for _, g := range Default.Games() {
		for _, g := range withOptions(t, g) {
			if script := Default.Script(g); script.Rules {
				t.Run(Default.Describe(g), func(t *testing.T) { testScriptRules(t, g, script) })
			}
		}
	}
}

func testScriptRules(t *testing.T, g engine.Game, script Script) {
	all := randomCases(g, 25)
	if g.Name() == "checkers" {
		all = append(all, randomCheckers(t, g)...)
	}
	for _, text := range rarePositions[g.Name()] {
		pos, err := g.Position(text)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, newScriptCase(pos))
	}
	cases, err := json.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	page := "<!DOCTYPE html><meta charset=utf-8><pre></pre><script>" + script.Text + "const cases = " + string(cases) + ";" + checkScript + "</script>"
	found := regexp.MustCompile(`(?s)<pre>(.*?)</pre>`).FindStringSubmatch(browser.Dump(t, page, ""))
	if found == nil {
		t.Fatal("the script has failed")
	}
	count, differences, _ := strings.Cut(html.UnescapeString(found[1]), "\n")
	if count == "" || differences != "" {
		t.Errorf("%s, different:\n%s", count, differences)
	}
	t.Log(count)
}
