package main

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"unicode/utf8"

	"qhsh/engine/enginetest"
)

// hostile is the text of hostileplugin, harmless how qhsh shows it.
const (
	hostile  = "\x1b[2J\x1b]0;PWNED\a\x1b[7;31m\u009b2J\u202e\u2066\b\x7f\xff"
	harmless = `\x1b[2J\x1b]0;PWNED\a\x1b[7;31m\u009b2J\u202e\u2066\b\x7f\xff`
)

// Tags and comments of PGN, whose reader drops all ASCII control characters.
const (
	hostileTag  = "\u009b2J\u202e"
	harmlessTag = `\u009b2J\u202e`
)

// Strings in Starlark are UTF-8.
var (
	hostilePrint  = strings.TrimSuffix(hostile, "\xff")
	harmlessPrint = strings.TrimSuffix(harmless, `\xff`)
)

// marks are the parts of hostile; qhsh itself never writes them. The line ends of a terminal are CR
// LF.
var marks = []string{"\x1b[2J", "\x1b]", "PWNED\a", "\x1b[7;31m", "\u009b", "\u202e", "\u2066", "\b\x7f", "\x7f", "\xff"}

// unharmed checks that text contains nothing hostile.
func unharmed(t *testing.T, where, text string) {
	t.Helper()
	for _, mark := range marks {
		if i := strings.Index(text, mark); i >= 0 {
			t.Errorf("%q reaches %s: %q", mark, where, text[max(0, i-40):min(len(text), i+40)])
		}
	}
	if !utf8.ValidString(text) {
		t.Errorf("what reaches %s is not UTF-8: %q", where, text)
	}
}

