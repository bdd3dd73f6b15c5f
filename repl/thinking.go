package repl

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"qhsh/engine"
	"qhsh/engine/printable"
	"qhsh/pluginclient"
	"qhsh/pluginclient/asking"
	"qhsh/pluginclient/task/tree"
)

// Limits of arguments: larger numbers are typing errors.
const (
	maxHints = 1000
	maxDepth = 100
)

func thinkingCommands() []*command {
	return []*command{
		{
			name: ".hints", usage: "[N] " + notationUsage, needs: needsRunning,
			summary: "print a table of the N best moves (default 3): rank, move, score, depth, line",
			help: `Works on engines without HINTS too: they get AI, and the move is taken back. Scores are in
pawns for the side to move, or 'mate N'. After .timeout the answer is the best so far.
Ctrl-C stops the search and shows the result so far.
`,
			most: 1, notation: true, run: runHints,
		},
		{
			name: ".tree", usage: "[-width W] [-depth D] [-timeout TIME] " + notationUsage + " [-o FILE [-force]]", needs: needsRunning,
			summary: "grow a tree of hints, the engine's best moves at each position, and draw it or write it to FILE",
			help: `-width is the number of moves at each position, -depth the number of moves ahead, -timeout
the time for each position. FILE ends in
` + tree.Formats().Extensions() + `: the html is a page with a board that follows
the branch under the mouse. Ctrl-C stops and keeps the tree so far.
` + forceHelp,
			notation: true, force: true, setup: setupTree,
		},
		analyzeCommand(),
		annotateCommand(),
		{
			name: ".timeout", usage: "[TIME|off]", most: 1, complete: words("500ms", "2s", "10s", "off"),
			summary: "send TIMEOUT to an engine that thinks longer than TIME, such as 5s",
			run:     runTimeout,
		},
		limitsCommand(),
	}
}

func runHints(c *call) error {
	n := 3
	if text := c.operand(); text != "" {
		var err error
		if n, err = strconv.Atoi(text); err != nil || n < 1 || n > maxHints {
			return c.usageError("invalid number %q: use 1 to %d", text, maxHints)
		}
	}
	pos := c.engine.session.Position()
	if result := pos.Result(); result.Over() {
		return fmt.Errorf(".hints: the game is over: %v", result)
	}
	// The engine is asked once, without clearing its memory and without retrying: a user at the prompt
	// decides what to do about a failure.
	var latest atomic.Pointer[[]engine.Line]
	latest.Store(new([]engine.Line))
	live := func() string {
		if lines := *latest.Load(); len(lines) > 0 {
			return liveLine(lines[0], c.shell.host.Games.MoveNames(pos, lines[0].Moves, c.style))
		}
		return ""
	}
	_, err := c.think(live, func(ctx context.Context) error {
		policy := asking.Policy{NoRetry: true, KeepState: true, OnLines: func(lines []engine.Line) { latest.Store(&lines) }}
		_, err := policy.Ask(ctx, c.engine.session, pos, engine.Limits{Lines: n, Time: c.shell.timeout})
		return err
	})
	if lines := *latest.Load(); len(lines) > 0 {
		fmt.Fprint(c.out, wrap(c.hintTable(pos, lines), c.width()))
	}
	return err
}

// think has the call's engine think, with the end of the status line. If the user stops it, that is
// said and is no error.
func (c *call) think(status func() string, work func(ctx context.Context) error) (stopped bool, err error) {
	err = c.shell.await(c.ctx, waitOptions{engines: []*attached{c.engine}, stoppable: true, status: status}, work)
	if isStopped(err) {
		c.shell.say("stopped")
		return true, nil
	}
	return false, c.shell.reportEngineError(c.engine, err)
}

