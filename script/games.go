package script

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path"
	"path/filepath"
	"strings"

	"go.starlark.net/starlark"

	"qhsh/engine"
	"qhsh/engine/games"
	"qhsh/engine/interruptible"
	"qhsh/engine/record"
	"qhsh/pluginclient/task/batch/input"
)

func gamesFunction(g *catalog) member {
	sig := fmt.Sprintf(`games(path: str = "-", skip: bool = False, %s, lenient: bool = False, encoding: str = "") -> Iterable[Game]`, gameParameters(g.Table))
	return function(sig, gamesDoc, makeGames)
}

const gamesDoc = `The games of a file, or of the files in and below a folder, read one at a time. A file may be PGN with moves in any notation, XQF, DhtmlXQ or a web page with it, CBR, CBL, CBF, WXF, JSON lines, plain moves, or a zip of such files, in UTF-8, UTF-16, GB18030, Big5, Windows-1252, Windows-1251, KOI8-R or code page 866, which is detected unless encoding names one, optionally compressed by gzip or zstd. A damaged game stops the script; if skip is true, the damage is logged and the readable part of the game is returned with its error. If lenient is true, moves that cannot be played become a comment after the last legal move, which is logged. path is one of the script's arguments, or a file or folder in the script's folder; "-" is standard input, which can be read once. game and its options are as for board.`

func makeGames(c *call) (starlark.Value, error) {
	var encoding string
	l := &gameList{positions: positions{path: stdinName, env: taskOf(c.thread).env, thread: c.thread}}
	if err := l.unpack(c, []any{&l.path, &l.skip}, &l.lenient, &encoding); err != nil {
		return nil, err
	}
	if encoding != "" {
		var err error
		if l.encoding, err = record.ParseEncoding(encoding); err != nil {
			return nil, fmt.Errorf("games: %w", err)
		}
	}
	// Report a missing file here, where the script names it.
	file, err := l.open()
	if err != nil {
		return nil, fmt.Errorf("games: %s: %w", l.path, err)
	}
	return l, file.Close()
}

// A gameList is the games of a file, which is found like that of positions.
type gameList struct {
	positions
	lenient  bool
	encoding *record.Encoding
	guessed  bool // a guess of the encoding has been logged
}

// records returns the library that reads the games.
func (l *gameList) records() *record.Library {
	records := l.env.games.Records(l.game).WithEncoding(l.encoding).OnGuess(func(_, encoding string) {
		if !l.guessed {
			l.guessed = true
			_ = l.env.console.log(fmt.Sprintf("games: %s: the text may be in %s, which is a guess; encoding names another", l.path, encoding))
		}
	})
	if l.lenient {
		records = records.Lenient()
	}
	return records
}

func (l *gameList) String() string { return fmt.Sprintf("games(%q)", l.path) }
func (l *gameList) Type() string   { return "games" }

// folder returns the files of games in and below the folder that the path names; nil if it names a
// file.
func (l *gameList) folder(file io.Reader) (names []string, err error) {
	named, ok := file.(fs.File)
	if !ok {
		return nil, nil // standard input
	}
	info, err := named.Stat()
	if err != nil || !info.IsDir() {
		return nil, err
	}
	var folder fs.FS
	if l.env.args.isInput(l.path) {
		folder = os.DirFS(l.path)
	} else if folder, err = fs.Sub(l.env.folder.root.FS(), path.Clean(filepath.ToSlash(l.path))); err != nil {
		return nil, err
	}
	records := l.records()
	return input.FilesIn(folder, func(name string) bool {
		_, ok := records.FormatByExtension(input.TrimCompressedExt(name))
		return ok
	})
}

// openInside opens a file of the folder.
func (l *gameList) openInside(name string) (*os.File, error) {
	name = filepath.Join(l.path, filepath.FromSlash(name))
	if !l.env.args.isInput(l.path) {
		return l.env.folder.open(name)
	}
	return interruptible.OpenRegular(name)
}

// Iterate starts at the beginning of the file or the folder.
func (l *gameList) Iterate() starlark.Iterator {
	it := &gameIterator{gameList: l}
	if l.path == stdinName {
		if it.err = l.env.takeStdin(errStdinRead); it.err != nil {
			return it
		}
	}
	it.err = it.begin()
	return it
}

// begin opens the file, or the first one of the folder.
func (it *gameIterator) begin() (err error) {
	if it.file, err = it.open(); err != nil {
		return err
	}
	if it.names, err = it.folder(it.file); err != nil {
		return err
	}
	if it.names == nil {
		return it.read()
	}
	it.close()
	return it.nextFile()
}

// nextFile opens the next file of the folder.
func (it *gameIterator) nextFile() (err error) {
	it.inside, it.names = it.names[0], it.names[1:]
	file, err := it.openInside(it.inside)
	if err != nil {
		return plainPathError(it.inside, err)
	}
	it.file = file
	return it.read()
}

