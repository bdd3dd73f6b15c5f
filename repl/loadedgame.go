package repl

import (
	"slices"

	"qhsh/engine"
	"qhsh/engine/record"
)

// A game that .load has read stays beside the boards, with its tags, comments and variations,
// for .save and .annotate. A board stands in it as long as its moves go back to the very
// position object that .load has started it with: moves and UNDO keep that, on every engine
// that has been brought to the board, and another FEN has one of its own.

const loadedHelp = `As long as the board stands in a game that .load has read, it is that game, with all its
moves, tags, comments and variations. Moves that have been played on are a variation, or
go on with the main line at its end; what was taken back again is not in it. Another FEN
or .load ends it.
`

// keep keeps a game, and forgets those in which no board stands any more. The game's start
// becomes an object of its own.
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

// startOf is where the moves of a board begin.
func startOf(pos engine.Position) engine.Position {
	start, _ := pos.History()
	return start
}

// gameOf is the game that a position belongs to: the loaded one, in a copy with the moves
// that lead to the position, or those moves alone.
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
