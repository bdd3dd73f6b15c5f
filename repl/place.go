package repl

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"qhsh/engine"
	"qhsh/engine/printable"
	"qhsh/engine/record"
	"qhsh/pluginclient"
)

// A place is a node of a game and the way to it: where the board stands, or what .analyze shows.
type place struct {
	nodes     []*record.Node    // from the root to the node
	positions []engine.Position // after their moves
}

// placeIn returns the place of a position in a game from whose start its moves begin. rest are the
// moves that lead on from there to the position and that the game does not have.
func placeIn(g *record.Game, pos engine.Position) (p *place, rest []engine.Move) {
	_, moves := pos.History()
	p = &place{nodes: []*record.Node{g.Root}, positions: []engine.Position{g.Start}}
	for i, m := range moves {
		if k := p.childWith(m); k < 0 || p.enter(k) != nil {
			return p, moves[i:]
		}
	}
	p.positions[p.depth()] = pos
	return p, nil
}

func (p *place) node() *record.Node   { return p.nodes[len(p.nodes)-1] }
func (p *place) pos() engine.Position { return p.positions[len(p.positions)-1] }

// depth returns the number of moves that lead to the place.
func (p *place) depth() int { return len(p.nodes) - 1 }

// length returns the number of moves of the line: those that lead to the place, and those that
// follow.
func (p *place) length() int {
	length := p.depth()
	for n := p.node(); len(n.Next) > 0; n = n.Next[0] {
		length++
	}
	return length
}

// childWith returns the index of the child for a move, or -1.
func (p *place) childWith(m engine.Move) int {
	return slices.IndexFunc(p.node().Next, func(n *record.Node) bool { return n.Move == m })
}

// enter steps to child k, from 0. Its error is that of an illegal move in the record.
func (p *place) enter(k int) error {
	child := p.node().Next[k]
	pos, err := p.pos().Play(child.Move)
	if err != nil {
		return fmt.Errorf("the record has an illegal move here: %w", err)
	}
	p.nodes, p.positions = append(p.nodes, child), append(p.positions, pos)
	return nil
}

// goTo steps to the place after so many moves of the line, or as near as the line goes.
func (p *place) goTo(depth int) error {
	depth = max(depth, 0)
	if depth < p.depth() {
		p.nodes, p.positions = p.nodes[:depth+1], p.positions[:depth+1]
	}
	for p.depth() < depth && len(p.node().Next) > 0 {
		if err := p.enter(0); err != nil {
			return err
		}
	}
	return nil
}

// fork returns the number of moves before the variation in which the place is, the innermost one;
// ok is false on the main line.
func (p *place) fork() (depth int, ok bool) {
	for i := p.depth(); i > 0; i-- {
		if p.nodes[i-1].Next[0] != p.nodes[i] {
			return i - 1, true
		}
	}
	return 0, false
}

func (p *place) variations() int { return max(len(p.node().Next)-1, 0) }

// headline describes a place in one line: its number, the move that led there, who is to move.
func (s *Shell) headline(p *place, style string) string {
	text := fmt.Sprintf("move %d of %d", p.depth(), p.length())
	if _, inside := p.fork(); inside {
		text = "variation, " + text
	}
	if p.depth() > 0 {
		text += "  " + s.moveText(p.positions[p.depth()-1], p.node(), style)
	}
	return text + "  " + s.host.Games.Status(p.pos())
}

// moveText returns the move of a node with its glyphs. pos is the position before it.
func (s *Shell) moveText(pos engine.Position, n *record.Node, style string) string {
	name := s.host.Games.MoveName(pos, n.Move, style)
	return strings.TrimSpace(name + " " + strings.Join(glyphSigns(n), " "))
}

func glyphSigns(n *record.Node) (signs []string) {
	for _, glyph := range n.Glyphs {
		signs = append(signs, record.GlyphSign(glyph))
	}
	return signs
}

// notes returns the comments on a place and, if variations begin there, the moves that continue
// the game. Every line ends in a newline.
func (s *Shell) notes(p *place, style string) string {
	n, text := p.node(), ""
	if comment := record.JoinLines(n.StartingComment, n.Comment); comment != "" {
		for line := range strings.Lines(printable.Text(comment)) {
			text += "  " + strings.TrimRight(line, "\n") + "\n"
		}
	}
	if len(n.Next) < 2 {
		return text
	}
	rows := [][]string{{"  next", s.moveText(p.pos(), n.Next[0], style)}}
	for i, next := range n.Next[1:] {
		rows = append(rows, []string{fmt.Sprintf("  %4d", i+1), s.moveText(p.pos(), next, style)})
	}
	return text + printable.Table(rows, "l")
}

func (s *Shell) describe(p *place) string {
	return printable.Line(s.headline(p, s.style)) + "\n" + s.notes(p, s.style)
}

// placeOf returns where a position stands in the kept game that it belongs to, which it does not
// change, and the moves that the game does not have; nil if it belongs to none.
func (s *Shell) placeOf(pos engine.Position) (p *place, rest []engine.Move) {
	g := s.kept.of(pos)
	if g == nil {
		return nil, nil
	}
	return placeIn(g.Game, pos)
}

// here returns where the current board stands; nil if its game does not have it.
func (s *Shell) here() *place {
	if s.current == nil {
		return nil
	}
	p, rest := s.placeOf(s.current.session.Position())
	if len(rest) > 0 {
		return nil
	}
	return p
}

// findPlace finds where the board stands in its game, to which it adds the moves that the game does
// not have. The shell keeps the game.
func (c *call) findPlace() error {
	pos := c.engine.session.Position()
	if c.game = c.shell.kept.of(pos); c.game == nil {
		c.game = c.shell.keep(record.FromPosition(pos))
	}
	p, rest := placeIn(c.game.Game, pos)
	c.at = p
	for _, m := range rest {
		p.node().Add(m)
		if err := p.enter(p.childWith(m)); err != nil {
			return fmt.Errorf("%s: %w", c.command.name, err)
		}
	}
	return nil
}

// stand sets the board to a place and describes it.
func (c *call) stand(p *place) error {
	if err := c.stepTo(p.pos()); err != nil {
		return err
	}
	fmt.Fprint(c.out, c.shell.describe(p))
	return nil
}

// stepTo sets the board to a position of its game. It takes back moves and plays moves, which keeps
// the engine's memory, unless a new game is shorter.
func (c *call) stepTo(pos engine.Position) error {
	_, from := c.engine.session.Position().History()
	_, to := pos.History()
	same := 0
	for same < min(len(from), len(to)) && from[same] == to[same] {
		same++
	}
	back, ahead := len(from)-same, to[same:]
	loader, loads := pluginclient.As[pluginclient.Loader](c.engine.session)
	undoer, undoes := pluginclient.As[pluginclient.Undoer](c.engine.session)
	if !loads || !undoes || c.engine.inDoubt() || back > max(len(to), 1) {
		return c.setBoard(pos)
	}
	return c.shell.awaitEngine(c.ctx, c.engine, func(ctx context.Context) error {
		err := takeBack(ctx, undoer, back)
		if err == nil && len(ahead) > 0 {
			err = loader.Load(ctx, ahead...)
		}
		return err
	})
}

func takeBack(ctx context.Context, player pluginclient.Undoer, n int) error {
	for range n {
		if err := player.Undo(ctx); err != nil {
			return err
		}
	}
	return nil
}
