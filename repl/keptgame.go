package repl

import (
	"slices"

	"qhsh/engine"
	"qhsh/engine/record"
)

// The shell keeps each game that .load has read, or that .next and the commands beside it have
// worked on, with its tags, comments and variations. A board belongs to a kept game if its moves
// start from that game's start position, the object: moves and UNDO keep it, on every engine that is
// synced to the board, while another FEN creates a new one. Children of a node are different moves,
// so the moves on the board determine where it stands.
//
// A move that was played on the board becomes a part of its game when a command needs it there: one
// that steps, that writes, or that saves. Until then UNDO takes it back without a trace.

const loadedHelp = `The game is that of .load, with its tags, comments and variations, and what .comment, .glyph,
.promote and .delete have changed; without .load it is that of the board. Moves that you have
played are added as a variation, or at the end; those that you have taken back by .undo are
not, but .prev keeps them. Another FEN or .load ends this.
`

// keepLoaded keeps a loaded game. It gives the game a start position object of its own, and merges
// moves that a file repeats.
func (s *Shell) keepLoaded(g *record.Game) (err error) {
	if g.Start, err = copyOf(g.Start); err != nil {
		return err
	}
	g.MergeRepeated()
	s.keep(g)
	return nil
}

// copyOf returns another object with the position of start, without its history.
func copyOf(start engine.Position) (engine.Position, error) {
	return start.Game().Position(start.String())
}

// inNewGame returns pos with a start position object of its own, so that it belongs to no kept game.
func inNewGame(pos engine.Position) (engine.Position, error) {
	start, moves := pos.History()
	pos, err := copyOf(start)
	for i := 0; i < len(moves) && err == nil; i++ {
		pos, err = pos.Play(moves[i])
	}
	return pos, err
}

// keep stores a game and drops those that no board belongs to any more.
func (s *Shell) keep(g *record.Game) {
	s.kept = slices.DeleteFunc(s.kept, func(old *record.Game) bool {
		return !slices.ContainsFunc(s.engines, func(e *attached) bool { return startOf(e.session.Position()) == old.Start })
	})
	s.kept = append(s.kept, g)
	lost := func(g *record.Game) bool { return !slices.Contains(s.kept, g) }
	s.unsaved = slices.DeleteFunc(s.unsaved, lost)
	s.changes = slices.DeleteFunc(s.changes, func(c change) bool { return lost(c.game) })
}

// keptGame returns the kept game that a position belongs to; nil if there is none.
func (s *Shell) keptGame(pos engine.Position) *record.Game {
	start := startOf(pos)
	if i := slices.IndexFunc(s.kept, func(g *record.Game) bool { return g.Start == start }); i >= 0 {
		return s.kept[i]
	}
	return nil
}

// startOf returns the position from which the moves of pos start.
func startOf(pos engine.Position) engine.Position {
	start, _ := pos.History()
	return start
}

// gameOf returns the game that a position belongs to: a copy of the kept game with the moves that
// lead to the position, or a game of these moves alone.
func (s *Shell) gameOf(pos engine.Position) *record.Game {
	played := record.FromPosition(pos)
	kept := s.keptGame(pos)
	if kept == nil {
		return played
	}
	g := kept.Clone()
	n := g.Root
	for _, m := range played.MainLine() {
		n = n.Add(m)
	}
	if len(n.Next) == 0 && g.Plies() == played.Plies() && g.Result == engine.Ongoing {
		g.Result = played.Result
	}
	return g
}
