package serve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"time"

	"qhsh/engine"
	"qhsh/engine/games"
	"qhsh/engine/printable"
	"qhsh/pluginclient"
	"qhsh/pluginclient/task/analyze"
)

// An Offer is an engine that can be started for a game.
type Offer struct {
	Name  string
	Usual bool // it runs unless a reader has removed it
	// Open starts it with values of its options, and returns all options that a reader may set. The caller must close
	// the Pool.
	Open func(ctx context.Context, set map[string]string) (analyze.Engine, []games.Option, error)
}

// A choice is what readers have chosen for an engine of a game.
type choice struct {
	On  bool              `json:"on"`
	Set map[string]string `json:"set,omitempty"` // options
}

// A bench has the engines for a game. The conversations that use it share them.
type bench struct {
	key    string // the game with its options
	server *analyze.Server
	seats  []*seat
	threat bool // the game has threats

	// The server's mutex guards what follows.
	users   int         // conversations
	idle    *time.Timer // runs while there are none
	version int         // grows when an engine starts, ends, or fails
}

// A seat has an engine of a bench, or what has become of it.
type seat struct {
	Offer
	rank int // from 0

	// The server's mutex guards what follows.
	running *analyze.Engine   // nil: none
	users   sync.WaitGroup    // of running, besides conversations
	ctx     context.Context   // ends when running is to end, or to start no more
	stop    func()            // ends ctx
	ready   chan struct{}     // is closed when the engine has started, or failed to; nil: nobody has wanted it yet
	pending int               // how many starts have not
	options []games.Option    // of the engine when it ran last
	set     map[string]string // their values
	err     error             // why it does not run
}

// choiceOf returns the choice for an engine. The caller holds s.mu.
func (s *Server) choiceOf(b *bench, o Offer) choice {
	if c, ok := s.choices[b.key][o.Name]; ok {
		return c
	}
	return choice{On: o.Usual}
}

// bench returns the bench for a game. The caller holds s.mu.
func (s *Server) bench(g engine.Game) (*bench, error) {
	key := s.Games.Describe(g)
	switch b := s.benches[key]; {
	case b != nil:
		return b, nil
	case s.benches == nil:
		return nil, context.Canceled
	}
	offers, err := s.Engines(g)
	if err != nil {
		return nil, err
	}
	b := &bench{key: key, server: analyze.NewServer(s.Analyze), threat: s.Games.Row(g).HandOver != nil}
	for i, o := range offers {
		b.seats = append(b.seats, &seat{Offer: o, rank: i})
	}
	s.benches[key] = b
	return b, nil
}

// sit returns the bench for a game, with its usual engines as far as they start; others follow. The caller must call the
// function when it needs them no longer.
func (s *Server) sit(g engine.Game) (*bench, func(), error) {
	s.mu.Lock()
	b, err := s.bench(g)
	if err != nil {
		s.mu.Unlock()
		return nil, nil, err
	}
	if b.idle != nil {
		b.idle.Stop()
	}
	var usual []chan struct{}
	for _, st := range b.seats {
		if b.users == 0 && st.running == nil && st.pending == 0 && s.choiceOf(b, st.Offer).On { // also one that has failed
			s.place(b, st)
		}
		if st.Usual && st.ready != nil {
			usual = append(usual, st.ready)
		}
	}
	b.users++
	s.mu.Unlock()
	for _, ready := range usual {
		<-ready
	}
	return b, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if b.users--; b.users > 0 || s.benches[b.key] != b {
			return
		}
		b.idle = time.AfterFunc(s.Idle, func() {
			s.mu.Lock()
			unused := b.users == 0 && s.benches[b.key] == b
			if unused {
				delete(s.benches, b.key)
			}
			s.mu.Unlock()
			if unused {
				b.end()
			}
		})
	}, nil
}

