package match

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"qhsh/engine"
	"qhsh/engine/record"
	"qhsh/pluginclient"
	"qhsh/pluginclient/asking"
)

// errTimeExceeded is the cause of a search cancelled for exceeding its time.
var errTimeExceeded = errors.New("time limit exceeded")

type gamePlayer struct {
	Player
	session pluginclient.Session
	clock   runningClock
	seed    uint64        // see Limits.Seed
	stopped time.Duration // of the latest move, not charged; see stopwatch

	begun     bool // begin has been called in this game
	ponders   bool // by searches on the opponent's time
	pondering *ponderSearch
}

type liveGame struct {
	config  *Config
	judge   Judge
	players [2]*gamePlayer
	pos     engine.Position // as the players see it
	host    engine.Position // pos with its hidden information; see engine.Concealer
	seen    map[uint64]int
	over    engine.Result // result of pos by the rules and the Judge
	offers  [2]bool       // draws that each side has offered and the other has not answered
	scores  scores
	source  *rand.PCG
	record  Record
}

// play plays a game. An error is the cause of ctx's end, an engine that cannot be restarted, or
// wraps ErrConfig; the record is then empty. atFault is an index of the sides, or -1.
func (t *Config) play(ctx context.Context, f Fixture, sessions [2]pluginclient.Session) (r Record, atFault int, err error) {
	g := t.newGame(f, sessions)
	started := time.Now()
	for {
		result, fault, err := g.step(ctx)
		if err == nil && !result.Over() {
			continue
		}
		for _, s := range g.players {
			if s.pondering != nil {
				s.pondering.stop(errGameOver)
				s.pondering = nil
			}
		}
		if err != nil {
			return Record{}, -1, err
		}
		g.record.Result, g.record.Reason = record.FormatResult(result.Outcome), result.Reason
		g.record.Seconds = secondsOf(time.Since(started))
		if fault == nil {
			g.record.Dissent = g.dissenters(ctx)
			return g.record, -1, nil
		}
		side := g.pos.Turn()
		for side, s := range g.players {
			if l, ok := pluginclient.As[pluginclient.FaultListener](s.session); ok {
				_ = l.EndByFault(ctx, g.pos, engine.Turn(side), fault) // the game has ended, whatever the engine says
			}
		}
		g.record.Fault = &Fault{Player: g.players[side].Name, Error: pluginclient.WithoutDuration(fault).Error()}
		return g.record, int(side), nil
	}
}

// dissenters returns the players whose engine can check results and disagrees with this one. It
// asks only about endings by [engine.Position.Result]: engines do not know about adjudication and
// repetition.
func (g *liveGame) dissenters(ctx context.Context) (names []string) {
	if !g.pos.Result().Over() {
		return nil
	}
	for _, s := range g.players {
		if w, ok := pluginclient.As[pluginclient.ResultChecker](s.session); ok && errors.Is(w.CheckResult(ctx, g.pos), pluginclient.ErrInvalidReply) {
			names = append(names, s.Name)
		}
	}
	return names
}

// newGame sets up a game and plays its opening.
func (t *Config) newGame(f Fixture, sessions [2]pluginclient.Session) *liveGame {
	g := &liveGame{
		config: t, judge: t.Judge, seen: map[uint64]int{}, scores: scores{config: t},
		source: rand.NewPCG(f.Seed[0], f.Seed[1]),
		record: Record{
			Game: f.Number, Round: f.Round, Pair: f.Pair, Opening: f.Opening,
			Tags: t.Tags, Date: time.Now().Format(time.DateOnly),
		},
	}
	if _, ok := t.Game.Start().(engine.Adjudicator); ok && g.judge == nil { // the game's own
		g.judge = engine.Adjudicate
	}
	for i, session := range sessions {
		p := f.Players[i]
		g.players[i] = &gamePlayer{Player: *p, session: session, clock: runningClock{Clock: p.Clock, left: p.Clock.Time}, seed: rand.New(rand.NewPCG(f.Seed[0], f.Seed[1])).Uint64()}
	}
	g.record.First, g.record.Second = g.players[0].Name, g.players[1].Name
	host, view := engine.Deal(f.Start, g.source)
	dealt, _ := host.History()
	start, moves := view.History()
	g.record.Start, g.record.Book = dealt.String(), len(moves)
	for _, m := range moves {
		g.seen[start.Key()]++
		if start.Turn() != engine.Chance {
			g.scores.plies++
		}
		g.record.Moves = append(g.record.Moves, Ply{Move: start.Format(m), By: start.Turn().String()})
		next, err := start.Play(m)
		if err != nil {
			break // a position's own history is legal
		}
		start = next
	}
	g.host = host
	g.setPosition(view)
	return g
}

