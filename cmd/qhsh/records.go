package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"sync"

	"qhsh/engine"
	"qhsh/engine/games"
	"qhsh/engine/printable"
	"qhsh/engine/record"
	"qhsh/pluginclient/task/annotate"
	"qhsh/pluginclient/task/batch/input"
	"qhsh/pluginclient/task/output"
	"qhsh/pluginclient/task/records"
)

// gameFiles are the files of games of a command line.
type gameFiles struct {
	records.Files
	command string
	h       host
	infos   []fs.FileInfo // of the files; nil if not known
	choice  string        // the flag that selects their game
	failed  bool
}

// recordFlags are the flags of commands that read games.
type recordFlags struct {
	lenient  bool
	encoding *record.Encoding
}

const lenientName = "lenient"

func (f *recordFlags) define(fs *flag.FlagSet) {
	fs.BoolVar(&f.lenient, lenientName, false, "keep moves of a game that cannot be played as a comment, with a warning")
	fs.Var(parsed(&f.encoding, record.ParseEncoding), "encoding", "the text of the games is in `NAME`, such as gb18030; by default it is detected")
}

// library returns what reads a game's records. It tells the first encoding that is a guess.
func (f recordFlags) library(h host, game engine.Game, command string) *record.Library {
	var once sync.Once
	lib := h.Games.Records(game).WithEncoding(f.encoding).OnGuess(func(file, encoding string) {
		once.Do(func() {
			h.sayf(command, "%s: the text may be in %s, which is a guess: -encoding names another; further guesses are not reported", file, encoding)
		})
	})
	if f.lenient {
		lib = lib.Lenient()
	}
	return lib
}

// findRecords returns the files of a game's records, after making sure that each can be opened.
func (f recordFlags) findRecords(h host, game engine.Game, command string, operands []string) (*gameFiles, error) {
	r := &gameFiles{command: command, h: h, choice: "game"}
	r.Files = records.Files{Library: f.library(h, game, command), Stdin: h.Stdin, OnDamaged: r.reportDamage}
	if len(operands) == 0 {
		if h.StdinTTY {
			return nil, usagef("missing input: name a FILE of games, or pipe it in")
		}
		operands = []string{stdinName}
	}
	names, err := expandAll(h, command, operands, func(name string) bool { return hasRecordExt(r.Library, name) })
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		if err := r.add(name); err != nil {
			return nil, usageError{err}
		}
	}
	return r, nil
}

// hasRecordExt reports whether a file has the extension of a format of games, compressed or not.
func hasRecordExt(lib *record.Library, name string) bool {
	_, ok := lib.FormatByExtension(input.TrimCompressedExt(name))
	return ok
}

// add appends a file, after making sure that it can be opened.
func (r *gameFiles) add(name string) error {
	r.Names = append(r.Names, name)
	if name == stdinName {
		r.infos = append(r.infos, output.Stat(r.h.Stdin))
		return nil
	}
	info, err := os.Stat(name)
	switch {
	case err != nil:
		return withoutCall(err)
	case info.Mode().IsRegular(): // opening a pipe has an effect
		file, err := os.Open(name)
		if err != nil {
			return err
		}
		defer file.Close()
	}
	r.infos = append(r.infos, info)
	return nil
}

// writeOutput opens the output, calls write and closes the output.
func (r *gameFiles) writeOutput(ctx context.Context, o outputFlags, write func(w io.Writer) error) error {
	if err := refuseShared(append(output.Inputs(r.infos...), o.used(r.h))); err != nil {
		return err
	}
	return o.write(ctx, r.h, output.Replace, func(w io.Writer) error {
		buffered := bufio.NewWriter(w)
		err := write(buffered)
		return cmp.Or(buffered.Flush(), err)
	})
}

