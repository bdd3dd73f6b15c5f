package serve

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"qhsh/engine/filelock"
	"qhsh/engine/interruptible"
	"qhsh/engine/printable"
	"qhsh/engine/record"
	"qhsh/pluginclient/task/output"
)

// keepEvery is how long a change waits until it is kept.
const keepEvery = time.Second

// A header is the first line of what is kept of a file; its games follow as record.JSON.
type header struct {
	Name   string   `json:"name"`
	Path   string   `json:"path,omitempty"`
	Format string   `json:"format,omitempty"`
	OnDisk stamp    `json:"on_disk,omitzero"`
	Damage []string `json:"damage,omitempty"`
	Edited bool     `json:"edited,omitempty"`
	Game   string   `json:"game"`
}

func (s *Server) keptPath(f *file) string {
	return filepath.Join(s.Dir, fmt.Sprintf("%06d.jsonl", f.id))
}

// forget removes what is kept of a file.
func (s *Server) forget(f *file) {
	if s.Dir != "" {
		_ = os.Remove(s.keptPath(f)) // what stays is only opened again
	}
}

// keep keeps what has changed, until the server is closed. What takes long is done less often, and no file waits for
// another one.
func (s *Server) keep() {
	var told sync.Map // errors
	tell := func(err error) {
		if err == nil {
			return
		}
		if _, again := told.LoadOrStore(err.Error(), true); !again {
			s.Warn("games are not kept: " + printable.Error(err))
		}
	}
	var writing sync.WaitGroup
	for s.ctx.Err() == nil {
		select {
		case <-time.After(keepEvery):
		case <-s.ctx.Done():
		}
		for _, f := range s.takeChanged(false) {
			writing.Go(func() {
				began := time.Now()
				tell(s.keepFile(f))
				select {
				case <-time.After(10 * time.Since(began)):
				case <-s.ctx.Done():
				}
				s.mu.Lock()
				f.of.keeping = false
				s.mu.Unlock()
			})
		}
		tell(s.keepNotes(context.WithoutCancel(s.ctx)))
	}
	writing.Wait()
	tell(s.keepAll())
}

// A snapshot is a file as it is to be kept.
type snapshot struct {
	file
	of    *file
	games []*record.Game
}

// takeChanged returns the files that have changed, as they are now, and counts them as kept. Those that are being kept are
// left out, unless all are wanted.
func (s *Server) takeChanged(all bool) (changed []snapshot) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, f := range s.files {
		if f.dirty && !f.reading && (all || !f.keeping) {
			f.dirty, f.keeping = false, true
			changed = append(changed, snapshot{*f, f, f.present()})
		}
	}
	return changed
}

// keepAll keeps all that has changed.
func (s *Server) keepAll() (failed error) {
	for _, f := range s.takeChanged(true) {
		failed = cmp.Or(failed, s.keepFile(f))
	}
	return cmp.Or(failed, s.keepNotes(context.WithoutCancel(s.ctx)))
}

// keepFile keeps a file. Nobody waits for it: a game is never changed, but replaced. A file that could not be kept is
// tried again the next time.
func (s *Server) keepFile(f snapshot) error {
	var b bytes.Buffer
	err := json.NewEncoder(&b).Encode(header{f.name, f.path, f.format, f.onDisk, f.damage, f.edited, f.file.game.Name()})
	if err == nil {
		_, err = s.write(&b, &f.file, record.JSON, "", f.games)
	}
	if err == nil {
		err = writeAnew(context.WithoutCancel(s.ctx), s.keptPath(&f.file), b.Bytes()) // also at the end
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if err != nil {
		f.of.dirty = true
	}
	if !slices.Contains(s.files, f.of) {
		s.forget(f.of) // it has been closed meanwhile
	}
	return err
}

// notes are what is kept besides games, by the names of files.
func (s *Server) notes() map[string]any {
	return map[string]any{"engines.json": &s.choices, "training.json": &s.memories}
}

// keepNotes keeps those notes that have changed.
func (s *Server) keepNotes(ctx context.Context) (failed error) {
	for name, value := range s.notes() {
		s.mu.Lock()
		changed := s.unkept[name]
		delete(s.unkept, name)
		text, err := json.Marshal(value)
		s.mu.Unlock()
		if err == nil && changed {
			err = writeAnew(ctx, filepath.Join(s.Dir, name), text)
		}
		if err != nil {
			s.mu.Lock()
			s.unkept[name] = true
			s.mu.Unlock()
			failed = err
		}
	}
	return failed
}

// writeAnew writes a file anew, or leaves it as it is.
func writeAnew(ctx context.Context, path string, data []byte) error {
	out, err := output.Replace(ctx, output.Options{Path: path})
	if err != nil {
		return err
	}
	defer out.Close()
	if _, err := out.Write(data); err != nil {
		return err
	}
	return out.Finish()
}

// restore opens what earlier runs have kept. What a run of now keeps is left alone, and this one keeps nothing.
func (s *Server) restore() (err error) {
	if s.Dir == "" {
		return nil
	}
	if err := os.MkdirAll(s.Dir, 0o700); err != nil {
		return err
	}
	s.lock, err = filelock.Open(filepath.Join(s.Dir, "lock"))
	switch {
	case errors.Is(err, filelock.ErrInUse):
		s.Warn("another qhsh serve has the games of earlier, and those of this one are not kept")
		s.Dir = ""
		return nil
	case err != nil:
		return err
	}
	for name, value := range s.notes() {
		text, err := interruptible.ReadFile(s.ctx, filepath.Join(s.Dir, name))
		if err == nil {
			err = json.Unmarshal(text, value)
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			s.Warn(fmt.Sprintf("%s: %s", name, printable.Error(err)))
		}
	}
	names, err := fs.Glob(os.DirFS(s.Dir), "*.jsonl") // the path of the folder is no pattern
	if err != nil {
		return err
	}
	for _, name := range names { // in the order of their numbers
		id, err := strconv.Atoi(strings.TrimSuffix(name, ".jsonl"))
		if err != nil {
			continue
		}
		path := filepath.Join(s.Dir, name)
		if err := s.restoreOne(path, id); err != nil {
			s.Warn(fmt.Sprintf("%s: %s", printable.Line(path), printable.Error(err)))
		}
		s.nextID = max(s.nextID, id+1)
	}
	return nil
}

func (s *Server) restoreOne(name string, id int) error {
	in, err := interruptible.Open(s.ctx, name)
	if err != nil {
		return err
	}
	defer in.Close()
	r := bufio.NewReader(in)
	first, err := r.ReadBytes('\n')
	if err != nil {
		return err
	}
	var h header
	if err := json.Unmarshal(first, &h); err != nil {
		return err
	}
	f := &file{id: id, name: h.Name, path: h.Path, format: h.Format, onDisk: h.OnDisk, damage: h.Damage, edited: h.Edited}
	if f.game, err = s.Games.New(h.Game, nil); err != nil {
		return err
	}
	for g, err := range s.Games.Records(f.game).Read(r, name) {
		if err != nil {
			return err
		}
		f.append(g)
		f.game = g.Start.Game()
	}
	if len(f.games) == 0 {
		return errNoGame
	}
	s.files = append(s.files, f)
	return nil
}
