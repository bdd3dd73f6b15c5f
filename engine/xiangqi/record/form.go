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

	"qhsh/engine/record"
	"qhsh/engine/xiangqi/notation"
)

// A Form is a way in which games are kept in a file.
type Form struct {
	Name       string   // in lower case, as a user chooses it
	Extensions []string // of files in this form, with the dot, in lower case

	// is tells by the beginning of a file, of which UTF-16 has been decoded, whether it has
	// this form.
	is    func(head []byte) bool
	read  func(s *source, yield func(*Game, error) bool)
	write func(w *Writer, g *Game) error // nil: read only
}

// Writes tells whether games can be written in this form.
func (f *Form) Writes() bool { return f.write != nil }

// forms are tried in this order; moves is whatever is left. A comment may look like any of
// them, so those come first that are known by how they begin. A PGN need not begin with a
// tag: if it is none of the others, a line of tags is enough.
var forms []*Form

var pgn = &Form{"pgn", []string{".pgn"}, beginsWithTag, readPGN, writePGN}

var moves = &Form{"moves", []string{".txt", ".moves", ".uci"}, func([]byte) bool { return true }, readMoves, writeMoves}

func init() { // because an archive's members have a form in turn
	forms = []*Form{
		{"xqf", []string{".xqf"}, isXQF, readXQF, nil},
		{"cbr", []string{".cbr"}, isCBR, readCBR, nil},
		{"cbl", []string{".cbl"}, isCBL, readCBL, nil},
		{"zip", []string{".zip"}, isZip, readZip, nil},
		{"json", []string{".jsonl", ".json"}, isJSON, readJSON, writeJSON},
		pgn,
		{"cbf", []string{".cbf"}, isCBF, readCBF, nil},
		{"dhtmlxq", []string{".dhtmlxq", ".ubb", ".html", ".htm"}, isDhtmlXQ, readDhtmlXQ, writeDhtmlXQ},
		{"wxf", []string{".wxf"}, isWXF, readWXF, nil},
		moves,
	}
}

// FormNamed is the form of a name in any case.
func FormNamed(name string) (*Form, bool) {
	return findForm(func(f *Form) bool { return strings.EqualFold(f.Name, name) })
}

// FormOf is the form that a file's extension stands for.
func FormOf(path string) (*Form, bool) {
	ext := strings.ToLower(filepath.Ext(path))
	return findForm(func(f *Form) bool { return slices.Contains(f.Extensions, ext) })
}

func findForm(match func(*Form) bool) (*Form, bool) {
	if i := slices.IndexFunc(forms, match); i >= 0 {
		return forms[i], true
	}
	return nil, false
}

// A source is a file that is being read.
type source struct {
	name string
	r    *bufio.Reader
	decoder
	most  int64 // bytes that may be held as a whole
	large bool  // there are more
}

// at is an error at a line of the file.
func (s *source) at(game, line int, err error) error {
	return &record.Error{File: s.name, Game: game, Line: line, Offset: -1, Err: err}
}

// atByte is an error at a byte of the file.
func (s *source) atByte(game int, offset int64, err error) error {
	return &record.Error{File: s.name, Game: game, Offset: offset, Err: err}
}

// peek is how much of a file is looked at to find out its form.
const peek = 1 << 16

// Read yields the games of a file. An error is an *record.Error, or of the reader; with a game, it
// tells what is missing of it, and other games may follow either way. The name is for the
// errors.
func Read(r io.Reader, name string) iter.Seq2[*Game, error] { return read(r, name, mostWhole) }

func read(r io.Reader, name string, most int64) iter.Seq2[*Game, error] {
	return func(yield func(*Game, error) bool) {
		s := &source{name: name, r: bufio.NewReaderSize(r, peek), most: most}
		head, err := s.r.Peek(peek)
		if err != nil && err != io.EOF {
			yield(nil, s.failed(err))
			return
		}
		if len(bytes.TrimSpace(head)) == 0 {
			yield(nil, s.at(0, 0, errEmpty))
			return
		}
		f := formOf(head)
		if f == moves && !looksLikeMoves(decode(head)) {
			yield(nil, s.at(0, 0, errUnknown))
			return
		}
		wanted := true
		f.read(s, func(g *Game, err error) bool {
			wanted = yield(g, err)
			return wanted
		})
		if wanted && s.large {
			yield(nil, s.failed(errLarge))
		}
	}
}

var errUnknown = errors.New("no form of record that is known, and no moves either")

var errEmpty = errors.New("the file is empty")

// failed is the error of a file that cannot be read on.
func (s *source) failed(err error) error {
	if s.name == "" {
		return err
	}
	return fmt.Errorf("%s: %w", s.name, err)
}

// FormIn is the form of a file that begins so; 64 KB are looked at at most. A text that has
// no other form is taken for moves, whatever it is.
func FormIn(head []byte) *Form { return formOf(head[:min(len(head), peek)]) }

// formOf is the form of a file that begins so.
func formOf(head []byte) *Form {
	if text, ok := decodeUTF16(head); ok {
		head = []byte(text)
	}
	head = bytes.TrimPrefix(head, []byte(bom))
	for _, f := range forms {
		if f == moves && tagLine.Match(head) {
			return pgn
		}
		if f.is(head) {
			return f
		}
	}
	return moves
}

// whole reads the file to its end, or as much of it as may be held.
func (s *source) whole(yield func(*Game, error) bool) ([]byte, bool) {
	raw, err := io.ReadAll(io.LimitReader(s.r, s.most+1))
	if err != nil {
		yield(nil, s.failed(err))
		return nil, false
	}
	s.large = int64(len(raw)) > s.most
	return raw[:min(int64(len(raw)), s.most)], true
}

// tagLine is the beginning of a line of tags.
var tagLine = regexp.MustCompile(`(?m)^[ \t]*\[[A-Za-z][A-Za-z0-9_]*[ \t]+"`)

func beginsWithTag(head []byte) bool { return tagName(bytes.TrimSpace(head)) != nil }

// A Writer writes games in a form.
type Writer struct {
	w     io.Writer
	form  *Form
	style notation.Style
	count int
}

// NewWriter writes games to w, a call of its Write or more for each. The form is one that
// Writes.
func NewWriter(w io.Writer, form *Form, style notation.Style) (*Writer, error) {
	if !form.Writes() {
		return nil, fmt.Errorf("%s is read only: want %s", form.Name, strings.Join(writable(), ", "))
	}
	return &Writer{w: w, form: form, style: style}, nil
}

func writable() (names []string) {
	for _, f := range forms {
		if f.Writes() {
			names = append(names, f.Name)
		}
	}
	return names
}

// Write writes a game.
func (w *Writer) Write(g *Game) error {
	w.count++
	return w.form.write(w, g)
}
