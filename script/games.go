package script

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"go.starlark.net/starlark"

	"qhsh/engine"
	"qhsh/engine/interruptible"
	"qhsh/engine/printable"
	"qhsh/engine/record"
	"qhsh/pluginclient/task/batch/input"
)

func gamesFunction(g *catalog) *member {
	sig := fmt.Sprintf(`games(path: str = "-", skip: bool = False, %s, lenient: bool = False, encoding: str = "") -> Iterable[Game]`, gameParameters(g.Table))
	return function(sig, `The games of a file, or of the files in and below a folder, read one at a time. A file may be PGN with moves in any notation, XQF, DhtmlXQ or a web page with it, CBR, CBL, CBF, MXQ, WXF, JSON lines, plain moves, or a zip of such files, in UTF-8, UTF-16, GB18030, Big5, Windows-1252, Windows-1251, KOI8-R or code page 866, which is detected unless encoding names one, optionally compressed by gzip or zstd. A damaged game stops the script; if skip is true, the damage is logged and the readable part of the game is returned with its error. If lenient is true, moves that cannot be played become a comment after the last legal move, which is logged. path is one of the script's arguments, or a file or folder in the script's folder; "-" is standard input, which can be read once. game and its options are as for board.`, makeGames)
}

func makeGames(thread *starlark.Thread, path string, skip bool, choice gameArgument, lenient bool, encoding string) (starlark.Value, error) {
	r := &gameReader{fileValue: newFileValue(thread, "games", path), skip: skip}
	game, err := r.env.games.New(choice.name, choice.options)
	if err != nil {
		return nil, err
	}
	r.records = r.env.games.Records(game)
	if encoding != "" {
		e, err := record.ParseEncoding(encoding)
		if err != nil {
			return nil, err
		}
		r.records = r.records.WithEncoding(e)
	}
	guessed := false
	r.records = r.records.OnGuess(func(_, encoding string) {
		if !guessed {
			guessed = true
			_ = r.env.console.log(fmt.Sprintf("games: %s: the text may be in %s, which is a guess; encoding names another", r.path, encoding))
		}
	})
	if lenient {
		r.records = r.records.Lenient()
	}
	return r.readBy(r.readAll)
}

// A gameReader reads the games of a file or a folder.
type gameReader struct {
	*fileValue
	skip    bool
	records *record.Library
}

// readAll yields the games of an open file, or those of the files in and below an open folder.
func (r *gameReader) readAll(file io.Reader, yield func(starlark.Value) bool) error {
	names, err := r.folder(file)
	if err != nil {
		return r.named(err)
	}
	if names == nil {
		_, err = r.readGames(file, "", yield)
	}
	for _, name := range names {
		var more bool
		if more, err = r.readInside(name, yield); !more {
			break
		}
	}
	return r.named(err)
}

// folder returns the files of games in and below the folder that the path names; nil if it names a
// file.
func (r *gameReader) folder(file io.Reader) (names []string, err error) {
	named, ok := file.(fs.File)
	if !ok {
		return nil, nil // standard input
	}
	info, err := named.Stat()
	if err != nil || !info.IsDir() {
		return nil, err
	}
	var folder fs.FS
	if r.env.args.isInput(r.path) {
		folder = os.DirFS(r.path)
	} else if folder, err = fs.Sub(r.env.folder.root.FS(), path.Clean(filepath.ToSlash(r.path))); err != nil {
		return nil, err
	}
	return input.FilesIn(folder, func(name string) bool {
		_, ok := r.records.FormatByExtension(input.TrimCompressedExt(name))
		return ok
	})
}

// readInside yields the games of a file of the folder. It reports whether more are wanted.
func (r *gameReader) readInside(name string, yield func(starlark.Value) bool) (more bool, err error) {
	open, full := interruptible.OpenRegular, filepath.Join(r.path, filepath.FromSlash(name))
	if !r.env.args.isInput(r.path) {
		open = r.env.folder.open
	}
	file, err := open(full)
	if err != nil {
		return false, plainPathError(name, err)
	}
	defer file.Close() // it is only read
	return r.readGames(file, name, yield)
}

