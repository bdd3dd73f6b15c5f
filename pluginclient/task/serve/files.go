package serve

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"qhsh/engine"
	"qhsh/engine/interruptible"
	"qhsh/engine/printable"
	"qhsh/engine/record"
	"qhsh/pluginclient/task/records"
)

// A file is a list of games that is open: of a file, or of what a page has sent. Server.mu guards it.
type file struct {
	id      int
	name    string      // for people
	path    string      // to which it may be written back; empty: nowhere
	format  string      // of path
	onDisk  stamp       // of path, as it was read or written last
	game    engine.Game // of all games
	games   []*entry
	added   int      // how many games there have been
	damage  []string // what could not be read
	version int      // grows with every change
	reading bool
	dirty   bool // differs from what is kept
	keeping bool // is being kept, or was a short while ago
	edited  bool // differs from path
}

// An entry is a game of a file with what can be undone. A game is never changed, but replaced. Its number is that
// which it had in the file at first, and stays when the list is arranged.
type entry struct {
	number     int
	game       *record.Game
	isPuzzle   bool // of game
	undo, redo []*record.Game
	edits      int // grows with every change, but for what engines say
}

// A stamp changes when a file is written. The zero stamp is that of a file that is not there.
type stamp struct {
	Modified time.Time `json:"modified,omitzero"`
	Size     int64     `json:"size,omitempty"`
}

// positionsFormat is the format of a file of positions, which cannot be written back as games.
const positionsFormat = "positions"

// stampOf returns the stamp of the file of a path.
func stampOf(path string) (stamp, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return stamp{}, nil
	case err != nil:
		return stamp{}, err
	}
	return stamp{info.ModTime().UTC(), info.Size()}, nil
}

func (f *file) present() []*record.Game {
	all := make([]*record.Game, len(f.games))
	for i, e := range f.games {
		all[i] = e.game
	}
	return all
}

func (f *file) append(g *record.Game) *entry {
	f.added++
	e := &entry{number: f.added}
	e.hold(g)
	f.games = append(f.games, e)
	return e
}

// hold makes a game the one that the entry has.
func (e *entry) hold(g *record.Game) { e.game, e.isPuzzle = g, isPuzzle(g) }

// index returns the place in the list, from 0, of the game of a number; -1 if there is none.
func (f *file) index(number int) int {
	if at := number - 1; at >= 0 && at < len(f.games) && f.games[at].number == number { // nothing has been arranged
		return at
	}
	return slices.IndexFunc(f.games, func(e *entry) bool { return e.number == number })
}

// maxDamage is how many errors of a file are told.
const maxDamage = 20

// open opens games as a new file. It returns when the first has been read, and its error is that there is none;
// the others follow. wanted is the game that is tried first, and then all others. If none can read the first
// record without loss, it is one of the wanted game.
func (s *Server) open(data []byte, f *file, wanted engine.Game) error {
	f.game = wanted
	failed := s.read(data, f, true)
	if failed == nil {
		return nil
	}
	for _, f.game = range s.Games.Games() {
		if s.read(data, f, true) == nil {
			return nil
		}
	}
	f.game = wanted
	if s.read(data, f, false) != nil {
		return refuse(http.StatusUnprocessableEntity, "%w", failed)
	}
	return nil
}

var errNoGame = errors.New("no game, position or move was found in it")

