package batch

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"slices"
)

// Merge writes the outputs of all shards, in order, as the output of an undivided run. format names
// their format, of text: json, epd or text. Unordered outputs are merged in the order they have.
func Merge(w io.Writer, format string, parts []io.Reader) error {
	m := merger{}
	all := make([]nextRecord, len(parts))
	for i, part := range parts {
		in := bufio.NewReaderSize(part, 64<<10)
		all[i] = func() ([]byte, error) { return in.ReadBytes('\n') }
		if format == "text" {
			all[i] = m.openText(in)
		}
	}
	out := bufio.NewWriterSize(w, 64<<10)
	var err error
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

// A merger splits the parts of the text format into answers.
type merger struct {
	engine []byte // that the merged text has named last
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
