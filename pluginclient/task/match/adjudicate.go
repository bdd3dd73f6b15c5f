package match

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"qhsh/engine"
)

// A Judge returns the result of a game under all rules: those of Result, repetition, and games
// without progress.
type Judge func(engine.Position) engine.Result

// resultOfPosition returns the result at a position that has occurred times times. Without a Judge
// the third occurrence is a draw.
func resultOfPosition(judge Judge, pos engine.Position, times int) engine.Result {
	if judge != nil {
		return judge(pos)
	}
	if result := pos.Result(); result.Over() || times < 3 {
		return result
	}
	return engine.Result{Outcome: engine.Draw, Reason: "repetition"}
}

// losingMoves returns the moves that lose by repetition, directly or after a reply. seen counts
// occurrences; no known Judge ends a game before the third. If all moves lose, it returns nil.
func losingMoves(judge Judge, pos engine.Position, seen map[uint64]int) []engine.Move {
	repeated := false
	for _, times := range seen {
		repeated = repeated || times >= 2
	}
	if judge == nil || !repeated {
		return nil
	}
	lost := engine.Win(pos.Turn().Other())
	ends := func(next engine.Position) bool {
		return seen[next.Key()] >= 2 && !next.Result().Over() && judge(next).Outcome == lost
	}
	var ban []engine.Move
	moves := pos.Moves()
	for _, m := range moves {
		next, err := pos.Play(m)
		if err != nil {
			continue
		}
		if ends(next) || next.Turn() != engine.Chance && slices.ContainsFunc(next.Moves(), func(reply engine.Move) bool {
			after, err := next.Play(reply)
			return err == nil && ends(after)
		}) {
			ban = append(ban, m)
		}
	}
	if len(ban) == len(moves) {
		return nil
	}
	return ban
}

// A DrawRule adjudicates a draw when, after MoveNumber moves, the scores of MoveCount consecutive
// moves of both sides are within Score. The zero rule is off.
type DrawRule struct {
	MoveNumber int `json:"movenumber"` // moves of each side before it can apply
	MoveCount  int `json:"movecount"`  // in a row, of each side; 0: the rule is off
	Score      int `json:"score"`      // centipawns
}

// ParseDraw parses "movenumber=40,movecount=8,score=10", separated by commas or blanks. These are
// the defaults of missing keys.
func ParseDraw(text string) (DrawRule, error) {
	r := DrawRule{MoveNumber: 40, MoveCount: 8, Score: 10}
	err := parseNumbers(text, map[string]*int{"movenumber": &r.MoveNumber, "movecount": &r.MoveCount, "score": &r.Score})
	if err == nil && r.MoveCount < 1 {
		err = errors.New("movecount must be at least 1")
	}
	return r, err
}

// A ResignRule adjudicates a loss for a player whose scores of MoveCount consecutive moves are at
// most -Score. The zero rule is off.
type ResignRule struct {
	MoveCount int  `json:"movecount"` // in a row; 0: the rule is off
	Score     int  `json:"score"`     // centipawns
	TwoSided  bool `json:"twosided"`  // the opponent's scores must agree
}

// ParseResign parses "movecount=3,score=700,twosided=false", separated by commas or blanks. These
// are the defaults of missing keys.
func ParseResign(text string) (ResignRule, error) {
	r := ResignRule{MoveCount: 3, Score: 700}
	var rest []string
	for _, word := range splitKeys(text) {
		switch word {
		case "twosided", "twosided=true":
			r.TwoSided = true
		case "twosided=false":
		default:
			rest = append(rest, word)
		}
	}
	err := parseNumbers(strings.Join(rest, ","), map[string]*int{"movecount": &r.MoveCount, "score": &r.Score})
	if err == nil && (r.MoveCount < 1 || r.Score < 1) {
		err = errors.New("movecount and score must be at least 1")
	}
	return r, err
}

// parseNumbers parses KEY=NUMBER words, separated by commas or blanks.
func parseNumbers(text string, fields map[string]*int) error {
	return ParseKeys(text, func(key, value string) error {
		field, ok := fields[key]
		if !ok {
			return fmt.Errorf("unknown key %q: use %s", key, strings.Join(slices.Sorted(maps.Keys(fields)), ", "))
		}
		n, err := strconv.Atoi(value)
		if err != nil || n < 0 {
			return fmt.Errorf("%s=%s: want a number of at least 0", key, value)
		}
		*field = n
		return nil
	})
}

// scores are the scores that both sides reported, for adjudication.
type scores struct {
	config *Config
	plies  int    // of both sides, including the opening
	near   int    // consecutive moves with a score within Draw.Score
	bad    [2]int // consecutive moves of each side with a score of at most -Resign.Score
	good   [2]int // likewise of at least Resign.Score
}

// add counts the score of a move of side.
func (s *scores) add(side engine.Turn, score engine.Score) {
	s.plies++
	n, even := score.Centipawns()
	s.near = countStreak(s.near, even && max(n, -n) <= s.config.Draw.Score)
	lost := engine.Centipawns(-s.config.Resign.Score)
	s.bad[side] = countStreak(s.bad[side], score.Known() && score.Compare(lost) <= 0)
	s.good[side] = countStreak(s.good[side], score.Known() && score.Compare(lost.Neg()) >= 0)
}

func countStreak(count int, goesOn bool) int {
	if goesOn {
		return count + 1
	}
	return 0
}

// adjudicate returns the result if a rule ends the game after a move of side.
func (s *scores) adjudicate(side engine.Turn) engine.Result {
	resign, draw := s.config.Resign, s.config.Draw
	for _, loser := range []engine.Turn{side, side.Other()} {
		if resign.MoveCount > 0 && s.bad[loser] >= resign.MoveCount &&
			(!resign.TwoSided || s.good[loser.Other()] >= resign.MoveCount) {
			return engine.Result{Outcome: engine.Win(loser.Other()), Reason: resignation}
		}
	}
	switch {
	case draw.MoveCount > 0 && s.near >= 2*draw.MoveCount && s.plies >= 2*draw.MoveNumber:
		return engine.Result{Outcome: engine.Draw, Reason: "draw adjudication"}
	case s.config.MaxMoves > 0 && s.plies >= 2*s.config.MaxMoves:
		return engine.Result{Outcome: engine.Draw, Reason: "move limit"}
	}
	return engine.Result{}
}

// drawChance draws a chance move by its odds, or uniformly if the position has no odds.
func drawChance(pos engine.Position, source *rand.PCG) engine.Move {
	roll := float64(source.Uint64()>>11) / (1 << 53)
	var drawn engine.Move
	for m, odds := range engine.Outcomes(pos) {
		drawn = m
		if roll -= odds; roll < 0 {
			break
		}
	}
	return drawn
}
