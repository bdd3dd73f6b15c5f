package output

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
)

// open opens an output, or fails the test.
func open(t *testing.T, o Options) *File {
	t.Helper()
	f, err := Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// wantFile wants a file to have a text.
func wantFile(t *testing.T, path, want string) {
	t.Helper()
	if text, err := os.ReadFile(path); err != nil || string(text) != want {
		t.Errorf("%s has %q, %v; want %q", path, text, err, want)
	}
}

// TestOpen: a file keeps what is in it until something else is written, or it is said that nothing
// will be. One that was made for nothing is removed.
func TestOpen(t *testing.T) {
	for _, c := range []struct {
		name, before string // empty before: the file is not there
		do           func(f *File) error
		want         string // empty: the file is not there
	}{
		{"nothing", "old", func(*File) error { return nil }, "old"},
		{"nothing, new", "", func(*File) error { return nil }, ""},
		{"write", "old", func(f *File) error { _, err := io.WriteString(f, "n"); return err }, "n"},
		{"finish", "old", (*File).Finish, "\x00"},
		{"finish, new", "", (*File).Finish, "\x00"},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "x")
			if c.before != "" {
				if err := os.WriteFile(path, []byte(c.before), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			f := open(t, Options{Flag: "-o", Path: path, Exclusive: true})
			if f.Name() != "-o "+path || f.IsNew() != (c.before == "") || f.Info().Size() != int64(len(c.before)) {
				t.Errorf("%s, new %v, %d bytes", f.Name(), f.IsNew(), f.Info().Size())
			}
			if err := errors.Join(c.do(f), f.Close()); err != nil {
				t.Fatal(err)
			}
			if c.want == "" {
				if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
					t.Errorf("the file is there: %v", err)
				}
				return
			}
			wantFile(t, path, strings.Trim(c.want, "\x00"))
		})
	}
}

// TestCompress: the extension chooses how a file is compressed, and an empty one is
// a whole stream.
func TestCompress(t *testing.T) {
	unzstd := func(r io.Reader) (io.Reader, error) { return zstd.NewReader(r) }
	ungzip := func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) }
	plain := func(r io.Reader) (io.Reader, error) { return r, nil }
	for ext, unpack := range map[string]func(io.Reader) (io.Reader, error){
		".gz": ungzip, ".GZ": ungzip, ".zst": unzstd, ".zstd": unzstd, ".txt": plain,
	} {
		for _, want := range []string{"", "text"} {
			path := filepath.Join(t.TempDir(), "x"+ext)
			f := open(t, Options{Flag: "-o", Path: path, Compress: true})
			var err error
			if want != "" {
				_, err = io.WriteString(f, want)
			}
			if err := errors.Join(err, f.Finish(), f.Close()); err != nil {
				t.Fatal(ext, err)
			}
			packed, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			r, err := unpack(bytes.NewReader(packed))
			if err != nil {
				t.Fatalf("%s: %v", ext, err)
			}
			if text, err := io.ReadAll(r); err != nil || string(text) != want {
				t.Errorf("%s: %q, %v; want %q", ext, text, err, want)
			}
		}
	}
}

// TestOpenErrors: an output that cannot be opened has an OpenError, which names its flag, and is as it
// was.
func TestOpenErrors(t *testing.T) {
	dir := t.TempDir()
	used, nowhere := filepath.Join(dir, "used"), filepath.Join(dir, "none", "x")
	f := open(t, Options{Flag: "-o", Path: used, Exclusive: true})
	defer f.Close()
	for _, c := range []struct {
		o    Options
		want string
		is   error
	}{
		{Options{Flag: "-o", Path: used, Exclusive: true}, "-o " + used + ": another run is writing it", errInUse},
		{Options{Flag: "-trace", Path: nowhere}, "-trace: open " + nowhere + ": ", fs.ErrNotExist},
	} {
		_, err := Open(t.Context(), c.o)
		var opening *OpenError
		if !errors.As(err, &opening) || !errors.Is(err, c.is) || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("error %v, want %s", err, c.want)
		}
	}
	_, err := Replace(t.Context(), Options{Flag: "-o", Path: nowhere})
	var opening *OpenError
	if want := "-o: open " + nowhere + ": "; !errors.As(err, &opening) || !errors.Is(err, fs.ErrNotExist) || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("error %v, want %s", err, want)
	}
}

// TestStream: what is written goes to the stream, or nowhere if there is none, and it stays open.
func TestStream(t *testing.T) {
	var text bytes.Buffer
	for _, stream := range []io.Writer{&text, nil} {
		for _, open := range []func(o Options) (*File, error){
			func(o Options) (*File, error) { return Open(t.Context(), o) },
			func(o Options) (*File, error) { return Replace(t.Context(), o) },
		} {
			f, err := open(Options{Flag: "-o", Stream: stream, Exclusive: true, Compress: true})
			if err != nil || f.Name() != "standard output" {
				t.Fatal(f, err)
			}
			_, err = io.WriteString(f, "x")
			if err := errors.Join(err, f.Sync(), f.Finish(), f.Close()); err != nil {
				t.Error(err)
			}
		}
	}
	if text.String() != "xx" {
		t.Errorf("written is %q", text.String())
	}
}

// TestReaderGone: the error of a stream that nobody reads any more is known, and kept.
func TestReaderGone(t *testing.T) {
	r, w := io.Pipe()
	r.Close()
	watched := &StickyStream{Stream: Stream{w}}
	for range 2 {
		if _, err := io.WriteString(watched, "x"); !errors.Is(err, ErrReaderGone) || !errors.Is(err, io.ErrClosedPipe) {
			t.Errorf("error %v", err)
		}
	}
	if !errors.Is(watched.Err(), ErrReaderGone) {
		t.Errorf("kept is %v", watched.Err())
	}
}

// TestConflict: a file is the same by whatever name, whether it is there or not; devices may be
// written twice.
func TestConflict(t *testing.T) {
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	if err := os.WriteFile(path("a"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Link(path("a"), path("b")); err != nil {
		t.Skip(err)
	}
	if err := os.Symlink("new", path("link")); err != nil {
		t.Skip(err)
	}
	a, b := WrittenFile("-o", path("a")), WrittenFile("-trace", path("b"))
	for _, c := range []struct {
		uses []FileUse
		want string
	}{
		{[]FileUse{a, b}, "-o " + path("a") + " and -trace " + path("b") + " are the same file"},
		{[]FileUse{WrittenFile("-o", path("new")), WrittenFile("-trace", path("link"))}, "-o " + path("new") + " and -trace " + path("link") + " are the same file"},
		{append(InputsAt(path("b"), path("none")), a), "-o " + path("a") + ": that is an input"},
		{InputsAt(path("a"), path("b")), ""},
		{[]FileUse{WrittenFile("-o", os.DevNull), WrittenFile("-trace", os.DevNull)}, ""},
		{[]FileUse{a, WrittenFile("-trace", ""), Options{Stream: io.Discard}.Use(), WrittenFile("-trace", path("new"))}, ""},
	} {
		err := Conflict(c.uses...)
		if (err != nil) != (c.want != "") || err != nil && err.Error() != c.want {
			t.Errorf("error %v, want %q", err, c.want)
		}
	}
}
