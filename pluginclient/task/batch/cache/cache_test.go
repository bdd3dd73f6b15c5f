package cache

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"qhsh/engine"
	"qhsh/engine/enginetest"
	"qhsh/pluginclient/sqlitefile"
	"qhsh/pluginclient/task/batch"
)

// asker answers with the position's own text, and counts the calls.
type fakeAsker struct {
	asked atomic.Int64
	err   error
}

func (c *fakeAsker) Size() int             { return 2 }
func (c *fakeAsker) Identity() batch.Reply { return batch.Reply{Engine: "fake"} }
func (c *fakeAsker) Ask(_ context.Context, pos engine.Position) (batch.Reply, error) {
	c.asked.Add(1)
	return batch.Reply{Engine: "fake", Limits: batch.Limits{Level: 3, HasLevel: true}, Hints: []batch.Hint{{Move: pos.String(), Score: engine.Centipawns(7)}}, Err: c.err}, nil
}

func position(t testing.TB, n int) engine.Position {
	t.Helper()
	pos, err := enginetest.Stones.Position(fmt.Sprintf("%d first 2", n))
	if err != nil {
		t.Fatal(err)
	}
	return pos
}

// ask asks about positions through the file, and returns how often the asker was called.
func ask(t *testing.T, path, terms string, err error, from, to int) (asked int, cached int) {
	t.Helper()
	return askWarned(t, path, terms, err, from, to, func(text string) { t.Error(text) })
}

func askWarned(t *testing.T, path, terms string, err error, from, to int, warn func(string)) (asked int, cached int) {
	t.Helper()
	c, openErr := Open(t.Context(), path)
	if openErr != nil {
		t.Fatal(openErr)
	}
	behind := &fakeAsker{err: err}
	f, openErr := c.Wrap(t.Context(), behind, terms, false, warn)
	if openErr != nil {
		t.Fatal(openErr)
	}
	for n := from; n <= to; n++ {
		got, err := f.Ask(t.Context(), position(t, n))
		if err != nil {
			t.Fatal(err)
		}
		want, _ := behind.Ask(t.Context(), position(t, n))
		behind.asked.Add(-1)
		if got.Cached {
			cached++
			want.Cached, want.Err = true, nil
		}
		sameScore := cmp.Comparer(func(a, b engine.Score) bool { return a == b })
		if diff := cmp.Diff(want, got, sameScore, cmpopts.EquateErrors()); diff != "" {
			t.Fatal(diff)
		}
	}
	if err := errors.Join(f.Close(), c.Close()); err != nil {
		t.Error(err)
	}
	return int(behind.asked.Load()), cached
}

func TestCache(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a b?c#d%20.db")
	for _, step := range []struct {
		name          string
		terms         string
		err           error
		from, to      int
		asked, cached int
	}{
		{"a new file", "one", nil, 1, 5, 5, 0},
		{"known and new ones", "one", nil, 3, 8, 3, 3},
		{"other terms", "two", nil, 3, 8, 6, 0},
		{"failures", "one", errors.New("died"), 8, 10, 2, 1},
		{"which are not kept", "one", nil, 8, 10, 2, 1},
		{"many", "one", nil, 1, 1200, 1190, 10},
		{"and all of them", "one", nil, 1, 1200, 0, 1200},
	} {
		asked, cached := ask(t, path, step.terms, step.err, step.from, step.to)
		if asked != step.asked || cached != step.cached {
			t.Errorf("%s: asked %d times, %d from the cache; want %d and %d", step.name, asked, cached, step.asked, step.cached)
		}
	}
	if _, err := os.Stat(path); err != nil {
		t.Error(err)
	}
}

// TestRefresh: what is stored is asked for again, and replaced unless that fails.
func TestRefresh(t *testing.T) {
	path := filepath.Join(t.TempDir(), "cache.db")
	ask(t, path, "cloud", nil, 1, 1)
	for _, c := range []struct {
		refresh bool
		score   int
		err     error
		want    int
	}{{true, 8, nil, 8}, {false, 9, nil, 8}, {true, 9, errors.New("unknown"), 9}, {false, 10, nil, 8}} {
		known, err := Open(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		front, err := known.Wrap(t.Context(), scoredAsker{score: c.score, err: c.err}, "cloud", c.refresh, func(text string) { t.Error(text) })
		if err != nil {
			t.Fatal(err)
		}
		got, err := front.Ask(t.Context(), position(t, 1))
		if score, _ := got.Hints[0].Score.Centipawns(); err != nil || score != c.want || got.Cached == c.refresh {
			t.Errorf("%+v: %+v, %v", c, got, err)
		}
		if err := errors.Join(front.Close(), known.Close()); err != nil {
			t.Error(err)
		}
	}
}

// A scoredAsker answers with a score.
type scoredAsker struct {
	batch.Asker
	score int
	err   error
}

func (a scoredAsker) Ask(context.Context, engine.Position) (batch.Reply, error) {
	return batch.Reply{Engine: "cloud", Hints: []batch.Hint{{Move: "1", Score: engine.Centipawns(a.score)}}, Err: a.err}, nil
}

// TestTwoAtOnce uses one file several times concurrently.
func TestTwoAtOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "cache.db")
	var users sync.WaitGroup
	for i := range 4 {
		users.Go(func() { ask(t, path, "same", nil, 1+100*i, 300+100*i) })
	}
	users.Wait()
	if asked, cached := ask(t, path, "same", nil, 1, 600); asked != 0 || cached != 600 {
		t.Errorf("asked %d times, %d from the cache", asked, cached)
	}
}

