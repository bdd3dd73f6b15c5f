package main

import (
	"fmt"
	"strings"

	"qhsh/engine"
	"qhsh/engine/games"
	"qhsh/engine/lazyregexp"
	"qhsh/engine/printable"
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
	case "inner options":
		return h.kinds().InnerOptions()
	case "checked":
		return h.checkedEngines()
	case "games":
		return h.Games.Table()
	case "modes":
		return pairs("command", func(yield func(string, string)) {
			for _, m := range h.kinds().Modes() {
				if m.Line.Flags != "" {
					yield("`qhsh "+m.Line.Flags+"`", m.Line.Text)
				}
			}
		})
	case "shell commands":
		return repl.Table(h.Games, attach.Language())
	case "theory of endings":
		return h.theoryTable()
	case "small endings":
		return h.smallEndingsTable()
	case "exit statuses":
		return statusTable()
	case "variables":
		return pairs("variable", func(yield func(string, string)) {
			for _, v := range variables {
				yield("`"+v.name+"`", v.text)
			}
		})
	case "commands":
		return pairs("command", func(yield func(string, string)) {
			for _, c := range listedCommands() {
				yield(fmt.Sprintf("[%s](%s)", c.name, fileOf(c.name)), c.summary)
			}
		})
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
		for _, l := range h.kinds().Languages() {
			if l.Name == protocol {
				return pairs("command", func(yield func(string, string)) {
					for _, c := range l.Commands {
						yield("`"+c.Word+"`", c.Summary)
					}
				})
			}
		}
	}
	return ""
}

// checkedEngines returns which engines are checked, by the prefixes of their SPECs.
func (h host) checkedEngines() string {
	var with, without []string
	for _, k := range h.kinds().Protocols() {
		if k.Checked {
			with = append(with, k.Name+":")
		} else {
			without = append(without, k.Name+":")
		}
	}
	text := printable.AllOf(with) + " engines are checked against their own protocols"
	if len(without) > 0 {
		text += "; " + printable.AllOf(without) + " engines cannot be"
	}
	return text + ".\n"
}

// pairs is a table of two columns, of which the second has no title.
func pairs(title string, each func(yield func(first, second string))) string {
	var b strings.Builder
	b.WriteString("| " + title + " | |\n|---|---|\n")
	each(func(first, second string) { row(&b, first, second) })
	return b.String()
}

func row(b *strings.Builder, cells ...string) {
	for _, cell := range cells {
		b.WriteString("| " + strings.ReplaceAll(cell, "|", `\|`) + " ")
	}
	b.WriteString("|\n")
}

// theoryTable lists what books say of endings, and what is true.
func (h host) theoryTable() string {
	var b strings.Builder
	b.WriteString("| ending | | books | by | positions | won | longest |\n|---|---|---|---|---|---|---|\n")
	for _, r := range h.endings().Theory() {
		claim := r.Claim
		if agrees, ok := r.Agrees(); ok && !agrees {
			claim += ", not so"
		}
		row(&b, r.Material, r.Name, claim, r.Sources, fmt.Sprint(r.Quiet), percent(r.Won, r.Quiet), fmt.Sprint(r.Longest))
	}
	return b.String()
}

// smallEndingsTable lists the endings whose tables are in the program and in which a game can be won.
func (h host) smallEndingsTable() string {
	var b strings.Builder
	game := h.Games.DefaultGame()
	fmt.Fprintf(&b, "| ending | %s to move: won | lost | %s to move: won | lost | longest |\n|---|---|---|---|---|---|\n",
		engine.SideName(game, engine.First), engine.SideName(game, engine.Second))
	all, _ := h.endings().List() // those in the program can be read
	for _, s := range all {
		cells, wins, longest := []string{s.Material}, 0, 0
		for _, side := range s.Sides {
			cells = append(cells, percent(side.Wins, side.Legal), percent(side.Losses, side.Legal))
			wins, longest = wins+side.Wins, max(longest, side.LongestWin, side.LongestLoss)
		}
		if wins > 0 {
			row(&b, append(cells, fmt.Sprint(longest))...)
		}
	}
	return b.String()
}

func (h host) endings() games.EndingTables { return h.Games.Row(h.Games.DefaultGame()).Endings("") }

func percent(n, all int) string { return fmt.Sprintf("%.1f %%", 100*float64(n)/float64(all)) }

func statusTable() string {
	return pairs("status", func(yield func(string, string)) {
		for _, e := range exitHelp {
			yield(fmt.Sprint(e.status), strings.ReplaceAll(e.text, "\n", " "))
		}
	})
}
