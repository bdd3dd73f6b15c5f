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

// runComment implements .comment.
func runComment(c *call) error {
	p, err := c.place()
	switch {
	case err != nil:
		return fmt.Errorf(".comment: %w", err)
	case c.args != "":
		c.shell.write(p, func() { p.node().Comment = record.CleanText(c.args) })
	case p.node().Comment != "":
		fmt.Fprintln(c.out, printable.Text(p.node().Comment))
	}
	return nil
}

// runGlyph implements .glyph.
func runGlyph(c *call) error {
	p, err := c.place()
	if err != nil {
		return fmt.Errorf(".glyph: %w", err)
	}
	n, words := p.node(), strings.Fields(c.args)
	switch {
	case len(words) == 0:
		if signs := glyphSigns(n); len(signs) > 0 {
			fmt.Fprintln(c.out, strings.Join(signs, " "))
		}
		return nil
	case p.depth() == 0:
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
	c.shell.write(p, func() { n.Glyphs = glyphs })
	return nil
}

func glyphWords(*Shell, []string) []pluginclient.Completion {
	var all []pluginclient.Completion
	for glyph := uint8(1); record.GlyphSign(glyph)[0] != '$'; glyph++ {
		all = append(all, pluginclient.Completion{Text: record.GlyphSign(glyph), More: true})
	}
	return all
}

// runPromote implements .promote.
func runPromote(c *call) error {
	text := c.operand()
	p, err := c.place()
	if err != nil {
		return fmt.Errorf(".promote: %w", err)
	}
	k, isNumber, err := p.variation(text)
	switch {
	case err != nil:
		return fmt.Errorf(".promote: %w", err)
	case isNumber:
		c.shell.write(p, func() { p.node().Promote(k) })
	case text != "" && text != promoteToMain:
		return c.usageError("invalid number of a variation %q", text)
	default:
		if _, inside := p.fork(); !inside {
			return errors.New(".promote: this is the main line")
		}
		c.shell.write(p, func() { p.promote(text == promoteToMain) })
	}
	fmt.Fprint(c.out, c.shell.describe(p))
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

// runDelete implements .delete.
func runDelete(c *call) error {
	text := c.operand()
	p, err := c.place()
	if err != nil {
		return fmt.Errorf(".delete: %w", err)
	}
	n := p.node()
	switch text {
	case "":
		return c.deleteLast(p)
	case deleteComment:
		c.shell.write(p, func() { n.Comment, n.StartingComment = "", "" })
	case deleteGlyphs:
		c.shell.write(p, func() { n.Glyphs = nil })
	default:
		return c.deleteVariation(p, text)
	}
	return nil
}

// deleteVariation deletes the variation that text numbers.
func (c *call) deleteVariation(p *place, text string) error {
	k, isNumber, err := p.variation(text)
	switch {
	case err != nil:
		return fmt.Errorf(".delete: %w", err)
	case !isNumber:
		return c.usageError("invalid number of a variation %q", text)
	}
	c.shell.write(p, func() { p.node().Next = slices.Delete(p.node().Next, k, k+1) })
	fmt.Fprint(c.out, c.shell.describe(p))
	return nil
}

// deleteLast deletes the last move and what follows it.
func (c *call) deleteLast(p *place) error {
	last := p.node()
	if p.depth() == 0 {
		return errors.New(".delete: no move has been played")
	}
	before := &place{p.game, p.nodes[:p.depth()], p.positions[:p.depth()]}
	if err := c.stepTo(before.pos()); err != nil {
		return err
	}
	n := before.node()
	c.shell.write(p, func() { // p still has the last move, to which .revert returns
		n.Next = slices.DeleteFunc(n.Next, func(n *record.Node) bool { return n == last })
	})
	fmt.Fprint(c.out, c.shell.describe(before))
	return nil
}
