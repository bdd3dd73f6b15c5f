package script

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"

	"go.starlark.net/starlark"

	"qhsh/pluginclient/task/batch/input"
)

var readCSVFunction = function(`read_csv(path: str = "-", skip: bool = False) -> Iterable[dict[str, str]]`, `The rows of a CSV as dicts, read one at a time. The first line has the names of the columns; commas, semicolons or tabs separate the cells. All values are strings, empty where a row is too short: int(row["cp"]) is a number. A row with more cells than names stops the script, or is logged and skipped if skip is true. The file may be in UTF-16, or compressed by gzip or zstd. path is one of the script's arguments, or a file in the script's folder; "-" is standard input, which can be read once.`, readCSV)

func readCSV(thread *starlark.Thread, path string, skip bool) (starlark.Value, error) {
	f := newFileValue(thread, "read_csv", path)
	return f.readBy(func(file io.Reader, yield func(starlark.Value) bool) error {
		plain, err := input.Decompress(file)
		if err != nil {
			return f.named(err)
		}
		defer plain.Close() // it is only read
		rows, err := input.NewCSVReader(plain, "")
		for err == nil && !f.env.stopping() {
			switch err = rows.Next(); {
			case err == io.EOF:
				return nil
			case err != nil:
			case rows.RowErr != nil:
				if err := f.bad(rows.Line, rows.RowErr, skip); err != nil {
					return err
				}
			case !yield(rowDict(rows.Header, rows.Cells)):
				return nil
			}
		}
		return f.named(err)
	})
}

// rowDict returns the cells of a row, which may be too few, by the names of their columns.
func rowDict(header, cells []string) *starlark.Dict {
	dict := starlark.NewDict(len(header))
	for i, name := range header {
		cell := ""
		if i < len(cells) {
			cell = cells[i]
		}
		_ = dict.SetKey(starlark.String(name), starlark.String(cell)) // it is not frozen
	}
	return dict
}

var saveCSVFunction = function("save_csv(name: str, rows: Iterable, header: list[str] | None = None) -> int", `Writes rows to a CSV in the folder given by -out and returns their number. A row is a list, a tuple or a dict, as for table: header names the columns and selects keys of dicts; by default they are the keys of the first row. Lists without a header are written as they are, all of one length. None is an empty cell, and other values are written like print. Rows are written one at a time, so that there may be any number of them. An existing file is replaced, and missing folders are created.`, saveCSV)

func saveCSV(t *task, name string, rows starlark.Iterable, header stringsArgument) (count int, err error) {
	file, err := t.env.create(name)
	if err != nil {
		return 0, err
	}
	count, err = t.writeCSV(file, rows, header)
	return count, errors.Join(err, outError(name, file.Close()))
}

// writeCSV writes rows below a header, which is that of the first row if it is nil.
func (t *task) writeCSV(file *os.File, rows starlark.Iterable, header []string) (count int, err error) {
	var r rowReader
	if header != nil {
		r.setHeader(header)
	}
	w, width := csv.NewWriter(file), 0
	for row := range starlark.Elements(rows) {
		values, err := r.cells(row)
		if count == 0 && err == nil {
			if width = len(values); r.header != nil {
				width, err = len(r.header), w.Write(r.header)
			}
		}
		if err == nil && len(values) != width {
			err = fmt.Errorf("%d cells instead of %d", len(values), width)
		}
		if err != nil {
			return count, fmt.Errorf("row %d: %w", count+1, err)
		}
		cells := make([]string, len(values))
		for i, v := range values {
			if v != starlark.None {
				cells[i] = display(v)
			}
		}
		if err := errors.Join(w.Write(cells), t.stopped()); err != nil {
			return count, err
		}
		count++
	}
	if count == 0 && header != nil {
		err = w.Write(header)
	}
	w.Flush()
	return count, errors.Join(err, w.Error(), t.stopped())
}
