package main

import (
	"fmt"
	"slices"
	"strings"

	"qhsh/engine/lazyregexp"
	"qhsh/pluginclient"
	"qhsh/pluginclient/attach"
	"qhsh/pluginclient/task/analyze"
	"qhsh/repl"
)

// generated matches a part of a page that the program writes: its name and its text.
var generated = lazyregexp.New(`(?s)<!-- ([\w ]+) -->\n(.*?)<!-- end -->\n`)

// withTables returns a page with its generated parts as they are now.
func (h host) withTables(page string) string {
	return generated().ReplaceAllStringFunc(page, func(found string) string {
		name := generated().FindStringSubmatch(found)[1]
		return "<!-- " + name + " -->\n" + h.table(name) + tableEnd
	})
}

// table returns a generated part of a page, or "" for an unknown name.
func (h host) table(name string) string {
	switch name {
	case "engines":
		return h.kinds().Table()
	case "checked":
		with, without := h.kinds().CheckablePrefixes()
		text := joinWords(with) + " engines are checked against their own protocols"
		if len(without) > 0 {
			text += "; " + joinWords(without) + " engines cannot be"
		}
		return text + ".\n"
	case "games":
		return h.Games.Table()
	case "modes":
		return modeTable(h.kinds().Modes())
	case "shell commands":
		return repl.Table(h.Games, attach.Language())
	case "exit statuses":
		return statusTable()
	case "variables":
		return variableTable()
	case "commands":
		var b strings.Builder
		b.WriteString("| command | |\n|---|---|\n")
		for _, c := range listedCommands() {
			row(&b, fmt.Sprintf("[%s](%s)", c.name, fileOf(c.name)), c.summary)
		}
		return b.String()
	case "topics":
		var links []string
		for _, t := range topics() {
			links = append(links, fmt.Sprintf("[%s](%s)", t.name, fileOf(t.name)))
		}
		return strings.Join(links, " · ") + "\n"
	case "schema of analyze":
		return "```json\n" + analyze.Schema + "```\n"
	}
	if protocol, ok := strings.CutPrefix(name, "words of "); ok {
		return wordTable(h.kinds().Languages(), protocol)
	}
	return ""
}

// modeTable lists the modes in which qhsh is an engine.
func modeTable(modes []attach.Mode) string {
	var b strings.Builder
	b.WriteString("| command | |\n|---|---|\n")
	for _, m := range modes {
		if m.Line.Flags != "" {
			row(&b, "`qhsh "+m.Line.Flags+"`", m.Line.Text)
		}
	}
	return b.String()
}

// wordTable lists the commands of a protocol.
func wordTable(languages []pluginclient.Language, protocol string) string {
	i := slices.IndexFunc(languages, func(l pluginclient.Language) bool { return l.Name == protocol })
	if i < 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("| command | |\n|---|---|\n")
	for _, c := range languages[i].Commands {
		row(&b, "`"+c.Word+"`", c.Summary)
	}
	return b.String()
}

// row writes a row of a table.
func row(b *strings.Builder, cells ...string) {
	for _, cell := range cells {
		b.WriteString("| " + strings.ReplaceAll(cell, "|", `\|`) + " ")
	}
	b.WriteString("|\n")
}

// statusTable lists the exit statuses.
func statusTable() string {
	var b strings.Builder
	b.WriteString("| status | |\n|---|---|\n")
	for _, e := range exitHelp {
		row(&b, fmt.Sprint(e.status), strings.ReplaceAll(e.text, "\n", " "))
	}
	return b.String()
}
