package records

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"qhsh/engine/games"
	"qhsh/engine/printable"
	"qhsh/engine/record"
)

// A Merger makes one game of many: a tree of all their moves, of which those of most games come first. Where a game ends, a comment
// names it, and comments begin with the name of theirs. Games of different start positions make several.
type Merger struct {
	Games games.Table
	trees []*tree
}

// A tree is a merged game.
type tree struct {
	*record.Game
	games  int                  // that were merged
	moves  int                  // of the tree
	played map[*record.Node]int // how many games have a move, with their variations
}

// Add adds a game. source names it if its players are not known. It is an error if the tree becomes larger than a game may be.
func (m *Merger) Add(source string, g *record.Game) error {
	i := slices.IndexFunc(m.trees, func(t *tree) bool { return t.Start.String() == g.Start.String() })
	if i < 0 {
		i = len(m.trees)
		m.trees = append(m.trees, &tree{Game: record.NewGame(g.Start), played: map[*record.Node]int{}})
	}
	t, name := m.trees[i], m.name(source, g)
	t.games++
	type pair struct {
		from, to *record.Node
		isMain   bool
	}
	for pending := []pair{{g.Root, t.Root, true}}; len(pending) > 0; { // not recursive, because the main line may be long
		p := pending[len(pending)-1]
		pending = pending[:len(pending)-1]
		for _, comment := range []string{p.from.StartingComment, p.from.Comment} {
			if comment != "" {
				p.to.AddComment(name + ": " + comment)
			}
		}
		for _, glyph := range p.from.Glyphs {
			if !slices.Contains(p.to.Glyphs, glyph) {
				p.to.Glyphs = append(p.to.Glyphs, glyph)
			}
		}
		if p.isMain && len(p.from.Next) == 0 {
			p.to.AddComment(name)
		}
		for i, next := range p.from.Next {
			before := len(p.to.Next)
			to := p.to.Add(next.Move)
			if t.moves += len(p.to.Next) - before; t.moves > record.MaxMoves {
				return fmt.Errorf("the games have more than %d different moves: merge fewer, as 'qhsh games -position' selects them", record.MaxMoves)
			}
			t.played[to]++
			pending = append(pending, pair{next, to, p.isMain && i == 0})
		}
	}
	return nil
}

// name returns what a game is called: its players, date and result, or else its source.
func (m *Merger) name(source string, g *record.Game) string {
	style := m.Games.PGN(g.Start.Game())
	names := record.Versus(style.Names(g.Tags))
	if names == "" {
		return source
	}
	parts := []string{names, g.Tags.Known("Date"), style.FormatResult(g.Result)}
	return strings.Join(slices.DeleteFunc(parts, func(part string) bool { return part == "" || part == "*" }), ", ")
}

// Merged returns the merged games, in the order in which their starts were met.
func (m *Merger) Merged() (all []*record.Game) {
	for _, t := range m.trees {
		t.Walk(func(n *record.Node) bool {
			slices.SortStableFunc(n.Next, func(a, b *record.Node) int { return cmp.Compare(t.played[b], t.played[a]) })
			return true
		})
		t.Tags.Set("Event", printable.Plural(t.games, "game")+" merged")
		all = append(all, t.Game)
	}
	return all
}
