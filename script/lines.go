package script

import (
	"io"

	"go.starlark.net/starlark"

	"qhsh/pluginclient/task/batch"
)

var linesFunction = function("lines(path: str = \"-\") -> Iterable[str]", `The lines of a file without line ends, read one at a time. The text is UTF-8, or UTF-16 as Windows writes it. path is one of the script's arguments, or a file in the script's folder; "-" is standard input, which can be read once. Use board(line) for the position of an EPD line, and json.decode(line) for JSON.`, makeLines)

func makeLines(thread *starlark.Thread, path string) (starlark.Value, error) {
	f := newFileValue(thread, "lines", path)
	return f.readBy(func(file io.Reader, yield func(starlark.Value) bool) error {
		for in := batch.NewLineReader(file); !f.env.stopping(); {
			switch err := in.Next(); {
			case err == io.EOF:
				return nil
			case err != nil:
				return f.named(err)
			case in.LineErr != nil:
				return f.bad(in.Line, in.LineErr, false)
			case !yield(starlark.String(in.Text)):
				return nil
			}
		}
		return nil
	})
}
