package main

import (
	"embed"
	"path"
	"strings"

	"qhsh/engine"
	"qhsh/engine/games"
	"qhsh/pluginclient"
)

//go:embed help/*.md
var pages embed.FS

// guide returns the text of help/NAME.md without its head.
func guide(name string) string {
	text, err := pages.ReadFile("help/" + name + ".md")
	if err != nil {
		panic(err) // the pages are part of the program
	}
	return withoutHead(string(text))
}

// A page may begin with the usage of a command, which the help prints as it is now. These marks
// surround it.
const (
	headBegin = "<!-- usage -->\n"
	tableEnd  = "<!-- end -->\n"
)

// withoutHead returns a page without its title and usage.
func withoutHead(page string) string {
	if _, rest, found := strings.Cut(page, headBegin); found {
		_, page, _ = strings.Cut(rest, tableEnd)
	}
	return strings.TrimLeft(page, "\n")
}

// A topic is a page of the help that is not about one command.
type topic struct{ name, summary, page string }

// protocolTopic is the topic that may be followed by a word of a protocol.
const protocolTopic = "protocol"

// topics returns the topics in the order of the overview.
func topics() []topic {
	all := []topic{
		{"engines", "how engines are named: SPECs, their options, quirks of plugins", guide("engines")},
		{"levels", "levels and limits, time to wait for engines, answers that repeat", guide("levels")},
		{"formats", "files of positions, answers and games; progress for programs", guide("formats")},
		{"training", "positions with scores for trainers, and the scale of scores", guide("training")},
		{"plugin", "qhsh as the engine of another program: QHPLUGIN, UCI, UCCI, XBoard, QTP", guide("plugin")},
		{protocolTopic, "how qhsh speaks each protocol, and its commands; with a WORD, that command", withoutHead(pluginclient.Protocols)},
		{"theory", "which endings are won and drawn: what books say, and what is true", guide("theory")},
		{"ci", "an engine's night: its protocol, suite and strength, as a workflow of GitHub", guide("ci")},
		{"jsonl", "an engine or a game of your own, in any language", guide("jsonl")},
		{"positions", "games, positions, moves and notations", withoutHead(engine.Guide)},
	}
	for _, g := range games.Default.Games() {
		if r := games.Default.Row(g); r.Heading != "" {
			_, after, _ := strings.Cut(engine.Guide, "\n## "+r.Heading+"\n")
			section, _, _ := strings.Cut(after, "\n## ")
			all = append(all, topic{g.Name(), r.Summary, "## " + r.Heading + "\n" + section})
		}
	}
	return append(all,
		topic{"environment", "environment variables, and files of qhsh's own", guide("environment")},
		topic{"development", "for those who work on qhsh: the search's rules and margins, profiles", guide("development")},
		topic{"changelog", "what each version brought", guide("changelog")},
		topic{"zh", "a short introduction in Chinese", guide("zh")},
	)
}

// elsewhere has the files of pages that are not in the folder help, by the arguments of 'qhsh help'
// that print them.
var elsewhere = func() map[string]string {
	const gamesPage = "engine/GAMES.md"
	all := map[string]string{
		"shell":       "repl/SHELL.md",
		"run":         "script/GUIDE.md",
		protocolTopic: "pluginclient/PROTOCOLS.md",
		"positions":   gamesPage,
	}
	for _, g := range games.Default.Games() {
		if heading := games.Default.Row(g).Heading; heading != "" {
			all[g.Name()] = gamesPage + "#" + strings.ReplaceAll(strings.ToLower(heading), " ", "-")
		}
	}
	return all
}()

// fileOf returns the file of the page that 'qhsh help NAME' prints, from the top level of the
// repository.
func fileOf(name string) string {
	if file, ok := elsewhere[name]; ok {
		return file
	}
	return "cmd/qhsh/help/" + name + ".md"
}

// topicOf returns the argument of 'qhsh help' that prints the page in a file, or "". The file is the
// target of a link, which may name a section.
func topicOf(file string) string {
	for name, page := range elsewhere {
		if path.Base(page) == path.Base(file) {
			return name
		}
	}
	name, isPage := strings.CutSuffix(path.Base(file), ".md")
	if _, err := pages.Open("help/" + name + ".md"); err != nil || !isPage {
		return ""
	}
	return name
}
