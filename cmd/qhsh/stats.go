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
	"slices"
	"strconv"

	"qhsh/engine/games"
	"qhsh/engine/interruptible"
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
	operands: "FILE [FILE...]",
	summary:  "summarise or compare outputs of hints",
	complete: filesThat(areAnswers),
	setup: func(fs *flag.FlagSet, all games.Table) action {
		c := statsAction{}
		c.gameFlags.define(fs, all)
		fs.Var(optionalNumber(&c.max), "max", fmt.Sprintf("list up to `N` differences of two files; 0 lists all; by default %d, with -format jsonl all", listedDifferences))
		fs.Var(parsed(&c.gap, func(text string) (int, error) {
			n, err := strconv.Atoi(text)
			if err != nil || n < 0 {
				return 0, errors.New("want 0 or more")
			}
			return n, nil
		}).by("0"), "gap", "scores that differ by `CP` centipawns or more are differences too; 0 turns this off")
		fs.StringVar(&c.summary, "summary", "", "take the time of the (first) run from `FILE`, which hints -summary has written")
		defineOutput(fs, &c.outputFlags, statsFormats())
		return c.run
	},
}

// statsAction is the command with its flags.
type statsAction struct {
	gameFlags
	outputFlags
	max     *int
	gap     int
	summary string
}

// listedDifferences is the default number of differences of two files in a report.
const listedDifferences = 20

// A reporter is what is reported: a stats.Summary, a stats.Comparison or a *stats.Matrix.
type reporter interface{ WriteText(w io.Writer) error }

// A statsWriter writes a report in a format.
type statsWriter struct {
	report func(w io.Writer, r reporter) error
	each   func(w io.Writer, d stats.Difference) error // writes a difference; nil if the report lists them
}

func statsFormats() format.Table[statsWriter] {
	return format.Table[statsWriter]{
		{Name: "text", Extensions: []string{".txt"}, Write: statsWriter{report: func(w io.Writer, r reporter) error { return r.WriteText(w) }}},
		{Name: "json", Extensions: []string{".json"}, Write: statsWriter{report: format.JSONLine[reporter]}},
		{Name: "jsonl", Extensions: []string{".jsonl", ".ndjson"}, Write: statsWriter{
			report: func(io.Writer, reporter) error { return nil },
			each:   format.JSONLine[stats.Difference],
		}},
	}
}

func (c *statsAction) run(ctx context.Context, h host, files []string) (err error) {
	if len(files) == 0 {
		return usagef("missing file written by 'qhsh hints'")
	}
	if first := slices.Index(files, stdinName); first >= 0 && slices.Contains(files[first+1:], stdinName) {
		return usagef("standard input can be only one of the files")
	}
	format, err := choose(c.outputFlags, statsFormats())
	if err != nil {
		return err
	}
	if format.Write.each != nil && len(files) == 1 {
		return usagef("-format %s: requires two or more files", format.Name)
	}
	if c.max != nil && *c.max < 0 {
		return usagef("-max %d: want 0 or more", *c.max)
	}
	if err := c.refuseFiles(h, files); err != nil {
		return err
	}
	out, err := c.open(ctx, h)
	if err != nil {
		return err
	}
	defer closeInto(&err, out.Close)
	unread := 0
	report, err := c.read(ctx, h, files, c.comparing(format.Write, out), func(err error) {
		if unread++; unread <= maxWarnings {
			fmt.Fprintf(h.Stderr, "qhsh stats: %s\n", printable.Error(err))
		}
	})
	if err == nil {
		err = format.Write.report(out, report)
	}
	if err == nil {
		err = out.Finish()
	}
	if err == nil && unread > 0 {
		err = errSomeFailed
	}
	return err
}

// comparing returns the options of a comparison. If the format lists differences one by one, they
// go to w.
func (c *statsAction) comparing(format statsWriter, w io.Writer) stats.Options {
	o := stats.Options{Gap: c.gap}
	if format.each != nil {
		o.Each = func(d stats.Difference) error { return format.each(w, d) }
	} else {
		o.Max = listedDifferences
	}
	if c.max != nil {
		o.Max = *c.max
	}
	return o
}

// maxWarnings is how many invalid lines are reported.
const maxWarnings = 5

func (c *statsAction) read(ctx context.Context, h host, files []string, o stats.Options, warn func(error)) (reporter, error) {
	answers := make([]iter.Seq2[batch.Answer, error], len(files))
	runs := make([]*stats.RunSummary, len(files))
	for i, file := range files {
		answers[i] = stats.ReadAnswers(ctx, file, h.Stdin)
		var err error
		if runs[i], err = c.runOf(ctx, i, file); err != nil {
			return nil, err
		}
	}
	if len(files) == 1 {
		s, err := stats.Summarize(files[0], answers[0], warn)
		s.Run = runs[0]
		return s, err
	}
	game, err := c.game()
	if err != nil {
		return nil, err
	}
	o.Game = h.Games.AnyNotation(game)
	m, err := stats.Compare(files, answers, o, warn)
	if err != nil {
		return nil, err
	}
	for i := range m.Files {
		m.Files[i].Run = runs[i]
	}
	if len(files) == 2 {
		return m.Comparison(), nil
	}
	return m, nil
}

// refuseFiles makes sure that the files exist, that the output is not one of them, and that
// reading a database changes no other file.
func (c *statsAction) refuseFiles(h host, files []string) error {
	all := []output.FileUse{c.used(h)}
	for i, file := range files {
		if file == stdinName {
			all = append(all, output.Inputs(output.Stat(h.Stdin))...)
		} else if err := checkFile(file); err != nil {
			return usageError{err}
		}
		all = append(all, output.InputsAt(file, c.summaryPath(i, file))...)
	}
	for _, file := range files {
		if !store.IsDatabase(file) {
			continue
		}
		if err := output.CheckSiblings(output.FileUse{Name: file, Read: true}, store.Siblings(file, false), all...); err != nil {
			return usageError{err}
		}
	}
	return refuseShared(all...)
}

func checkFile(file string) error {
	info, err := os.Stat(file)
	if err == nil && info.IsDir() {
		return fmt.Errorf("%s is a folder: name the files in it", file)
	}
	return withoutCall(err)
}

// summarySuffix is appended to the name of an output for the name of its summary.
const summarySuffix = ".summary.json"

// summaryPath returns the path where the summary of a run may be.
func (c *statsAction) summaryPath(i int, file string) string {
	if i == 0 && c.summary != "" {
		return c.summary
	}
	return input.TrimCompressedExt(file) + summarySuffix
}

// runOf returns the summary of a run: from the named file, the file beside the output, or the log; nil if
// there is none.
func (c *statsAction) runOf(ctx context.Context, i int, file string) (*stats.RunSummary, error) {
	path, named := c.summaryPath(i, file), i == 0 && c.summary != ""
	text, err := interruptible.ReadFile(ctx, path)
	switch {
	case err == nil:
	case named || !errors.Is(err, fs.ErrNotExist):
		return nil, usagef("-summary: %w", err)
	case file == stdinName:
		return nil, nil
	default:
		finished, log, err := hints.FinishedAt(file)
		if finished == nil || err != nil {
			return nil, err
		}
		path, text = log, finished.Summary
	}
	var run stats.RunSummary
	if err := json.Unmarshal(text, &run); err != nil {
		return nil, fmt.Errorf("%s: %w", path, printable.JSONError(err))
	}
	return &run, nil
}
