package main

import (
	"fmt"
	"os"
	"os/signal"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"

	"qhsh/engine/enginetest/golden"
	"qhsh/engine/games"
	"qhsh/pluginclient/attach"
)

// bugScript is what the shell is given: every command of the protocol.
const bugScript = `LEVEL
LEVEL 2
LEVEL
LEVEL 9
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
HINTS
ABORT
TIMEOUT
UNDO
QUIT
`

// bugChecks are those of 'qhsh check' that cost little time.
const bugChecks = "info,plugin.starts,plugin.flush,plugin.newline,plugin.silent,plugin.single,plugin.capitals,level.current,level.set,level.keeps,level.range,ai.form,ai.legal,fen.board,play.legal,play.own,load.plays,undo.start,undo.all,undo.ai,hints.list,hints.legal,hints.distinct,hints.stay,ban.ai,bgthink.off,quit,abort.silent,timeout.silent"

// TestBugs has every bug of the table told by the shell, hints, match or check. Whole outputs are
// compared, of check what failed; -update writes them anew. No wait takes longer than its deadline,
// and time is not real.
func TestBugs(t *testing.T) {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt) // what handles signals begins outside the bubbles
	defer signal.Stop(signals)
	said := make([]string, len(bugs))
	for i, b := range bugs {
		synctest.Test(t, func(t *testing.T) { said[i] = askBug(t, b.name) })
		if i > 0 && said[i] == strings.ReplaceAll(said[0], sanePlugin, b.name) {
			t.Errorf("%s passes in silence", b.name)
		}
	}
	var text strings.Builder
	for i, b := range bugs {
		fmt.Fprintf(&text, "== %s ==\n%s\n", b.name, said[i])
	}
	golden.Compare(t, "testdata/bugs.txt", text.String())
}

// askBug is what is said of a plugin.
func askBug(t *testing.T, name string) string {
	spec := "bug:" + name
	waits := []string{"-wait-reply", "200ms"}
	kinds := attach.DefaultKinds(games.Default).With(bugRow{})
	run := func(stdin string, args ...string) outcome {
		return runQhsh(t.Context(), func(h *host) { h.Kinds, h.Stdin = kinds, strings.NewReader(stdin) }, args...)
	}
	var b strings.Builder
	tell := func(command string, o outcome) {
		fmt.Fprintf(&b, "-- %s, status %d --\n%s", command, o.status, o.stdout)
		for line := range strings.Lines(o.stderr) {
			b.WriteString("| " + line)
		}
	}
	tell("shell", run(bugScript, append(waits, "-engine", spec)...))
	tell("hints", run("startpos\nstartpos moves H2-E2\n", append([]string{"hints", "-hints", "3", "-engine", spec}, waits...)...))
	played := run("", append([]string{"match", "-games", "1", "-maxmoves", "2", "builtin,nodes=1", "bug=" + spec}, waits...)...)
	played.stdout = standing.FindString(played.stdout)
	tell("match", played)
	checked := run("", "check", "-only", bugChecks, spec)
	checked.stdout = failed(checked.stdout)
	tell("check", checked)
	return masked.ReplaceAllString(dumped.ReplaceAllString(b.String(), ""), "T")
}

var (
	dumped   = regexp.MustCompile(`(?m)^\| +\d+\.\d{3} +\+\d+\.\d{3} .*\n`) // the last lines, whose order is the machine's
	masked   = regexp.MustCompile(`\b\d+(\.\d+)?(ms|s)\b`)
	standing = regexp.MustCompile(`(?m)^.*\bbug\b.*\n`)
)

// failed are the lines of a report about what has failed.
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
