package attach

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"iter"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"qhsh/engine"
	"qhsh/engine/games"
	"qhsh/engine/printable"
	"qhsh/pluginclient"
	"qhsh/pluginclient/protocol/jsonl"
	"qhsh/pluginclient/protocol/jsonl/jsonlcheck"
	"qhsh/pluginclient/task/analyze"
	"qhsh/pluginclient/task/batch"
	"qhsh/pluginclient/task/check"
)

// gameKey is the option of a program that plays any game, and begins the names of engines.json that are
// referees: game=NAME.
const gameKey = "game"

func jsonlPrograms(t games.Table) Row {
	options := []Option{{Name: gameKey, Help: "the game that it plays, `NAME` of 'qhsh help positions' or of a referee in engines.json", Words: t.Names()}}
	for _, g := range t.Games() {
		for _, o := range gameOptions(t, g) {
			if !slices.ContainsFunc(options, func(known Option) bool { return known.Name == o.Name }) {
				options = append(options, o)
			}
		}
	}
	names := t.Names()
	const text = "be an engine for JSON lines, for any game"
	return Row{
		Kind: Kind{
			Name: "jsonl", Title: jsonl.Protocol, Options: append(options, programOptions...), Checked: true,
			Greeting: `{"id":1,"action":"versions"}`, Answer: `^{.*"id":\s*1\b`,
			Examples: []Example{{"jsonl,game=" + names[len(names)-1] + ":./engine.py", "a program of your own that speaks JSON lines and plays any game"}},
			Prompt:   "A program such as 'jsonl:./engine.py' is spoken to in the words of an embedded engine without a protocol.\n",
		},
		Modes: []Mode{{Flag: "-jsonl", Summary: text, Line: Usage{"-jsonl [debug]", text}, Game: t.DefaultGame(), Serve: serveJSONL(t)}},
		Parse: func(s Spec) (Parsed, error) { return parseJSONL(t, s) },
	}
}

func parseJSONL(t games.Table, s Spec) (p Parsed, err error) {
	cmd, options, err := s.Program()
	if err != nil {
		return p, err
	}
	game := t.DefaultGame()
	if i := slices.IndexFunc(options, func(o games.Setting) bool { return o.Key == gameKey }); i >= 0 {
		name := options[i].Value
		at := slices.Index(t.Names(), name)
		if at < 0 {
			return p, s.OptionError(fmt.Errorf(`game=%s: unknown game: want %s, or name the program that knows its rules in engines.json, as in "game=%s": "jsonl:./referee"`,
				name, printable.OneOf(t.Names()), name))
		}
		game, options = t.Games()[at], slices.Delete(slices.Clone(options), i, i+1)
	}
	if _, foreign := game.(*jsonl.Game); !foreign {
		game, options, err = takeGame(t, game, options)
	}
	if err == nil && len(options) > 0 {
		names := []string{gameKey}
		for _, o := range gameOptions(t, game) {
			names = append(names, o.Name)
		}
		err = noOption(options[0].Key, append(names, dirKey, envPrefix+"NAME"))
	}
	if err != nil {
		return p, s.OptionError(err)
	}
	p.Game = game
	program := namedByScript(cmd)
	p.Open = func(ctx context.Context, o Options) (pluginclient.Session, error) {
		if err := prepare(game); err != nil {
			return nil, err
		}
		native, err := jsonl.Dial(ctx, program, jsonl.Options{Game: game, ClientOptions: o.ClientOptions})
		if err != nil {
			return attached(native, err)
		}
		name := native.Info().Name
		s := jsonlSession{native: native, prompt: &prompt{
			levelSetter: &levelSetter{levels: native.Levels()}, engine: engineInstance{game: game, searcher: native}, games: t, name: name,
			latest: &latestLines{}, position: game.Start(), trace: pluginclient.NewTrace(name, nil), turn: pluginclient.NewTurn(func() string { return name }),
		}}
		pluginclient.Rename(s, name)
		return s, nil
	}
	p.Examine = func(_ context.Context, o Options) (*check.Suite, error) {
		return jsonlcheck.Suite(program, game, o.Log), prepare(game)
	}
	return p, nil
}

// namedByScript returns a program, named by its script if it is an interpreter.
func namedByScript(cmd pluginclient.Command) pluginclient.Program {
	return pluginclient.Program{Name: filepath.Base(programOf(append([]string{cmd.Path}, cmd.Args...))), Start: cmd.Start}
}

// prepare starts the referee of a game whose rules are known to a program alone.
func prepare(game engine.Game) error {
	if g, ok := game.(*jsonl.Game); ok {
		return g.Prepare()
	}
	return nil
}

// A jsonlSession is the Session of a program that speaks JSONL: a prompt in front of it, which has the board.
type jsonlSession struct {
	*prompt
	native *jsonl.Client
}

func (s jsonlSession) Native() pluginclient.Session      { return s.native }
func (s jsonlSession) Info() pluginclient.Info           { return s.native.Info() }
func (s jsonlSession) State() pluginclient.State         { return s.native.State() }
func (s jsonlSession) Restart(ctx context.Context) error { return s.native.Restart(ctx) }
func (s jsonlSession) Kill()                             { s.native.Kill() }