// setPosition sets the current position and counts its occurrence.
func (g *liveGame) setPosition(pos engine.Position) {
	g.pos = pos
	g.seen[pos.Key()]++
	g.over = resultOfPosition(g.judge, pos, g.seen[pos.Key()])
}

// step makes a move, or returns the result of a game that has ended. fault is the error by which
// the side to move lost.
func (g *liveGame) step(ctx context.Context) (result engine.Result, fault, err error) {
	if g.over.Over() {
		return g.over, nil, nil
	}
	side := g.pos.Turn()
	if side == engine.Chance {
		m := drawChance(g.host, g.source)
		return engine.Result{}, nil, g.move(Ply{Move: g.pos.Format(m), By: side.String()}, m)
	}
	line, took, fault, err := g.players[side].think(ctx, g)
	if err != nil {
		return engine.Result{}, nil, err
	}
	if fault != nil {
		return engine.Result{Outcome: engine.Win(side.Other()), Reason: faultReason(fault)}, fault, nil
	}
	if result = g.handleOffer(side, line.Offer); result.Over() {
		return result, nil, nil
	}
	g.scores.add(side, line.Score)
	if err := g.move(Ply{
		Move: g.pos.Format(line.Move()), By: side.String(), ScoreJSON: line.Score.JSON(),
		Depth: line.Depth, Nodes: line.Nodes, Details: line.Details, Seconds: secondsOf(took), Stopped: secondsOf(g.players[side].stopped),
	}, line.Move()); err != nil {
		return engine.Result{}, nil, err
	}
	if g.over.Over() { // takes precedence over adjudication
		return g.over, nil, nil
	}
	if known, ok := g.config.Known.Of(g.pos); ok {
		result = known.Result(g.pos.Turn())
	}
	if !result.Over() {
		result = g.scores.adjudicate(side)
	}
	if g.record.Early = result.Over(); !g.record.Early {
		g.ponder(ctx, g.players[side], line)
	}
	return result, nil, nil
}

// handleOffer returns the result if a side resigns, accepts a draw or claims a result. The move that it has given is
// not played then. An offer stands until the opponent's next answer.
func (g *liveGame) handleOffer(side engine.Turn, offer engine.Offer) engine.Result {
	other := side.Other()
	switch accepts := g.offers[other]; {
	case offer == engine.Resignation:
		return engine.Result{Outcome: engine.Win(other), Reason: resignation}
	case offer == engine.DrawOffer && accepts:
		return engine.Result{Outcome: engine.Draw, Reason: agreement}
	case offer == engine.DrawClaim:
		return engine.Result{Outcome: engine.Draw, Reason: claim}
	case offer == engine.WinClaim:
		return engine.Result{Outcome: engine.Win(side), Reason: claim}
	}
	g.offers[side], g.offers[other] = g.offers[side] || offer == engine.DrawOffer, false
	return engine.Result{}
}

func (g *liveGame) move(p Ply, m engine.Move) error {
	host, err := g.host.Play(m)
	if err != nil {
		return err
	}
	next, err := g.pos.Play(m)
	if err != nil {
		return err
	}
	g.host = host
	g.setPosition(next)
	g.record.Moves = append(g.record.Moves, p)
	return nil
}

// think asks an engine for its move; the line of one that resigns has none. fault is the engine's and
// loses the game; err ends the match.
func (s *gamePlayer) think(ctx context.Context, g *liveGame) (line engine.Line, took time.Duration, fault, err error) {
	lim, limit := s.limitsAt(g.judge, g.pos, g.seen)
	line, took, err = s.ask(ctx, g.pos, lim, limit+g.config.Margin)
	resigns := errors.Is(err, pluginclient.ErrResigned)
	if len(lim.Ban) > 0 && errors.Is(err, pluginclient.ErrRefused) && !resigns && ctx.Err() == nil {
		lim.Ban = nil // the engine does not support bans: search without one
		line, took, err = s.ask(ctx, g.pos, lim, limit+g.config.Margin)
	}
	switch {
	case ctx.Err() != nil:
		return line, took, nil, context.Cause(ctx)
	case resigns:
		return engine.Line{Offer: engine.Resignation}, took, nil, nil
	case err == nil && lim.Time > 0 && took > limit+g.config.Margin:
		err = fmt.Errorf("%w: took %v of %v", errTimeExceeded, took.Round(time.Millisecond), limit.Round(time.Millisecond))
	}
	if err == nil {
		s.clock.moved(took)
		return line, took, nil, nil
	}
	if endsMatch(err) {
		if !errors.Is(err, pluginclient.ErrStart) {
			err = configError{err}
		}
		return line, took, nil, fmt.Errorf("%s: %w", s.Name, err)
	}
	return line, took, err, nil
}

