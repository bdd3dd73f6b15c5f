package attach

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"strconv"
	"sync/atomic"
	"time"

	"qhsh/engine"
	"qhsh/engine/quoridor"
	"qhsh/engine/quoridor/search"
	"qhsh/engine/xiangqi"
	"qhsh/pluginclient"
	"qhsh/pluginclient/bench"
	"qhsh/pluginclient/check"
	qtpcheck "qhsh/pluginclient/check/qtp"
	"qhsh/pluginclient/qtp"
)

// Game is the game that the engine of a SPEC plays, with the size and the walls of the SPEC
// if it is Quoridor.
func Game(text string, names map[string]string) (engine.Game, error) {
	s, err := parseSpec(text, names)
	if err != nil {
		return nil, err
	}
	if s.name != quoridorName && s.name != qtpName {
		return xiangqi.Rules, nil
	}
	o, err := s.quoridor()
	return o.rules, err
}

// quoridorOptions are those of a SPEC of Quoridor.
type quoridorOptions struct {
	rules  quoridor.Rules
	search search.Options // of the embedded engine
	strict bool           // of a program
	dir    string         // likewise
}

// quoridor reads the options of a SPEC of Quoridor. A size without walls has as many as the
// protocol's authors give it.
func (s spec) quoridor() (quoridorOptions, error) {
	o := quoridorOptions{rules: quoridor.Default}
	hasWalls := false
	for _, opt := range s.options {
		if err := o.set(s.name, opt); err != nil {
			return o, fmt.Errorf("%w: %s: %w", ErrSpec, s.name, err)
		}
		hasWalls = hasWalls || opt.key == "walls"
	}
	if !hasWalls {
		o.rules.Walls = quoridor.UsualWalls(o.rules.Size)
	}
	if _, err := quoridor.NewRules(o.rules.Size, o.rules.Walls); err != nil {
		return o, fmt.Errorf("%w: %s: %w", ErrSpec, s.name, err)
	}
	return o, nil
}

func (o *quoridorOptions) set(name string, opt option) (err error) {
	read := func(n *int) error {
		*n, err = opt.number(false)
		return err
	}
	switch {
	case opt.key == "size":
		return read(&o.rules.Size)
	case opt.key == "walls":
		return read(&o.rules.Walls)
	case opt.key == "hash" && name == quoridorName:
		return read(&o.search.Hash)
	case opt.key == "strict" && name == qtpName:
		if o.strict, err = strconv.ParseBool(opt.value); err != nil {
			return fmt.Errorf("strict=%s: want true or false", opt.value)
		}
		return nil
	case opt.key == dirKey && name == qtpName:
		o.dir = opt.value
		return nil
	case name == qtpName:
		return fmt.Errorf("there is no option %q, only size, walls, strict and dir", opt.key)
	}
	return fmt.Errorf("there is no option %q, only size, walls and hash", opt.key)
}

// newEngine makes the embedded engine. Who has no use for it any more gives its memory back.
func (o quoridorOptions) newEngine(outer Options) (e *search.Engine, giveBack func(), err error) {
	if giveBack, err = tables.take(cmp.Or(o.search.Hash, search.DefaultHash), outer.memory()); err != nil {
		return nil, nil, err
	}
	if e, err = search.New(o.search); err != nil {
		giveBack()
	}
	return e, giveBack, err
}

// openQTP starts a program that speaks QTP.
func (s spec) openQTP(ctx context.Context, o Options) (pluginclient.Session, error) {
	options, err := s.quoridor()
	if err != nil {
		return nil, err
	}
	cmd := pluginclient.Command{Path: s.command[0], Args: s.command[1:], Dir: options.dir}
	client, err := qtp.Dial(ctx, qtp.Program{Name: cmd.Path, Start: cmd.Start}, qtp.Options{
		Deadlines: o.Deadlines, Log: o.Log, Warn: o.Warn, Rules: options.rules, Strict: options.strict,
	})
	if err != nil {
		return nil, fmt.Errorf("attach %w", err) // it names the engine
	}
	return client, nil
}

// examineQTP are the checks for a program that speaks QTP, or for the embedded engine.
func (s spec) examineQTP(o Options) (*check.Suite, error) {
	options, err := s.quoridor()
	if err != nil {
		return nil, err
	}
	if s.name == qtpName {
		cmd := pluginclient.Command{Path: s.command[0], Args: s.command[1:], Dir: options.dir}
		return qtpcheck.Suite(qtpcheck.Engine{Name: cmd.Path, Start: cmd.Start, Log: o.Log}), nil
	}
	searcher, giveBack, err := options.newEngine(o)
	if err != nil {
		return nil, fmt.Errorf("%w: %s: %w", ErrSpec, s.name, err)
	}
	giveBack() // as with the engine of Xiangqi
	server := &qtp.Server{Searcher: searcher, Name: "qhsh", Rules: options.rules, Limits: func() engine.Limits {
		return engine.Limits{Level: engine.DefaultLevel}
	}}
	return qtpcheck.Suite(qtpcheck.Engine{Name: server.Name, Start: qtp.InProcess(server).Start, Log: o.Log}), nil
}

var _ bench.Counter = (*quoridorEngine)(nil)

