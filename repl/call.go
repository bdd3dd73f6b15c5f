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

// A call is one command being carried out.
type call struct {
	ctx     context.Context
	shell   *Shell
	command *command
	engine  *attached // nil: there is none
	line    string    // as it was typed
	args    string    // what follows the command's name, without the blanks around it
	out     io.Writer // for data
}

// run does the command.
func (c *call) run() error {
	if err := c.command.checkNeeds(c); err != nil {
		return err
	}
	return c.command.run(c)
}

// misuse is the error of arguments that make no sense.
func (c *call) usageError(format string, args ...any) error {
	return fmt.Errorf("%s: %w; usage: %s", c.command.name, fmt.Errorf(format, args...), c.command.synopsis())
}

// words are the arguments. Those that contain blanks stand in quotes, single or double;
// nothing else is special.
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
		return nil, errors.New("a quote is not closed")
	}
	if inWord {
		words = append(words, word.String())
	}
	return words, nil
}

// atMost is the arguments if there are no more than n of them.
func (c *call) argsUpTo(n int) ([]string, error) {
	words, err := c.splitArgs()
	if err == nil && len(words) > n {
		err = c.usageError("%q is one word too many", words[n])
	}
	return words, err
}

// only is the single argument, or empty where none is needed.
func (c *call) optionalArg() (string, error) {
	words, err := c.argsUpTo(1)
	if err != nil || len(words) == 0 {
		return "", err
	}
	return words[0], nil
}

// flags reads flags, wherever they stand among the operands.
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
			return nil, c.usageError("'.help %s' tells more", c.command.name)
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
		return nil, c.usageError("%q is one word too many", operands[most])
	}
	return operands, nil
}

// canvas is where the shell draws, and whether in colour: only on the terminal itself, since
// what is kept for .all or for a script is text.
func (c *call) drawingOutput() (out io.Writer, colour bool) {
	if screen, ok := c.out.(*console); ok && c.shell.host.Color {
		return screen.Raw(), true
	}
	return c.out, false
}

// able is what the row of the board's game can do, or the error of a command that is for other
// games.
func gameAbility[A any](c *call) (ability A, err error) {
	game := c.engine.session.Position().Game()
	ability, ok := games.Ability[A](c.shell.host.Games, game)
	if !ok {
		err = fmt.Errorf("%s: this is for %s, and the board is one of %s", c.command.name, games.TitlesWith[A](c.shell.host.Games), engine.Title(game))
	}
	return ability, err
}

// say tells a person something about the command.
func (c *call) say(format string, args ...any) { c.shell.say(format, args...) }
