package record

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"qhsh/engine"
)

// A Library reads and writes the records of a game in several forms. It is immutable.
type Library struct {
	Description
	formats []*Format
	usual   engine.Position // of a PGN that names no other
	others  []OtherGame

	illegalStarts bool // are read
}

// NewLibrary makes the library of a game, whose description may be the game alone. A file has
// the first of the forms that knows it; without forms they are [Zip], [JSON], [PGN] and
// [Moves].
//
// A comment may look like any form, so those come first that are known by how they begin. A PGN
// need not begin with a tag: if it is none of the others, a line of tags is enough. Moves is
// whatever is left, and stands last.
func NewLibrary(d Description, forms ...*Format) *Library {
	if forms == nil {
		forms = []*Format{Zip, JSON, PGN, Moves}
	}
	d = d.orDefault()
	l := &Library{Description: d, formats: forms, usual: d.Game.Start()}
	if l.usual.String() != d.PGN.Start {
		if p, err := d.Game.Position(d.PGN.Start); err == nil {
			l.usual = p
		}
	}
	return l
}

// WithOtherGames returns the library where there are other games.
func (l *Library) WithOtherGames(others ...OtherGame) *Library {
	among := *l
	among.others = slices.Concat(l.others, others)
	return &among
}

// WithIllegalStarts returns the library that also reads games whose start is an
// [engine.IllegalPosition], which are damaged else. Their tag IllegalStart says why it is illegal.
func (l *Library) WithIllegalStarts() *Library {
	lenient := *l
	lenient.illegalStarts = true
	return &lenient
}

// Formats returns the library's forms, in the order in which they are tried.
func (l *Library) Formats() []*Format { return slices.Clone(l.formats) }

// FormatByName returns the form of a name in any case.
func (l *Library) FormatByName(name string) (*Format, bool) {
	return l.find(func(f *Format) bool { return strings.EqualFold(f.Name, name) })
}

// FormatByExtension returns the form that a file's extension stands for.
func (l *Library) FormatByExtension(path string) (*Format, bool) {
	ext := strings.ToLower(filepath.Ext(path))
	return l.find(func(f *Format) bool { return slices.Contains(f.Extensions, ext) })
}

func (l *Library) find(match func(*Format) bool) (*Format, bool) {
	if i := slices.IndexFunc(l.formats, match); i >= 0 {
		return l.formats[i], true
	}
	return nil, false
}

// DetectFormat returns the form of a file that begins so; 64 KB are looked at at most. A text that has
// no other form is taken for moves, whatever it is.
func (l *Library) DetectFormat(head []byte) *Format {
	head = head[:min(len(head), peek)]
	if text, ok := decodeUTF16(head); ok {
		head = []byte(text)
	}
	head = bytes.TrimPrefix(head, []byte(bom))
	for _, f := range l.formats {
		if f == Moves && HasTag(head) {
			return PGN
		}
		if f.Detect(head) {
			return f
		}
	}
	return Moves
}

// Read yields the games of a file. An error is an *Error, or of the reader; with a game, it
// tells what is missing of it, and other games may follow either way. The name is for the
// errors.
func (l *Library) Read(r io.Reader, name string) iter.Seq2[*Game, error] {
	return l.read(r, name, maxFileSize)
}

func (l *Library) read(r io.Reader, name string, most int64) iter.Seq2[*Game, error] {
	return func(yield func(*Game, error) bool) {
		s := &Source{lib: l, name: name, r: bufio.NewReaderSize(r, peek), maxSize: most}
		head, err := s.r.Peek(peek)
		if err != nil && err != io.EOF {
			yield(nil, s.FileError(err))
			return
		}
		if len(bytes.TrimSpace(head)) == 0 {
			yield(nil, s.LineError(0, 0, errEmpty))
			return
		}
		f := l.DetectFormat(head)
		if f == Moves && !l.looksLikeMoves(Decode(head)) {
			yield(nil, s.LineError(0, 0, l.unknownForm(head)))
			return
		}
		wanted := true
		f.Read(s, func(g *Game, err error) bool {
			if g != nil {
				g.Tags.Set(IllegalStart, l.whyIllegal(g.Start))
			}
			wanted = yield(g, err)
			return wanted
		})
		if wanted && s.truncated {
			yield(nil, s.FileError(errLarge))
		}
	}
}