// hostilePaths are the ways in which text from outside reaches the user. It looks the same on a
// terminal and on any stderr. On a standard output that is not a terminal, protocols and JSON keep
// their bytes, and text for people is escaped.
var hostilePaths = []struct {
	name  string
	args  []string
	shown []string // on a terminal
	kept  []string // on a standard output that is not a terminal; empty: everything is escaped
}{
	{
		"shell, protocol",
		[]string{
			"-engine", "hostileplugin", "-c", "LEVEL 1; SCR; HINTS; PLAY a0a9; .send FROB; .all HINTS; .trace",
		},
		[]string{"OK - OK" + harmless, "SCR" + harmless, "HINT" + harmless, "ERROR - ERROR" + harmless},
		[]string{"OK - OK" + hostile, "SCR" + hostile, "HINT" + hostile, "ERROR - ERROR" + hostile},
	},
	{
		"shell, tables",
		[]string{
			"-engine", "hostileplugin", "-c", ".engines; .hints 2; .tree -width 1 -depth 1; .all HINTS; .debug on; LEVEL; .trace; .board",
		},
		[]string{"NAME" + harmless, "HINT" + harmless, "STDERR"},
		nil,
	},
	{
		"shell, starlark",
		[]string{"-engine", "hostileplugin", "-c", ".source print.star; .star fail('FAIL' + bad)", "-level", "1"},
		[]string{"PRINT" + harmlessPrint, "LOG" + harmlessPrint, "FAIL" + harmlessPrint},
		[]string{"PRINT" + hostilePrint},
	},
	{
		"shell, annotate",
		[]string{"-engine", "hostileplugin -scores", "-c", ".load game.pgn; .annotate"},
		[]string{"RED" + strings.ReplaceAll(harmlessTag, `\`, `\\`), "COMMENT" + harmlessTag, "NAME" + harmless},
		nil,
	},
	{
		"shell, last words",
		[]string{"-engine", "hostileplugin -die", "-c", "AI"},
		[]string{"LAST"},
		nil,
	},
	{
		"shell, own protocol",
		[]string{"-engine", "uci:hostileplugin -uci", "-c", ".engines; .raw frob", "-wait-reply", "200ms"},
		[]string{"NAME" + harmless, "SAYS" + harmless},
		[]string{"SAYS" + hostile},
	},
	{"shell, mistakes", []string{"-c", "FROB" + hostile + "; .frob" + hostile + "; .load " + hostile + "; .board " + hostile}, []string{"FROB"}, nil},
	{"hints, text", []string{"hints", "-engine", "hostileplugin", "-format", "text", "positions" + hostile + ".fen"}, []string{"NAME" + harmless, "HINT" + harmless, "WORSE"}, nil},
	{"hints, csv", []string{"hints", "-engine", "hostileplugin", "-format", "csv", "positions.fen"}, []string{"NAME" + harmless, "HINT" + harmless}, nil},
	{"hints, epd", []string{"hints", "-engine", "hostileplugin", "-format", "epd", "positions.fen"}, []string{"WORSE"}, nil},
	{"hints, json", []string{"hints", "-engine", "hostileplugin", "positions.fen"}, []string{"HINT", harmlessTag}, []string{hostileTag}},
	{"hints, death", []string{"hints", "-engine", "hostileplugin -die", "-format", "text", "positions.fen"}, []string{"LAST", "STDERR"}, nil},
	{"stats", []string{"stats", "answers.jsonl"}, []string{"NAME" + harmlessTag}, nil},
	{"tree", []string{"tree", "-engine", "hostileplugin", "-width", "1", "-depth", "1"}, []string{"HINT" + harmless}, nil},
	{"tree, svg", []string{"tree", "-engine", "hostileplugin", "-width", "1", "-depth", "1", "-format", "svg"}, []string{"HINT" + harmless}, nil},
	{"tree, dot", []string{"tree", "-engine", "hostileplugin -die", "-width", "1", "-depth", "1", "-format", "dot"}, []string{"LAST"}, nil},
	{"tree, html", []string{"tree", "-engine", "hostileplugin", "-width", "1", "-depth", "1", "-format", "html"}, []string{"NAME" + harmless}, nil},
	{"tree, json", []string{"tree", "-engine", "hostileplugin", "-width", "1", "-depth", "1", "-format", "json"}, []string{"HINT", harmlessTag}, []string{hostileTag}},
	{"bench", []string{"bench", "-repeat", "1", "-hints", "1", "hostileplugin", "hostileplugin -die"}, []string{"NAME" + harmless, "LAST"}, nil},
	{"annotate, pgn", []string{"annotate", "-engine", "hostileplugin -scores", "game.pgn"}, []string{`[Annotator "NAME` + strings.ReplaceAll(harmless, `\`, `\\`), "Judged by NAME" + harmless, "COMMENT" + harmlessTag}, nil},
	{"annotate, html", []string{"annotate", "-engine", "hostileplugin -scores", "game.pgn", "-format", "html"}, []string{"COMMENT"}, nil},
	{"annotate, json", []string{"annotate", "-engine", "hostileplugin -scores", "game.pgn", "-format", "json"}, []string{"RED" + harmlessTag}, []string{"RED" + hostileTag}},
	{"annotate, death", []string{"annotate", "-engine", "hostileplugin -die", "game.pgn"}, []string{"LAST"}, nil},
	{
		"match",
		[]string{"match", "-games", "2", "-maxmoves", "2", "-pgnout", "/dev/stdout", "hostileplugin", "hostileplugin -die"},
		[]string{"LAST", "{hostileplugin-2: crash: NAME" + harmless},
		nil,
	},
	{"check", []string{"check", "-only", "info,level", "-v", "hostileplugin"}, []string{"NAME" + harmless, "STDERR" + harmless}, nil},
	{"check, junit", []string{"check", "-only", "info,level", "-v", "-format", "junit", "hostileplugin"}, []string{"STDERR" + harmless}, nil},
	{"games", []string{"games", "game.pgn", "game" + hostile + ".pgn"}, []string{`RED\u009b2J`, "game" + harmless + ".pgn", "EVENT" + harmlessTag}, nil},
	{"games, pgn", []string{"games", "game.pgn", "-format", "pgn"}, []string{"COMMENT" + harmlessTag}, nil},
	{"games, json", []string{"games", "game.pgn", "-format", "json"}, []string{"RED" + harmlessTag}, []string{"RED" + hostileTag}},
	{"convert, pgn", []string{"convert", "game.pgn"}, []string{"COMMENT" + harmlessTag}, nil},
	{"convert, json", []string{"convert", "game.pgn", "-format", "json"}, []string{"COMMENT" + harmlessTag}, []string{"COMMENT" + hostileTag}},
	{"convert, dhtmlxq", []string{"convert", "game.pgn", "-format", "dhtmlxq"}, []string{"COMMENT" + harmlessTag}, nil},
	{"convert, damaged", []string{"convert", "damaged" + hostile + ".pgn"}, []string{"damaged" + harmless}, nil},
	{"fens", []string{"fens", "damaged" + hostile + ".pgn"}, []string{"damaged" + harmless}, nil},
	{"fens, json", []string{"fens", "game.pgn", "game" + hostile + ".pgn", "-format", "json"}, []string{"game", harmlessTag}, []string{hostileTag}},
	{"run", []string{"run", "print.star"}, []string{"PRINT" + harmlessPrint, "LOG" + harmlessPrint, "FAIL" + harmlessPrint, "CELL" + harmlessPrint}, []string{"PRINT" + hostilePrint}},
	{"judge", []string{"judge", "FEN" + hostile}, nil, nil},
	{"board", []string{"board", "FEN" + hostile}, nil, nil},
	{"perft", []string{"perft", "1", "FEN" + hostile}, nil, nil},
	{"a command", []string{"FROB" + hostile}, nil, nil},
	{"a flag", []string{"hints", "-frob" + hostile}, []string{"frob" + harmless}, nil},
	{"a file", []string{"hints", "no" + hostile}, []string{"no" + harmless}, nil},
	{"a program", []string{"hints", "-engine", "./no" + hostile}, []string{"no" + harmless}, nil},
	{"an output", []string{"hints", "-o", "no" + hostile + "/x.csv", "positions.fen"}, []string{"no" + harmless}, nil},
}

// hostileFolder returns a folder with the files of hostilePaths.
func hostileFolder(t *testing.T) string {
	dir := t.TempDir()
	board := "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w"
	positions := board + "\nWORSE" + hostile + "\n"
	game := "[Event \"EVENT" + hostileTag + "\"]\n[Red \"RED" + hostileTag + "\"]\n[Black \"BLACK" + hostileTag + "\"]\n\n1. H2-E2 {COMMENT" + hostileTag + "} *\n"
	for name, text := range map[string]string{
		"positions.fen":                positions,
		"positions" + hostile + ".fen": positions,
		"game.pgn":                     game,
		"game" + hostile + ".pgn":      game,
		"damaged" + hostile + ".pgn":   "[Red \"x\"]\n\n1. H2-E2 FROB" + hostileTag + " *\n",
		"answers.jsonl":                `{"line":1,"fen":"` + board + `","engine":"NAME` + hostileTag + `","hints":[{"move":"H2-E2"}]}` + "\n",
		"print.star": `bad = "\x1b[2J\x1b]0;PWNED\a\x1b[7;31m\u009b2J\u202e\u2066\b\x7f"
print("PRINT" + bad)
log("LOG" + bad)
print(table([["CELL" + bad]]))
fail("FAIL" + bad)
`,
	} {
		write(t, filepath.Join(dir, name), text)
	}
	return dir
}

// TestHostile: a terminal never executes or reorders text from outside, on the paths of the day.
func TestHostile(t *testing.T) {
	dir := hostileFolder(t)
	env := append(os.Environ(), "TERM=xterm", "HOME="+dir, "XDG_CONFIG_HOME="+dir, "XDG_STATE_HOME=", engineVariable+"=")
	paths := hostilePaths
	if !*allHostile {
		paths = enginetest.Daily(6, hostilePaths)
	}
	for _, path := range paths {
		t.Run(path.name, func(t *testing.T) {
			t.Parallel()
			master, slave := openPTY(t)
			defer master.Close()
			cmd := exec.Command("qhsh", path.args...)
			cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = dir, env, slave, slave
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			slave.Close()
			shown := readAll(t, master)
			_ = cmd.Wait()
			unharmed(t, "the terminal", shown)
			for _, want := range path.shown {
				if !strings.Contains(shown, want) {
					t.Errorf("%q is not shown on the terminal:\n%s", want, shown)
				}
			}

			r := call{Args: path.args, Dir: dir, Env: env, Process: slices.Contains(path.args, "/dev/stdout")}.run(t)
			unharmed(t, "stderr", string(r.Stderr))
			if path.kept == nil {
				unharmed(t, "a report", string(r.Stdout))
			}
			for _, want := range path.kept {
				if !bytes.Contains(r.Stdout, []byte(want)) {
					t.Errorf("%q is not in the output as it is:\n%q", want, r.Stdout)
				}
			}
		})
	}
}

// readAll reads a terminal until no process has it open.
func readAll(t *testing.T, master *os.File) string {
	var all bytes.Buffer
	if _, err := io.Copy(&all, master); err != nil && !errors.Is(err, syscall.EIO) {
		t.Fatal(err)
	}
	return all.String()
}

// TestHostileTyping is TestHostile for the line editor.
func TestHostileTyping(t *testing.T) {
	dir := hostileFolder(t)
	p := openTerminal(t, []string{"XDG_CONFIG_HOME=" + dir}, "-engine", "hostileplugin")
	p.mu.Lock()
	p.screen.width = 400
	p.mu.Unlock()
	p.resize(400)
	p.glimpse("hostileplugin> |\n")
	p.press("LEVEL " + tab)
	p.glimpse("LEVEL" + harmless)
	p.press(eraseLine + ".load " + dir + "/damaged" + tab)
	p.glimpse("damaged" + harmlessPrint + "\ufffd.pgn|") // the editor has characters, not bytes
	p.press(enter)
	p.glimpse("no such file")
	p.press(".debug on" + enter + "HINTS" + enter + "SCR" + enter)
	p.glimpse("SCR" + harmless)
	p.press(".engines" + enter)
	p.glimpse("NAME" + harmless)
	p.press(".star" + enter + `'a\x1b[2J\u202e', print('PRINT\x1b[2J\u202e')` + enter)
	p.glimpse("None)\nstar> |")
	p.press("\u202e\u009b" + enter)
	p.glimpse("star>\nstar> |") // Ctrl-D is a key of the editor, which must have started
	p.press(ctrlD)
	p.glimpse("\nhostileplugin> |")
	p.press(ctrlD)
	p.end(exitOK)
	unharmed(t, "the terminal", string(p.raw))
}

// TestLittleAddressSpace: the interpreter of scripts says nothing about it.
func TestLittleAddressSpace(t *testing.T) {
	enginetest.SkipUnderRace(t) // it needs more
	cmd := exec.Command("sh", "-c", "ulimit -v 1900000 && exec qhsh run -")
	cmd.Stdin = strings.NewReader("print(1 << 40)")
	out, err := cmd.CombinedOutput()
	if err != nil || string(out) != "1099511627776\n" {
		t.Errorf("%v: %s", err, out)
	}
}
