package script

import (
	"bufio"
	"bytes"
	"fmt"
	"io"

	"go.starlark.net/starlark"

	"qhsh/engine/record"
)

// maxLine is the maximum length in bytes of a line of lines().
const maxLine = record.MaxLine

var linesFunction = function(`lines(path: str = "-") -> Iterable[str]`, `The lines of a file without line ends, read one at a time. path is one of the script's arguments, or a file in the script's folder; "-" is standard input, which can be read once. Use board(line) for the position of an EPD line, and json.decode(line) for JSON.`, makeLines)

func makeLines(thread *starlark.Thread, path string) (starlark.Value, error) {
	f := newFileValue(thread, "lines", path)
	return f.readBy(func(file io.Reader, yield func(starlark.Value) bool) error {
		in := bufio.NewReaderSize(file, 64<<10)
		for n := 1; !f.env.stopping(); n++ {
			line, err := readLine(in, n)
			if err == io.EOF {
				return nil
			}
			if err != nil {
				return fmt.Errorf("%s: %w", f.path, err)
			}
			if n == 1 {
				line = bytes.TrimPrefix(line, []byte("\ufeff"))
			}
			line = bytes.TrimSuffix(line, []byte("\n"))
			if !yield(starlark.String(bytes.TrimSuffix(line, []byte("\r")))) {
				return nil
			}
		}
		return nil
	})
}

// readLine reads line n with its end, or the rest after the last newline.
func readLine(in *bufio.Reader, n int) (line []byte, err error) {
	for {
		part, err := in.ReadSlice('\n')
		line = append(line, part...)
		switch {
		case len(line) > maxLine:
			return nil, fmt.Errorf("line %d: longer than %d bytes", n, maxLine)
		case err == io.EOF && len(line) > 0:
			return line, nil
		case err != bufio.ErrBufferFull:
			return line, err
		}
	}
}
