// Package records reads files of games, selects games and positions, and writes them.
package records

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"qhsh/engine"
	"qhsh/engine/interruptible"
	"qhsh/engine/record"
	"qhsh/pluginclient/task/batch/input"
)

// Stdin is the name of standard input.
const Stdin = "-"

// Files is a list of files of games.
type Files struct {
	Library *record.Library
	Names   []string
	Stdin   io.Reader // read for the name Stdin
	// OnDamaged is called with the error of a damaged game. Each still gets the part that could be
	// read.
	OnDamaged func(err error)
	// Positions, if not nil, is the game of files of positions that have more than their moves, such as the output
	// of 'qhsh puzzles'; it may read several notations. Each position becomes a game, whose moves are the solution.
	// OnPositions is called before the first one.
	Positions   engine.Game
	OnPositions func()
	// Number selects one game of each file, from 1; 0: all. Damage of other games is not reported.
	Number int

	kept map[string][]byte // files that cannot be read again
}

// Keep reads the files that can be read only once into memory, so that Each can be called again.
func (r *Files) Keep(ctx context.Context) error {
	r.kept = map[string][]byte{}
	for _, name := range r.Names {
		if info, err := os.Stat(name); name != Stdin && (err != nil || info.Mode().IsRegular()) {
			continue
		}
		in, err := r.open(ctx, name)
		if err != nil {
			return err
		}
		defer in.Close()
		text, err := io.ReadAll(in)
		if err != nil {
			return err
		}
		r.kept[name] = text
	}
	return nil
}

// Each calls f with the games of all files: the file's name, the number of the game in the file,
// from 1, and the game. It returns the error of f, of ctx, or of a file that cannot be read.
func (r *Files) Each(ctx context.Context, f func(file string, number int, g *record.Game) error) error {
	for _, name := range r.Names {
		if err := r.eachInFile(ctx, name, f); err != nil {
			return err
		}
	}
	return nil
}

// open opens a file of the list, or what Keep has read of it.
func (r *Files) open(ctx context.Context, name string) (io.ReadCloser, error) {
	if text, kept := r.kept[name]; kept {
		return io.NopCloser(bytes.NewReader(text)), nil
	}
	if name == Stdin {
		return io.NopCloser(interruptible.Reader(ctx, r.Stdin)), nil
	}
	return interruptible.Open(ctx, name)
}

func (r *Files) eachInFile(ctx context.Context, name string, f func(file string, number int, g *record.Game) error) error {
	in, err := r.open(ctx, name)
	if err != nil {
		return err
	}
	defer in.Close()
	label := name
	if name == Stdin {
		label = "standard input"
	}
	return r.EachIn(ctx, in, label, func(number int, g *record.Game) error { return f(name, number, g) })
}

// EachIn is [Files.Each] of one file that is open.
func (r *Files) EachIn(ctx context.Context, file io.Reader, label string, f func(number int, g *record.Game) error) error {
	in, err := input.Unpack(file)
	if err != nil {
		return fmt.Errorf("%s: %w", label, err)
	}
	defer in.Close()
	var text io.Reader = in
	if r.Positions != nil {
		head := bufio.NewReaderSize(in, 64<<10)
		if form := input.DetectAnnotated(r.Positions, r.Library, label, head); form != "" {
			r.OnPositions()
			return r.eachPosition(ctx, head, label, form, f)
		}
		text = head
	}
	number := 0
	for g, err := range r.Library.Read(text, label) {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		number++
		chosen := r.Number == 0 || r.Number == number
		var ofGame *record.Error // and not of the file
		if err != nil && (chosen || !errors.As(err, &ofGame) || ofGame.Game == 0) {
			r.OnDamaged(err)
		}
		if g != nil && chosen {
			if err := f(number, g); err != nil {
				return err
			}
		}
		if number == r.Number {
			return nil
		}
	}
	return nil
}
