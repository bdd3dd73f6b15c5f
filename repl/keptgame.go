package repl

import (
	"errors"
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

// A keptGame is a game that the shell keeps, with what has been written in it.
type keptGame struct {
	*record.Game
	unsaved bool     // changed since it was loaded or saved
	changes []change // what .revert takes back, the last one last
}

// A change is a game as it was before a command wrote in it.
type change struct {
	before *record.Game    // a copy
	board  engine.Position // where the command was given
}

// maxChanges is how many changes of a game are kept: one with a thousand comments is copied for each.
const maxChanges = 50

// write changes the game at the place, so that .revert can take it back.
func (c *call) write(do func()) {
	g := c.game
	if len(g.changes) == maxChanges {
		g.changes = slices.Delete(g.changes, 0, 1)
	}
	g.changes = append(g.changes, change{g.Clone(), c.at.pos()})
	do()
	g.unsaved = true
}

// keptGames are the games that boards may belong to. They guard what a person has written in them: a
// line that would lose it has to be repeated at once.
type keptGames struct {
	all     []*keptGame
	line    string // that the person has entered
	refused string // the line before it, if it ended with errUnsaved
	insists bool   // line repeats a refused one
}

// errUnsaved is the error of a line that would lose what is written.
var errUnsaved = errors.New("what you have written in the game is not saved: .save it, or do this again")

// entered records the line that a person has entered, and whether it repeats one that errUnsaved has refused.
func (k *keptGames) entered(line string) {
	k.line, k.insists, k.refused = line, line == k.refused, ""
}

// of returns the game that a position belongs to; nil if there is none.
func (k *keptGames) of(pos engine.Position) *keptGame {
	start := startOf(pos)
	if i := slices.IndexFunc(k.all, func(g *keptGame) bool { return g.Start == start }); i >= 0 {
		return k.all[i]
	}
	return nil
}

// keep stores a game and drops those that no board belongs to any more.
func (s *Shell) keep(g *record.Game) *keptGame {
	s.kept.all = slices.DeleteFunc(s.kept.all, func(old *keptGame) bool {
		return !slices.ContainsFunc(s.engines, func(e *attached) bool { return startOf(e.session.Position()) == old.Start })
	})
	kept := &keptGame{Game: g}
	s.kept.all = append(s.kept.all, kept)
	return kept
}

// warnUnsaved returns errUnsaved if an unsaved game is on no other boards than those of the given
// engines, which are about to get another game or to end, unless the person insists.
func (s *Shell) warnUnsaved(leaving ...*attached) error {
	if s.kept.insists || !s.host.Interactive || s.script.running {
		return nil
	}
	for _, g := range s.kept.all {
		has := func(e *attached) bool { return s.kept.of(e.session.Position()) == g }
		stays := func(e *attached) bool { return has(e) && !slices.Contains(leaving, e) }
		if g.unsaved && slices.ContainsFunc(leaving, has) && !slices.ContainsFunc(s.engines, stays) {
			s.kept.refused = s.kept.line
			return errUnsaved
		}
	}
	return nil
}

// inNewGame returns pos with a start position object of its own, so that it belongs to no kept game.
func inNewGame(pos engine.Position) (engine.Position, error) {
	start, moves := pos.History()
	start, err := engine.WithoutHistory(start)
	if err != nil {
		return nil, err
	}
	return engine.PlayMoves(start, moves)
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
	kept := s.kept.of(pos)
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
