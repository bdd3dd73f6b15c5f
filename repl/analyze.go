package repl

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"qhsh/engine"
	"qhsh/engine/printable"
	"qhsh/pluginclient/task/analyze"
)

func analyzeCommand() *command {
	return &command{
		name: ".analyze", usage: "[N] [all | ENGINE...] " + notationUsage, group: groupThinking, needs: needsRunning,
		summary: "watch the N best moves (default 3) of one or several engines while they think, until a key",
		help: `On a terminal the engines think without an end, side by side: score, depth and line of each move,
nodes a second, time. The cursor keys step through the game: left and right by a move, Home and
End to its ends; the moves of a game that .load has read are there behind the board's, too. Enter
ends the analysis and sets the board to the position shown, any other key keeps the board.
An engine that tells nothing while it thinks is asked at each of its levels, or for times that
grow.

If lines are read from a pipe or a file, a line is written for every change, and the engines
think at their level, or as long as .timeout says.
`,
		complete: withNotation(analyzeWords), run: runAnalyze,
	}
}

func analyzeWords(s *Shell, _ []string) []candidate {
	return append(plainWords([]string{allEngines}), engineNames(s, nil)...)
}

// allEngines is the word for every attached engine.
const allEngines = "all"

// runAnalyze implements .analyze.
func runAnalyze(c *call) error {
	a := &analysis{call: c, wanted: 3, style: c.shell.style}
	operands, err := c.flags(func(fs *flag.FlagSet) { c.defineNotation(fs, &a.style) }, maxHints)
	if err != nil {
		return err
	}
	if len(operands) > 0 {
		if n, err := strconv.Atoi(operands[0]); err == nil {
			if a.wanted, operands = n, operands[1:]; n < 1 || n > maxHints {
				return c.usageError("invalid number %d: use 1 to %d", n, maxHints)
			}
		}
	}
	if err := a.choose(operands); err != nil {
		return err
	}
	a.positions, a.at = c.shell.lineOf(c.engine.session.Position())
	return a.run()
}

// lineOf returns the positions of the game that a board belongs to, and the index of the board's. The
// moves after it are those of a loaded game.
func (s *Shell) lineOf(pos engine.Position) (all []engine.Position, at int) {
	start, moves := pos.History()
	at = len(moves)
	for _, g := range s.loaded {
		if main := g.MainLine(); g.Start == start && len(main) > at && slices.Equal(main[:at], moves) {
			moves = main
		}
	}
	all = []engine.Position{start}
	for _, m := range moves {
		next, err := all[len(all)-1].Play(m)
		if err != nil {
			break // of a damaged game
		}
		all = append(all, next)
	}
	all[at] = pos
	return all, at
}

// An analysis is a .analyze in progress.
type analysis struct {
	*call
	engines   []*analyst
	wanted    int // lines of each engine
	style     string
	positions []engine.Position
	endless   bool

	mu     sync.Mutex
	at     int // index of the position shown
	ctx    context.Context
	viewed context.Context // ends when another position is shown
	leave  context.CancelCauseFunc
	stay   bool // the board is to be set to the position shown
}

// An analyst is an engine of an analysis. The analysis's mutex guards its fields.
type analyst struct {
	*attached
	lines []engine.Line
	began time.Time
	spent time.Duration // until the latest lines, or the end
	state string        // why it no longer searches; empty while it does
	err   error
}

// choose selects the engines by the names in words; without any it is the current one.
func (a *analysis) choose(words []string) error {
	chosen := []*attached{a.engine}
	switch {
	case slices.Equal(words, []string{allEngines}):
		chosen = a.shell.engines
	case len(words) > 0:
		chosen = nil
		for _, name := range words {
			e, err := a.shell.engineNamed(name)
			if err != nil {
				return err
			}
			chosen = append(chosen, e)
		}
	}
	for i, e := range chosen {
		if err := e.checkRunning(); err != nil {
			return err
		}
		if !sameRules(e, a.call.engine) {
			return fmt.Errorf("%s: %s plays %s, and the board is one of %s", a.command.name, e.name,
				engine.Title(e.session.Position().Game()), engine.Title(a.call.engine.session.Position().Game()))
		}
		if !slices.Contains(chosen[:i], e) {
			a.engines = append(a.engines, &analyst{attached: e})
		}
	}
	return nil
}

var errStepped = errors.New("another position is shown")

// run analyses until it is ended.
func (a *analysis) run() error {
	s := a.shell
	w := waitOptions{stoppable: true}
	for _, e := range a.engines {
		w.engines = append(w.engines, e.attached)
	}
	show := a.printer()
	if s.byPerson() && s.host.Status && !s.script.running {
		if keys, end := s.editor.Keys(); keys != nil {
			defer end()
			a.endless = true
			show = func(*analyst, []engine.Line) {}
			w = waitOptions{engines: w.engines, screen: &fullScreen{draw: a.draw, keys: keys, press: a.press}}
		}
	}
	err := s.await(a.call.ctx, w, func(ctx context.Context) error {
		a.begin(ctx)
		var all sync.WaitGroup
		for _, e := range a.engines {
			all.Go(func() { a.follow(e, show) })
		}
		all.Wait()
		return context.Cause(ctx)
	})
	return a.finish(err)
}

// begin shows the board's position.
func (a *analysis) begin(ctx context.Context) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.ctx = ctx
	a.view(a.at)
}

// view shows a position. The mutex must be held.
func (a *analysis) view(at int) {
	if a.leave != nil {
		a.leave(errStepped)
	}
	a.at = at
	a.viewed, a.leave = context.WithCancelCause(a.ctx)
	for _, e := range a.engines {
		e.lines, e.began, e.spent, e.state, e.err = nil, time.Now(), 0, "", nil
	}
}

