package tree

import (
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"qhsh/engine"
	"qhsh/engine/enginetest"
	"qhsh/engine/enginetest/golden"
	"qhsh/engine/xiangqi"
)

// kindsTree returns a tree with a node of every kind, and texts that need escaping.
func kindsTree(t *testing.T) *Tree {
	t.Helper()
	g := parseGraph(`
		a first: b=50 c=-900 "<&>\=10
		b second: d=-20 a=-10 broken=0
		c second: d=-45 w=#1 r=3
		r chance: v@0.25 e@0.75
		v first: b=7
		d first: e=20 c=0
		w wins second`)
	g.fails["broken"] = errors.New("<gone> & \"lost\"\n\x1b[31m")
	tree, err := Grow(t.Context(), g, g.Start(), Options{Depth: 4, MaxNodes: 18})
	if err != nil {
		t.Fatal(err)
	}
	check(t, tree)
	return tree
}

func stonesTree(t *testing.T) *Tree {
	t.Helper()
	pos, err := enginetest.Stones.Position("6 first 2")
	if err != nil {
		t.Fatal(err)
	}
	m, err := pos.Parse("take 2")
	if err != nil {
		t.Fatal(err)
	}
	if pos, err = pos.Play(m); err != nil {
		t.Fatal(err)
	}
	tree, err := Grow(t.Context(), enginetest.Ranker{}, pos, Options{Limits: engine.Limits{Nodes: 1000}})
	if err != nil {
		t.Fatal(err)
	}
	check(t, tree)
	return tree
}

// TestFormats compares the output of all formats but html, which browser_test.go checks.
func TestFormats(t *testing.T) {
	for name, tree := range map[string]*Tree{"kinds": kindsTree(t), "stones": stonesTree(t)} {
		for _, format := range Formats() {
			if format.Name == "html" {
				continue
			}
			file := filepath.Join("testdata", name+format.Extensions[0])
			t.Run(filepath.Base(file), func(t *testing.T) {
				var got strings.Builder
				if err := format.Write(&got, tree, WriteOptions{}); err != nil {
					t.Fatal(err)
				}
				golden.Compare(t, file, got.String())
			})
		}
	}
}

// TestKindsTree checks that kindsTree has nodes of every kind.
func TestKindsTree(t *testing.T) {
	kinds, loops := map[Kind]int{}, 0
	kindsTree(t).Root.walk(func(n *Node) {
		kinds[n.Kind]++
		if n.loop {
			loops++
		}
	})
	for k := Unsearched; k <= Merged; k++ {
		if kinds[k] == 0 {
			t.Errorf("no node of kind %v", k)
		}
	}
	if loops == 0 {
		t.Error("no loop")
	}
}

// TestJSONLinks checks that ids are unique, and that links lead to nodes with the same position.
func TestJSONLinks(t *testing.T) {
	var b strings.Builder
	tree := kindsTree(t)
	if err := tree.JSON(&b); err != nil {
		t.Fatal(err)
	}
	var doc jsonTree
	if err := json.Unmarshal([]byte(b.String()), &doc); err != nil {
		t.Fatal(err)
	}
	nodes := map[string]jsonNode{}
	var visit func(jsonNode)
	visit = func(n jsonNode) {
		if _, twice := nodes[n.ID]; twice {
			t.Errorf("duplicate id %s", n.ID)
		}
		nodes[n.ID] = n
		for _, child := range n.Children {
			visit(child)
		}
	}
	visit(doc.Root)
	if len(nodes) != tree.Size+1 {
		t.Errorf("%d nodes, want %d", len(nodes), tree.Size+1)
	}
	for _, n := range nodes {
		if n.Same != "" && nodes[n.Same].Position != n.Position {
			t.Errorf("%s and %s have different positions", n.ID, n.Same)
		}
	}
}

// TestSVGIsXML checks that texts with markup are escaped.
func TestSVGIsXML(t *testing.T) {
	var b strings.Builder
	if err := kindsTree(t).SVG(&b); err != nil {
		t.Fatal(err)
	}
	dec := xml.NewDecoder(strings.NewReader(b.String()))
	for {
		if _, err := dec.Token(); err == io.EOF {
			return
		} else if err != nil {
			t.Fatal(err)
		}
	}
}

