// Package annotate has an engine judge every move of a game.
//
// [Game] asks a asker about the positions of the main line, each by itself, so that the
// work can be shared out, and compares: what a move is worth is what the position after
// it is worth, seen from the other side; what it should have been worth is what the
// position before it is.
//
// # Winning chances
//
// A hundredth of a pawn matters while a game is open, and not at all when it is decided.
// So a move is judged by the chance of winning that it gives away. A score of c
// hundredths of a pawn is a chance of 1/(1+exp(-c/450)), 450 being the number that the
// embedded engine's scores were fitted to results of games with; a forced mate is 1 or 0.
// Draws count half, so the chance is that of a point.
//
//	best        the engine's own choice
//	good        less than 5 % is lost
//	inaccuracy  5 % or more, as from equality to -0.90
//	mistake     10 % or more, as from equality to -1.82
//	blunder     20 % or more, as from equality to -3.81
//
// Both numbers are options. A move that is not the engine's choice but turns out no worse,
// looked at a ply deeper, loses nothing.
//
// # What comes of it
//
// An [Annotated] game is written as a record whose moves have comments, glyphs and the
// engine's better lines as variations ([Annotated.Record]), as a line of JSON
// ([Annotated.JSON]), or as one page to step through ([Annotated.HTML]).
//
// Rooms: this file asks; judge.go judges; record.go, json.go and html.go write, words.go
// has the words that differ from language to language; page.html, page.css and page.js are
// the page.
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
)

// Options say how a game is judged. The zero value will do.
type Options struct {
	Games games.Table // knows the game's words, notations and boards
	// Thresholds are the chances, from 0 to 1, that make a move an inaccuracy, a mistake and
	// a blunder; zero: DefaultThresholds.
	Thresholds Thresholds
	// Scale is the score in centipawns that is a chance of winning of 73 %; 0: engine.DefaultScale.
	Scale float64
	// Progress, if not nil, is called after every position.
	Progress func(batch.Tally)
}

// withDefaults fills in what is not set.
func (o Options) withDefaults() Options {
	if o.Thresholds == (Thresholds{}) {
		o.Thresholds = DefaultThresholds()
	}
	if o.Scale <= 0 {
		o.Scale = engine.DefaultScale
	}
	return o
}

// An Annotated game is a game and what an engine says of its main line.
type Annotated struct {
	Game    *record.Game // as it was
	Engine  string       // name of the engine
	Limits  batch.Limits // of each search
	Options Options      // with the defaults filled in
	// Plies are the positions of the main line and the moves that led to them. The first is
	// the start, which no move has led to.
	Plies []Ply
}

// A Ply is a position of the game, and the move that led to it.
type Ply struct {
	Pos  engine.Position
	Move engine.Move // not set at the start
	By   engine.Turn // the side that made it

	// What the engine says of the position.
	Score engine.Score  // for the side to move; may be unknown
	Line  []engine.Move // what it would play, and expects to follow; empty where the game is over
	Depth int           // plies; 0: not reported
	Nodes int64         // 0: not reported
	Over  engine.Result // how the game has ended here; nobody was asked then
	Err   error         // what the engine did instead of answering

	// What follows for the move.
	Class Class
	Loss  float64 // of the chance of winning, from 0 to 1; 0 where Class is Unjudged or Best
}

// moverScore returns the score moverScore the move for the side that made it.
func (p *Ply) moverScore() engine.Score { return p.scoreOf(p.By) }

// firstScore returns the score for the side that moves firstScore in the game.
func (p *Ply) firstScore() engine.Score { return p.scoreOf(engine.First) }

func (p *Ply) scoreOf(side engine.Turn) engine.Score {
	if p.Pos.Turn() == side {
		return p.Score
	}
	return p.Score.Neg()
}

// Failed returns how many positions the engine has given no answer for.
func (a *Annotated) Failed() int {
	n := 0
	for i := range a.Plies {
		if a.Plies[i].Err != nil {
			n++
		}
	}
	return n
}

