package match

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"qhsh/engine"
	"qhsh/pluginclient"
	"qhsh/pluginclient/asking"
)

// errOverstepped is the cause of the end of a search that was not over in time.
var errOverstepped = errors.New("the time was overstepped")

// gamePlayer is an engine in a game.
type gamePlayer struct {
	Player
	session pluginclient.Session
	clock   runningClock
}

// liveGame is a game in progress.
type liveGame struct {
	config  *Config
	judge   Judge
	players [2]*gamePlayer
	pos     engine.Position
	seen    map[uint64]int
	over    engine.Result // by the rules and the Judge, where the game stands
	scores  scores
	source  *rand.PCG
	record  Record
}

// play plays a game to its end. The error is the cause of the context's end, or that of
// an engine that could not be started again, or wraps ErrTerms; there is no record then.
// Who is at fault, if anybody, is an index of the sides.
func (s *schedule) play(ctx context.Context, f fixture, sessions [2]pluginclient.Session) (r Record, atFault int, err error) {
	t := s.newGame(f, sessions)
	begun := time.Now()
	for {
		result, fault, err := t.step(ctx)
		switch {
		case err != nil:
			return Record{}, -1, err
		case !result.Over():
			continue
		}
		t.record.Result, t.record.Reason = resultOf(result.Outcome), result.Reason
		t.record.Seconds = secondsOf(time.Since(begun))
		if fault == nil {
			t.record.Dissent = t.dissenters(ctx)
			return t.record, -1, nil
		}
		side := t.pos.Turn()
		t.record.Fault = &Fault{Player: t.players[side].Name, Error: pluginclient.WithoutDuration(fault).Error()}
		return t.record, int(side), nil
	}
}

// dissenters returns the players whose engine is asked how the game has ended, and says otherwise.
// What has ended by the terms of the match, or by repetition, they know nothing of.
func (t *liveGame) dissenters(ctx context.Context) (names []string) {
	if !t.pos.Result().Over() {
		return nil
	}
	for _, s := range t.players {
		if w, ok := pluginclient.As[pluginclient.ResultChecker](s.session); ok && errors.Is(w.CheckResult(ctx, t.pos), pluginclient.ErrInvalidReply) {
			names = append(names, s.Name)
		}
	}
	return names
}

// newGame sets up a game and plays its opening.
func (s *schedule) newGame(f fixture, sessions [2]pluginclient.Session) *liveGame {
	t := &liveGame{
		config: s.config, judge: s.config.judge(), seen: map[uint64]int{}, scores: scores{config: s.config},
		source: rand.NewPCG(f.seed[0], f.seed[1]),
		record: Record{
			Game: f.number, Round: f.round, Pair: f.pair, Opening: f.opening,
			Date: time.Now().Format(time.DateOnly),
		},
	}
	for i, session := range sessions {
		p := s.config.Players[f.sides[i]]
		t.players[i] = &gamePlayer{Player: p, session: session, clock: p.Clock.start()}
	}
	t.record.First, t.record.Second = t.players[0].Name, t.players[1].Name
	start, moves := f.start.History()
	t.record.Start, t.record.Book = start.String(), len(moves)
	for _, m := range moves {
		t.seen[start.Key()]++
		if start.Turn() != engine.Chance {
			t.scores.plies++
		}
		t.record.Moves = append(t.record.Moves, Ply{Move: start.Format(m), By: start.Turn().String()})
		next, err := start.Play(m)
		if err != nil {
			break // a position's own history is legal
		}
		start = next
	}
	t.setPosition(f.start)
	return t
}

// setPosition sets the current position.
func (t *liveGame) setPosition(pos engine.Position) {
	t.pos = pos
	t.seen[pos.Key()]++
	t.over = resultOfPosition(t.judge, pos, t.seen[pos.Key()])
}

// step makes a move, or reports how the game has ended: fault is what the side to move did
// to lose it.
func (t *liveGame) step(ctx context.Context) (result engine.Result, fault, err error) {
	if t.over.Over() {
		return t.over, nil, nil
	}
	side := t.pos.Turn()
	if side == engine.Chance {
		m := draw(t.pos, t.source)
		return engine.Result{}, nil, t.move(Ply{Move: t.pos.Format(m), By: side.String()}, m)
	}
	line, took, fault, err := t.players[side].think(ctx, t)
	if err != nil {
		return engine.Result{}, nil, err
	}
	if fault != nil {
		return engine.Result{Outcome: engine.Win(side.Other()), Reason: nameOf(fault)}, fault, nil
	}
	t.scores.note(side, line.Score)
	if err := t.move(ply(t.pos, line, took), line.Move()); err != nil {
		return engine.Result{}, nil, err
	}
	if t.over.Over() { // the game's own end goes before that of the match's terms
		return t.over, nil, nil
	}
	result = t.scores.verdict(side)
	t.record.Early = result.Over()
	return result, nil, nil
}

