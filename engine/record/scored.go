package record

import (
	"fmt"
	"iter"
	"math"
	"slices"
	"strconv"
	"strings"

	"qhsh/engine"
	"qhsh/engine/lazyregexp"
)

// A Scored is a position of a game with what an engine has said about it.
type Scored struct {
	Position engine.Position
	Next     *Node        // the move that was played; nil if there is none
	Score    engine.Score // for the side to move; unknown if the record has none
	By       string       // who gave the score: the player, or the annotator of the game; may be empty
	Ply      int          // the plies before it, also those before the start, as the number of its move has them
}

// Tags that positions of training data have in place of the rest of their game.
const (
	plyTag  = "Ply"        // of the start, if the number of its move has another
	GameTag = "GameNumber" // the number of the game, as in a match
	FileTag = "GameFile"   // the file of the game
)

const terminationTag = "Termination"

// faults are the terminations of games that were lost by a fault, whatever the position, in matches of qhsh and
// of other programs.
var faults = []string{
	"time forfeit", "abandoned", "unterminated", "rules infraction", "death", "emergency", "illegal move",
	"stalled connection", "crash", "closed", "flood", "refused",
}

// ResultCounts reports whether the result of a game says something about its positions: it is known, and is not
// that of a fault.
func (g *Game) ResultCounts() bool {
	return g.Result != engine.Ongoing && !slices.Contains(faults, strings.ToLower(g.Tags.Get(terminationTag)))
}

// ownScore matches a player's score of its move as match programs write it: +0.35/8 1.20s, -M3/20, 0.00/9.
var ownScore = lazyregexp.New(`(?m)^(?:([+-]\d+\.\d+)|(\d+\.\d+)/\d+|([+-]?)M(\d+))(?:/\d+)?(?:[ ,].*)?$`)

// evalMark matches a score of the position after the move, in pawns for the first side, or # and the moves to
// mate. A depth may follow.
var evalMark = lazyregexp.New(`\[%eval (?:#(-?\d+)|([+-]?\d+(?:\.\d+)?))(?:,\d+)?\]`)

// Scored yields the positions of the main line in which a side is to move. A score is that of the comment on
// the move that was played, which is the player's own, or else that of [%eval] in the comment before it.
func (l *Library) Scored(g *Game) iter.Seq[Scored] {
	return func(yield func(Scored) bool) {
		if g.Tags.Get(IllegalStart) != "" {
			return
		}
		style := l.style(g)
		players := [2]string{g.Tags.Get(style.First), g.Tags.Get(style.Second)}
		ply, err := strconv.Atoi(g.Tags.Get(plyTag))
		if err != nil {
			ply = l.plyOf(g.Start)
		}
		for n, pos := range g.Positions(false) {
			s, turn := Scored{Position: pos, Ply: ply}, pos.Turn()
			ply++
			if turn == engine.Chance {
				continue
			}
			if len(n.Next) > 0 {
				s.Next, s.By = n.Next[0], players[turn]
				if found := ownScore().FindStringSubmatch(s.Next.Comment); found != nil {
					s.Score = scoreOf(found[1]+found[2], found[3], found[4])
				}
			}
			if eval := ParseEval(n.Comment); eval.Known() && !s.Score.Known() {
				s.Score, s.By = eval, g.Tags.Get("Annotator")
				if turn == engine.Second {
					s.Score = s.Score.Neg()
				}
			}
			if !yield(s) {
				return
			}
		}
	}
}

// ParseEval returns the score that a comment has for the first side as FormatEval writes it; unknown if it has none.
func ParseEval(comment string) engine.Score {
	found := evalMark().FindStringSubmatch(comment)
	if found == nil {
		return engine.Score{}
	}
	return scoreOf(found[2], "", found[1])
}

// scoreOf returns a score of a comment: pawns, or else the moves to mate and their sign; unknown if it is no
// number.
func scoreOf(pawns, sign, mate string) engine.Score {
	if x, err := strconv.ParseFloat(pawns, 64); err == nil && math.Abs(x) < 1<<20 {
		return engine.Centipawns(int(math.Round(100 * x)))
	}
	n, err := strconv.Atoi(sign + mate)
	if err != nil {
		return engine.Score{}
	}
	return engine.MateIn(n)
}

// FormatEval returns the mark of a score for the first side, [%eval 0.35] or [%eval #-3], which ParseEval reads;
// empty if it is unknown, or if the game is over by mate.
func FormatEval(s engine.Score) string {
	if cp, ok := s.Centipawns(); ok {
		return fmt.Sprintf("[%%eval %.2f]", float64(cp)/100)
	}
	if n, ok := s.Mate(); ok && n != 0 {
		return fmt.Sprintf("[%%eval #%d]", n)
	}
	return ""
}

// plyOf returns the plies before a start position, as the number of its move has them.
func (l *Library) plyOf(start engine.Position) int {
	ply := 2 * (l.Number(start) - 1)
	if start.Turn() == engine.Second {
		ply++
	}
	return ply
}