// limitsAt returns the limits of a move at pos, and the longest time it may take.
func (s *gamePlayer) limitsAt(judge Judge, pos engine.Position, seen map[uint64]int) (lim engine.Limits, limit time.Duration) {
	lim = s.Limits()
	lim.Seed = s.seed
	if s.Ban {
		lim.Ban = losingMoves(judge, pos, seen)
	}
	if s.Clock == (Clock{}) {
		return lim, lim.Time
	}
	lim.Time = s.clock.allot()
	lim.Clock = engine.Clock{Left: s.clock.left, Increment: s.clock.Increment}
	return lim, s.clock.left
}

// ask searches once, for at most limit if lim has a time.
func (s *gamePlayer) ask(ctx context.Context, pos engine.Position, lim engine.Limits, limit time.Duration) (engine.Line, time.Duration, error) {
	if err := s.begin(ctx); err != nil {
		return engine.Line{}, 0, err
	}
	if lim.Time == 0 {
		limit = 0
	}
	watch, searching, cancel := startWatch(ctx, limit, fmt.Errorf("%w: no move after %v", errTimeExceeded, limit.Round(time.Millisecond)))
	defer cancel()
	lines, err := s.search(searching, pos, lim)
	took, _ := watch.read()
	s.stopped = 0
	if lim.Time > 0 {
		s.stopped = watch.uncharged()
	}
	if errors.Is(err, errTimeExceeded) {
		if lost := s.session.Idle(ctx); lost != nil { // why it has not answered, if not for want of time
			err = lost
		}
	}
	if err != nil {
		return engine.Line{}, took, err
	}
	return lines[0], took, nil
}

// answer returns the answer of a search, whose first line starts with a legal move.
func answer(ctx context.Context, s engine.Searcher, pos engine.Position, lim engine.Limits) ([]engine.Line, error) {
	policy := asking.Policy{NoRetry: true, KeepState: true, Accept: func(lines []engine.Line) error {
		if len(lines[0].Moves) == 0 {
			return fmt.Errorf("%w: line without a move", pluginclient.ErrInvalidReply)
		}
		if _, err := pos.Play(lines[0].Move()); err != nil {
			return fmt.Errorf("%w: %w", pluginclient.ErrIllegal, err)
		}
		return nil
	}}
	return policy.Ask(ctx, s, pos, lim)
}

// faults maps errors of engines to the reason of the game's end. An error may wrap several: an engine
// that has died or floods exceeds its time, too, and one that dies may leave half a line. The first one
// counts.
var faults = []struct {
	err  error
	name string
}{
	{pluginclient.ErrIllegal, "illegal move"},
	{pluginclient.ErrFlood, "flood"},
	{pluginclient.ErrOutputClosed, "closed"},
	{pluginclient.ErrClosed, "closed"},
	{pluginclient.ErrDied, "crash"},
	{pluginclient.ErrRefused, "refused"},
	{errTimeExceeded, timeout},
	{pluginclient.ErrTimedOut, timeout},
	{pluginclient.ErrNoReply, timeout},
	{pluginclient.ErrPartialLine, timeout},
	{pluginclient.ErrInputBlocked, timeout},
	{pluginclient.ErrInvalidReply, noMove},
	{engine.ErrNoMove, noMove},
}

// Reasons that PGN has other words for, see record.FaultTermination.
const (
	timeout = "timeout"
	noMove  = "no move"
	failure = "failure"
)

// Reasons of games that players end.
const (
	resignation = "resignation" // also by the ResignRule
	agreement   = "agreement"
	claim       = "claim"
)

func faultReason(fault error) string {
	for _, f := range faults {
		if errors.Is(fault, f.err) {
			return f.name
		}
	}
	return failure
}

// endsMatch reports whether err is not a fault of an engine within a game: the engine cannot be
// started, or rejects the request with an error of unknown kind.
func endsMatch(err error) bool {
	var clientErr *pluginclient.Error
	return errors.Is(err, pluginclient.ErrStart) || !errors.As(err, &clientErr) && faultReason(err) == failure
}
