package repl

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"qhsh/pluginclient"
)

func shellCommands() []*command {
	return []*command{
		{
			name: ".help", aliases: []string{".h"}, usage: "[COMMAND | all]",
			summary: "list the commands, or explain one",
			help: `'.help all' says in a line what each command does. Commands of the protocol are explained
with their replies and an example, and so are those of UCI, UCCI, XBoard's protocol and QTP.
`,
			most: 1, complete: func(s *Shell, before []string) (all []pluginclient.Completion) {
				if len(before) > 0 {
					return nil
				}
				for _, c := range s.commands() {
					all = append(all, pluginclient.Completion{Text: c.name})
				}
				return all
			}, run: runHelp,
		},
		{
			name: ".wait", usage: "TIME",
			summary: "wait for TIME, such as 200ms; after AI or HINTS, before ABORT or TIMEOUT",
			help: `In a script every command is answered before the next one is sent. With

  AI
  .wait 200ms
  ABORT

the engine thinks for at most 200 ms.
`,
			most: 1, missing: "time, such as 200ms", run: runWait,
		},
		{
			name: ".quit", aliases: []string{".exit", ".q"},
			summary: "end the engines and exit, as Ctrl-D does",
			run:     runQuit,
		},
	}
}

const helpStart = `A line is a command of the protocol, which goes to the engine unchanged; or a command of the
shell, which starts with a dot; or a FEN or moves for the board.
`

const helpEnd = `
'.help COMMAND' explains a command, '.help all' says what each does. Tab completes, Ctrl-R
searches earlier lines, Ctrl-C stops the engine, Ctrl-D exits.
`

func runHelp(c *call) error {
	name, text := c.operand(), ""
	cmd := c.shell.command(name)
	if cmd == nil {
		cmd = c.shell.table.find("." + name)
	}
	switch {
	case name == "":
		text = overview(c.shell.commands(), cmp.Or(c.width(), 80))
	case name == "all":
		text = help(c.shell.commands())
	case cmd != nil:
		text = cmd.fullHelp()
		if prompts := c.shell.host.Prompts; cmd.name == attachName && prompts != "" {
			text = strings.TrimSuffix(text, "\n") + " " + prompts
		}
	default:
		texts := pluginclient.References(c.shell.host.Protocols, name)
		if texts == nil {
			return c.shell.unknownCommand(name)
		}
		text = strings.Join(texts, "\n")
	}
	fmt.Fprint(c.out, fill(text, c.width()))
	return nil
}

// overview formats the names of the commands, which fit on a screen.
func overview(all []*command, width int) string {
	var b strings.Builder
	b.WriteString(helpStart + "\n")
	for group, commands := range groups(all) {
		line := fmt.Sprintf("%-9s", group)
		for _, c := range commands {
			line += " " + c.name
		}
		b.WriteString(wrap(line+"\n", width))
	}
	b.WriteString(helpEnd)
	return b.String()
}

func help(all []*command) string {
	var b strings.Builder
	b.WriteString(helpStart)
	for group, commands := range groups(all) {
		fmt.Fprintf(&b, "\n%s\n", group)
		for _, c := range commands {
			fmt.Fprintf(&b, "  %-10s %s\n", c.name, c.summary)
		}
	}
	b.WriteString(helpEnd)
	return b.String()
}

func (c *command) fullHelp() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n  %s\n", c.synopsis(), c.summary)
	if len(c.aliases) > 0 {
		fmt.Fprintf(&b, "  also %s\n", strings.Join(c.aliases, " "))
	}
	if c.ability != "" {
		fmt.Fprintf(&b, "  for engines that announce %s\n", c.ability)
	}
	if c.help != "" {
		b.WriteString("\n" + c.help)
	}
	b.WriteString(c.reference)
	return b.String()
}

func runWait(c *call) error {
	d, err := time.ParseDuration(c.operand())
	if err != nil || d < 0 {
		return c.usageError("invalid time %q: use a form such as 200ms", c.operand())
	}
	_ = c.shell.console.flushIf(true)
	c.shell.forgetInterrupt()
	select {
	case <-time.After(d):
		return nil
	case <-c.shell.host.Interrupt:
		c.shell.halted = true
		return ErrInterrupted
	case <-c.ctx.Done():
		return ErrInterrupted
	}
}

func runQuit(c *call) error {
	if err := c.shell.warnUnsaved(c.shell.engines...); err != nil {
		return err
	}
	c.shell.over = true
	return nil
}
