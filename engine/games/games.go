// Package games is the table of games, one row each. All code that needs to know a game's features
// asks the table, so that adding a game means adding its packages and one row.
//
// # What a game provides
//
// A [Row] needs no more than an [engine.Game], which is immutable and passes enginetest.Conform.
// Package quoridor is the example to read. Everything else is optional, with a fallback for games
// without it: small interfaces of package engine that the Game or its positions implement,
//
//   - engine.SideNamer: what the sides are called
//   - engine.MoveJoiner: moves that are written in several words
//   - engine.Adjudicator: results by repetition and lack of progress
//   - engine.Odds: turns that belong to chance
//
// and the other fields of the Row, which callers read by [Table.Row] or by the methods of [Table] that
// have the fallback: an embedded engine, options, positions for benchmarks, a fast perft, notations,
// a board ([Board]: how it looks, what stands on it, the rules in JavaScript), translations, files of games,
// rules on repetition.
//
// A row has its own file and is listed in [Default]; a test adds a row to a copy with [Table.With].
// Package gamestest has the row of a game with only rules and an engine; TestStones in cmd/qhsh runs
// every command with it.
//
// So a new game touches its own folder, its row's file and the line of Default. Beside the rules and their
// tests it has a fuzz target for the text of its positions, a section in GAMES.md beside package engine of at
// least 100 characters, by the name of the row's Heading, and, if it has a Board, shapes that package raster
// knows: its tests name what it does not. The commands
//
//	go test ./engine/games -run TestBoards -update
//	go test ./cmd/qhsh -run 'TestDocuments|TestScripts|TestComplete' -golden '.*' -update
//	go test ./script -run TestReference -update
//
// write its boards, the lists of games in the help, its transcripts and the reference of scripts.
package games

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"

	"qhsh/engine"
	"qhsh/engine/printable"
)

// A Table is an immutable list of games, the first of which is the default. The zero Table is
// empty.
type Table struct{ rows []*Row }

// Default has all games of the program.
var Default = Table{[]*Row{xiangqiRow, quoridorRow, qchessRow, checkersRow}}

// With returns a copy of the table with one more game.
func (t Table) With(r *Row) Table { return Table{append(slices.Clone(t.rows), r)} }

// Row returns the row of a game, or one without abilities if it is not in the table.
func (t Table) Row(g engine.Game) *Row {
	for _, r := range t.rows {
		if r.Game.Name() == g.Name() {
			return r
		}
	}
	return &Row{Game: g}
}

// handOver returns a function for HandOver of a game whose positions are texts of words, of which one is the side to
// move.
func handOver(separator string, at int, first, second string) func(engine.Position) (engine.Position, error) {
	return func(p engine.Position) (engine.Position, error) {
		words := strings.Split(p.String(), separator)
		if words[at] == first {
			words[at] = second
		} else {
			words[at] = first
		}
		return p.Game().Position(strings.Join(words, separator))
	}
}

// DefaultGame returns the game that is used if none is named.
func (t Table) DefaultGame() engine.Game { return t.rows[0].Game }

// Games returns the games with default options, in the order of the table.
func (t Table) Games() []engine.Game {
	all := make([]engine.Game, len(t.rows))
	for i, r := range t.rows {
		all[i] = r.Game
	}
	return all
}

// Names returns the names of the games in the order of the table.
func (t Table) Names() []string {
	names := make([]string, len(t.rows))
	for i, r := range t.rows {
		names[i] = r.Game.Name()
	}
	return names
}

// Players returns the games with an embedded engine, in the order of the table.
func (t Table) Players() (all []engine.Game) {
	for _, r := range t.rows {
		if r.Engine != nil {
			all = append(all, r.Game)
		}
	}
	return all
}

// EngineName returns how a SPEC names the embedded engine of a game: builtin is that of the default game, and the
// others have the names of their games.
func (t Table) EngineName(game string) string {
	if game == t.DefaultGame().Name() {
		return "builtin"
	}
	return game
}

// New returns a game by name with options, which may be nil. The error of an unknown name lists the
// known ones.
func (t Table) New(name string, v Values) (engine.Game, error) {
	i := slices.Index(t.Names(), name)
	if i < 0 {
		words := t.Names()
		for i, word := range words {
			words[i] = strconv.Quote(word)
		}
		return nil, fmt.Errorf("unknown game %q: want %s", name, printable.OneOf(words))
	}
	r := t.rows[i]
	for _, key := range slices.Sorted(maps.Keys(v)) {
		o := slices.IndexFunc(r.Options, func(o Option) bool { return o.Name == key })
		if o < 0 {
			return nil, fmt.Errorf("%s has no option %q", engine.Title(r.Game), key)
		}
		if err := r.Options[o].Check(v[key]); err != nil {
			return nil, fmt.Errorf("%s=%s: %w", key, v[key], err)
		}
	}
	if r.New == nil {
		return r.Game, nil
	}
	return r.New(v)
}

// TitlesWith returns the titles of the games for whose rows has returns true, for messages:
// "Xiangqi", "Xiangqi and Chess", "Xiangqi, Chess and Go".
func (t Table) TitlesWith(has func(*Row) bool) string {
	var titles []string
	for _, r := range t.rows {
		if has(r) {
			titles = append(titles, engine.Title(r.Game))
		}
	}
	return printable.AllOf(titles)
}

