package repl

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"qhsh/engine"
	"qhsh/engine/xiangqi"
	"qhsh/pluginclient/batch"
)

// fileCommands are those that read and write files.
func fileCommands() []*command {
	commands := []*command{
		{
			name: ".load", usage: "FILE[:N]", needs: anEngine, many: true,
			summary: "set the board to line N of a file of positions, or play a file of moves from the start",
			help: `A file of positions has a FEN a line, which 'moves' and moves may follow; an EPD file
will do. Without N it is the first one. A file of moves has them in ICCS or as UCI
writes them, in as many lines as you like, with numbers or without.
`,
			complete: fileNames, run: runLoad,
		},
		{
			name: ".save", usage: "[-force] FILE", needs: anEngine,
			summary:  "write the game to a file that .load and 'qhsh hints' read",
			help:     "A file that is there already is not written over without -force.\n",
			complete: fileNames, run: runSave,
		},
		{
			name: ".source", usage: "FILE",
			summary:  "carry out the lines of a file as if they were typed",
			complete: fileNames, run: runSource,
		},
	}
	for _, c := range commands {
		c.group = groupFiles
	}
	return commands
}

// gameText is a game on a line: the start and the moves, as 'qhsh hints' reads them.
func gameText(pos engine.Position) string {
	start, moves := pos.History()
	var b strings.Builder
	b.WriteString(start.String())
	if len(moves) > 0 {
		b.WriteString(" moves")
	}
	at := start
	for _, m := range moves {
		next, err := at.Play(m)
		if err != nil {
			break // a history that its own rules refuse is not there
		}
		b.WriteString(" " + at.Format(m))
		at = next
	}
	return b.String()
}

var lineNumber = regexp.MustCompile(`^(.+):([0-9]+)$`)

// runLoad is .load.
func runLoad(c *call) error {
	path, err := c.only()
	if err != nil {
		return err
	}
	if path == "" {
		return c.misuse("the file is missing")
	}
	n := 0
	data, err := os.ReadFile(path)
	if m := lineNumber.FindStringSubmatch(path); m != nil && errors.Is(err, os.ErrNotExist) {
		path = m[1]
		if n, err = strconv.Atoi(m[2]); err != nil || n < 1 {
			return c.misuse("%q is not the number of a line", m[2])
		}
		data, err = os.ReadFile(path)
	}
	if err != nil {
		return fmt.Errorf(".load: %w", err)
	}
	pos, rest, err := readGame(string(data), n)
	if err != nil {
		return fmt.Errorf(".load: %s: %w", path, err)
	}
	if rest > 0 {
		c.shell.chat("the first of %d positions: '.load %s:N' takes the one of line N", rest+1, path)
	}
	if err := c.setBoard(pos); err != nil {
		return err
	}
	c.shell.chat("%s", positionText(pos))
	return nil
}

// readGame reads a file of positions or of moves. n is the line that is wanted, 0 the
// first position; rest is how many positions follow it in that case.
func readGame(text string, n int) (pos engine.Position, rest int, err error) {
	var content []string
	for i, line := range strings.Split(strings.TrimPrefix(text, "\ufeff"), "\n") {
		line = strings.TrimSpace(line)
		if i+1 == n {
			content = []string{line}
			break
		}
		if line != "" && !strings.HasPrefix(line, "#") {
			content = append(content, line)
		}
	}
	switch {
	case n > 0 && (len(content) != 1 || content[0] == ""):
		return nil, 0, fmt.Errorf("there is no position on line %d", n)
	case len(content) == 0:
		return nil, 0, errors.New("there is nothing in it")
	}
	if moves, ok := moveList(strings.Join(content, " ")); ok {
		pos, err = playTexts(xiangqi.Start(), moves)
		return pos, 0, err
	}
	pos, err = parseGame(content[0])
	return pos, len(content) - 1, err
}

// parseGame reads a position with moves behind it, as it stands in files and as UCI's
// position command has it.
func parseGame(line string) (engine.Position, error) {
	if word, rest := cutWord(line); strings.EqualFold(word, "position") {
		line = rest
	}
	if word, rest := cutWord(line); strings.EqualFold(word, "fen") {
		line = rest
	}
	item := batch.Parse(xiangqi.Rules, line)
	return item.Pos, item.Err
}

var (
	moveToken = regexp.MustCompile(`^[A-Ia-i][0-9]-?[A-Ia-i][0-9]$`)
	nonMoves  = regexp.MustCompile(`^([0-9]+\.+|\.\.\.|1-0|0-1|1/2-1/2|\*)$`)
	numberHad = regexp.MustCompile(`^[0-9]+\.+`)
)

// moveList takes a list of moves apart, with or without numbers, commas and the result
// at its end. ok tells whether it is one.
func moveList(text string) (moves []string, ok bool) {
	for _, token := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" \t\r\n,;", r) }) {
		if nonMoves.MatchString(token) {
			continue
		}
		token = numberHad.ReplaceAllString(token, "")
		if !moveToken.MatchString(token) {
			return nil, false
		}
		moves = append(moves, token)
	}
	return moves, len(moves) > 0
}

// playTexts plays moves. The error tells which one is wrong.
func playTexts(pos engine.Position, moves []string) (engine.Position, error) {
	for i, text := range moves {
		m, err := pos.Parse(text)
		if err != nil {
			return nil, fmt.Errorf("move %d: %w", i+1, err)
		}
		if pos, err = pos.Play(m); err != nil {
			return nil, fmt.Errorf("move %d: %w", i+1, err)
		}
	}
	return pos, nil
}

// setBoard starts a game on the call's engine: FEN, and one LOAD for all its moves.
func (c *call) setBoard(pos engine.Position) error {
	return c.shell.await(c.ctx, wait{engines: []*attached{c.engine}}, func(ctx context.Context) error {
		return c.shell.blame(c.engine, c.engine.newGame(ctx, pos))
	})
}

// runSave is .save.
func runSave(c *call) error {
	force := false
	words, err := c.words()
	if err != nil {
		return err
	}
	if len(words) > 0 && words[0] == "-force" {
		force, words = true, words[1:]
	}
	if len(words) != 1 {
		return c.misuse("want the name of one file")
	}
	mode := os.O_WRONLY | os.O_CREATE | os.O_TRUNC
	if !force {
		mode |= os.O_EXCL
	}
	file, err := os.OpenFile(words[0], mode, 0o666)
	if errors.Is(err, os.ErrExist) {
		return fmt.Errorf(".save: %s is there already: -force writes over it", words[0])
	}
	if err != nil {
		return fmt.Errorf(".save: %w", err)
	}
	_, err = io.WriteString(file, gameText(c.engine.session.Position())+"\n")
	if err := errors.Join(err, file.Close()); err != nil {
		return fmt.Errorf(".save: %w", err)
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
		s.tell(err)
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
		err = told{ErrFailed}
	}
	s.editor, s.source, s.failed = outer, from, failed
	return err
}

// runSource is .source.
func runSource(c *call) error {
	path, err := c.only()
	switch {
	case err != nil:
		return err
	case path == "":
		return c.misuse("the file is missing")
	}
	if err := c.shell.readFile(c.ctx, path); err != nil {
		return fmt.Errorf(".source: %w", err)
	}
	return nil
}
