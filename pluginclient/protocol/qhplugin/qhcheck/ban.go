package qhcheck

import (
	"slices"
	"time"

	"qhsh/engine"
	"qhsh/engine/xiangqi"
	"qhsh/pluginclient/task/check"
	"qhsh/pluginclient/task/check/boards"
)

// An engineQuery returns the plugin's moves at pos, by AI or by HINTS.
type engineQuery func(e *exam, pos *xiangqi.Position) ([]string, error)

func byHints(e *exam, pos *xiangqi.Position) ([]string, error) {
	moves, err := e.legalHints(pos)
	return engine.FormatEach(pos, moves), err
}

func byAI(e *exam, pos *xiangqi.Position) ([]string, error) {
	m, err := e.checkAIMove(pos)
	if err != nil {
		return nil, err
	}
	return []string{pos.Format(m)}, nil
}

// bansWith returns a check that bans each of the two moves of some positions in turn and expects the other. Then
// it repeatedly bans the answers at the start of the game: a plugin may not apply bans to its
// opening book.
func bansWith(question engineQuery) step {
	return func(e *exam) error {
		for _, c := range boards.Choices {
			for _, pair := range [][2]string{{c.Best, c.Other}, {c.Other, c.Best}} {
				got, err := e.answersWithBan(c.Pos, question, pair[0])
				if err != nil {
					return err
				}
				if slices.Contains(got, pair[0]) { // other checks report other illegal moves and repetitions
					return check.Faultf(pair[1]+", since "+pair[0]+" is banned", "%s", quoted(got))
				}
			}
		}
		first, err := parseLegal(start, e.firstMove, "AI")
		if err != nil || e.isSlow() {
			return err
		}
		moves := []string{start.Format(first)}
		for started := time.Now(); len(moves) <= openingBans && time.Since(started) < gameTime; {
			got, err := e.answersWithBan(start, question, moves...)
			if err != nil {
				return err
			}
			for _, m := range got {
				if slices.Contains(moves, m) {
					return check.Faultf("other moves than "+m+", which is banned", "%s", quoted(got))
				}
			}
			moves = append(moves, got[0])
		}
		return nil
	}
}

// openingBans is how often moves are banned at the start of the game: a book has several random
// moves.
const openingBans = 16

// answersWithBan returns the plugin's moves at pos with some moves banned.
func (e *exam) answersWithBan(pos *xiangqi.Position, question engineQuery, moves ...string) ([]string, error) {
	if err := e.do(position(pos), bans(moves...)); err != nil {
		return nil, err
	}
	return question(e, pos)
}

func bans(moves ...string) step { return okTo(list("BAN", moves...)...) }

// answersMove checks that the plugin's first move at pos is one, and says why it should be that.
func answersMove(question engineQuery, pos *xiangqi.Position, move, why string) step {
	return func(e *exam) error {
		got, err := question(e, pos)
		if err == nil && got[0] != move {
			err = check.Faultf(move+why, "%s", quoted(got))
		}
		return err
	}
}

// chooses checks that the plugin finds the best move without a ban, for which it must not overlook something.
func chooses(c boards.Choice, question engineQuery, overlooked string) step {
	return func(e *exam) error {
		got, err := question(e, c.Pos)
		if err == nil && got[0] != c.Best {
			err = check.NotApplicablef("at its weakest level it overlooks %s, so nobody can tell what it would play", overlooked)
		}
		return err
	}
}

// banEnds checks that a ban ends after the next AI or HINTS; back takes its move back, if it makes one.
func banEnds(question engineQuery, back step) step {
	return func(e *exam) error {
		for _, c := range boards.Choices {
			err := e.do(at(ownProcess, c.Pos), chooses(c, question, "a mate"), back, bans(c.Best),
				func(e *exam) error { _, err := question(e, c.Pos); return err }, back,
				answersMove(question, c.Pos, c.Best, ", since the ban was for one answer only"))
			if err != nil {
				return err
			}
		}
		return nil
	}
}

// banAborted checks that an aborted AI uses up a ban: of the move that mates, in a position where
// the plugin thinks about the others.
func banAborted(e *exam) error {
	c := boards.Thoughtful
	return e.do(weakest, position(c.Pos), chooses(c, byAI, "a mate"),
		func(e *exam) error { return e.setUpLongThink(&longThink{level: e.longThink.level, pos: c.Pos}) },
		bans(c.Best), startThinkingHere, sends("ABORT"), aborted("ABORT"), weakest,
		answersMove(byAI, c.Pos, c.Best, ", since the ban was for the AI that was aborted"))
}

// banRoot checks that a ban of a move of the other side changes nothing, in a position where one of
// two moves wins a piece and is mated by that move.
func banRoot(e *exam) error {
	c, mate := boards.Poisoned, boards.PoisonedMate
	for range 2 {
		if err := e.do(position(c.Pos), chooses(c, byAI, "the other side's mate")); err != nil {
			return err
		}
	}
	return e.do(position(c.Pos), bans(mate), answersMove(byAI, c.Pos, c.Best,
		" with "+mate+" banned, as without: after "+c.Other+" that move of the other side mates"))
}

// banList checks that a ban of several moves, not all legal, is answered once.
func banList(e *exam) error {
	c := boards.Choices[0]
	return e.do(bans("A0-A9", c.Best, "B2-B3"), silence("the answer to BAN"),
		answersMove(byAI, c.Pos, c.Other, ", since "+c.Best+" is banned"))
}

func banAll(e *exam) error {
	if err := okTo(list("BAN", boards.LegalMoves(boards.OnlyHorse))...)(e); err != nil {
		return err
	}
	answer, err := e.singleAnswer("AI")
	if err != nil {
		return err
	}
	return isAnswer("ERROR", answer, "AI with every move banned")
}

func banReplaced(second ...string) step {
	c := boards.Choices[0]
	return inOrder(chooses(c, byAI, "a mate"), position(c.Pos), bans(c.Best), bans(second...), answersMove(byAI, c.Pos, c.Best, ""))
}
