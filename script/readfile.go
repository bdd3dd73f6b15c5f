package script

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"slices"
	"strings"

	"go.starlark.net/starlark"

	"qhsh/engine/interruptible"
	"qhsh/engine/printable"
	"qhsh/pluginclient/task/batch"
	"qhsh/pluginclient/task/batch/input"
)

// stdinName is the path that means standard input.
const stdinName = "-"

// A fileValue is what a file has, such as its positions, read one at a time, whenever it is iterated.
type fileValue struct {
	function string // that has made it, such as positions
	path     string
	env      *Env
	// thread created the value. It sees an error at once, any other thread a moment later.
	thread *starlark.Thread
	// read yields the values of the open file until yield returns false or the script must end. Its
	// error has the file's name.
	read func(file io.Reader, yield func(starlark.Value) bool) error
}

func newFileValue(thread *starlark.Thread, function, path string) *fileValue {
	return &fileValue{function: function, path: path, env: taskOf(thread).env, thread: thread}
}

// readBy sets how the file is read. It reports a missing file here, where the script names it.
func (f *fileValue) readBy(read func(io.Reader, func(starlark.Value) bool) error) (starlark.Value, error) {
	f.read = read
	file, err := f.open()
	if err != nil {
		return nil, f.named(err)
	}
	return f, file.Close()
}

// bad returns the error of a line that cannot be read, unless such lines are skipped: then it is logged.
func (f *fileValue) bad(line int, err error, skip bool) error {
	if err = fmt.Errorf("line %d: %w", line, err); skip {
		err = f.env.console.log(fmt.Sprintf("%s: %s: skipped: %v", f.function, f.path, err))
	}
	return f.named(err)
}

// named adds the name of the file to an error.
func (f *fileValue) named(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", f.path, err)
}

func (f *fileValue) String() string        { return fmt.Sprintf("%s(%q)", f.function, f.path) }
func (f *fileValue) Type() string          { return f.function }
func (f *fileValue) Freeze()               {}
func (f *fileValue) Truth() starlark.Bool  { return true }
func (f *fileValue) Hash() (uint32, error) { return starlark.String(f.path).Hash() }

// open opens the file, which is an argument or in the script's folder.
func (f *fileValue) open() (io.ReadCloser, error) {
	e := f.env
	switch {
	case f.path == stdinName:
		return io.NopCloser(e.opts.Stdin), nil
	case !e.args.isInput(f.path):
		return e.openInFolder(f.path)
	}
	file, err := interruptible.Open(e.running.Load().ctx, f.path)
	err = plainError(err)
	if err != nil && strings.HasPrefix(f.path, "-") {
		err = fmt.Errorf("%w; if it is a flag, take it out of args first: flag(%q)", err, strings.TrimLeft(f.path, "-"))
	}
	return file, err
}

func (e *Env) openInFolder(path string) (fs.File, error) {
	file, err := e.folder.open(path)
	if err != nil {
		return nil, fmt.Errorf("%w; scripts can only read their arguments and files in their own folder", err)
	}
	return file, nil
}

// filePath returns the path of a regular file that a script may read, for what must be opened by its
// path.
func (e *Env) filePath(path string) (string, error) {
	if e.args.isInput(path) {
		if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
			return "", errNotRegular
		}
		return path, nil // opening it says what is wrong
	}
	file, err := e.openInFolder(path)
	if err != nil {
		return "", err
	}
	defer file.Close()
	if info, err := file.Stat(); err != nil || !info.Mode().IsRegular() {
		return "", cmp.Or(err, errNotRegular)
	}
	return file.(*os.File).Name(), nil
}

// takeStdin marks standard input as used and returns an error if it already was.
func (e *Env) takeStdin(why error) error {
	if e.stdinUsed.CompareAndSwap(nil, &why) {
		return nil
	}
	return *e.stdinUsed.Load()
}

// Iterate starts at the beginning of the file.
func (f *fileValue) Iterate() starlark.Iterator {
	it := &fileIterator{fileValue: f}
	it.next, it.stop = iter.Pull(it.values)
	return it
}

// A fileIterator has the file open, from the first value to its end.
type fileIterator struct {
	*fileValue
	next func() (starlark.Value, bool)
	stop func()
	err  error
}

