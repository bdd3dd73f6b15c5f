// Package page has the web pages of games: the report on an annotated game, the tree of hints, exercises, and the board to
// work on of a server (package serve). All are made of one set of components, in plain JavaScript, CSS and HTML
// beside this file.
//
// A report and a tree are one file that loads nothing, and a policy in it forbids that it does: it works from a
// disk, in an e-mail, and on any server. It has
//
//   - a board, that readers turn, with edges in their language
//   - a list of moves, or a tree of them, with variations; keys, buttons and clicks step through it
//   - English and Chinese, and the game's notations
//   - light and dark colours: the system's, until the reader chooses
//   - the position to copy, and the game to save as PGN, with its variations and comments
//   - the position in the address: #12 is a ply, #2.1 a node of a tree
//
// On a narrow screen the board stays in sight while the list of moves below it scrolls.
//
// # Trying moves
//
// Readers can play moves of their own on the board, from any position and as deep as they like,
// which needs the rules. A page that stored the legal moves of every position instead, with the
// positions after them, would be several times as large, and end after one move. So the rules come with
// the script of the game ([games.Row]), a few kilobytes; a test compares them with those in Go on
// hundreds of positions. They also work out the positions of all lines, so a page stores only moves and
// is smaller than without them. The rules on repetition are not among them: an own line does not end
// by it. The page of a game without a script has positions, drawn as text, and no moves can be tried.
//
// A move is made by clicks on its points: two squares, all on which a piece lands that captures several
// others, or one cell. Where a turn has several moves, each is one of its own, and an outcome of chance,
// which has no points, is chosen by a button. The point at which all legal moves begin needs no click.
//
// # Files
//
// The scripts share one module scope, in the order of the table of components. base.js reads the data,
// words.js has the languages, boardwords.js what only a page of a server says, nodes.js the moves, pgn.js the text of the game, stage.js the board,
// frame.js everything else around it, moves.js the list of moves, judged.js what is known of a move and graph.js the graph of chances. report.js,
// tree.js and board.js are the pages; games.js makes a report one of many games. A page of a server has besides: analysis.js the lines of engines, engines.js which
// of them run and how, play.js games against one, files.js the files of games, tags.js what is said of a whole game,
// known.js what is known without an engine, retry.js its exercises, and editor.js the editor of positions. A page of exercises
// (exercises.js) shares train.js with it, and keeps what was solved by spacing.js.
package page

import (
	"cmp"
	"embed"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"qhsh/engine"
	"qhsh/engine/games"
	"qhsh/engine/printable"
	"qhsh/engine/record"
)

//go:embed *.html *.css *.js
var files embed.FS

// A Kind is what a page shows.
type Kind string

// The kinds.
const (
	Report Kind = "report" // an annotated game: the data are those of report.js
	Games  Kind = "games"  // several of them: the data are those of games.js
	Tree   Kind = "tree"   // a tree of hints: the data are those of tree.js
	Board  Kind = "board"  // a game to work on, of a server: the data are those of board.js

	Exercises Kind = "exercises" // moves to find: the data are those of exercises.js
)

// components are the files that make each kind, in order: scripts, styles, and what stands beside the board.
var components = map[Kind]struct{ scripts, styles, html []string }{
	Report: {reportScripts, []string{"style"}, []string{"report"}},
	Games:  {append(slices.Clone(reportScripts), "games"), []string{"style", "games"}, []string{"report"}},
	Tree:   {[]string{"base", "words", "nodes", "pgn", "stage", "frame", "tree"}, []string{"style"}, []string{"tree"}},
	Board: {
		[]string{"base", "words", "boardwords", "nodes", "pgn", "stage", "frame", "graph", "moves", "analysis", "engines", "play", "files", "known", "tags", "editor", "train", "retry", "board"},
		[]string{"style", "train", "board"},
		[]string{"train", "board"},
	},
	Exercises: {
		[]string{"base", "words", "nodes", "pgn", "stage", "frame", "graph", "moves", "judged", "spacing", "train", "exercises"},
		[]string{"style", "train", "exercises"},
		[]string{"train", "exercises"},
	},
}

var reportScripts = []string{"base", "words", "nodes", "pgn", "stage", "frame", "graph", "moves", "judged", "report"}

// The codes of the languages.
const english, chinese = "en", "zh"

// A Game is the part of a page's data that does not depend on its Kind.
type Game struct {
	Language  string                       `json:"language,omitempty"` // en or zh; empty: the reader's
	Notation  string                       `json:"notation,omitempty"` // empty: the usual one of the language
	Notations []string                     `json:"notations"`
	Usual     map[string]string            `json:"usual"` // notations by language
	Names     [2]string                    `json:"names"` // of the sides, in English
	Words     map[string]map[string]string `json:"words"` // translations of the game's words, by language
	PGN       string                       `json:"pgn"`   // the tags
	Result    string                       `json:"result"`
	Opening   map[string]string            `json:"opening"` // its name by language, if it has one and no tag says it

	games  games.Table
	row    *games.Row // of the game
	script string     // of its boards; empty if it has none
}