// TestOtherFiles: a file that is not a cache is left unchanged.
func TestOtherFiles(t *testing.T) {
	dir := t.TempDir()
	text := filepath.Join(dir, "text")
	if err := os.WriteFile(text, []byte("precious, and longer than the head of a database would be, as this text is by now.\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	other := filepath.Join(dir, "other.db")
	db, err := sql.Open("sqlite", other)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec("CREATE TABLE precious (x)"); err != nil {
		t.Fatal(err)
	}
	db.Close()
	newer := filepath.Join(dir, "newer.db")
	ask(t, newer, "x", nil, 1, 1)
	if db, err = sql.Open("sqlite", newer); err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec("PRAGMA user_version = 9"); err != nil {
		t.Fatal(err)
	}
	db.Close()
	for _, path := range []string{text, other, newer, filepath.Join(dir, "no", "folder")} {
		before, _ := os.ReadFile(path)
		if c, err := Open(t.Context(), path); err == nil {
			t.Errorf("%s was accepted as a cache", path)
			c.Close()
		}
		if after, _ := os.ReadFile(path); string(after) != string(before) {
			t.Errorf("%s has changed", path)
		}
	}
}

// TestDamaged: a damaged cache file is distinguished from a file of another kind, which must not be
// skipped.
func TestDamaged(t *testing.T) {
	path := filepath.Join(t.TempDir(), "cache.db")
	known, err := Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	if err := known.Close(); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	copy(data[4096:], bytes.Repeat([]byte{0xa5}, 200)) // the second page, a table's
	if err := os.WriteFile(path, data, 0o666); err != nil {
		t.Fatal(err)
	}
	if known, err = Open(t.Context(), path); err == nil {
		defer known.Close()
		_, err = known.Wrap(t.Context(), nil, "terms", false, func(string) {})
	}
	if !errors.Is(err, ErrDamaged) {
		t.Errorf("a damaged file: %v", err)
	}
	path = filepath.Join(t.TempDir(), "text")
	if err := os.WriteFile(path, bytes.Repeat([]byte("text\n"), 2000), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(t.Context(), path); err == nil || errors.Is(err, ErrDamaged) {
		t.Errorf("a text: %v", err)
	}
}

// TestDamagedAnswer changes any byte of a row's key, reply and sum: the answers are right, and a reply or sum
// that is not as it was stored is a warning, and is stored again.
func TestDamagedAnswer(t *testing.T) {
	path := filepath.Join(t.TempDir(), "cache.db")
	ask(t, path, "terms", nil, 1, 3)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	stored, _ := new(fakeAsker).Ask(t.Context(), position(t, 2))
	reply := batch.AppendReply(nil, stored)
	from := bytes.Index(data, reply)
	for at := from - len(batch.Key{}); at < from+len(reply)+4; at++ {
		damaged := bytes.Clone(data)
		damaged[at] ^= 1
		if err := os.WriteFile(path, damaged, 0o666); err != nil {
			t.Fatal(err)
		}
		var warned []string
		asked, _ := askWarned(t, path, "terms", nil, 1, 3, func(text string) { warned = append(warned, text) }) // compares the answers
		if at < from {
			continue
		}
		if asked != 1 || len(warned) != 1 || !strings.Contains(warned[0], "the cache is damaged") {
			t.Errorf("byte %d: asked %d times, warned %q", at-from, asked, warned)
		}
		if asked, _ := ask(t, path, "terms", nil, 1, 3); asked > 0 {
			t.Errorf("byte %d: asked %d times again", at-from, asked)
		}
	}
}

// TestLocked: a run that is cancelled does not wait for a file that another process has locked.
func TestLocked(t *testing.T) {
	before := lockTimeout
	lockTimeout = time.Hour
	defer func() { lockTimeout = before }()
	path := filepath.Join(t.TempDir(), "cache.db")
	known, err := Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	var warned []string
	front, err := known.Wrap(ctx, &fakeAsker{}, "terms", false, func(text string) { warned = append(warned, text) })
	if err != nil {
		t.Fatal(err)
	}
	other, err := sql.Open("sqlite", sqlitefile.DSN(path, "_txlock=immediate"))
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	tx, err := other.Begin() // which locks immediately
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tx.Rollback() }()
	asked := make(chan struct{})
	go func() {
		defer close(asked)
		for n := range 3 * batchSize { // more than the queue holds
			if _, err := front.Ask(ctx, position(t, n+1)); err != nil {
				t.Error(err)
			}
		}
	}()
	stop()
	<-asked
	if err := errors.Join(front.Close(), known.Close()); err != nil {
		t.Error(err)
	}
	if len(warned) > 1 {
		t.Errorf("warnings %q", warned)
	}
	if _, err := Open(ctx, path); !errors.Is(err, sqlitefile.ErrLocked) {
		t.Errorf("a locked file opens: %v", err)
	}
}
