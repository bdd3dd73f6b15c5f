package repl

import (
	"slices"

	"qhsh/engine"
	"qhsh/engine/record"
)

// The shell keeps each game that .load has read, with its tags, comments and variations, for .save
// and .annotate. A board belongs to a loaded game if its moves start from the position object that
// .load has created: moves and UNDO keep that object, on every engine that is synced to the board,
// while another FEN creates a new one.

const loadedHelp = `While the board belongs to a game that .load has read, the command uses that game, with its
tags, comments and variations. Moves that you have played are added as a variation, or at the
end of the main line; moves that you have taken back are not. Another FEN or .load ends this.
`

// keepLoaded stores a loaded game and drops those that no board belongs to any more. It gives the
// game a start position object of its own.
func (s *Shell) keepLoaded(g *record.Game) error {
	start, err := g.Start.Game().Position(g.Start.String())
	if err != nil {
		return err
	}
	g.Start = start
	s.loaded = slices.DeleteFunc(s.loaded, func(old *record.Game) bool {
		return !slices.ContainsFunc(s.engines, func(e *attached) bool { return startOf(e.session.Position()) == old.Start })
	})
	s.loaded = append(s.loaded, g)
	return nil
}

// startOf returns the position from which the moves of pos start.
func startOf(pos engine.Position) engine.Position {
	start, _ := pos.History()
	return start
}

// gameOf returns the game that a position belongs to: a copy of the loaded game with the moves
// that lead to the position, or a game of these moves alone.
func (s *Shell) gameOf(pos engine.Position) *record.Game {
	played := record.FromPosition(pos)
	i := slices.IndexFunc(s.loaded, func(g *record.Game) bool { return g.Start == played.Start })
	if i < 0 {
		return played
	}
	g := s.loaded[i].Clone()
	n := g.Root
	for _, m := range played.MainLine() {
		n = n.Add(m)
	}
	if len(n.Next) == 0 && g.Plies() == played.Plies() && g.Result == engine.Ongoing {
		g.Result = played.Result
	}
	return g
}