// Unsupported returns the error of a member, command or flag that a game does not support, and of
// which has reports for which games it is.
func (t Table) Unsupported(g engine.Game, what string, has func(*Row) bool) error {
	return fmt.Errorf("%s: boards of %s have no such thing, those of %s do", what, engine.Title(g), t.TitlesWith(has))
}

// Describe returns a game's name, with its options if it has any.
func (t Table) Describe(g engine.Game) string {
	if r := t.Row(g); r.Describe != nil {
		return r.Describe(g)
	}
	return g.Name()
}

// Table returns the games as a Markdown table: names, text forms of positions, options.
func (t Table) Table() string {
	var b strings.Builder
	b.WriteString("| game | |\n|---|---|\n")
	for _, r := range t.rows {
		name := r.Game.Name()
		text := fmt.Sprintf("a position is as %s writes it, such as %s", engine.Title(r.Game), r.Game.Start())
		if r.PositionText != "" {
			text = "a position is " + strings.Join(strings.Fields(r.PositionText), " ")
		}
		fmt.Fprintf(&b, "| `%s` | %s |\n", name, text)
		for _, o := range r.Options {
			fmt.Fprintf(&b, "| `%s,%s=%s` | %s |\n", name, o.Name, o.Value(), strings.ReplaceAll(o.Help, "`", ""))
		}
	}
	return b.String()
}

// Samples returns positions of a game for benchmarks, at least its start.
func (t Table) Samples(g engine.Game) []engine.Position {
	if r := t.Row(g); r.Samples != nil {
		return r.Samples(g)
	}
	return []engine.Position{g.Start()}
}

// positions returns positions of a game as those of any.
func positions[P engine.Position](all []P) []engine.Position {
	list := make([]engine.Position, len(all))
	for i, p := range all {
		list[i] = p
	}
	return list
}

// A Branch is a root move, in the notation of perft output, and the number of leaf nodes below it.
type Branch struct {
	Move  string
	Nodes int64
}

// Divide returns for each legal move, in order, the number of leaf nodes at the depth below it. It
// uses up to jobs goroutines. The error is that of a depth below 1, or wraps the context's cause.
func (t Table) Divide(ctx context.Context, p engine.Position, depth, jobs int) ([]Branch, error) {
	r := t.Row(p.Game())
	if err := t.RefuseForeign(p.Game()); err != nil {
		return nil, fmt.Errorf("perft: %w", err)
	}
	perft := r.Perft
	if perft == nil {
		perft = countLeaves
	}
	counts, err := engine.Divide(ctx, p, depth, jobs, perft)
	if err != nil {
		return nil, err
	}
	branches := make([]Branch, len(counts))
	for i, c := range counts {
		branches[i] = Branch{t.MoveName(p, c.Move, r.PerftNotation), c.Nodes}
	}
	return branches, nil
}

// RefuseForeign returns the error of what needs too many positions of a [Row.Foreign] game, or nil.
func (t Table) RefuseForeign(g engine.Game) error {
	if !t.Row(g).Foreign {
		return nil
	}
	return fmt.Errorf("the rules of %s are a program's own, which cannot be asked so often", g.Name())
}

// countLeaves is the perft of a game without its own.
func countLeaves(p engine.Position, depth int, stop *atomic.Bool) (nodes int64) {
	if depth == 0 {
		return 1
	}
	for _, m := range p.Moves() {
		if next, err := p.Play(m); err == nil && !stop.Load() {
			nodes += countLeaves(next, depth-1, stop)
		}
	}
	return nodes
}

// Perft returns the number of leaf nodes at the depth; 1 for depth 0.
func (t Table) Perft(ctx context.Context, p engine.Position, depth int) (nodes int64, err error) {
	if depth == 0 {
		return 1, nil
	}
	branches, err := t.Divide(ctx, p, depth, 1)
	for _, b := range branches {
		nodes += b.Nodes
	}
	return nodes, err
}

// Adjudicator returns the function that adjudicates a game's positions under a rule set, and the
// set's name; an empty name means the default. For a game without rule sets it returns
// [engine.Adjudicate] and no name.
func (t Table) Adjudicator(g engine.Game, rules string) (judge func(engine.Position) engine.Result, name string, err error) {
	r := t.Row(g)
	switch {
	case HasRuleSets(r):
		rules = cmp.Or(rules, r.RuleSets[0])
		judge, err = r.Adjudicate(rules)
		return judge, rules, err
	case rules != "":
		return nil, "", t.Unsupported(g, "rules", HasRuleSets)
	}
	return engine.Adjudicate, "", nil
}

// ForcedWin returns what a game calls a win that the other side cannot avert. The error is that of
// a game without puzzles, and lists those with them.
func (t Table) ForcedWin(g engine.Game) (string, error) {
	hasPuzzles := func(r *Row) bool { return r.ForcedWin != "" }
	if r := t.Row(g); hasPuzzles(r) {
		return r.ForcedWin, nil
	}
	return "", fmt.Errorf("no puzzles can be made of games of %s, only of %s", engine.Title(g), t.TitlesWith(hasPuzzles))
}
