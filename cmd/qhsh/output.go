package main

import (
	"compress/gzip"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/klauspost/compress/zstd"

	"qhsh/engine/printable"
	"qhsh/pluginclient/filelock"
	"qhsh/pluginclient/form"
	"qhsh/pluginclient/task/batch"
	"qhsh/pluginclient/task/batch/input"
)

// errReaderGone is the error of a write to a pipe that nobody reads any more. It ends a
// command without a word.
var errReaderGone = errors.New("the reader has gone")

// stdout is a standard output whose closing early is told apart from input errors.
type stdout struct{ io.Writer }

func (s stdout) Write(p []byte) (int, error) {
	n, err := s.Writer.Write(p)
	if err != nil && brokenPipe(err) {
		err = fmt.Errorf("%w: %w", errReaderGone, err)
	}
	return n, err
}

// Stat returns the info of the file that the output goes to.
func (s stdout) Stat() (fs.FileInfo, error) {
	file, ok := printable.Raw(s.Writer).(interface{ Stat() (fs.FileInfo, error) })
	if !ok {
		return nil, errors.ErrUnsupported
	}
	return file.Stat()
}

// Raw is the output for what qhsh itself draws on a terminal.
func (s stdout) Raw() io.Writer { return stdout{printable.Raw(s.Writer)} }

// hostOutput is the standard output of a mode in which qhsh is an engine: what serves there takes
// a write that fails for a host that has gone, so it is told here whether that is all.
type hostOutput struct {
	stdout
	mu  sync.Mutex
	err error // of the first write that failed
}

func (o *hostOutput) Write(p []byte) (int, error) {
	n, err := o.stdout.Write(p)
	if err != nil {
		o.mu.Lock()
		defer o.mu.Unlock()
		if o.err == nil {
			o.err = err
		}
	}
	return n, err
}

// failure is what has kept an answer from the host; nil: nothing.
func (o *hostOutput) failure() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.err
}

// outputFlags are -o and -format.
type outputFlags struct{ path, format string }

func defineOutput[W any](fs *flag.FlagSet, o *outputFlags, forms form.Table[W]) {
	fs.StringVar(&o.format, "format", "", "write in this `FORMAT`: "+forms.Names()+"; without it -o tells, else "+forms[0].Name)
	fs.StringVar(&o.path, "o", "", "write to `FILE`; its extension tells the format: "+forms.Extensions())
}

// choose is the form that the flags ask for.
func choose[W any](o outputFlags, forms form.Table[W]) (form.Form[W], error) {
	if o.format != "" {
		f, ok := forms.Named(o.format)
		if !ok {
			return f, usagef("-format %s: want %s", o.format, forms.Names())
		}
		return f, nil
	}
	if o.path == "" {
		return forms[0], nil
	}
	f, ok := forms.Of(input.BareName(o.path))
	if !ok {
		return f, usagef("-o %s: the extension tells the format, and there are %s; or name it with -format",
			o.path, forms.Extensions())
	}
	return f, nil
}

// databaseForm is the name of the form that is no stream of bytes.
const databaseForm = "sqlite"

// hintForms are the forms of the answers to so many hints. The database has no Write.
func hintForms(hints int) form.Table[func(w io.Writer) batch.Sink] {
	return append(batch.Formats(hints), batch.Format{Name: databaseForm, Extensions: []string{".db", ".sqlite", ".sqlite3"}})
}

// database tells whether a form is a database, which has to be a file.
func (o outputFlags) database(f batch.Format) (bool, error) {
	switch {
	case f.Name != databaseForm:
		return false, nil
	case o.path == "":
		return true, usagef("-format %s: a database needs a file: name it with -o", f.Name)
	case input.BareName(o.path) != o.path:
		return true, usagef("-o %s: a database cannot be compressed while it is written", o.path)
	}
	return true, nil
}

