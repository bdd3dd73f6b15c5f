package games

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"qhsh/engine"
	"qhsh/engine/enginetest"
)

// A scriptCase is a position with the legal moves, sorted, their names, and the positions after them.
type scriptCase struct {
	Position string   `json:"position"`
	Turn     string   `json:"turn"`
	Moves    []string `json:"moves"`
	After    []string `json:"after"`
	// Names are the moves in each of the notations for people.
	Names map[string][]string `json:"names"`
}

var turnNames = map[engine.Turn]string{engine.First: "0", engine.Second: "1", engine.Chance: "chance"}

func newScriptCase(pos engine.Position) scriptCase {
	c := scriptCase{Position: pos.String(), Turn: turnNames[pos.Turn()], Moves: []string{}, Names: map[string][]string{}}
	notations := Default.Row(pos.Game()).ReadableNotations
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

// moreCases returns more positions by game, of kinds that random games seldom reach.
var moreCases = map[string]func(*testing.T, engine.Game) []scriptCase{"checkers": randomCheckers, "qchess": randomQchess}

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

// randomQchess returns random positions, before a selection and behind each one whose outcome is to
// be drawn.
func randomQchess(t *testing.T, g engine.Game) (cases []scriptCase) {
	t.Helper()
	random := rand.New(rand.NewPCG(5, 6))
	for range 200 {
		pos, err := g.Position(randomQchessText(random))
		if err != nil {
			t.Fatal(err)
		}
		cases = append(cases, newScriptCase(pos))
		for range 6 {
			moves := pos.Moves()
			if len(moves) == 0 {
				break
			}
			pos, _ = pos.Play(moves[random.IntN(len(moves))])
			cases = append(cases, newScriptCase(pos))
		}
	}
	return cases
}

// randomQchessText returns a position with pieces of any kinds on any squares, some of them captured,
// with second kinds that are known, hidden, or known to nobody.
func randomQchessText(random *rand.Rand) string {
	squares, captured := random.Perm(64), random.IntN(11)
	side := func() string {
		seconds := []byte("pppppppprrnnbbq")
		random.Shuffle(len(seconds), func(i, j int) { seconds[i], seconds[j] = seconds[j], seconds[i] })
		var pieces []string
		for slot := range 16 {
			square := fmt.Sprintf("@%d%d", squares[0]%8, squares[0]/8)
			squares = squares[1:]
			if slot == 3 {
				pieces = append(pieces, "kk"+[]string{"", "0", "1"}[random.IntN(3)]+square)
				continue
			}
			second := string(seconds[0])
			seconds = seconds[1:]
			pieces = append(pieces, randomQchessPiece(random, second, square, random.IntN(10) < captured))
		}
		return strings.Join(pieces, ",")
	}
	return fmt.Sprintf("%c %s %s -", "wb"[random.IntN(2)], side(), side())
}

func randomQchessPiece(random *rand.Rand, second, square string, captured bool) string {
	first := string("prnbq+"[random.IntN(6)])
	isShown := random.IntN(2) == 0
	switch {
	case captured && isShown:
		return "-" + second
	case captured:
		return "-"
	case !isShown:
		return first + "?" + []string{"", second}[random.IntN(2)] + []string{"", "0"}[random.IntN(2)] + square
	case second == "p" && random.IntN(3) == 0:
		second = "+"
	}
	return first + second + []string{"", "0", "1"}[random.IntN(3)] + square
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

// checkScript compares the rules of the script with those of cases, and returns the first differences.
const checkScript = `
	const differences = [];
	for (const {position, turn, moves, after, names} of cases) {
		const found = board.moves(position).sort();
		if (board.edit) {
			const isPiece = ([shape]) => board.edit.pieces.includes(shape), other = board.edit.handOver(position);
			const again = board.items(position).filter(isPiece).reduce((text, [piece, point]) => board.edit.put(text, point, piece), board.edit.empty(position));
			if (String(board.items(again)) !== String(board.items(position))) differences.push(position + ': set up again: ' + again);
			const kept = board.items(board.edit.empty(position)).map(String), gone = board.items(position).find((item) => isPiece(item) && !kept.includes(String(item)));
			if (gone && board.items(board.edit.put(position, gone[1], '')).some((item) => String(item) === String(gone))) differences.push(position + ': ' + gone + ' is not removed');
			if (board.edit.side(other) === board.edit.side(position) || String(board.items(other)) !== String(board.items(position))) differences.push(position + ': handed over: ' + other);
		}
		const choices = found.map((move) => (board.choice && board.choice(move) ? 'chance' : String(board.turn ? board.turn(position) : turn)));
		if (choices.some((choice) => choice !== turn)) differences.push(position + ': turn of ' + choices + ' want ' + turn);
		if (String(found) !== String(moves)) differences.push(position + ': ' + found + ' want ' + moves);
		moves.forEach((move, i) => {
			const next = board.play(position, move);
			if (next !== after[i]) differences.push(position + ' ' + move + ': ' + next + ' want ' + after[i]);
			for (const notation in names) {
				const name = board.name(position, move, notation);
				if (name !== names[notation][i]) differences.push(position + ' ' + move + ': ' + name + ' want ' + names[notation][i]);
			}
			if (!board.points(move, false, position).every((point) => point.every(Number.isFinite))) differences.push(move + ' has no points');
			if ((board.points(move, false, position).length === 0) !== (turn === 'chance')) differences.push(move + ' has points, or is no choice');
		});
	}
	return differences.slice(0, 10);`

// TestScriptRules compares the rules in the scripts of web pages with those in Go, in Chromium: those of
// the games and variants of the day.
func TestScriptRules(t *testing.T) {
	enginetest.SkipUnderRace(t)
	var variants []engine.Game
	for _, g := range Default.Games() {
		variants = append(variants, withOptions(t, g)...)
	}
	var names, pages []string
	for _, g := range enginetest.Daily(3, variants) {
		all := randomCases(g, 25)
		if more, ok := moreCases[g.Name()]; ok {
			all = append(all, more(t, g)...)
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
		names = append(names, Default.Describe(g))
		pages = append(pages, fmt.Sprintf("(() => { %s const cases = %s; %s })()", Default.Script(g), cases, checkScript))
	}
	var differences [][]string
	if err := json.Unmarshal([]byte(printed(t, "JSON.stringify(["+strings.Join(pages, ",")+"])")), &differences); err != nil {
		t.Fatal(err)
	}
	for i, all := range differences {
		if len(all) > 0 {
			t.Errorf("%s: different:\n%s", names[i], strings.Join(all, "\n"))
		}
	}
}
