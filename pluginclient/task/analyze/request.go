package analyze

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"qhsh/engine"
	"qhsh/pluginclient"
	"qhsh/pluginclient/task/batch"
)

// A request is a position to be searched.
type request struct {
	from     *conversation
	id       batch.ID
	line     int // of the input
	turn     int // how many moves led to pos
	lane     *lane
	pos      engine.Position
	limits   engine.Limits
	priority int
	report   time.Duration // interval of partial answers; 0: none are wanted

	// The server's mutex guards what follows.
	cancel context.CancelCauseFunc // of its search; nil: it is waiting
	ended  error                   // errCancelled or engine.ErrMoveNow, if a client wanted that
}

// newRequests makes the requests of a message whose engine is that of l, one for each turn.
func (c *conversation) newRequests(l *lane, m message, line int) ([]*request, error) {
	if err := m.check(); err != nil {
		return nil, err
	}
	item, err := m.item(l.Game)
	if err != nil {
		return nil, err
	}
	limits := l.Pool.Limits
	if m.Limits != nil {
		given := m.Limits
		limits = engine.Limits{Nodes: valueOf(given.Nodes), Depth: int(valueOf(given.Depth)), Time: time.Duration(valueOf(given.Time)) * time.Millisecond}
		if c := given.Clock; c != nil {
			limits.Clock = engine.Clock{Left: time.Duration(c.Left) * time.Millisecond, Increment: time.Duration(c.Increment) * time.Millisecond}
			limits.Time = cmp.Or(limits.Time, limits.Clock.Allot(0))
		}
		if given.Level != nil {
			limits.Level = *given.Level
			err = inField("limits.level", CheckLevel(l.Pool.Info(), *given.Level))
		}
		if err = cmp.Or(inField("limits", limits.Check(l.Protocol, l.UnsupportedLimits)), err); err != nil {
			return nil, err
		}
	}
	if limits.Lines = int(valueOf(m.Lines)); m.Lines == nil {
		limits.Lines = c.Lines
	}
	turns, err := turnsOf(item.Pos, m.AnalyzeTurns)
	if err != nil {
		return nil, inField("analyzeTurns", err)
	}
	for _, r := range turns {
		r.from, r.id, r.line, r.lane, r.limits = c, m.ID, line, l, limits
		r.priority, r.report = m.Priority, time.Duration(valueOf(m.Report))*time.Millisecond
	}
	return turns, m.restrict(turns)
}

// item returns the position of a message.
func (m message) item(game engine.Game) (batch.Item, error) {
	text := cmp.Or(m.FEN, "startpos")
	item := batch.Record{Text: text, Moves: m.Moves}.Item(game)
	field := "fen"
	if item.Err != nil && len(m.Moves) > 0 && (batch.Record{Text: text}).Item(game).Err == nil {
		field = "moves"
	}
	return item, inField(field, item.Err)
}

// turnsOf returns a request for the position after each of the numbers of moves, in the order of the game,
// or for pos alone if numbers is nil.
func turnsOf(pos engine.Position, numbers []int) (turns []*request, err error) {
	at, moves := pos.History()
	switch {
	case numbers == nil:
		numbers = []int{len(moves)}
	case len(numbers) == 0:
		return nil, errors.New("analyzeTurns is empty: leave the key out for the last turn")
	}
	played := 0
	for i, n := range slices.Sorted(slices.Values(numbers)) {
		switch {
		case n < 0 || n > len(moves):
			return nil, fmt.Errorf("no turn %d: turns go from 0 to %d", n, len(moves))
		case i > 0 && n == turns[i-1].turn:
			return nil, fmt.Errorf("turn %d is given twice", n)
		case n == len(moves):
			at, played = pos, n
		}
		for ; played < n; played++ {
			if at, err = at.Play(moves[played]); err != nil {
				return nil, err
			}
		}
		r := &request{turn: n, pos: at}
		if !r.over() && at.Turn() == engine.Chance {
			return nil, fmt.Errorf("chance moves next at turn %d, so there is no move to choose", n)
		}
		turns = append(turns, r)
	}
	return turns, nil
}

// restrict bans the moves that are not to be searched.
func (m message) restrict(turns []*request) error {
	for _, rules := range []struct {
		key   string
		rules []moveRule
		allow bool
	}{
		{key: "ban", rules: []moveRule{{Moves: m.Ban}}},
		{key: "avoidMoves", rules: m.AvoidMoves},
		{key: "allowMoves", rules: m.AllowMoves, allow: true},
	} {
		for _, rule := range rules.rules {
			if err := rule.restrict(turns, rules.allow); err != nil {
				return inField(rules.key, fmt.Errorf("%s: %w", rules.key, err))
			}
		}
	}
	return nil
}

// restrict bans the moves of a rule, or all others if it allows them. Each must be legal at one turn at
// least that the rule is about, and each turn must keep a move.
func (rule moveRule) restrict(turns []*request, allow bool) error {
	game := turns[0].pos.Game() // which has names, unlike one of all notations
	first, second := engine.SideName(game, engine.First), engine.SideName(game, engine.Second)
	player := strings.ToLower(rule.Player)
	switch {
	case player != "" && !strings.HasPrefix(first, player) && !strings.HasPrefix(second, player):
		return fmt.Errorf("unknown player %q: want %s or %s", rule.Player, first, second)
	case rule.UntilDepth != nil && *rule.UntilDepth != 1:
		return fmt.Errorf("untilDepth is %d: want 1, since engines restrict only the move that is to be played", *rule.UntilDepth)
	}
	texts := engine.JoinMoves(turns[0].lane.Game, rule.Moves)
	legal, illegal := make([]bool, len(texts)), make([]error, len(texts))
	for _, r := range turns {
		if r.over() || !strings.HasPrefix(engine.SideName(game, r.pos.Turn()), player) {
			continue
		}
		var moves []engine.Move
		for i, text := range texts {
			move, err := batch.ReadMove(r.lane.Game, r.pos, text)
			if err != nil {
				illegal[i] = err
				continue
			}
			moves, legal[i] = append(moves, move), true
		}
		if allow {
			moves = engine.Without(r.pos.Moves(), moves)
		}
		r.limits.Ban = slices.Concat(r.limits.Ban, moves)
	}
	for i, err := range illegal {
		if err != nil && !legal[i] {
			return err
		}
	}
	for _, r := range turns {
		if len(r.limits.Ban) > 0 && engine.FirstAllowed(r.pos, r.limits.Ban) == engine.NoMove {
			return fmt.Errorf("no move is left at turn %d", r.turn)
		}
	}
	return nil
}

// over reports whether the game is over, so that there is nothing to search.
func (r *request) over() bool { return r.pos.Result().Over() }

// CheckLevel returns an error if searches of an engine cannot have a level as a limit.
func CheckLevel(info pluginclient.Info, level int) error {
	if level == 0 {
		return fmt.Errorf("level is 0: want a level, such as %d", engine.DefaultLevel)
	}
	return info.CheckLevel(level)
}