// open opens the file of -o; without it the output is standard output.
func (o outputFlags) open(h host) (*output, error) {
	if o.path != "" {
		out, err := openOwn("-o", o.path)
		if err == nil {
			err = out.compress(filepath.Ext(o.path))
		}
		return out, err
	}
	used := o.used(h)
	return &output{Writer: h.Stdout, name: used.name, info: used.info}, nil
}

// output is where a command writes. A file keeps what is in it until something else is
// written, so that a command that fails before then does no harm.
type output struct {
	io.Writer             // the file, or standard output
	name      string      // for a person
	info      fs.FileInfo // nil if it is not known
	file      *os.File    // nil: standard output
	isNew     bool        // the file was not there before
	begun     bool        // what was in it is gone

	compressor io.WriteCloser // nil: what is written is not compressed
	replacement
}

// compress compresses what is written, if a file's extension says so.
func (o *output) compress(ext string) (err error) {
	switch strings.ToLower(ext) {
	case ".gz":
		o.compressor = gzip.NewWriter(o.file)
	case ".zst", ".zstd":
		o.compressor, err = zstd.NewWriter(o.file, zstd.WithEncoderConcurrency(1))
	default:
		return nil
	}
	o.Writer = o.compressor
	return err
}

// endCompression writes the end of what is compressed.
func (o *output) endCompression() error {
	if o.compressor == nil || !o.begun {
		return nil
	}
	err := o.compressor.Close()
	o.compressor = nil
	return err
}

// undo leaves nothing of what has been written, so that no part of it is taken for the whole.
func (o *output) undo() error {
	o.compressor, o.begun = nil, false
	return o.file.Truncate(0)
}

// openOutput opens the file that a flag names.
func openOutput(flagName, path string) (*output, error) {
	_, err := os.Lstat(path)
	isNew := errors.Is(err, fs.ErrNotExist)
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE, 0o666)
	if err != nil {
		return nil, usagef("%s: %w", flagName, err)
	}
	out := &output{Writer: shown(file), name: flagName + " " + path, file: file, isNew: isNew}
	out.info, _ = file.Stat()
	return out, nil
}

// openOwn is openOutput for a file that nobody else is to write meanwhile, by whatever name.
func openOwn(flagName, path string) (*output, error) {
	for {
		out, err := openOutput(flagName, path)
		if err != nil || !regular(out.info) {
			return out, err
		}
		still, err := filelock.Own(out.file, path)
		if still && err == nil {
			return out, nil
		}
		out.file.Close()
		if errors.Is(err, filelock.ErrUsed) {
			err = usagef("%s: another run is writing it", out.name)
		}
		if err != nil {
			return nil, err
		}
	}
}

func (o *output) Write(p []byte) (int, error) {
	if err := o.begin(); err != nil {
		return 0, err
	}
	return o.Writer.Write(p)
}

// Raw is the output for what qhsh itself draws on a terminal. There is no colour in files.
func (o *output) Raw() io.Writer {
	if o.file == nil {
		return printable.Raw(o.Writer)
	}
	return o
}

// begin empties the file. Write does it by itself; it is for a command that is done and
// had nothing to write.
func (o *output) begin() error {
	if o.begun || o.file == nil {
		return nil
	}
	o.begun = true
	if !regular(o.info) {
		return nil
	}
	return o.file.Truncate(0)
}

// Close closes the file. One that was made for nothing is removed.
func (o *output) Close() error {
	if o.file == nil {
		return nil
	}
	err := o.endCompression()
	switch {
	case o.target != "":
		if o.whole {
			err = errors.Join(err, o.file.Sync())
		}
		err = errors.Join(err, o.file.Close())
		o.whole = o.whole && err == nil
		err = errors.Join(err, o.put())
	case o.isNew && !o.begun:
		err = errors.Join(err, filelock.Remove(o.file))
	default:
		err = errors.Join(err, o.file.Close())
	}
	if err != nil {
		err = fmt.Errorf("%s: %w", o.name, err)
	}
	return err
}

func regular(info fs.FileInfo) bool { return info != nil && info.Mode().IsRegular() }