// read reads games into f until there is one, which makes f a file of the server; the rest is read in the
// background. An error is why there is none, or, if strict, that the first is damaged and has no moves.
func (s *Server) read(data []byte, f *file, strict bool) error {
	f.reading = true
	first := make(chan error, 1)
	s.work.Go(func() {
		files := records.Files{Library: s.Games.Records(f.game).Lenient(), OnDamaged: func(err error) {
			s.mu.Lock()
			defer s.mu.Unlock()
			if f.damage = append(f.damage, printable.Line(err.Error())); len(f.damage) > maxDamage {
				f.damage = f.damage[:maxDamage]
			}
		}}
		files.Positions, files.OnPositions = s.Games.AnyNotation(f.game), func() { f.format = positionsFormat }
		err := files.EachIn(s.ctx, bytes.NewReader(data), f.name, func(_ int, g *record.Game) error {
			g.MergeRepeated()
			s.mu.Lock()
			defer s.mu.Unlock()
			if len(f.games) == 0 {
				if len(f.damage) > 0 && len(g.Root.Next) == 0 && (strict || len(g.Tags) == 0) {
					return errors.New(f.damage[0])
				}
				if f.id == 0 {
					f.id = s.nextID
					s.nextID++
				}
				s.files = append(s.files, f)
				first <- nil
			}
			f.append(g)
			return nil
		})
		s.mu.Lock()
		defer s.mu.Unlock()
		if len(f.games) == 0 {
			if err == nil && len(f.damage) > 0 {
				err = errors.New(f.damage[0])
			}
			f.damage = nil
			first <- cmp.Or(err, errNoGame)
			return
		}
		if err != nil {
			f.damage = append(f.damage, printable.Line(err.Error()))
		}
		f.reading, f.dirty = false, true
		s.touch()
	})
	return <-first
}

// Open opens a file by its path, to which it may be written back. game is the one that is tried first.
func (s *Server) Open(ctx context.Context, path string, game engine.Game) (err error) {
	data, err := interruptible.ReadFile(ctx, path)
	if err != nil {
		return err
	}
	f := &file{name: filepath.Base(path)}
	if f.path, err = filepath.Abs(path); err != nil {
		return err
	}
	if f.onDisk, err = stampOf(path); err != nil {
		return err
	}
	s.mu.Lock()
	s.files = slices.DeleteFunc(s.files, func(other *file) bool { // of an earlier run
		same := other.path == f.path && !other.edited
		if same {
			s.forget(other)
			f.id = other.id // pages that show it go on
		}
		return same
	})
	s.mu.Unlock()
	if err := s.open(data, f, game); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if form, ok := s.Games.Records(f.game).FormatByExtension(path); ok {
		f.format = cmp.Or(f.format, form.Name)
	}
	return nil
}

// add adds a file with one game.
func (s *Server) add(name string, g *record.Game) *file {
	s.mu.Lock()
	defer s.mu.Unlock()
	f := &file{id: s.nextID, name: name, game: g.Start.Game(), dirty: true}
	f.append(g)
	s.nextID++
	s.files = append(s.files, f)
	s.touch()
	return f
}

func (s *Server) addNew(g engine.Game) *file {
	return s.add(engine.Title(g), record.NewGame(g.Start()))
}

// latest returns the number of the file that was opened last, a new one if there is none.
func (s *Server) latest() int {
	s.mu.Lock()
	last := 0
	if n := len(s.files); n > 0 {
		last = s.files[n-1].id
	}
	s.mu.Unlock()
	if last == 0 {
		last = s.addNew(s.Games.DefaultGame()).id
	}
	return last
}

// numbers returns the numbers of the file and the game that a request names, 0 if it names none.
func numbers(q url.Values) (id, number int, err error) {
	id, err = strconv.Atoi(cmp.Or(q.Get("file"), "0"))
	number, err2 := strconv.Atoi(cmp.Or(q.Get("game"), "0"))
	if errors.Join(err, err2) != nil {
		return 0, 0, refuse(http.StatusBadRequest, "file and game want numbers")
	}
	return id, number, nil
}

// named returns the file and the game that a request names. The caller holds s.mu.
func (s *Server) named(q url.Values) (*file, *entry, error) {
	id, number, err := numbers(q)
	if err != nil {
		return nil, nil, err
	}
	return s.at(id, number)
}

// find returns the file that a request names, of which only what never changes may be read, and the game.
func (s *Server) find(q url.Values) (*file, *record.Game, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f, e, err := s.named(q)
	if err != nil {
		return nil, nil, err
	}
	return f, e.game, nil
}

// file returns the file of a number. The caller holds s.mu.
func (s *Server) file(id int) (*file, error) {
	i := slices.IndexFunc(s.files, func(f *file) bool { return f.id == id })
	if i < 0 {
		return nil, refuse(http.StatusNotFound, "file %d is not open", id)
	}
	return s.files[i], nil
}

