package main

import (
	"context"
	"flag"
	"fmt"
	"strings"

	"qhsh/cmd/qhsh/manual"
	"qhsh/engine/games"
	"qhsh/pluginclient"
	"qhsh/pluginclient/suggest"
)

func helpCommand() command {
	return command{
		name:     "help",
		operands: "[COMMAND | TOPIC | protocol WORD]",
		summary:  "explain qhsh, one of its commands or a topic",
		setup:    func(*flag.FlagSet, games.Table) action { return runHelp },
		complete: completeHelp,
	}
}

func runHelp(ctx context.Context, h host, operands []string) error {
	text, err := h.helpText(operands)
	if err != nil {
		return err
	}
	return h.showText(ctx, text)
}

// helpText returns the help on the command, topic or word of a protocol that operands name.
func (h host) helpText(operands []string) (string, error) {
	switch {
	case len(operands) == 0:
		return h.overview(), nil
	case operands[0] == protocolTopic && len(operands) > 2:
		return "", usagef("unexpected argument %q: want one command of a protocol", operands[2])
	case operands[0] == protocolTopic && len(operands) > 1:
		texts := pluginclient.References(h.kinds().Languages(), operands[1])
		if texts == nil {
			return "", usagef("no protocol has the command %q: 'qhsh help protocol' lists them", operands[1])
		}
		return strings.Join(texts, "\n"), nil
	case len(operands) > 1:
		return "", usagef("unexpected argument %q: want one command or topic", operands[1])
	}
	name := operands[0]
	for _, t := range topics() {
		if t.name == name {
			return h.manualText(t.page), nil
		}
	}
	c, err := find(name)
	if err != nil {
		return "", usageError{fmt.Errorf("unknown command or topic %q%s", name, suggestHelp(name))}
	}
	return h.commandText(c.withHelp()), nil
}

// commandText returns the help on a command.
func (h host) commandText(c command) string { return h.usage(c) + "\n" + h.manualText(c.help) }

func suggestHelp(word string) string {
	var names []string
	for _, c := range helpCandidates() {
		names = append(names, c.Text)
	}
	if guess := suggest.Closest(word, names); guess != "" {
		return ": did you mean " + guess + "?"
	}
	return ": 'qhsh help' lists them"
}

func completeHelp(h host, operands []string, _ string) []pluginclient.Completion {
	switch {
	case len(operands) == 0:
		return helpCandidates()
	case len(operands) == 1 && operands[0] == protocolTopic:
		var all []pluginclient.Completion
		for _, l := range h.kinds().Languages() {
			for _, c := range l.Commands {
				all = append(all, pluginclient.Completion{Text: c.Word, Note: l.Name + ": " + c.Summary})
			}
		}
		return all
	}
	return nil
}

// helpCandidates are the commands and topics.
func helpCandidates() []pluginclient.Completion {
	all := commandCandidates()
	for _, t := range topics() {
		all = append(all, pluginclient.Completion{Text: t.name, Note: t.summary})
	}
	return all
}

const overviewHead = `qhsh is for people who work with board-game engines over text protocols,
Xiangqi engines and the QHPLUGIN protocol first.

Usage:
  qhsh [FLAG...]                     talk to an engine
  qhsh COMMAND [FLAG...] [OPERAND...]
`

const overviewEnd = `
'qhsh COMMAND -h' lists the flags of a command, 'qhsh help COMMAND' explains it, too.
-x and --x are the same flag, flags may follow operands, and -- ends the flags.

`

func (h host) overview() string {
	var b strings.Builder
	b.WriteString(overviewHead)
	for _, m := range h.kinds().Modes() {
		if m.Line.Flags != "" {
			fmt.Fprintf(&b, "  qhsh %-29s %s\n", m.Line.Flags, m.Line.Text)
		}
	}
	b.WriteString("\nCommands:\n")
	for _, c := range listedCommands() {
		fmt.Fprintf(&b, "  %-12s %s\n", c.name, c.summary)
	}
	b.WriteString("\nTopics of 'qhsh help':\n")
	for _, t := range topics() {
		fmt.Fprintf(&b, "  %-12s %s\n", t.name, t.summary)
	}
	b.WriteString(overviewEnd + "Exit status of every command:\n")
	for _, e := range exitHelp {
		fmt.Fprintf(&b, "  %-4d %s\n", e.status, strings.ReplaceAll(e.text, "\n", fmt.Sprintf("\n%7s", "")))
	}
	return b.String()
}

func (h host) usage(c command) string {
	var b strings.Builder
	fs, _ := c.flags(h.Games)
	fmt.Fprintf(&b, "qhsh %s: %s\n\nUsage:\n  qhsh %s%s", c.name, c.summary, c.name, flagsWord(fs))
	if c.operands != "" {
		b.WriteString(" " + c.operands)
	}
	b.WriteByte('\n')
	if flagsWord(fs) != "" {
		b.WriteString("\nFlags:\n")
		visitListed(fs, func(f *flag.Flag) {
			value, usage := flag.UnquoteUsage(f)
			fmt.Fprintf(&b, "  %-20s %s\n", "-"+f.Name+" "+value, usage+defaultOf(f))
		})
	}
	return b.String()
}

// topic returns the argument of 'qhsh help' that explains the command.
func (c command) topic() string {
	if strings.HasPrefix(c.name, "-") {
		return "plugin"
	}
	return c.name
}

func flagsWord(fs *flag.FlagSet) string {
	word := ""
	visitListed(fs, func(*flag.Flag) { word = " [FLAG...]" })
	return word
}

// defaultOf returns the end of a flag's usage, which has its default, if it is on or a value.
func defaultOf(f *flag.Flag) string {
	if f.DefValue == "" || f.DefValue == "false" {
		return ""
	}
	return fmt.Sprintf(" (default %s)", f.DefValue)
}

// manualWidth is the width for which help is formatted: that of the pages' lines.
const manualWidth = 100

func (h host) manualText(page string) string {
	return manual.Text(h.withTables(page), manualWidth, refer)
}

// refer returns what the help has in place of a link: for a page of the help the command that
// prints it.
func refer(text, target string) string {
	if name := topicOf(target); name != "" {
		return fmt.Sprintf("'qhsh help %s'", name)
	}
	if strings.Contains(target, "://") {
		return text + " <" + target + ">"
	}
	return text
}
