package qh

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"qhsh/pluginclient"
	"qhsh/pluginclient/protocol/qhplugin"
	"qhsh/pluginclient/task/check"
)

// A block is what a plugin has printed in info mode.
type block struct {
	lines  []string
	ended  bool  // the process has ended by itself
	half   bool  // the last line had no end
	status error // its exit status
	err    error // why there is nothing to look at
}

// informed runs the plugin in info mode, once in an examination.
func informed(e *exam) error {
	if e.asked {
		return e.block.err
	}
	talk := e.Aside(e.plugin.Info)
	defer talk.Drop()
	if err := talk.Start(e.Context); err != nil {
		return err
	}
	b := block{}
	for !slices.Contains(b.lines, "ENDINFO") {
		text, err := talk.Line(e.Context, e.Deadlines.Start)
		if err != nil {
			break
		}
		b.lines = append(b.lines, strings.TrimRight(text, " \t"))
	}
	rest, status, err := talk.Ended(e.Context, e.Deadlines.Quit)
	if e.Err() != nil {
		return e.Missing("the info block", err)
	}
	b.lines, b.status, b.ended = append(b.lines, rest...), status, err == nil
	if rest := talk.Rest(); rest != "" {
		b.lines, b.half = append(b.lines, rest), true
	}
	if len(b.lines) == 0 {
		b.err = check.Faultf("an info block", "no output")
	}
	for i, text := range b.lines {
		b.lines[i] = strings.TrimRight(text, " \t")
	}
	e.asked, e.block = true, b
	e.info, _, _ = qhplugin.ParseInfo(strings.Join(b.lines, "\n"))
	return b.err
}

// readInfo makes sure that the block has been read, whichever checks are wanted: what it says
// decides how the plugin is talked to. What is wrong with it is for the checks of the block.
func (e *exam) readInfo() error {
	err := informed(e)
	if e.Err() != nil || errors.Is(err, pluginclient.ErrStart) {
		return err
	}
	return nil
}

func infoExits(e *exam) error {
	if !e.block.ended {
		return check.Faultf("its end after the list", "it still runs after %v", e.Deadlines.Quit)
	}
	return nil
}

func infoStatus(e *exam) error {
	if e.block.ended && e.block.status != nil {
		return check.Faultf("exit status 0", "%v", e.block.status)
	}
	return nil
}

func infoVersion(e *exam) error {
	b := e.block
	if first := b.lines[0]; first != "QHPLUGIN V1.3" && first != "QHPLUGIN V1.2" {
		return check.Faultf(`"QHPLUGIN V1.3" in the first line`, "%q", first)
	}
	return nil
}

func infoName(e *exam) error {
	b := e.block
	if len(b.lines) < 2 || strings.TrimSpace(b.lines[1]) == "" || isLevelsLine(b.lines[1]) {
		return check.Faultf("a name in the second line", "%s", line(b.lines, 1))
	}
	return nil
}

const longestName = 40

func infoShort(e *exam) error {
	if name := e.info.Name; len(name) > longestName {
		return check.Faultf(fmt.Sprintf("a name of at most %d bytes", longestName), "%d: %q", len(name), name)
	}
	return nil
}

// line quotes a line for a person.
func line(lines []string, i int) string {
	if i >= len(lines) {
		return "the end of the block"
	}
	return strconv.Quote(lines[i])
}

func isLevelsLine(text string) bool {
	word, number, _ := strings.Cut(text, " ")
	return word == "LEVELS" && isNumber(number)
}

var levelLine = regexp.MustCompile(`^-?[0-9]+( .*)?$`)

func infoLevels(e *exam) error {
	b := e.block
	at, err := b.levelsAt()
	if err != nil {
		return err
	}
	n, _ := strconv.Atoi(strings.TrimPrefix(b.lines[at], "LEVELS "))
	if n < 1 {
		return check.Faultf("one level or more", "%q", b.lines[at])
	}
	var seen []int
	for i := at + 1; i <= at+n; i++ {
		if i >= len(b.lines) || !levelLine.MatchString(b.lines[i]) {
			return check.Faultf(fmt.Sprintf("%d lines behind LEVELS that begin with a number", n), "%s", line(b.lines, i))
		}
		number, _, _ := strings.Cut(b.lines[i], " ")
		id, _ := strconv.Atoi(number)
		if slices.Contains(seen, id) {
			return check.Faultf("different levels", "%d twice", id)
		}
		seen = append(seen, id)
	}
	if i := at + 1 + n; i < len(b.lines) && levelLine.MatchString(b.lines[i]) {
		return check.Faultf(fmt.Sprintf("%d levels, as LEVELS says", n), "one more: %q", b.lines[i])
	}
	return nil
}

// levelsAt is where LEVELS stands: in the third line, unless the name's line is missing.
func (b *block) levelsAt() (int, error) {
	at := slices.IndexFunc(b.lines, isLevelsLine)
	if at != 2 && at != 1 {
		return 0, check.Faultf("LEVELS and a number in the third line", "%s", line(b.lines, 2))
	}
	return at, nil
}

var abilities = []string{"UNDO", "HINTS", "RULES", "BGTHINK", "TIMEOUT"}

// infoFlags looks for the five lines from the first of them on: how many levels there are
// before is another check.
func infoFlags(e *exam) error {
	b := e.block
	at := slices.IndexFunc(b.lines, func(text string) bool {
		word, _, _ := strings.Cut(text, " ")
		return slices.Contains(abilities, word)
	})
	for i, ability := range abilities {
		want := ability + " 0 or " + ability + " 1"
		if at < 0 || at+i >= len(b.lines) {
			return check.Faultf(want, "the end of the block")
		}
		if text := b.lines[at+i]; text != ability+" 0" && text != ability+" 1" {
			return check.Faultf(want, "%q", text)
		}
	}
	return nil
}

func infoEnd(e *exam) error {
	b := e.block
	last := b.lines[len(b.lines)-1]
	switch {
	case last != "ENDINFO":
		return check.Faultf("ENDINFO in the last line", "%q", last)
	case b.half:
		return check.Faultf("ENDINFO and the end of the line", "%q without it", last)
	}
	return nil
}
