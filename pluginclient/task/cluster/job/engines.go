package job

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"qhsh/engine"
	"qhsh/engine/games"
	"qhsh/pluginclient"
	"qhsh/pluginclient/attach"
	"qhsh/pluginclient/task/batch"
	"qhsh/pluginclient/task/cluster"
	"qhsh/pluginclient/task/hints"
)

// Engines are the engines of a worker.
type Engines struct {
	options attach.Options // its Names are the worker's
	build   string
	list    []cluster.Engine
	games   map[string]engine.Game // that they play, by name
}

// NewEngines returns the engines with the names of o, after starting each once.
func NewEngines(ctx context.Context, o attach.Options, build string) (*Engines, error) {
	e := &Engines{options: o, build: build, games: map[string]engine.Game{}}
	for name, spec := range o.Names {
		one, err := e.examine(ctx, name)
		if err != nil {
			return nil, fmt.Errorf("-engine %s=%s: %w", name, spec, err)
		}
		e.list = append(e.list, one)
	}
	slices.SortFunc(e.list, func(a, b cluster.Engine) int { return cmp.Compare(a.Name, b.Name) })
	return e, nil
}

func (e *Engines) examine(ctx context.Context, name string) (cluster.Engine, error) {
	d, err := attach.Parse(name, e.options)
	if err != nil {
		return cluster.Engine{}, err
	}
	files, err := hints.Fingerprints(d.Files())
	if err != nil {
		return cluster.Engine{}, err
	}
	book, err := BookFingerprint(d)
	if err != nil {
		return cluster.Engine{}, err
	}
	s, err := d.Open(ctx)
	if err != nil {
		return cluster.Engine{}, err
	}
	version, game := s.Info().Name, s.Position().Game()
	if err := s.Close(); err != nil {
		return cluster.Engine{}, err
	}
	e.games[name] = game
	return cluster.Engine{Name: name, Spec: d.Spec, Evaluation: d.Evaluation, Book: book, Files: files, Game: game.Name(), Version: version}, nil
}

// BookFingerprint returns what identifies the contents of an engine's book; "" if it has none.
func BookFingerprint(d *attach.Engine) (string, error) {
	if d.Book == "" {
		return "", nil
	}
	text, err := hints.Fingerprint(d.Book)
	if err != nil {
		err = fmt.Errorf("the book: %w", err)
	}
	return text, err
}

// List returns the engines.
func (e *Engines) List() []cluster.Engine { return e.list }

// Check returns why the worker cannot work for a run.
func (e *Engines) Check(t cluster.Terms) error {
	for _, wanted := range t.Engines {
		if err := e.check(wanted, t.Build); err != nil {
			return err
		}
	}
	return nil
}

func (e *Engines) check(wanted cluster.Engine, build string) error {
	if wanted.Name == "" {
		d, err := e.describe(Ref{Spec: wanted.Spec})
		switch {
		case err != nil:
			return err
		case build != e.build:
			return fmt.Errorf("%w: it needs the embedded engine of build %s, and this is %s", ErrEngine, build, e.build)
		case d.Evaluation != wanted.Evaluation:
			return fmt.Errorf("%w: %s: another evaluation", ErrEngine, wanted.Spec)
		}
		return nil
	}
	i := slices.IndexFunc(e.list, func(own cluster.Engine) bool { return own.Name == wanted.Name })
	switch {
	case i < 0:
		return fmt.Errorf("%w: no engine named %s", ErrEngine, wanted.Name)
	case e.list[i].Identity() != wanted.Identity():
		return fmt.Errorf("%w: %s: other SPEC or files than the run needs", ErrEngine, wanted.Name)
	}
	return nil
}

// describe describes the engine of a Ref. It is the only place where what came over the network
// becomes an engine.
func (e *Engines) describe(r Ref) (*attach.Engine, error) {
	if _, ok := e.options.Names[r.Name]; ok {
		d, err := attach.Parse(r.Name, e.options)
		d.Game = cmp.Or(e.games[r.Name], d.Game)
		return d, err
	}
	if r.Name != "" {
		return nil, fmt.Errorf("%w: no engine named %s", ErrEngine, r.Name)
	}
	o := e.options
	o.Names = nil // a name is a Ref's Name
	o.File = func(string) (string, error) { return "", ErrEngine }
	d, err := attach.Parse(r.Spec, o)
	if err != nil || !d.Embedded || d.Network {
		return nil, fmt.Errorf("%w: %q is not an embedded engine without files", ErrEngine, r.Spec)
	}
	return d, nil
}

