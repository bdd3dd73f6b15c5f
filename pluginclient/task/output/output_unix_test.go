//go:build unix

package output

import (
	"context"
	"errors"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestPipeWithoutReader: the wait for the reader of a pipe ends with the context, and with a reader.
func TestPipeWithoutReader(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(path, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, open := range []func(ctx context.Context, o Options) (*File, error){Open, Replace} {
		ctx, stop := context.WithCancel(t.Context())
		failed := make(chan error)
		go func() {
			_, err := open(ctx, Options{Flag: "-o", Path: path, Exclusive: true})
			failed <- err
		}()
		stop()
		if err := <-failed; !errors.Is(err, context.Canceled) {
			t.Errorf("error %v", err)
		}
	}

	read := make(chan string)
	go func() {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Error(err)
		}
		read <- string(text)
	}()
	f := open(t, Options{Flag: "-o", Path: path, Exclusive: true})
	want := strings.Repeat("more than there is room for in a pipe\n", 10_000)
	_, err := io.WriteString(f, want)
	if err := errors.Join(err, f.Finish(), f.Sync(), f.Close()); err != nil {
		t.Error(err)
	}
	if got := <-read; got != want {
		t.Errorf("%d bytes were read, want %d", len(got), len(want))
	}
	if info, err := os.Lstat(path); err != nil || info.Mode()&os.ModeNamedPipe == 0 {
		t.Errorf("the pipe is %v, %v", info, err)
	}
}

// TestNoRoom: of a write that fails nothing stays, so that the file has whole writes. Once there is
// room again the file continues after them.
func TestNoRoom(t *testing.T) {
	for _, s := range Signals() {
		signal.Notify(make(chan os.Signal, 1), s)
	}
	var before syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &before); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "x")
	f := open(t, Options{Flag: "-o", Path: path})
	limit := before
	limit.Cur = 10
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		t.Skip(err)
	}
	_, first := io.WriteString(f, "first\n")
	n, second := io.WriteString(f, "second\n")
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &before); err != nil {
		t.Fatal(err)
	}
	if first != nil || n != 0 || !errors.Is(second, syscall.EFBIG) {
		t.Errorf("%v; %d bytes, %v", first, n, second)
	}
	wantFile(t, path, "first\n")
	if _, err := io.WriteString(f, "third\n"); err != nil {
		t.Error(err)
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
	wantFile(t, path, "first\nthird\n")
}
