package job

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"qhsh/engine"
	"qhsh/pluginclient"
	"qhsh/pluginclient/attach"
	"qhsh/pluginclient/task/batch"
	"qhsh/pluginclient/task/cluster"
)

// positionKind is the kind of units that are positions to search.
const positionKind = "positions"

// positionTerms are the Data of such a run.
type positionTerms struct {
	setup
	Text    string `json:"text"` // the SPEC, as answers have it
	Restart bool   `json:"restart,omitempty"`
	History bool   `json:"history,omitempty"`
}

// AskerOptions are the options of an Asker. They are those of a batch.Pool.
type AskerOptions struct {
	Engine  *attach.Engine                                          // with the names of the Coordinator
	Open    func(ctx context.Context) (pluginclient.Session, error) // starts it here, if it is embedded
	Level   *int
	Limits  engine.Limits // of every search
	Deeper  int
	Restart bool
	History bool
	pluginclient.Deadlines
}

// An Asker has positions searched by the workers of a cluster.
type Asker struct {
	*cluster.Run
	// Files identify the files of the engine where it runs; empty if it is embedded.
	Files    []string
	identity batch.Reply
	unit     byte         // the first of its units
	deeper   batch.Limits // of the searches of Deeper
}

// NewAsker starts a run. The caller must close the Asker.
func (c *Coordinator) NewAsker(ctx context.Context, o AskerOptions) (*Asker, error) {
	ref, e, err := c.find(o.Engine)
	if err != nil {
		return nil, err
	}
	s := setup{Ref: ref, Level: o.Level, Limits: o.Limits, Deeper: o.Deeper, Deadlines: o.Deadlines}
	who, err := c.identify(ctx, s, o.Engine.Kind, o.Open)
	if err != nil {
		return nil, err
	}
	run, err := c.start(ctx, positionKind, o.Engine.Game.Name(), positionTerms{s, o.Engine.Spec, o.Restart, o.History}, e)
	if err != nil {
		return nil, err
	}
	return &Asker{run, e.Files, batch.Reply{Engine: who.Engine, Spec: o.Engine.Spec, Limits: who.Limits}, usualUnit, who.Deeper}, nil
}

// identify describes an engine that is started here if it is embedded, else by a worker.
func (c *Coordinator) identify(ctx context.Context, s setup, k attach.Kind, open func(ctx context.Context) (pluginclient.Session, error)) (r identityReply, err error) {
	if s.Name == "" {
		return identify(ctx, k, open, s)
	}
	err = c.Client.Describe(ctx, c.engines[s.Name].holder, s, &r)
	if r.Refused != "" {
		err = fmt.Errorf("%w: %s", ErrEngine, r.Refused)
	}
	return r, err
}

// Size returns how many positions may be asked for at the same time.
func (a *Asker) Size() int { return cluster.MaxUnits }

// Identity describes the engine.
func (a *Asker) Identity() batch.Reply { return a.identity }

// Restarts returns 0: workers restart their engines.
func (a *Asker) Restarts() int { return 0 }

// Deeper returns an Asker for searches that are deeper, as AskerOptions.Deeper says.
func (a *Asker) Deeper() batch.Asker {
	deeper := *a
	deeper.unit, deeper.identity.Limits = deeperUnit, a.deeper
	return &deeper
}

// A unit is one of these bytes and a position.
const (
	usualUnit  = '0' // to be searched within the Limits
	deeperUnit = '1' // to be searched deeper
)

// Ask has a position searched. The reply has the Asker's Identity, whatever the worker calls itself.
func (a *Asker) Ask(ctx context.Context, pos engine.Position) (reply batch.Reply, err error) {
	err = a.Do(ctx, batch.AppendPosition([]byte{a.unit}, pos), func(answer []byte) (err error) {
		reply, err = batch.ParseOutcome(pos, answer)
		return err
	})
	var dead *cluster.DeadError
	switch {
	case errors.As(err, &dead):
		reply = batch.Reply{Err: dead}
	case err != nil:
		return batch.Reply{}, err
	}
	reply.Engine, reply.Spec, reply.Limits = a.identity.Engine, a.identity.Spec, a.identity.Limits
	return reply, nil
}

// searching answers positions on a worker.
type searching struct {
	*batch.Pool
	game engine.Game
}

// openPositions is the Handler of positions.
func (e *Engines) openPositions(ctx context.Context, t cluster.Terms, jobs int, warn func(string)) (cluster.Answerer, error) {
	var p positionTerms
	if err := json.Unmarshal(t.Data, &p); err != nil {
		return nil, err
	}
	d, err := e.engineOf(p.setup, warn)
	if err != nil {
		return nil, err
	}
	pool, err := batch.NewPool(ctx, batch.PoolOptions{Open: d.Open, Spec: p.Text, Jobs: jobs, Limits: p.Limits, Deeper: p.Deeper, Restart: p.Restart, History: p.History, Warn: warn})
	if err != nil {
		return nil, err
	}
	return searching{pool, d.Game}, nil
}

// Answer searches a position.
func (s searching) Answer(ctx context.Context, unit []byte) ([]byte, error) {
	asker := batch.Asker(s.Pool)
	text, deeper := bytes.CutPrefix(unit, []byte{deeperUnit})
	if deeper {
		asker = s.Deeper()
	} else {
		text = bytes.TrimPrefix(unit, []byte{usualUnit})
	}
	pos, err := batch.ParsePosition(s.game, text)
	if err != nil {
		reply := asker.Identity()
		reply.Err = fmt.Errorf("position of the cluster: %w", err)
		return batch.AppendOutcome(nil, reply), nil
	}
	reply, err := asker.Ask(ctx, pos)
	if err != nil {
		return nil, err
	}
	return batch.AppendOutcome(nil, reply), nil
}
