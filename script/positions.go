package script

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"go.starlark.net/starlark"

	"qhsh/engine/games"
	"qhsh/pluginclient/task/batch/input"
)

func positionsFunction(g *catalog) *member {
	sig := fmt.Sprintf(`positions(path: str = "-", skip: bool = False, form: str = "", column: str = "fen", %s) -> Iterable[Board]`, gameParameters(g.Table))
	return function(sig, positionsDoc, makePositions)
}

const positionsDoc = `The positions of a file as boards, read one at a time. The file is in an input format of qhsh hints: lines of FEN or EPD, JSON lines, or CSV with a column of positions, including the output of hints, in UTF-8 or UTF-16, optionally compressed by gzip or zstd. The id and fields of a board are what the file has about it. form is "fen", "epd", "json" or "csv"; by default it is detected from the file's name or first line. Blank lines and lines that begin with # are skipped. An invalid position stops the script, or is logged and skipped if skip is true. path is one of the script's arguments, or a file in the script's folder; "-" is standard input, which can be read once. game and its options are as for board.`

func makePositions(thread *starlark.Thread, path string, skip bool, form, column string, choice gameArgument) (starlark.Value, error) {
	f := newFileValue(thread, "positions", path)
	all, o := f.env.games, input.Options{Name: path, Format: form, Column: column}
	game, err := all.New(choice.name, choice.options)
	if err != nil {
		return nil, err
	}
	if o.Format != "" && !slices.Contains(input.FormatList(), o.Format) {
		return nil, fmt.Errorf("form %s: want %s", shorten(o.Format), games.OneOf(input.FormatList()))
	}
	o.Records = all.Records(game)
	if f.path == stdinName {
		o.Name = "standard input"
	}
	return f.readBy(func(file io.Reader, yield func(starlark.Value) bool) error {
		source, err := input.Open(all.AnyNotation(game), file, o)
		if games := (*input.GamesError)(nil); errors.As(err, &games) {
			err = fmt.Errorf("%w: use games(%q)", err, f.path)
		}
		if err != nil {
			return err
		}
		defer source.Close() // it is only read
		for !f.env.stopping() {
			item, err := source.Next()
			switch {
			case err == io.EOF:
				return nil
			case err != nil:
				return err
			case item.Err != nil:
				if err := f.bad(item.Line, item.Err, skip); err != nil {
					return err
				}
			case !yield(all.itemBoard(item)):
				return nil
			}
		}
		return nil
	})
}