var errUnknown = errors.New("no form of record that is known, and no moves either")

var errEmpty = errors.New("the file is empty")

// HasTag reports whether a text has a line of PGN's tags.
func HasTag(text []byte) bool { return tagLine.Match(text) }

// tagLine is the beginning of a line of tags.
var tagLine = regexp.MustCompile(`(?m)^[ \t]*\[[A-Za-z][A-Za-z0-9_]*[ \t]+"`)

// A Writer writes games in a form.
type Writer struct {
	form *Format
	out  Output
}

// NewWriter writes games to w, a call of its Write or more for each, with moves in the notation
// of a name; empty: the usual one. The form is one that Writes.
func (l *Library) NewWriter(w io.Writer, form *Format, notation string) (*Writer, error) {
	if !form.CanWrite() {
		return nil, fmt.Errorf("%s is read only: want %s", form.Name, strings.Join(l.writable(), ", "))
	}
	return &Writer{form, Output{Writer: w, Notation: notation, lib: l}}, nil
}

func (l *Library) writable() (names []string) {
	for _, f := range l.formats {
		if f.CanWrite() {
			names = append(names, f.Name)
		}
	}
	return names
}

// Write writes a game.
func (w *Writer) Write(g *Game) error {
	w.out.Number++
	return w.form.Write(&w.out, g)
}

// Walk visits the nodes of a game as [Game.Walk] does, with the board as it is after their moves.
// The board belongs to Walk.
func (l *Library) Walk(g *Game, f func(n *Node, b Board) bool) {
	b := l.Board(g.Start, "")
	type step struct {
		node  *Node
		depth int // moves on the board before this one
	}
	pending := []step{{g.Root, 0}}
	depth := 0
	for len(pending) > 0 {
		s := pending[len(pending)-1]
		pending = pending[:len(pending)-1]
		for ; depth > s.depth; depth-- {
			b.Undo()
		}
		next := 0
		if s.node != g.Root {
			b.Do(s.node.Move)
			depth++
			next = depth
		}
		if !f(s.node, b) {
			continue
		}
		for _, n := range slices.Backward(s.node.Next) {
			pending = append(pending, step{n, next})
		}
	}
}

// Reaches reports whether a position of a key comes up in the main line of a game, or anywhere in
// it if variations is set.
func (l *Library) Reaches(g *Game, key uint64, variations bool) bool {
	found := false
	if variations {
		l.Walk(g, func(_ *Node, b Board) bool {
			found = found || b.Key() == key
			return !found
		})
		return found
	}
	b := l.Board(g.Start, "")
	for n := g.Root; ; n = n.Next[0] {
		if b.Key() == key {
			return true
		}
		if len(n.Next) == 0 {
			return false
		}
		b.Do(n.Next[0].Move)
	}
}

// position reads a position's text; empty: the start of a game.
func (l *Library) position(text string) (engine.Position, error) {
	if text == "" {
		return l.Game.Start(), nil
	}
	p, err := l.Game.Position(text)
	var illegal engine.IllegalPosition
	switch {
	case err == nil:
		return p, nil
	case l.illegalStarts && errors.As(err, &illegal):
		return illegal.Illegal(), nil
	}
	return nil, fmt.Errorf("the start position: %w", err)
}

// whyIllegal returns what is wrong with the start of a game; empty: nothing.
func (l *Library) whyIllegal(start engine.Position) string {
	if !l.illegalStarts {
		return "" // it would not have been read
	}
	_, err := l.Game.Position(start.String())
	if illegal := engine.IllegalPosition(nil); errors.As(err, &illegal) {
		return illegal.Error()
	}
	return ""
}
