package repl

import (
	"errors"
	"os"
	"path/filepath"
	"strings"

	"qhsh/engine/filelock"
)

// historyFile is the name of the history file in Host.StateDir.
const historyFile = "history"

// maxHistory is how many lines are kept. The file may have twice as many: it is rarely rewritten, as
// a line that another session adds at that moment would be lost.
const maxHistory = 1000

// lineBreak stands for the end of a line in an item of several lines, on the screen and in the file:
// the line editor shows one row, and the file has one item per line.
const lineBreak = "␤"

// A history holds the lines typed in this session and in earlier ones. Only its owner can read the
// file. The line editor's own history is not used: its file would be readable by everybody, and it
// would save a line found by searching as an empty one.
type history struct {
	path  string // empty if the history is not saved
	lines []string
}

// openHistory reads the history of earlier sessions from dir. If dir has none, it is copied from
// the directory former, where earlier versions kept it. The history works without its file, so the
// error is only for the user.
func openHistory(dir, former string) (*history, error) {
	h := &history{}
	if dir == "" {
		return h, nil
	}
	path := filepath.Join(dir, historyFile)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return h, err
	}
	data, err := os.ReadFile(path)
	rewriting := false
	if errors.Is(err, os.ErrNotExist) && former != "" && former != dir {
		if old, oldErr := os.ReadFile(filepath.Join(former, historyFile)); oldErr == nil {
			data, rewriting = old, true
		}
	}
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return h, err
	}
	h.path = path
	for line := range strings.Lines(string(data)) {
		if line = strings.TrimRight(line, "\r\n"); line != "" {
			h.lines = append(h.lines, line)
		}
	}
	if err == nil {
		err = os.Chmod(path, 0o600)
	}
	rewriting = rewriting || len(h.lines) > 2*maxHistory
	h.lines = h.lines[max(0, len(h.lines)-maxHistory):]
	if rewriting {
		err = h.rewrite()
	}
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return h, err
	}
	return h, nil
}

// add appends a line, or several lines as one item, unless it is blank or equal to the previous item.
func (h *history) add(text string) error {
	line := strings.ReplaceAll(strings.TrimRight(text, " \t\n"), "\n", lineBreak)
	if strings.TrimSpace(line) == "" || len(h.lines) > 0 && h.lines[len(h.lines)-1] == line {
		return nil
	}
	h.lines = append(h.lines, line)
	h.lines = h.lines[max(0, len(h.lines)-maxHistory):]
	if h.path == "" {
		return nil
	}
	file, err := os.OpenFile(h.path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = file.WriteString(line + "\n")
	return errors.Join(err, file.Close())
}

// rewrite replaces the file with the lines that are kept.
func (h *history) rewrite() error {
	file, err := os.CreateTemp(filepath.Dir(h.path), historyFile) // readable only by its owner
	if err != nil {
		return err
	}
	_, err = file.WriteString(strings.Join(h.lines, "\n") + "\n")
	if err := errors.Join(err, file.Sync(), file.Close()); err != nil {
		return errors.Join(err, os.Remove(file.Name()))
	}
	return filelock.Rename(file.Name(), h.path)
}