// follow searches the positions that are shown, or, if the analysis is not endless, the first one.
func (a *analysis) follow(e *analyst, show func(*analyst, []engine.Line)) {
	for {
		pos, ctx := a.shown()
		var err error
		if !pos.Result().Over() {
			err = analyze.Live(ctx, e.session, analyze.Search{
				Pos: pos, Limits: engine.Limits{Lines: a.wanted, Time: a.shell.timeout}, Endless: a.endless,
				OnLines: func(lines []engine.Line) { show(e, a.update(ctx, e, lines)) },
			})
		}
		a.ended(ctx, e, err)
		if !a.endless {
			return
		}
		<-ctx.Done()
		if a.ctx.Err() != nil {
			return
		}
	}
}

// shown returns the position shown, and the context that ends when another one is.
func (a *analysis) shown() (engine.Position, context.Context) {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.positions[a.at], a.viewed
}

// update stores the lines so far of an engine, and returns those that differ from the latest ones.
func (a *analysis) update(ctx context.Context, e *analyst, lines []engine.Line) (changed []engine.Line) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if ctx.Err() != nil && errors.Is(context.Cause(ctx), errStepped) {
		return nil // they belong to a position that is not shown any more
	}
	before := e.lines
	e.lines, e.spent = slices.Clone(lines), time.Since(e.began)
	changed = make([]engine.Line, len(lines))
	for i, line := range lines {
		if i >= len(before) || !sameLine(line, before[i]) {
			changed[i] = line
		}
	}
	return changed
}

// sameLine reports whether two lines differ in nothing but the nodes.
func sameLine(a, b engine.Line) bool {
	return slices.Equal(a.Moves, b.Moves) && a.Score == b.Score && a.Depth == b.Depth && a.Text == b.Text
}

// ended stores why an engine no longer searches.
func (a *analysis) ended(ctx context.Context, e *analyst, err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if ctx.Err() != nil {
		return
	}
	e.spent = time.Since(e.began)
	switch result := a.positions[a.at].Result(); {
	case result.Over():
		e.state = result.String()
	case err != nil:
		e.state, e.err = "failed", err
	default:
		e.state = "done"
	}
}

// press handles a key, and reports whether it ends the analysis.
func (a *analysis) press(key string) (ends bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	at, last := a.at, len(a.positions)-1
	switch key {
	case keyLeft, keyUp:
		at--
	case keyRight, keyDown:
		at++
	case keyHome, ctrlA:
		at = 0
	case keyEnd, ctrlE:
		at = last
	case "":
	default:
		a.stay = key == "\r" || key == "\n"
		return true
	}
	if at = max(0, min(at, last)); at != a.at && a.ctx != nil && a.ctx.Err() == nil {
		a.view(at)
	}
	return false
}

// finish prints the last lines of the engines, and sets the board if that is wanted.
func (a *analysis) finish(err error) error {
	stopped := errors.Is(err, errAborted) && !errors.As(err, new(reportedError))
	if stopped || err == nil {
		err = nil
		for _, e := range a.engines {
			err = errors.Join(err, a.shell.reportEngineError(e.attached, e.err))
		}
	}
	if !a.endless {
		return err
	}
	pos := a.positions[a.at]
	var titles, texts []string
	for _, e := range a.engines {
		titles, texts = append(titles, e.name), append(texts, a.hintTable(pos, e.lines, a.style))
	}
	if len(a.engines) == 1 {
		fmt.Fprint(a.out, texts[0])
	} else {
		fmt.Fprint(a.out, sideBySide(titles, texts, a.shell.host.width()))
	}
	if !a.stay {
		return err
	}
	return errors.Join(err, a.shell.sync(a.call.ctx, a.call.engine, pos))
}

// printer returns a function that prints changed lines, each with the engine's name if there are
// several.
func (a *analysis) printer() func(*analyst, []engine.Line) {
	var mu sync.Mutex
	return func(e *analyst, changed []engine.Line) {
		mu.Lock()
		defer mu.Unlock()
		for i, line := range changed {
			if len(line.Moves) == 0 {
				continue
			}
			name := ""
			if len(a.engines) > 1 {
				name = e.name + "  "
			}
			fmt.Fprintf(a.out, "%s%d  %s  depth %d  %s  %s\n", name, i+1, line.Score.Pawns(), line.Depth, speed(line.Nodes, e.spent), a.moves(line))
		}
		_ = a.shell.console.flushIf(true)
	}
}

// moves returns the moves of a line in the notation wanted.
func (a *analysis) moves(line engine.Line) string {
	pos, _ := a.shown()
	names := a.shell.host.Games.MoveNames(pos, line.Moves, a.style)
	return strings.TrimSpace(strings.Join(names, " ") + " " + printable.Line(line.Text))
}

// speed formats nodes, nodes a second and a time.
func speed(nodes int64, spent time.Duration) string {
	text := fmt.Sprintf("%.1fs", spent.Seconds())
	if nodes == 0 || spent <= 0 {
		return text
	}
	return fmt.Sprintf("%s nodes  %s/s  %s", short(float64(nodes)), short(float64(nodes)/spent.Seconds()), text)
}

// short formats a number in few characters: 950, 12.3k, 4.56M.
func short(n float64) string {
	for _, unit := range []string{"", "k", "M", "G"} {
		if n < 1000 || unit == "G" {
			if unit == "" {
				return fmt.Sprintf("%.0f", n)
			}
			return fmt.Sprintf("%.3g%s", n, unit)
		}
		n /= 1000
	}
	return ""
}
