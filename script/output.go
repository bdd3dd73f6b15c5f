package script

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"strings"
	"sync"

	"go.starlark.net/starlark"

	"qhsh/engine/printable"
)

// A console writes a script's data and messages. Every line is written in one piece and never
// through the progress bar. It is safe for concurrent use, and an io.Writer for data.
type console struct {
	mu       sync.Mutex
	out, err io.Writer
	drawing  bool   // err is a terminal
	bar      string // as drawn; empty: nothing
}

// Write writes data.
func (c *console) Write(p []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.out.Write(p)
}

func (c *console) log(text string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	bar := c.bar
	c.draw("")
	_, err := io.WriteString(c.err, text+"\n")
	c.draw(bar)
	return err
}

// show redraws the progress bar; an empty text removes it.
func (c *console) show(bar string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.draw(bar)
}

func (c *console) draw(bar string) {
	if !c.drawing || bar == c.bar {
		return
	}
	if c.bar != "" {
		fmt.Fprintf(printable.Raw(c.err), "\r%*s\r", len(c.bar), "")
	}
	_, _ = io.WriteString(c.err, bar)
	c.bar = bar
}

// display returns a value as print writes it.
func display(v starlark.Value) string {
	if s, ok := starlark.AsString(v); ok {
		return s
	}
	return v.String()
}

var emitFunction = function("emit(x: object) -> None", `Writes a value as a line of JSON. Dicts keep their order. A board is its FEN, a score an object with cp or mate, a hint an object as in the output of qhsh hints. Within pmap the lines are written in the order of the items.`, emit)

func emit(t *task, x starlark.Value) error {
	line, err := encodeJSON(x, t.stopped)
	if err != nil {
		return err
	}
	if err := t.writeLine(string(line)); err != nil {
		return bareError{err}
	}
	return nil
}

var logFunction = function("log(*args: object) -> None", `Writes a line to stderr, formatted like print. It is written immediately, also within pmap.`, logLine)

func logLine(t *task, args starlark.Tuple) error {
	if err := t.stopped(); err != nil {
		return err
	}
	words := make([]string, len(args))
	for i, arg := range args {
		words[i] = display(arg)
	}
	if err := t.env.console.log(strings.Join(words, " ")); err != nil {
		return bareError{err}
	}
	return nil
}

var writeFunction = function("write(name: str, text: str | bytes) -> None", `Writes a file in the folder given by -out. An existing file is replaced, and missing folders are created.`, writeFile)

func writeFile(t *task, name string, content starlark.Value) error {
	var text string
	switch content := content.(type) {
	case starlark.String:
		text = string(content)
	case starlark.Bytes:
		text = string(content)
	default:
		return fmt.Errorf("text is a %s, want a string or bytes", content.Type())
	}
	if err := t.stopped(); err != nil {
		return err
	}
	file, err := t.env.create(name)
	if err != nil {
		return err
	}
	_, err = file.WriteString(text)
	return outError(name, errors.Join(err, file.Close()))
}

// create creates a file, or empties a regular one, below the -out folder.
func (e *Env) create(name string) (*os.File, error) {
	out := e.opts.Out
	if out == nil {
		return nil, fmt.Errorf("%s: no output folder: use -out DIR", name)
	}
	if dir := path.Dir(name); dir != "." {
		if err := out.MkdirAll(dir, 0o777); err != nil {
			return nil, outError(name, err)
		}
	}
	if info, err := out.Stat(name); err == nil && !info.Mode().IsRegular() { // opening it might block
		return nil, outError(name, errNotRegular)
	}
	file, err := out.Create(name)
	return file, outError(name, err)
}

// outError returns the error of a file below -out, with the name used by the script.
func outError(name string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s in the -out folder: %w", name, plainError(err))
}