// readGames yields the games of an open file. The error of a damaged game ends it, unless damaged
// games are skipped or comments keep what could not be read: then it is logged.
func (r *gameReader) readGames(file io.Reader, name string, yield func(starlark.Value) bool) (more bool, err error) {
	plain, err := input.Unpack(stoppable{file, r.env})
	if err != nil {
		return false, err
	}
	defer plain.Close()
	for g, damage := range r.records.Read(plain, name) {
		var place *record.Error
		switch {
		case damage == nil:
		case !record.IsDropped(damage) && !(r.skip && errors.As(damage, &place)):
			return false, damage
		default:
			if err := r.env.console.log(fmt.Sprintf("games: %s: %v", r.path, damage)); err != nil {
				return false, err
			}
		}
		if g != nil && !yield(object{&game{Game: g, kind: r.env.games.kind(g.Start.Game()), damage: damage}}) || r.env.stopping() {
			return false, nil
		}
	}
	return !r.env.stopping(), nil
}

// A stoppable reader returns an error when the script must end.
type stoppable struct {
	io.Reader
	env *Env
}

func (r stoppable) Read(p []byte) (int, error) {
	if r.env.stopping() {
		return 0, errors.New("the script has ended")
	}
	return r.Reader.Read(p)
}

var saveGamesFunction = function(`save_games(name: str, games: Iterable[Game], notation: str = "iccs") -> int`, `Writes games to a file in the folder given by -out and returns their number. The extension selects the format: .pgn, .jsonl, .dhtmlxq, .html, .txt, .cbl or, for one game, .xqf or .cbr. All records must be of the same game. An existing file is replaced, and missing folders are created. What the format cannot hold is logged. Games are written one at a time, but not those of .cbl, so games(...) may be of any size.`, saveGames)

func saveGames(t *task, name string, games starlark.Iterable, notation optional[string]) (int, error) {
	all := games.Iterate()
	defer all.Done()
	var v starlark.Value
	more := all.Next(&v)
	s := gameWriter{task: t, kind: t.env.games.kind(t.env.games.DefaultGame())}
	if g, ok := gameOf(v); ok {
		s.kind = g.kind
	}
	if err := t.stopped(); err != nil { // reading the first game may have failed
		return 0, err
	}
	err := s.open(name, notation.value)
	if err != nil {
		return 0, err
	}
	for more && err == nil {
		if err = s.write(v); err == nil {
			more = all.Next(&v)
		}
	}
	if err == nil { // reading the next one may have failed
		err = t.stopped()
	}
	if err == nil {
		err = s.w.Close()
	}
	if closing := s.file.Close(); err == nil {
		err = outError(name, closing)
	}
	if lost := s.w.Lost(); err == nil && len(lost) > 0 {
		err = t.env.console.log(fmt.Sprintf("save_games: %s cannot hold %s", name, strings.Join(lost, ", ")))
	}
	return s.count, err
}

func gameOf(v starlark.Value) (*game, bool) {
	g, ok := dataOf(v).(*game)
	return g, ok
}

// A gameWriter is a call of save_games.
type gameWriter struct {
	*task
	kind  *kind // of the first game, whose library writes all
	file  *os.File
	w     *record.Writer
	count int // number of games written
}

// open creates the file.
func (s *gameWriter) open(name, notation string) error {
	notation, err := s.kind.notation(notation)
	if err != nil {
		return err
	}
	records := s.kind.Records(s.kind.game)
	form, ok := records.FormatByExtension(name)
	if !ok || !form.CanWrite() {
		return fmt.Errorf("%s: unknown extension: want %s", shorten(name), printable.OneOf(extensions(records)))
	}
	if s.file, err = s.env.create(name); err != nil {
		return err
	}
	s.w, err = records.NewWriter(s.file, form, notation)
	return err // nil: the format is writable
}

func extensions(records *record.Library) (all []string) {
	for _, f := range records.Formats() {
		if f.CanWrite() {
			all = append(all, f.Extensions[0])
		}
	}
	return all
}

// write writes the next game.
func (s *gameWriter) write(v starlark.Value) error {
	g, ok := gameOf(v)
	if !ok {
		return fmt.Errorf("element %d is a %s, want a game (see game(board))", s.count, v.Type())
	}
	if g.kind.game.Name() != s.kind.game.Name() {
		return fmt.Errorf("element %d is a game of %s after games of %s: use a separate file for each",
			s.count, engine.Title(g.kind.game), engine.Title(s.kind.game))
	}
	if err := s.w.Write(g.Game); err != nil {
		return err
	}
	s.count++
	return s.stopped()
}
