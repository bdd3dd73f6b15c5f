package filelock

import (
	"errors"
	"os"
	"path/filepath"
	"sync"
	"testing"
)

// TestOpen: a file has one owner at a time, and the next one has a file with a name.
func TestOpen(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	first, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Open(path); !errors.Is(err, ErrUsed) {
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

// TestRemovedMeanwhile has many owners who remove the file: none works in one without a name.
func TestRemovedMeanwhile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	var owners sync.WaitGroup
	for range 8 {
		owners.Go(func() {
			for done := 0; done < 50; {
				file, err := Open(path)
				if errors.Is(err, ErrUsed) {
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
