package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"qhsh/engine"
	"qhsh/engine/games"
	"qhsh/engine/printable"
	"qhsh/engine/record"
	"qhsh/pluginclient/task/batch"
	"qhsh/pluginclient/task/batch/input"
	"qhsh/pluginclient/task/hints"
	"qhsh/pluginclient/task/output"
)

// stdinName is the operand that means standard input.
const stdinName = hints.Stdin

// inputFlags are -input and -column, and the game whose positions are read.
type inputFlags struct {
	inputFormat, column string
	game                engine.Game // reads positions from text
	records             *record.Library
	games               bool             // files of games are read as their positions
	onRead              func(batch.Item) // see [input.Options]; may be nil
	onDropped           func(error)      // likewise
}

func (f *inputFlags) define(fs *flag.FlagSet) {
	fs.Var(choice(&f.inputFormat, input.FormatList()), "input", "read inputs in this `FORMAT`: "+printable.OneOf(input.FormatList())+"; by default it is detected")
	fs.StringVar(&f.column, "column", input.DefaultColumn, "read the positions of a CSV from the column `NAME`")
}

// terms returns the settings that a resumed run must share with the original run.
func (f *inputFlags) terms() string { return "form=" + f.inputFormat + " column=" + f.column }

// inputs are the position files of a command line, in order. The caller must close them.
type inputs struct {
	inputFlags
	files []hints.Input
	stdin io.Reader

	opened int // files that are left open
}

// findInputs returns the inputs, after making sure that each can be opened. Without operands the
// input is standard input.
func (f *inputFlags) findInputs(ctx context.Context, h host, command string, operands []string) (*inputs, error) {
	if f.inputFormat != "" && !slices.Contains(input.FormatList(), f.inputFormat) {
		return nil, usagef("-input %s: want %s", f.inputFormat, printable.OneOf(input.FormatList()))
	}
	if len(operands) == 0 {
		if h.StdinTTY && f.games {
			return nil, usagef("missing input: name a FILE of games or positions, or pipe it in")
		}
		if h.StdinTTY {
			return nil, usagef("missing input: name a FILE of positions, pipe them in, or type them after 'qhsh hints -'")
		}
		operands = []string{stdinName}
	}
	in := &inputs{inputFlags: *f, stdin: h.Stdin}
	names, err := expandAll(h, command, operands, func(name string) bool {
		return input.HasKnownExt(name) || in.games && hasRecordExt(in.records, name)
	})
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		if clean := filepath.Clean(name); clean != stdinName { // outputs and journals always contain the same spelling
			name = clean
		}
		in.files = append(in.files, hints.Input{Name: name})
	}
	noTable := f.column != input.DefaultColumn // as far as the formats are known
	for i := range in.files {
		form, err := in.check(ctx, &in.files[i])
		if err != nil {
			in.close()
			if errors.Is(err, fs.ErrNotExist) && batch.Parse(in.game, strings.Join(operands, " ")).Err == nil {
				return nil, usagef("operands are files, not positions: use 'echo POSITION | qhsh hints'")
			}
			return nil, usageError{withoutCall(err)}
		}
		noTable = noTable && form != "" && form != input.CSV
	}
	if noTable {
		in.close()
		return nil, usagef("-column %s: no input is a table with that column", f.column)
	}
	return in, nil
}

// expand returns the files that an operand matches. A dash is standard input, even if a folder has
// that name.
func expand(operand string, known func(name string) bool) ([]string, error) {
	if operand == stdinName {
		return []string{operand}, nil
	}
	names, err := input.Expand(operand, known)
	if err != nil {
		return nil, usageError{err}
	}
	return names, nil
}

// expandAll returns the files that operands match, and says how many files in folders are passed over
// because known, given their names, is false.
func expandAll(h host, command string, operands []string, known func(name string) bool) (names []string, err error) {
	var passed []string // their extensions
	for _, operand := range operands {
		found, err := expand(operand, func(name string) bool {
			ok := known(name)
			if !ok {
				passed = append(passed, filepath.Ext(name))
			}
			return ok
		})
		if err != nil {
			return nil, err
		}
		names = append(names, found...)
	}
	if len(passed) == 0 {
		return names, nil
	}
	const most = 10
	exts := slices.Compact(slices.Sorted(slices.Values(passed)))
	list := strings.TrimSpace(strings.Join(exts[:min(most, len(exts))], " ")) // the first may be empty
	if list != "" {
		list = " (" + list + ")"
	}
	h.sayf(command, "%s with other extensions%s passed over: name the files themselves", printable.Plural(len(passed), "file"), list)
	return names, nil
}

// withoutCall returns the error of a file without the name of the system call.
func withoutCall(err error) error {
	if path := (*fs.PathError)(nil); errors.As(err, &path) {
		return fmt.Errorf("%s: %w", path.Path, path.Err)
	}
	return err
}

// onlyOneRemark follows the first remark on a position of a run.
const onlyOneRemark = "further remarks are not shown"

