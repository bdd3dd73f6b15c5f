// Package annotate judges every move of a game with an engine.
//
// [Game] has the positions of the main line searched independently, so they can run in parallel.
// The score of a move is the score of the position after it, seen from the mover's side; it is
// compared with the score of the position before it.
//
// # Winning chances
//
// A centipawn matters in an equal game, but not in a decided one. So a move is judged by the loss
// of winning chance, a draw counting as half a win. [engine.Score.Chance] has the curve, which was
// fitted to the results of games by the embedded engine's scores; a forced mate is 1 or 0.
//
//	best        the engine's own choice
//	good        loss below 5 %
//	inaccuracy  5 % or more, as from equality to -0.84, unless 90 % are left, as at +7.40
//	mistake     10 % or more, as from equality to -1.67
//	blunder     20 % or more, as from equality to -3.30
//
// The thresholds and the scale are options. A move other than the engine's that scores no worse in
// the next search loses nothing.
//
// # Chance
//
// A move after which chance draws is judged by what is expected: the positions after all outcomes are
// searched, and their scores averaged by the odds ([engine.Expected]). So neither bad luck makes a
// right choice a mistake, nor good luck a wrong one right. An outcome itself has no class.
//
// # The second look
//
// Two searches of successive positions differ by chance, too: at 25,600 nodes each, half of the
// marks are gone at a million and a half. So a mark needs a second look ([Options.Deeper]): the
// positions before and after a suspicious move are searched again, deeper, and the move is judged by
// those. A new score makes the moves around it suspicious, too, and so a score that falls is followed
// back to the move that was to blame. See recheck.go.
//
// # Reasons
//
// A loss is a number. Why a move is bad, or that it was the only one, is said in words where the game's package can
// prove it by the rules ([games.Row].Reasons); elsewhere nothing is said.
//
// # Output
//
// An [Annotated] game is written as a record whose moves have comments, glyphs and the engine's
// better lines as variations ([Annotated.Record]), as a line of JSON ([Annotated.JSON]), or as an
// HTML page ([Annotated.HTML]).
package annotate

import (
	"context"
	"errors"
	"fmt"
	"io"

	"qhsh/engine"
	"qhsh/engine/games"
	"qhsh/engine/record"
	"qhsh/pluginclient/task/batch"
	"qhsh/pluginclient/task/explore"
)

// Options are the options of an annotation. The zero value has useful defaults.
type Options struct {
	Games games.Table // for the game's words, notations and boards
	// Thresholds are the losses that make a move an inaccuracy, a mistake and a blunder; zero:
	// DefaultThresholds.
	Thresholds Thresholds
	// Scale is the score in centipawns of a winning chance of 73 %; 0: engine.DefaultScale. It does not matter where
	// the engine tells the chances itself.
	Scale float64
	// Book has the moves that are not judged; nil: all are.
	Book *explore.Book
	// Deeper is who searches again the positions around a move that is about to be marked, so that no
	// move is marked by a quick search alone. If it is nil, or has the limits of the asker, moves are
	// marked by the first search.
	Deeper batch.Asker
	// Known is what is not for the engine to judge; nil: what the game's tables of endings in the program say.
	Known engine.Known
	// Progress, if not nil, is called after every position. The annotation so far must not be changed or kept.
	Progress func(so *Annotated, p Progress)
}

// DefaultDeeper is by how many levels the second look is deeper, unless the user says otherwise; see
// Deeper of package pluginclient.
const DefaultDeeper = 3

// MaxDeeper is the maximum number of such levels.
const MaxDeeper = 9

// A Progress is how far the annotation of a game has come.
type Progress struct {
	First  batch.Tally // the positions of the game
	Second batch.Tally // those searched again, deeper
	// Again is how many positions are to be searched again, as far as is known.
	Again int
}

// withDefaults returns o with defaults for zero fields.
func (o Options) withDefaults() Options {
	if o.Thresholds == (Thresholds{}) {
		o.Thresholds = DefaultThresholds()
	}
	if o.Scale <= 0 {
		o.Scale = engine.DefaultScale
	}
	if o.Progress == nil {
		o.Progress = func(*Annotated, Progress) {}
	}
	return o
}

// An Annotated is a game with an engine's analysis of its main line.
type Annotated struct {
	Game    *record.Game    // unchanged
	Engine  string          // name of the engine
	Limits  batch.Limits    // of each search
	Deeper  batch.Limits    // of each search of the second look; zero without one
	Options Options         // with defaults
	Opening explore.Opening // what the book of the options knows of the game; zero without one
	// Plies has the positions of the main line, each with the move before it. The first is the
	// start position and has no move.
	Plies []Ply
}

