package attach

import (
	"context"
	"fmt"
	"slices"

	"qhsh/engine"
	"qhsh/engine/games"
	"qhsh/pluginclient"
)

const (
	builtinName = "builtin" // the embedded engine of the usual game
	hashKey     = "hash"    // the option of embedded engines that is the size of their tables in MiB
)

// embedded is the common part of the Rows of embedded engines.
type embedded struct {
	name   string
	games  games.Table
	game   engine.Game // as it is usually played
	player games.Player
	own    []string // options that are the conversation's, and not the engine's
}

func (e embedded) Kind() Kind {
	title := engine.Title(e.game)
	return Kind{
		Name: e.name, Embedded: true,
		Options:  slices.Concat(gameOptions(e.games, e.game), e.player.EngineOptions(), bookOptionList()),
		Examples: []Example{{e.name, "the embedded engine of " + title}},
		Prompt:   fmt.Sprintf("'%s' is the embedded engine of %s, whose words .help lists.\n", e.name, title),
	}
}

func (e embedded) Game(s Spec) (engine.Game, error) {
	game, _, err := e.read(s)
	if err != nil {
		return nil, s.OptionError(err)
	}
	return game, nil
}

// Repeatable reports whether the engine searches on one thread: several threads race each other.
func (e embedded) Repeatable(s Spec) bool {
	_, plan, err := e.read(s)
	return err == nil && plan.Threads == 1
}

// plan returns the engine of a SPEC; Open returns the error of an invalid one.
func (e embedded) plan(s Spec) games.Engine {
	_, plan, _ := e.read(s)
	return plan
}

// memoryOf returns the MiB that a SPEC gives to the tables of its engine; 0: as usual.
func memoryOf(s Spec, plan games.Engine) int {
	if !slices.ContainsFunc(s.Options, func(o games.Setting) bool { return o.Key == hashKey }) {
		return 0
	}
	return plan.Memory
}

// read reads the options of a SPEC.
func (e embedded) read(s Spec) (engine.Game, games.Engine, error) {
	game, rest, err := takeGame(e.games, e.game, s.Options)
	if err != nil {
		return nil, games.Engine{}, err
	}
	rest = slices.DeleteFunc(rest, func(o games.Setting) bool { return slices.Contains(e.own, o.Key) })
	book, rest, err := takeBook(rest)
	if err != nil {
		return nil, games.Engine{}, err
	}
	plan, err := e.player.Engine(game, rest)
	return game, book.with(plan, e.games, game), err
}

// check returns an error if the SPEC has an option that the kind does not have.
func (k Kind) check(s Spec) error {
	for _, o := range s.Options {
		if _, ok := k.option(o.Key); ok {
			continue
		}
		var names []string
		for _, known := range k.Options {
			names = append(names, known.Name)
		}
		return noOption(o.Key, names)
	}
	return nil
}

// An engineInstance is an instance of an embedded engine.
type engineInstance struct {
	games.Engine
	game     engine.Game // that it plays
	searcher engine.Searcher
	release  func() // the memory of its tables; may be called twice
}

// make creates the engine of a SPEC. The caller must call giveBack.
func (e embedded) make(ctx context.Context, s Spec, o Options) (engineInstance, error) {
	game, plan, err := e.read(s)
	if err != nil {
		return engineInstance{}, err
	}
	book, _, _ := takeBook(s.Options) // which read has checked
	if err := book.check(ctx, e.games, game); err != nil {
		return engineInstance{}, err
	}
	giveBack, err := tableMemory.reserve(plan, o.memory())
	if err != nil {
		return engineInstance{}, err
	}
	searcher, err := plan.New()
	if err != nil {
		giveBack()
		return engineInstance{}, err
	}
	return engineInstance{plan, game, searcher, giveBack}, nil
}

// bounds returns b, with Fixed set if the SPEC gives the engine a node limit instead of levels.
func (e engineInstance) bounds(b pluginclient.Bounds) pluginclient.Bounds {
	if levels := engine.WithLevels(e.searcher).Levels(); e.Budget && len(levels) > 0 {
		b.Fixed = levels[0].Limits
	}
	return b
}

// close releases the engine's memory.
func (e engineInstance) close() error {
	e.release()
	return nil
}

// gameOptions returns the options of a game in a SPEC.
func gameOptions(t games.Table, g engine.Game) (all []Option) {
	for _, o := range t.GameOptions() {
		if o.Game.Name() == g.Name() {
			all = append(all, Option{Name: o.Name, Help: o.Help, Words: o.Words})
		}
	}
	return all
}

// takeGame returns the game with its options applied, and the remaining options.
func takeGame(t games.Table, g engine.Game, options []games.Setting) (game engine.Game, rest []games.Setting, err error) {
	values := games.Values{}
	own := gameOptions(t, g)
	for _, s := range options {
		if !slices.ContainsFunc(own, func(o Option) bool { return o.Name == s.Key }) {
			rest = append(rest, s)
			continue
		}
		values[s.Key] = s.Value
	}
	game, err = t.New(g.Name(), values)
	return game, rest, err
}
