package batch

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
)

// Merge writes the outputs of all shards of an input, in the order of their numbers, as the output
// of a run that was not divided. Format is the name of theirs, which must be a format of lines: a database and Parquet are merged otherwise.
// Outputs of runs that have not kept the order of the input are merged as they stand.
func Merge(w io.Writer, format string, parts []io.Reader) error {
	m := newMerger(format)
	all := make([]nextRecord, len(parts))
	for i, part := range parts {
		var err error
		if all[i], err = m.open(bufio.NewReaderSize(part, 64<<10)); err != nil {
			return fmt.Errorf("part %d: %w", i+1, err)
		}
	}
	out := bufio.NewWriterSize(w, 64<<10)
	_, err := out.Write(m.header())
	for i := 0; err == nil; i++ {
		var record []byte
		record, err = all[i%len(all)]()
		switch {
		case err == io.EOF && len(record) == 0:
			return out.Flush()
		case err == io.EOF:
			err = io.ErrUnexpectedEOF
			fallthrough
		case err != nil:
			return fmt.Errorf("part %d, answer %d: %w", i%len(all)+1, i/len(all)+1, err)
		}
		_, err = out.Write(record)
	}
	return err
}

// nextRecord returns the next answer of a part as it stands in the whole. It is valid up to the next
// call for any part. The error is io.EOF behind the last one.
type nextRecord func() ([]byte, error)

// A merger knows where in a format an answer ends.
type merger interface {
	// open returns the answers of a part. The first part is opened first.
	open(in *bufio.Reader) (nextRecord, error)
	// header returns what stands before the first answer.
	header() []byte
}

func newMerger(format string) merger {
	switch format {
	case "csv":
		return new(rowMerger)
	case "text":
		return new(paragraphMerger)
	}
	return lineMerger{}
}

// lineMerger merges a format with an answer a line.
type lineMerger struct{}

func (lineMerger) header() []byte { return nil }

func (lineMerger) open(in *bufio.Reader) (nextRecord, error) {
	return func() ([]byte, error) { return in.ReadBytes('\n') }, nil
}

// rowMerger merges tables, which may have other own columns: those of the whole are the ones of the
// part that has the first answer.
type rowMerger struct {
	head []byte
	to   *CSVColumns
}

func (m *rowMerger) header() []byte { return m.head }

func (m *rowMerger) open(in *bufio.Reader) (nextRecord, error) {
	head, err := in.ReadBytes('\n')
	if err != nil {
		return nil, errors.New("it has no header")
	}
	names, err := splitCSV(head)
	if err != nil {
		return nil, err
	}
	from, err := NewCSVColumns(names)
	if err != nil {
		return nil, err
	}
	if m.head == nil {
		m.head, m.to = head, from
	}
	next := func() ([]byte, error) { return in.ReadBytes('\n') }
	if slices.Equal(from.fields, m.to.fields) {
		return next, nil
	}
	return func() ([]byte, error) {
		row, err := next()
		if err != nil {
			return row, err
		}
		return convertFields(row, from, m.to)
	}, nil
}

// convertFields returns a row of one table as one of another, which differs from it in its own columns
// alone. They are the last.
func convertFields(row []byte, from, to *CSVColumns) ([]byte, error) {
	cells, err := splitCSV(row)
	if err != nil {
		return nil, err
	}
	if len(cells) != len(from.header) {
		return nil, fmt.Errorf("%d cells in a table of %d columns", len(cells), len(from.header))
	}
	own, err := from.Fields(cells)
	if err != nil {
		return nil, err
	}
	cells = append(cells[:from.at[csvFields]], to.fields.cells(own)...)
	var b bytes.Buffer
	_ = csv.NewWriter(&b).WriteAll([][]string{cells}) // a Buffer takes everything
	return b.Bytes(), nil
}

// splitCSV returns the cells of a row that stands on a line.
func splitCSV(line []byte) ([]string, error) {
	return csv.NewReader(bytes.NewReader(line)).Read()
}

// paragraphMerger merges what is for people. It names the engine where that changes.
type paragraphMerger struct{ engine []byte }

func (*paragraphMerger) header() []byte { return nil }

func (m *paragraphMerger) open(in *bufio.Reader) (nextRecord, error) {
	var engine []byte
	return func() ([]byte, error) {
		paragraph, lines, err := readParagraph(in)
		if err == nil && lines == 1 && bytes.HasPrefix(paragraph, []byte(engineWord)) {
			engine = paragraph
			paragraph, _, err = readParagraph(in)
		}
		if err != nil || engine == nil || bytes.Equal(engine, m.engine) {
			return paragraph, err
		}
		m.engine = engine
		return slices.Concat(engine, paragraph), nil
	}, nil
}

// readParagraph returns the lines up to a blank one, with that.
func readParagraph(in *bufio.Reader) (paragraph []byte, lines int, err error) {
	for {
		line, err := in.ReadBytes('\n')
		paragraph = append(paragraph, line...)
		if err != nil || len(line) == 1 {
			return paragraph, lines, err
		}
		lines++
	}
}
