package serve

import (
	"cmp"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"time"

	"qhsh/engine"
	"qhsh/engine/record"
	"qhsh/pluginclient/task/annotate"
	"qhsh/pluginclient/task/batch"
)

// A memory is what is kept of the tries at a position.
type memory struct {
	Solved int       `json:"solved,omitempty"`
	Failed int       `json:"failed,omitempty"`
	Missed bool      `json:"missed,omitempty"` // the last try has failed
	Step   int       `json:"step,omitempty"`   // of intervals: grows with each success, and falls with each failure
	Last   time.Time `json:"last"`             // the last try
}

// intervals are the days until a position that was solved is due again.
var intervals = [...]int{0, 1, 3, 7, 16, 35}

// maxMemories is how many positions are kept: those that were tried last.
const maxMemories = 50_000

// try returns the memory after one more try.
func (m memory) try(solved bool, now time.Time) memory {
	m.Last, m.Missed = now.UTC().Truncate(time.Second), !solved
	if solved {
		m.Solved++
		m.Step = min(m.Step+1, len(intervals)-1)
	} else {
		m.Failed++
		m.Step = max(m.Step-1, 0)
	}
	return m
}

// before compares memories in the order in which positions are repeated: those that were failed, those that are
// new, and those that were solved, by when they are due.
func (m memory) before(other memory) int {
	class := func(m memory) int {
		switch {
		case m.Missed:
			return 0
		case m.Solved == 0:
			return 1
		}
		return 2
	}
	due := func(m memory) time.Time {
		return m.Last.AddDate(0, 0, intervals[min(max(m.Step, 0), len(intervals)-1)])
	}
	return cmp.Or(cmp.Compare(class(m), class(other)), due(m).Compare(due(other)))
}

// memoryKey returns the key of what is kept of a position, which is the same in all files.
func (s *Server) memoryKey(pos engine.Position) string {
	text, _, _ := batch.CutCounters(pos.String())
	return s.gameKey(pos.Game()) + " " + text
}

// An exercise is a position in which a move is to be found.
type exercise struct {
	Game   int        `json:"game"`
	Path   []int      `json:"path"`
	Lines  [][]string `json:"lines"` // that solve it: moves of both sides
	Solved int        `json:"solved,omitempty"`
	Failed int        `json:"failed,omitempty"`

	pos    engine.Position
	next   []*record.Node // of the first moves of Lines
	memory memory
}

// listExercises answers with the exercises of a file, or those of a game: the positions before its mistakes.
func (s *Server) listExercises(r *http.Request) (any, error) {
	q := r.URL.Query()
	id, number, err := numbers(q)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	f, e, err := s.at(id, number)
	if err != nil {
		return nil, err
	}
	all := []exercise{}
	if q.Has("game") {
		all = mistakes(e.game, e.number, q.Get("side"))
	} else {
		for _, e := range f.games {
			if e.isPuzzle {
				all = append(all, exercise{Game: e.number, Path: []int{}, pos: e.game.Start, next: goodMoves(e.game.Root)})
			}
		}
	}
	for i := range all {
		all[i].memory = s.memories[s.memoryKey(all[i].pos)]
	}
	slices.SortStableFunc(all, func(a, b exercise) int { return a.memory.before(b.memory) })
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
	return len(goodMoves(g.Root)) > 0 && pos.Turn() != engine.Chance && pos.Key() != pos.Game().Start().Key()
}

func isBad(n *record.Node) bool {
	return slices.ContainsFunc(n.Glyphs, func(glyph uint8) bool { return glyph == 2 || glyph == 4 || glyph == 6 }) // ?, ?? and ?!
}

// goodMoves returns the moves after a node that are not marked as bad.
func goodMoves(n *record.Node) []*record.Node {
	return slices.DeleteFunc(slices.Clone(n.Next), isBad)
}

// mistakes returns the positions before the mistakes of a side, empty: of both, for which the game has a better
// move: that of an engine, or else the first one.
func mistakes(g *record.Game, number int, side string) (all []exercise) {
	all = []exercise{}
	path := []int{}
	for n, pos := range g.Positions(false) {
		turn := pos.Turn()
		if len(n.Next) > 0 && isBad(n.Next[0]) && turn != engine.Chance && (side == "" || side == strconv.Itoa(int(turn))) {
			better := goodMoves(n)
			i := max(slices.IndexFunc(better, func(n *record.Node) bool { return annotate.IsBetterLine(n.Comment) }), 0)
			if len(better) > 0 {
				all = append(all, exercise{Game: number, Path: slices.Clone(path), pos: pos, next: better[i : i+1]})
			}
		}
		path = append(path, 0)
	}
	return all
}

// train keeps whether a position was solved.
func (s *Server) train(r *http.Request) (any, error) {
	p, pos, err := s.placeOf(r)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	key := s.memoryKey(pos)
	m := s.memories[key].try(p.Solved, time.Now())
	if len(s.memories) >= maxMemories {
		for _, oldest := range slices.SortedFunc(maps.Keys(s.memories), func(a, b string) int { return s.memories[a].Last.Compare(s.memories[b].Last) })[:maxMemories/10] {
			delete(s.memories, oldest)
		}
	}
	s.memories[key], s.unkept["training.json"] = m, true
	return map[string]int{"solved": m.Solved, "failed": m.Failed}, nil
}
