//go:build unix

package interruptible

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

var errStop = errors.New("stop")

// TestPipe: what is written to a named pipe is read to its end, wherever the writer comes in, and the end
// of the context or Close end what waits.
func TestPipe(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	go func() {
		out, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err == nil {
			_, err = out.WriteString("one\n")
			err = errors.Join(err, out.Close())
		}
		if err != nil {
			t.Error(err)
		}
	}()
	if got, err := ReadFile(ctx, path); string(got) != "one\n" || err != nil {
		t.Errorf("read %q, %v", got, err)
	}

	keep, err := os.OpenFile(path, os.O_RDWR, 0) // so that there is a writer
	if err != nil {
		t.Fatal(err)
	}
	defer keep.Close()
	for _, end := range []func(io.Closer){
		func(f io.Closer) { f.Close() },
		func(io.Closer) { cancel(errStop) },
	} {
		in, err := Open(ctx, path)
		if err != nil {
			t.Fatal(err)
		}
		defer in.Close()
		read := make(chan error)
		go func() {
			_, err := io.ReadAll(in)
			read <- err
		}()
		end(in)
		if err := <-read; err == nil {
			t.Error("a Read that nothing came for has no error")
		}
	}
	for name, read := range map[string]func() error{
		"Open":   func() error { _, err := Open(ctx, path); return err },
		"a pipe": func() error { _, err := Reader(ctx, keep).Read(make([]byte, 1)); return err },
		"no file": func() error {
			_, err := Reader(ctx, strings.NewReader("text")).Read(make([]byte, 1))
			return err
		},
	} {
		if err := read(); err != errStop {
			t.Errorf("%s after the end of the context: %v", name, err)
		}
	}
	if _, err := OpenRegular(path); !errors.Is(err, errNotRegular) {
		t.Errorf("as a regular file: %v", err)
	}
}
