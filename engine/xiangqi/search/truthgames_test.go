package search_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"qhsh/engine"
	"qhsh/engine/xiangqi"
)

// A truthStart is how a game of TestTruth begins and who plays it.
type truthStart struct {
	fen     string
	moves   []xiangqi.Move // for players that follow them
	period  int            // moves after the last ones are those a period ago
	players [2]player      // by side
}

// A player moves in the first of these ways that is drawn and possible. They have odds in percent,
// except for the last one, a search.
type player struct {
	follow int // the moves of the start
	check  int
	retire int // to where its last move came from
	random int
	nodes  int64
}

// truthStarts are the positions that games of TestTruth begin with.
type truthStarts struct {
	fens       []string
	falseMates []string
	repeated   []*xiangqi.Position // with the games that repeat them
}

func readTruthStarts(t *testing.T) (s truthStarts) {
	read := func(name string) []string {
		file, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		return strings.Split(strings.TrimSpace(string(file)), "\n")
	}
	s.falseMates = read("testdata/false-mates.fen")
	s.fens = slices.Concat(read("testdata/mates.epd"), read("../testdata/random100.tsv"), s.falseMates)
	for _, c := range repeatedCases(t) {
		s.repeated = append(s.repeated, play(t, c.before, c.last).(*xiangqi.Position))
	}
	return s
}

// truthTurns is the number of kinds of starts.
const truthTurns = 6

// draw draws a start for a game under a rule set. In turn it is the start position, one with few pieces,
// one with few pieces and a side that checks where it can, twice a case of repetition, and one about
// which an earlier version made a false claim.
func (s truthStarts) draw(dice *rand.Rand, turn int, rules xiangqi.RuleSet) (start truthStart) {
	players := &start.players
	for side := range players {
		players[side].nodes = 1 + dice.Int64N(400)
	}
	odd := dice.IntN(2) // the side that does not only search
	switch turn % truthTurns {
	case 0:
		start.fen, players[odd].random = xiangqi.StartFEN, 10+dice.IntN(40)
	case 1:
		start.fen, players[odd].retire = s.drawEnding(dice, rules), dice.IntN(60)
	case 2:
		start.fen, players[odd].check, players[odd^1].retire = s.drawEnding(dice, rules), 95, dice.IntN(60)
	case 3, 4:
		pos := s.drawRepeated(dice, rules)
		first, moves := pos.History()
		start.fen, start.period = first.String(), len(rules.Judge(pos).Period())
		for _, m := range moves {
			start.moves = append(start.moves, xiangqi.Move(m))
		}
		players[odd].follow, players[odd^1].follow = 100, 100-30*dice.IntN(2)
	case 5:
		list := [][]string{s.falseMates, mixedCycles}[dice.IntN(2)]
		start.fen, players[odd].random = list[dice.IntN(len(list))], 20
	}
	return start
}

// drawEnding draws a position with some of its pieces removed, and its clock.
func (s truthStarts) drawEnding(dice *rand.Rand, rules xiangqi.RuleSet) string {
	for {
		fields := strings.Fields(s.fens[dice.IntN(len(s.fens))])
		board, removed := []byte(fields[0]), 30+dice.IntN(70)
		for i, c := range board {
			if strings.IndexByte("/123456789kK", c) < 0 && dice.IntN(100) < removed {
				board[i] = '1'
			}
		}
		clock := 0
		if dice.IntN(2) == 0 {
			clock = rules.QuietPlies() - 1 - dice.IntN(16)
		}
		fen := fmt.Sprintf("%s %s - - %d 60", board, fields[1], clock)
		if _, err := xiangqi.ParseFEN(fen); err == nil {
			return fen
		}
	}
}

// drawRepeated draws a reason of the judge, and then one of the cases of repetition that it decides.
func (s truthStarts) drawRepeated(dice *rand.Rand, rules xiangqi.RuleSet) *xiangqi.Position {
	by := map[string][]*xiangqi.Position{}
	for _, pos := range s.repeated {
		reason := rules.Judge(pos).Repetition.Reason
		by[reason] = append(by[reason], pos)
	}
	reasons := slices.Sorted(maps.Keys(by))
	list := by[reasons[dice.IntN(len(reasons))]]
	return list[dice.IntN(len(list))]
}

// caseMove returns the move of the start at a ply, or the one a period before.
func (s *truthStart) caseMove(ply int) xiangqi.Move {
	for ; ply >= len(s.moves); ply -= s.period {
		if s.period == 0 {
			return 0
		}
	}
	return s.moves[ply]
}

// move returns the next move of the game. The engine remembers its earlier searches, unlike those of
// proveClaims.
func (g *truthGame) move(start truthStart) xiangqi.Move {
	p, legal := start.players[g.pos.Side()], g.pos.LegalMoves()
	drawn := func(percent int) bool { return g.dice.IntN(100) < percent }
	if m := start.caseMove(g.pos.Ply()); drawn(p.follow) && slices.Contains(legal, m) {
		return m
	}
	if drawn(p.check) {
		board := g.pos.Board()
		checks := slices.DeleteFunc(slices.Clone(legal), func(m xiangqi.Move) bool { return !board.GivesCheck(m) })
		if len(checks) > 0 {
			return checks[g.dice.IntN(len(checks))]
		}
	}
	if drawn(p.retire) && g.pos.Ply() > 1 {
		_, undone := g.pos.Before().Undo()
		last := xiangqi.Move(undone)
		if m := xiangqi.NewMove(last.To(), last.From()); slices.Contains(legal, m) {
			return m
		}
	}
	if drawn(p.random) {
		return legal[g.dice.IntN(len(legal))]
	}
	s := truthSearch{truthGame: g, pos: g.pos, rules: g.rules, known: map[string]bool{}}
	return xiangqi.Move(s.prove(g.engine(g.rules, 1), engine.Limits{Nodes: p.nodes})[0].Move())
}