// place has the engine of a seat run as is chosen: it sets options of the one that runs, or else ends it and starts
// another. The caller holds s.mu.
func (s *Server) place(b *bench, st *seat) {
	if st.stop != nil {
		st.stop()
	}
	before, ready := st.ready, make(chan struct{})
	ctx, stop := context.WithCancel(s.ctx)
	st.ready, st.ctx, st.stop = ready, ctx, stop
	st.pending++
	b.version++
	s.touch()
	s.work.Go(func() {
		defer close(ready)
		if before != nil {
			<-before
		}
		b.server.Remove(st.Name)
		st.users.Wait()
		s.mu.Lock()
		c, options := s.choiceOf(b, st.Offer), st.options
		s.mu.Unlock()
		var e analyze.Engine
		var err error
		if c.On && st.running != nil && st.setOptions(ctx, c.Set) == nil {
			e = *st.running
		} else {
			st.end()
			if c.On && ctx.Err() == nil {
				e, options, err = st.Open(ctx, c.Set)
			}
		}
		if e.Pool != nil {
			e.Name, e.Rank = st.Name, st.rank
			b.server.Add(e)
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		st.pending--
		if st.running, st.err = nil, err; e.Pool != nil {
			st.running, st.options, st.set = &e, options, c.Set
		}
		b.version++
		s.touch()
	})
}

// setOptions sets options of the engine that runs and does not search. The error is why it has to start again, such as
// that its protocol has no options.
func (st *seat) setOptions(ctx context.Context, set map[string]string) error {
	pool := st.running.Pool
	setter, ok := pluginclient.As[pluginclient.OptionSetter](pool.First())
	if !ok || pool.Size() > 1 {
		return errors.ErrUnsupported
	}
	for _, o := range st.options {
		value := cmp.Or(set[o.Name], o.Default)
		if value == cmp.Or(st.set[o.Name], o.Default) {
			continue
		}
		if err := setter.SetOption(ctx, o.Name, value); err != nil {
			return err
		}
	}
	return nil
}

// end ends the engine of a seat, which nobody uses.
func (st *seat) end() {
	if st.running != nil {
		_ = st.running.Pool.Close()
	}
}

// end ends the engines. No conversation uses them.
func (b *bench) end() {
	for _, st := range b.seats {
		if st.ready != nil {
			st.stop()
			<-st.ready
		}
	}
	b.server.Close()
	for _, st := range b.seats {
		st.end()
	}
	if b.idle != nil {
		b.idle.Stop()
	}
}

// StartEngines starts the engines for a game before a page needs them. The error is why a usual one does not start.
func (s *Server) StartEngines(g engine.Game) error {
	b, leave, err := s.sit(g)
	if err != nil {
		return err
	}
	defer leave()
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, st := range b.seats {
		if st.Usual && st.err != nil {
			return st.err
		}
	}
	return nil
}

// borrow returns the first engine of a bench, with a context that ends with ctx or when the engine is to end. The caller
// must call giveBack.
func (s *Server) borrow(ctx context.Context, b *bench) (e *analyze.Engine, _ context.Context, giveBack func(), err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	err = errors.New("no engine plays this game")
	for _, st := range b.seats {
		if st.running == nil || st.pending > 0 {
			err = cmp.Or(st.err, err)
			continue
		}
		ctx, cancel := context.WithCancelCause(ctx)
		ended := context.AfterFunc(st.ctx, func() { cancel(fmt.Errorf("%s has been ended", st.Name)) })
		st.users.Add(1)
		return st.running, ctx, func() { ended(); cancel(nil); st.users.Done() }, nil
	}
	return nil, nil, nil, err
}

// An engineInfo is what a page is told of an engine.
type engineInfo struct {
	Engine   string            `json:"engine"`
	On       bool              `json:"on"` // it is chosen
	Starting bool              `json:"starting,omitempty"`
	Error    string            `json:"error,omitempty"` // why it does not run
	Options  []optionInfo      `json:"options,omitempty"`
	Set      map[string]string `json:"set,omitempty"` // values of options that are not as usual
}

type optionInfo struct {
	Name    string   `json:"name"`
	Help    string   `json:"help,omitempty"`
	Words   []string `json:"words,omitempty"` // the values; if there are none it is a text or a number
	Text    bool     `json:"text,omitempty"`
	Min     int      `json:"min,omitempty"` // both 0: not known
	Max     int      `json:"max,omitempty"`
	Default string   `json:"default,omitempty"`
}

// listEngines answers with the engines for a game.
func (s *Server) listEngines(r *http.Request) (any, error) {
	_, g, err := s.find(r.URL.Query())
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	b, err := s.bench(g.Start.Game())
	if err != nil {
		return nil, err
	}
	return s.enginesOf(b), nil
}

// enginesOf returns what a page is told of engines. The caller holds s.mu.
func (s *Server) enginesOf(b *bench) any {
	all := []engineInfo{}
	for _, st := range b.seats {
		c := s.choiceOf(b, st.Offer)
		info := engineInfo{Engine: printable.Line(st.Name), On: c.On, Starting: c.On && st.pending > 0, Set: c.Set}
		if st.err != nil && c.On && st.pending == 0 {
			info.Error = printable.Text(st.err.Error())
		}
		for _, o := range st.options {
			info.Options = append(info.Options, optionInfo{o.Name, o.Help, o.Words, o.Text, o.Min, o.Max, o.Default})
		}
		all = append(all, info)
	}
	return map[string]any{"engines": all, "threat": b.threat}
}

// threat answers with a position as if the other side were to move, or why that is not legal.
func (s *Server) threat(r *http.Request) (any, error) {
	_, g, err := s.find(r.URL.Query())
	if err != nil {
		return nil, err
	}
	pos, err := g.Start.Game().Position(r.URL.Query().Get("position"))
	handOver := s.Games.Row(g.Start.Game()).HandOver
	if err == nil && handOver == nil {
		err = fmt.Errorf("%s has no threats", engine.Title(pos.Game()))
	}
	if err != nil {
		return nil, refuse(http.StatusUnprocessableEntity, "%w", err)
	}
	if pos, err = handOver(pos); err != nil {
		return map[string]string{"illegal": printable.Text(err.Error())}, nil
	}
	return map[string]string{"position": pos.String()}, nil
}

// An engineChange is what a reader chooses for an engine.
type engineChange struct {
	File   int               `json:"file"`
	Game   int               `json:"game"`
	Engine string            `json:"engine"`
	On     *bool             `json:"on"`
	Set    map[string]string `json:"set"` // all options that are not as usual; nil: as before
}

// chooseEngine adds or removes an engine, or sets its options, and notes that.
func (s *Server) chooseEngine(r *http.Request) (any, error) {
	var change engineChange
	if err := readBody(r, &change); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	_, e, err := s.at(change.File, change.Game)
	if err != nil {
		return nil, err
	}
	b, err := s.bench(e.game.Start.Game())
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(b.seats, func(st *seat) bool { return st.Name == change.Engine })
	if i < 0 {
		return nil, refuse(http.StatusUnprocessableEntity, "there is no engine %q for this game", change.Engine)
	}
	st := b.seats[i]
	c := s.choiceOf(b, st.Offer)
	if change.On != nil {
		c.On = *change.On
	}
	if change.Set != nil {
		c.Set = change.Set
	}
	for name, value := range change.Set {
		i := slices.IndexFunc(st.options, func(o games.Option) bool { return o.Name == name })
		if i < 0 {
			return nil, refuse(http.StatusUnprocessableEntity, "%s offers no option %q", st.Name, name)
		}
		if err := st.options[i].Check(value); err != nil {
			return nil, refuse(http.StatusUnprocessableEntity, "%s=%s: %w", name, value, err)
		}
	}
	if s.choices[b.key] == nil {
		s.choices[b.key] = map[string]choice{}
	}
	s.choices[b.key][st.Name] = c
	s.unkept["engines.json"] = true
	if b.users > 0 || st.running != nil || st.pending > 0 { // also one that the next page would find running
		s.place(b, st)
	}
	return s.enginesOf(b), nil
}
