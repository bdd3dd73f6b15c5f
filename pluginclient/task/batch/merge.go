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

// Merge writes the outputs of all shards, in order, as the output of an undivided run. format names
// their line-based format; databases and Parquet have their own merge. Unordered outputs are merged
// in the order they have.
func Merge(w io.Writer, format string, parts []io.Reader) error {
	m := merger{}
	all := make([]nextRecord, len(parts))
	for i, part := range parts {
		var err error
		if all[i], err = m.open(format, bufio.NewReaderSize(part, 64<<10)); err != nil {
			return fmt.Errorf("part %d: %w", i+1, err)
		}
	}
	out := bufio.NewWriterSize(w, 64<<10)
	_, err := out.Write(m.head)
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

// nextRecord returns the next answer of a part in its final form. It is valid up to the next call
// for any part. It returns io.EOF after the last answer.
type nextRecord func() ([]byte, error)

// A merger splits the parts of a format into answers.
type merger struct {
	head []byte      // what precedes the first answer
	to   *CSVColumns // of head

	engine []byte // that the merged text has named last
}

// open returns the answers of a part. The first part is opened first.
func (m *merger) open(format string, in *bufio.Reader) (nextRecord, error) {
	switch format {
	case "csv":
		return m.openTable(in)
	case "text":
		return m.openText(in), nil
	}
	return func() ([]byte, error) { return in.ReadBytes('\n') }, nil
}

// openTable opens a table. Tables may differ in their field columns: the result has those of the part
// with the first answer.
func (m *merger) openTable(in *bufio.Reader) (nextRecord, error) {
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

// convertFields rewrites a row for a table that differs only in its field columns, which are the
// last ones.
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

// openText opens the text format, which names the engine where it changes.
func (m *merger) openText(in *bufio.Reader) nextRecord {
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
	}
}

// readParagraph returns the lines up to and including a blank one.
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
