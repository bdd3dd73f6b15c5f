package repl

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"qhsh/engine/printable"
	"qhsh/engine/record"
	"qhsh/pluginclient"
)

// Words of .delete and .promote.
const (
	deleteComment = "comment"
	deleteGlyphs  = "glyphs"
	promoteToMain = "main"
)

func runComment(c *call) error {
	node := c.at.node()
	switch {
	case c.args != "":
		c.write(func() { node.Comment = record.CleanText(c.args) })
	case node.Comment != "":
		fmt.Fprintln(c.out, printable.Text(node.Comment))
	}
	return nil
}

func runGlyph(c *call) error {
	n, words := c.at.node(), strings.Fields(c.args)
	switch {
	case len(words) == 0:
		if signs := glyphSigns(n); len(signs) > 0 {
			fmt.Fprintln(c.out, strings.Join(signs, " "))
		}
		return nil
	case c.at.depth() == 0:
		return errors.New(".glyph: no move has been played")
	}
	var glyphs []uint8
	for _, word := range words {
		glyph, ok := record.ParseGlyph(word)
		if !ok {
			return c.usageError("invalid glyph %q: use ! ? !! ?? !? ?! or $1 to $255", word)
		}
		if !slices.Contains(glyphs, glyph) {
			glyphs = append(glyphs, glyph)
		}
	}
	c.write(func() { n.Glyphs = glyphs })
	return nil
}

func glyphWords(*Shell, []string) []pluginclient.Completion {
	var all []pluginclient.Completion
	for glyph := uint8(1); record.GlyphSign(glyph)[0] != '$'; glyph++ {
		all = append(all, pluginclient.Completion{Text: record.GlyphSign(glyph), More: true})
	}
	return all
}

func runPromote(c *call) error {
	switch text := c.operand(); text {
	case "", promoteToMain:
		if _, inside := c.at.fork(); !inside {
			return errors.New(".promote: this is the main line")
		}
		c.write(func() { c.at.promote(text == promoteToMain) })
	default:
		k, err := c.variation()
		if err != nil {
			return err
		}
		c.write(func() { c.at.node().Promote(k) })
	}
	fmt.Fprint(c.out, c.shell.describe(c.at))
	return nil
}

// promote makes the variation of the place the first continuation where it begins, and with all the
// variations around it, too.
func (p *place) promote(all bool) {
	for depth, inside := p.fork(); inside; depth, inside = p.fork() {
		p.nodes[depth].Promote(slices.Index(p.nodes[depth].Next, p.nodes[depth+1]))
		if !all {
			return
		}
	}
}

func runDelete(c *call) error {
	n := c.at.node()
	switch c.operand() {
	case "":
		return c.deleteLast()
	case deleteComment:
		c.write(func() { n.Comment, n.StartingComment = "", "" })
	case deleteGlyphs:
		c.write(func() { n.Glyphs = nil })
	default:
		k, err := c.variation()
		if err != nil {
			return err
		}
		c.write(func() { n.Next = slices.Delete(n.Next, k, k+1) })
		fmt.Fprint(c.out, c.shell.describe(c.at))
	}
	return nil
}

func (c *call) deleteLast() error {
	p, last := c.at, c.at.node()
	if p.depth() == 0 {
		return errors.New(".delete: no move has been played")
	}
	before := &place{p.nodes[:p.depth()], p.positions[:p.depth()]}
	if err := c.stepTo(before.pos()); err != nil {
		return err
	}
	n := before.node()
	c.write(func() { // at is still the last move, to which .revert returns
		n.Next = slices.DeleteFunc(n.Next, func(n *record.Node) bool { return n == last })
	})
	fmt.Fprint(c.out, c.shell.describe(before))
	return nil
}

func runRevert(c *call) error {
	g := c.shell.kept.of(c.engine.session.Position())
	if g == nil || len(g.changes) == 0 {
		return errors.New(".revert: nothing has been written in this game")
	}
	last := g.changes[len(g.changes)-1]
	g.changes = g.changes[:len(g.changes)-1]
	*g.Game, g.unsaved = *last.before, true
	p, _ := placeIn(g.Game, last.board)
	return c.stand(p)
}