// A Ply is a position of the game with the move before it.
type Ply struct {
	Pos  engine.Position
	Move engine.Move // not set at the start
	By   engine.Turn // the side that made it
	Book bool        // the move stands in the book

	// The engine's analysis of the position.
	Score engine.Score  // for the side to move; where chance moves, what First may expect; may be unknown
	WDL   engine.WDL    // as Score; zero if the engine does not tell
	Line  []engine.Move // principal variation; empty if the game is over
	Depth int           // plies; 0: not reported
	Nodes int64         // 0: not reported
	Over  engine.Result // result, if the game is over; then there is no analysis
	Err   error         // why there is no analysis, or no deeper one

	outcomes []outcome // what chance may draw here
	searches int       // how often the position was given to an engine

	// The judgement of the move.
	Class Class
	Loss  float64 // of winning chance, from 0 to 1; 0 if Class is Unjudged or Best
	// Reasons are what is proved of the move, the gravest first, once the whole game has been judged.
	Reasons []games.Reason
}

// An outcome is one of chance with the position after it.
type outcome struct {
	odds float64
	ply  *Ply // of the game, if it was drawn there
}

// firstScore returns the score for First.
func (p *Ply) firstScore() engine.Score { return p.scoreOf(engine.First) }

func (p *Ply) scoreOf(side engine.Turn) engine.Score {
	if p.Pos.Turn().Perspective() == side.Perspective() {
		return p.Score
	}
	return p.Score.Neg()
}

// Failed returns the number of positions without analysis.
func (a *Annotated) Failed() int {
	n := 0
	for i := range a.Plies {
		if a.Plies[i].Err != nil {
			n++
		}
	}
	return n
}

// ErrNoScores is the error of an engine that returns moves without scores.
var ErrNoScores = errors.New("the engine returns no scores, so moves cannot be judged")

// errNoScore is the error of a single position.
var errNoScore = errors.New("no score")

// Game searches every position of the main line with asker and judges the moves. If the engine
// fails at a position, the moves before and after it are not judged; if it fails at the second look,
// they are judged by the first. The error is that of an asker, if it has no engine left, the cause
// of ctx, or wraps ErrNoScores or an [engine.OtherGameError].
func Game(ctx context.Context, asker batch.Asker, g *record.Game, o Options) (*Annotated, error) {
	identity := asker.Identity()
	if o.Known == nil {
		o.Known = o.Games.Known(g.Start.Game())
	}
	a := &Annotated{Game: g, Engine: identity.Engine, Limits: identity.Limits, Options: o.withDefaults()}
	if o.Book != nil {
		var err error
		if a.Opening, err = o.Book.Opening(ctx, g); err != nil {
			return nil, fmt.Errorf("book: %w", err)
		}
	}
	by := engine.Chance // the start has no mover
	for n, pos := range g.Positions(false) {
		p := Ply{Pos: pos, Move: n.Move, By: by}
		p.Book = 0 < len(a.Plies) && len(a.Plies) <= a.Opening.Plies
		a.Plies, by = append(a.Plies, p), pos.Turn()
	}
	a.Plies[len(a.Plies)-1].setResult()
	var searched []*Ply
	for i := range a.Plies {
		var drawn *Ply
		if i+1 < len(a.Plies) {
			drawn = &a.Plies[i+1]
		}
		a.Plies[i].addOutcomes(drawn)
		searched = append(searched, a.Plies[i].unsearched(1)...)
	}
	var done Progress
	if err := a.search(ctx, asker, searched, func(t batch.Tally) { done.First = t; a.progress(done) }); err != nil {
		return nil, err
	}
	if a.hasNoScores() {
		return nil, fmt.Errorf("%s: %w", a.Engine, ErrNoScores)
	}
	a.judge()
	if err := a.recheck(ctx, done); err != nil {
		return nil, err
	}
	a.prove()
	return a, nil
}

// prove sets the Reasons of every move, if the game has any.
func (a *Annotated) prove() {
	reasons := a.Options.Games.Row(a.Game.Start.Game()).Reasons
	for i := range a.Plies[1:] {
		before, p := &a.Plies[i], &a.Plies[i+1]
		if reasons == nil || p.Class == Unjudged {
			continue
		}
		p.Reasons = reasons(games.Judged{
			Before: before.Pos, Move: p.Move, Bad: p.Class.isBad(),
			Best: engine.Line{Moves: before.Line, Score: before.Score}, Reply: engine.Line{Moves: p.Line, Score: p.Score}, Known: a.Options.Known,
		})
	}
}

// progress judges the moves by what is known so far, and tells how far the annotation has come.
func (a *Annotated) progress(done Progress) {
	a.judge()
	a.Options.Progress(a, done)
}