// A setup is a Ref with everything that its sessions are opened with.
type setup struct {
	Ref
	Level     *int                   `json:"level,omitempty"`
	Limits    engine.Limits          `json:"limits,omitzero"`  // of every search
	Deeper    int                    `json:"deeper,omitempty"` // see batch.PoolOptions
	Deadlines pluginclient.Deadlines `json:"deadlines,omitzero"`
	Settings  []games.Setting        `json:"settings,omitempty"` // numbers, in addition to the SPEC
}

// The most that a run may want of a worker.
const (
	maxDeeper = 9 // levels
	maxEnding = time.Minute
)

// check returns an error if the numbers of a setup cannot be meant. How long an engine may take to end is
// bounded, since the worker waits for it when it is stopped.
func (s *setup) check(options []attach.Option) error {
	lim := s.Limits
	if s.Deeper < 0 || s.Deeper > maxDeeper || lim.Nodes < 0 || min(lim.Depth, lim.Lines) < 0 || lim.Time < 0 {
		return fmt.Errorf("%w: invalid limits", ErrEngine)
	}
	for _, f := range s.Deadlines.Fields() {
		if *f.Value < 0 || (f.Name == "abort" || f.Name == "quit") && *f.Value > maxEnding {
			return fmt.Errorf("%w: -wait %s: want 0s to %v", ErrEngine, f.Name, maxEnding)
		}
	}
	s.Deadlines = s.Deadlines.OrDefault()
	return checkSettings(s.Settings, options)
}

// engineOf returns the engine of a setup.
func (e *Engines) engineOf(s setup, warn func(string)) (*attach.Engine, error) {
	d, err := e.describe(s.Ref)
	if err == nil {
		err = s.check(d.Kind.Options)
	}
	if err == nil && len(s.Settings) > 0 {
		game := d.Game
		d, err = d.WithOptions(s.Settings)
		d.Game = game
	}
	if err != nil {
		return nil, err
	}
	o := &d.Options
	o.Deadlines, o.Level, o.Limits, o.Warn = s.Deadlines, s.Level, s.Limits, warn
	return d, nil
}

// An identityReply is what a coordinator must know of a started engine.
type identityReply struct {
	Engine string       `json:"engine"` // its name
	Limits batch.Limits `json:"limits"` // of its searches
	Deeper batch.Limits `json:"deeper"` // of its deeper searches

	Options []string `json:"options,omitempty"` // the names of its options that the Settings set
	Refused string   `json:"refused,omitempty"` // why it does not accept them, instead of all else
}

// Describe starts the engine of a setup and describes it, see [cluster.WorkerOptions].
func (e *Engines) Describe(ctx context.Context, request json.RawMessage) (json.RawMessage, error) {
	var s setup
	if err := json.Unmarshal(request, &s); err != nil {
		return nil, err
	}
	d, err := e.engineOf(s, nil)
	var reply identityReply
	if err == nil {
		reply, err = identify(ctx, d.Kind, d.Open, s)
	}
	if errors.Is(err, attach.ErrSpec) {
		reply, err = identityReply{Refused: err.Error()}, nil
	}
	if err != nil {
		return nil, err
	}
	return json.Marshal(reply)
}

// identify starts the engine of a setup, whose SPEC is of kind k, once.
func identify(ctx context.Context, k attach.Kind, open func(ctx context.Context) (pluginclient.Session, error), of setup) (identityReply, error) {
	s, err := open(ctx)
	if err != nil {
		return identityReply{}, err
	}
	r := identityReply{}
	who := batch.SessionAsker{Session: s, Limits: of.Limits}.Identity()
	r.Engine, r.Limits = who.Engine, who.Limits
	r.Deeper = batch.SessionAsker{Session: s, Limits: pluginclient.Deeper(s, of.Limits, of.Deeper)}.Identity().Limits
	var keys []string
	for _, setting := range of.Settings {
		keys = append(keys, setting.Key)
	}
	r.Options, err = attach.NumericOptions(s, k, keys)
	return r, errors.Join(err, s.Close())
}

// Handlers returns what answers the units of runs. warn is told what a person may want to know.
func (e *Engines) Handlers(warn func(string)) map[string]cluster.Handler {
	return map[string]cluster.Handler{
		positionKind: func(ctx context.Context, t cluster.Terms, jobs int) (cluster.Answerer, error) {
			return e.openPositions(ctx, t, jobs, warn)
		},
		gameKind: func(_ context.Context, t cluster.Terms, jobs int) (cluster.Answerer, error) {
			return e.openGames(t, jobs, warn)
		},
	}
}
