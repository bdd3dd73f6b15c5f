package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"qhsh/cmd/qhsh/manual"
	"qhsh/engine/games"
	"qhsh/pluginclient"
)

func manCommand() command {
	return command{
		name:     "man",
		operands: "[COMMAND | TOPIC]",
		summary:  "print a page of the manual for man, or write all of them",
		setup: func(fs *flag.FlagSet, _ games.Table) action {
			folder := fs.String("o", "", "write all pages to files in `DIR`, which is created if necessary")
			return func(_ context.Context, h host, operands []string) error {
				if *folder != "" {
					return h.writeManPages(*folder, operands)
				}
				return h.printManPage(operands)
			}
		},
		complete: operandAt(0, func(host, string) []pluginclient.Completion { return helpCandidates() }),
	}
}

// printManPage prints the page on the command or topic that operands name, or that on qhsh.
func (h host) printManPage(operands []string) error {
	if len(operands) > 1 {
		return usagef("unexpected argument %q: want one command or topic", operands[1])
	}
	name := strings.Join(append([]string{"qhsh"}, operands...), "-")
	pages := h.manPages()
	i := slices.IndexFunc(pages, func(p manPage) bool { return p.name == name })
	if i < 0 {
		return usagef("unknown command or topic %q%s", operands[0], suggestHelp(operands[0]))
	}
	_, err := io.WriteString(h.Stdout, pages[i].roff(currentBuild()))
	return err
}

func (h host) writeManPages(folder string, operands []string) error {
	if len(operands) > 0 {
		return usagef("unexpected argument %q: -o writes all pages", operands[0])
	}
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return usagef("-o: %w", err)
	}
	for _, p := range h.manPages() {
		file := filepath.Join(folder, fmt.Sprintf("%s.%d", p.name, p.section))
		if err := os.WriteFile(file, []byte(p.roff(currentBuild())), 0o666); err != nil {
			return fmt.Errorf("-o: %w", err)
		}
	}
	return nil
}

// The sections of the manual that have pages.
const (
	commandSection = 1
	topicSection   = 7
)

type manPage struct {
	name    string // such as qhsh-hints
	section int
	summary string
	text    string // behind the section NAME, in Markdown
}

// roff returns the page for man.
func (p manPage) roff(b buildInfo) string {
	day, _, _ := strings.Cut(b.Time, "T")
	return manual.Roff(manual.Header{
		Name: p.name, Section: p.section, Summary: p.summary, Date: day, Source: "qhsh " + b.Version,
	}, p.text, referToMan)
}

// referToMan returns what the manual has in place of a link: for a page of the help that of the
// manual.
func referToMan(text, target string) string {
	name := topicOf(target)
	if name == "" {
		return refer(text, target)
	}
	if slices.Contains(commandNames(), name) {
		return manName(name, commandSection)
	}
	return manName(name, topicSection)
}

// manName returns how manuals name the page on a command or topic.
func manName(name string, section int) string { return fmt.Sprintf("qhsh-%s(%d)", name, section) }

// manPages returns the pages: on qhsh, on each command, and on each topic of the help.
func (h host) manPages() []manPage {
	pages := []manPage{h.mainPage()}
	for _, c := range listedCommands() {
		pages = append(pages, h.commandPage(c))
	}
	for _, t := range topics() {
		pages = append(pages, manPage{
			"qhsh-" + t.name, topicSection, t.summary,
			"## Description\n\n" + h.withTables(t.page) + manEnd,
		})
	}
	return pages
}

// manEnd is the end of all pages but the first.
const manEnd = "\n## See also\n\n`qhsh(1)`\n"

func (h host) mainPage() manPage {
	var b strings.Builder
	b.WriteString("## Synopsis\n\n| | |\n")
	row(&b, "`qhsh` [FLAG...]", "talk to an engine")
	row(&b, "`qhsh` COMMAND [FLAG...] [OPERAND...]", "run a command")
	for _, m := range h.kinds().Modes() {
		if m.Line.Flags != "" {
			row(&b, "`qhsh` "+m.Line.Flags, m.Line.Text)
		}
	}
	b.WriteString("\n## Commands\n\n| | |\n")
	for _, c := range listedCommands() {
		row(&b, "`"+manName(c.name, commandSection)+"`", c.summary)
	}
	b.WriteString("\n## Topics\n\n| | |\n")
	for _, t := range topics() {
		row(&b, "`"+manName(t.name, topicSection)+"`", t.summary)
	}
	b.WriteString(manExit())
	return manPage{"qhsh", commandSection, "work with board-game engines over text protocols", b.String()}
}

func (h host) commandPage(c command) manPage {
	fs, _ := c.flags(h.Games)
	var b strings.Builder
	fmt.Fprintf(&b, "## Synopsis\n\n`qhsh %s`%s %s\n\n## Description\n\n%s", c.name, flagsWord(fs), c.operands, h.withTables(c.help))
	if flagsWord(fs) != "" {
		b.WriteString("\n## Options\n\n| | |\n")
		visitListed(fs, func(f *flag.Flag) {
			value, usage := flag.UnquoteUsage(f)
			row(&b, "`-"+f.Name+"` "+value, usage+defaultOf(f))
		})
	}
	b.WriteString(manExit() + manEnd)
	return manPage{"qhsh-" + c.name, commandSection, c.summary, b.String()}
}

func manExit() string { return "\n## Exit status\n\n" + statusTable() }
