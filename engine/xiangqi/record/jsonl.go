package record

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"qhsh/engine"
	"qhsh/engine/record"
	"qhsh/engine/xiangqi"
	"qhsh/engine/xiangqi/notation"
)

// A jsonGame is a game as a line of JSON. Plies count from 1 at the start of the game; a
// variation's first move stands instead of the main line's move of that ply.
type jsonGame struct {
	Tags   jsonTags `json:"tags,omitempty"`
	FEN    string   `json:"fen"`
	Result string   `json:"result"`
	jsonLine
}

type jsonLine struct {
	Moves      []string        `json:"moves"`
	Notes      []jsonNote      `json:"notes,omitempty"`
	Variations []jsonVariation `json:"variations,omitempty"`
}

// A jsonNote is what is said about a move; ply 0 is the start.
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

// jsonTags are tags as an object, whose keys keep their order.
type jsonTags Tags

// MarshalJSON writes the object.
func (t jsonTags) MarshalJSON() ([]byte, error) {
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	text.WriteByte('{')
	for i, tag := range t {
		if i > 0 {
			text.WriteByte(',')
		}
		if err := enc.Encode(tag.Name); err != nil {
			return nil, err
		}
		text.WriteByte(':')
		if err := enc.Encode(tag.Value); err != nil {
			return nil, err
		}
	}
	text.WriteByte('}')
	return text.Bytes(), nil
}

