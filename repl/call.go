package repl

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"

	"qhsh/engine"
	"qhsh/engine/games"
)

// A call is one execution of a command.
type call struct {
	ctx     context.Context
	shell   *Shell
	command *command
	engine  *attached // nil if there is none
	line    string    // as typed
	args    string    // the line after the command's name, without surrounding blanks
	out     io.Writer // for data
}

// run checks the command's requirements and executes it.
func (c *call) run() error {
	if err := c.command.checkNeeds(c); err != nil {
		return err
	}
	if own := c.command.group != groupProtocol && c.command.group != groupOwn; own && c.command.usage == "" {
		if _, err := c.argsUpTo(0); err != nil {
			return err
		}
	}
	return c.command.run(c)
}

// usageError returns an error about the command's arguments, with its usage.
func (c *call) usageError(format string, args ...any) error {
	return fmt.Errorf("%s: %w; usage: %s", c.command.name, fmt.Errorf(format, args...), c.command.synopsis())
}

// splitArgs returns the arguments. Single or double quotes enclose an argument that contains
// blanks; there are no escapes.
func (c *call) splitArgs() ([]string, error) {
	words, err := splitQuoted(c.args)
	if err != nil {
		return nil, c.usageError("%w", err)
	}
	return words, nil
}

func splitQuoted(text string) ([]string, error) {
	var words []string
	var word strings.Builder
	inWord, quote := false, rune(0)
	for _, r := range text {
		switch {
		case r == quote:
			quote = 0
		case quote == 0 && (r == '"' || r == '\''):
			quote, inWord = r, true
		case quote == 0 && (r == ' ' || r == '\t'):
			if inWord {
				words = append(words, word.String())
			}
			word.Reset()
			inWord = false
		default:
			word.WriteRune(r)
			inWord = true
		}
	}
	if quote != 0 {
		return nil, errors.New("missing closing quote")
	}
	if inWord {
		words = append(words, word.String())
	}
	return words, nil
}

// argsUpTo returns the arguments, or an error if there are more than n.
func (c *call) argsUpTo(n int) ([]string, error) {
	words, err := c.splitArgs()
	if err == nil && len(words) > n {
		err = c.usageError("unexpected argument %q", words[n])
	}
	return words, err
}

// optionalArg returns the only argument, or "" if there is none.
func (c *call) optionalArg() (string, error) {
	words, err := c.argsUpTo(1)
	if err != nil || len(words) == 0 {
		return "", err
	}
	return words[0], nil
}

// flags parses flags, which may come before, between and after at most most operands, and returns
// the operands.
func (c *call) flags(define func(*flag.FlagSet), most int) (operands []string, err error) {
	words, err := c.splitArgs()
	if err != nil {
		return nil, err
	}
	fs := flag.NewFlagSet(c.command.name, flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	define(fs)
	for {
		switch err := fs.Parse(words); {
		case errors.Is(err, flag.ErrHelp):
			return nil, c.usageError("see '.help %s'", c.command.name)
		case err != nil:
			return nil, c.usageError("%w", err)
		}
		if fs.NArg() == 0 {
			break
		}
		operands = append(operands, fs.Arg(0))
		words = fs.Args()[1:]
	}
	if len(operands) > most {
		return nil, c.usageError("unexpected argument %q", operands[most])
	}
	return operands, nil
}

// drawingOutput returns where the shell draws, and whether in colour. Colour is used only on the
// terminal itself, since what .all or a script captures is plain text.
func (c *call) drawingOutput() (out io.Writer, colour bool) {
	if screen, ok := c.out.(*console); ok && c.shell.host.Color {
		return screen.Raw(), true
	}
	return c.out, false
}

// width returns the columns of the terminal on which the output appears; 0 for other outputs.
func (c *call) width() int {
	if _, screen := c.out.(*console); screen && c.shell.host.Interactive {
		return known(c.shell.host.Width, 0)
	}
	return 0
}

// rowWith returns the row of the board's game, or an error that says for which games the command is,
// unless it has what the command needs.
func (c *call) rowWith(has func(*games.Row) bool) (*games.Row, error) {
	all, game := c.shell.host.Games, c.engine.session.Position().Game()
	row := all.Row(game)
	if !has(row) {
		return nil, fmt.Errorf("%s: requires %s, but the board is one of %s", c.command.name, all.TitlesWith(has), engine.Title(game))
	}
	return row, nil
}

// say writes a message to the user.
func (c *call) say(format string, args ...any) { c.shell.say(format, args...) }
