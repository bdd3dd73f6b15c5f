package record

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"qhsh/engine"
	"qhsh/engine/printable"
)

// JSON has one game per line, in qhsh's own format. It also reads the games of a match.
var JSON = &Format{
	Name: "json", Extensions: []string{".jsonl", ".json"}, Read: readJSON, Write: writeJSON,
	Detect: func(head []byte) bool {
		return bytes.HasPrefix(bytes.TrimSpace(bytes.TrimPrefix(head, []byte(bom))), []byte(`{"`))
	},
}

// A jsonGame is a game as a line of JSON. Plies count from 1 at the start of the game; a
// variation's first move replaces the main line's move of that ply.
type jsonGame struct {
	Game   any    `json:"game,omitempty"` // its name; other commands may write a number
	Tags   Tags   `json:"tags,omitempty"`
	FEN    string `json:"fen"`
	Result string `json:"result"`
	jsonLine

	// The keys of a line of training data, which is one position and not a game.
	Move string `json:"move,omitempty"`
	engine.ScoreJSON
	Ply    *int   `json:"ply,omitempty"`
	File   string `json:"file,omitempty"`
	Player string `json:"player,omitempty"`
}

type jsonLine struct {
	Moves      []string        `json:"moves"`
	Notes      []jsonNote      `json:"notes,omitempty"`
	Variations []jsonVariation `json:"variations,omitempty"`
}

// A jsonNote is a comment on a move; ply 0 is the start.
type jsonNote struct {
	Ply    int    `json:"ply"`
	Before string `json:"before,omitempty"`
	Text   string `json:"text,omitempty"`
	Glyphs []int  `json:"glyphs,omitempty"`
}

type jsonVariation struct {
	Ply int `json:"ply"`
	jsonLine
}

func writeJSON(o *Output, g *Game) error {
	tags := slices.Clone(g.Tags)
	for _, t := range o.lib.style(g).Tags {
		tags.Set(t.Name, t.Value)
	}
	j := jsonGame{Tags: tags, FEN: g.Start.String(), Result: o.lib.PGN.FormatResult(g.Result)}
	if !o.lib.OmitName {
		j.Game = o.lib.Game.Name()
	}
	j.Notes = appendNote(nil, 0, g.Root)
	j.jsonLine.write(o.lib.Board(g.Start, o.Notation), 1, g.Root)
	text, err := printable.JSON(j)
	if err == nil {
		_, err = o.Writer.Write(append(text, '\n'))
	}
	return err
}

// write sets the line to the moves after a node; the board is at the node.
func (l *jsonLine) write(b Board, ply int, n *Node) {
	depth := 0
	if l.Moves == nil {
		l.Moves = []string{}
	}
	for ; len(n.Next) > 0; depth++ {
		for _, other := range n.Next[1:] {
			v := jsonVariation{Ply: ply + depth}
			v.Moves = []string{b.Format(other.Move)}
			v.Notes = appendNote(nil, ply+depth, other)
			b.Do(other.Move)
			v.write(b, ply+depth+1, other)
			b.Undo()
			l.Variations = append(l.Variations, v)
		}
		n = n.Next[0]
		l.Moves = append(l.Moves, b.Format(n.Move))
		l.Notes = appendNote(l.Notes, ply+depth, n)
		b.Do(n.Move)
	}
	for range depth {
		b.Undo()
	}
}

func appendNote(notes []jsonNote, ply int, n *Node) []jsonNote {
	if n.StartingComment == "" && n.Comment == "" && len(n.Glyphs) == 0 {
		return notes
	}
	note := jsonNote{Ply: ply, Before: n.StartingComment, Text: n.Comment}
	for _, glyph := range n.Glyphs {
		note.Glyphs = append(note.Glyphs, int(glyph))
	}
	return append(notes, note)
}

// readJSON yields one game per line.
func readJSON(s *Source, yield func(*Game, error) bool) {
	count, other := 0, false // other: the lines belong to a match of another game, which has been reported
	s.eachLine(yield, MaxGame, func(line int, text []byte) bool {
		isTerms := bytes.HasPrefix(text, []byte(`{"match":`)) // of a match
		if !isTerms {
			count++
		}
		if other && isMatchGame(text) {
			return true
		}
		var g *Game // nil for the terms of a match
		var err error
		switch {
		case bytes.Count(text, []byte(",")) > MaxMoves: // each value is far larger in memory
			err = errValues
		case isTerms:
			err = s.lib.checkMatch(text)
		case isMatchGame(text):
			g, err = s.lib.readMatchGame(text)
		default:
			g, err = s.lib.readJSONGame(text)
		}
		if isTerms {
			other = errors.As(err, new(*OtherGameError))
		}
		return g == nil && err == nil || yield(g, s.LineError(count, line, err))
	})
}

