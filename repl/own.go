package repl

import (
	"fmt"
	"strings"
	"time"

	"qhsh/engine"
)

const (
	send       = ".send"
	attachName = ".attach"
)

// engineCommands are those that deal with engines as a whole.
func engineCommands() []*command {
	commands := []*command{
		{
			name: attachName, usage: "SPEC [as NAME]",
			summary: "start an engine and talk to it from now on",
			help: `A SPEC is 'builtin', the embedded engine, with options if need be as in
'builtin,nodes=20000,hash=64'; or the command line of a program that speaks QHPLUGIN,
as './engine' or 'qh,dir=/opt/books:./engine'; or a name in engines.json. The engine gets the
board of the one before.
`,
			complete: specs, run: runAttach,
		},
		{
			name: ".engines", needs: nothing,
			summary: "list the engines; * is the current one",
			run:     runEngines,
		},
		{
			name: ".use", usage: "NAME",
			summary:  "talk to another engine from now on; each has its own board",
			complete: engineNames, run: runUse,
		},
		{
			name: ".sync", needs: anEngine,
			summary: "bring all other engines to the board of the current one",
			run:     runSync,
		},
		{
			name: ".detach", usage: "[NAME]",
			summary:  "end an engine, or the current one, and forget it",
			complete: engineNames, run: runDetach,
		},
		{
			name: ".restart", usage: "[NAME]",
			summary:  "end an engine, or the current one, and start it again at the same position",
			complete: engineNames, run: runRestart,
		},
		{
			name: ".forget", aliases: []string{".ucinewgame"}, needs: anEngine,
			summary: "have the engine forget what it has searched, and keep the board",
			help: `An engine that remembers may answer the same question otherwise the second time. The board
is set anew by FEN and LOAD, which begins a new game for the engine; one that speaks UCI is
sent ucinewgame before it thinks again. A BAN that still stands ends.
`,
			run: runForget,
		},
		{
			name: ".all", usage: "COMMAND", needs: anEngine,
			summary:  "give a command to every engine, and show the answers side by side",
			help:     "Protocol words go to all engines at the same time.\n",
			complete: forAll, run: runAll,
		},
		{
			name: ".raw", usage: "LINE", needs: anEngine, many: true,
			summary: "send a line of its own protocol to an engine that speaks UCI, UCCI or XBoard's",
			help: `Everything else in the shell speaks QHPLUGIN to such an engine. The answer goes up to the
best move after go, and else up to where the engine is ready again. It stands where the
board stands; a position that is told in this way holds until the board changes, and is the
engine's alone. While it thinks, .raw stop and .raw ponderhit reach it, and Ctrl-C sends stop.
`,
			run: runNative,
		},
		{
			name: send, usage: "LINE", needs: anEngine, many: true,
			summary: "send a line to the engine, whatever it is",
			help:    "It goes out byte for byte, from behind the first blank. LOAD and BAN read their lines here too.\n",
			run:     runRaw,
		},
	}
	for _, c := range commands {
		c.group = groupEngines
	}
	return commands
}

// shellCommands are those about the shell itself.
func shellCommands() []*command {
	commands := []*command{
		{
			name: ".help", aliases: []string{".h"}, usage: "[COMMAND]",
			summary:  "list the commands, or tell more about one",
			complete: commandNames, run: runHelp,
		},
		{
			name: ".wait", usage: "TIME",
			summary: "wait, such as 200ms; behind AI or HINTS, what follows may be ABORT or TIMEOUT",
			help: `In a script every command is answered before the next one is sent. With

  AI
  .wait 200ms
  ABORT

the engine thinks for at most so long.
`,
			run: runWait,
		},
		{
			name: ".quit", aliases: []string{".exit", ".q"},
			summary: "end the engines and leave, as Ctrl-D does",
			run:     runQuit,
		},
	}
	for _, c := range commands {
		c.group = groupShell
	}
	return commands
}

const helpStart = `A line is a word of the protocol, which goes to the engine as it stands; or a command of
the shell, which begins with a dot; or a FEN, or moves, for the board.
`

const helpEnd = `
'.help COMMAND' tells more. Tab completes, Ctrl-R looks for earlier lines, Ctrl-C stops
the engine, Ctrl-D leaves.
`

// runHelp is .help.
func runHelp(c *call) error {
	name, err := c.only()
	if err != nil {
		return err
	}
	if name == "" {
		fmt.Fprint(c.out, help(c.shell.commands()))
		return nil
	}
	cmd := c.shell.command(name)
	if cmd == nil {
		cmd = c.shell.table.find("." + name)
	}
	if cmd == nil {
		return c.shell.unknown(name)
	}
	text := cmd.fullHelp()
	if prompts := c.shell.host.Prompts; cmd.name == attachName && prompts != "" {
		text = strings.TrimSuffix(text, "\n") + " " + prompts
	}
	fmt.Fprint(c.out, text)
	return nil
}

// help is the list of commands.
func help(all []*command) string {
	var b strings.Builder
	b.WriteString(helpStart)
	groups(all, func(group string, commands []*command) {
		fmt.Fprintf(&b, "\n%s\n", group)
		for _, c := range commands {
			fmt.Fprintf(&b, "  %-9s %s\n", c.name, c.summary)
		}
	})
	b.WriteString(helpEnd)
	return b.String()
}

// fullHelp is all that is known of a command.
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
	return b.String()
}

// runWait is .wait.
func runWait(c *call) error {
	text, err := c.only()
	if err != nil {
		return err
	}
	if text == "" {
		return c.misuse("the time is missing, such as 200ms")
	}
	d, err := time.ParseDuration(text)
	if err != nil || d < 0 {
		return c.misuse("%q is not a time such as 200ms", text)
	}
	_ = c.shell.console.settle(true)
	c.shell.forgetInterrupt()
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-c.shell.host.Interrupt:
		c.shell.halted = true
		return ErrInterrupted
	case <-c.ctx.Done():
		return ErrInterrupted
	}
}

// runQuit is .quit.
func runQuit(c *call) error {
	if _, err := c.atMost(0); err != nil {
		return err
	}
	c.shell.over = true
	return nil
}

// runForget is .forget.
func runForget(c *call) error {
	if _, err := c.atMost(0); err != nil {
		return err
	}
	engine.Forget(c.engine.session)
	return c.setBoard(c.engine.session.Position())
}
