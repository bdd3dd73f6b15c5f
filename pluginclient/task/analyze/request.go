package analyze

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"qhsh/engine"
	"qhsh/pluginclient"
	"qhsh/pluginclient/task/batch"
)

// A request is a position to be searched.
type request struct {
	id       batch.ID
	line     int // of the input
	lane     *lane
	pos      engine.Position
	limits   engine.Limits
	priority int
	report   time.Duration // interval of partial answers; 0: none are wanted

	// The server's mutex guards what follows.
	seq    int                     // number of the request
	cancel context.CancelCauseFunc // of its search; nil: it is waiting
	ended  error                   // errCancelled or engine.ErrMoveNow, if a client wanted that
}

// newRequest makes a request of a message whose engine is that of l.
func (s *server) newRequest(l *lane, m message, line int) (*request, error) {
	if err := m.check(); err != nil {
		return nil, err
	}
	item := m.item(l.Game)
	if item.Err != nil {
		return nil, item.Err
	}
	r := &request{
		id: m.ID, line: line, lane: l, pos: item.Pos, limits: l.Pool.Limits,
		priority: m.Priority, report: time.Duration(valueOf(m.Report)) * time.Millisecond,
	}
	if m.Limits != nil {
		given := m.Limits
		r.limits = engine.Limits{Nodes: valueOf(given.Nodes), Depth: int(valueOf(given.Depth)), Time: time.Duration(valueOf(given.Time)) * time.Millisecond}
		if given.Level != nil {
			r.limits.Level = *given.Level
		}
		err := r.limits.Check(l.Protocol, l.UnsupportedLimits)
		if err == nil && given.Level != nil {
			err = CheckLevel(l.Pool.Info(), *given.Level)
		}
		if err != nil {
			return nil, err
		}
	}
	if r.limits.Lines = int(valueOf(m.Lines)); m.Lines == nil {
		r.limits.Lines = s.Lines
	}
	var err error
	r.limits.Ban, err = readBan(l.Game, item.Pos, m.Ban)
	if err == nil && !r.over() && item.Pos.Turn() == engine.Chance {
		err = errors.New("chance moves next, so there is no move to choose")
	}
	return r, err
}

// item returns the position of a message.
func (m message) item(game engine.Game) batch.Item {
	return batch.Record{Text: cmp.Or(m.FEN, "startpos"), Moves: m.Moves}.Item(game)
}

// readBan parses the moves that are not to be searched.
func readBan(game engine.Game, pos engine.Position, texts []string) (ban []engine.Move, err error) {
	for _, text := range engine.JoinMoves(game, texts) {
		m, err := batch.ReadMove(game, pos, text)
		if err != nil {
			return nil, fmt.Errorf("ban: %w", err)
		}
		ban = append(ban, m)
	}
	if len(ban) > 0 && engine.FirstAllowed(pos, ban) == engine.NoMove {
		return nil, errors.New("ban: no move is left")
	}
	return ban, nil
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

// name returns the id for messages.
func name(id batch.ID) string {
	if id.IsNumber {
		return id.Text
	}
	return fmt.Sprintf("%q", strings.ToValidUTF8(id.Text, "\ufffd"))
}
