package script

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"sync"

	"go.starlark.net/starlark"

	"qhsh/engine"
	"qhsh/engine/interruptible"
	"qhsh/pluginclient/task/batch"
	"qhsh/pluginclient/task/batch/input"
)

// stdinName is the path that means standard input.
const stdinName = "-"

func positionsFunction(g *catalog) member {
	sig := fmt.Sprintf(`positions(path: str = "-", skip: bool = False, form: str = "", column: str = "fen", %s) -> Iterable[Board]`, gameParameters(g.Table))
	return function(sig, positionsDoc, makePositions)
}

const positionsDoc = `The positions of a file as boards, read one at a time. The file is in an input format of qhsh hints: lines of FEN or EPD, JSON lines, or CSV with a column of positions, including the output of hints, optionally compressed by gzip or zstd. form is "fen", "epd", "json" or "csv"; by default it is detected from the file's name or first line. Blank lines and lines that begin with # are skipped. An invalid position stops the script, or is logged and skipped if skip is true. path is one of the script's arguments, or a file in the script's folder; "-" is standard input, which can be read once. game and its options are as for board.`

func makePositions(c *call) (starlark.Value, error) {
	p := &positions{path: stdinName, env: taskOf(c.thread).env, thread: c.thread, column: input.DefaultColumn}
	if err := p.unpack(c, []any{&p.path, &p.skip, &p.form, &p.column}); err != nil {
		return nil, err
	}
	if p.form != "" && !input.IsFormat(p.form) {
		return nil, fmt.Errorf("positions: form %s: want %s", shorten(p.form), input.FormatNames)
	}
	// Report a missing file here, where the script names it.
	file, err := p.open()
	if err != nil {
		return nil, fmt.Errorf("positions: %s: %w", p.path, err)
	}
	return p, file.Close()
}

// unpack parses the arguments of a call, of which the game is the last.
func (p *positions) unpack(c *call, vars []any, more ...any) error {
	choice := newGameChoice(p.env.games.Table)
	if err := c.unpack(slices.Concat(vars, choice.vars(), more)...); err != nil {
		return err
	}
	game, err := choice.game()
	if err != nil {
		return fmt.Errorf("%s: %w", c.fn.Name(), err)
	}
	p.game = game
	return nil
}

// positions are the boards of a file.
type positions struct {
	path         string
	skip         bool
	form, column string // as input.Options has them
	game         engine.Game
	env          *Env
	// thread created the value. It sees an error at once, any other thread a moment later.
	thread *starlark.Thread
}

func (p *positions) String() string        { return fmt.Sprintf("positions(%q)", p.path) }
func (p *positions) Type() string          { return "positions" }
func (p *positions) Freeze()               {}
func (p *positions) Truth() starlark.Bool  { return true }
func (p *positions) Hash() (uint32, error) { return starlark.String(p.path).Hash() }

// open opens the input.
func (p *positions) open() (io.ReadCloser, error) {
	e := p.env
	if p.path == stdinName {
		return io.NopCloser(cmp.Or[io.Reader](e.opts.Stdin, strings.NewReader(""))), nil
	}
	return e.openInput(p.path)
}

// openInput opens a file or folder that a script may read: an argument, or one in its folder.
func (e *Env) openInput(path string) (fs.File, error) {
	if !e.args.isInput(path) {
		file, err := e.openInFolder(path)
		if err != nil {
			return nil, err
		}
		return file, nil
	}
	file, err := interruptible.Open(e.running.Load().ctx, path)
	var pathErr *os.PathError
	if errors.As(err, &pathErr) {
		err = pathErr.Err
	}
	if err != nil && strings.HasPrefix(path, "-") {
		err = fmt.Errorf("%w; if it is a flag, take it out of args first: flag(%q)", err, strings.TrimLeft(path, "-"))
	}
	return file, err
}

func (e *Env) openInFolder(path string) (*os.File, error) {
	file, err := e.folder.open(path)
	if err != nil {
		return nil, fmt.Errorf("%w; %w", err, errInputs)
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
	return file.Name(), nil
}

var errInputs = errors.New("scripts can only read their arguments and files in their own folder")

// Iterate starts at the beginning of the file.
func (p *positions) Iterate() starlark.Iterator {
	it := &positionIterator{positions: p}
	if p.path == stdinName {
		if it.err = p.env.takeStdin(errStdinRead); it.err != nil {
			return it
		}
	}
	file, err := p.open()
	if err != nil {
		it.err = err
		return it
	}
	it.file = file
	name := p.path
	if name == stdinName {
		name = "standard input"
	}
	it.source, it.err = input.Open(p.env.games.AnyNotation(p.game), file, input.Options{Name: name, Format: p.form, Column: p.column, Records: p.env.games.Records(p.game)})
	if games := (*input.GamesError)(nil); errors.As(it.err, &games) {
		it.err = fmt.Errorf("%w: use games(%q)", it.err, p.path)
	}
	it.named = true
	return it
}

var (
	errStdinRead   = errors.New("standard input can be read only once: keep its positions in a list, as in list(positions())")
	errStdinScript = errors.New("standard input is the script itself")
)

// takeStdin marks standard input as used and returns an error if it already was.
func (e *Env) takeStdin(why error) error {
	e.stdin.Lock()
	defer e.stdin.Unlock()
	if e.stdinUsed != nil {
		return e.stdinUsed
	}
	e.stdinUsed = why
	return nil
}

type positionIterator struct {
	*positions
	file   io.ReadCloser
	source input.Source
	err    error
	named  bool // err includes the file's name
	once   sync.Once
}

// Next returns the next board. An iterator cannot return an error: an error stops the script.
func (it *positionIterator) Next(v *starlark.Value) bool {
	for it.err == nil && !it.env.stopping() {
		item, err := it.source.Next()
		if err == io.EOF {
			return false
		}
		if err == nil && item.Err == nil {
			*v = it.env.games.newBoard(item.Pos)
			return true
		}
		if it.err = err; err == nil {
			it.err, it.named = it.handleInvalid(item), false
		}
	}
	if it.err != nil {
		err := it.err
		if !it.named {
			err = fmt.Errorf("%s: %w", it.path, err)
		}
		it.env.running.Load().cancel(fmt.Errorf("positions: %w", err))
		it.thread.Cancel("positions")
	}
	return false
}

// handleInvalid returns the error of an invalid position, or logs it if they are skipped.
func (it *positionIterator) handleInvalid(item batch.Item) error {
	err := fmt.Errorf("line %d: %w", item.Line, item.Err)
	if !it.skip {
		return err
	}
	return it.env.console.log(fmt.Sprintf("positions: %s: skipped: %v", it.path, err))
}

// Done closes the file.
func (it *positionIterator) Done() {
	it.once.Do(func() { // they were only read
		if it.source != nil {
			_ = it.source.Close()
		}
		if it.file != nil {
			_ = it.file.Close()
		}
	})
}
