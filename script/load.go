package script

import (
	"bytes"
	"cmp"
	"context"
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"go.starlark.net/starlark"
)

//go:embed library/*.star
var library embed.FS

// libraryPrefix begins the names of the modules that come with qhsh.
const libraryPrefix = "@qhsh//"

// maxSource is the size in bytes of the longest script.
const maxSource = 1 << 20

// A place is the folder of a script, with the modules that were loaded there.
type scriptFolder struct {
	root    *os.Root // nil: there is no folder
	main    string   // the script, as it was named
	path    string   // of the script, as it was named
	modules map[string]starlark.StringDict
	loading []string // the modules that are under way, outermost first
}

// openScript finds a script: a file in its folder, or standard input.
func (e *Env) openScript(ctx context.Context, path string) (*scriptFolder, []byte, error) {
	if path != stdinName {
		return openScriptFile(path)
	}
	if err := e.takeStdin(errStdinScript); err != nil {
		return nil, nil, err
	}
	type text struct {
		source []byte
		err    error
	}
	read := make(chan text, 1)
	go func() { // which the end of ctx does not wait for
		source, err := readText(cmp.Or[io.Reader](e.opts.Stdin, strings.NewReader("")))
		read <- text{source, err}
	}()
	select {
	case t := <-read:
		if t.err != nil {
			return nil, nil, plainPathError("standard input", t.err)
		}
		p, err := openFolder("")
		if err != nil {
			return nil, nil, err
		}
		p.main = typedScript
		return p, t.source, nil
	case <-ctx.Done():
		return nil, nil, context.Cause(ctx)
	}
}

// typedScript stands in errors for the file of a script that was read from standard input.
const typedScript = "<stdin>"

// openScriptFile reads a script and opens its folder.
func openScriptFile(path string) (*scriptFolder, []byte, error) {
	// To open a named pipe could take for ever.
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return nil, nil, plainPathError(path, errNotRegular)
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, nil, plainPathError(path, err)
	}
	defer file.Close()
	source, err := readSource(file)
	if err != nil {
		return nil, nil, plainPathError(path, err)
	}
	p, err := openFolder(filepath.Dir(path))
	if err != nil {
		return nil, nil, err
	}
	p.main, p.loading = path, []string{filepath.Base(path)}
	return p, source, nil
}

// openFolder returns the place of a prompt; an empty name is no folder.
func openFolder(name string) (*scriptFolder, error) {
	p := &scriptFolder{path: name, modules: map[string]starlark.StringDict{}}
	if name == "" {
		return p, nil
	}
	root, err := os.OpenRoot(name)
	if err != nil {
		return nil, plainPathError(name, err)
	}
	p.root = root
	return p, nil
}

func (p *scriptFolder) close() {
	if p.root != nil {
		_ = p.root.Close()
	}
}

// plainPathError returns an error of a file without the name of the system call.
func plainPathError(path string, err error) error {
	var pathErr *fs.PathError
	if errors.As(err, &pathErr) {
		err = pathErr.Err
	}
	return fmt.Errorf("%s: %w", path, err)
}

var (
	errNotRegular = errors.New("it is not a file")
	errLongSource = fmt.Errorf("it is longer than %d bytes", maxSource)
	errNoModules  = errors.New("a script loads files of its own folder and " + libraryPrefix + "NAME.star")
	errOutside    = errors.New("it is outside the script's folder")
	errNoFolder   = errors.New("a program that is not in a file has no folder")
)

func readSource(file fs.File) ([]byte, error) {
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, errNotRegular
	}
	return readText(file)
}

func readText(r io.Reader) ([]byte, error) {
	source, err := io.ReadAll(io.LimitReader(r, maxSource+1))
	if err == nil && len(source) > maxSource {
		err = errLongSource
	}
	return bytes.TrimPrefix(source, []byte("\ufeff")), err // some editors begin a file with it
}

// load returns what a load statement does: it runs a module, once, and answers its globals,
// frozen.
func (p *scriptFolder) load(thread *starlark.Thread, name string) (starlark.StringDict, error) {
	key := name
	if !strings.HasPrefix(name, libraryPrefix) {
		key = filepath.ToSlash(filepath.Clean(name))
	}
	if globals, ok := p.modules[key]; ok {
		return globals, nil
	}
	if slices.Contains(p.loading, key) {
		return nil, fmt.Errorf("the modules load each other: %s", strings.Join(append(p.loading, key), " loads "))
	}
	source, shown, err := p.read(name)
	if err != nil {
		return nil, err
	}
	p.loading = append(p.loading, key)
	env := taskOf(thread).env
	globals, err := env.execute(thread, shown, source)
	p.loading = p.loading[:len(p.loading)-1]
	if err == nil {
		err = env.freeze(globals)
	}
	if err != nil {
		return nil, err
	}
	p.modules[key] = globals
	return globals, nil
}

// read finds a module. It answers the name that errors show, too.
func (p *scriptFolder) read(name string) (source []byte, shown string, err error) {
	if file, ok := strings.CutPrefix(name, libraryPrefix); ok {
		source, err := library.ReadFile("library/" + file)
		if err != nil {
			return nil, "", fmt.Errorf("there is no such module; there are %s", strings.Join(libraryNames(), ", "))
		}
		return source, name, nil
	}
	if !strings.HasSuffix(name, ".star") {
		return nil, "", fmt.Errorf("%w; the names end in .star", errNoModules)
	}
	file, err := p.open(name)
	if err != nil {
		return nil, "", fmt.Errorf("%w: %w", err, errNoModules)
	}
	defer file.Close()
	source, err = readSource(file)
	return source, filepath.Join(p.path, name), err
}

// open opens a file of the folder. There is no way out of it, by .. or a link.
func (p *scriptFolder) open(name string) (*os.File, error) {
	if p.root == nil {
		return nil, errNoFolder
	}
	file, err := p.root.Open(name)
	var pathErr *fs.PathError
	if errors.As(err, &pathErr) {
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) {
			return nil, pathErr.Err
		}
		return nil, fmt.Errorf("%w (%w)", errOutside, pathErr.Err)
	}
	return file, err
}

// libraryNames returns the modules that come with qhsh.
func libraryNames() []string {
	var names []string
	entries, _ := library.ReadDir("library")
	for _, entry := range entries {
		names = append(names, libraryPrefix+entry.Name())
	}
	return names
}
