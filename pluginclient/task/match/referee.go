package match

import (
	"context"

	"qhsh/pluginclient"
)

// A Referee plays single games with engines of this process. It may be used by several goroutines.
type Referee struct {
	config *Config
	pool   *pool
	trace  func(game int, player string, s pluginclient.Session) (file string) // Options.Trace
}

// NewReferee returns a Referee for so many games at the same time. Of the configuration it uses what
// applies to every game: neither players nor openings nor the schedule.
func NewReferee(config *Config, games int) *Referee {
	return &Referee{config: config, pool: &pool{maxOpen: 2 * games}}
}

// Close closes the engines.
func (r *Referee) Close() { r.pool.close() }

// Play plays a game. The error is the cause of ctx's end, an engine that cannot be restarted, or wraps
// ErrConfig.
func (r *Referee) Play(ctx context.Context, f Fixture) (Record, error) {
	var sessions [2]pluginclient.Session
	for i, player := range f.Players {
		s, err := r.pool.take(ctx, player)
		if err != nil {
			if i == 1 {
				r.pool.put(f.Players[0], sessions[0])
			}
			return Record{}, err
		}
		sessions[i] = s
	}
	record, atFault, err := r.config.play(ctx, f, sessions)
	if atFault >= 0 && r.trace != nil {
		record.Fault.Trace = r.trace(f.Number, record.Fault.Player, sessions[atFault])
	}
	for i, s := range sessions {
		if i == atFault || err != nil {
			r.pool.drop(s)
			continue
		}
		r.pool.put(f.Players[i], s)
	}
	return record, err
}