// hintTable formats the table that .hints prints.
func (c *call) hintTable(pos engine.Position, lines []engine.Line) string {
	rows := [][]string{{"", "move", "score", "depth", "line"}}
	for i, line := range lines {
		depth, move, moves := "", pos.Format(line.Move()), c.shell.host.Games.MoveNames(pos, line.Moves, c.style)
		if len(moves) > 0 {
			move = moves[0]
		}
		if line.Depth > 0 {
			depth = strconv.Itoa(line.Depth)
		}
		rows = append(rows, []string{
			strconv.Itoa(i + 1), move, line.Score.Pawns(), depth,
			strings.TrimSpace(strings.Join(moves, " ") + " " + line.Text),
		})
	}
	return printable.Table(rows, "l")
}

func setupTree(c *call, fs *flag.FlagSet) func() error {
	var o tree.Options
	fs.IntVar(&o.Width, "width", tree.DefaultWidth, "")
	fs.IntVar(&o.Depth, "depth", tree.DefaultDepth, "")
	fs.DurationVar(&o.Limits.Time, "timeout", c.shell.timeout, "")
	path := fs.String("o", "", "")
	return func() error { return c.tree(o, *path) }
}

func (c *call) tree(o tree.Options, path string) error {
	switch {
	case o.Width < 1 || o.Width > maxHints:
		return c.usageError("invalid -width: use 1 to %d", maxHints)
	case o.Depth < 1 || o.Depth > maxDepth:
		return c.usageError("invalid -depth: use 1 to %d", maxDepth)
	case o.Limits.Time < 0:
		return c.usageError("invalid -timeout: use a time such as 500ms")
	}
	format, err := formatFor(c, tree.Formats(), path, "-o "+path)
	if err != nil {
		return err
	}
	write := tree.WriteOptions{Engine: c.engine.name, Games: c.shell.host.Games}
	if c.style != usualNotation(c.shell.host.Games) {
		write.Notation = c.style
		o.Label = func(pos engine.Position, moves []engine.Move) []string {
			return c.shell.host.Games.MoveNames(pos, moves, c.style)
		}
	}
	t, err := c.grow(o)
	if t == nil || t.Root == nil || len(t.Root.Children) == 0 {
		return err
	}
	if path == "" && c.shell.host.Interactive {
		write.Width = c.shell.host.width()
	}
	if writing := c.writeTo(path, func(w io.Writer) error { return format.Write(w, t, write) }); writing != nil {
		return writing
	}
	if path != "" {
		c.shell.notify("%s, written to %s", t.Summary(), path)
	}
	return err
}

// grow grows a tree. If it is stopped, it returns the tree so far.
func (c *call) grow(o tree.Options) (*tree.Tree, error) {
	var so atomic.Pointer[string]
	first := "position 1"
	so.Store(&first)
	o.Progress = func(t *tree.Tree) {
		text := fmt.Sprintf("position %d, %s", t.Searched+1, printable.Plural(t.Size, "move"))
		if best := t.Root.Best(); len(best) > 0 {
			text += ", best " + cmp.Or(best[0].Label, best[0].Name) + " " + best[0].Value.Pawns()
		}
		so.Store(&text)
	}
	live := func() string { return *so.Load() + "  " + c.engine.thinkingLine() }
	var t *tree.Tree
	_, err := c.think(live, func(ctx context.Context) (err error) {
		t, err = tree.Grow(ctx, c.engine.session, c.engine.session.Position(), o)
		return err
	})
	return t, err
}

func runTimeout(c *call) error {
	s := c.shell
	text := c.operand()
	switch {
	case text == "" && s.timeout == 0:
		fmt.Fprintln(c.out, "off")
		return nil
	case text == "":
		fmt.Fprintln(c.out, s.timeout)
		return nil
	case strings.EqualFold(text, "off") || text == "0":
		s.timeout = 0
		return nil
	}
	d, err := time.ParseDuration(text)
	if err != nil || d < time.Millisecond {
		return c.usageError("invalid time %q: use a form such as 500ms or 5s", text)
	}
	s.timeout = d
	if c.engine != nil && !c.engine.has(pluginclient.AbilityTimeout) {
		s.say("%s does not announce TIMEOUT, so it will not be stopped", c.engine.name)
	}
	return nil
}
