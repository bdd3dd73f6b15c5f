package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// A Status is what a cluster has and does.
type Status struct {
	Server  string       `json:"server"` // its version
	Workers []WorkerInfo `json:"workers,omitempty"`
	Runs    []RunInfo    `json:"runs,omitempty"`
	Dead    []DeadUnit   `json:"dead,omitempty"` // the latest last
}

// Status returns what the cluster has and does.
func (c *Client) Status(ctx context.Context) (s Status, err error) {
	s.Server = c.conn.ConnectedServerVersion()
	if s.Workers, s.Runs, err = c.who(ctx); err != nil {
		return s, err
	}
	if err := c.addAbandoned(ctx, &s); err != nil {
		return s, err
	}
	slices.SortFunc(s.Workers, func(a, b WorkerInfo) int {
		return strings.Compare(a.Host+" "+a.Worker, b.Host+" "+b.Worker)
	})
	slices.SortFunc(s.Runs, func(a, b RunInfo) int { return a.Started.Compare(b.Started) })
	s.Dead, err = c.dead(ctx)
	return s, err
}

// who asks all workers and coordinators who they are.
func (c *Client) who(ctx context.Context) (workers []WorkerInfo, runs []RunInfo, err error) {
	inbox := c.conn.NewRespInbox()
	s, err := c.conn.SubscribeSync(inbox)
	if err != nil {
		return nil, nil, err
	}
	defer func() { _ = s.Unsubscribe() }() // fails only if the connection is closed
	if err := c.conn.PublishRequest(whoSubject, inbox, nil); err != nil {
		return nil, nil, err
	}
	for end := time.Now().Add(c.timing.Gone); ; { // somebody may answer without end
		m, err := s.NextMsg(min(c.timing.Who, time.Until(end)))
		switch {
		case errors.Is(err, nats.ErrTimeout), errors.Is(err, nats.ErrNoResponders):
			return workers, runs, ctx.Err()
		case err != nil:
			return nil, nil, err
		}
		var p present
		if decode(m.Data, &p) != nil {
			continue
		}
		if p.Worker != nil {
			workers = append(workers, *p.Worker)
		}
		if p.Run != nil {
			p.Run.Terms.Data = nil
			runs = append(runs, *p.Run)
		}
	}
}

// addAbandoned adds the runs whose coordinator does not answer.
func (c *Client) addAbandoned(ctx context.Context, s *Status) error {
	streams := c.js.ListStreams(ctx)
	for info := range streams.Info() {
		id, ours := strings.CutPrefix(info.Config.Name, streamPrefix)
		live := slices.ContainsFunc(s.Runs, func(r RunInfo) bool { return r.Run == id })
		if !ours || live || info.Config.Name == deadStream {
			continue
		}
		run := RunInfo{Run: id, Started: info.Created, Chunks: int(info.State.Msgs)}
		if about := run; decode([]byte(info.Config.Description), &about) == nil {
			run = about
			run.Run, run.Live = id, false
		}
		s.Runs = append(s.Runs, run)
	}
	return streams.Err()
}

// dead returns the list of dead units.
func (c *Client) dead(ctx context.Context) (all []DeadUnit, err error) {
	stream, err := c.js.Stream(ctx, deadStream)
	if errors.Is(err, jetstream.ErrStreamNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	state := stream.CachedInfo().State
	first := max(state.FirstSeq, state.LastSeq-min(state.LastSeq, maxDead)+1) // whatever the stream is, which anybody may create
	for seq := first; state.Msgs > 0 && seq <= state.LastSeq; seq++ {
		m, err := stream.GetMsg(ctx, seq)
		if errors.Is(err, jetstream.ErrMsgNotFound) {
			continue
		}
		if err != nil {
			return all, err
		}
		var d DeadUnit
		if decode(m.Data, &d) == nil {
			all = append(all, d)
		}
	}
	return all, nil
}

// ErrNoRun is the error of a run that the cluster does not have.
var ErrNoRun = errors.New("no such run")

// Cancel ends a run with ErrCancelled, or deletes what an abandoned one has left.
func (c *Client) Cancel(ctx context.Context, run string) error {
	if !isID(run) {
		return fmt.Errorf("%w: %q", ErrNoRun, run)
	}
	err := c.request(ctx, runSubject(run, "cancel"), struct{}{}, &struct{}{})
	if !errors.Is(err, nats.ErrNoResponders) {
		return err
	}
	err = c.js.DeleteStream(ctx, streamPrefix+run)
	if errors.Is(err, jetstream.ErrStreamNotFound) {
		return fmt.Errorf("%w: %s: 'qhsh cluster runs' lists them", ErrNoRun, run)
	}
	return err
}

// Workers returns the workers that answer.
func (c *Client) Workers(ctx context.Context) ([]WorkerInfo, error) {
	workers, _, err := c.who(ctx)
	return workers, err
}

// Describe has a worker that is known describe an engine. request and answer belong to package job.
func (c *Client) Describe(ctx context.Context, worker string, request, answer any) error {
	var d description
	err := c.ask(ctx, workerSubject(worker, "describe"), request, &d)
	for gone := time.Now().Add(c.timing.Gone); errors.Is(err, nats.ErrNoResponders) && time.Now().Before(gone); {
		sleep(ctx, c.timing.Here) // it may be connecting to the server again
		err = c.ask(ctx, workerSubject(worker, "describe"), request, &d)
	}
	if err != nil {
		return fmt.Errorf("worker %s: %w", worker, err)
	}
	if d.Error != "" {
		return errors.New(d.Error)
	}
	return json.Unmarshal(d.Answer, answer)
}
