package qhplugin

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"qhsh/engine/lazyregexp"
)

// A Block is the output of a plugin in info mode, and how the plugin has ended.
type Block struct {
	Lines  []string      // without trailing spaces
	Half   bool          // the last line has no line end
	Stays  time.Duration // how long after ENDINFO the process was still running; 0: it has exited
	Status error         // the exit status; nil for 0
}

// A Breach is a violation of a rule: what was expected, and what came.
type Breach struct{ Rule, Expected, Got string }

func breach(expected, got string, args ...any) *Breach {
	return &Breach{Expected: expected, Got: fmt.Sprintf(got, args...)}
}

// infoRules are the rules of the info block, in the order of its lines.
var infoRules = []struct {
	rule  string
	judge func(b *Block) *Breach
}{
	{"info.exits", (*Block).judgeExit},
	{"info.version", (*Block).judgeVersion},
	{"info.name", (*Block).judgeName},
	{"info.short", (*Block).judgeLength},
	{"info.levels", (*Block).judgeLevels},
	{"info.flags", (*Block).judgeFlags},
	{"info.end", (*Block).judgeEnd},
	{"info.status", (*Block).judgeStatus},
}

// Judge returns a Breach for each rule that the block breaks.
func (b *Block) Judge() (all []Breach) {
	for _, r := range infoRules {
		if found := b.JudgeBy(r.rule); found != nil {
			all = append(all, *found)
		}
	}
	return all
}

// JudgeBy returns how the block breaks a rule; nil if it does not.
func (b *Block) JudgeBy(rule string) *Breach {
	for _, r := range infoRules {
		if r.rule != rule {
			continue
		}
		if found := r.judge(b); found != nil {
			found.Rule = rule
			return found
		}
	}
	return nil
}

func (b *Block) judgeExit() *Breach {
	if b.Stays > 0 {
		return breach("its end after the list", "it still runs after %v", b.Stays)
	}
	return nil
}

func (b *Block) judgeStatus() *Breach {
	if b.Status != nil && b.Stays == 0 {
		return breach("exit status 0", "%v", b.Status)
	}
	return nil
}

func (b *Block) judgeVersion() *Breach {
	if first := b.at(0); first != Protocol && first != "QHPLUGIN V1.2" {
		return breach(`"QHPLUGIN V1.3" in the first line`, "%s", b.quote(0))
	}
	return nil
}

func (b *Block) judgeName() *Breach {
	if name := b.at(1); strings.TrimSpace(name) == "" || isLevelsLine(name) {
		return breach("a name in the second line", "%s", b.quote(1))
	}
	return nil
}

// longestName is the maximum length of a name in bytes.
const longestName = 40

func (b *Block) judgeLength() *Breach {
	if name := b.at(1); len(name) > longestName {
		return breach(fmt.Sprintf("a name of at most %d bytes", longestName), "%d: %q", len(name), name)
	}
	return nil
}

// at returns a line, or "" after the end of the block.
func (b *Block) at(i int) string {
	if i >= len(b.Lines) {
		return ""
	}
	return b.Lines[i]
}

// quote quotes a line for a message.
func (b *Block) quote(i int) string {
	if i >= len(b.Lines) {
		return "the end of the block"
	}
	return strconv.Quote(b.Lines[i])
}

func isLevelsLine(text string) bool {
	word, number, _ := strings.Cut(text, " ")
	_, err := strconv.Atoi(number)
	return word == "LEVELS" && err == nil
}

var levelLine = lazyregexp.New(`^-?[0-9]+( .*)?$`)

func (b *Block) judgeLevels() *Breach {
	at := slices.IndexFunc(b.Lines, isLevelsLine)
	if at != 2 && at != 1 { // 1: the name's line is missing
		return breach("LEVELS and a number in the third line", "%s", b.quote(2))
	}
	n, _ := strconv.Atoi(strings.TrimPrefix(b.Lines[at], "LEVELS "))
	if n < 1 {
		return breach("one level or more", "%q", b.Lines[at])
	}
	var seen []int
	for i := at + 1; i <= at+n; i++ {
		if i >= len(b.Lines) || !levelLine().MatchString(b.Lines[i]) {
			return breach(fmt.Sprintf("%d lines behind LEVELS that begin with a number", n), "%s", b.quote(i))
		}
		number, _, _ := strings.Cut(b.Lines[i], " ")
		id, _ := strconv.Atoi(number)
		if slices.Contains(seen, id) {
			return breach("different levels", "%d twice", id)
		}
		seen = append(seen, id)
	}
	if i := at + 1 + n; i < len(b.Lines) && levelLine().MatchString(b.Lines[i]) {
		return breach(fmt.Sprintf("%d levels, as LEVELS says", n), "one more: %q", b.Lines[i])
	}
	return nil
}

// judgeFlags judges the five lines that begin with the first flag. The number of levels before them
// is another rule.
func (b *Block) judgeFlags() *Breach {
	var known Info
	flags := known.flags()
	at := slices.IndexFunc(b.Lines, func(text string) bool {
		word, _, _ := strings.Cut(text, " ")
		return slices.ContainsFunc(flags, func(f infoFlag) bool { return string(f.word) == word })
	})
	for i, flag := range flags {
		no, yes := string(flag.word)+" 0", string(flag.word)+" 1"
		if at < 0 || at+i >= len(b.Lines) {
			return breach(no+" or "+yes, "the end of the block")
		}
		if text := b.Lines[at+i]; text != no && text != yes {
			return breach(no+" or "+yes, "%q", text)
		}
	}
	return nil
}

func (b *Block) judgeEnd() *Breach {
	last := len(b.Lines) - 1
	switch {
	case last < 0:
		return breach("ENDINFO in the last line", "no output")
	case b.Lines[last] != "ENDINFO":
		return breach("ENDINFO in the last line", "%q", b.Lines[last])
	case b.Half:
		return breach("ENDINFO and the end of the line", "%q without it", b.Lines[last])
	}
	return nil
}
