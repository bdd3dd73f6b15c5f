package qhplugin

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"qhsh/engine"
	"qhsh/engine/lazyregexp"
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
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, "\r \t")
	}
	if !beginsBlock(lines[0]) {
		return Info{}, false, fmt.Errorf("not an info block: want %q, got %q", Protocol, excerpt(lines[0]))
	}
	info.Protocol, lines = lines[0], append(lines[1:], "")
	info.Name, lines = lines[0], lines[1:]
	for len(lines) > 0 && !complete {
		line := lines[0]
		lines = lines[1:]
		cmd, _ := ParseCommand(line)
		n, err := strconv.Atoi(cmd.Arg)
		flags := info.flags()
		i := slices.IndexFunc(flags, func(f infoFlag) bool { return f.word == cmd.Word })
		switch {
		case cmd.Word == "ENDINFO":
			complete = true
		case err == nil && cmd.Word == "LEVELS" && info.Levels == nil && n >= 0 && n <= maxLevels:
			info.Levels = []engine.Level{}
			for len(lines) > 0 && len(info.Levels) < n {
				number, text, _ := strings.Cut(strings.TrimSpace(lines[0]), " ")
				id, err := strconv.Atoi(number)
				if err != nil {
					break // a level begins with a number
				}
				info.Levels = append(info.Levels, engine.Level{ID: id, Text: strings.TrimSpace(text)})
				lines = lines[1:]
			}
		case err == nil && i >= 0:
			*flags[i].on = n != 0
		default:
			info.Text = append(info.Text, line)
		}
	}
	if !complete {
		for _, flag := range info.flags() {
			*flag.on = false
		}
	}
	for len(info.Text) > 0 && info.Text[len(info.Text)-1] == "" {
		info.Text = info.Text[:len(info.Text)-1]
	}
	if len(info.Text) == 0 {
		info.Text = nil
	}
	return info, complete, nil
}

func beginsBlock(line string) bool {
	word, _, _ := strings.Cut(strings.TrimRight(line, "\r \t"), " ")
	return strings.EqualFold(word, "QHPLUGIN")
}

// A Block is the output of a plugin in info mode, and how the plugin has ended.
type Block struct {
	Lines  []string      // without trailing spaces
	Half   bool          // the last line has no line end
	Stays  time.Duration // how long after ENDINFO the process was still running; 0: it has exited
	Status error         // the exit status; nil for 0
}

// A Breach is a violation of a rule: what was expected, and what came.
type Breach struct{ Rule, Expected, Got string }

// longestName is the maximum length of a name in bytes.
const longestName = 40

var levelLine = lazyregexp.New(`^-?[0-9]+( .*)?$`)

// Judge returns a Breach for each rule that the block breaks, in the order of its lines.
func (b *Block) Judge() (all []Breach) {
	breach := func(rule, expected, got string, args ...any) {
		if len(all) == 0 || all[len(all)-1].Rule != rule { // one for a rule
			all = append(all, Breach{rule, expected, fmt.Sprintf(got, args...)})
		}
	}
	at := func(i int) (line, quoted string) {
		if i >= len(b.Lines) {
			return "", "the end of the block"
		}
		return b.Lines[i], strconv.Quote(b.Lines[i])
	}
	if b.Stays > 0 {
		breach("info.exits", "its end after the list", "it still runs after %v", b.Stays)
	}
	if first, quoted := at(0); first != Protocol && first != "QHPLUGIN V1.2" {
		breach("info.version", `"QHPLUGIN V1.3" in the first line`, "%s", quoted)
	}
	name, quoted := at(1)
	if strings.TrimSpace(name) == "" || isLevelsLine(name) {
		breach("info.name", "a name in the second line", "%s", quoted)
	}
	if len(name) > longestName {
		breach("info.short", fmt.Sprintf("a name of at most %d bytes", longestName), "%d: %s", len(name), quoted)
	}

	if start := slices.IndexFunc(b.Lines, isLevelsLine); start != 2 && start != 1 { // 1: the name's line is missing
		_, quoted := at(2)
		breach("info.levels", "LEVELS and a number in the third line", "%s", quoted)
	} else {
		n, _ := strconv.Atoi(strings.TrimPrefix(b.Lines[start], "LEVELS "))
		if n < 1 {
			breach("info.levels", "one level or more", "%q", b.Lines[start])
		}
		seen := map[int]bool{}
		for i := start + 1; i <= start+n; i++ {
			line, quoted := at(i)
			if !levelLine().MatchString(line) {
				breach("info.levels", fmt.Sprintf("%d lines behind LEVELS that begin with a number", n), "%s", quoted)
				break
			}
			number, _, _ := strings.Cut(line, " ")
			id, _ := strconv.Atoi(number)
			if seen[id] {
				breach("info.levels", "different levels", "%d twice", id)
			}
			seen[id] = true
		}
		if line, quoted := at(start + 1 + max(n, 0)); levelLine().MatchString(line) {
			breach("info.levels", fmt.Sprintf("%d levels, as LEVELS says", n), "one more: %s", quoted)
		}
	}

	// The five lines that begin with the first flag; the number of levels before them is another rule.
	flags := new(Info).flags()
	start := slices.IndexFunc(b.Lines, func(text string) bool {
		word, _, _ := strings.Cut(text, " ")
		return slices.ContainsFunc(flags, func(f infoFlag) bool { return string(f.word) == word })
	})
	if start < 0 {
		start = len(b.Lines)
	}
	for i, flag := range flags {
		no, yes := string(flag.word)+" 0", string(flag.word)+" 1"
		if text, quoted := at(start + i); text != no && text != yes {
			breach("info.flags", no+" or "+yes, "%s", quoted)
		}
	}

	const end = "ENDINFO"
	switch last := len(b.Lines) - 1; {
	case last < 0:
		breach("info.end", end+" in the last line", "no output")
	case b.Lines[last] != end:
		breach("info.end", end+" in the last line", "%q", b.Lines[last])
	case b.Half:
		breach("info.end", end+" and the end of the line", "%q without it", b.Lines[last])
	}
	if b.Status != nil && b.Stays == 0 {
		breach("info.status", "exit status 0", "%v", b.Status)
	}
	return all
}

func isLevelsLine(text string) bool {
	word, number, _ := strings.Cut(text, " ")
	_, err := strconv.Atoi(number)
	return word == "LEVELS" && err == nil
}

func excerpt(text string) string { return pluginclient.Truncate(text, 40) }
