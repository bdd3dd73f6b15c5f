package record

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"path/filepath"
	"slices"
	"strings"

	"qhsh/engine"
	"qhsh/engine/lazyregexp"
)

// A Library reads and writes the records of a game in several formats. It is immutable.
type Library struct {
	Description
	formats      []*Format
	defaultStart engine.Position // start position of a PGN without FEN
	otherGames   []OtherGame

	illegalStarts bool                         // illegal start positions are read
	lenient       bool                         // moves that cannot be played become comments
	encoding      *Encoding                    // of all files; nil: it is detected
	onGuess       func(name, encoding string)  // may be nil
	onFormat      func(name string, f *Format) // may be nil
}

// NewLibrary returns the library of a game; the description needs only the game. A file is read in
// the first format that detects it; the default formats are [Zip], [JSON], [Plain], [Text], [PGN] and
// [Moves].
//
// Comments may look like any format, so formats with a signature come first. PGN need not begin
// with a tag: a file with a line of tags is PGN if no other format detects it. Moves comes last, as
// the fallback.
func NewLibrary(d Description, forms ...*Format) *Library {
	if forms == nil {
		forms = []*Format{Zip, JSON, Plain, Text, PGN, Moves}
	}
	d = d.orDefault()
	l := &Library{Description: d, formats: forms, defaultStart: d.Game.Start()}
	if l.defaultStart.String() != d.PGN.Start {
		if p, err := d.Game.Position(d.PGN.Start); err == nil {
			l.defaultStart = p
		}
	}
	return l
}

// WithOtherGames returns the library with other games that it recognizes.
func (l Library) WithOtherGames(others ...OtherGame) *Library {
	l.otherGames = slices.Concat(l.otherGames, others)
	return &l
}

// WithIllegalStarts returns a library that also reads games whose start is an
// [engine.IllegalPosition], which are errors otherwise. The tag IllegalStart says why it is
// illegal.
func (l Library) WithIllegalStarts() *Library {
	l.illegalStarts = true
	return &l
}

// WithEncoding returns a library whose texts have an encoding, which is detected otherwise. Files with
// a byte order mark and formats that prescribe an encoding are read as before.
func (l Library) WithEncoding(e *Encoding) *Library {
	l.encoding = e
	return &l
}

// OnGuess returns a library that calls f, at most once per file, when the encoding of a text is a guess.
func (l Library) OnGuess(f func(file, encoding string)) *Library {
	l.onGuess = f
	return &l
}

// OnFormat returns a library that calls f with the format of each file, and of each file in an archive.
func (l Library) OnFormat(f func(file string, format *Format)) *Library {
	l.onFormat = f
	return &l
}

// Formats returns the library's formats, in the order in which they are tried.
func (l *Library) Formats() []*Format { return slices.Clone(l.formats) }

// FormatByName returns the format with a name in any case.
func (l *Library) FormatByName(name string) (*Format, bool) {
	return l.find(func(f *Format) bool { return strings.EqualFold(f.Name, name) })
}

// FormatByExtension returns the format for a file's extension.
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

