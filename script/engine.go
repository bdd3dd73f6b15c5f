package script

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"time"

	startime "go.starlark.net/lib/time"
	"go.starlark.net/starlark"

	"qhsh/engine"
	"qhsh/engine/games"
	"qhsh/pluginclient"
	"qhsh/pluginclient/asking"
	"qhsh/pluginclient/task/batch"
	"qhsh/pluginclient/task/tree"
)

// maxLines is the maximum number of hints: more than any position of a known game has moves.
const maxLines = 1000

func engineFunction(g *catalog) *member {
	return function(`engine(spec: str = "", level: int | None = None, timeout: float | str | None = None, hints: int = 1, nodes: int | None = None, depth: int | None = None) -> Engine`,
		`Starts an engine. The spec is as for -engine: "builtin" with options such as "builtin,nodes=20000", `+otherEngines(g.Table)+`the one of -engine (the default), or one of -allow-engine. A file in any other spec, as in "builtin,book=FILE", is one of the script's arguments, or a file in the script's folder. level is one of the engine's levels. timeout is the time of each search, in seconds or as a text such as "500ms"; nodes and depth limit each search too, which ends at the first limit reached. A timeout without a level is the only limit. An engine that does not support a limit is an error. hints is the default of hints(). Engines are closed at the end of the script.`, openEngine)
}

// otherEngines returns the SPECs of the embedded engines of games other than the default, each
// quoted and followed by a comma.
func otherEngines(t games.Table) string {
	text := ""
	for _, g := range t.Players() {
		if g.Name() != t.DefaultGame().Name() {
			text += fmt.Sprintf("%q, ", g.Name())
		}
	}
	return text
}

func openEngine(t *task, spec string, level, timeout starlark.Value, hints int, nodes, depth starlark.Value) (*engineValue, error) {
	v := &engineValue{env: t.env, scope: t.scope, spec: spec, limits: engine.Limits{Time: t.env.opts.Search.Time}, hints: hints}
	if err := v.configure(level, timeout, nodes, depth); err != nil {
		return nil, err
	}
	err := t.env.permit(t.run, v.spec)
	if err == nil {
		v.engine, err = t.env.startEngine(t.ctx, v.spec, v.options())
	}
	if err != nil {
		return nil, bareError{fmt.Errorf("engine %q: %w", v.spec, err)}
	}
	return v, nil
}

// configure sets the options, with those of the command line as defaults.
func (v *engineValue) configure(level, timeout, nodes, depth starlark.Value) (err error) {
	v.spec = cmp.Or(v.spec, v.env.opts.Engine)
	if v.spec == v.env.opts.Engine {
		v.level = v.env.opts.Level
		v.limits = v.env.opts.Search
	}
	if level != starlark.None {
		n, err := starlark.AsInt32(level)
		if err != nil {
			return fmt.Errorf("level %s: want a number", level)
		}
		v.level = &n
	}
	if v.hints < 1 || v.hints > maxLines {
		return fmt.Errorf("hints %d: want 1 to %d", v.hints, maxLines)
	}
	v.limits.Level = 0
	if v.level != nil {
		v.limits.Level = *v.level
	}
	if timeout != starlark.None {
		if v.limits.Time, err = duration(timeout); err != nil {
			return err
		}
	}
	if err := positive("nodes", nodes, &v.limits.Nodes); err != nil {
		return err
	}
	return positive("depth", depth, &v.limits.Depth)
}

// positive parses a limit unless it is None.
func positive[T int | int64](name string, v starlark.Value, limit *T) error {
	if v == starlark.None {
		return nil
	}
	const most = 1 << 40
	n, ok := v.(starlark.Int)
	number, exact := n.Int64()
	if !ok || !exact || number < 1 || number > most {
		return fmt.Errorf("%s %s: want a number from 1 to %d", name, v, most)
	}
	*limit = T(number)
	return nil
}

func (v *engineValue) options() EngineOptions { return EngineOptions{Level: v.level, Limits: v.limits} }

func (v *engineValue) searchLimits(lines int, ban []engine.Move) engine.Limits {
	lim := v.limits
	lim.Lines, lim.Ban = lines, ban
	return lim
}

