package repl

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"strconv"
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

	operands []string // args without the flags
	style    string   // the notation in which moves are shown: the shell's, or that of -notation
	styled   bool     // -notation was given
	force    bool     // -force

	at   *place    // where the board stands, for commands that need that
	game *keptGame // its game
}

// run checks the command's requirements, parses its arguments, and executes it. An ability that the
// engine has not announced is only a warning: the user may be testing exactly that.
func (c *call) run() error {
	cmd := c.command
	switch {
	case cmd.needs == needsNothing:
	case c.engine == nil:
		return errNoEngine
	case cmd.needs == needsRunning:
		if err := c.engine.checkRunning(); err != nil {
			return err
		}
	case cmd.ability != "" && !c.engine.has(cmd.ability):
		c.shell.say("%s does not announce %s", c.engine.name, cmd.ability)
	}
	run, err := c.parse()
	if err == nil && cmd.needs == needsPlace {
		err = c.findPlace()
	}
	if err != nil {
		return err
	}
	return run()
}

// parse parses the arguments and returns the function that executes the command. Flags may come
// before, between and after the operands.
func (c *call) parse() (run func() error, err error) {
	cmd := c.command
	fs, run := cmd.flags(c)
	if cmd.text {
		c.operands = []string{c.args}
	} else if c.operands, err = splitQuoted(c.args); err != nil {
		return nil, c.usageError("%w", err)
	}
	if fs != nil {
		words := c.operands
		for c.operands = nil; ; words = fs.Args()[1:] {
			switch err := fs.Parse(words); {
			case errors.Is(err, flag.ErrHelp):
				return nil, c.usageError("see '.help %s'", cmd.name)
			case err != nil:
				return nil, c.usageError("%w", err)
			}
			if fs.NArg() == 0 {
				break
			}
			c.operands = append(c.operands, fs.Arg(0))
		}
	}
	switch {
	case !cmd.text && len(c.operands) > cmd.most:
		return nil, c.usageError("unexpected argument %q", c.operands[cmd.most])
	case cmd.missing != "" && c.operand() == "":
		return nil, c.usageError("missing %s", cmd.missing)
	case cmd.trusted:
		err = c.shell.refuseInScript(cmd.name)
	}
	return run, err
}

// flags returns the flags of a command, nil if it has none, and the function that executes it.
func (cmd *command) flags(c *call) (fs *flag.FlagSet, run func() error) {
	c.style = c.shell.style
	if cmd.setup == nil && !cmd.notation && !cmd.force {
		return nil, func() error { return cmd.run(c) }
	}
	fs = flag.NewFlagSet(cmd.name, flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	if cmd.notation {
		fs.Func("notation", "", func(name string) (err error) {
			c.styled = true
			c.style, err = c.shell.host.Games.NotationOf(c.shell.rules(c.engine), name)
			return err
		})
	}
	if cmd.force {
		fs.BoolVar(&c.force, "force", false, "")
	}
	if cmd.setup != nil {
		return fs, cmd.setup(c, fs)
	}
	return fs, func() error { return cmd.run(c) }
}

// operand returns the first operand, or "" if there is none.
func (c *call) operand() string { return append(c.operands, "")[0] }

// number returns the operand as the number of some things, or usual if there is none.
func (c *call) number(things string, usual int) (int, error) {
	text := c.operand()
	if text == "" {
		return usual, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		return 0, c.usageError("invalid number of %s %q", things, text)
	}
	return n, nil
}

func (c *call) usageError(format string, args ...any) error {
	return fmt.Errorf("%s: %w; usage: %s", c.command.name, fmt.Errorf(format, args...), c.command.synopsis())
}

// splitQuoted splits arguments. Single or double quotes enclose an argument that contains blanks;
// there are no escapes.
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

// width returns the columns of the terminal on which the output appears; 0 for other outputs.
func (c *call) width() (columns int) {
	if _, screen := c.out.(*console); screen && c.shell.host.Interactive && c.shell.host.Size != nil {
		columns, _ = c.shell.host.Size()
	}
	return columns
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
