package script

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// fileOptions enable the language features that small scripts use.
var fileOptions = &syntax.FileOptions{
	Set: true, While: true, TopLevelControl: true, GlobalReassign: true, Recursion: true,
}

// promptName is the file name in errors of lines typed at a prompt.
const promptName = "<star>"

// commandPrefix begins the names of functions that are commands of the shell.
const commandPrefix = "command_"

// RunFile runs a script; the path "-" is standard input, and that script has no folder. args are
// its arguments, and the files among them its inputs. Its globals are available at the prompt
// afterwards. The error is an *Error, or that of a file that cannot be read, which wraps the error
// of package os.
func (e *Env) RunFile(ctx context.Context, path string, args []string) error {
	p, source, err := e.openScript(ctx, path)
	if err != nil {
		return err
	}
	e.setArgs(args)
	var globals starlark.StringDict
	err = e.runLimited(ctx, p, p.main, func(thread *starlark.Thread) (err error) {
		globals, err = e.execute(thread, p.main, source)
		return err
	})
	if !errors.Is(err, ErrAbandoned) { // its goroutine may still write them
		for name, v := range globals {
			if !strings.HasPrefix(name, "_") {
				e.globals[name] = v
			}
		}
	}
	return err
}

// execute runs a module. It returns its globals even with an error.
func (e *Env) execute(thread *starlark.Thread, name string, source []byte) (starlark.StringDict, error) {
	file, err := fileOptions.Parse(name, source, 0)
	if err != nil {
		return nil, err
	}
	e.globalRefs.add(file)
	program, err := starlark.FileProgram(file, e.predeclared.Has)
	if err != nil {
		return nil, err
	}
	return program.Init(thread, e.predeclared)
}

// Exec runs a line or block typed at a prompt: an expression, whose value it returns as text, or
// statements. Their definitions are available to the next call. None has no text. The value of the
// last expression is named _.
func (e *Env) Exec(ctx context.Context, source string) (text string, err error) {
	p, err := openFolder(e.opts.Folder)
	if err != nil {
		return "", err
	}
	globals := maps.Clone(e.globals) // nothing is kept from an abandoned run
	err = e.runLimited(ctx, p, promptName, func(thread *starlark.Thread) error {
		v, err := e.exec(thread, source, globals)
		if err == nil && v != starlark.None {
			globals["_"] = v
			text = v.String()
		}
		return err
	})
	if errors.Is(err, ErrAbandoned) {
		return "", err
	}
	e.globals = globals
	if err != nil {
		return "", err
	}
	return text, nil
}

func (e *Env) exec(thread *starlark.Thread, source string, globals starlark.StringDict) (starlark.Value, error) {
	if expr, err := fileOptions.ParseExpr(promptName, source, 0); err == nil {
		e.globalRefs.add(expr)
		return starlark.EvalExprOptions(fileOptions, thread, expr, globals)
	}
	file, err := fileOptions.Parse(promptName, source, 0)
	if err != nil {
		return nil, err
	}
	e.globalRefs.add(file)
	return starlark.None, starlark.ExecREPLChunk(file, thread, globals)
}

// IsComplete reports whether source is complete input: more lines are needed after an open bracket,
// and within a block, which ends with a blank line.
func IsComplete(source string) bool {
	lines, starved := strings.SplitAfter(source, "\n"), false
	_, _ = fileOptions.ParseCompoundStmt(promptName, func() ([]byte, error) {
		if len(lines) == 0 || lines[0] == "" {
			starved = true
			return nil, io.ErrUnexpectedEOF
		}
		line := lines[0]
		lines = lines[1:]
		return []byte(line), nil
	})
	return !starved
}

// A Command is a function of a script that is a command of the shell: command_x(args) is .x, and
// receives the rest of the line as a string if it has a parameter.
type Command struct {
	Name string // x
	Pos  string // FILE:LINE:COLUMN of the function
	Doc  string // the docstring
	Args bool   // it takes arguments
}

// Commands returns the commands that scripts have defined, in the order of their names.
func (e *Env) Commands() []Command {
	var all []Command
	for _, name := range e.globals.Keys() {
		fn, ok := e.globals[name].(*starlark.Function)
		if x, found := strings.CutPrefix(name, commandPrefix); ok && found && x != "" {
			all = append(all, Command{Name: x, Pos: fn.Position().String(), Doc: dedent(fn.Doc()), Args: fn.NumParams() > 0})
		}
	}
	return all
}

// Call runs a command and returns its result as text; None has no text. The words of args are
// available to flag(), and the files among them are inputs, besides those in the folder of the
// function's file.
func (e *Env) Call(ctx context.Context, name, args string) (text string, err error) {
	fn, ok := e.globals[commandPrefix+name].(*starlark.Function)
	if !ok {
		return "", fmt.Errorf("no function %s%s", commandPrefix, name)
	}
	folder := e.opts.Folder
	if file := fn.Position().Filename(); file != promptName {
		folder = filepath.Dir(file)
	}
	p, err := openFolder(folder)
	if err != nil {
		return "", err
	}
	e.setArgs(strings.Fields(args))
	err = e.runLimited(ctx, p, commandPrefix+name, func(thread *starlark.Thread) error {
		var given starlark.Tuple
		if fn.NumParams() > 0 || args != "" {
			given = starlark.Tuple{starlark.String(args)}
		}
		v, err := starlark.Call(thread, fn, given, nil)
		if err == nil && v != starlark.None {
			text = display(v)
		}
		return err
	})
	if err != nil {
		return "", err
	}
	return text, nil
}

// Names returns the names that a prompt can complete, sorted, without those that begin with an
// underscore.
func (e *Env) Names() []string {
	names := slices.DeleteFunc(append(e.globals.Keys(), starlark.Universe.Keys()...), func(name string) bool {
		return strings.HasPrefix(name, "_")
	})
	slices.Sort(names)
	return slices.Compact(names)
}

// Attributes returns the names that a prompt can complete after a name and a dot.
func (e *Env) Attributes(name string) []string {
	if v, ok := e.globals[name].(starlark.HasAttrs); ok {
		return slices.Sorted(slices.Values(v.AttrNames()))
	}
	return nil
}
