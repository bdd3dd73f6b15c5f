package library

import (
	"io"
	"os"

	"github.com/ebitengine/purego"
	"golang.org/x/sys/windows"
)

func open(path string) (uintptr, error) {
	handle, err := windows.LoadLibrary(path)
	return uintptr(handle), err
}

func register(function any, symbol uintptr) { purego.RegisterFunc(function, symbol) }

func symbol(handle uintptr, name string) (uintptr, error) {
	return windows.GetProcAddress(windows.Handle(handle), name)
}

// separate has an engine's stdout be stderr, and gives it nothing to read. What a library writes
// with goes by these handles when it is loaded.
func separate() (in io.Reader, out io.Writer, err error) {
	in, out = os.Stdin, os.Stdout
	null, err := os.Open(os.DevNull)
	if err != nil {
		return nil, nil, err
	}
	if err := windows.SetStdHandle(windows.STD_INPUT_HANDLE, windows.Handle(null.Fd())); err != nil {
		return nil, nil, err
	}
	return in, out, windows.SetStdHandle(windows.STD_OUTPUT_HANDLE, windows.Handle(os.Stderr.Fd()))
}
