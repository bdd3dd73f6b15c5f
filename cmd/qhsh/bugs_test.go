package main

import (
	"flag"
	"fmt"
	"os"
	"os/signal"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"qhsh/engine/enginetest"
	"qhsh/engine/enginetest/golden"
	"qhsh/engine/games"
	"qhsh/engine/xiangqi"
	"qhsh/pluginclient/attach"
)

var allBugs = flag.String("bugs", "", "`all`: tell every bug by every tool, instead of those that are drawn for today")

// bugScript is the input of the shell: every command of the protocol.
const bugScript = `LEVEL
LEVEL 2
LEVEL
LEVEL 9
UNDO
PLAY H2-E2
FEN rheakaehr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RHEAKAEHR w
PLAY H2-E2
UNDO
PLAY A0-A9
BGTHINK OFF
LOAD 2
H2-E2
H9-G7
BAN 1
A0-A1
AI
SCR
BAN 1
A9-A7
HINTS
SCR
ABORT
TIMEOUT
UNDO
UNDO
SCR
QUIT
`

// thinkScript interrupts a plugin that thinks.
const thinkScript = `AI
.wait 200ms
ABORT
SCR
HINTS
.wait 200ms
ABORT
PLAY H2-E2
AI
.wait 200ms
TIMEOUT
HINTS
.wait 200ms
TIMEOUT
SCR
UNDO
QUIT
`

// bugChecks are the checks of 'qhsh check' that are fast.
const (
	bugChecks   = "info,plugin.starts,plugin.flush,plugin.newline,plugin.silent,plugin.single,plugin.capitals,plugin.unasked,plugin.crlf,level.current,level.set,level.keeps,level.range,level.game,ai.single,ai.form,ai.legal,ai.positions,fen.board,fen.failed,play.legal,play.own,load.plays,undo.start,undo.all,undo.ai,hints.list,hints.single,hints.legal,hints.distinct,hints.scores,hints.stay,ban.ai,ban.hints,input.scr,scr.board,bgthink.off,quit,abort.silent,timeout.silent"
	thinkChecks = "ai.single,abort.0,abort.10,abort.hints,timeout.0,timeout.10,timeout.made,timeout.hints,interrupt.level"
)

// A runner runs qhsh.
type runner func(stdin string, args ...string) outcome

// A subject is an engine with a bug, or the engine without one that it is compared with.
type subject struct {
	name  string
	like  string // the engine without the bug; empty: this one
	row   attach.Row
	tools []bugTool
}

// A bugTool is a command that reports a bug.
type bugTool struct {
	name string
	tell func(run runner) outcome
}

// allSubjects returns all engines. Those without a bug precede those that are compared with them.
func allSubjects() []subject {
	all := []subject{qhSubject(sane, ""), qhSubject(saneThinker, "")}
	for _, b := range bugs {
		like := sane.name
		if b.thinks {
			like = saneThinker.name
		}
		all = append(all, qhSubject(b, like))
	}
	return slices.Concat(all, xboardSubjects(), qtpSubjects())
}

func qhSubject(b bug, like string) subject {
	return subject{name: b.name, like: like, row: bugRow(b), tools: []bugTool{
		{"shell", func(run runner) outcome {
			if b.thinks {
				return run(thinkScript, "-engine", "bug:x", "-wait-reply", "200ms")
			}
			return run(bugScript, "-engine", "bug:x", "-wait-reply", "200ms")
		}},
		{"hints", func(run runner) outcome {
			args := []string{"hints", "-hints", "3", "-level", "2", "-engine", "bug:x", "-wait-reply", "200ms"}
			if b.thinks {
				args = append(args, "-timeout", "1s")
			}
			return run("startpos\nstartpos moves H2-E2\nstartpos moves H2-E2 H9-G7 H0-G2\n", args...)
		}},
		{"match", func(run runner) outcome {
			args := []string{"builtin,nodes=1", "bug=bug:x", "-wait-reply", "200ms"}
			if b.thinks {
				args = append(args, "-st", "1s")
			}
			return playBug(run, args...)
		}},
		{"check", func(run runner) outcome {
			if b.thinks {
				return checkBug(run, thinkChecks)
			}
			return checkBug(run, bugChecks)
		}},
	}}
}

// playBug runs a match of two moves.
func playBug(run runner, args ...string) outcome {
	o := run("", append([]string{"match", "-games", "1", "-maxmoves", "2"}, args...)...)
	o.stdout = standing.FindString(o.stdout)
	return o
}

// checkBug runs some checks.
func checkBug(run runner, checks string) outcome {
	o := run("", "check", "-only", checks, "bug:x")
	o.stdout = failed(o.stdout)
	return o
}

// TestBugs runs the shell, hints, match and check with each bug of the table. It compares whole
// outputs, and of check the failed checks. The golden file has the outputs for the plugins without
// a bug, and for the others the lines that differ; -update rewrites it. Time is simulated, so waits
// take no time and a slow machine matters only to the order of the notices, which is not compared.
func TestBugs(t *testing.T) {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt) // signal handling must start outside the bubbles
	defer signal.Stop(signals)
	normal := map[string]string{}
	told := readTold(t)
	subjects := allSubjects()
	for i, s := range subjects {
		for k, tool := range s.tools {
			if s.like != "" && !isDrawn(i+k) {
				continue
			}
			text := ""
			synctest.Test(t, func(t *testing.T) { text = tellBug(t, s.row, tool.tell) })
			name := s.name + " " + tool.name
			if now := edits(normal[s.like+" "+tool.name], text); unordered(now) != unordered(told[name]) {
				told[name] = now
			}
			if s.like == "" {
				normal[name] = text
			}
		}
	}
	golden.Compare(t, toldFile, formatTold(t, subjects, told))
}

