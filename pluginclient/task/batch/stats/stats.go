// Package stats tells about what 'qhsh hints' has written: how many positions were
// answered, how many solved, how the scores are spread, and in what several files disagree.
//
// [ReadAnswers] reads a file of any of the formats that can be read back: JSON lines, CSV, EPD,
// Parquet or an SQLite database, plain or compressed. [Summarize] and [Compare] take one answer after
// the other, so that memory does not grow with the file; Compare, of every two files, keeps those
// of which it has seen only one side, which are few where both have the same order.
package stats

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"slices"

	"qhsh/pluginclient/task/batch"
	"qhsh/pluginclient/task/batch/input"
	"qhsh/pluginclient/task/batch/store"
)

// ErrNotAnswer is wrapped by the error of a line or row that is no answer. Reading goes on
// after it.
var ErrNotAnswer = errors.New("no answer of 'qhsh hints'")

// errUnknownFormat is the error of a file in which nothing is an answer.
var errUnknownFormat = errors.New("it is not what 'qhsh hints' writes as json, csv, epd, parquet or sqlite")

// ReadAnswers returns the answers of a file; - stands for stdin. They have no Pos, and their
// errors are texts. An error that wraps [ErrNotAnswer] costs one answer; any other is the
// last thing there is.
func ReadAnswers(path string, stdin io.Reader) iter.Seq2[batch.Answer, error] {
	return func(yield func(batch.Answer, error) bool) {
		r, name := stdin, "standard input"
		if path != "-" {
			file, err := os.Open(path)
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

// reader hands on the answers of a stream.
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

// lines reads a file with an answer on each line, as long as answers are wanted. Its
// decode reports whether there is one.
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

// rows reads a table, or several after each other.
func (r *reader) rows(in io.Reader) error {
	rows, err := input.NewCSVReader(in, input.DefaultColumn)
	if err != nil {
		return errUnknownFormat
	}
	columns, err := batch.NewCSVColumns(rows.Header())
	if err != nil {
		return fmt.Errorf("%w: %w", errUnknownFormat, err)
	}
	for {
		if err := rows.Next(); err != nil {
			return err
		}
		if slices.Contains(rows.Cells, input.DefaultColumn) {
			if next, err := batch.NewCSVColumns(rows.Cells); err == nil {
				columns = next // of the next table
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

// yieldAnswer hands on an answer or what is wrong with it. The error is io.EOF if no more is
// wanted.
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
