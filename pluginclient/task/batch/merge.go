package batch

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
)

// Merge writes the outputs of all shards, in order, as the output of an undivided run. format names
// their format, of text: json, epd or text. Unordered outputs are merged in the order they have.
// The text format names the engine where it changes.
func Merge(w io.Writer, format string, parts []io.Reader) error {
	all, engines := make([]*bufio.Reader, len(parts)), make([][]byte, len(parts))
	for i, part := range parts {
		all[i] = bufio.NewReaderSize(part, 64<<10)
	}
	out := bufio.NewWriterSize(w, 64<<10)
	var named []byte // the engine that the merged text has named last
	for i := 0; ; i++ {
		at := i % len(parts)
		record, err := readRecord(all[at], format)
		if err == nil && format == "text" && bytes.HasPrefix(record, []byte(engineWord)) && bytes.Count(record, []byte("\n")) == 2 {
			engines[at] = record
			record, err = readRecord(all[at], format)
		}
		switch {
		case err == io.EOF && len(record) == 0:
			return out.Flush()
		case err == io.EOF:
			err = io.ErrUnexpectedEOF
			fallthrough
		case err != nil:
			return fmt.Errorf("part %d, answer %d: %w", at+1, i/len(parts)+1, err)
		}
		if engine := engines[at]; engine != nil && !bytes.Equal(engine, named) {
			_, _ = out.Write(engine) // the next error is the same
			named = engine
		}
		if _, err := out.Write(record); err != nil {
			return err
		}
	}
}

// readRecord returns the next answer: a line, or in the text format the lines up to and including a blank one.
func readRecord(in *bufio.Reader, format string) (record []byte, err error) {
	for {
		line, err := in.ReadBytes('\n')
		record = append(record, line...)
		if err != nil || format != "text" || len(line) == 1 {
			return record, err
		}
	}
}