// duration parses a time: seconds, a text, or a value of the module time.
func duration(v starlark.Value) (d time.Duration, err error) {
	switch v := v.(type) {
	case startime.Duration:
		d = time.Duration(v)
	case starlark.String:
		d, err = time.ParseDuration(string(v))
	default:
		seconds, ok := starlark.AsFloat(v)
		if !ok {
			return 0, fmt.Errorf("a time is a %s, want seconds or a text such as \"500ms\"", v.Type())
		}
		d = time.Duration(seconds * float64(time.Second))
	}
	if err != nil || d < time.Millisecond || d > 24*time.Hour {
		return 0, fmt.Errorf("time %s: want 1ms to a day, in seconds or as a text such as \"500ms\"", v)
	}
	return d, nil
}

// An engineValue is an engine of a script. In a worker of pmap a replica is used in its place.
type engineValue struct {
	env    *Env
	scope  *scope
	spec   string
	level  *int
	limits engine.Limits // of each search
	hints  int
	engine *runningEngine // nil: the one that the shell is attached to
}

func (v *engineValue) String() string                           { return fmt.Sprintf("engine(%q)", v.name()) }
func (v *engineValue) Type() string                             { return "engine" }
func (v *engineValue) Freeze()                                  {} // threads take turns, or use replicas
func (v *engineValue) Truth() starlark.Bool                     { return true }
func (v *engineValue) Hash() (uint32, error)                    { return starlark.String(v.name()).Hash() }
func (v *engineValue) class() *class                            { return engineClass }
func (v *engineValue) Attr(name string) (starlark.Value, error) { return engineClass.attr(v, name) }
func (v *engineValue) AttrNames() []string                      { return engineClass.attrNames(v) }

func (v *engineValue) name() string {
	if v.engine == nil {
		return "the shell's"
	}
	return v.spec
}

var errEngineClosed = errors.New("the engine is closed")

// session returns the session for the calling thread.
func (v *engineValue) session(t *task) (pluginclient.Session, error) {
	if v.scope == t.scope || v.scope.closed {
		return v.plainSession()
	}
	replica, err := t.scope.replica(t.ctx, v)
	switch {
	case err != nil:
		return nil, err
	case replica.closed || v.engine != nil && v.engine.closed:
		return nil, errEngineClosed
	}
	return replica.session, nil
}

// sessionFor is session for the positions of a game, which the engine must play.
func (v *engineValue) sessionFor(t *task, g *game) (pluginclient.Session, error) {
	s, err := v.session(t)
	if err == nil {
		if plays := s.Position().Game(); plays.Name() != g.kind.game.Name() {
			err = engine.OtherGame(g.Start, plays)
		}
	}
	return s, err
}

func (t *task) asking() asking.Policy { return asking.Policy{OnRetry: t.env.reportRetry} }

// maxReported is the maximum number of engine failures that are reported although a retry follows.
const maxReported = 20

// reportRetry logs that an engine failed at a position and is asked again. Authors of engines need
// to know, whatever the result of the retry.
func (e *Env) reportRetry(pos engine.Position, err error) {
	text := fmt.Sprintf("%s; retrying (position %s)", failureText(err), pos)
	switch n := e.failures.Add(1); {
	case n > maxReported:
		return
	case n == maxReported:
		text += "; further failures are not reported"
	}
	_ = e.console.log(text) // nowhere to report a failure of stderr
}

// failureText returns an engine's failure on one line: the engine, the command, how it ended, and
// the last line of its stderr.
func failureText(err error) string {
	text := pluginclient.Brief(err)
	var failed *pluginclient.Error
	if errors.As(err, &failed) && len(failed.Stderr) > 0 {
		text += "; stderr: " + starlark.String(failed.Stderr[len(failed.Stderr)-1]).String()
	}
	return text
}

func banned(b *board, list starlark.Iterable) ([]engine.Move, error) {
	if list == nil {
		return nil, nil
	}
	var moves []engine.Move
	for v := range starlark.Elements(list) {
		text, ok := starlark.AsString(v)
		if !ok {
			return nil, fmt.Errorf("ban: %s is a %s, want a move", v, v.Type())
		}
		m, err := b.kind.ReadMove(b.pos, text)
		if err != nil {
			return nil, fmt.Errorf("ban: %w", err)
		}
		moves = append(moves, m)
	}
	return moves, nil
}

