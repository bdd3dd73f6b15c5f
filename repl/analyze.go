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
	"qhsh/pluginclient"
	"qhsh/pluginclient/task/analyze"
)

func analyzeCommand() *command {
	return &command{
		name: ".analyze", usage: "[N] [all | ENGINE...] [-style NAME] [-flip] " + notationUsage, needs: needsRunning,
		summary: "watch the N best moves (default 3) of one or several engines while they think, until a key",
		help: `On a terminal the engines think without an end, side by side: score, depth and line of each move,
nodes a second, time. The cursor keys step through the game: left and right by a move, Home and
End to its ends; the moves of a game that .load has read are there behind the board's, too. The
keys 1 to 9 enter a variation, and 0 goes back to where it began. Enter ends the analysis and sets
the board to the position shown, any other key keeps the board. -style and -flip are those of
.board, and stay in effect. Scores are for the side to move, as those of .hints; .annotate writes
them for the side that begins.
An engine that tells nothing while it thinks is asked at each of its levels, or for times that
grow.

If lines are read from a pipe or a file, a line is written for every change, and the engines
think at their level, or as long as .timeout says.
`,
		most: maxHints, notation: true, complete: func(s *Shell, _ []string) []pluginclient.Completion {
			return append(pluginclient.Completions([]string{allEngines}, false), engineNames(s, nil)...)
		}, setup: func(c *call, fs *flag.FlagSet) func() error { return c.withLook(fs, c.analyze) },
	}
}

// allEngines is the word for every attached engine.
const allEngines = "all"

func (c *call) analyze(chosen boardStyle) error {
	c.shell.look = chosen
	a, operands := &analysis{call: c, wanted: 3}, c.operands
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
	pos := c.engine.session.Position()
	a.place, _ = placeIn(c.shell.gameOf(pos), pos)
	return a.run()
}

// An analysis is a .analyze in progress.
type analysis struct {
	*call
	engines []*analyst
	wanted  int // lines of each engine
	endless bool

	mu     sync.Mutex
	place  *place // shown; of a copy of the game
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
		a.mu.Lock()
		a.ctx = ctx
		a.view()
		a.mu.Unlock()
		var all sync.WaitGroup
		for _, e := range a.engines {
			all.Go(func() { a.follow(e, show) })
		}
		all.Wait()
		return context.Cause(ctx)
	})
	return a.finish(err)
}

// view begins to show the position of the place. The mutex must be held.
func (a *analysis) view() {
	if a.leave != nil {
		a.leave(errStepped)
	}
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
	return a.place.pos(), a.viewed
}

// update stores the lines so far of an engine, and returns those that differ from the latest ones.
func (a *analysis) update(ctx context.Context, e *analyst, lines []engine.Line) (changed []engine.Line) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if errors.Is(context.Cause(ctx), errStepped) {
		return nil // they belong to a position that is not shown any more
	}
	before := e.lines
	e.lines, e.spent = slices.Clone(lines), time.Since(e.began)
	changed = make([]engine.Line, len(lines))
	for i, line := range lines {
		if i < len(before) && slices.Equal(line.Moves, before[i].Moves) && line.Score == before[i].Score && line.Depth == before[i].Depth && line.Text == before[i].Text {
			continue // more nodes alone are no change
		}
		changed[i] = line
	}
	return changed
}

// ended stores why an engine no longer searches.
func (a *analysis) ended(ctx context.Context, e *analyst, err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if ctx.Err() != nil {
		return
	}
	e.spent = time.Since(e.began)
	switch result := a.place.pos().Result(); {
	case result.Over():
		e.state = result.String()
	case err != nil:
		e.state, e.err = "failed", err
	default:
		e.state = "done"
	}
}

// press handles a key, and reports whether it ends the analysis. Keys step through the game as .prev,
// .next, .goto and '.variation out' do; the digits enter variations.
func (a *analysis) press(key string) (ends bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	p := a.place
	before, depth, variation := p.node(), p.depth(), 0
	switch key {
	case "":
		return false
	case keyLeft, keyUp:
		depth--
	case keyRight, keyDown:
		depth++
	case keyHome, ctrlA:
		depth = 0
	case keyEnd, ctrlE:
		depth = p.length()
	case "0":
		if outer, inside := p.fork(); inside {
			depth = outer
		}
	default:
		if len(key) != 1 || key < "1" || key > "9" {
			a.stay = key == "\r" || key == "\n"
			return true
		}
		variation = int(key[0] - '0')
	}
	switch {
	case a.ctx == nil || a.ctx.Err() != nil:
		return false
	case variation > p.variations():
	case variation > 0:
		_ = p.enter(variation) // an illegal move of the record ends its line
	default:
		_ = p.goTo(depth)
	}
	if p.node() != before {
		a.view()
	}
	return false
}

// finish prints the last lines of the engines, and sets the board if that is wanted.
func (a *analysis) finish(err error) error {
	stopped := isStopped(err)
	if stopped || err == nil {
		err = nil
		for _, e := range a.engines {
			err = errors.Join(err, a.shell.reportEngineError(e.attached, e.err))
		}
	}
	if !a.endless {
		return err
	}
	pos := a.place.pos()
	var titles, texts []string
	for _, e := range a.engines {
		titles, texts = append(titles, e.name), append(texts, a.hintTable(pos, e.lines))
	}
	switch {
	case len(a.engines) > 1:
		fmt.Fprint(a.out, sideBySide(titles, texts, a.shell.host.width()))
	case len(a.engines[0].lines) > 0:
		fmt.Fprint(a.out, wrap(texts[0], a.width()))
	}
	if !a.stay {
		return err
	}
	if keep := a.findPlace(); keep != nil { // the moves that are stepped back over
		return errors.Join(err, keep)
	}
	return errors.Join(err, a.stand(a.place))
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
			fmt.Fprintf(a.out, "%s%d  %s  depth %d  %s  %s%s\n", name, i+1, line.Score.Pawns(), line.Depth, speed(line.Nodes, e.spent), chances(line), a.moves(line))
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
	if n < 1000 {
		return fmt.Sprintf("%.0f", n)
	}
	unit := ""
	for _, unit = range []string{"k", "M", "G"} {
		if n /= 1000; n < 1000 {
			break
		}
	}
	return fmt.Sprintf("%.3g%s", n, unit)
}
