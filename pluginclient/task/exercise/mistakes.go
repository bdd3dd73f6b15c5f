package exercise

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"qhsh/engine"
	"qhsh/engine/record"
	"qhsh/pluginclient/task/annotate"
	"qhsh/pluginclient/task/batch"
	"qhsh/pluginclient/task/batch/input"
	"qhsh/pluginclient/task/page"
)

// A Mistake is a move that a record marks as bad, and a better one.
type Mistake struct {
	Ply    int             // of the move, from 1
	Before engine.Position // the move
	Better *record.Node
}

// Mistakes returns the bad moves of the sides for which isOf is true, as far as the record has a better move: that of
// an engine, or else the first one.
func Mistakes(g *record.Game, isOf func(engine.Turn) bool) (all []Mistake) {
	ply := 0
	for n, pos := range g.Positions(false) {
		ply++
		if len(n.Next) > 0 && isBad(n.Next[0]) && pos.Turn() != engine.Chance && isOf(pos.Turn()) {
			better := GoodMoves(n)
			i := max(slices.IndexFunc(better, func(n *record.Node) bool { return annotate.IsBetterLine(n.Comment) }), 0)
			if len(better) > 0 {
				all = append(all, Mistake{ply, pos, better[i]})
			}
		}
	}
	return all
}

func isBad(n *record.Node) bool {
	return slices.ContainsFunc(n.Glyphs, func(glyph uint8) bool { return glyph == 2 || glyph == 4 || glyph == 6 }) // ?, ?? and ?!
}

// GoodMoves returns the moves after a node that are not marked as bad.
func GoodMoves(n *record.Node) []*record.Node {
	return slices.DeleteFunc(slices.Clone(n.Next), isBad)
}

// A Collector collects exercises from annotated games.
type Collector struct {
	Of       func(*record.Game, engine.Turn) bool // whether a side's mistakes are wanted
	Options  annotate.WriteOptions
	OnFailed func(id string, err error)

	common page.Game
	judged annotate.Options // of the games
	found  []*Exercise
	known  map[uint64]*Exercise // by position
}

// Add adds the mistakes of a game. A position in which there was one before counts once, with the worst of them.
func (c *Collector) Add(at annotate.GameID, a *annotate.Annotated) error {
	mistakes := slices.DeleteFunc(Mistakes(a.Record(c.Options.Language), func(side engine.Turn) bool { return c.Of(a.Game, side) }), func(m Mistake) bool {
		return a.Plies[m.Ply].Class < annotate.Mistake
	})
	if len(mistakes) == 0 {
		return nil
	}
	var plies []int
	for _, m := range mistakes {
		plies = append(plies, m.Ply)
	}
	common, excerpts, err := a.Excerpts(at, c.Options, plies)
	if err != nil {
		return err
	}
	if c.known == nil {
		c.common, c.judged, c.known = common, a.Options, map[uint64]*Exercise{}
	}
	for i, m := range mistakes {
		p := &a.Plies[m.Ply]
		e := &Exercise{
			ID: strings.TrimSpace(fmt.Sprintf("%s game %d ply %d", at.File, at.Number, m.Ply-1)), Right: [][]engine.Move{{m.Better.Move}},
			Played: append([]engine.Move{p.Move}, p.Line[:min(len(p.Line), maxLine)]...),
			said:   a.Sentences(m.Ply, c.Options.Language), source: describe(a.Options.Games, a.Game), loss: p.Loss, times: 1, excerpt: &excerpts[i],
		}
		if e.Start, e.Path, e.Pos, err = lastMove(m.Before); err != nil {
			return err
		}
		e.fields = append(batch.Fields{batch.NumberField("game", at.Number), batch.NumberField("ply", m.Ply-1)}, input.TagFields(c.Options.Records, a.Game)...)
		e.fields = append(e.fields, batch.TextField("played", m.Before.Format(p.Move)), batch.TextField("class", p.Class.String()), batch.Field{Name: "loss", Value: strconv.AppendFloat(nil, annotate.Round(p.Loss), 'f', -1, 64)})
		same := c.known[e.Pos.Key()]
		if same == nil {
			c.known[e.Pos.Key()], c.found = e, append(c.found, e)
			continue
		}
		if e.times += same.times; e.loss < same.loss {
			same.times, e = e.times, same
		}
		*same = *e
	}
	return nil
}

// Len returns the number of positions with mistakes.
func (c *Collector) Len() int { return len(c.found) }

// maxLine is how many moves of an engine's line are shown.
const maxLine = 12

// lastMove returns a position without its history, and the one before its last move, if it has one.
func lastMove(pos engine.Position) (before engine.Position, path []engine.Move, bare engine.Position, err error) {
	if bare, err = engine.WithoutHistory(pos); err != nil {
		return nil, nil, nil, err
	}
	before, last := pos.Undo()
	if before == nil {
		return bare, nil, bare, nil
	}
	before, err = engine.WithoutHistory(before)
	return before, []engine.Move{last}, bare, err
}

// Prove returns those of the mistakes at which one move alone is right, as an Only of package puzzle finds, the gravest first; up
// to limit, if that is not 0.
func (c *Collector) Prove(ctx context.Context, only batch.Asker, limit int, progress func(batch.Tally)) (*Set, error) {
	slices.SortStableFunc(c.found, func(a, b *Exercise) int { return cmp.Compare(b.loss, a.loss) })
	proof := &proof{Collector: c, limit: limit}
	_, err := batch.Run(ctx, proof, proof, only, batch.Options{NoDedup: true, OnProgress: progress})
	return &Set{Exercises: proof.proved, common: c.common, options: c.Options, games: c.judged.Games}, err
}

// proof is the Source of the positions that are searched, and the Sink of the answers.
type proof struct {
	*Collector
	limit  int
	next   int
	proved []*Exercise
}

// Next returns the next position.
func (p *proof) Next() (batch.Item, error) {
	if p.next == len(p.found) {
		return batch.Item{}, io.EOF
	}
	p.next++
	return batch.Item{Line: p.next, Pos: p.found[p.next-1].Pos}, nil
}

// Write takes the exercise of an answer that proves it.
func (p *proof) Write(answer batch.Answer) error {
	e := p.found[answer.Line-1]
	if answer.Err != nil {
		p.OnFailed(e.ID, answer.Err)
		return nil
	}
	if len(answer.Hints) < 2 || answer.Hints[0].Move != e.Pos.Format(e.Right[0][0]) {
		return nil
	}
	line, _, err := engine.ReadMoves(e.Pos, answer.Hints[0].PV)
	if err != nil {
		return err
	}
	e.Right[0] = line[:min(len(line), maxLine)]
	e.answered = batch.Answer{Engine: answer.Engine, Spec: answer.Spec, Limits: answer.Limits, Hints: answer.Hints}
	if e.times > 1 {
		e.fields = append(e.fields, batch.NumberField("times", e.times))
	}
	if p.proved = append(p.proved, e); len(p.proved) == p.limit {
		return batch.ErrEnough
	}
	return nil
}
