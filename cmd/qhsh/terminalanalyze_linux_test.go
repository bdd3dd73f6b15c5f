package main

import (
	"path/filepath"
	"strings"
	"testing"

	"qhsh/engine/enginetest"
)

const (
	right   = "\x1b[C"
	fewKeys = "arrows, Home, End: step  Enter: set boa|"
)

// TestTerminalAnalyze watches engines think: the lines stay in their place, the keys step through the
// game, another width of the terminal is used at once, and afterwards the terminal shows what it
// showed before, with the last lines.
func TestTerminalAnalyze(t *testing.T) {
	p := openTerminal(t, nil, "-engine", "fakeplugin -scoreless")
	p.glimpse("fakeplugin> |\n")
	p.press("PLAY H2-E2" + enter + "PLAY H9-G7" + enter + "PLAY B2-B3" + enter)
	p.glimpse("PLAY B2-B3\nOK\nfakeplugin> |\n")
	p.clear()

	p.press(".analyze 2" + enter)
	p.glimpse("move 3 of 3  B2-B3  ")
	p.glimpse("done") // its second level, which is the last
	p.press(left + left)
	p.glimpse("move 1 of 3  H2-E2  black to move  scores for black")
	p.resizeAll(40)
	p.glimpse(fewKeys)
	p.press(homeXterm)
	p.glimpse("move 0 of 3  ")
	p.press(right)
	p.glimpse("move 1 of 3  H2-E2  ")
	p.glimpse("\n 1           1  A9-A7\n")
	p.resizeAll(60)
	p.press("q")
	p.see("fakeplugin> .analyze 2\n   move   score  depth  line\n1  A9-A7         1      A9-A7\n2  A9-A8         1      A9-A8\nfakeplugin> |\n")

	p.clear()
	p.press(".analyze 1" + enter)
	p.glimpse("move 3 of 3  ") // the board has not moved
	p.press(left + "\r")
	p.glimpse("\nmove 2 of 3  H9-G7  red to move\nfakeplugin> |\n")
	p.clear()
	p.press(".history" + enter)
	p.see("fakeplugin> .history\n  1.  H2-E2  H9-G7\nfakeplugin> |\n")

	p.press("H0-G2" + enter)
	p.glimpse("startpos and 3 moves, a new variation\nfakeplugin> |\n")
	p.clear()
	p.press(".analyze 1" + enter)
	p.glimpse("variation, move 3 of 3  H0-G2  ")
	p.press("0")
	p.glimpse("move 2 of 3  H9-G7  red to move")
	p.glimpse("next  B2-B3\n     1  H0-G2\n")
	p.press("1\r")
	p.glimpse("fakeplugin> |\n")
	p.clear()
	p.press(".prev" + enter)
	p.see("fakeplugin> .prev\nmove 2 of 3  H9-G7  red to move\n  next  B2-B3\n     1  H0-G2\nfakeplugin> |\n")

	p.press(".attach builtin" + enter)
	p.glimpse("builtin> |\n")
	p.clear()
	p.resizeAll(100)
	p.press(".analyze 1 all" + enter)
	if !enginetest.Await(func() bool {
		row := rowWith(p.shown(), "fakeplugin ")
		return strings.Index(row, "builtin ") == 51 && strings.Contains(row[51:], "/s ")
	}) {
		t.Errorf("the engines are not side by side, or builtin has no speed:\n%s", p.shown())
	}
	p.press("\x1b")
	p.glimpse("builtin> |\n")
	p.press(ctrlD)
	p.end(exitOK)
}

// TestTerminalAnalyzeKill: a second Ctrl-C kills an engine that does not stop.
func TestTerminalAnalyzeKill(t *testing.T) {
	trace := filepath.Join(t.TempDir(), "trace")
	p := openTerminal(t, nil, "-engine", "fakeplugin -hang", "-trace", trace)
	p.glimpse("fakeplugin> |\n")
	p.clear()
	p.press(".analyze" + enter)
	p.glimpse("move 0 of 0")
	awaitText(t, trace, "HINTS") // before it there is nothing to stop
	p.press(ctrlC)
	p.glimpse("stopping")
	p.press(ctrlC)
	p.glimpse("fakeplugin was killed and was restarted at the same position\n")
	p.glimpse("fakeplugin> |\n")
	p.press(ctrlD)
	p.end(exitOK)
}

// rowWith returns the first row that begins with text.
func rowWith(shown, text string) string {
	for row := range strings.Lines(shown) {
		if strings.HasPrefix(row, text) {
			return row
		}
	}
	return ""
}

// resizeAll changes the width of the terminal and of what it shows.
func (p *terminal) resizeAll(width int) {
	p.mu.Lock()
	p.screen.width = width
	p.mu.Unlock()
	p.resize(width)
}

// TestTerminalAnalyzeFailure: why an engine no longer thinks stands in its place.
func TestTerminalAnalyzeFailure(t *testing.T) {
	p := openTerminal(t, nil, "-engine", "fakeplugin -die")
	p.glimpse("fakeplugin> |\n")
	p.resizeAll(120)
	p.clear()
	p.press(".analyze" + enter)
	p.glimpse("\nfakeplugin: HINTS 3: died: exit status 7")
	p.press("q")
	p.glimpse("fakeplugin> |\n")
	p.press(ctrlD)
	p.end(exitOK)
}
