package script

import (
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

// maxLines bounds how many hints may be asked for: no position of a known game has as
// many moves.
const maxLines = 1000

func engineFunction(g *catalog) member {
	return function(`engine(spec: str = "", level: int | None = None, timeout: float | str | None = None, hints: int = 1, nodes: int | None = None, depth: int | None = None) -> Engine`,
		`Starts an engine. The spec is as for -engine: "builtin" with options such as
"builtin,nodes=20000", `+otherEngines(g.Table)+`the one that -engine names, or one that -allow-engine names;
without it, it is that of -engine. The level is a number that the engine knows. The timeout
of each search is in seconds, or a text such as "500ms"; nodes and depth bound each search too,
which ends with the first limit that is reached. A timeout without a level is that time alone.
An engine that cannot be given one of the limits is refused. hints is how many are given where
hints() is not told. Engines are closed at the end of the script.`, openEngine)
}

// otherEngines returns the SPECs of the embedded engines of other games than the usual one, each in
// quotes with a comma behind it.
func otherEngines(t games.Table) string {
	text := ""
	for _, g := range t.Players() {
		if g.Name() != t.DefaultGame().Name() {
			text += fmt.Sprintf("%q, ", g.Name())
		}
	}
	return text
}

func openEngine(c *call) (starlark.Value, error) {
	t := taskOf(c.thread)
	v := &engineValue{env: t.env, scope: t.scope, limits: engine.Limits{Time: t.env.opts.Search.Time}, hints: 1}
	var level, timeout, nodes, depth starlark.Value = starlark.None, starlark.None, starlark.None, starlark.None
	if err := c.unpack(&v.spec, &level, &timeout, &v.hints, &nodes, &depth); err != nil {
		return nil, err
	}
	if err := v.configure(level, timeout, nodes, depth); err != nil {
		return nil, fmt.Errorf("engine: %w", err)
	}
	if err := t.env.permit(t.run, v.spec); err != nil {
		return nil, fmt.Errorf("engine %q: %w", v.spec, err)
	}
	s, err := t.env.startEngine(t.ctx, v.spec, v.options())
	if err != nil {
		return nil, fmt.Errorf("engine %q: %w", v.spec, err)
	}
	v.engine = s
	return v, nil
}

// configure reads the options, and fills in those of the command line.
func (v *engineValue) configure(level, timeout, nodes, depth starlark.Value) (err error) {
	if v.spec == "" {
		v.spec = v.env.opts.Engine
	}
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
	if v.limits.Level = 0; v.level != nil {
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

// positive reads a limit, unless it is None.
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

// options returns how the engine is started.
func (v *engineValue) options() EngineOptions { return EngineOptions{Level: v.level, Limits: v.limits} }

// searchLimits returns those of a search.
func (v *engineValue) searchLimits(lines int, ban []engine.Move) engine.Limits {
	lim := v.limits
	lim.Lines, lim.Ban = lines, ban
	return lim
}

// duration reads a time: seconds, a text, or a value of the module time.
func duration(v starlark.Value) (d time.Duration, err error) {
	switch v := v.(type) {
	case startime.Duration:
		d = time.Duration(v)
	case starlark.String:
		d, err = time.ParseDuration(string(v))
	default:
		seconds, ok := starlark.AsFloat(v)
		if !ok {
			return 0, fmt.Errorf("a time is a %s; want seconds, or a text such as \"500ms\"", v.Type())
		}
		d = time.Duration(seconds * float64(time.Second))
	}
	if err != nil || d < time.Millisecond || d > 24*time.Hour {
		return 0, fmt.Errorf("the time %s: want 1ms to a day, as seconds or as a text such as \"500ms\"", v)
	}
	return d, nil
}

// An engineValue is an engine of a script. What runs is a seat: in a worker of pmap that
// of a twin.
type engineValue struct {
	env    *Env
	scope  *scope
	spec   string
	level  *int
	limits engine.Limits // of each search
	hints  int
	engine *runningEngine // nil: the one that the shell is attached to
}

var (
	_ hasClass          = (*engineValue)(nil)
	_ starlark.HasAttrs = (*engineValue)(nil)
)

// newAttached returns the engine that the shell is attached to, whichever that is. The shell
// sees to its timeout.
func newAttached(e *Env) *engineValue {
	return &engineValue{env: e, scope: e.scope, hints: 1}
}

func (v *engineValue) String() string                           { return fmt.Sprintf("engine(%q)", v.name()) }
func (v *engineValue) Type() string                             { return "engine" }
func (v *engineValue) Freeze()                                  {} // it is used by threads in turn, or by its twins
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

// replicaSpec returns what another engine like this one is started by.
func (v *engineValue) replicaSpec() (spec string, o EngineOptions) {
	if v.engine != nil {
		return v.spec, v.options()
	}
	s, spec := v.env.opts.Shell.Session()
	if s == nil {
		return spec, o
	}
	if id, known := s.Level(); known {
		o.Level = &id
	}
	return spec, o
}

var (
	errEngineClosed = errors.New("the engine is closed")
	errNotAttached  = errors.New("the shell is attached to no engine: .attach SPEC")
)

// session returns what answers in the thread that calls.
func (v *engineValue) session(t *task) (pluginclient.Session, error) {
	s := v.engine
	switch {
	case v.scope != t.scope && !v.scope.closed:
		replica, err := t.scope.replica(t.ctx, v)
		if err != nil {
			return nil, err
		}
		s = replica
	case v.engine == nil:
		attached, _ := v.env.opts.Shell.Session()
		if attached == nil {
			return nil, errNotAttached
		}
		return attached, nil
	}
	if s.closed || v.engine != nil && v.engine.closed {
		return nil, errEngineClosed
	}
	return s.session, nil
}

// search asks for lines.
func (v *engineValue) search(t *task, pos engine.Position, lines int, ban []engine.Move) ([]engine.Line, error) {
	s, err := v.session(t)
	if err != nil {
		return nil, err
	}
	return t.asking().Ask(t.ctx, s, pos, v.searchLimits(lines, ban))
}

// asking is how a script asks engines.
func (t *task) asking() asking.Policy { return asking.Policy{OnRetry: t.env.reportRetry} }

// maxReported is how many failures of engines are told that asking again may heal.
const maxReported = 20

// reportRetry tells that an engine has failed at a position and is asked once more: for who
// writes the engine that is a result, whatever comes of it.
func (e *Env) reportRetry(pos engine.Position, err error) {
	text := fmt.Sprintf("%s; it is asked again (position %s)", failureText(err), pos)
	switch n := e.failures.Add(1); {
	case n > maxReported:
		return
	case n == maxReported:
		text += "; further failures are not told"
	}
	_ = e.console.log(text) // standard error has no other place to complain at
}

// failureText returns an engine's failure on a line: who, what it was asked, how it ended, and the
// last that it has said on stderr.
func failureText(err error) string {
	text := pluginclient.Brief(err)
	var failed *pluginclient.Error
	if errors.As(err, &failed) && len(failed.Stderr) > 0 {
		text += "; stderr: " + starlark.String(failed.Stderr[len(failed.Stderr)-1]).String()
	}
	return text
}

// banned reads the moves that an engine must not consider.
func banned(b *board, list starlark.Iterable) ([]engine.Move, error) {
	if list == nil {
		return nil, nil
	}
	var moves []engine.Move
	iter := list.Iterate()
	defer iter.Done()
	var v starlark.Value
	for iter.Next(&v) {
		text, ok := starlark.AsString(v)
		if !ok {
			return nil, fmt.Errorf("ban: %s is a %s; want moves", v, v.Type())
		}
		m, err := b.kind.ReadMove(b.pos, text)
		if err != nil {
			return nil, fmt.Errorf("ban: %w", err)
		}
		moves = append(moves, m)
	}
	return moves, nil
}

var engineClass = newClass("Engine", `An engine that answers questions about positions. It is made by engine(...).
It forgets what it has searched before each search, so that an answer does not depend on
the questions before it. One that dies is started again and asked once more. Within pmap
each worker has another engine of the same spec in its place.`,
	method("hints(board: Board, hints: int = 0, ban: Iterable[str] = ()) -> list[Hint]", `The best moves, best first; none where the game is over.
hints is how many are wanted, 0 as many as engine(...) was told. Moves in ban are not considered.`, engineHints),
	method("best(board: Board, ban: Iterable[str] = ()) -> Hint | None", `The best move with what the engine says of it; None where the game is over.`, engineBest),
	method("play(board: Board) -> str | None", `Plays the best move on the board and answers it; None where the game is over.`, enginePlay),
	method("tree(board: Board, width: int = 3, depth: int = 3, most: int = 10000) -> Tree", `The best moves, the replies to each, and so on: width moves at each position, depth
plies deep, with at most so many moves in all.`, engineTree),
	method("send(line: str) -> list[str]", `Sends a line of the engine's own protocol as it is, and answers the lines in reply.`, engineSend),
	method("close() -> None", `Ends the engine. What is not closed ends with the script. Within pmap an engine that was
started outside cannot be closed.`, engineClose),
	attribute("info: EngineInfo", `What the engine says of itself.`, func(v *engineValue) (starlark.Value, error) {
		s, err := v.plainSession()
		if err != nil {
			return nil, err
		}
		return &infoValue{s.Info()}, nil
	}),
	attribute("level: int | None", `The level at which the engine plays; None if it is not known.`, func(v *engineValue) (starlark.Value, error) {
		s, err := v.plainSession()
		if err != nil {
			return nil, err
		}
		if id, known := s.Level(); known {
			return starlark.MakeInt(id), nil
		}
		return starlark.None, nil
	}),
	attribute("limits: dict[str, int]", `What bounds each search: level, nodes, depth, and time in milliseconds, as far as they do.`, engineLimits),
	attribute("trace: str", `The last lines of the conversation: > to the engine, ~ to the engine and added by
qhsh, < from the engine, ! from its stderr, # a remark.`, engineTrace),
	attribute("board: Board", `The board of the conversation, which send() may change.`, func(v *engineValue) (starlark.Value, error) {
		s, err := v.plainSession()
		if err != nil {
			return nil, err
		}
		if v.engine != nil { // that of the shell's engine is the shell's
			s = native(s)
		}
		return v.env.games.newBoard(s.Position()), nil
	}),
)

// plainSession returns the engine whose attributes are read. In a worker it is not the twin:
// they are alike in all that can be read while the script waits for the workers.
func (v *engineValue) plainSession() (pluginclient.Session, error) {
	if v.engine == nil {
		s, _ := v.env.opts.Shell.Session()
		if s == nil {
			return nil, errNotAttached
		}
		return s, nil
	}
	if v.engine.closed {
		return nil, errEngineClosed
	}
	return v.engine.session, nil
}

// engineLimits returns the limits of a search, by the names that answers have for them.
func engineLimits(v *engineValue) (starlark.Value, error) {
	s, err := v.plainSession()
	if err != nil {
		return nil, err
	}
	lim, leveled := pluginclient.BoundsOf(s).Limits(v.limits)
	limits := starlark.NewDict(4)
	for _, l := range batch.LimitsOf(lim, leveled).Values() {
		if err := limits.SetKey(starlark.String(l.Name), starlark.MakeInt64(l.Value)); err != nil {
			return nil, err
		}
	}
	return limits, nil
}

func engineHints(v *engineValue, c *call) (starlark.Value, error) {
	var b *board
	var ban starlark.Iterable
	lines := 0
	if err := c.unpack(&b, &lines, &ban); err != nil {
		return nil, err
	}
	if lines < 0 || lines > maxLines {
		return nil, fmt.Errorf("hints %d: want 1 to %d", lines, maxLines)
	}
	if lines == 0 {
		lines = v.hints
	}
	best, err := v.ask(c, b, lines, ban)
	if err != nil {
		return nil, err
	}
	return newHints(b.position(), best), nil
}

// ask returns a search for a script. In a finished game there are no lines.
func (v *engineValue) ask(c *call, b *board, lines int, ban starlark.Iterable) ([]engine.Line, error) {
	pos := b.position()
	if pos.Result().Over() {
		return nil, nil
	}
	moves, err := banned(b, ban)
	if err != nil {
		return nil, b.at(c, err)
	}
	best, err := v.search(taskOf(c.thread), pos, lines, moves)
	if err != nil {
		return nil, b.at(c, err)
	}
	return best, nil
}

func engineBest(v *engineValue, c *call) (starlark.Value, error) {
	var b *board
	var ban starlark.Iterable
	if err := c.unpack(&b, &ban); err != nil {
		return nil, err
	}
	best, err := v.ask(c, b, 1, ban)
	if err != nil || len(best) == 0 {
		return starlark.None, err
	}
	return newHint(b.position(), best[0]), nil
}

func enginePlay(v *engineValue, c *call) (starlark.Value, error) {
	var b *board
	if err := c.unpack(&b); err != nil {
		return nil, err
	}
	if err := b.checkMutable(c); err != nil {
		return nil, err
	}
	best, err := v.ask(c, b, 1, nil)
	if err != nil || len(best) == 0 {
		return starlark.None, err
	}
	move := b.pos.Format(best[0].Move())
	next, err := b.pos.Play(best[0].Move())
	if err != nil {
		return nil, b.at(c, err)
	}
	b.pos = next
	return moveValue(move), nil
}

func engineTree(v *engineValue, c *call) (starlark.Value, error) {
	var b *board
	o := tree.Options{Width: 3, Depth: 3, MaxNodes: tree.DefaultMaxNodes, Limits: v.searchLimits(0, nil)}
	if err := c.unpack(&b, &o.Width, &o.Depth, &o.MaxNodes); err != nil {
		return nil, err
	}
	if o.Width < 1 || o.Depth < 1 || o.MaxNodes < 1 || o.Width > maxLines {
		return nil, fmt.Errorf("tree: width %d, depth %d, most %d: want 1 or more each, and width up to %d", o.Width, o.Depth, o.MaxNodes, maxLines)
	}
	t := taskOf(c.thread)
	s, err := v.session(t)
	if err != nil {
		return nil, b.at(c, err)
	}
	grown, err := tree.Grow(t.ctx, s, b.position(), o)
	if err != nil {
		return nil, b.at(c, err)
	}
	return newTree(b.kind, grown), nil
}

// native returns the conversation with an engine in its own protocol.
func native(s pluginclient.Session) pluginclient.Session {
	if b, ok := pluginclient.As[pluginclient.Bridge](s); ok {
		return b.Native()
	}
	return s
}

func engineSend(v *engineValue, c *call) (starlark.Value, error) {
	var line string
	if err := c.unpack(&line); err != nil {
		return nil, err
	}
	t := taskOf(c.thread)
	s, err := v.session(t)
	if err != nil {
		return nil, fmt.Errorf("send: %w", err)
	}
	reply, err := native(s).Raw(t.ctx, line)
	if err != nil {
		return nil, fmt.Errorf("send %q: %w", line, err)
	}
	lines := make([]starlark.Value, len(reply))
	for i, line := range reply {
		lines[i] = starlark.String(line)
	}
	return starlark.NewList(lines), nil
}

func engineClose(v *engineValue, c *call) (starlark.Value, error) {
	if err := c.unpack(); err != nil {
		return nil, err
	}
	t := taskOf(c.thread)
	switch {
	case v.scope != t.scope && !v.scope.closed:
		return nil, fmt.Errorf("close: %s was started outside pmap: close it there", v)
	case v.engine == nil:
		return nil, errors.New("close: the shell's engine is not the script's to close: .detach")
	default:
		v.env.engines.close(t.ctx, v.engine)
	}
	return starlark.None, nil
}

func engineTrace(v *engineValue) (starlark.Value, error) {
	s, err := v.plainSession()
	if err != nil {
		return nil, err
	}
	var b strings.Builder
	for _, entry := range native(s).Trace().Last(1000, func(pluginclient.Entry) bool { return true }) {
		b.WriteString(entry.Dir.String() + entry.Text + "\n")
	}
	return starlark.String(b.String()), nil
}

// An infoValue is what an engine says of itself.
type infoValue struct{ info pluginclient.Info }

var _ hasClass = (*infoValue)(nil)

func (v *infoValue) String() string                           { return v.info.Name + " (" + v.info.Protocol + ")" }
func (v *infoValue) Type() string                             { return "engine_info" }
func (v *infoValue) Freeze()                                  {} // it never changes
func (v *infoValue) Truth() starlark.Bool                     { return true }
func (v *infoValue) Hash() (uint32, error)                    { return starlark.String(v.String()).Hash() }
func (v *infoValue) class() *class                            { return infoClass }
func (v *infoValue) Attr(name string) (starlark.Value, error) { return infoClass.attr(v, name) }
func (v *infoValue) AttrNames() []string                      { return infoClass.attrNames(v) }

var infoClass = newClass("EngineInfo", `What an engine says of itself.`,
	attribute("name: str", `The engine's name.`, func(v *infoValue) (starlark.Value, error) {
		return starlark.String(v.info.Name), nil
	}),
	attribute("protocol: str", `The protocol with its version, such as "QHPLUGIN V1.3".`, func(v *infoValue) (starlark.Value, error) {
		return starlark.String(v.info.Protocol), nil
	}),
	attribute("levels: dict[int, str]", `The levels that the engine offers, weakest first, with their descriptions.`, func(v *infoValue) (starlark.Value, error) {
		levels := starlark.NewDict(len(v.info.Levels))
		for _, level := range v.info.Levels {
			if err := levels.SetKey(starlark.MakeInt(level.ID), starlark.String(level.Text)); err != nil {
				return nil, err
			}
		}
		return levels, nil
	}),
	attribute("text: str", `What it says beyond that, in lines.`, func(v *infoValue) (starlark.Value, error) {
		return starlark.String(strings.Join(v.info.Text, "\n")), nil
	}),
)

var shellFunction = function("shell(line: str) -> str", `Runs a line of the shell, as if it had been typed, and answers what it shows.`, shellRun)

func shellRun(c *call) (starlark.Value, error) {
	var line string
	if err := c.unpack(&line); err != nil {
		return nil, err
	}
	t := taskOf(c.thread)
	if t.scope != t.env.scope {
		return nil, errors.New("shell: not within pmap")
	}
	text, err := t.env.opts.Shell.Run(t.ctx, line)
	if err != nil {
		const most = 100
		if len(line) > most {
			line = line[:most] + "..."
		}
		return nil, fmt.Errorf("shell %q: %w", line, err)
	}
	return starlark.String(text), nil
}
