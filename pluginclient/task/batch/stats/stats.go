// Package stats summarizes what 'qhsh hints' has written: how many positions were answered and
// solved, how scores are distributed, and where several files disagree.
//
// [ReadAnswers] reads any of the formats: JSON lines, CSV, EPD, Parquet or SQLite, plain or
// compressed. [Summarize] and [Compare] stream, so memory does not grow with the file; for each
// pair of files Compare keeps the answers of which it has seen one side only, which are few if the
// files have the same order. A [Baseline] and the cases of JUnit are kept, too.
package stats

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"

	"qhsh/engine/interruptible"
	"qhsh/pluginclient/task/batch"
	"qhsh/pluginclient/task/batch/input"
	"qhsh/pluginclient/task/batch/store"
)

// ErrNotAnswer is wrapped by the error of a line or row that is not an answer. Reading continues
// after it.
var ErrNotAnswer = errors.New("not an answer of 'qhsh hints'")

// errUnknownFormat is returned for a file without a single answer.
var errUnknownFormat = errors.New("not an output of 'qhsh hints' (json, csv, epd, parquet or sqlite)")

// ReadAnswers returns the answers of a file, which is read until ctx is done; - means stdin. They have no Pos, and their errors are
// plain strings. An error that wraps [ErrNotAnswer] concerns one answer; any other ends the
// sequence.
func ReadAnswers(ctx context.Context, path string, stdin io.Reader) iter.Seq2[batch.Answer, error] {
	return func(yield func(batch.Answer, error) bool) {
		r, name := interruptible.Reader(ctx, stdin), "standard input"
		if path != "-" {
			file, err := interruptible.Open(ctx, path)
			if err != nil {
				yield(batch.Answer{}, err)
				return
			}
			defer file.Close()
			r, name = file, path
		}
		plain, err := input.Decompress(r)
		switch {
		case errors.Is(err, input.ErrSQLite) && path != "-":
			store.Answers(path)(yield)
			return
		case errors.Is(err, input.ErrParquet) && path != "-":
			batch.ParquetAnswers(path)(yield)
			return
		case err != nil:
			yield(batch.Answer{}, fmt.Errorf("%s: %w", name, err))
			return
		}
		defer plain.Close()
		(&reader{name, yield, 0}).read(bufio.NewReader(plain))
	}
}

// reader yields the answers of a stream.
type reader struct {
	name    string
	yield   func(batch.Answer, error) bool
	answers int
}

func (r *reader) read(in *bufio.Reader) {
	var err error
	switch input.DetectFormat(r.name, in, input.DefaultColumn) {
	case input.CSV:
		err = r.rows(in)
	case input.JSON:
		err = r.lines(in, func(line []byte) (batch.Answer, bool, error) {
			a, err := batch.DecodeJSON(line)
			return a, len(line) > 0, err
		})
	default:
		err = r.lines(in, func(line []byte) (batch.Answer, bool, error) { return batch.DecodeEPD(string(line)) })
	}
	if err != nil && err != io.EOF {
		r.yield(batch.Answer{}, fmt.Errorf("%s: %w", r.name, err))
	}
}

// lines reads a file with an answer per line. ok of decode is false for a line to be skipped.
func (r *reader) lines(in io.Reader, decode func([]byte) (batch.Answer, bool, error)) error {
	l := batch.NewLineReader(in)
	for {
		if err := l.Next(); err != nil {
			return err
		}
		a, is, err := batch.Answer{}, true, l.LineErr
		if err == nil {
			a, is, err = decode(l.Text)
		}
		if !is {
			continue
		}
		if err := r.yieldAnswer(a, l.Line, err); err != nil {
			return err
		}
	}
}

// rows reads a table, or several concatenated ones.
func (r *reader) rows(in io.Reader) error {
	rows, err := input.NewCSVReader(in, input.DefaultColumn)
	if err != nil {
		return errUnknownFormat
	}
	columns, err := batch.NewCSVColumns(rows.Header)
	if err != nil {
		return fmt.Errorf("%w: %w", errUnknownFormat, err)
	}
	for {
		if err := rows.Next(); err != nil {
			return err
		}
		if slices.Contains(rows.Cells, input.DefaultColumn) {
			if next, err := batch.NewCSVColumns(rows.Cells); err == nil {
				columns = next // the columns of the next table
				continue
			}
		}
		a, err := batch.Answer{}, rows.RowErr
		if err == nil {
			a, err = columns.Decode(rows.Cells)
		}
		if err := r.yieldAnswer(a, rows.Line, err); err != nil {
			return err
		}
	}
}

// yieldAnswer yields an answer or its error. It returns io.EOF when the consumer has stopped.
func (r *reader) yieldAnswer(a batch.Answer, line int, err error) error {
	if err != nil && r.answers == 0 {
		return errUnknownFormat
	}
	if err != nil {
		err = fmt.Errorf("%s: line %d: %w: %w", r.name, line, ErrNotAnswer, err)
	}
	r.answers++
	if !r.yield(a, err) {
		return io.EOF
	}
	return nil
}

// Summarize reads answers and returns their Summary, and compares them with the Baseline of the options. warn is called with the error of what is not
// an answer.
func Summarize(file string, answers iter.Seq2[batch.Answer, error], o Options, warn func(error)) (Summary, error) {
	in := openFile(file, answers, &o, warn)
	defer in.stop()
	if o.Baseline != nil {
		in.Against = &Regressions{File: o.Baseline.file, Changes: []Change{}}
	}
	for {
		a, g, ok, err := in.take()
		if err != nil {
			return Summary{}, err
		}
		if !ok {
			in.finish()
			if o.Baseline != nil {
				for _, c := range in.Against.finish(o.Baseline) {
					in.addMissing(c)
				}
			}
			return in.Summary, nil
		}
		change := ""
		if in.Against != nil && g.counts() {
			change = in.Against.add(o.Baseline, in.normalise(&a), a, g)
		}
		if o.Cases {
			in.addCase(a, g, change)
		}
	}
}

// An inputFile is a file being read and its Summary so far.
type inputFile struct {
	Summary
	*Options
	next func() (batch.Answer, error, bool)
	stop func()
	warn func(error)
}

func openFile(file string, answers iter.Seq2[batch.Answer, error], o *Options, warn func(error)) *inputFile {
	in := &inputFile{Summary: Summary{File: file, themes: map[string]int{}, depths: map[int]int{}, bins: map[binIndex]int{}}, Options: o, warn: warn}
	in.next, in.stop = iter.Pull2(answers)
	return in
}

// take returns the next answer and its grade; ok is false after the last one.
func (in *inputFile) take() (a batch.Answer, g Grade, ok bool, err error) {
	for {
		a, err, ok = in.next()
		switch {
		case !ok:
			return a, g, false, nil
		case errors.Is(err, ErrNotAnswer):
			in.Unreadable++
			in.warn(err)
			continue
		case err != nil:
			return a, g, false, err
		}
		g, unscored := gradeOf(in.Game, a)
		in.add(a, g, cmp.Or(a.Unscored, unscored))
		return a, g, true, nil
	}
}