// read starts to read the open file.
func (it *gameIterator) read() (err error) {
	if it.plain, err = input.Unpack(stoppable{it.file, it.env}); err != nil {
		return err
	}
	it.next, it.stop = iter.Pull2(it.records().Read(it.plain, it.inside))
	return nil
}

// A stoppable reader returns an error when the script must end.
type stoppable struct {
	io.Reader
	env *Env
}

var errStopped = errors.New("the script has ended")

func (r stoppable) Read(p []byte) (int, error) {
	if r.env.stopping() {
		return 0, errStopped
	}
	return r.Reader.Read(p)
}

type gameIterator struct {
	*gameList
	names  []string // of the files of the folder that have not been opened
	inside string   // the name of the open one

	file  io.ReadCloser // nil if none is open
	plain io.ReadCloser // the file, decompressed
	next  func() (*record.Game, error, bool)
	stop  func()
	err   error
}

// Next returns the next game. An iterator cannot return an error: an error stops the script.
func (it *gameIterator) Next(v *starlark.Value) bool {
	for it.err == nil && !it.env.stopping() {
		g, err, ok := it.next()
		if !ok && len(it.names) == 0 {
			return false
		}
		if !ok {
			it.close()
			it.err = it.nextFile()
			continue
		}
		if err != nil {
			it.err = it.handleDamage(err)
		}
		if it.err == nil && g != nil {
			*v = &game{Game: g, kind: it.env.games.kind(g.Start.Game()), damage: err}
			return true
		}
	}
	if it.err != nil {
		it.env.running.Load().cancel(fmt.Errorf("games: %s: %w", it.path, it.err))
		it.thread.Cancel("games")
	}
	return false
}

// handleDamage returns the error of a damaged game, or logs it if damaged games are skipped or
// comments keep what could not be read.
func (it *gameIterator) handleDamage(err error) error {
	var place *record.Error
	if !record.IsDropped(err) && !(it.skip && errors.As(err, &place)) {
		return err
	}
	return it.env.console.log(fmt.Sprintf("games: %s: %v", it.path, err))
}

// Done closes the file.
func (it *gameIterator) Done() { it.close() }

// close closes the open file, which was only read.
func (it *gameIterator) close() {
	if it.stop != nil {
		it.stop()
	}
	if it.plain != nil {
		_ = it.plain.Close()
	}
	if it.file != nil {
		_ = it.file.Close()
	}
	it.file, it.plain, it.stop = nil, nil, nil
}

var saveGamesFunction = function(`save_games(name: str, games: Iterable[Game], notation: str = "iccs") -> int`, `Writes games to a file in the folder given by -out and returns their number. The extension selects the format: .pgn, .jsonl, .dhtmlxq, .html, .txt or, for one game, .xqf or .cbr. All records must be of the same game. An existing file is replaced, and missing folders are created. What the format cannot hold is logged. Games are written one at a time, so games(...) may be of any size.`, saveGames)

func saveGames(c *call) (starlark.Value, error) {
	var name, notation string
	var list starlark.Iterable
	if err := c.unpack(&name, &list, &notation); err != nil {
		return nil, err
	}
	t := taskOf(c.thread)
	all := list.Iterate()
	defer all.Done()
	var first starlark.Value
	some := all.Next(&first)
	s := gameWriter{task: t, kind: t.env.games.kind(t.env.games.DefaultGame())}
	if g, ok := first.(*game); ok {
		s.kind = g.kind
	}
	err := t.stopped() // reading the first game may have failed
	if err == nil {
		err = s.open(name, notation)
	}
	if err != nil {
		return nil, fmt.Errorf("save_games: %w", err)
	}
	if some {
		err = s.write(first, all)
	}
	if closing := s.file.Close(); err == nil {
		err = outError(name, closing)
	}
	if lost := s.w.Lost(); err == nil && len(lost) > 0 {
		err = t.env.console.log(fmt.Sprintf("save_games: %s cannot hold %s", name, strings.Join(lost, ", ")))
	}
	if err != nil {
		return nil, fmt.Errorf("save_games: %w", err)
	}
	return starlark.MakeInt(s.count), nil
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
		return fmt.Errorf("%s: unknown extension: want %s", shorten(name), games.OneOf(extensions(records)))
	}
	if s.file, err = s.env.create(name); err != nil {
		return err
	}
	s.w, err = records.NewWriter(s.file, form, notation)
	return err // nil: the format is writable
}

// extensions returns the main extensions of the writable formats.
func extensions(records *record.Library) (all []string) {
	for _, f := range records.Formats() {
		if f.CanWrite() {
			all = append(all, f.Extensions[0])
		}
	}
	return all
}

// write writes the first game and the others.
func (s *gameWriter) write(v starlark.Value, others starlark.Iterator) error {
	for more := true; more; more = others.Next(&v) {
		g, ok := v.(*game)
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
		if err := s.stopped(); err != nil {
			return err
		}
	}
	return s.stopped()
}
