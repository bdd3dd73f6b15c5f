package repl

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"qhsh/script"
)

const (
	scriptExtension = ".star"
	promptStar      = "star> "
	promptBlock     = "....> " // as wide, so that a block stands as it is indented
)

// scriptCommands are those that carry out scripts.
func scriptCommands() []*command {
	commands := []*command{
		{
			name: ".source", usage: "FILE [ARG...]",
			summary: "carry out the lines of a file as if they were typed, or a Starlark program, FILE.star",
			help: `A program gets the ARGs as args and flag("name"). What it defines is there for .star, and
a function command_x(args) becomes the command .x, with its docstring as the help; args
is what stands behind .x. The value session is the engine that .use has chosen, and
shell(line) runs a line that touches no file and starts no engine.
A program starts no engine but builtin, those that are attached, and those of -engine and
-allow-engine; it writes below -out alone, and reads its arguments and its own folder.
`,
			complete: fileNames, run: runSource,
		},
		{
			name: ".star", usage: "[CODE]",
			summary: "work out a line of Starlark, or, without one, all lines up to .quit",
			help: `The value of an expression is shown, if it is not None, and is _ from then on. A line that
opens a block or a bracket is continued; an empty line ends a block, and so does the end
of the input. Ctrl-C drops a block, or stops the program. A line that begins with a dot
is a command of the shell's, but .quit, like Ctrl-D, goes back to the shell's own prompt.
The value session is the engine that .use has chosen. help() lists what else there is,
and help(x) tells about x.
`,
			run: runStar,
		},
	}
	for _, c := range commands {
		c.group = groupScripts
	}
	return commands
}

// runSource is .source.
func runSource(c *call) error {
	words, err := c.splitArgs()
	switch {
	case err != nil:
		return err
	case len(words) == 0:
		return c.usageError("the file is missing")
	}
	if err := c.shell.refuseInScript(c.command.name); err != nil {
		return err
	}
	if strings.EqualFold(filepath.Ext(words[0]), scriptExtension) {
		return c.sourceScript(words[0], words[1:])
	}
	if len(words) > 1 {
		return c.usageError("only a program, FILE%s, has arguments", scriptExtension)
	}
	if err := c.shell.readFile(c.ctx, words[0]); err != nil {
		return fmt.Errorf(".source: %w", err)
	}
	return nil
}

// sourceScript runs a program. What it has defined up to an error stays.
func (c *call) sourceScript(path string, args []string) error {
	t := c.shell.script
	before := t.environment().Commands()
	err := t.run(c.ctx, filepath.Base(path), func(ctx context.Context, env *script.Env) error {
		return env.RunFile(ctx, path, args)
	})
	var failure *script.Error
	if err != nil && !errors.As(err, &failure) && !errors.As(err, new(reportedError)) {
		return fmt.Errorf(".source: %w", err) // the file could not be read
	}
	t.refused = slices.DeleteFunc(t.refused, func(pos string) bool { return strings.HasPrefix(pos, path+":") })
	names := t.addCommands(before)
	if len(names) > 0 {
		c.shell.notify("there %s %s", isAre(len(names)), strings.Join(names, " "))
	}
	return errors.Join(err, t.reportRefused())
}

// runStar is .star.
func runStar(c *call) error {
	if err := c.shell.refuseInScript(c.command.name); err != nil {
		return err
	}
	if c.args != "" {
		return c.shell.script.eval(c, c.args)
	}
	if c.shell.script.prompting {
		return c.usageError("this is its prompt already")
	}
	return c.starPrompt()
}

// work works out Starlark code, and shows what it comes to.
func (t *scripting) eval(c *call, code string) error {
	before := t.environment().Commands()
	var text string
	err := t.run(c.ctx, scriptExtension, func(ctx context.Context, env *script.Env) (err error) {
		text, err = env.Exec(ctx, code)
		return err
	})
	t.addCommands(before)
	if err == nil && text != "" {
		fmt.Fprintln(c.out, text)
	}
	return errors.Join(err, t.reportRefused())
}

// errLeave ends the prompt.
var errEndPrompt = errors.New("leave")