// ErrNoScores is the error of an engine that proposes moves and never says what they are
// worth.
var ErrNoScores = errors.New("it gives no scores, so moves cannot be judged")

// errNoScore is that of a single position.
var errNoScore = errors.New("it gives no score")

// Game asks the asker about every position of the main line and judges the moves. An engine
// that fails at a position costs the judgement of the moves on both sides of it. The error
// is that of the asker, that has no engine left, or the cause of the context's end; or it
// wraps ErrNoScores.
func Game(ctx context.Context, asker batch.Asker, g *record.Game, o Options) (*Annotated, error) {
	identity := asker.Identity()
	a := &Annotated{Game: g, Engine: identity.Engine, Limits: identity.Limits, Options: o.withDefaults()}
	by := engine.Chance // of the start nobody
	for n, pos := range g.Positions(false) {
		a.Plies = append(a.Plies, Ply{Pos: pos, Move: n.Move, By: by})
		by = pos.Turn()
	}
	a.setResult()
	q := &positions{plies: a.Plies}
	if _, err := batch.Run(ctx, q, q, asker, batch.Options{NoDedup: true, OnProgress: o.Progress}); err != nil {
		return nil, err
	}
	if a.hasNoScores() {
		return nil, fmt.Errorf("%s: %w", a.Engine, ErrNoScores)
	}
	a.judge()
	return a, nil
}

// hasNoScores reports whether the engine has answered and given no score at any position.
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

// setResult notes how the game has ended by the rules, if it has.
func (a *Annotated) setResult() {
	last := &a.Plies[len(a.Plies)-1]
	last.Over = engine.Adjudicate(last.Pos)
	switch last.Over.Outcome {
	case engine.Ongoing:
	case engine.Draw:
		last.Score = engine.Centipawns(0)
	case engine.Win(last.Pos.Turn()):
		last.Score = engine.MateIn(0).Neg()
	default:
		last.Score = engine.MateIn(0)
	}
}

// needsEngine reports whether an engine is asked about the position: not where nobody chooses a move.
func (p *Ply) needsEngine() bool { return !p.Over.Over() && p.Pos.Turn() != engine.Chance }

// positions are the positions that the asker is asked about, and take its answers. Both come
// in the order of the game.
type positions struct {
	plies          []Ply
	next, answered int
}

// Next returns the next position that an engine is asked about.
func (q *positions) Next() (batch.Item, error) {
	for q.next < len(q.plies) {
		q.next++
		if p := &q.plies[q.next-1]; p.needsEngine() {
			return batch.Item{Line: q.next, Pos: p.Pos}, nil
		}
	}
	return batch.Item{}, io.EOF
}

// Write takes an answer.
func (q *positions) Write(answer batch.Answer) error {
	for !q.plies[q.answered].needsEngine() {
		q.answered++
	}
	p := &q.plies[q.answered]
	q.answered++
	if answer.Err != nil || len(answer.Hints) == 0 {
		p.Err = answer.Err
		return nil
	}
	hint := answer.Hints[0]
	if !hint.Score.Known() {
		p.Err = fmt.Errorf("%s: %w", answer.Engine, errNoScore)
	}
	p.Score, p.Depth, p.Nodes = hint.Score, hint.Depth, hint.Nodes
	p.Line = legalPrefix(p.Pos, hint.PV)
	if len(p.Line) == 0 {
		p.Score, p.Err = engine.Score{}, fmt.Errorf("%s proposes %q, which is no legal move", answer.Engine, hint.Move)
	}
	return nil
}

// legalPrefix returns the moves of a line as far as they can be played. Not every asker has looked.
func legalPrefix(pos engine.Position, texts []string) (line []engine.Move) {
	for _, text := range texts {
		m, err := pos.Parse(text)
		if err != nil {
			break
		}
		if pos, err = pos.Play(m); err != nil {
			break
		}
		line = append(line, m)
	}
	return line
}
