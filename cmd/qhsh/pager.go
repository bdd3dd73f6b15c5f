package main

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"strings"

	"qhsh/engine/printable"
	"qhsh/pluginclient/task/output"
)

// showText writes a text to stdout, on a terminal through the user's pager.
func (h host) showText(ctx context.Context, text string) error {
	screen, isFile := terminalOf(h.Stdout)
	command := pagerCommand(h.Env, exec.LookPath)
	if h.StdoutTTY && isFile && command != "" {
		if err := runPager(ctx, h, command, screen, text); err == nil {
			return nil
		}
	}
	_, err := io.WriteString(h.Stdout, text)
	return err
}

// terminalOf returns the file behind stdout, whose escaping a pager does without.
func terminalOf(stdout io.Writer) (*os.File, bool) {
	if s, ok := stdout.(output.Stream); ok {
		stdout = s.Writer
	}
	file, ok := printable.Raw(stdout).(*os.File)
	return file, ok
}

// pagerCommand returns the command line of the user's pager, or "" if there is none. find is
// exec.LookPath.
func pagerCommand(env func(string) string, find func(string) (string, error)) string {
	command := strings.TrimSpace(env("PAGER"))
	switch {
	case env("TERM") == "dumb" || command == "cat":
		return ""
	case command != "":
		return command
	}
	const usual = "less"
	if _, err := find(usual); err != nil {
		return ""
	}
	return usual
}

// lessOptions are less's options where the user has set none: do not page a text that fits on the
// screen, leave it there, and pass colours.
const lessOptions = "FRX"

// runPager shows a text by a pager. The error is that of a pager that showed nothing. Ctrl-C is for
// the pager, which must not be left behind on the terminal.
func runPager(ctx context.Context, h host, command string, screen *os.File, text string) error {
	interrupts := make(chan os.Signal, 1)
	signal.Notify(interrupts, os.Interrupt)
	defer signal.Stop(interrupts)
	name, args := "/bin/sh", []string{"-c", command}
	if words := strings.Fields(command); runtime.GOOS == "windows" {
		name, args = words[0], words[1:]
	}
	pager := exec.CommandContext(context.WithoutCancel(ctx), name, args...)
	pager.Stdin, pager.Stdout, pager.Stderr = strings.NewReader(text), screen, h.Stderr
	if h.Env("LESS") == "" {
		pager.Env = append(os.Environ(), "LESS="+lessOptions)
	}
	err := pager.Run()
	const notFound = 127 // of the shell
	if failed := new(exec.ExitError); errors.As(err, &failed) && failed.ExitCode() != notFound {
		return nil // the user has seen what it showed
	}
	return err
}