var engineClass = newClass("Engine", `An engine, made by engine(...). It is cleared before each search, so that an answer does not depend on earlier searches. If it crashes it is restarted and asked once more. Within pmap each worker uses another engine of the same spec.`,
	method("hints(board: Board, hints: int = 0, ban: Iterable[str] = ()) -> list[Hint]", `The best moves, best first; none if the game is over. hints is the number of moves, 0: the default of engine(...). Moves in ban are not considered.`, (*engineValue).best),
	method("best(board: Board, ban: Iterable[str] = ()) -> Hint | None", `The best move with the engine's evaluation; None if the game is over.`,
		func(v *engineValue, t *task, b *board, ban starlark.Iterable) (*hint, error) {
			best, err := v.best(t, b, 1, ban)
			if err != nil || len(best) == 0 {
				return nil, err
			}
			return best[0], nil
		}),
	method("play(board: Board) -> str | None", `Plays the best move on the board and returns it; None if the game is over.`, (*engineValue).play),
	method("tree(board: Board, width: int = 3, depth: int = 3, most: int = 10000) -> Tree", `A tree of the best moves and replies: width moves at each position, depth plies deep, at most most moves in total.`, (*engineValue).tree),
	method("send(line: str) -> list[str]", `Sends a line of the engine's own protocol unchanged and returns the lines of the reply.`, (*engineValue).send),
	method("close() -> None", `Closes the engine. All engines are closed at the end of the script. Within pmap an engine that was started outside cannot be closed.`, (*engineValue).close),
	sessionAttribute("info: EngineInfo", `Information from the engine about itself.`, func(_ *engineValue, s pluginclient.Session) *infoValue {
		return &infoValue{s.Info()}
	}),
	sessionAttribute("level: int | None", `The level at which the engine plays; None if unknown.`, func(_ *engineValue, s pluginclient.Session) starlark.Value {
		return intOrNone(s.Level())
	}),
	sessionAttribute("limits: dict[str, int]", `The limits of each search that are set: level, nodes, depth, and time in milliseconds.`, func(v *engineValue, s pluginclient.Session) *starlark.Dict {
		lim, leveled := pluginclient.BoundsOf(s).Limits(v.limits)
		return dictOf(batch.LimitsOf(lim, leveled).Values(), func(l batch.Limit) (string, int64) { return l.Name, l.Value })
	}),
	sessionAttribute("trace: str", `The last lines of the conversation: > to the engine, ~ to the engine, added by qhsh, < from the engine, ! its stderr, # a remark.`, func(_ *engineValue, s pluginclient.Session) string {
		var b strings.Builder
		for _, entry := range pluginclient.Native(s).Trace().Last(1000, func(pluginclient.Entry) bool { return true }) {
			b.WriteString(entry.Dir.String() + entry.Text + "\n")
		}
		return b.String()
	}),
	sessionAttribute("board: Board", `The board of the session, which send() may change.`, func(v *engineValue, s pluginclient.Session) *board {
		if v.engine != nil { // the shell keeps its own
			s = pluginclient.Native(s)
		}
		return v.env.games.newBoard(s.Position())
	}),
)

// sessionAttribute returns an attribute of an engine that is read from its session.
func sessionAttribute[R any](sig, doc string, get func(*engineValue, pluginclient.Session) R) *member {
	return fallible(sig, doc, func(v *engineValue) (result R, err error) {
		s, err := v.plainSession()
		if err == nil {
			result = get(v, s)
		}
		return result, err
	})
}

// plainSession returns the session whose attributes are read. In a worker it is not the replica:
// both are alike in everything that can be read while the script waits for the workers.
func (v *engineValue) plainSession() (pluginclient.Session, error) {
	if v.engine == nil {
		s, _ := v.env.opts.Shell.Session()
		if s == nil {
			return nil, errors.New("the shell is not attached to an engine: use .attach SPEC")
		}
		return s, nil
	}
	if v.engine.closed {
		return nil, errEngineClosed
	}
	return v.engine.session, nil
}

func (v *engineValue) best(t *task, b *board, lines int, ban starlark.Iterable) ([]*hint, error) {
	if lines < 0 || lines > maxLines {
		return nil, bareError{fmt.Errorf("hints %d: want 1 to %d", lines, maxLines)}
	}
	best, err := v.search(t, b, cmp.Or(lines, v.hints), ban)
	return newHints(b.pos, best), err
}

