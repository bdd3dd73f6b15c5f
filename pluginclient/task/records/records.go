// Package records reads games of files one after the other, selects games and positions among
// them, and writes those.
package records

import (
	"context"
	"fmt"
	"io"
	"os"

	"qhsh/engine/record"
	"qhsh/pluginclient/task/batch/input"
)

// Stdin is the name that stands for a standard input.
const Stdin = "-"

// Files are files of games, in order.
type Files struct {
	Library *record.Library
	Names   []string
	Stdin   io.Reader // the file that is called Stdin
	// OnDamaged is called with what is wrong with a game, which is passed to Each as far as it is
	// there.
	OnDamaged func(err error)
}

// Each calls f with the games of all files: the file's name, the number of the game in it from 1,
// and the game. Its error is f's, that of ctx, or of a file that cannot be read.
func (r *Files) Each(ctx context.Context, f func(file string, number int, g *record.Game) error) error {
	for _, name := range r.Names {
		if err := r.eachInFile(ctx, name, f); err != nil {
			return err
		}
	}
	return nil
}

func (r *Files) eachInFile(ctx context.Context, name string, f func(file string, number int, g *record.Game) error) error {
	file, label := r.Stdin, "standard input"
	if name != Stdin {
		opened, err := os.Open(name)
		if err != nil {
			return err
		}
		defer opened.Close()
		file, label = opened, name
	}
	in, err := input.Unpack(file)
	if err != nil {
		return fmt.Errorf("%s: %w", label, err)
	}
	defer in.Close()
	number := 0
	for g, err := range r.Library.Read(contextReader{ctx, in}, label) {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			r.OnDamaged(err)
		}
		number++
		if g == nil {
			continue
		}
		if err := f(name, number, g); err != nil {
			return err
		}
	}
	return nil
}

// contextReader is a reader that ends with its context.
type contextReader struct {
	ctx context.Context
	io.Reader
}

func (r contextReader) Read(p []byte) (int, error) {
	if r.ctx.Err() != nil {
		return 0, context.Cause(r.ctx)
	}
	return r.Reader.Read(p)
}
