package serve

import (
	"maps"
	"net/http"
	"slices"
	"strconv"
	"time"

	"qhsh/engine"
	"qhsh/engine/record"
	"qhsh/pluginclient/task/annotate"
	"qhsh/pluginclient/task/exercise"
)

// maxMemories is how many positions are kept: those that were tried last.
const maxMemories = 50_000

// A task is a position in which a move is to be found.
type task struct {
	Game   int        `json:"game"`
	Path   []int      `json:"path"`
	Lines  [][]string `json:"lines"` // that solve it: moves of both sides
	Solved int        `json:"solved,omitempty"`
	Failed int        `json:"failed,omitempty"`

	pos    engine.Position
	next   []*record.Node // of the first moves of Lines
	memory exercise.Memory
}

// listExercises answers with the exercises of a file, or those of a game: the positions before its mistakes.
func (s *Server) listExercises(r *http.Request) (any, error) {
	q := r.URL.Query()
	s.mu.Lock()
	defer s.mu.Unlock()
	f, e, err := s.named(q)
	if err != nil {
		return nil, err
	}
	all := []task{}
	if q.Has("game") {
		side := q.Get("side") // empty: both
		for _, m := range exercise.Mistakes(e.game, func(of engine.Turn) bool { return side == "" || side == strconv.Itoa(int(of)) }) {
			all = append(all, task{Game: e.number, Path: make([]int, m.Ply-1), pos: m.Before, next: []*record.Node{m.Better}})
		}
	} else {
		for _, e := range f.games {
			if e.isPuzzle {
				all = append(all, task{Game: e.number, Path: []int{}, pos: e.game.Start, next: exercise.GoodMoves(e.game.Root)})
			}
		}
	}
	for i := range all {
		all[i].memory = s.memories[exercise.Key(s.Games, all[i].pos)]
	}
	slices.SortStableFunc(all, func(a, b task) int { return a.memory.Compare(b.memory) })
	total := len(all)
	all = all[:min(len(all), maxRows)]
	for i := range all {
		x := &all[i]
		x.Solved, x.Failed = x.memory.Solved, x.memory.Failed
		for _, n := range x.next {
			line, pos := []string{}, x.pos
			for pos.Turn() != engine.Chance {
				line = append(line, pos.Format(n.Move))
				if pos, err = pos.Play(n.Move); err != nil {
					return nil, err
				}
				if len(n.Next) == 0 || q.Has("game") {
					break
				}
				n = n.Next[0]
			}
			x.Lines = append(x.Lines, line)
		}
	}
	return map[string]any{"exercises": all, "total": total, "loss": annotate.DefaultThresholds().Inaccuracy}, nil
}

// isPuzzle reports whether a game begins elsewhere than games do, and has a move that is not marked as bad.
func isPuzzle(g *record.Game) bool {
	pos := g.Start
	return len(exercise.GoodMoves(g.Root)) > 0 && pos.Turn() != engine.Chance && pos.Key() != pos.Game().Start().Key()
}

// train keeps whether a position was solved.
func (s *Server) train(r *http.Request) (any, error) {
	p, pos, err := s.placeOf(r)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	key := exercise.Key(s.Games, pos)
	m := s.memories[key].Try(p.Solved, time.Now())
	if len(s.memories) >= maxMemories {
		for _, oldest := range slices.SortedFunc(maps.Keys(s.memories), func(a, b string) int { return s.memories[a].Last.Compare(s.memories[b].Last) })[:maxMemories/10] {
			delete(s.memories, oldest)
		}
	}
	s.memories[key], s.unkept["training.json"] = m, true
	return map[string]int{"solved": m.Solved, "failed": m.Failed}, nil
}
