package repl

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"qhsh/script"
)

const scriptExtension = ".star"

func scriptCommands() []*command {
	return []*command{
		{
			name: ".source", usage: "FILE [ARG...]",
			summary: "run the lines of a file as if they were typed, or a Starlark program, FILE.star",
			help: `A program gets the ARGs as args and flag("name"). Its definitions are available in .star. A
function command_x(args) becomes the command .x, with its docstring as the help; args is the
text after .x. The value session is the current engine, and shell(line) runs a line that
uses no file and starts no engine.
A program can start only builtin, the attached engines, and those of -engine and
-allow-engine. It can write only below -out, and read only its arguments and its own folder.
`,
			most: math.MaxInt, missing: "file", trusted: true, complete: fileNames, run: runSource,
		},
		{
			name: ".star", usage: "[CODE]",
			summary: "evaluate a line of Starlark or, without CODE, all lines up to .quit",
			help: `The value of an expression is printed and assigned to _, unless it is None. A line that opens
a block or a bracket is continued on the next one; an empty line, or the end of the input,
ends a block. Ctrl-C drops a block or stops the program. A line that starts with a dot is a
command of the shell, except that .quit, like Ctrl-D, returns to the shell's prompt.
In the history a block is one item, with ␤ for each end of a line; .edit edits the last one.
The value session is the current engine. help() lists the other names, help(x) explains x.
`,
			text: true, trusted: true, run: runStar,
		},
	}
}

// runSource implements .source. Definitions that a program makes before an error are kept.
func runSource(c *call) error {
	path, t := c.operand(), c.shell.script
	if !strings.EqualFold(filepath.Ext(path), scriptExtension) {
		if len(c.operands) > 1 {
			return c.usageError("arguments are only for programs, FILE%s", scriptExtension)
		}
		if err := c.shell.readFile(c.ctx, path); err != nil {
			return fmt.Errorf(".source: %w", err)
		}
		return nil
	}
	before := t.environment().Commands()
	err := t.run(c.ctx, filepath.Base(path), func(ctx context.Context, env *script.Env) error {
		return env.RunFile(ctx, path, c.operands[1:])
	})
	var failure *script.Error
	if err != nil && !errors.As(err, &failure) && !errors.As(err, new(reportedError)) {
		return fmt.Errorf(".source: %w", err) // the file could not be read
	}
	t.refused = slices.DeleteFunc(t.refused, func(pos string) bool { return strings.HasPrefix(pos, path+":") })
	if names := t.addCommands(before); len(names) > 0 {
		c.shell.notify("new commands: %s", strings.Join(names, " "))
	}
	return errors.Join(err, t.reportRefused())
}

func runStar(c *call) error {
	if c.args != "" {
		return c.shell.script.eval(c, c.args)
	}
	if c.shell.script.prompting {
		return c.usageError("already at the Starlark prompt")
	}
	return c.starPrompt()
}

// eval evaluates Starlark code and prints its value.
func (t *scripting) eval(c *call, code string) error {
	before := t.environment().Commands()
	err := t.print(c, scriptExtension, func(ctx context.Context, env *script.Env) (string, error) { return env.Exec(ctx, code) })
	t.addCommands(before)
	return errors.Join(err, t.reportRefused())
}

// print is run for work whose result is printed.
func (t *scripting) print(c *call, name string, work func(context.Context, *script.Env) (string, error)) error {
	var text string
	err := t.run(c.ctx, name, func(ctx context.Context, env *script.Env) (err error) {
		text, err = work(ctx, env)
		return err
	})
	if err == nil && text != "" {
		fmt.Fprintln(c.out, text)
	}
	return err
}

var errEndPrompt = errors.New("leave")

// starPrompt runs the Starlark prompt. Errors in it have been reported when it returns.
func (c *call) starPrompt() error {
	s := c.shell
	s.script.prompting = true
	defer func() { s.script.prompting = false }()
	s.notify("Starlark: help() lists the names, an empty line ends a block, Ctrl-D or .quit returns")
	var failed error
	for !s.over && c.ctx.Err() == nil {
		if err := s.beforeLine(); err != nil {
			return err
		}
		switch err := c.starLine(); {
		case err == nil:
		case errors.Is(err, errEndPrompt):
			return failed
		case errors.Is(err, ErrInterrupted) && !s.host.Interactive:
			return err
		default:
			failed = reportedError{ErrFailed}
			if s.options.Bail {
				return failed
			}
		}
	}
	return failed
}