// unordered returns an output with its notices (stderr) in alphabetical order, and those of faults
// without their line: what an engine says after its answer the shell tells at once or after the next
// command, as the scheduler has it.
func unordered(text string) string {
	var others, notices []string
	for line := range strings.Lines(text) {
		if notice.MatchString(line) {
			notices = append(notices, faultPlace.ReplaceAllString(line, "$1"))
		} else {
			others = append(others, line)
		}
	}
	slices.Sort(notices)
	return strings.Join(slices.Concat(others, notices), "")
}

var (
	notice     = regexp.MustCompile(`^\+?\| `)
	faultPlace = regexp.MustCompile(`line \d+: (x: fault: )`)
)

// isDrawn reports whether a bug is tested with a tool today: each bug with one of the four. Under
// the race detector, which is slow, only every twelfth bug is tested.
func isDrawn(n int) bool {
	n += time.Now().YearDay()
	switch {
	case *allBugs == "all" || golden.Updating():
		return true
	case enginetest.Race:
		return n%48 == 0
	}
	return n%4 == 0
}

const toldFile = "testdata/bugs.txt"

var toldHeading = regexp.MustCompile(`(?m)^== (.*) ==\n`)

// readTold reads the outputs of the tools, by the names of the bug and the tool.
func readTold(t *testing.T) map[string]string {
	data, err := os.ReadFile(toldFile)
	if err != nil && !golden.Updating() {
		t.Fatal(err)
	}
	told := map[string]string{}
	texts := toldHeading.Split(string(data), -1)
	for i, heading := range toldHeading.FindAllStringSubmatch(string(data), -1) {
		told[heading[1]] = texts[i+1]
	}
	return told
}

// formatTold formats what readTold reads. It omits a tool whose output the bug does not change; at
// least one tool must report the bug.
func formatTold(t *testing.T, subjects []subject, told map[string]string) string {
	var text strings.Builder
	for _, s := range subjects {
		silent := true
		for _, tool := range s.tools {
			name := s.name + " " + tool.name
			if told[name] != "" {
				fmt.Fprintf(&text, "== %s ==\n%s", name, told[name])
				silent = false
			}
		}
		if silent {
			t.Errorf("%s is not reported by any tool", s.name)
		}
	}
	return text.String()
}

// tellBug returns the output of a tool, its stderr after a bar, and its exit status.
func tellBug(t *testing.T, row attach.Row, tell func(runner) outcome) string {
	kinds := attach.DefaultKinds(games.Default).With(row)
	o := tell(func(stdin string, args ...string) outcome {
		return runQhsh(t.Context(), func(h *host) { h.Kinds, h.Stdin = kinds, strings.NewReader(stdin) }, args...)
	})
	var text strings.Builder
	fmt.Fprintf(&text, "status %d\n%s", o.status, o.stdout)
	for line := range strings.Lines(o.stderr) {
		text.WriteString("| " + line)
	}
	said := strings.ReplaceAll(text.String(), xiangqi.StartFEN, "startpos")
	return masked.ReplaceAllString(dumped.ReplaceAllString(said, ""), "T")
}

var (
	dumped   = regexp.MustCompile(`(?m)^\| +\d+\.\d{3} +\+\d+\.\d{3} .*\n`) // the last lines, whose order depends on the scheduler
	masked   = regexp.MustCompile(`\b\d+(\.\d+)?(ms|s)\b`)
	standing = regexp.MustCompile(`(?m)^.*\bbug\b.*\n`)
)

// failed returns the lines of a report about failed checks.
func failed(report string) string {
	var b strings.Builder
	keep := false
	for line := range strings.Lines(report) {
		switch {
		case strings.HasPrefix(line, "  FAILED"), strings.HasPrefix(line, "  advice"):
			keep = true
		case !strings.HasPrefix(line, "             "), strings.HasPrefix(line, "             |"):
			keep = false
		}
		if keep {
			b.WriteString(line)
		}
	}
	return b.String()
}

// edits returns the changes from one text to another: removed lines after a minus, with their
// numbers, and added lines after a plus. It returns the other text if the first is empty, and "" if
// they are equal.
func edits(from, to string) string {
	if from == "" {
		return to
	}
	a, b := strings.SplitAfter(from, "\n"), strings.SplitAfter(to, "\n")
	a, b = a[:len(a)-1], b[:len(b)-1] // both end with a line feed
	common := commonLines(a, b)
	var text strings.Builder
	for i, j := 0, 0; i < len(a) || j < len(b); {
		switch {
		case i < len(a) && j < len(b) && a[i] == b[j]:
			i, j = i+1, j+1
		case i < len(a) && (j == len(b) || common[i+1][j] >= common[i][j+1]):
			first := i
			for i++; i < len(a) && common[i+1][j] == common[i][j] && (j == len(b) || a[i] != b[j]); i++ {
			}
			fmt.Fprintf(&text, "-%d..%d\n", first+1, i)
		default:
			text.WriteString("+" + b[j])
			j++
		}
	}
	return text.String()
}

// commonLines returns the number of lines that two texts have in common, in order, from each pair
// of lines on.
func commonLines(a, b []string) [][]int {
	common := make([][]int, len(a)+1)
	common[len(a)] = make([]int, len(b)+1)
	for i := len(a) - 1; i >= 0; i-- {
		common[i] = make([]int, len(b)+1)
		for j := len(b) - 1; j >= 0; j-- {
			common[i][j] = max(common[i+1][j], common[i][j+1])
			if a[i] == b[j] {
				common[i][j] = common[i+1][j+1] + 1
			}
		}
	}
	return common
}