// search runs a search. If the game is over there are no lines.
func (v *engineValue) search(t *task, b *board, lines int, ban starlark.Iterable) ([]engine.Line, error) {
	if b.pos.Result().Over() {
		return nil, nil
	}
	moves, err := banned(b, ban)
	if err != nil {
		return nil, b.at(err)
	}
	s, err := v.session(t)
	var best []engine.Line
	if err == nil {
		best, err = t.asking().Ask(t.ctx, s, b.pos, v.searchLimits(lines, moves))
	}
	if err != nil {
		return nil, b.at(err)
	}
	return best, nil
}

func (v *engineValue) play(t *task, b *board) (string, error) {
	if b.frozen {
		return "", errFrozen
	}
	best, err := v.search(t, b, 1, nil)
	if err != nil || len(best) == 0 {
		return "", err
	}
	move := b.pos.Format(best[0].Move())
	next, err := b.pos.Play(best[0].Move())
	if err != nil {
		return "", b.at(err)
	}
	b.pos = next
	return move, nil
}

func (v *engineValue) tree(t *task, b *board, width, depth, most int) (any, error) {
	if width < 1 || depth < 1 || most < 1 || width > maxLines {
		return nil, fmt.Errorf("width %d, depth %d, most %d: want 1 or more each, and width up to %d", width, depth, most, maxLines)
	}
	s, err := v.session(t)
	var grown *tree.Tree
	if err == nil {
		grown, err = tree.Grow(t.ctx, s, b.pos, tree.Options{Width: width, Depth: depth, MaxNodes: most, Limits: v.searchLimits(0, nil)})
	}
	if err != nil {
		return nil, b.at(err)
	}
	return node{b.kind, grown, grown.Root}, nil
}

func (v *engineValue) send(t *task, line string) ([]string, error) {
	s, err := v.session(t)
	if err != nil {
		return nil, err
	}
	reply, err := pluginclient.Native(s).Raw(t.ctx, line)
	if err != nil {
		return nil, bareError{fmt.Errorf("send %q: %w", line, err)}
	}
	return reply, nil
}

func (v *engineValue) close(t *task) error {
	switch {
	case v.scope != t.scope && !v.scope.closed:
		return fmt.Errorf("%s was started outside pmap and must be closed there", v)
	case v.engine == nil:
		return errors.New("a script cannot close the shell's engine: use .detach")
	}
	v.env.engines.close(t.ctx, v.engine)
	return nil
}

// An infoValue is the information from an engine about itself.
type infoValue struct{ info pluginclient.Info }

func (v *infoValue) String() string                           { return v.info.Name + " (" + v.info.Protocol + ")" }
func (v *infoValue) Type() string                             { return "engine_info" }
func (v *infoValue) Freeze()                                  {} // it never changes
func (v *infoValue) Truth() starlark.Bool                     { return true }
func (v *infoValue) Hash() (uint32, error)                    { return starlark.String(v.String()).Hash() }
func (v *infoValue) class() *class                            { return infoClass }
func (v *infoValue) Attr(name string) (starlark.Value, error) { return infoClass.attr(v, name) }
func (v *infoValue) AttrNames() []string                      { return infoClass.attrNames(v) }

var infoClass = newClass("EngineInfo", `Information from an engine about itself.`,
	attribute("name: str", `The engine's name.`, func(v *infoValue) string { return v.info.Name }),
	attribute("protocol: str", `The protocol with its version, such as "QHPLUGIN V1.3".`,
		func(v *infoValue) string { return v.info.Protocol }),
	attribute("levels: dict[int, str]", `The levels that the engine offers, weakest first, with their descriptions.`,
		func(v *infoValue) *starlark.Dict {
			return dictOf(v.info.Levels, func(level engine.Level) (int, string) { return level.ID, level.Text })
		}),
	attribute("text: str", `Further information, in lines.`,
		func(v *infoValue) string { return strings.Join(v.info.Text, "\n") }),
)

var shellFunction = function("shell(line: str) -> str", `Runs a line of the shell as if typed and returns its output. It exists only in the shell.`, shellRun)

func shellRun(t *task, line string) (string, error) {
	if t.scope != t.env.scope {
		return "", errors.New("not within pmap")
	}
	text, err := t.env.opts.Shell.Run(t.ctx, line)
	if err != nil {
		return "", bareError{fmt.Errorf("shell %q: %w", cut(line, 100), err)}
	}
	return text, nil
}