// starPrompt is the prompt of Starlark. What goes wrong at it has been told.
func (c *call) starPrompt() error {
	s := c.shell
	s.script.prompting = true
	defer func() { s.script.prompting = false }()
	s.notify("Starlark: help() lists the names, an empty line ends a block, Ctrl-D or .quit goes back")
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

// starLine reads and carries out a line at the prompt of Starlark, or a block. The error
// has been told.
func (c *call) starLine() error {
	s := c.shell
	line, err := s.readLine(promptStar)
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
	switch cmd := s.table.find(word); {
	case isComment(word):
		return nil
	case cmd != nil && cmd.name == ".quit", s.script.endsPrompt(line):
		return errEndPrompt
	case strings.HasPrefix(word, "."):
		return s.executeAndReport(c.ctx, line)
	}
	source, err := s.readBlock(line)
	if err == nil {
		last := s.source.line
		s.source.line = first // where an error of the block is
		err = s.script.eval(c, source)
		s.reportIfError(err)
		s.source.line = last
	}
	return err
}

// leaves reports whether a line is how a prompt of Python's is left, if it is not defined.
func (t *scripting) endsPrompt(line string) bool {
	word := strings.TrimSuffix(strings.TrimSpace(line), "()")
	return (word == "exit" || word == "quit") && !slices.Contains(t.environment().Names(), word)
}

// tellAny tells an error if there is one.
func (s *Shell) reportIfError(err error) {
	if err != nil {
		s.reportError(err)
	}
}

// readBlock reads what belongs to a first line.
func (s *Shell) readBlock(first string) (string, error) {
	t := s.script
	t.block = []string{first}
	defer func() { t.block = nil }()
	for !script.IsComplete(strings.Join(t.block, "\n") + "\n") {
		line, err := s.readLine(promptBlock)
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

// adopt makes the functions command_x of scripts commands of the shell, and answers
// those that were not there before.
func (t *scripting) addCommands(before []script.Command) (names []string) {
	table := t.shell.table
	table.scripted = nil
	for _, f := range t.env.Commands() {
		name := "." + f.Name
		if table.find(name) != nil {
			continue // refuse tells
		}
		table.scripted = append(table.scripted, t.command(f))
		if !slices.Contains(before, f) {
			names = append(names, name)
		}
	}
	return names
}

// refuse tells of functions that cannot become commands, once of each. It is an error if
// there are any.
func (t *scripting) reportRefused() (err error) {
	s := t.shell
	for _, f := range t.env.Commands() {
		cmd := s.table.find("." + f.Name)
		if cmd.group == groupOwn && cmd.name == "."+f.Name || slices.Contains(t.refused, f.Pos) {
			continue
		}
		t.refused = append(t.refused, f.Pos)
		s.say("%s%s: command_%s does not become .%[3]s, which is there already: give it another name", s.place(), f.Pos, f.Name)
		err = reportedError{ErrFailed}
	}
	return err
}

// command is a function of a script as a command of the shell.
func (t *scripting) command(f script.Command) *command {
	summary, more, _ := strings.Cut(f.Doc, "\n")
	if summary == "" {
		file, _, _ := strings.Cut(filepath.Base(f.Pos), ":")
		summary = "a command of " + file
	}
	cmd := &command{name: "." + f.Name, group: groupOwn, summary: summary, help: strings.TrimLeft(more, "\n")}
	if cmd.help != "" {
		cmd.help = strings.TrimRight(cmd.help, "\n") + "\n"
	}
	if f.Args {
		cmd.usage, cmd.complete = "[ARGS]", fileNames
	}
	cmd.run = func(c *call) error {
		if err := c.shell.refuseInScript(cmd.name); err != nil {
			return err
		}
		if !f.Args && c.args != "" {
			return c.usageError("it takes no arguments")
		}
		var text string
		err := t.run(c.ctx, cmd.name, func(ctx context.Context, env *script.Env) (err error) {
			text, err = env.Call(ctx, f.Name, c.args)
			return err
		})
		if err == nil && text != "" {
			fmt.Fprintln(c.out, text)
		}
		return err
	}
	return cmd
}
