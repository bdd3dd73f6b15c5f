package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"

	"qhsh/engine"
	"qhsh/engine/games"
	"qhsh/engine/printable"
	"qhsh/pluginclient/format"
	"qhsh/pluginclient/task/batch"
	"qhsh/pluginclient/task/batch/input"
	"qhsh/pluginclient/task/batch/stats"
	"qhsh/pluginclient/task/batch/store"
	"qhsh/pluginclient/task/hints"
	"qhsh/pluginclient/task/output"
)

var statsCommand = command{
	name:     "stats",
	operands: "FILE [FILE2]",
	summary:  "sum up what hints has written, or tell two files apart",
	help: `Reads what 'qhsh hints' has written, as JSON lines, CSV, EPD or an SQLite database,
plain or compressed; - is standard input. It tells how many positions were answered,
failed or were over, how many of those with a bm or am were solved, and how depths,
nodes and scores are spread. Scores are for the side to move.

Parts of the same form that belong together are summed up by 'cat PART... | qhsh stats -'.

Of two files it also tells how often they have the same best move, how far their scores
lie apart, who has solved what, and it lists the positions in which they differ: in the
best move, in how a finished game has ended, in that one has an error, and, with -gap, in
the score. Answers belong together if their positions are equal.

How long the run took is told by FILE.run, which a finished run leaves beside its output;
or by what hints -summary has written, if that is named here too, or is called as the
output with .summary.json behind it.

The exit status is 1 if some line is no answer. Differences do not change it.

Examples:
  qhsh stats hints.jsonl
  qhsh stats -gap 100 -max 50 level5.jsonl level7.db
`,
	setup: func(fs *flag.FlagSet, all games.Table) action {
		c := statsAction{max: 20}
		c.gameFlags.define(fs, all)
		fs.Var(limitValue{&c.max}, "max", "list up to `N` differences; 0 lists all")
		fs.Var(limitValue{&c.gap}, "gap", "scores that are `CP` centipawns or more apart are a difference too; 0: they are none")
		fs.StringVar(&c.summary, "summary", "", "take the time of the (first) run from `FILE`, which hints -summary has written")
		defineOutput(fs, &c.outputFlags, statsFormats())
		return c.run
	},
}

// statsAction is the command with its flags.
type statsAction struct {
	gameFlags
	outputFlags
	max, gap int
	summary  string
}

// reporter is what a format writes: a stats.Summary or a stats.Comparison.
type reporter interface{ WriteText(w io.Writer) error }

func statsFormats() format.Table[func(w io.Writer, r reporter) error] {
	return format.Table[func(w io.Writer, r reporter) error]{
		{Name: "text", Extensions: []string{".txt"}, Write: func(w io.Writer, r reporter) error { return r.WriteText(w) }},
		{Name: "json", Extensions: []string{".json"}, Write: func(w io.Writer, r reporter) error {
			enc := json.NewEncoder(w)
			enc.SetEscapeHTML(false)
			return enc.Encode(r)
		}},
	}
}

func (c *statsAction) run(ctx context.Context, h host, files []string) (err error) {
	if len(files) < 1 || len(files) > 2 {
		return usagef("it reads one file or two, not %d; parts that belong together are summed up by 'cat PART... | qhsh stats -'", len(files))
	}
	if len(files) == 2 && files[0] == stdinName && files[1] == stdinName {
		return usagef("standard input can be only one of the files")
	}
	format, err := choose(c.outputFlags, statsFormats())
	if err != nil {
		return err
	}
	unread := 0
	if err := c.refuseFiles(h, files); err != nil {
		return err
	}
	report, err := c.read(h, files, func(err error) {
		if unread++; unread <= maxWarnings {
			fmt.Fprintf(h.Stderr, "qhsh stats: %s\n", printable.Error(err))
		}
	})
	if err != nil {
		return err
	}
	out, err := c.open(ctx, h)
	if err != nil {
		return err
	}
	defer closeInto(&err, out.Close)
	if err := format.Write(out, report); err != nil {
		return err
	}
	if unread > 0 {
		return errSomeFailed
	}
	return nil
}

// maxWarnings is how many lines that are no answers are told of.
const maxWarnings = 5

func (c *statsAction) read(h host, files []string, warn func(error)) (reporter, error) {
	var answers [2]iter.Seq2[batch.Answer, error]
	var runs [2]*stats.RunSummary
	for i, file := range files {
		answers[i] = stats.Answers(file, h.Stdin)
		var err error
		if runs[i], err = c.runOf(i, file); err != nil {
			return nil, err
		}
	}
	if len(files) == 1 {
		s, err := stats.Sum(files[0], answers[0], warn)
		s.Run = runs[0]
		return s, err
	}
	game, err := c.game()
	if err != nil {
		return nil, err
	}
	o := stats.Options{Game: game, Max: c.max, Gap: c.gap}
	both, err := stats.Compare([2]string(files), answers, o, warn)
	both.First.Run, both.Second.Run = runs[0], runs[1]
	return both, err
}

// refuseFiles makes sure that the files are there, that the output is none that is read, and that
// reading a database costs nobody a file.
func (c *statsAction) refuseFiles(h host, files []string) error {
	all := []output.Use{c.used(h)}
	for i, file := range files {
		if file == stdinName {
			all = append(all, output.Inputs(output.Stat(h.Stdin))...)
		} else if err := isThere(file); err != nil {
			return usageError{err}
		}
		all = append(all, output.InputsAt(file, c.summaryPath(i, file))...)
	}
	for _, file := range files {
		if !store.IsDatabase(file) {
			continue
		}
		if err := output.CheckSiblings(output.Use{Name: file, Read: true}, store.Siblings(file, false), all...); err != nil {
			return usageError{err}
		}
	}
	return refuseShared(all...)
}

func isThere(file string) error {
	info, err := os.Stat(file)
	var path *fs.PathError
	if errors.As(err, &path) {
		return fmt.Errorf("%s: %w", path.Path, path.Err)
	}
	if err == nil && info.IsDir() {
		return fmt.Errorf("%s is a folder: name the files in it", file)
	}
	return err
}

// summarySuffix is behind the name of an output in the name of its summary.
const summarySuffix = ".summary.json"

// runOf is what a run has told of itself; nil if it has not.
func (c *statsAction) runOf(i int, file string) (*stats.RunSummary, error) {
	path, text, err := c.summaryOf(i, file)
	if text == nil || err != nil {
		return nil, err
	}
	var run stats.RunSummary
	if err := json.Unmarshal(text, &run); err != nil {
		return nil, fmt.Errorf("%s: %w", path, engine.ExplainJSON(err))
	}
	return &run, nil
}

// summaryPath is where the summary of a run may be.
func (c *statsAction) summaryPath(i int, file string) string {
	if i == 0 && c.summary != "" {
		return c.summary
	}
	return input.BareName(file) + summarySuffix
}

// summaryOf is the summary of a run, from the file that is named, or found beside the output,
// or from the log.
func (c *statsAction) summaryOf(i int, file string) (path string, text []byte, err error) {
	path, named := c.summaryPath(i, file), i == 0 && c.summary != ""
	text, err = os.ReadFile(path)
	switch {
	case err == nil:
		return path, text, nil
	case named || !errors.Is(err, fs.ErrNotExist):
		return path, nil, usagef("-summary: %w", err)
	case file == stdinName:
		return path, nil, nil
	}
	f, log, err := hints.FinishedAt(file)
	if f == nil || err != nil {
		return path, nil, err
	}
	return log, f.Summary, nil
}