// move makes a legal move.
func (t *liveGame) move(p Ply, m engine.Move) error {
	next, err := t.pos.Play(m)
	if err != nil {
		return err
	}
	t.setPosition(next)
	t.record.Moves = append(t.record.Moves, p)
	return nil
}

// think asks an engine for its move. A fault is the engine's; an error ends the match.
func (s *gamePlayer) think(ctx context.Context, t *liveGame) (line engine.Line, took time.Duration, fault, err error) {
	lim, most := s.limits()
	if s.Ban {
		lim.Ban = losingMoves(t.judge, t.pos, t.seen)
	}
	line, took, err = s.ask(ctx, t.pos, lim, most+t.config.Margin)
	if len(lim.Ban) > 0 && errors.Is(err, pluginclient.ErrRefused) && ctx.Err() == nil {
		lim.Ban = nil // it cannot be told what not to play, so it does what it does
		line, took, err = s.ask(ctx, t.pos, lim, most+t.config.Margin)
	}
	switch {
	case ctx.Err() != nil:
		return line, took, nil, context.Cause(ctx)
	case err == nil && lim.Time > 0 && took > most+t.config.Margin:
		err = fmt.Errorf("%w: %v instead of %v", errOverstepped, took.Round(time.Millisecond), most.Round(time.Millisecond))
	}
	if err == nil {
		s.clock.moved(took)
		return line, took, nil, nil
	}
	if endsMatch(err) {
		return line, took, nil, fmt.Errorf("%s: %w", s.Name, asConfigError(err))
	}
	return line, took, err, nil
}

// limits returns those of the next move, and the most time that it may take.
func (s *gamePlayer) limits() (lim engine.Limits, most time.Duration) {
	lim = s.Limits()
	if s.Clock == (Clock{}) {
		return lim, lim.Time
	}
	lim.Time = s.clock.allot()
	return lim, s.clock.left
}

// legal checks an answer, whose first line is played.
func legal(pos engine.Position, lines []engine.Line) error {
	if len(lines[0].Moves) == 0 {
		return fmt.Errorf("%w: a line without a move", pluginclient.ErrInvalidReply)
	}
	if _, err := pos.Play(lines[0].Move()); err != nil {
		return fmt.Errorf("%w: %w", pluginclient.ErrIllegal, err)
	}
	return nil
}

// ask asks once, and no longer than most if there is a limit on time.
func (s *gamePlayer) ask(ctx context.Context, pos engine.Position, lim engine.Limits, most time.Duration) (engine.Line, time.Duration, error) {
	if lim.Time == 0 {
		most = 0
	}
	watch, ctx, cancel := startWatch(ctx, most, fmt.Errorf("%w: no move after %v", errOverstepped, most.Round(time.Millisecond)))
	defer cancel()
	policy := asking.Policy{NoRetry: true, KeepState: true, Accept: func(lines []engine.Line) error { return legal(pos, lines) }}
	lines, err := policy.Ask(ctx, s.session, pos, lim)
	took, _ := watch.look()
	if err != nil {
		return engine.Line{}, took, err
	}
	return lines[0], took, nil
}

// faults are the names of what engines do, as reasons for the end of a game.
var faults = []struct {
	err  error
	name string
}{
	{errOverstepped, "timeout"},
	{pluginclient.ErrIllegal, "illegal move"},
	{pluginclient.ErrTimedOut, "timeout"},
	{pluginclient.ErrNoReply, "timeout"},
	{pluginclient.ErrPartialLine, "timeout"},
	{pluginclient.ErrDied, "crash"},
	{pluginclient.ErrInputBlocked, "crash"},
	{pluginclient.ErrFlood, "crash"},
	{pluginclient.ErrClosed, "crash"},
	{pluginclient.ErrInvalidReply, "no move"},
	{pluginclient.ErrRefused, "no move"},
	{engine.ErrNoMove, "no move"},
}

func nameOf(fault error) string {
	for _, f := range faults {
		if errors.Is(fault, f.err) {
			return f.name
		}
	}
	return "failure"
}

// endsMatch reports whether an error is no fault of an engine in a game: it cannot be
// started, or it says by an error of no known kind that it cannot be asked so at all.
func endsMatch(err error) bool {
	var told *pluginclient.Error
	return errors.Is(err, pluginclient.ErrStart) || !errors.As(err, &told) && nameOf(err) == "failure"
}

func asConfigError(err error) error {
	if errors.Is(err, pluginclient.ErrStart) {
		return err
	}
	return configError{err}
}
