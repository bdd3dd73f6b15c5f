package exercise

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"qhsh/engine"
	"qhsh/engine/games"
	"qhsh/engine/printable"
	"qhsh/engine/record"
	"qhsh/pluginclient/task/annotate"
	"qhsh/pluginclient/task/batch"
	"qhsh/pluginclient/task/page"
)

// A Repertoire is what games have for a side.
type Repertoire struct {
	Games games.Table
	Side  engine.Turn

	first  *record.Game
	places []*place // in the order in which they were met
	known  map[uint64]*place
}

// A place is a position of a repertoire.
type place struct {
	pos   engine.Position // with the moves that first led to it
	moves []branch
	at    int // among the places
}

// A branch is a move of a repertoire.
type branch struct {
	move    engine.Move
	weight  int // lines through it
	to      *place
	comment string
}

// find returns the place of a position; nil if there is none.
func (r *Repertoire) find(pos engine.Position) *place { return r.known[pos.Key()] }

// Add adds a game with its variations. What follows a bad move of the side is left out.
func (r *Repertoire) Add(g *record.Game) {
	if r.first == nil {
		r.first, r.known = g, map[uint64]*place{}
	}
	g.MergeRepeated()
	type step struct {
		node *record.Node
		at   *place
	}
	var all []step // in the order of their lines
	for pending := []step{{g.Root, r.place(g.Start)}}; len(pending) > 0; {
		s := pending[len(pending)-1]
		pending = pending[:len(pending)-1]
		all = append(all, s)
		for _, n := range slices.Backward(s.node.Next) {
			next, err := s.at.pos.Play(n.Move)
			if err == nil && !(s.at.pos.Turn() == r.Side && isBad(n)) {
				pending = append(pending, step{n, r.place(next)})
			}
		}
	}
	lines := map[*record.Node]int{}
	for _, s := range slices.Backward(all) {
		for _, n := range s.node.Next {
			lines[s.node] += lines[n] // 0 if it was left out
		}
		lines[s.node] = max(lines[s.node], 1)
	}
	for _, s := range all {
		for _, n := range s.node.Next {
			if lines[n] > 0 {
				s.at.add(n, lines[n], r)
			}
		}
	}
}

// place returns the place of a position, which is made if there is none.
func (r *Repertoire) place(pos engine.Position) *place {
	p := r.find(pos)
	if p == nil {
		p = &place{pos: pos, at: len(r.places)}
		r.places, r.known[pos.Key()] = append(r.places, p), p
	}
	return p
}

// add adds the move of a node.
func (p *place) add(n *record.Node, lines int, r *Repertoire) {
	i := slices.IndexFunc(p.moves, func(b branch) bool { return b.move == n.Move })
	if i < 0 {
		next, err := p.pos.Play(n.Move)
		if err != nil {
			return // another position with the same key
		}
		i = len(p.moves)
		p.moves = append(p.moves, branch{move: n.Move, to: r.place(next)})
	}
	b := &p.moves[i]
	b.weight += lines
	if comment := record.JoinLines(n.StartingComment, n.Comment); !strings.Contains(b.comment, comment) {
		b.comment = record.JoinLines(b.comment, comment)
	}
}

// line returns the branches from one on that most lines have, until a position comes again.
func (b branch) line() []branch {
	line, seen := []branch{b}, map[*place]bool{}
	for at := b.to; len(at.moves) > 0 && !seen[at] && len(line) < maxLine; at = line[len(line)-1].to {
		seen[at] = true
		line = append(line, slices.MaxFunc(at.moves, func(x, y branch) int { return cmp.Compare(x.weight, y.weight) }))
	}
	return line
}

// Exercises returns the positions in which the side moves, in the order of the games.
func (r *Repertoire) Exercises(o annotate.WriteOptions) (*Set, error) {
	s := &Set{options: o, games: r.Games, repertoire: r}
	if r.first == nil {
		return s, nil
	}
	var err error
	if s.common, err = page.NewGame(r.Games, r.first, o.Language.String(), o.Notation); err != nil {
		return nil, err
	}
	for _, p := range r.places {
		if p.pos.Turn() != r.Side || len(p.moves) == 0 {
			continue
		}
		e := &Exercise{place: p}
		e.Start, e.Path = p.pos.History()
		e.ID = strings.TrimSpace(fmt.Sprintf("ply %d %s", len(e.Path), strings.Join(engine.FormatMoves(e.Start, e.Path), " ")))
		if e.Pos, err = engine.WithoutHistory(p.pos); err != nil {
			return nil, err
		}
		lines := 0 // through the position
		for _, b := range p.moves {
			lines += b.weight
			var moves []engine.Move
			for _, next := range b.line() {
				moves = append(moves, next.move)
			}
			e.Right = append(e.Right, moves)
			if b.comment != "" {
				e.said = append(e.said, p.pos.Format(b.move)+": "+printable.Line(b.comment))
			}
		}
		e.fields = batch.Fields{batch.NumberField("ply", len(e.Path)), batch.NumberField("lines", lines)}
		s.Exercises = append(s.Exercises, e)
	}
	return s, nil
}
