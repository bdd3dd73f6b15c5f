package repl

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
)

func runEdit(c *call) error {
	path, t := c.operand(), c.shell.script
	switch {
	case c.shell.host.Edit == nil:
		return errors.New(".edit: no terminal for a text editor")
	case path != "":
		return c.edit(path)
	case t.prompting: // the last block
		text, err := c.editText(t.lastBlock, "block-*.star")
		if err != nil || text == "" || text == t.lastBlock {
			return err
		}
		c.shell.rememberBlock(text)
		return t.eval(c, text+"\n")
	case c.engine == nil:
		return errNoEngine // with a position
	}
	if err := c.findPlace(); err != nil {
		return err
	}
	node := c.at.node() // the comment is on the last move, or on the game if there is none
	text, err := c.editText(node.Comment, "comment-*.txt")
	if err == nil && text != node.Comment {
		c.write(func() { node.Comment = text })
	}
	return err
}

// edit opens the text editor and returns when it ends.
func (c *call) edit(path string) error {
	_ = c.shell.console.flushIf(true)
	err := c.shell.host.Edit(c.ctx, path)
	c.shell.forgetInterrupt() // Ctrl-C was for the text editor
	if err != nil {
		return fmt.Errorf(".edit: %w", err)
	}
	return nil
}

// editText returns a text, without space around it, as the user has changed it in the text editor.
// name is the pattern of the temporary file's name.
func (c *call) editText(text, name string) (string, error) {
	path, err := c.shell.writeTemp(name, text)
	if err != nil {
		return "", fmt.Errorf(".edit: %w", err)
	}
	defer os.Remove(path)
	if err := c.edit(path); err != nil {
		return "", err
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return "", fmt.Errorf(".edit: %w", err)
	}
	if !isPlain(data) {
		return "", errors.New(".edit: unknown text encoding: save the text as UTF-8")
	}
	return strings.TrimSpace(strings.ReplaceAll(string(data), "\r\n", "\n")), nil
}

// writeTemp writes a text to a new temporary file, in the folder of the history, which no other user can
// read, and returns its path.
func (s *Shell) writeTemp(name, text string) (path string, err error) {
	dir := s.host.StateDir
	if dir == "" {
		return "", errors.New("no folder for a temporary file")
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	file, err := os.CreateTemp(dir, name)
	if err != nil {
		return "", err
	}
	if text != "" {
		text += "\n"
	}
	_, err = io.WriteString(file, text)
	if err := errors.Join(err, file.Close()); err != nil {
		return "", errors.Join(err, os.Remove(file.Name()))
	}
	return file.Name(), nil
}