// starLine reads and executes a line or a block at the Starlark prompt, and reports its error.
func (c *call) starLine() error {
	s := c.shell
	line, err := s.readPart("star> ")
	first := s.source.line
	switch {
	case errors.Is(err, io.EOF):
		return errEndPrompt
	case errors.Is(err, ErrInterrupted) && s.host.Interactive:
		return nil
	case err != nil:
		return err
	}
	word, _ := cutWord(line)
	cmd := s.table.find(word)
	quits := cmd != nil && cmd.name == ".quit"
	if name := strings.TrimSuffix(strings.TrimSpace(line), "()"); name == "exit" || name == "quit" { // as at Python's prompt
		quits = !slices.Contains(s.script.environment().Names(), name)
	}
	isCommand, isEmpty := strings.HasPrefix(word, "."), isComment(word) && !strings.Contains(line, lineBreak)
	if quits || isCommand || isEmpty {
		s.editor.Remember(line)
	}
	switch {
	case quits:
		return errEndPrompt
	case isCommand:
		return s.executeAndReport(c.ctx, line)
	case isEmpty:
		return nil
	}
	source, err := s.readBlock(strings.ReplaceAll(line, lineBreak, "\n"))
	if err == nil {
		last := s.source.line
		s.source.line = first // the place of an error in the block
		err = s.script.eval(c, source)
		if err != nil {
			s.reportError(err)
		}
		s.source.line = last
	}
	return err
}

// readBlock reads the rest of the block that first starts. A first of several lines comes from the
// history, and is a whole block unless a bracket is open.
func (s *Shell) readBlock(first string) (string, error) {
	t := s.script
	t.block = []string{first}
	if strings.Contains(first, "\n") {
		t.block = append(t.block, "")
	}
	defer func() {
		s.rememberBlock(strings.Join(t.block, "\n"))
		t.block = nil
	}()
	for !script.IsComplete(strings.Join(t.block, "\n") + "\n") {
		line, err := s.readPart("....> ") // as wide as the first prompt, so that indentation lines up
		switch {
		case errors.Is(err, io.EOF):
			return strings.Join(t.block, "\n") + "\n", nil
		case errors.Is(err, ErrInterrupted) && s.host.Interactive:
			s.say("nothing was run")
			return "", nil
		case err != nil:
			return "", err
		}
		t.block = append(t.block, line)
	}
	return strings.Join(t.block, "\n") + "\n", nil
}

// rememberBlock adds a block to the history as one item and, if it has several lines, keeps it for
// .edit.
func (s *Shell) rememberBlock(text string) {
	s.editor.Remember(text)
	if text = strings.TrimSpace(text); strings.Contains(text, "\n") {
		s.script.lastBlock = text
	}
}

// addCommands makes the functions command_x of scripts commands of the shell, and returns the new
// ones.
func (t *scripting) addCommands(before []script.Command) (names []string) {
	table := t.shell.table
	table.scripted = nil
	for _, f := range t.env.Commands() {
		name := "." + f.Name
		if table.find(name) != nil {
			continue // reportRefused reports it
		}
		table.scripted = append(table.scripted, t.command(f))
		if !slices.Contains(before, f) {
			names = append(names, name)
		}
	}
	return names
}

// reportRefused reports functions that cannot become commands, each one once. It returns an error
// if there are any.
func (t *scripting) reportRefused() (err error) {
	s := t.shell
	for _, f := range t.env.Commands() {
		cmd := s.table.find("." + f.Name)
		if cmd.group == groupOwn && cmd.name == "."+f.Name || slices.Contains(t.refused, f.Pos) {
			continue
		}
		t.refused = append(t.refused, f.Pos)
		s.say("%s%s: command_%s cannot become .%[3]s, which already exists: rename it", s.place(), f.Pos, f.Name)
		err = reportedError{ErrFailed}
	}
	return err
}

func (t *scripting) command(f script.Command) *command {
	summary, more, _ := strings.Cut(f.Doc, "\n")
	if summary == "" {
		file, _, _ := strings.Cut(filepath.Base(f.Pos), ":")
		summary = "a command of " + file
	}
	cmd := &command{name: "." + f.Name, group: groupOwn, text: true, trusted: true, summary: summary, help: strings.TrimLeft(more, "\n")}
	if cmd.help != "" {
		cmd.help = strings.TrimRight(cmd.help, "\n") + "\n"
	}
	if f.Args {
		cmd.usage, cmd.complete = "[ARGS]", fileNames
	}
	cmd.run = func(c *call) error {
		if !f.Args && c.args != "" {
			return c.usageError("takes no arguments")
		}
		return t.print(c, cmd.name, func(ctx context.Context, env *script.Env) (string, error) { return env.Call(ctx, f.Name, c.args) })
	}
	return cmd
}
