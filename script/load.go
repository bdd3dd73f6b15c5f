package script

import (
	"bytes"
	"context"
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"go.starlark.net/starlark"

	"qhsh/engine/interruptible"
)

//go:embed library/*.star
var library embed.FS

// libraryPrefix begins the names of the modules that are part of qhsh.
const libraryPrefix = "@qhsh//"

// maxSource is the maximum size of a script in bytes.
const maxSource = 1 << 20

// A scriptFolder is the folder of a script and the modules loaded from it.
type scriptFolder struct {
	root    *os.Root // nil: no folder
	main    string   // the script's path as given
	path    string   // the folder's path
	modules map[string]starlark.StringDict
	loading []string // modules being loaded, outermost first
}

// openScript opens a script: a file in its folder, or standard input.
func (e *Env) openScript(ctx context.Context, path string) (*scriptFolder, []byte, error) {
	if path != stdinName {
		return openScriptFile(path)
	}
	if err := e.takeStdin(errors.New("standard input is the script itself")); err != nil {
		return nil, nil, err
	}
	var source []byte
	read := make(chan error, 1)
	go func() { // not awaited when ctx ends
		text, err := readText(e.opts.Stdin)
		source = text
		read <- err
	}()
	select {
	case err := <-read:
		if err != nil {
			return nil, nil, plainPathError("standard input", err)
		}
		return &scriptFolder{main: typedScript, modules: map[string]starlark.StringDict{}}, source, nil
	case <-ctx.Done():
		return nil, nil, context.Cause(ctx)
	}
}

// typedScript is the file name in errors of a script read from standard input.
const typedScript = "<stdin>"

// openScriptFile reads a script and opens its folder.
func openScriptFile(path string) (*scriptFolder, []byte, error) {
	file, err := interruptible.OpenRegular(path)
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

// openFolder returns the folder of a prompt; an empty name is no folder.
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

// plainPathError returns a file error without the name of the system call.
func plainPathError(path string, err error) error {
	return fmt.Errorf("%s: %w", path, plainError(err))
}

// plainError returns a file error without the name of the system call and the path.
func plainError(err error) error {
	var pathErr *fs.PathError
	if errors.As(err, &pathErr) {
		return pathErr.Err
	}
	return err
}

var (
	errNotRegular = errors.New("not a regular file")
	errNoModules  = errors.New("scripts can only load files in their own folder and " + libraryPrefix + "NAME.star")
	errOutside    = errors.New("outside the script's folder")
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
		err = fmt.Errorf("longer than %d bytes", maxSource)
	}
	return bytes.TrimPrefix(source, []byte("\ufeff")), err // written by some editors
}

// load implements the load statement: it runs a module once and returns its frozen globals.
func (p *scriptFolder) load(thread *starlark.Thread, name string) (starlark.StringDict, error) {
	key := name
	if !strings.HasPrefix(name, libraryPrefix) {
		key = filepath.ToSlash(filepath.Clean(name))
	}
	if globals, ok := p.modules[key]; ok {
		return globals, nil
	}
	if slices.Contains(p.loading, key) {
		return nil, fmt.Errorf("import cycle: %s", strings.Join(append(p.loading, key), " loads "))
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
		err = env.freeze(slices.Collect(maps.Values(globals))...)
	}
	if err != nil {
		return nil, err
	}
	p.modules[key] = globals
	return globals, nil
}

// read reads a module. It also returns its name for errors.
func (p *scriptFolder) read(name string) (source []byte, shown string, err error) {
	if file, ok := strings.CutPrefix(name, libraryPrefix); ok {
		source, err := library.ReadFile("library/" + file)
		if err != nil {
			return nil, "", fmt.Errorf("no such module: want %s", strings.Join(libraryNames(), ", "))
		}
		return source, name, nil
	}
	if !strings.HasSuffix(name, ".star") {
		return nil, "", fmt.Errorf("%w with names ending in .star", errNoModules)
	}
	file, err := p.open(name)
	if err != nil {
		return nil, "", fmt.Errorf("%w: %w", err, errNoModules)
	}
	defer file.Close()
	source, err = readSource(file)
	return source, filepath.Join(p.path, name), err
}

// open opens a regular file or a folder in the folder, and nothing outside of it by .. or a link.
// The name of the result leads to the same file.
func (p *scriptFolder) open(name string) (*os.File, error) {
	if p.root == nil {
		return nil, errors.New("a script without a file has no folder")
	}
	if !filepath.IsLocal(name) {
		return nil, errOutside
	}
	name = filepath.Clean(name) // x/.. is not where a link x leads
	info, err := p.root.Stat(name)
	if err == nil && !info.Mode().IsRegular() && !info.IsDir() { // opening it might block
		return nil, errNotRegular
	}
	var file *os.File
	if err == nil {
		file, err = p.root.Open(name)
	}
	var pathErr *fs.PathError
	if errors.As(err, &pathErr) {
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) {
			return nil, pathErr.Err
		}
		return nil, fmt.Errorf("%w (%w)", errOutside, pathErr.Err)
	}
	return file, err
}

func libraryNames() []string {
	var names []string
	entries, _ := library.ReadDir("library")
	for _, entry := range entries {
		names = append(names, libraryPrefix+entry.Name())
	}
	return names
}
