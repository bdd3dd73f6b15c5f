package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"iter"
	"os"
	"slices"
	"strconv"
	"strings"

	"qhsh/engine/games"
	"qhsh/engine/interruptible"
	"qhsh/engine/printable"
	"qhsh/engine/record"
	"qhsh/pluginclient/format"
	"qhsh/pluginclient/task/batch"
	"qhsh/pluginclient/task/batch/stats"
	"qhsh/pluginclient/task/batch/store"
	"qhsh/pluginclient/task/hints"
	"qhsh/pluginclient/task/output"
)

var statsCommand = command{
	name:     "stats",
	operands: "FILE [FILE...]",
	summary:  "summarise or compare outputs of hints, or fit scores of games to their results",
	complete: filesThat(areAnswers),
	setup:    defined[statsAction],
}

type statsAction struct {
	gameFlags
	outputFlags
	max     *int
	gap     int
	fit     bool
	summary string
	against string
	require requireFlag
}

func (c *statsAction) define(fs *flag.FlagSet, all games.Table) {
	c.gameFlags.define(fs, all)
	fs.Var(optionalNumber(&c.max), "max", fmt.Sprintf("list up to `N` differences of two files; 0 lists all; by default %d, with -format jsonl all", listedDifferences))
	fs.Var(parsed(&c.gap, func(text string) (int, error) {
		n, err := strconv.Atoi(text)
		if err != nil || n < 0 {
			return 0, errors.New("want 0 or more")
		}
		return n, nil
	}).by("0"), "gap", "scores that differ by `CP` centipawns or more are differences too; 0 turns this off")
	fs.BoolVar(&c.fit, "fit", false, "read games with scores: find the scale of each engine's scores, for annotate -scale")
	fs.StringVar(&c.summary, "summary", "", "take the time of the (first) run from `FILE`, which hints -summary has written")
	fs.StringVar(&c.against, "against", "", "list the positions of a suite that were lost since an earlier `FILE`, and gained; exit with status 1 if some were lost")
	c.require.define(fs, solvedNumber, pointsNumber)
	defineOutput(fs, &c.outputFlags, statsFormats())
}

// listedDifferences is the default number of differences of two files in a report.
const listedDifferences = 20

// A reporter is what is reported: a stats.Summary, a stats.Comparison, a *stats.Matrix or a *stats.Fit.
type reporter interface{ Report(b *strings.Builder) }

// svgFormat is the format of a drawing, which only a *stats.Fit has.
const svgFormat = "svg"

type statsWriter struct {
	report func(w io.Writer, r reporter) error
	each   func(w io.Writer, d stats.Difference) error // writes a difference; nil if the report lists them
	cases  bool                                        // the report is of one file, case by case
}

func statsFormats() format.Table[statsWriter] {
	return format.Table[statsWriter]{
		{Name: "text", Extensions: []string{".txt"}, Write: statsWriter{report: writeReport}},
		{Name: "json", Extensions: []string{".json"}, Write: statsWriter{report: format.JSONLine[reporter]}},
		{Name: "jsonl", Extensions: []string{".jsonl", ".ndjson"}, Write: statsWriter{
			report: writeChanges,
			each:   format.JSONLine[stats.Difference],
		}},
		{Name: "junit", Extensions: []string{".xml"}, Write: statsWriter{
			report: func(w io.Writer, r reporter) error { return r.(stats.Summary).WriteJUnit(w) },
			cases:  true,
		}},
		{Name: svgFormat, Extensions: []string{".svg"}},
	}
}

