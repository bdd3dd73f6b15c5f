package filelock

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// TestOpen: a file has one owner at a time, and the next one has a file with a name.
func TestOpen(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	first, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Open(path); !errors.Is(err, ErrInUse) {
		t.Errorf("opened twice: %v", err)
	}
	if err := Remove(first); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the file is there after its removal: %v", err)
	}
	second, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := second.Close(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(path); err != nil {
		t.Errorf("a closed file is gone: %v", err)
	}
}

// TestOwn: a lock is that of a file, whatever it is called, and of the one that has the name.
func TestOwn(t *testing.T) {
	dir := t.TempDir()
	path, link := filepath.Join(dir, "file"), filepath.Join(dir, "link")
	first, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Link(path, link); err != nil {
		t.Skip(err)
	}
	again, err := os.OpenFile(link, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	if _, err := LockExisting(again, link); !errors.Is(err, ErrInUse) {
		t.Errorf("locked twice: %v", err)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	if still, err := LockExisting(again, link); !still || err != nil {
		t.Errorf("it has not its name: %v, %v", still, err)
	}
	if err := os.Remove(link); err != nil {
		t.Skip(err) // Windows removes no open file
	}
	if still, err := LockExisting(again, link); still || err != nil {
		t.Errorf("without a name it has one: %v, %v", still, err)
	}
}

// TestLockWaits: a lock that is given up within the patience is waited for, one that is kept is
// refused, and an unlocked file is locked at once.
func TestLockWaits(t *testing.T) {
	for _, c := range []struct {
		name         string
		kept, waited time.Duration
		err          error
	}{
		{"not locked", 0, 0, nil},
		{"for a moment", 300 * time.Millisecond, 300 * time.Millisecond, nil},
		{"too long", time.Minute, patience, ErrInUse},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "file")
			synctest.Test(t, func(t *testing.T) {
				first, err := Open(path)
				if err != nil {
					t.Fatal(err)
				}
				time.AfterFunc(c.kept, func() { first.Close() })
				synctest.Wait()
				start := time.Now()
				second, err := Open(path)
				if waited := time.Since(start); !errors.Is(err, c.err) || waited < c.waited || waited > c.waited+pause {
					t.Errorf("waited %v: %v", waited, err)
				}
				time.Sleep(c.kept) // until the first is closed
				if err == nil {
					second.Close()
				}
			})
		})
	}
}

// TestReplace: the contents change all at once, and whoever waited for the lock has the new file.
func TestReplace(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "file")
	if err := os.WriteFile(path, []byte("much that is old"), 0o666); err != nil {
		t.Fatal(err)
	}
	file, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	write := func(w io.Writer) error {
		_, err := io.WriteString(w, "new")
		return err
	}
	if err := Replace(file, write); err != nil {
		t.Fatal(err)
	}
	again, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	if text, err := os.ReadFile(path); err != nil || string(text) != "new" {
		t.Errorf("it has %q, %v", text, err)
	}
	if files, err := os.ReadDir(dir); err != nil || len(files) != 1 {
		t.Errorf("there are %v, %v", files, err)
	}
}

// TestReplaceFails: the old contents stay, and nothing else is left.
func TestReplaceFails(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "file")
	if err := os.WriteFile(path, []byte("old"), 0o666); err != nil {
		t.Fatal(err)
	}
	file, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	full := errors.New("no space")
	if err := Replace(file, func(io.Writer) error { return full }); err == nil || err.Error() != full.Error() {
		t.Errorf("error %v", err)
	}
	if err := file.Close(); err == nil {
		t.Error("the file was open")
	}
	if text, err := os.ReadFile(path); err != nil || string(text) != "old" {
		t.Errorf("it has %q, %v", text, err)
	}
	if files, err := os.ReadDir(dir); err != nil || len(files) != 1 {
		t.Errorf("there are %v, %v", files, err)
	}
}

// TestRemovedMeanwhile has many owners who remove the file: none works in one without a name.
func TestRemovedMeanwhile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	var owners sync.WaitGroup
	for range 8 {
		owners.Go(func() {
			for done := 0; done < 50; {
				file, err := Open(path)
				if errors.Is(err, ErrInUse) {
					continue
				}
				if err != nil {
					t.Error(err)
					return
				}
				if ok, err := named(file, path); !ok || err != nil {
					t.Errorf("the file has no name: %v", err)
				}
				if err := Remove(file); err != nil {
					t.Error(err)
				}
				done++
			}
		})
	}
	owners.Wait()
}
