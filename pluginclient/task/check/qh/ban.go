package qh

import (
	"slices"
	"time"

	"qhsh/engine/xiangqi"
	"qhsh/pluginclient/task/check"
	"qhsh/pluginclient/task/check/boards"
)

// An engineQuery returns the plugin's moves at pos, by AI or by HINTS.
type engineQuery func(e *exam, pos *xiangqi.Position) ([]string, error)

func byHints(e *exam, pos *xiangqi.Position) ([]string, error) {
	moves, err := e.legalHints(pos)
	var texts []string
	for _, m := range moves {
		texts = append(texts, pos.Format(m))
	}
	return texts, err
}

func byAI(e *exam, pos *xiangqi.Position) ([]string, error) {
	m, err := e.checkAIMove(pos)
	if err != nil {
		return nil, err
	}
	return []string{pos.Format(m)}, nil
}

// checkBanObeyed bans each of the two moves of some positions in turn and expects the other. Then
// it repeatedly bans the answers at the start of the game: a plugin may not apply bans to its
// opening book.
func (e *exam) checkBanObeyed(question engineQuery) error {
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

// openingBans is how often moves are banned at the start of the game: a book has several random
// moves.
const openingBans = 16

// answersWithBan returns the plugin's moves at pos with some moves banned.
func (e *exam) answersWithBan(pos *xiangqi.Position, question engineQuery, moves ...string) ([]string, error) {
	if err := e.setPosition(pos); err != nil {
		return nil, err
	}
	if err := e.wantOK(list("BAN", moves...)...); err != nil {
		return nil, err
	}
	return question(e, pos)
}

func banAI(e *exam) error    { return e.checkBanObeyed(byAI) }
func banHints(e *exam) error { return e.checkBanObeyed(byHints) }

// checkFreeChoice checks that the plugin finds the move that mates without a ban.
func (e *exam) checkFreeChoice(c boards.Choice, question engineQuery) error {
	got, err := question(e, c.Pos)
	if err != nil {
		return err
	}
	if got[0] != c.Best {
		return check.NotApplicablef("at its weakest level it overlooks a mate, so nobody can tell what it would play")
	}
	return nil
}

// checkBanEnds checks that a ban ends after the next AI or HINTS.
func (e *exam) checkBanEnds(question engineQuery, back func() error) error {
	for _, c := range boards.Choices {
		if err := at(ownProcess, c.Pos)(e); err != nil {
			return err
		}
		if err := e.checkFreeChoice(c, question); err != nil {
			return err
		}
		if err := back(); err != nil {
			return err
		}
		if err := e.wantOK(list("BAN", c.Best)...); err != nil {
			return err
		}
		if _, err := question(e, c.Pos); err != nil {
			return err
		}
		if err := back(); err != nil {
			return err
		}
		got, err := question(e, c.Pos)
		if err != nil {
			return err
		}
		if got[0] != c.Best {
			return check.Faultf(c.Best+", since the ban was for one answer only", "%s", quoted(got))
		}
	}
	return nil
}

func banNextHints(e *exam) error { return e.checkBanEnds(byHints, func() error { return nil }) }
func banNextAI(e *exam) error    { return e.checkBanEnds(byAI, func() error { return e.wantOK("UNDO") }) }

// banAborted checks that an aborted AI uses up a ban: of the move that mates, in a position where
// the plugin thinks about the others.
func banAborted(e *exam) error {
	if err := weakest(e); err != nil {
		return err
	}
	c := boards.Thoughtful
	if err := e.setPosition(c.Pos); err != nil {
		return err
	}
	if err := e.checkFreeChoice(c, byAI); err != nil {
		return err
	}
	if err := e.setUpLongThink(&longThink{level: e.longThink.level, pos: c.Pos}); err != nil {
		return err
	}
	if err := e.wantOK(list("BAN", c.Best)...); err != nil {
		return err
	}
	if err := e.startThinkingHere(); err != nil {
		return err
	}
	if err := e.Send("ABORT"); err != nil {
		return err
	}
	if err := e.wantAborted("ABORT"); err != nil {
		return err
	}
	if err := weakest(e); err != nil {
		return err
	}
	got, err := byAI(e, c.Pos)
	if err == nil && got[0] != c.Best {
		err = check.Faultf(c.Best+", since the ban was for the AI that was aborted", "%s", quoted(got))
	}
	return err
}

// banRoot checks that a ban of a move of the other side changes nothing, in a position where one of
// two moves wins a piece and is mated by that move.
func banRoot(e *exam) error {
	c, mate := boards.Poisoned, boards.PoisonedMate
	for _, ban := range []bool{false, false, true} {
		if err := e.setPosition(c.Pos); err != nil {
			return err
		}
		if ban {
			if err := e.wantOK(list("BAN", mate)...); err != nil {
				return err
			}
		}
		got, err := byAI(e, c.Pos)
		switch {
		case err != nil:
			return err
		case got[0] == c.Best:
		case ban:
			return check.Faultf(c.Best+" with "+mate+" banned, as without: after "+c.Other+" that move of the other side mates", "%s", quoted(got))
		default:
			return check.NotApplicablef("at its weakest level it overlooks the other side's mate, so nobody can tell what it would play")
		}
	}
	return nil
}

// banList checks that a ban of several moves, not all legal, is answered once.
func banList(e *exam) error {
	c := boards.Choices[0]
	if err := e.wantOK(list("BAN", "A0-A9", c.Best, "B2-B3")...); err != nil {
		return err
	}
	if err := e.checkSilence("the answer to BAN"); err != nil {
		return err
	}
	got, err := byAI(e, c.Pos)
	if err == nil && got[0] != c.Other {
		err = check.Faultf(c.Other+", since "+c.Best+" is banned", "%s", quoted(got))
	}
	return err
}

// banAll checks that the answer is ERROR if every legal move is banned.
func banAll(e *exam) error {
	if err := e.wantOK(list("BAN", boards.LegalMoves(boards.OnlyHorse))...); err != nil {
		return err
	}
	answer, err := e.singleAnswer("AI")
	if err != nil {
		return err
	}
	return isAnswer("ERROR", answer, "AI with every move banned")
}

// checkBanReplaced checks that a second BAN replaces the first.
func (e *exam) checkBanReplaced(second []string, want func(boards.Choice) string) error {
	c := boards.Choices[0]
	if err := e.checkFreeChoice(c, byAI); err != nil {
		return err
	}
	if err := e.setPosition(c.Pos); err != nil {
		return err
	}
	if err := e.wantOK(list("BAN", c.Best)...); err != nil {
		return err
	}
	if err := e.wantOK(second...); err != nil {
		return err
	}
	got, err := byAI(e, c.Pos)
	if err == nil && got[0] != want(c) {
		err = check.Faultf(want(c), "%s", quoted(got))
	}
	return err
}

func banReplaced(e *exam) error {
	return e.checkBanReplaced(list("BAN", boards.Choices[0].Other), func(c boards.Choice) string { return c.Best })
}

func banZero(e *exam) error {
	return e.checkBanReplaced(list("BAN"), func(c boards.Choice) string { return c.Best })
}

func banCount(e *exam) error { return e.refusesCounts("BAN") }