// sayRemark returns a function that calls say with the first remark on a position.
func sayRemark(say func(string)) func(batch.Item) {
	said := false
	return func(item batch.Item) {
		if said || item.Pos == nil {
			return
		}
		if remark := cmp.Or(engine.Remark(item.Pos), overRemark(item.Pos)); remark != "" {
			said = true
			say(batch.Location(item) + ": " + remark + "; " + onlyOneRemark)
		}
	}
}

// overRemark says that a game is over by its moves, as by repetition: engines still answer there. What the position alone
// tells, such as a lack of attackers, needs no remark.
func overRemark(pos engine.Position) string {
	result := engine.Adjudicate(pos)
	if !result.Over() {
		return ""
	}
	if alone, err := engine.WithoutHistory(pos); err != nil || engine.Adjudicate(alone).Over() {
		return ""
	}
	return "by the rules the game is over: " + result.Verdict(pos.Turn())
}

// remark says what is odd about a position among the operands of a command.
func (h host) remark(command string, pos engine.Position) {
	if remark := engine.Remark(pos); remark != "" {
		h.sayf(command, "%s", remark)
	}
}

// areFiles reports whether operands are files or standard input, and not a position.
func areFiles(operands []string) bool {
	if len(operands) == 0 || operands[0] == stdinName {
		return true
	}
	_, err := os.Stat(operands[0])
	return err == nil && operands[0] != "startpos"
}

// findPosition parses operands as one position. Without operands it returns the start of a game.
func findPosition(all games.Table, game engine.Game, operands []string) (engine.Position, error) {
	if len(operands) == 0 {
		return game.Start(), nil
	}
	item := batch.Parse(all.AnyNotation(game), strings.Join(operands, " "))
	if item.Err == nil {
		return item.Pos, nil
	}
	return nil, positionError(operands, item.Err)
}

// positionError returns the error for operands that are not a position: most often they are a file.
func positionError(operands []string, err error) error {
	if _, statErr := os.Stat(operands[0]); statErr == nil {
		return usagef("%s is a file: want a position, such as startpos; 'qhsh fens' writes the positions of games, 'qhsh convert -format moves' their moves", operands[0])
	}
	return usageError{err}
}

// check makes sure that a file can be opened, and leaves it open if not too many are. The format is ""
// if it is not known in advance.
func (in *inputs) check(ctx context.Context, file *hints.Input) (form string, err error) {
	const most = 8 // engines need descriptors, too
	if file.Name == stdinName {
		file.Info = output.Stat(in.stdin)
		return in.inputFormat, nil
	}
	if file.Info, err = os.Stat(file.Name); err != nil {
		return "", err
	}
	if !file.Info.Mode().IsRegular() {
		return in.inputFormat, nil // opening a pipe has an effect
	}
	if in.opened < most {
		if file.File, err = os.Open(file.Name); err != nil {
			return "", err
		}
		in.opened++
	}
	src, err := in.open(ctx, *file, "")
	if err != nil {
		return "", err
	}
	return src.Format, src.Close()
}

func (in *inputs) close() {
	for _, file := range in.files {
		if file.File != nil {
			_ = file.File.Close() // it was only read
		}
	}
}

// count returns the number of positions, or 0 if it is not known in advance or ctx is done.
func (in *inputs) count(ctx context.Context) int {
	total, quiet := 0, *in
	quiet.onDropped = nil
	for _, file := range in.files {
		if file.Name == stdinName || !output.IsRegular(file.Info) {
			return 0
		}
		src, err := quiet.open(ctx, file, "")
		if err != nil {
			return 0
		}
		n, err := src.Count()
		_ = src.Close() // it was only read
		if err != nil {
			return 0
		}
		total += n
	}
	return total
}

// uses returns the files for checks of conflicts.
func (in *inputs) uses() (uses []output.FileUse) {
	for _, file := range in.files {
		uses = append(uses, output.Inputs(file.Info)...)
	}
	return uses
}

// source reads the inputs one after the other. If there are several, every position has the name
// of its file.
func (in *inputs) source(ctx context.Context) batch.Source {
	var open []func() (batch.Source, error)
	for _, file := range in.files {
		label := ""
		if len(in.files) > 1 {
			label = file.Name
		}
		open = append(open, func() (batch.Source, error) { return in.open(ctx, file, label) })
	}
	return batch.Concat(open...)
}

func (in *inputs) open(ctx context.Context, file hints.Input, label string) (src *input.Source, err error) {
	o := input.Options{Name: file.Name, Label: label, Format: in.inputFormat, Column: in.column, Records: in.records, Games: in.games, OnRead: in.onRead, OnDropped: in.onDropped}
	if file.Name == stdinName {
		o.Name = "standard input"
		src, err = input.Open(in.game, in.stdin, o)
	} else {
		var reader io.ReadCloser
		if reader, err = file.Open(ctx); err == nil {
			src, err = input.OpenAndClose(in.game, reader, o)
		}
	}
	// The error of a file of games names the commands that read it.
	if games := (*input.GamesError)(nil); errors.As(err, &games) {
		err = fmt.Errorf("%w: 'qhsh fens' writes their positions, 'qhsh annotate' asks about their moves", err)
	}
	return src, err
}
