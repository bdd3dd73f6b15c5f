package tree

import (
	"context"
	"fmt"
	"hash/fnv"
	"iter"
	"strconv"
	"strings"
	"testing"

	"qhsh/engine"
	"qhsh/pluginclient"
)

// A graph is a game for tests and an engine for it. Positions have names, and moves between them
// are described by text, one position per line:
//
//	a first: b=30 c=-5 d    First moves to b, c and d, the engine's lines in this order
//	                        with these scores; mate -2 is =#-2
//	a second: b=30          Second moves
//	a chance: b@0.25 c@0.75
//	a wins first            the game is over
//	a draw
//
// At any other position First has one move, to another such position.
type graph struct {
	lines    map[string]string
	searched []string         // positions in the order of Search
	fails    map[string]error // errors of Search
	onSearch func()
}

func parseGraph(text string) *graph {
	g := &graph{lines: map[string]string{}, fails: map[string]error{}}
	for line := range strings.Lines(text) {
		name, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		if name != "" {
			g.lines[name] = rest
		}
	}
	return g
}

func (g *graph) Name() string           { return "graph" }
func (g *graph) Start() engine.Position { return g.at("a") }
func (g *graph) at(name string) *node   { return &node{g: g, name: name} }
func (g *graph) Position(text string) (engine.Position, error) {
	return g.at(text), nil
}

// A node is a position of a graph.
type node struct {
	g      *graph
	name   string
	before *node
	move   engine.Move
}

// edges returns the words after the colon.
func (n *node) edges() (turn string, edges []string) {
	line, ok := n.g.lines[n.name]
	if !ok {
		line = "first: " + n.name + "'"
	}
	turn, rest, _ := strings.Cut(line, ":")
	return turn, strings.Fields(rest)
}

func (n *node) to(m engine.Move) (name, mark string) {
	_, edges := n.edges()
	edge := edges[m-1]
	i := strings.IndexAny(edge, "=@")
	if i < 0 {
		return edge, ""
	}
	return edge[:i], edge[i:]
}

func (n *node) Game() engine.Game { return n.g }

func (n *node) Turn() engine.Turn {
	turn, _ := n.edges()
	switch turn {
	case "second":
		return engine.Second
	case "chance":
		return engine.Chance
	}
	return engine.First
}

func (n *node) Moves() []engine.Move {
	_, edges := n.edges()
	moves := make([]engine.Move, len(edges))
	for i := range moves {
		moves[i] = engine.Move(i + 1)
	}
	return moves
}

func (n *node) Play(m engine.Move) (engine.Position, error) {
	if m == 0 || int(m) > len(n.Moves()) {
		return nil, fmt.Errorf("no move %d", m)
	}
	name, _ := n.to(m)
	return &node{n.g, name, n, m}, nil
}

func (n *node) Result() engine.Result {
	turn, edges := n.edges()
	switch {
	case turn == "wins first":
		return engine.Result{Outcome: engine.FirstWins, Reason: "mate"}
	case turn == "wins second":
		return engine.Result{Outcome: engine.SecondWins, Reason: "mate"}
	case len(edges) == 0:
		return engine.Result{Outcome: engine.Draw}
	}
	return engine.Result{}
}

func (n *node) Format(m engine.Move) string {
	name, _ := n.to(m)
	return n.name + name
}

func (n *node) Parse(text string) (engine.Move, error) {
	for _, m := range n.Moves() {
		if n.Format(m) == text {
			return m, nil
		}
	}
	return engine.NoMove, fmt.Errorf("no move %q", text)
}

func (n *node) History() (engine.Position, []engine.Move) { return engine.HistoryOf(n) }

func (n *node) Undo() (engine.Position, engine.Move) {
	if n.before == nil {
		return nil, engine.NoMove
	}
	return n.before, n.move
}

func (n *node) Key() uint64 {
	h := fnv.New64a()
	h.Write([]byte(n.name))
	return h.Sum64()
}

func (n *node) String() string { return n.name }

func (n *node) Odds(m engine.Move) float64 {
	_, mark := n.to(m)
	odds, _ := strconv.ParseFloat(strings.TrimPrefix(mark, "@"), 64)
	return odds
}

func (g *graph) Search(ctx context.Context, pos engine.Position, lim engine.Limits) iter.Seq2[[]engine.Line, error] {
	return func(yield func([]engine.Line, error) bool) {
		n := pos.(*node)
		g.searched = append(g.searched, n.name)
		if g.onSearch != nil {
			g.onSearch()
		}
		switch err := g.fails[n.name]; {
		case err != nil:
			yield(nil, err)
			return
		case context.Cause(ctx) != nil && context.Cause(ctx) != engine.ErrMoveNow:
			yield(nil, fmt.Errorf("graph: %w", context.Cause(ctx)))
			return
		}
		var lines []engine.Line
		for _, m := range pos.Moves()[:min(lim.Lines, len(pos.Moves()))] {
			lines = append(lines, engine.Line{Moves: []engine.Move{m}, Score: n.score(m)})
		}
		yield(lines, nil)
	}
}

func (n *node) score(m engine.Move) engine.Score {
	_, mark := n.to(m)
	mark = strings.TrimPrefix(mark, "=")
	if moves, ok := strings.CutPrefix(mark, "#"); ok {
		mate, _ := strconv.Atoi(moves)
		return engine.MateIn(mate)
	}
	if mark == "" {
		return engine.Score{}
	}
	cp, _ := strconv.Atoi(mark)
	return engine.Centipawns(cp)
}

// growGraph grows the tree of a graph from position a.
func growGraph(t *testing.T, text string, o Options) (*Tree, *graph) {
	t.Helper()
	g := parseGraph(text)
	tree, err := Grow(t.Context(), g, g.Start(), o)
	if err != nil {
		t.Fatal(err)
	}
	check(t, tree)
	return tree, g
}

var errBroken = fmt.Errorf("graph: %w", pluginclient.ErrDied)