// UnmarshalJSON reads an object of texts.
func (t *jsonTags) UnmarshalJSON(data []byte) error {
	var values map[string]string
	if err := json.Unmarshal(data, &values); err != nil || values == nil {
		return err
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	_, _ = dec.Token() // the brace: the object has been read once
	for dec.More() {
		name, err := dec.Token()
		if err != nil {
			return err
		}
		value, err := dec.Token()
		if err != nil {
			return err
		}
		text, _ := value.(string) // null is no text
		*t = append(*t, Tag{Name: name.(string), Value: text})
	}
	return nil
}

// writeJSON writes a line.
func writeJSON(w *Writer, g *Game) error {
	j := jsonGame{Tags: jsonTags(g.Tags), FEN: startPos(g).FEN(), Result: record.FormatResult(g.Result)}
	j.Notes = appendNote(nil, 0, g.Root)
	j.jsonLine.write(startPos(g).Board(), w.style, 1, g.Root)
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(j); err != nil {
		return err
	}
	_, err := w.w.Write(text.Bytes())
	return err
}

// write takes the moves behind a node, where the board stands.
func (l *jsonLine) write(b *xiangqi.Board, style notation.Style, ply int, n *Node) {
	depth := 0
	if l.Moves == nil {
		l.Moves = []string{}
	}
	for ; len(n.Next) > 0; depth++ {
		for _, other := range n.Next[1:] {
			v := jsonVariation{Ply: ply + depth}
			v.Moves = []string{notation.Format(b, xiangqi.Move(other.Move), style)}
			v.Notes = appendNote(nil, ply+depth, other)
			b.Do(xiangqi.Move(other.Move))
			v.write(b, style, ply+depth+1, other)
			b.Undo()
			l.Variations = append(l.Variations, v)
		}
		n = n.Next[0]
		l.Moves = append(l.Moves, notation.Format(b, xiangqi.Move(n.Move), style))
		l.Notes = appendNote(l.Notes, ply+depth, n)
		b.Do(xiangqi.Move(n.Move))
	}
	for range depth {
		b.Undo()
	}
}

func appendNote(notes []jsonNote, ply int, n *Node) []jsonNote {
	if n.Lead == "" && n.Comment == "" && len(n.Glyphs) == 0 {
		return notes
	}
	note := jsonNote{Ply: ply, Before: n.Lead, Text: n.Comment}
	for _, glyph := range n.Glyphs {
		note.Glyphs = append(note.Glyphs, int(glyph))
	}
	return append(notes, note)
}

func isJSON(head []byte) bool {
	return bytes.HasPrefix(bytes.TrimSpace(bytes.TrimPrefix(head, []byte(bom))), []byte(`{"`))
}

// readJSON yields a game for each line.
func readJSON(s *source, yield func(*Game, error) bool) {
	split := &splitter{r: bufio.NewReaderSize(utf8Reader(s.r), peek)}
	var text []byte
	for line, count := 1, 0; ; line++ {
		var err error
		text, err = split.appendLine(text[:0])
		if now := bytes.TrimSpace(bytes.TrimPrefix(text, []byte(bom))); len(now) > 0 {
			if !isMatch(now) {
				count++
			}
			g, jsonErr := readJSONLine(now)
			if jsonErr != nil {
				jsonErr = s.at(count, line, jsonErr)
			}
			if (g != nil || jsonErr != nil) && !yield(g, jsonErr) {
				return
			}
		}
		switch {
		case len(text) > mostGame:
			yield(nil, s.at(count, line, errors.New("a line of more than 16 MB")))
			return
		case err != nil:
			if !errors.Is(err, io.EOF) {
				yield(nil, s.failed(err))
			}
			return
		}
	}
}

// readJSONLine is the game of a line; there is none in the terms of a match.
func readJSONLine(text []byte) (*Game, error) {
	switch {
	case isMatch(text):
		return nil, checkMatch(text)
	case isMatchGame(text):
		return readMatchGame(text)
	}
	return readJSONGame(text)
}

func readJSONGame(text []byte) (*Game, error) {
	var j jsonGame
	if err := json.Unmarshal(text, &j); err != nil {
		return nil, engine.ExplainJSON(err)
	}
	if j.FEN == "" && j.Moves == nil {
		return nil, errors.New("neither a fen nor moves: this is no game")
	}
	start, err := startOf(j.FEN)
	if err != nil {
		return nil, err
	}
	g := record.NewGame(start)
	var errs []error
	for _, tag := range j.Tags {
		if len(g.Tags) == record.MostTags {
			errs = append(errs, record.ErrTags)
			break
		}
		g.Tags.Add(tag.Name, tag.Value)
	}
	g.SetResult(j.Result)
	p := newPlanter(g)
	p.readJSON(&j.jsonLine, 1, &errs)
	return g, several(errs)
}

// readJSON plays a line from where the board stands; its first move has the number ply. It
// leaves the board where it was.
func (p *planter) readJSON(l *jsonLine, ply int, errs *[]error) {
	base := p.depth()
	for i, text := range l.Moves {
		m, err := notation.Parse(p.board, text)
		if err == nil && p.depth() >= mostPlies {
			err = errEndless
		}
		if err != nil {
			*errs = append(*errs, fmt.Errorf("ply %d: %w", ply+i, err))
			break
		}
		p.play(m)
	}
	line := slices.Clone(p.line)
	for _, note := range l.Notes {
		at := note.Ply - ply + 1 + base
		if at < base || at >= len(line) || at == base && ply != 1 {
			*errs = append(*errs, fmt.Errorf("a note is about ply %d, which is not there", note.Ply))
			continue
		}
		setNote(line[at], note)
	}
	for i := range l.Variations {
		v := &l.Variations[i]
		at := v.Ply - ply + base
		if at < base || at >= len(line)-1 || len(v.Moves) == 0 {
			*errs = append(*errs, fmt.Errorf("a variation of ply %d, which is not there", v.Ply))
			continue
		}
		p.back(base)
		for _, n := range line[base+1 : at+1] {
			p.follow(n)
		}
		p.readJSON(&v.jsonLine, v.Ply, errs)
	}
	p.back(base)
}

func setNote(n *Node, note jsonNote) {
	n.Lead, n.Comment = record.ManyLines(note.Before), record.ManyLines(note.Text)
	n.Glyphs = nil
	for _, glyph := range note.Glyphs {
		if 0 < glyph && glyph < 256 {
			n.Glyphs = append(n.Glyphs, uint8(glyph))
		}
	}
}