// Bounds returns the level, which applies to every search without other limits once it is set.
func (s jsonlSession) Bounds() pluginclient.Bounds {
	level, known := s.Level()
	return pluginclient.Bounds{Level: level, Known: known, Chosen: known}
}

func (s jsonlSession) Search(ctx context.Context, pos engine.Position, lim engine.Limits) iter.Seq2[[]engine.Line, error] {
	lim, _ = s.Bounds().Limits(lim)
	return s.prompt.Search(ctx, pos, lim)
}

func (s jsonlSession) Idle(ctx context.Context) error {
	if err := s.prompt.Idle(ctx); err != nil {
		return err
	}
	return s.native.Idle(ctx)
}

func (s jsonlSession) Close() error {
	_ = s.prompt.Close()
	return s.native.Close()
}

// WithReferees returns a table with one game more for each of names, those of engines.json, that is
// game=NAME: its rules are known to the program of the SPEC alone. In their place rest names the programs as
// engines for their games. Nothing is started before it is needed. The caller must call closing at the end.
// The error wraps ErrSpec.
func WithReferees(ctx context.Context, t games.Table, names map[string]string, warn func(string)) (all games.Table, rest map[string]string, closing func(), err error) {
	var referees []*jsonl.Game
	closing = func() {
		for _, g := range referees {
			_ = g.Close()
		}
	}
	all, rest = t, maps.Clone(names)
	for _, key := range slices.Sorted(maps.Keys(names)) {
		name, isGame := strings.CutPrefix(key, gameKey+"=")
		if !isGame {
			continue
		}
		e, err := Parse(names[key], Options{Games: t, Names: names})
		switch {
		case name == "" || strings.ContainsAny(name, ",="):
			err = fmt.Errorf("%w: %s: invalid name %q of a game: use letters, digits, . _ + -", ErrSpec, key, name)
		case slices.Contains(t.Names(), name):
			err = fmt.Errorf("%w: %s: the rules of this game are known", ErrSpec, key)
		case err == nil && e.Kind.Name != "jsonl":
			err = fmt.Errorf("%w: %s: %q is no referee: want a program that speaks JSON lines, as in jsonl:./referee", ErrSpec, key, names[key])
		}
		if err != nil {
			return t, nil, closing, err
		}
		cmd, _, _ := e.spec.Program()
		g := jsonl.NewGame(ctx, name, namedByScript(cmd), jsonl.Options{ClientOptions: pluginclient.ClientOptions{Warn: warn}})
		referees, all = append(referees, g), all.With(refereeRow(g))
		delete(rest, key)
		if rest[name] == "" {
			rest[name] = e.withSettings(append([]games.Setting{{Key: gameKey, Value: name}}, e.spec.Options...))
		}
	}
	return all, rest, closing, nil
}

func refereeRow(g *jsonl.Game) *games.Row {
	return &games.Row{
		Game: g,
		New:  func(games.Values) (engine.Game, error) { return g, g.Prepare() },
		Draw: func(p engine.Position, _ games.TextOptions) string {
			text, _ := p.(*jsonl.Position).Board()
			text = cmp.Or(text, p.String())
			return strings.TrimRight(text, "\n") + "\n"
		},
		Picture: func(p engine.Position) string {
			_, svg := p.(*jsonl.Position).Board()
			return svg
		},
		Foreign: true,
	}
}

// serveJSONL returns the Serve function of -jsonl: 'qhsh analyze' with one engine.
func serveJSONL(t games.Table) func(context.Context, ServeConfig) error {
	return func(ctx context.Context, c ServeConfig) error {
		e := c.Engine
		game, err := e.FindGame(ctx)
		if err != nil {
			return err
		}
		pool, err := batch.NewPool(ctx, batch.PoolOptions{Open: e.Open, Spec: e.Spec, Jobs: 1, Limits: engine.Limits{Time: c.Time}, Warn: e.Options.Warn})
		if err != nil {
			return err
		}
		in, out := c.In, c.Out
		if c.Trace != nil {
			in = io.TeeReader(in, lineTracer{c.Trace, pluginclient.Sent, &bytes.Buffer{}})
			out = io.MultiWriter(out, lineTracer{c.Trace, pluginclient.Received, &bytes.Buffer{}})
		}
		_, err = analyze.Run(ctx, in, out, analyze.Options{
			Engines: []analyze.Engine{{
				Name: e.Kind.Name, Spec: e.Spec, Protocol: e.Title, Game: t.AnyNotation(game), UnsupportedLimits: e.UnsupportedLimits, Pool: pool,
			}},
			Version: pluginclient.Version, Board: func(p engine.Position) string { return t.Draw(p, games.TextOptions{}) },
		})
		return cmp.Or(err, pool.Close())
	}
}

// A lineTracer writes the lines that are written to it to a trace.
type lineTracer struct {
	trace *pluginclient.Trace
	dir   pluginclient.Direction
	rest  *bytes.Buffer
}

func (l lineTracer) Write(p []byte) (int, error) {
	l.rest.Write(p)
	for {
		line, rest, whole := bytes.Cut(l.rest.Bytes(), []byte("\n"))
		if !whole {
			return len(p), nil
		}
		l.trace.Add(l.dir, strings.TrimRight(string(line), "\r"))
		l.rest.Next(l.rest.Len() - len(rest))
	}
}