// TestDOTGraphviz checks that Graphviz accepts the output, if it is installed.
func TestDOTGraphviz(t *testing.T) {
	path, err := exec.LookPath("dot")
	if err != nil {
		t.Skip("Graphviz is not installed")
	}
	var b strings.Builder
	if err := kindsTree(t).DOT(&b); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(path, "-Tsvg", "-o", os.DevNull)
	cmd.Stdin = strings.NewReader(b.String())
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
}

func TestTextWidth(t *testing.T) {
	for _, c := range []struct {
		line  string
		width int
		want  string
	}{
		{"H2-E2  +0.35", 0, "H2-E2  +0.35"},
		{"H2-E2  +0.35", 12, "H2-E2  +0.35"},
		{"H2-E2  +0.35", 11, "H2-E2  +0.…"},
		{"H2-E2  +0.35", 8, "H2-E2…"},
		{"├── 炮二平五", 12, "├── 炮二平五"},
		{"├── 炮二平五", 11, "├── 炮二平…"},
		{"├── 炮二平五", 10, "├── 炮二…"},
		{"x", 1, "x"},
		{"xy", 1, "…"},
	} {
		if got := truncate(c.line, c.width); got != c.want {
			t.Errorf("%q cut to %d is %q, want %q", c.line, c.width, got, c.want)
		}
	}
	tree := kindsTree(t)
	var b strings.Builder
	if err := tree.Text(&b, 20); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(b.String()) {
		if n := len([]rune(strings.TrimSuffix(line, "\n"))); n > 20 {
			t.Errorf("%q has %d columns", line, n)
		}
	}
}

// TestWriteErrors checks that all formats return write errors.
func TestWriteErrors(t *testing.T) {
	tree := stonesTree(t)
	for _, f := range Formats() {
		if err := f.Write(brokenWriter{}, tree, WriteOptions{}); !errors.Is(err, io.ErrClosedPipe) {
			t.Errorf("%s: error %v", f.Name, err)
		}
	}
}

type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

func TestSummary(t *testing.T) {
	for want, o := range map[string]Options{
		"1 position searched, 1 move":                  {Width: 1, Depth: 1},
		"3 positions searched, 9 moves, 7 not reached": {MaxNodes: 10},
	} {
		tree, err := Grow(t.Context(), enginetest.Ranker{}, xiangqi.Start(), o)
		if err != nil {
			t.Fatal(err)
		}
		if got := tree.Summary(); got != want {
			t.Errorf("summary %q, want %q", got, want)
		}
	}
	if got, want := kindsTree(t).Summary(), "positions searched"; !strings.Contains(got, want) || !strings.Contains(got, "1 failed") {
		t.Errorf("summary %q", got)
	}
}

// TestLabel checks that formats for people have labels, and formats for programs both moves and
// labels. The page has the game's notations instead.
func TestLabel(t *testing.T) {
	label := func(pos engine.Position, moves []engine.Move) []string {
		names := engine.FormatMoves(pos, moves)
		for i := range names {
			names[i] = "车" + names[i]
		}
		return names
	}
	tree, err := Grow(t.Context(), enginetest.Ranker{}, xiangqi.Start(), Options{Width: 1, Depth: 2, Limits: engine.Limits{Nodes: 100}, Label: label})
	if err != nil {
		t.Fatal(err)
	}
	check(t, tree)
	best := tree.Root.Best()[0]
	for _, format := range Formats() {
		if format.Name == "html" {
			continue
		}
		var b strings.Builder
		if err := format.Write(&b, tree, WriteOptions{}); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(b.String(), "车"+best.Name) {
			t.Errorf("%s has no %s", format.Name, best.Label)
		}
		if programs := format.Name == "json"; programs != strings.Contains(b.String(), `"move":"`+best.Name+`","label":"车`+best.Name+`"`) {
			t.Errorf("%s: %s", format.Name, b.String())
		}
	}
}