// each is like Each, but returns errSomeFailed if games are damaged and nothing else is wrong.
func (r *gameFiles) each(ctx context.Context, f func(file string, number int, g *record.Game) error) error {
	said := false
	err := r.Each(ctx, func(file string, number int, g *record.Game) error {
		if remark := engine.Remark(g.Start); remark != "" && !said {
			said = true
			r.h.sayf(r.command, "%s: game %d: %s; %s", file, number, remark, onlyOneRemark)
		}
		return f(file, number, g)
	})
	if err != nil {
		return err
	}
	if r.failed {
		return errSomeFailed
	}
	return nil
}

// repeated returns what of the games are the same as another or cut short, by their index among all. The files must be read
// again after it.
func (r *gameFiles) repeated(ctx context.Context, all games.Table) (map[int]records.Relation, error) {
	if err := r.Keep(ctx); err != nil {
		return nil, err
	}
	quiet := r.Files
	quiet.OnDamaged = func(error) {}
	duplicates := records.Duplicates{Games: all}
	if err := quiet.Each(ctx, func(file string, number int, g *record.Game) error {
		duplicates.Add("", number, g)
		return nil
	}); err != nil {
		return nil, err
	}
	found := map[int]records.Relation{}
	for _, d := range duplicates.Find(false) {
		found[d.Index] = d.Relation
	}
	return found, nil
}

// reportDamage reports an error in a game. Moves that a comment keeps are no failure.
func (r *gameFiles) reportDamage(err error) {
	r.failed = r.failed || !record.IsDropped(err)
	fmt.Fprintf(r.h.Stderr, "qhsh %s: %s%s\n", r.command, printable.Error(err), r.advice(err))
}

// advice returns how to read a game that belongs to another game than the selected one.
func (r *gameFiles) advice(err error) string {
	var other *record.OtherGameError
	if !errors.As(err, &other) || other.Game == "" {
		return ""
	}
	name := other.Game
	if r.choice != "game" {
		name = r.h.Games.EngineName(name)
	}
	return fmt.Sprintf(": use -%s %s", r.choice, name)
}

// label returns the name of a file if there are several files, and "" otherwise.
func (r *gameFiles) label(file string) string {
	if len(r.Names) > 1 {
		return file
	}
	return ""
}

// notationFlag is -notation. Its value is the name of a notation. If it is not given, it also
// stands for the only notation of a game without others.
type notationFlag struct {
	all   games.Table
	name  string
	given bool
}

// define defines -notation, whose default is that of the default game.
func (f *notationFlag) define(fs *flag.FlagSet, all games.Table) {
	*f = notationFlag{all: all, name: all.NotationFor(all.DefaultGame(), "")}
	fs.Var(f.value(), "notation", "write moves in this `NOTATION`: "+printable.OneOf(all.Notations()))
}

func (f *notationFlag) value() value {
	return value{usual: f.name, words: f.all.Notations(), set: func(text string) (err error) {
		f.name, err = f.all.ParseNotation(text)
		f.given = true
		return err
	}}
}

// isOther reports whether the notation is not the default.
func (f *notationFlag) isOther() bool { return f.name != f.all.NotationFor(f.all.DefaultGame(), "") }

// terms returns what a resumed run must share with the original run; empty for the default.
func (f *notationFlag) terms() string {
	if !f.isOther() {
		return ""
	}
	return " notation=" + f.name
}

// of returns the name of the notation for a game, or an error if the game does not have it.
func (f *notationFlag) of(game engine.Game) (string, error) {
	if !f.given {
		return f.name, nil
	}
	name, err := f.all.NotationOf(game, f.name)
	if err != nil {
		return "", usagef("-%w", err)
	}
	return name, nil
}

// style returns how games are written in a language, which has a notation of its own.
func (f *notationFlag) style(h host, game engine.Game, language annotate.Language) (annotate.WriteOptions, error) {
	notation, err := f.of(game)
	return annotate.WriteOptions{
		Language: language, Records: h.Games.Records(game), Notation: cmp.Or(notation, h.Games.NotationFor(game, language.String())),
	}, err
}
