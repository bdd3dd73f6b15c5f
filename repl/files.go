package repl

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"qhsh/engine"
)

const forceHelp = "A file that is there already is not written over without -force.\n"

// fileCommands are those that read and write files.
func fileCommands() []*command {
	commands := []*command{
		{
			name: ".load", usage: "FILE[:N]", needs: needsEngine, many: true,
			summary: "take line N of a file of positions, game N of a file of games, or a file of moves",
			help: `A file of games may be PGN, XQF, DhtmlXQ or a page that holds one, CBR, CBL, CBF, WXF,
lines of JSON, or a zip of such files. The board gets the main line; .save and .annotate
have the variations, too, as long as it stands in the game.
A file of positions has a FEN a line, which 'moves' and moves may follow; an EPD file, and
CSV with a column fen, will do. Without N it is the first one. A file of moves has them in
any notation, in as many lines as you like, with numbers or without. Comments are the lines
that begin with #, ; or //, and what stands behind a # or in braces. What gzip or zstd has
compressed is read, too. Of a damaged game the board gets what can be read, and the command
fails.
`,
			complete: numberedFiles, run: runLoad,
		},
		{
			name: ".save", usage: "FILE " + notationUsage + " [-force]", needs: needsEngine,
			summary: "write the game to a file that .load reads",
			help: `The name's extension tells the form: .pgn, .jsonl or .json, .ubb, .html or .dhtmlxq for
DhtmlXQ, and else a line of a FEN and the moves on the board, as 'qhsh hints' reads it, too.
Moves are in ICCS if -notation does not choose another; DhtmlXQ has its own.
` + loadedHelp + forceHelp,
			complete: withNotation(func(s *Shell, before []string) []candidate {
				return append([]candidate{{text: "-force"}}, fileNames(s, before)...)
			}), run: runSave,
		},
	}
	for _, c := range commands {
		c.group = groupFiles
	}
	return commands
}

// setBoard starts a game on the call's engine: FEN, and one LOAD for all its moves.
func (c *call) setBoard(pos engine.Position) error {
	return c.shell.await(c.ctx, waitOptions{engines: []*attached{c.engine}}, func(ctx context.Context) error {
		return c.shell.reportEngineError(c.engine, c.engine.newGame(ctx, pos))
	})
}

// runSave is .save.
func runSave(c *call) error {
	force, style := false, usualNotation(c.shell.host.Games)
	words, err := c.flags(func(fs *flag.FlagSet) {
		fs.BoolVar(&force, "force", false, "")
		c.defineNotation(fs, &style)
	}, 1)
	switch {
	case err != nil:
		return err
	case len(words) == 0:
		return c.usageError("the file is missing")
	}
	text, err := c.encodeGame(words[0], style)
	if err != nil {
		return err
	}
	file, err := c.create(words[0], force)
	if err != nil {
		return err
	}
	_, err = file.Write(text)
	if err := errors.Join(err, file.Close()); err != nil {
		return fmt.Errorf(".save: %w", err)
	}
	return nil
}

// create creates a file that a person has named.
func (c *call) create(path string, force bool) (*os.File, error) {
	if err := c.checkWritable(path, force); err != nil {
		return nil, err
	}
	file, err := os.Create(path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.command.name, err)
	}
	return file, nil
}

// mayWrite makes sure, before anything takes long, that the folder is there, and that no
// file is lost that the person has not given up by -force. Devices and pipes are there to
// be written to.
func (c *call) checkWritable(path string, force bool) error {
	if err := c.shell.refuseInScript("writing a file"); err != nil {
		return err
	}
	if _, err := os.Stat(filepath.Dir(path)); err != nil {
		return fmt.Errorf("%s: %w", c.command.name, err)
	}
	if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() && !force {
		return fmt.Errorf("%s: %s is there already: -force writes over it", c.command.name, path)
	}
	return nil
}

// startFile is read at the start of a shell that a person sits at.
const startFile = "qhshrc"

// readStartFile carries out the start file, if there is one.
func (s *Shell) readStartFile(ctx context.Context) {
	if s.host.ConfigDir == "" {
		return
	}
	path := filepath.Join(s.host.ConfigDir, startFile)
	if err := s.readFile(ctx, path); err != nil && !errors.Is(err, os.ErrNotExist) {
		s.reportError(err)
	}
}

// maxDepthOfFiles is how many files may read each other: more is a circle.
const maxDepthOfFiles = 16

// readFile carries out the lines of a file. Its error is that of the first one that
// failed, and has been told; all are carried out unless the shell is to bail.
func (s *Shell) readFile(ctx context.Context, path string) error {
	if s.depth >= maxDepthOfFiles {
		return fmt.Errorf("%s: over %d files read each other", path, maxDepthOfFiles)
	}
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	outer, from, failed := s.editor, s.source, s.failed
	lines := newPlain(file, nil, nil)
	defer lines.Close()
	s.editor, s.source, s.failed = lines, source{name: filepath.Base(path)}, false
	s.depth++
	err = s.loop(ctx)
	s.depth--
	if err == nil && s.failed {
		err = reportedError{ErrFailed}
	}
	s.editor, s.source, s.failed = outer, from, failed
	return err
}
