package qhplugin

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"qhsh/engine"
	"qhsh/pluginclient"
)

// Protocol is the version that this package speaks.
const Protocol = "QHPLUGIN V1.3"

// countedHints is the text line of the info block that announces that HINTS takes a count.
const countedHints = "Extension: HINTS takes a count"

// maxLevels is the maximum number of levels in an info block.
const maxLevels = 1000

// rulesFlag is the word of the info block for BAN.
const rulesFlag = "RULES"

// Info is the info block of section 2 of the specification.
type Info struct {
	pluginclient.Info
	Undo    bool // takes UNDO
	Hints   bool // takes HINTS
	Rules   bool // takes BAN
	BGThink bool // takes BGTHINK
	Timeout bool // takes TIMEOUT

	Breaches []Breach // the rules that the block breaks
}

// takesHintCount reports whether HINTS takes a count.
func (i Info) takesHintCount() bool { return slices.Contains(i.Text, countedHints) }

// An infoFlag is a line of the block that announces an ability.
type infoFlag struct {
	word Word
	on   *bool
}

// flags returns the abilities in the order of the block.
func (i *Info) flags() []infoFlag {
	return []infoFlag{{Undo, &i.Undo}, {Hints, &i.Hints}, {rulesFlag, &i.Rules}, {BGThink, &i.BGThink}, {Timeout, &i.Timeout}}
}

// WriteTo writes the block.
func (i Info) WriteTo(w io.Writer) (int64, error) {
	n, err := io.WriteString(w, i.String())
	return int64(n), err
}

// String returns the block.
func (i Info) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n%s\nLEVELS %d\n", i.Protocol, i.Name, len(i.Levels))
	for _, level := range i.Levels {
		b.WriteString(strings.TrimRight(fmt.Sprintf("%d %s", level.ID, level.Text), " ") + "\n")
	}
	for _, flag := range i.flags() {
		value := 0
		if *flag.on {
			value = 1
		}
		fmt.Fprintf(&b, "%s %d\n", flag.word, value)
	}
	for _, line := range i.Text {
		b.WriteString(line + "\n")
	}
	b.WriteString("ENDINFO\n")
	return b.String()
}

// ParseInfo parses an info block of any version. Lines may be missing, and those after LEVELS may come
// in any order. If ENDINFO is missing, complete is false and no abilities are set. Text that does not
// begin with QHPLUGIN is an error.
func ParseInfo(text string) (info Info, complete bool, err error) {
	p := infoParser{lines: strings.Split(text, "\n")}
	first, _ := p.next()
	if word, _, _ := strings.Cut(first, " "); !strings.EqualFold(word, "QHPLUGIN") {
		return Info{}, false, fmt.Errorf("not an info block: want %q, got %q", Protocol, excerpt(first))
	}
	p.info.Protocol = first
	p.info.Name, _ = p.next()
	for !p.complete && len(p.lines) > 0 {
		p.line()
	}
	if !p.complete {
		for _, flag := range p.info.flags() {
			*flag.on = false
		}
	}
	p.info.Text = trimBlank(p.info.Text)
	return p.info, p.complete, nil
}

type infoParser struct {
	lines    []string
	info     Info
	complete bool
}

func (p *infoParser) next() (string, bool) {
	if len(p.lines) == 0 {
		return "", false
	}
	line := strings.TrimRight(p.lines[0], "\r \t")
	p.lines = p.lines[1:]
	return line, true
}

func (p *infoParser) line() {
	line, _ := p.next()
	cmd, _ := ParseCommand(line)
	if cmd.Word == "ENDINFO" {
		p.complete = true
		return
	}
	if n, err := strconv.Atoi(cmd.Arg); err == nil {
		if cmd.Word == "LEVELS" && p.info.Levels == nil && n >= 0 && n <= maxLevels {
			p.levels(n)
			return
		}
		for _, flag := range p.info.flags() {
			if flag.word == cmd.Word {
				*flag.on = n != 0
				return
			}
		}
	}
	p.info.Text = append(p.info.Text, line)
}

// levels reads up to n levels. A line that does not begin with a number ends them.
func (p *infoParser) levels(n int) {
	p.info.Levels = []engine.Level{}
	for range n {
		if len(p.lines) == 0 {
			return
		}
		number, text, _ := strings.Cut(strings.TrimSpace(p.lines[0]), " ")
		id, err := strconv.Atoi(number)
		if err != nil {
			return
		}
		p.info.Levels = append(p.info.Levels, engine.Level{ID: id, Text: strings.TrimSpace(text)})
		p.lines = p.lines[1:]
	}
}

func trimBlank(lines []string) []string {
	for len(lines) > 0 && lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	if len(lines) == 0 {
		return nil
	}
	return lines
}

func excerpt(text string) string {
	const most = 40
	if len(text) > most {
		return text[:most] + "..."
	}
	return text
}
