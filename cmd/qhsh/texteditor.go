package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
	"time"

	"golang.org/x/term"
)

// editorCommand returns the command line of the user's text editor. find is exec.LookPath.
func editorCommand(env func(string) string, system string, find func(string) (string, error)) (string, error) {
	if command := cmp.Or(env("EDITOR"), env("VISUAL")); strings.TrimSpace(command) != "" {
		return command, nil
	}
	usual := "vi"
	if system == "windows" {
		usual = "notepad"
	}
	if _, err := find(usual); err != nil {
		return "", fmt.Errorf("no text editor: set EDITOR to the command of one (%w)", err)
	}
	return usual, nil
}

// editWith returns a function that runs the user's text editor on a file, on the terminal that in
// reads.
func editWith(h host, in *sharedInput) func(ctx context.Context, path string) error {
	return func(ctx context.Context, path string) error {
		command, err := editorCommand(h.Env, runtime.GOOS, exec.LookPath)
		if err != nil {
			return err
		}
		name, args := "/bin/sh", []string{"-c", command + ` "$1"`, command, path}
		if words := strings.Fields(command); runtime.GOOS == "windows" {
			name, args = words[0], append(words[1:], path)
		}
		editor := exec.CommandContext(ctx, name, args...)
		editor.Stdin, editor.Stdout, editor.Stderr = in.file, in.file, in.file
		editor.Cancel = func() error {
			if err := editor.Process.Signal(syscall.SIGTERM); err == nil {
				return nil
			}
			return editor.Process.Kill()
		}
		editor.WaitDelay = time.Second
		if err := in.lendTo(editor); err != nil {
			return fmt.Errorf("%s: %w", command, err)
		}
		return nil
	}
}

// lendTo runs a program on the terminal. Afterwards the terminal has the mode that it had, even if
// the program was killed.
func (s *sharedInput) lendTo(program *exec.Cmd) error {
	defer s.lend()()
	fd := int(s.file.Fd())
	before, err := term.GetState(fd)
	if err != nil {
		return err
	}
	err = program.Run()
	const killed = 128 // added to the signal by the shell
	if failed := new(exec.ExitError); errors.As(err, &failed) && (!failed.Exited() || failed.ExitCode() > killed) {
		_, _ = io.WriteString(s.file, leaveFullScreen)
	}
	return errors.Join(err, term.Restore(fd, before))
}

// leaveFullScreen ends what a text editor has set up on a terminal: the alternate screen, a hidden
// cursor, keys of an application, bracketed paste, the mouse, and colours.
const leaveFullScreen = "\x1b[?1049l\x1b[?25h\x1b[?1l\x1b>\x1b[?2004l\x1b[?1000l\x1b[m\r\n"
