package games

import (
	"encoding/json"
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
		script := Default.Script(g)
		if !script.Rules {
			continue
		}
		t.Run(g.Name(), func(t *testing.T) {
			all := randomCases(g, 25)
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
		})
	}
}