// NewGame returns the data of a game with its tags and result. language and notation may be empty.
func NewGame(all games.Table, g *record.Game, language, notation string) (Game, error) {
	game := g.Start.Game()
	row := all.Row(game)
	usual := map[string]string{}
	for _, l := range []string{english, chinese} {
		usual[l] = cmp.Or(all.NotationFor(game, l), game.Name())
	}
	tags, result, err := tagsOf(all, g)
	p := Game{
		Language: language, Notation: notation, Notations: all.PageNotations(game, cmp.Or(notation, usual[english])), Usual: usual,
		Words: map[string]map[string]string{chinese: row.Words[chinese]}, PGN: tags, Result: result,
		games: all, row: row, script: all.Script(game),
	}
	if name := all.Opening(g); name != "" && g.Tags.Known("Opening") == "" {
		p.Opening = map[string]string{english: name, chinese: all.Word(game, chinese, name)}
	}
	for side := range p.Names {
		p.Names[side] = engine.SideName(game, engine.Turn(side))
	}
	return p, err
}

// tagsOf returns the tags of a game in PGN, each line with its end, and the result.
func tagsOf(all games.Table, g *record.Game) (tags, result string, err error) {
	bare := record.Game{Start: g.Start, Tags: g.Tags, Root: &record.Node{}, Result: g.Result}
	var b strings.Builder
	w, err := all.Records(g.Start.Game()).NewWriter(&b, record.PGN, "")
	if err == nil {
		err = w.Write(&bare)
	}
	if err != nil {
		return "", "", fmt.Errorf("tags of the page: %w", err)
	}
	tags, result, _ = strings.Cut(b.String(), "\n\n")
	return tags + "\n", strings.TrimSpace(result), nil
}

// A Node is a position and the move before it, which the first node of a page does not have.
type Node struct {
	Number   int      `json:"n,omitempty"`        // of the full move; of a node without a move, that of the next one
	Second   bool     `json:"second,omitempty"`   // the move belongs to a turn of the second side; as for Number
	Chance   bool     `json:"chance,omitempty"`   // an outcome of chance
	Move     string   `json:"move,omitempty"`     // in the game's own notation
	Texts    []string `json:"texts,omitempty"`    // in each of the page's notations, for a game without a script; empty: as Move
	Position string   `json:"position,omitempty"` // empty if the page's script works it out
	Drawing  string   `json:"drawing,omitempty"`  // a text drawing, for a game without a script
}

// Root returns the node of a position without a move.
func (p *Game) Root(pos engine.Position) Node {
	node := Node{Number: 1, Position: pos.String()}
	node.Second = owner(pos) == engine.Second
	if p.row.MoveNumber != nil {
		node.Number = p.row.MoveNumber(pos)
	}
	if p.script == "" {
		node.Drawing = p.games.Draw(pos, games.TextOptions{})
	}
	return node
}

// Play returns the node of a move and the position after it; nil if the move is illegal. number is
// the move's number in games that do not count moves themselves.
func (p *Game) Play(pos engine.Position, m engine.Move, number int) (Node, engine.Position) {
	next, err := pos.Play(m)
	if err != nil {
		return Node{}, nil
	}
	node := Node{
		Number: number, Second: owner(pos) == engine.Second, Chance: pos.Turn() == engine.Chance, Move: pos.Format(m),
	}
	if p.row.MoveNumber != nil {
		node.Number = p.row.MoveNumber(pos)
	}
	if p.script == "" && len(p.Notations) > 1 {
		for _, notation := range p.Notations {
			text := p.games.MoveName(pos, m, notation)
			if text == node.Move {
				text = ""
			}
			node.Texts = append(node.Texts, text)
		}
	}
	if p.script == "" {
		node.Position, node.Drawing = next.String(), p.games.Draw(next, games.TextOptions{})
	}
	return node, next
}

// A Move is a node with what a record says about its move.
type Move struct {
	Node
	Lead    string   `json:"lead,omitempty"`
	Comment string   `json:"comment,omitempty"`
	Note    string   `json:"note,omitempty"` // the comment in PGN, if it is another
	Glyphs  []int    `json:"glyphs,omitempty"`
	Judged  any      `json:"judged,omitempty"` // what is known of the position; nil: nothing
	Marks   []string `json:"marks,omitempty"`  // on the board: a colour's letter and a point or two
	Others  [][]Move `json:"others,omitempty"` // variations that start instead of the move
}

