package attach

import (
	"context"
	"fmt"
	"slices"

	"qhsh/engine"
	"qhsh/engine/games"
	"qhsh/engine/qchess"
	"qhsh/engine/quoridor"
	"qhsh/engine/xiangqi"
	"qhsh/pluginclient"
	"qhsh/pluginclient/protocol/qhplugin"
	"qhsh/pluginclient/protocol/qhplugin/qhcheck"
	"qhsh/pluginclient/task/check"
)

const (
	builtinName = "builtin" // the embedded engine of the usual game
	hashKey     = "hash"    // the option of embedded engines that is the size of their tables in MiB
	hintsKey    = "hints"   // the option for the number of hints that the QHPLUGIN command HINTS returns
)

// An embedded describes the embedded engine of a game.
type embedded struct {
	name   string
	games  games.Table
	game   engine.Game // as it is usually played
	player *games.Row
}

type engineInstance struct {
	games.Engine
	game     engine.Game // that it plays
	searcher leveledSearcher
	release  func() // the memory of its tables; may be called twice
}

// fixed returns the node limit that the SPEC gives to the engine instead of levels, if any.
func (e engineInstance) fixed() engine.Limits {
	if levels := e.searcher.Levels(); e.Budget && len(levels) > 0 {
		return levels[0].Limits
	}
	return engine.Limits{}
}

// A talk is what an embedded engine is spoken to in.
type talk struct {
	// open returns a conversation, and whatever it notes of its searches. The caller releases the engine.
	open func(ctx context.Context, e engineInstance, o Options) (pluginclient.Session, *latestLines, error)
	// examine returns checks of it; nil if there are none.
	examine func(e engineInstance, o Options) *check.Suite
}

// row returns the row of the engine, with the protocol of its game if there is one.
func (e embedded) row() Row {
	switch e.game.Name() {
	case xiangqi.Rules.Name():
		return e.withPlugin()
	case quoridor.Default.Name():
		return e.withQTP()
	case qchess.Rules.Name():
		return e.withAgent()
	}
	return e.with(talk{open: e.openPrompt})
}

func (e embedded) with(t talk) Row {
	title := engine.Title(e.game)
	return Row{
		Kind: Kind{
			Name: e.name, Embedded: true, Checked: t.examine != nil,
			Options:  slices.Concat(gameOptions(e.games, e.game), e.player.EngineOptions(), bookOptionList),
			Examples: []Example{{e.name, "the embedded engine of " + title}},
			Prompt:   fmt.Sprintf("'%s' is the embedded engine of %s, whose words .help lists.\n", e.name, title),
		},
		Parse: func(s Spec) (Parsed, error) { return e.parse(s, t) },
	}
}

// parse reads the options of a SPEC: those of the game, of a book, and of the engine.
func (e embedded) parse(s Spec, t talk) (Parsed, error) {
	game, rest, err := takeGame(e.games, e.game, s.Options)
	if err != nil {
		return Parsed{}, s.OptionError(err)
	}
	book, rest, err := takeBook(rest)
	if err != nil {
		return Parsed{}, s.OptionError(err)
	}
	plan, err := e.player.Engine(game, rest)
	if err != nil {
		return Parsed{}, s.OptionError(err)
	}
	plan = book.with(plan, e.games, game)
	p := Parsed{
		Game: game, Reads: plan.Files, Evaluation: plan.Evaluation, Book: book.path, book: book,
		tunable: e.player.EngineOptions(),
	}
	if slices.ContainsFunc(s.Options, func(o games.Setting) bool { return o.Key == hashKey }) {
		p.Memory = plan.Memory
	}
	p.create = func(ctx context.Context, o Options) (i engineInstance, err error) {
		if i, err = e.create(ctx, game, plan, book, o); err != nil {
			err = s.OptionError(err)
		}
		return i, err
	}
	p.Open = func(ctx context.Context, o Options) (pluginclient.Session, error) {
		i, err := p.create(ctx, o)
		if err != nil {
			return nil, err
		}
		conversation, latest, err := t.open(ctx, i, o)
		if err != nil {
			i.release()
			return nil, err
		}
		var searcher engine.Searcher = i.searcher
		if own, ok := conversation.(*prompt); ok { // which is not spoken to during a search
			searcher = own
		}
		l := newLocal(conversation, tracedSearcher{searcher, conversation.Trace()}, latest)
		l.fixed = i.fixed()
		return &embeddedSession{l, i, e.games}, nil
	}
	if t.examine != nil {
		p.Examine = func(ctx context.Context, o Options) (*check.Suite, error) {
			i, err := p.create(ctx, o)
			if err != nil {
				return nil, err
			}
			i.release() // the end of the checks is not known, and no other engine is open meanwhile
			return t.examine(i, o), nil
		}
	}
	return p, nil
}