func (c *statsAction) run(ctx context.Context, h host, files []string) (err error) {
	if len(files) == 0 {
		return usagef("missing file: name one that 'qhsh hints' has written, or with -fit one of games")
	}
	reads := files
	if c.against != "" {
		reads = append(slices.Clone(files), c.against)
	}
	if first := slices.Index(reads, stdinName); first >= 0 && slices.Contains(reads[first+1:], stdinName) {
		return usagef("standard input can be only one of the files")
	}
	format, err := choose(c.outputFlags, statsFormats())
	if err != nil {
		return err
	}
	switch {
	case c.fit:
		return c.fitGames(ctx, h, format, files)
	case format.Name == svgFormat:
		return usagef("-format svg: requires -fit")
	case format.Write.each != nil && len(files) == 1 && c.against == "":
		return usagef("-format %s: requires two or more files, or -against", format.Name)
	case len(files) > 1 && (format.Write.cases || c.against != "" || c.require != nil):
		return usagef("-format junit, -against and -require are for one file, not %d", len(files))
	}
	if c.max != nil && *c.max < 0 {
		return usagef("-max %d: want 0 or more", *c.max)
	}
	if err := c.refuseFiles(h, reads); err != nil {
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
	if s, ok := report.(stats.Summary); ok && err == nil {
		err = c.outcomeOf(s)
	}
	if err == nil && unread > 0 {
		err = errSomeFailed
	}
	return err
}

// outcomeOf returns an error if a suite has lost positions or does not have what is required.
func (c *statsAction) outcomeOf(s stats.Summary) error {
	var wrong []string
	if old := s.Against; old != nil && old.Lost > 0 {
		wrong = append(wrong, fmt.Sprintf("%s lost since %s", printable.Plural(old.Lost, "position"), c.against))
	}
	if old := s.Against; old != nil && old.Missing > 0 {
		wrong = append(wrong, fmt.Sprintf("%s of %s missing", printable.Plural(old.Missing, "position"), c.against))
	}
	wrong = slices.Concat(wrong, c.require.check(solvedNumber, s.Solved, s.Scored), c.require.check(pointsNumber, s.Points, s.MaxPoints))
	if wrong == nil {
		return nil
	}
	return errors.New(strings.Join(wrong, "; "))
}

// writeChanges writes the changes since -against as lines; the differences of several files have been
// written as they were found.
func writeChanges(w io.Writer, r reporter) error {
	if s, ok := r.(stats.Summary); ok {
		for _, change := range s.Against.Changes {
			if err := format.JSONLine(w, change); err != nil {
				return err
			}
		}
	}
	return nil
}

func writeReport(w io.Writer, r reporter) error {
	var b strings.Builder
	r.Report(&b)
	_, err := io.WriteString(w, b.String())
	return err
}

// fitGames relates the scores in games to their results.
func (c *statsAction) fitGames(ctx context.Context, h host, format format.Format[statsWriter], files []string) error {
	switch {
	case format.Write.each != nil || format.Write.cases:
		return usagef("-format %s: -fit has text, json and svg", format.Name)
	case c.max != nil || c.gap > 0 || c.summary != "" || c.against != "" || c.require != nil:
		return usagef("-fit has no -max, -gap, -summary, -against or -require")
	}
	game, err := c.game()
	if err != nil {
		return err
	}
	in, err := recordFlags{}.findRecords(h, game, "stats", files)
	if err != nil {
		return err
	}
	fit := &stats.Fit{Files: in.Names}
	read, unended, scored := 0, 0, 0
	return in.writeOutput(ctx, c.outputFlags, func(w io.Writer) error {
		failed := in.each(ctx, func(file string, number int, g *record.Game) error {
			if read++; !g.ResultCounts() {
				unended++
				return nil
			}
			key := [3]string{file, g.Tags.Get(record.FileTag), cmp.Or(g.Tags.Get(record.GameTag), strconv.Itoa(number))}
			for s := range in.Library.Scored(g) {
				if s.Score.Known() {
					scored++
					fit.Add(s.By, key, s.Score, s.Position.Turn(), g.Result)
				}
			}
			return nil
		})
		switch {
		case !isComplete(failed), failed != nil && read == 0:
			return failed
		case scored == 0:
			return fmt.Errorf("no scores in games with a result: name a file of 'qhsh match -o', or a PGN with scores in its comments")
		case unended > 0:
			h.sayf("stats", "left out %s without a result, or lost by a fault", printable.Plural(unended, "game"))
		}
		fit.Finish()
		if format.Name == svgFormat {
			return errors.Join(failed, fit.WriteSVG(w))
		}
		return errors.Join(failed, format.Write.report(w, fit))
	})
}

// comparing returns the options of a comparison. If the format lists differences one by one, they
// go to w.
func (c *statsAction) comparing(format statsWriter, w io.Writer) stats.Options {
	o := stats.Options{Gap: c.gap, Cases: format.cases}
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
	game, err := c.game()
	if err != nil {
		return nil, err
	}
	o.Game = h.Games.AnyNotation(game)
	if c.against != "" {
		if o.Baseline, err = stats.NewBaseline(o.Game, c.against, stats.ReadAnswers(ctx, c.against, h.Stdin), warn); err != nil {
			return nil, err
		}
	}
	if len(files) == 1 {
		s, err := stats.Summarize(files[0], answers[0], o, warn)
		s.Run = runs[0]
		return s, err
	}
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
	for _, file := range files {
		if file == stdinName {
			all = append(all, output.Inputs(output.Stat(h.Stdin))...)
		} else if err := checkFile(file); err != nil {
			return usageError{err}
		}
	}
	all = append(all, output.InputsAt(append(slices.Clone(files), c.summary)...)...)
	var kept []keptFile
	for _, file := range files {
		if store.IsDatabase(file) {
			kept = append(kept, keptFile{output.FileUse{Name: file, Read: true}, store.Siblings(file, false)})
		}
	}
	return refuseShared(all, kept...)
}

func checkFile(file string) error {
	info, err := os.Stat(file)
	if err == nil && info.IsDir() {
		return fmt.Errorf("%s is a folder: name the files in it", file)
	}
	return withoutCall(err)
}

// runOf returns the summary of a run: from the file of -summary or from the log; nil if there is none.
func (c *statsAction) runOf(ctx context.Context, i int, file string) (*stats.RunSummary, error) {
	switch {
	case i == 0 && c.summary != "":
		text, err := interruptible.ReadFile(ctx, c.summary)
		if err != nil {
			return nil, usagef("-summary: %w", err)
		}
		run := &stats.RunSummary{}
		if err := json.Unmarshal(text, run); err != nil {
			return nil, fmt.Errorf("%s: %w", c.summary, printable.JSONError(err))
		}
		return run, nil
	case file == stdinName:
		return nil, nil
	}
	finished, err := hints.FinishedAt(file)
	if finished == nil || err != nil {
		return nil, err
	}
	s := finished.Summary
	return &stats.RunSummary{Seconds: s.Seconds, Rate: s.Rate, Resumed: s.Resumed}, nil
}
