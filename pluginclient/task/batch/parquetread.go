package batch

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"os"

	"github.com/parquet-go/parquet-go"

	"qhsh/engine/interruptible"
)

var (
	errParquet      = errors.New("not a Parquet file of 'qhsh hints'")
	errOtherColumns = errors.New("it has other columns")
)

// ParquetAnswers returns the answers of a Parquet file that hints has written. They have no Pos,
// and their errors are plain strings. An error ends the sequence.
func ParquetAnswers(path string) iter.Seq2[Answer, error] {
	return func(yield func(Answer, error) bool) {
		p, err := openParquet(path)
		if err != nil {
			yield(Answer{}, fmt.Errorf("%s: %w", path, err))
			return
		}
		defer p.close()
		for {
			rows, err := p.next()
			for i := range rows {
				a, rowErr := rows[i].answer()
				if rowErr != nil {
					yield(Answer{}, fmt.Errorf("%s: %w", path, rowErr))
					return
				}
				if !yield(a, nil) {
					return
				}
			}
			if err != nil {
				if err != io.EOF {
					yield(Answer{}, fmt.Errorf("%s: %w", path, err))
				}
				return
			}
		}
	}
}

// parquetFile is an open file. Package parquet panics on some damaged files and on unexpected
// columns, so every call is guarded by recoverError.
type parquetFile struct {
	file *os.File
	rows *parquet.GenericReader[parquetRow]
}

func openParquet(path string) (p *parquetFile, err error) {
	file, err := interruptible.OpenRegular(path)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			file.Close()
		}
	}()
	defer recoverError(&err)
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	if err := checkParquet(file, info.Size()); err != nil {
		return nil, fmt.Errorf("%w: %w", errParquet, err)
	}
	table, err := parquet.OpenFile(file, info.Size(), parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errParquet, err)
	}
	if !parquet.EqualNodes(table.Schema(), parquetSchema()) {
		return nil, fmt.Errorf("%w: %w", errParquet, errOtherColumns)
	}
	return &parquetFile{file, parquet.NewGenericReader[parquetRow](table)}, nil
}

// next returns some rows. It returns io.EOF with the last ones.
func (p *parquetFile) next() (rows []parquetRow, err error) {
	defer recoverError(&err)
	rows = make([]parquetRow, 16) // each may have the size of a line in several columns
	n, err := p.rows.Read(rows)
	if err != nil && err != io.EOF {
		err = fmt.Errorf("%w: %w", errParquet, err)
	}
	return rows[:n], err
}

func (p *parquetFile) close() {
	_ = p.rows.Close() // it was only read
	_ = p.file.Close()
}

// recoverError turns a panic into an error.
func recoverError(err *error) {
	if failure := recover(); failure != nil {
		*err = fmt.Errorf("%w: %v", errParquet, failure)
	}
}

// MergeParquet writes the rows of all shards, interleaved in the original order, as one table.
func MergeParquet(w io.Writer, paths []string) (err error) {
	parts := make([]*parquetPart, len(paths))
	for i, path := range paths {
		file, err := openParquet(path)
		if err != nil {
			return fmt.Errorf("part %d: %w", i+1, err)
		}
		defer file.close()
		parts[i] = &parquetPart{file: file}
	}
	sink := newParquetSink(w)
	for i := 0; ; i++ {
		row, err := parts[i%len(parts)].next()
		if err == io.EOF {
			return sink.finish()
		}
		if err == nil {
			_, err = sink.w.Write([]parquetRow{row})
		}
		if err != nil {
			return fmt.Errorf("part %d: %w", i%len(parts)+1, err)
		}
	}
}

// parquetPart reads a file row by row.
type parquetPart struct {
	file *parquetFile
	rows []parquetRow
	err  error
}

func (r *parquetPart) next() (row parquetRow, err error) {
	for len(r.rows) == 0 {
		if r.err != nil {
			return row, r.err
		}
		r.rows, r.err = r.file.next()
	}
	row, r.rows = r.rows[0], r.rows[1:]
	return row, nil
}