func (l *Library) readJSONGame(text []byte) (*Game, error) {
	var j jsonGame
	if err := json.Unmarshal(text, &j); err != nil {
		var annotated struct {
			Engine string                  `json:"engine"`
			Sides  map[string]any          `json:"sides"`
			Moves  []struct{ Move string } `json:"moves"`
		}
		if json.Unmarshal(text, &annotated) == nil && annotated.Engine != "" && annotated.Sides != nil {
			return nil, errors.New("output of annotate, whose moves cannot be read: have annotate write PGN instead")
		}
		return nil, printable.JSONError(err)
	}
	if name, ok := j.Game.(string); ok && name != l.Game.Name() {
		return nil, l.otherGame("a game of "+name, name)
	}
	if score := j.Score(); j.Moves == nil && (j.Move != "" || score.Known()) {
		return l.readJSONPosition(&j)
	}
	if j.FEN == "" && j.Moves == nil {
		return nil, errors.New("not a game: neither fen nor moves")
	}
	start, err := l.startOf(j.Tags, j.FEN, l.Game.Start())
	if err != nil {
		return nil, err
	}
	g := NewGame(start)
	var errs Errors
	for _, tag := range j.Tags {
		if len(g.Tags) == MaxTags {
			errs.Add(ErrTags)
			break
		}
		g.Tags.Add(tag.Name, tag.Value)
	}
	g.SetResult(j.Result)
	g.Result = l.PGN.outcome(g.Result)
	l.readJSONLine(NewTreeBuilder(g, l.Board(start, "")), &j.jsonLine, 1, &errs)
	return g, errs.Err()
}

// readJSONPosition returns the game of a position of training data.
func (l *Library) readJSONPosition(j *jsonGame) (*Game, error) {
	g, err := l.trainingGame(trainingPosition{fen: j.FEN, move: j.Move, score: j.Score(), ply: j.Ply})
	if err != nil {
		return nil, err
	}
	g.SetResult(j.Result)
	g.Result = l.PGN.outcome(g.Result)
	style := l.style(g)
	g.Tags.Set([]string{style.First, style.Second}[g.Start.Turn()], j.Player)
	g.Tags.Set(FileTag, j.File)
	if number, ok := j.Game.(float64); ok {
		g.Tags.Set(GameTag, strconv.Itoa(int(number)))
	}
	return g, nil
}

// readJSONLine plays a line from the current node; its first move is at ply. It leaves the board where it
// was.
func (l *Library) readJSONLine(p *TreeBuilder, j *jsonLine, ply int, errs *Errors) {
	base, rest := p.Depth(), ""
	for i, text := range j.Moves {
		m, err := p.board.Parse(text)
		if err == nil {
			_, err = p.Play(m)
		}
		if err != nil {
			rest = j.text(i, ply)
			if err = fmt.Errorf("ply %d: %w", ply+i, err); l.lenient {
				err = &DroppedError{err, keptAsComment}
			}
			errs.Add(err)
			break
		}
	}
	line := p.Path()
	// What belongs to moves that were dropped was dropped with them, but for alternatives to the first.
	dropped := func(at int) bool { return l.lenient && len(line) <= at && at <= base+len(j.Moves) }
	for _, note := range j.Notes {
		at := note.Ply - ply + 1 + base
		switch {
		case dropped(at):
		case at < base || at >= len(line) || at == base && ply != 1:
			errs.Add(fmt.Errorf("note for ply %d, which does not exist", note.Ply))
		default:
			n := line[at]
			n.StartingComment, n.Comment, n.Glyphs = CleanText(note.Before), CleanText(note.Text), nil
			for _, glyph := range note.Glyphs {
				if 0 < glyph && glyph < 256 {
					n.Glyphs = append(n.Glyphs, uint8(glyph))
				}
			}
		}
	}
	if l.lenient && rest != "" {
		p.Current().drop(rest)
	}
	for i := range j.Variations {
		v := &j.Variations[i]
		at := v.Ply - ply + base
		switch {
		case dropped(at):
			continue
		case at < base || at >= len(line)-1 && !dropped(at+1) || len(v.Moves) == 0:
			errs.Add(fmt.Errorf("variation of ply %d, which does not exist", v.Ply))
			continue
		}
		p.BackTo(base)
		for _, n := range line[base+1 : at+1] {
			p.Follow(n)
		}
		l.readJSONLine(p, &v.jsonLine, v.Ply, errs)
	}
	p.BackTo(base)
}

// text returns the moves from index i of a line whose first move is at ply, with notes in braces and
// variations in parentheses, except for alternatives to move i; -1 is all.
func (l *jsonLine) text(i, ply int) string {
	var words []string
	for k := max(i, 0); k < len(l.Moves); k++ {
		words = append(words, l.Moves[k])
		for _, note := range l.Notes {
			if text := JoinLines(note.Before, note.Text); note.Ply == ply+k && text != "" {
				words = append(words, "{"+text+"}")
			}
		}
		for _, v := range l.Variations {
			if v.Ply == ply+k && k > i {
				words = append(words, "("+v.text(-1, v.Ply)+")")
			}
		}
	}
	return strings.Join(words, " ")
}
