package batch

import (
	"slices"

	"qhsh/engine"
)

// Correct returns an engine's reply for a position without the moves that are banned, with what is known in place of the
// engine's opinion: the best line to the end of a game that is won or lost, for which the engine is not asked; and a
// draw as such, by the engine's move if that draws. who identifies the engine.
func Correct(known engine.Known, pos engine.Position, ban []engine.Move, who Reply, ask func() (Reply, error)) (Reply, error) {
	e, ok := known.Of(pos)
	keeping := engine.Without(slices.Clone(e.Moves), ban)
	if ok && len(keeping) > 0 && e.Plies != nil {
		if hint, ok := knownHint(known, pos, keeping[0]); ok {
			who.Hints = []Hint{hint}
			return who, nil
		}
	}
	reply, err := ask()
	if !ok || err != nil || len(reply.Hints) == 0 {
		return reply, err
	}
	best := reply.Hints[0]
	move, err := pos.Parse(best.Move)
	if len(keeping) > 0 && (err != nil || !slices.Contains(keeping, move)) {
		move = keeping[0]
	}
	if hint, ok := knownHint(known, pos, move); ok {
		if hint.Move == best.Move {
			hint.Depth, hint.Nodes = best.Depth, best.Nodes
			if len(hint.PV) == 1 {
				hint.PV = best.PV
			}
		}
		reply.Hints = append([]Hint{hint}, reply.Hints[1:]...)
	}
	return reply, nil
}

// knownHint returns a move of a position with its score and the rest of a game that is won or lost, as far as they are
// known; ok is false if the score is not.
func knownHint(known engine.Known, pos engine.Position, m engine.Move) (hint Hint, ok bool) {
	hint = Hint{Move: pos.Format(m)}
	for first := true; m != engine.NoMove; first = false {
		hint.PV = append(hint.PV, pos.Format(m))
		next, err := pos.Play(m)
		if err != nil {
			return hint, false
		}
		e, certain := known.Of(next)
		if first {
			hint.Score, ok = e.ScoreBefore(), certain
		}
		pos, m = next, engine.NoMove
		if certain && e.Plies != nil && len(e.Moves) > 0 {
			m = e.Moves[0]
		}
	}
	return hint, ok
}