// at returns a file and a game of it, the first if the number is 0. The caller holds s.mu.
func (s *Server) at(id, number int) (*file, *entry, error) {
	f, err := s.file(id)
	if err != nil {
		return nil, nil, err
	}
	at := 0
	if number != 0 {
		at = f.index(number)
	}
	if at < 0 {
		return nil, nil, refuse(http.StatusNotFound, "%s has no game %d, or no longer", f.name, number)
	}
	return f, f.games[at], nil
}

// upload opens what a page has sent, or a new game of the game that its address names.
func (s *Server) upload(r *http.Request) (any, error) {
	data := bytes.NewBuffer(make([]byte, 0, min(max(r.ContentLength, 0), maxUpload)+bytes.MinRead)) // it never grows
	if _, err := data.ReadFrom(http.MaxBytesReader(nil, r.Body, maxUpload)); err != nil {
		if statusOf(err) == http.StatusRequestEntityTooLarge {
			err = fmt.Errorf("more than %d MiB: open the file with 'qhsh serve FILE': %w", maxUpload>>20, err)
		}
		return nil, err
	}
	f, err := s.openText(r.URL.Query(), data.Bytes())
	if err != nil {
		return nil, err
	}
	return map[string]int{"file": f.id}, nil
}

// openText opens a text, or a new game if it is empty. q has the game that is tried first, and a name for people.
func (s *Server) openText(q url.Values, data []byte) (*file, error) {
	game := s.Games.DefaultGame()
	if name := q.Get("kind"); name != "" {
		var err error
		if game, err = s.Games.New(name, nil); err != nil {
			return nil, refuse(http.StatusBadRequest, "%w", err)
		}
	}
	if len(data) == 0 {
		return s.addNew(game), nil
	}
	f := &file{name: cmp.Or(printable.Line(cut(q.Get("name"), 200)), "pasted")}
	return f, s.open(append(data, '\n'), f, game)
}

// An arrangement changes the list of a file's games, or ends a file.
type arrangement struct {
	File    int  `json:"file"`
	Version int  `json:"version"`
	Close   bool `json:"close"`  // ends the file
	Delete  int  `json:"delete"` // the number of a game; 0: none
	Add     bool `json:"add"`    // adds a game at the end
	Move    int  `json:"move"`   // the number of a game that moves by By places; 0: none
	By      int  `json:"by"`
}

func (s *Server) arrange(r *http.Request) (any, error) {
	var a arrangement
	if err := readBody(r, &a); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	f, err := s.file(a.File)
	if err != nil {
		return nil, err
	}
	number := 0 // of the game to show
	deleted, moved := f.index(a.Delete), f.index(a.Move)
	switch {
	case f.version != a.Version || f.reading:
		return nil, refuse(http.StatusConflict, "%s has changed meanwhile", f.name)
	case a.Close:
		s.files = slices.DeleteFunc(s.files, func(other *file) bool { return other == f })
		s.forget(f)
	case a.Add:
		number = f.append(record.NewGame(f.game.Start())).number
	case deleted >= 0 && len(f.games) > 1:
		f.games = slices.Delete(f.games, deleted, deleted+1)
		number = f.games[max(0, deleted-1)].number
	case moved >= 0:
		e := f.games[moved]
		f.games = slices.Delete(f.games, moved, moved+1)
		f.games = slices.Insert(f.games, min(max(0, moved+a.By), len(f.games)), e)
		number = a.Move
	default:
		return nil, refuse(http.StatusBadRequest, "there is no such game, or it is the last: a file keeps at least one")
	}
	s.mark(f)
	return map[string]int{"version": f.version, "game": number}, nil
}

// mark notes that a file has changed. The caller holds s.mu.
func (s *Server) mark(f *file) {
	f.version++
	f.dirty, f.edited = true, true
	s.touch()
}

// write writes games in a format, and returns what that cannot hold.
func (s *Server) write(w io.Writer, f *file, form *record.Format, notation string, all []*record.Game) (lost []string, err error) {
	out, err := s.Games.Records(f.game).NewWriter(w, form, notation)
	if err != nil {
		return nil, err
	}
	for _, g := range all {
		if err := out.Write(g); err != nil {
			return nil, err
		}
	}
	return out.Lost(), out.Close()
}