// create creates an engine. The caller must release it.
func (e embedded) create(ctx context.Context, game engine.Game, plan games.Engine, book bookOptions, o Options) (engineInstance, error) {
	if err := book.check(ctx, e.games, game); err != nil {
		return engineInstance{}, fmt.Errorf("%s=%s: %w", bookKey, book.path, err)
	}
	release, err := tableMemory.reserve(plan, o.memory())
	if err != nil {
		return engineInstance{}, err
	}
	searcher, err := plan.New()
	if err != nil {
		release()
		return engineInstance{}, err
	}
	return engineInstance{plan, game, engine.WithLevels(searcher), release}, nil
}

// withPlugin returns the row of an engine that is spoken to in QHPLUGIN.
func (e embedded) withPlugin() Row {
	r := e.with(talk{})
	r.Prompt, r.Checked = "", true
	at := slices.IndexFunc(r.Options, func(o Option) bool { return o.Name == "rules" })
	r.Options = slices.Insert(r.Options, max(at, 0), Option{Name: hintsKey, Help: "how many hints HINTS gives"})
	r.Examples = []Example{
		{r.Name, "the embedded engine"},
		{r.Name + ",nodes=20000,hash=64", "with options: nodes a move, MiB of memory, threads, rules"},
		{r.Name + ",threads=4", "with several threads: no more than one for every 16,384 nodes\nwhere those are limited; with more than cores it stops later"},
	}
	r.Parse = func(s Spec) (Parsed, error) {
		hints, own := 0, s
		if i := slices.IndexFunc(s.Options, func(o games.Setting) bool { return o.Key == hintsKey }); i >= 0 {
			var err error
			if hints, err = s.Options[i].Positive(); err != nil {
				return Parsed{}, s.OptionError(err)
			}
			own.Options = slices.Delete(slices.Clone(s.Options), i, i+1)
		}
		p, err := e.parse(own, talk{
			open: func(ctx context.Context, i engineInstance, o Options) (pluginclient.Session, *latestLines, error) {
				return dialServer(ctx, embeddedServer(i, hints, o), o)
			},
			examine: func(i engineInstance, o Options) *check.Suite {
				return qhcheck.Suite(qhcheck.InProcess(embeddedServer(i, hints, o), o.Log))
			},
		})
		p.hints = hints
		return p, err
	}
	return r
}

func embeddedServer(e engineInstance, hints int, o Options) *qhplugin.Server {
	server := &qhplugin.Server{
		Searcher: e.searcher, Name: "qhsh", Hints: hints,
		Text: append([]string{"The embedded engine of qhsh " + pluginclient.Version}, e.Text...),
	}
	if o.Level != nil { // one that it does not have is refused later
		server.Level = *o.Level
	}
	return server
}

// dialServer connects to a QHPLUGIN server on an in-memory pipe.
func dialServer(ctx context.Context, server *qhplugin.Server, o Options) (pluginclient.Session, *latestLines, error) {
	latest := &latestLines{}
	server.Watch = latest.watch
	client, err := qhplugin.Dial(ctx, qhplugin.InProcess(server), qhplugin.Options{ClientOptions: o.ClientOptions})
	if err != nil {
		return nil, nil, fmt.Errorf("attach %s: %w", server.Name, err)
	}
	return client, latest, nil
}

func gameOptions(t games.Table, g engine.Game) []Option { return t.Row(g).Options }

// takeGame returns the game with its options applied, and the remaining options.
func takeGame(t games.Table, g engine.Game, options []games.Setting) (game engine.Game, rest []games.Setting, err error) {
	values := games.Values{}
	own := gameOptions(t, g)
	for _, s := range options {
		if slices.ContainsFunc(own, func(o Option) bool { return o.Name == s.Key }) {
			values[s.Key] = s.Value
		} else {
			rest = append(rest, s)
		}
	}
	game, err = t.New(g.Name(), values)
	return game, rest, err
}