// quoridorEngine is the embedded engine of Quoridor as a Session: the conversation goes
// through a server on an in-memory pipe, searches go straight to the engine.
type quoridorEngine struct {
	*qtp.Client
	searcher *search.Engine
	giveBack func() // the memory of its table
	level    atomic.Int64
	latest   atomic.Pointer[thought]
}

func (s spec) openQuoridor(ctx context.Context, o Options) (pluginclient.Session, error) {
	options, err := s.quoridor()
	if err != nil {
		return nil, err
	}
	searcher, giveBack, err := options.newEngine(o)
	if err != nil {
		return nil, fmt.Errorf("%w: %s: %w", ErrSpec, s.name, err)
	}
	e := &quoridorEngine{searcher: searcher, giveBack: giveBack}
	e.level.Store(engine.DefaultLevel)
	server := &qtp.Server{
		Searcher: searcher, Name: "qhsh", Rules: options.rules,
		Limits: func() engine.Limits { return engine.Limits{Level: int(e.level.Load())} },
		Watch:  func(pos engine.Position, lines []engine.Line) { e.latest.Store(&thought{pos, lines}) },
	}
	if e.Client, err = qtp.Dial(ctx, qtp.InProcess(server), qtp.Options{
		Deadlines: o.Deadlines, Log: o.Log, Warn: o.Warn, Rules: options.rules,
	}); err != nil {
		giveBack()
		return nil, fmt.Errorf("attach %w", err)
	}
	return e, nil
}

// Close ends the conversation and lets go of the engine.
func (e *quoridorEngine) Close() error {
	defer e.giveBack()
	return e.Client.Close()
}

// Info is the engine's name and its levels.
func (e *quoridorEngine) Info() pluginclient.Info {
	info := e.Client.Info()
	info.Levels, info.Text = e.searcher.Levels(), []string{"The embedded engine of qhsh for Quoridor"}
	return info
}

// Level is that of searches that have no limits of their own, and of genmove.
func (e *quoridorEngine) Level() (id int, known bool) { return int(e.level.Load()), true }

// SetLevel sets it.
func (e *quoridorEngine) SetLevel(_ context.Context, id int) error {
	if err := announced(id, e.searcher.Levels()); err != nil {
		return fmt.Errorf("%w: %w", pluginclient.ErrRefused, err)
	}
	e.level.Store(int64(id))
	return nil
}

// Search is the engine's, at the current level unless the limits name a level, a number of
// nodes or a depth.
func (e *quoridorEngine) Search(ctx context.Context, pos engine.Position, lim engine.Limits) iter.Seq2[[]engine.Line, error] {
	if lim.Level == 0 && lim.Nodes == 0 && lim.Depth == 0 {
		lim.Level, _ = e.Level()
	}
	return e.searcher.Search(ctx, pos, lim)
}

// Thinking is the latest list that the engine has come to while it thought about the
// conversation's position, best line first; none if it has not.
func (e *quoridorEngine) Thinking() []engine.Line {
	t := e.latest.Load()
	if t == nil || t.pos.Key() != e.Position().Key() {
		return nil
	}
	return t.lines
}

// Forget makes the engine answer as if new.
func (e *quoridorEngine) Forget() { e.searcher.Forget() }

// Perft counts the sequences of legal moves on one thread.
func (e *quoridorEngine) Perft(ctx context.Context, pos engine.Position, depth int) (int64, error) {
	p, ok := pos.(*quoridor.Position)
	if !ok {
		return 0, engine.OtherGame(pos, quoridor.Default)
	}
	branches, err := quoridor.Divide(ctx, p, depth, 1)
	sum := int64(0)
	for _, branch := range branches {
		sum += branch.Nodes
	}
	return sum, err
}

// QTPServer is the server that stands in front of a SPEC's engine, for qhsh -qtp; builtin is
// the embedded engine of Quoridor then. It thinks for the given time about each move; 0: at
// the level of the options, or if they name none as long as a program likes, and the embedded
// engine for qtp.DefaultTime. Closing is that of [ending].
func QTPServer(ctx context.Context, text string, o Options, limit time.Duration) (server *qtp.Server, closing func() error, err error) {
	s, err := parseSpec(text, o.Names)
	if err != nil {
		return nil, nil, err
	}
	if s.name == builtinName && len(s.options) == 0 {
		s.name = quoridorName
	}
	session, err := s.open(ctx, o)
	if err != nil {
		return nil, nil, err
	}
	if game := session.Position().Game().Name(); game != quoridor.Default.Name() {
		session.Close()
		return nil, nil, fmt.Errorf("%w: %s plays %s, and QTP is for quoridor", ErrSpec, text, game)
	}
	lim := engine.Limits{Time: limit}
	embedded, _ := session.(*quoridorEngine)
	switch {
	case o.Level != nil:
		if err := setLevel(ctx, session, *o.Level); err != nil {
			session.Close()
			return nil, nil, err
		}
		lim.Level = *o.Level
	case limit == 0 && embedded != nil:
		lim.Time = qtp.DefaultTime
	}
	server = &qtp.Server{
		Searcher: session, Name: session.Info().Name, Warn: o.Warn,
		Limits: func() engine.Limits { return lim },
	}
	if embedded != nil {
		server.Searcher = embedded.searcher
	}
	if rules, ok := session.Position().Game().(quoridor.Rules); ok {
		server.Rules = rules
	}
	return server, ending(session), nil
}
