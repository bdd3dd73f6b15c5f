package repl

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"qhsh/engine"
	"qhsh/engine/interruptible"
	"qhsh/engine/printable"
	"qhsh/pluginclient/format"
)

const forceHelp = "An existing file is not overwritten without -force.\n"

func fileCommands() []*command {
	return []*command{
		{
			name: ".load", usage: "FILE[:N] [-lenient] [-encoding NAME]", needs: needsEngine, many: true,
			summary: "take line N of a file of positions, game N of a file of games, or a file of moves",
			help: `A file of games may be PGN, XQF, DhtmlXQ or a page with one, CBR, CBL, CBF, MXQ, WXF, lines of
JSON, or a zip of such files. The board shows the end of the main line; .prev and .goto step
through the game, and .save and .annotate use all of it, as long as the board belongs to it.
A file of positions has one FEN per line, optionally followed by 'moves' and moves; EPD, and
CSV with a column fen, work too. Without N the first one is loaded. A file of moves may use
any notation, any number of lines, and move numbers. Lines that begin with #, ; or //, and
text after # or in braces, are comments. Files may be compressed by gzip or zstd. If a game
is damaged, the board gets what can be read, and the command fails. With -lenient, moves that
cannot be played become a comment after the last legal move instead. The text encoding is
detected; -encoding names it where that is wrong. What is too large is reported, and the board
stays as it was or gets the beginning: 'qhsh help formats' has the limits.
`,
			most: 1, missing: "file", trusted: true, complete: loadedNames, setup: setupLoad,
		},
		{
			name: ".save", usage: "FILE " + notationUsage + " [-force]", needs: needsEngine,
			summary: "write the game to a file that .load reads",
			help: `The extension selects the format: .pgn, .jsonl or .json, .xqf, .cbr, .cbl, .ubb or .dhtmlxq
for DhtmlXQ, .html for a page with it. A file of .txt, .fen or .moves, or without an
extension, gets one line with a FEN and the moves, which 'qhsh hints' reads too. Moves are in
ICCS unless -notation is given; XQF, CBR, CBL, DhtmlXQ and its page have their own notation.
The shell says what the format cannot hold.
` + loadedHelp + forceHelp,
			most: 1, missing: "file", notation: true, force: true, complete: fileNames, run: runSave,
		},
		{
			name: ".edit", usage: "[FILE]",
			summary: "edit a script, the comment on the last move or the last block of Starlark in your text editor",
			help: `With FILE, it edits a script, which .source runs. Without FILE, it edits the comment on the
last move or, before the first move, on the game; .save and .annotate write it, in formats
that have comments. At the prompt of .star it edits the last block there, and runs it.
The editor is $EDITOR, or else $VISUAL, or else vi, or notepad on Windows. If the text is left
as it was, or the editor fails, nothing is changed or run.
` + loadedHelp,
			most: 1, trusted: true, complete: fileNames, run: runEdit,
		},
	}
}

func (c *call) setBoard(pos engine.Position) error { return c.shell.setBoard(c.ctx, c.engine, pos) }

func runSave(c *call) error {
	path, style := c.operand(), usualNotation(c.shell.host.Games)
	if c.styled {
		style = c.style
	}
	text, lost, err := c.encodeGame(path, style)
	if err != nil {
		return err
	}
	file, err := c.create(path)
	if err != nil {
		return err
	}
	_, err = file.Write(text)
	if err := errors.Join(err, file.Close()); err != nil {
		return fmt.Errorf(".save: %w", err)
	}
	if !c.isLines(path) {
		if g := c.shell.kept.of(c.engine.session.Position()); g != nil {
			g.unsaved = false
		}
	}
	if lost != "" {
		c.shell.say(".save: %s cannot hold %s", path, printable.Line(lost))
	}
	return nil
}

// formatFor returns the format of the file that the user named, shown as it was named, or the default if path is
// empty. It also checks that the file may be written, before any long work starts.
func formatFor[W any](c *call, formats format.Table[W], path, shown string) (format.Format[W], error) {
	if path == "" {
		return formats[0], nil
	}
	f, known := formats.ByPath(path)
	if !known {
		return f, c.usageError("%s: unknown extension; supported: %s", shown, formats.Extensions())
	}
	return f, c.checkWritable(path)
}

// writeTo has write write to the file that the user named, or to the output if path is empty.
func (c *call) writeTo(path string, write func(w io.Writer) error) error {
	if path == "" {
		return write(c.out)
	}
	file, err := c.create(path)
	if err != nil {
		return err
	}
	if err := errors.Join(write(file), file.Close()); err != nil {
		return fmt.Errorf("%s: %s: %w", c.command.name, path, err)
	}
	return nil
}

func (c *call) create(path string) (*os.File, error) {
	if err := c.checkWritable(path); err != nil {
		return nil, err
	}
	file, err := os.Create(path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.command.name, err)
	}
	return file, nil
}

// checkWritable checks, before any long work starts, that the file's directory exists, and that no
// regular file is overwritten without -force. Devices and pipes may always be written to.
func (c *call) checkWritable(path string) error {
	if err := c.shell.refuseInScript("writing files"); err != nil {
		return err
	}
	if _, err := os.Stat(filepath.Dir(path)); err != nil {
		return fmt.Errorf("%s: %w", c.command.name, err)
	}
	if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() && !c.force {
		return fmt.Errorf("%s: %s already exists%s: -force overwrites it", c.command.name, path, c.gamesIn(path))
	}
	return nil
}

// gamesIn says how many games a file has if they are several, which a single one would replace.
func (c *call) gamesIn(path string) string {
	if c.isLines(path) {
		return ""
	}
	file, err := interruptible.OpenRegular(path)
	if err != nil {
		return ""
	}
	defer file.Close()
	n := 0
	for range c.records().Read(file, path) {
		n++
	}
	if n < 2 {
		return ""
	}
	return fmt.Sprintf(" and has %d games, which this one would replace", n)
}

// maxDepthOfFiles limits how deeply files may read each other: deeper nesting is a cycle.
const maxDepthOfFiles = 16

// readFile executes the lines of a file, all of them unless the shell is to bail. If any failed,
// it returns a reportedError.
func (s *Shell) readFile(ctx context.Context, path string) error {
	if s.depth >= maxDepthOfFiles {
		return fmt.Errorf("%s: files nested more than %d deep", path, maxDepthOfFiles)
	}
	file, err := interruptible.Open(ctx, path)
	if err != nil {
		return err
	}
	defer file.Close()
	defer s.readFrom(newPlain(file, nil, s.host.Interrupt), filepath.Base(path))()
	failed := s.failed
	s.failed = false
	err = s.loop(ctx)
	if err == nil && s.failed {
		err = reportedError{ErrFailed}
	}
	s.failed = failed
	return err
}

// readFrom makes the shell read lines of a source with a name, until end is called.
func (s *Shell) readFrom(lines *plain, name string) (end func()) {
	editor, from := s.editor, s.source
	s.editor, s.source = lines, source{name: name}
	s.depth++
	return func() {
		lines.Close()
		s.depth--
		s.editor, s.source = editor, from
	}
}