// hasNoScores reports whether the engine has answered, but without any score.
func (a *Annotated) hasNoScores() bool {
	answered := false
	for i := range a.Plies {
		p := &a.Plies[i]
		if p.Err == nil && p.needsEngine() {
			return false
		}
		answered = answered || errors.Is(p.Err, errNoScore)
	}
	return answered
}

// setResult sets the result by the rules, if the game is over.
func (p *Ply) setResult() {
	if p.Over = engine.Adjudicate(p.Pos); p.Over.Over() {
		p.Score = p.Over.Score(p.Pos.Turn().Perspective())
	}
}

// addOutcomes adds what chance may draw, as far as both sides know. drawn is the ply after what it has
// drawn; nil if the game does not say.
func (p *Ply) addOutcomes(drawn *Ply) {
	if p.Pos.Turn() != engine.Chance || p.Over.Over() {
		return
	}
	view := engine.View(p.Pos)
	for m, odds := range engine.Outcomes(view) {
		after := drawn
		if drawn == nil || drawn.Move != m {
			next, err := view.Play(m)
			if err != nil {
				continue // cannot happen: outcomes are legal
			}
			after = &Ply{Pos: next}
			after.setResult()
			after.addOutcomes(nil)
		}
		p.outcomes = append(p.outcomes, outcome{odds, after})
	}
}

// expect sets the score of a position where chance moves.
func (p *Ply) expect() {
	if len(p.outcomes) == 0 {
		return
	}
	p.Err = nil
	for _, o := range p.outcomes {
		if o.ply.expect(); o.ply.Err != nil {
			p.Err = o.ply.Err
		}
	}
	p.Score = engine.Expected(func(yield func(float64, engine.Score) bool) {
		for _, o := range p.outcomes {
			if !yield(o.odds, o.ply.firstScore()) {
				return
			}
		}
	})
}

// unsearched returns the positions on which the score of a ply depends, the ply itself or the outcomes
// of chance, but for those that have been searched so many times, and counts a search of them.
func (p *Ply) unsearched(times int) (plies []*Ply) {
	for _, o := range p.outcomes {
		plies = append(plies, o.ply.unsearched(times)...)
	}
	if p.needsEngine() && p.searches < times {
		p.searches = times
		plies = append(plies, p)
	}
	return plies
}

// needsEngine reports whether the position is searched: the game is not over and it is not chance's
// turn.
func (p *Ply) needsEngine() bool { return !p.Over.Over() && p.Pos.Turn() != engine.Chance }

// A corrected Asker knows some positions.
type corrected struct {
	batch.Asker
	known engine.Known
}

func (c corrected) Ask(ctx context.Context, pos engine.Position) (batch.Reply, error) {
	return batch.Correct(c.known, pos, nil, c.Identity(), func() (batch.Reply, error) { return c.Asker.Ask(ctx, pos) })
}

// search has the positions of plies searched.
func (a *Annotated) search(ctx context.Context, asker batch.Asker, plies []*Ply, progress func(batch.Tally)) error {
	q := &positions{plies: plies}
	_, err := batch.Run(ctx, q, q, corrected{asker, a.Options.Known}, batch.Options{NoDedup: true, OnProgress: progress})
	return err
}

// positions is the Source of the positions to search and the Sink of their answers. Both are in
// game order.
type positions struct {
	plies []*Ply
	next  int
}

// Next returns the next position to search.
func (q *positions) Next() (batch.Item, error) {
	if q.next == len(q.plies) {
		return batch.Item{}, io.EOF
	}
	q.next++
	return batch.Item{Line: q.next, Pos: q.plies[q.next-1].Pos}, nil
}

// Write stores an answer.
func (q *positions) Write(answer batch.Answer) error {
	p := q.plies[answer.Line-1]
	if errors.As(answer.Err, new(*engine.OtherGameError)) {
		return answer.Err // the engine will refuse the other positions, too
	}
	if answer.Err != nil || len(answer.Hints) == 0 {
		p.Err = answer.Err
		return nil
	}
	p.set(answer)
	return nil
}

// set sets the analysis of an answer, unless it has none and there is an earlier one.
func (p *Ply) set(answer batch.Answer) {
	hint := answer.Hints[0]
	line, _, _ := engine.ReadMoves(p.Pos, hint.PV) // up to the first illegal move: not every Asker checks them
	switch {
	case len(line) == 0:
		p.Err = fmt.Errorf("%s: illegal move %q", answer.Engine, hint.Move)
		return
	case !hint.Score.Known():
		p.Err = fmt.Errorf("%s: %w", answer.Engine, errNoScore)
		if p.Score.Known() {
			return
		}
	}
	p.Score, p.WDL, p.Depth, p.Nodes, p.Line = hint.Score, hint.WDL, hint.Depth, hint.Nodes, line
}