// Line returns the moves after a node of a record, up to the first illegal one, with their variations. each, if
// not nil, is called with every move, its node, the position after it, and its ply, which counts from 1 in the
// line itself and is 0 in a variation. number is that of the next full move.
func (p *Game) Line(n *record.Node, pos engine.Position, number int, each func(m *Move, n *record.Node, next engine.Position, ply int)) []Move {
	if each == nil {
		each = func(*Move, *record.Node, engine.Position, int) {}
	}
	return p.line(n, pos, number, 1, each)
}

func (p *Game) line(n *record.Node, pos engine.Position, number, ply int, each func(*Move, *record.Node, engine.Position, int)) []Move {
	line := []Move{}
	for len(n.Next) > 0 {
		m, next := p.move(n.Next[0], pos, number)
		if next == nil {
			break
		}
		for _, other := range n.Next[1:] {
			if first, after := p.move(other, pos, number); after != nil {
				each(&first, other, after, 0)
				m.Others = append(m.Others, append([]Move{first}, p.line(other, after, first.NextNumber(after), 0, each)...))
			}
		}
		each(&m, n.Next[0], next, ply)
		line = append(line, m)
		n, pos, number = n.Next[0], next, m.NextNumber(next)
		if ply > 0 {
			ply++
		}
	}
	return line
}

// move returns a node of a record and the position after it; nil if its move is illegal.
func (p *Game) move(n *record.Node, pos engine.Position, number int) (Move, engine.Position) {
	node, next := p.Play(pos, n.Move, number)
	m := Move{Node: node, Lead: n.StartingComment, Comment: n.Comment}
	for _, glyph := range n.Glyphs {
		m.Glyphs = append(m.Glyphs, int(glyph))
	}
	return m, next
}

// Lines returns consecutive moves in each notation, up to the first illegal one.
func (p *Game) Lines(pos engine.Position, moves []engine.Move) (lines []string) {
	for _, notation := range p.Notations {
		lines = append(lines, strings.Join(p.games.MoveNames(pos, moves, notation), ", "))
	}
	return lines
}

// NextNumber returns the number of the move after a node, for games that do not count moves
// themselves: it increases when First is to move again.
func (n Node) NextNumber(pos engine.Position) int {
	if n.Move != "" && n.Second && pos.Turn() == engine.First {
		return n.Number + 1
	}
	return n.Number
}

// owner returns the side whose turn it is. A chance move belongs to the turn of the side that moved
// before it.
func owner(pos engine.Position) engine.Turn {
	for pos.Turn() == engine.Chance {
		before, _ := pos.Undo()
		if before == nil {
			break
		}
		pos = before
	}
	return pos.Turn()
}

// Write writes a page that loads nothing. The data are an object that has the fields of p. Texts in it must be
// printable: a page is read by people.
func (p *Game) Write(w io.Writer, kind Kind, title string, data any) error {
	return p.write(w, kind, title, data, "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "+
		"script-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'\">\n<style>\n"+read(".css", components[kind].styles)+"</style>",
		">\n"+p.script+"\n"+read(".js", components[kind].scripts))
}

// Serve writes a page of a server, a [Board], which loads style.css, BoardStyle, and the script at an address,
// BoardScript, from there.
func (p *Game) Serve(w io.Writer, title, script string, data any) error {
	return p.write(w, Board, title, data, `<link rel="stylesheet" href="style.css">`, ` src="`+printable.Markup(script)+`">`)
}

// BoardStyle returns the style of a page of a server, in CSS.
func BoardStyle() string { return read(".css", components[Board].styles) }

// BoardScript returns the script of a page of a server about a game.
func BoardScript(all games.Table, g engine.Game) string {
	return all.Script(g) + "\n" + read(".js", components[Board].scripts)
}

// write writes a page with what is special in its head, and what follows the word script of the last element.
func (p *Game) write(w io.Writer, kind Kind, title string, data any, head, scriptText string) error {
	text, err := json.Marshal(data) // escapes <, > and &
	if err != nil {
		return err
	}
	language := english
	if p.Language == chinese {
		language = "zh-Hans"
	}
	_, err = strings.NewReplacer(
		"{{language}}", language,
		"{{title}}", printable.Markup(title),
		"{{head}}", head,
		"{{right}}", read(".html", components[kind].html),
		"{{data}}", string(text),
		"{{script}}", scriptText,
	).WriteString(w, read(".html", []string{"frame"}))
	return err
}

// read returns embedded files of an extension, one behind the other.
func read(extension string, names []string) string {
	var all strings.Builder
	for _, name := range names {
		text, err := files.ReadFile(name + extension)
		if err != nil {
			panic(err) // a file that the table of components names is missing
		}
		all.Write(text)
	}
	return all.String()
}