// DetectFormat returns the format of a file that begins with head. At most 64 KB of head are used.
// The fallback is Moves.
func (l *Library) DetectFormat(head []byte) *Format {
	head = head[:min(len(head), peekSize)]
	if enc := utf16Of(head); enc != nil {
		head, _ = enc.NewDecoder().Bytes(head)
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

// Read yields the games of a file. An error is an *Error, or one of the reader. An error with a
// game says what is missing from it; further games may follow in any case. name is used in errors.
func (l *Library) Read(r io.Reader, name string) iter.Seq2[*Game, error] {
	return l.read(r, name, MaxFile)
}

func (l *Library) read(r io.Reader, name string, most int64) iter.Seq2[*Game, error] {
	return func(yield func(*Game, error) bool) {
		s := l.newSource(r, name, most)
		head, err := s.r.Peek(peekSize)
		if err != nil && err != io.EOF && !errors.Is(err, errNotUTF16) {
			yield(nil, s.FileError(err))
			return
		}
		if len(bytes.TrimSpace(head)) == 0 {
			yield(nil, s.LineError(0, 0, errEmpty))
			return
		}
		f := l.DetectFormat(head)
		if !f.Binary {
			encoding, _ := s.choose(head) // so that the first game is less ambiguous
			if f == Moves && !l.looksLikeMoves(encoding.decode(head)) {
				yield(nil, s.LineError(0, 0, l.unknownFormat(head)))
				return
			}
		}
		if l.onFormat != nil {
			l.onFormat(name, f)
		}
		wanted, found := true, false
		others := otherGameErrors{yield: yield}
		f.Read(s, func(g *Game, err error) bool {
			found = true
			if g != nil {
				why := "" // the start is illegal
				if l.illegalStarts {
					_, err := l.Game.Position(g.Start.String())
					if illegal, ok := errors.AsType[engine.IllegalPosition](err); ok {
						why = illegal.Error()
					}
				}
				g.Tags.Set(IllegalStart, why)
				g.Tags.normalizeDate()
			}
			wanted = others.add(g, err)
			return wanted
		})
		wanted = wanted && others.flush()
		switch {
		case !wanted:
		case s.truncated:
			yield(nil, s.FileError(ErrFileTooLarge))
		case !found:
			yield(nil, s.FileError(errNoGame))
		}
	}
}

var (
	errUnknownFormat = errors.New("unknown record format, and not a list of moves")
	errEmpty         = errors.New("the file is empty")
	errNoGame        = errors.New("no game in the file")
)

// HasTag reports whether a text has a line of PGN tags.
func HasTag(text []byte) bool { return tagLine().Match(text) }

// tagLine matches the beginning of a line of tags.
var tagLine = lazyregexp.New(`(?m)^[ \t]*\[[A-Za-z][A-Za-z0-9_]*[ \t]+"`)

// A Writer writes games in a format.
type Writer struct {
	format *Format
	out    Output
}

// NewWriter returns a Writer to w, with one or more calls of its Write per game and moves in the
// named notation; empty: the default. The format must be writable. In some formats the file is complete
// only after [Writer.Close].
func (l *Library) NewWriter(w io.Writer, form *Format, notation string) (*Writer, error) {
	if !form.CanWrite() {
		var writable []string
		for _, f := range l.formats {
			if f.CanWrite() {
				writable = append(writable, f.Name)
			}
		}
		return nil, fmt.Errorf("%s is read-only: use %s", form.Name, strings.Join(writable, ", "))
	}
	return &Writer{form, Output{Writer: w, Notation: notation, lib: l}}, nil
}

// Lost returns the parts of the games so far that the format cannot hold, such as "comments".
func (w *Writer) Lost() []string { return slices.Clone(w.out.lost) }

// Write writes a game.
func (w *Writer) Write(g *Game) error {
	w.out.Number++
	return w.format.Write(&w.out, g)
}

// Close writes what the format has only after all games. It does not close the underlying writer.
func (w *Writer) Close() error {
	if w.format.Finish == nil {
		return nil
	}
	return w.format.Finish(&w.out)
}

// position parses a position; "" is the start of a game.
func (l *Library) position(text string) (engine.Position, error) {
	if text == "" {
		return l.Game.Start(), nil
	}
	p, err := l.Game.Position(text)
	illegal, ok := errors.AsType[engine.IllegalPosition](err)
	switch {
	case err == nil:
		return p, nil
	case l.illegalStarts && ok:
		return illegal.Illegal(), nil
	}
	return nil, fmt.Errorf("start position: %w", err)
}

// startOf returns the start position of a game with these tags: that of text; if text is empty, the
// start of the variant that the tags name; if they name none, usual.
func (l *Library) startOf(tags Tags, text string, usual engine.Position) (engine.Position, error) {
	value := ""
	if l.Variants != nil {
		value = tags.Get(l.Variants.Tag)
	}
	switch {
	case value == "" && text == "":
		return usual, nil
	case value == "":
		return l.position(text)
	}
	game, err := l.Variants.Game(value)
	if err != nil {
		return nil, &OtherGameError{text: fmt.Sprintf("tag %s: %v", l.Variants.Tag, err)}
	}
	variant := Library{Description: Description{Game: game}, illegalStarts: l.illegalStarts}
	return variant.position(text)
}

// style returns the PGN style of a game's variant.
func (l *Library) style(g *Game) PGNStyle {
	if l.Variants == nil {
		return l.PGN
	}
	return l.Variants.PGN(g.Start.Game())
}