func (it *fileIterator) values(yield func(starlark.Value) bool) {
	if it.path == stdinName {
		it.err = it.env.takeStdin(errors.New("standard input can be read only once: keep its positions in a list, as in list(positions())"))
	}
	var file io.ReadCloser
	if it.err == nil {
		file, it.err = it.open()
	}
	if it.err != nil {
		it.err = it.named(it.err)
		return
	}
	defer file.Close() // it is only read
	it.err = it.read(file, yield)
}

// Next returns the next value. An iterator cannot return an error: an error stops the script.
func (it *fileIterator) Next(v *starlark.Value) bool {
	if !it.env.stopping() {
		if next, ok := it.next(); ok {
			*v = next
			return true
		}
	}
	if it.err != nil {
		it.env.running.Load().cancel(fmt.Errorf("%s: %w", it.function, it.err))
		it.thread.Cancel(it.function)
	}
	return false
}

// Done closes the file.
func (it *fileIterator) Done() { it.stop() }

func positionsFunction(g *catalog) *member {
	sig := fmt.Sprintf(`positions(path: str = "-", skip: bool = False, form: str = "", column: str = "fen", %s) -> Iterable[Board]`, gameParameters(g.Table))
	return function(sig, `The positions of a file as boards, read one at a time. The file is in an input format of qhsh hints: lines of FEN or EPD, JSON lines, or CSV with a column of positions, including the output of hints, in UTF-8 or UTF-16, optionally compressed by gzip or zstd. The id and fields of a board are what the file has about it. form is "fen", "epd", "json" or "csv"; by default it is detected from the file's name or first line. Blank lines and lines that begin with # are skipped. An invalid position stops the script, or is logged and skipped if skip is true. path is one of the script's arguments, or a file in the script's folder; "-" is standard input, which can be read once. game and its options are as for board.`, makePositions)
}

func makePositions(thread *starlark.Thread, path string, skip bool, form, column string, choice gameArgument) (starlark.Value, error) {
	f := newFileValue(thread, "positions", path)
	all, o := f.env.games, input.Options{Name: path, Format: form, Column: column}
	game, err := all.New(choice.name, choice.options)
	if err != nil {
		return nil, err
	}
	if o.Format != "" && !slices.Contains(input.FormatList(), o.Format) {
		return nil, fmt.Errorf("form %s: want %s", shorten(o.Format), printable.OneOf(input.FormatList()))
	}
	o.Records = all.Records(game)
	if f.path == stdinName {
		o.Name = "standard input"
	}
	return f.readBy(func(file io.Reader, yield func(starlark.Value) bool) error {
		source, err := input.Open(all.AnyNotation(game), file, o)
		if games := (*input.GamesError)(nil); errors.As(err, &games) {
			err = fmt.Errorf("%w: use games(%q)", err, f.path)
		}
		if err != nil {
			return err
		}
		defer source.Close() // it is only read
		for !f.env.stopping() {
			item, err := source.Next()
			switch {
			case err == io.EOF:
				return nil
			case err != nil:
				return err
			case item.Err != nil:
				if err := f.bad(item.Line, item.Err, skip); err != nil {
					return err
				}
			case !yield(all.itemBoard(item)):
				return nil
			}
		}
		return nil
	})
}

var linesFunction = function("lines(path: str = \"-\") -> Iterable[str]", `The lines of a file without line ends, read one at a time. The text is UTF-8, or UTF-16 as Windows writes it. path is one of the script's arguments, or a file in the script's folder; "-" is standard input, which can be read once. Use board(line) for the position of an EPD line, and json.decode(line) for JSON.`, makeLines)

func makeLines(thread *starlark.Thread, path string) (starlark.Value, error) {
	f := newFileValue(thread, "lines", path)
	return f.readBy(func(file io.Reader, yield func(starlark.Value) bool) error {
		for in := batch.NewLineReader(file); !f.env.stopping(); {
			switch err := in.Next(); {
			case err == io.EOF:
				return nil
			case err != nil:
				return f.named(err)
			case in.LineErr != nil:
				return f.bad(in.Line, in.LineErr, false)
			case !yield(starlark.String(in.Text)):
				return nil
			}
		}
		return nil
	})
}
