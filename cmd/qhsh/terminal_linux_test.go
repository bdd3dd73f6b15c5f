package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"qhsh/engine/enginetest"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"
)

// A terminal is qhsh on a pseudo-terminal, with methods for what a user does and sees.
type terminal struct {
	t      *testing.T
	master *os.File
	cmd    *exec.Cmd
	mark   string // in the environment of the process and its children
	home   string

	mu     sync.Mutex
	screen *screen
	raw    []byte // everything received
	ended  chan struct{}
}

// openTerminal starts qhsh on a terminal of 60 columns. env are additional variables.
func openTerminal(t *testing.T, env []string, args ...string) *terminal {
	t.Helper()
	return openProgram(t, env, "qhsh", args...)
}

// openProgram is openTerminal for any program.
func openProgram(t *testing.T, env []string, name string, args ...string) *terminal {
	t.Helper()
	master, slave := openPTY(t)
	p := &terminal{
		t: t, master: master, screen: newScreen(60), ended: make(chan struct{}), home: t.TempDir(),
		mark: fmt.Sprintf("QHSH_TEST_MARK=%s-%d", t.Name(), time.Now().UnixNano()),
	}
	p.resize(60)
	p.cmd = exec.Command(name, args...)
	p.cmd.Stdin, p.cmd.Stdout, p.cmd.Stderr = slave, slave, slave
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	p.cmd.Env = append(os.Environ(), "TERM=xterm", "NO_COLOR=", "HOME="+p.home, "XDG_CONFIG_HOME="+p.home, "XDG_STATE_HOME=", p.mark)
	p.cmd.Env = append(p.cmd.Env, env...)
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	slave.Close()
	go p.watch()
	guard := time.AfterFunc(time.Minute, func() { _ = p.cmd.Process.Kill() })
	t.Cleanup(func() {
		guard.Stop()
		_ = p.cmd.Process.Kill()
		master.Close()
	})
	return p
}

func openPTY(t *testing.T) (master, slave *os.File) {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skip("no pseudo-terminals: ", err)
	}
	n := 0
	control(t, master, func(fd int) error {
		if n, err = unix.IoctlGetInt(fd, unix.TIOCGPTN); err != nil {
			return err
		}
		return unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0)
	})
	slave, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	return master, slave
}

// control calls a function with a file's descriptor. Closing the file still ends a pending read.
func control(t *testing.T, file *os.File, do func(fd int) error) {
	t.Helper()
	conn, err := file.SyscallConn()
	if err != nil {
		t.Fatal(err)
	}
	if outer := conn.Control(func(fd uintptr) { err = do(int(fd)) }); outer != nil || err != nil {
		t.Fatal(outer, err)
	}
}

func (p *terminal) resize(width int) {
	control(p.t, p.master, func(fd int) error {
		return unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Row: 40, Col: uint16(width)})
	})
}

func (p *terminal) watch() {
	defer close(p.ended)
	buf := make([]byte, 4096)
	for {
		n, err := p.master.Read(buf)
		p.mu.Lock()
		_, _ = p.screen.Write(buf[:n])
		p.raw = append(p.raw, buf[:n]...)
		p.mu.Unlock()
		if err != nil {
			return
		}
	}
}

func (p *terminal) shown() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.screen.String()
}

// see waits until the screen shows exactly this.
func (p *terminal) see(want string) {
	p.t.Helper()
	if !enginetest.Await(func() bool { return p.shown() == want }) {
		p.t.Fatalf("-want +shown:\n%s", cmp.Diff(want, p.shown()))
	}
}

// glimpse waits until the screen contains this.
func (p *terminal) glimpse(want string) {
	p.t.Helper()
	if !enginetest.Await(func() bool { return strings.Contains(p.shown(), want) }) {
		p.t.Fatalf("want %q, shown is\n%s", want, p.shown())
	}
}

func (p *terminal) press(keys string) {
	p.t.Helper()
	if _, err := p.master.WriteString(keys); err != nil {
		p.t.Fatal(err)
	}
}

// clear starts with an empty screen, once the prompt is displayed.
func (p *terminal) clear() {
	p.mu.Lock()
	defer p.mu.Unlock()
	fresh := newScreen(p.screen.width)
	fresh.rows[0] = p.screen.rows[p.screen.y]
	fresh.x = p.screen.x
	p.screen = fresh
}

// end waits for the process to exit, and checks that it has left no process.
func (p *terminal) end(statuses ...int) {
	p.t.Helper()
	_ = p.cmd.Wait()
	<-p.ended
	if got := p.cmd.ProcessState.ExitCode(); !slices.Contains(statuses, got) {
		p.t.Errorf("status %d, want one of %v; shown is\n%s", got, statuses, p.shown())
	}
	environments, err := filepath.Glob("/proc/[0-9]*/environ")
	if err != nil {
		p.t.Fatal(err)
	}
	for _, file := range environments {
		if data, err := os.ReadFile(file); err == nil && strings.Contains(string(data), p.mark) {
			p.t.Errorf("%s is left", file)
		}
	}
}

// Keys as terminals send them.
const (
	left, up, deleteRight  = "\x1b[D", "\x1b[A", "\x1b[3~"
	homeTmux, endTmux      = "\x1b[1~", "\x1b[4~"
	homeXterm, endXterm    = "\x1b[H", "\x1b[F"
	ctrlC, ctrlD, ctrlR    = "\x03", "\x04", "\x12"
	ctrlZ                  = "\x1a"
	enter, tab, eraseLine  = "\r", "\t", "\x15"
	greeting               = "qhsh, QHPLUGIN V1.3; .help lists the commands, Ctrl-D exits\n"
	prompt                 = "builtin> |\n"
	pastedBegin, pastedEnd = "\x1b[200~", "\x1b[201~"
)

// atPrompt returns a shell at level 1 that has printed its greeting.
func atPrompt(t *testing.T, env ...string) *terminal {
	p := openTerminal(t, env, "-level", "1")
	p.glimpse(prompt)
	p.clear()
	return p
}

// TestTerminalEditing: cursor keys work, also over characters of two cells and in lines that are
// longer than the screen.
func TestTerminalEditing(t *testing.T) {
	p := atPrompt(t)
	p.press("EVEL" + homeTmux + "L" + endTmux + " x" + left + deleteRight + "1")
	p.see("builtin> LEVEL 1|\n")
	p.press(homeXterm)
	p.see("builtin> |LEVEL 1\n")
	p.press(endXterm + enter)
	p.see("builtin> LEVEL 1\nOK\n" + prompt)

	p.clear()
	p.press(".send 車馬炮" + left + left)
	p.see("builtin> .send 車|馬炮\n")
	p.press("x" + left)
	p.see("builtin> .send 車|x馬炮\n")
	p.press(eraseLine + endTmux)
	p.see("builtin> x馬炮|\n")
	p.press(eraseLine + strings.Repeat(deleteRight, 5)) // on an empty line it is not Ctrl-D
	p.see(prompt)

	p.press("FEN rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR b")
	p.see("builtin> <5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR b|\n")
	p.press(homeTmux)
	p.see("builtin> |FEN rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5>\n")
	p.press(enter)
	p.see("builtin> FEN rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1\n/9/RNBAKABNR b\nOK\n" + prompt)
	p.press(ctrlD)
	p.end(exitOK)
}

// TestTerminalCompletion completes an unambiguous prefix and lists the choices of an ambiguous one.
func TestTerminalCompletion(t *testing.T) {
	p := atPrompt(t)
	p.press("bg" + tab + "of" + tab + enter)
	p.see("builtin> BGTHINK OFF\nOK\n" + prompt)
	p.clear()
	p.press("play b2-e" + tab)
	p.see("builtin> play B2-E2|\n")
	p.press(enter + "play b7-" + tab)
	p.see("builtin> play B2-E2\nOK\n" +
		"B7-A7  B7-B1  B7-B2  B7-B3  B7-B4  B7-B5  B7-B6  B7-B8\nB7-C7  B7-D7  B7-E7  B7-F7  B7-G7\nbuiltin> play B7-|\n")
	p.press(eraseLine + ctrlC)
	p.glimpse("exit with Ctrl-D or .quit\n" + prompt)
	p.clear()
	p.press(".tim" + tab + "5" + tab + enter + "LEVEL " + tab)
	p.see(`builtin> .timeout 500ms
  1   100 nodes a move
  2   400 nodes a move
  3   1600 nodes a move
  4   6400 nodes a move
  5   25600 nodes a move
  6   102400 nodes a move
  7   409600 nodes a move
  8   1638400 nodes a move
  9   6553600 nodes a move
  10  26214400 nodes a move
builtin> LEVEL |
`)
	p.press(eraseLine + "LOAD 2" + enter + "h9-g" + tab + enter + "h0-g" + tab + enter)
	p.glimpse("LOAD, 2 more> H9-G7\nLOAD, 1 more> H0-G2\nOK\n" + prompt)
	p.press(ctrlD)
	p.end(exitOK)
}

// TestTerminalStop: Ctrl-C sends ABORT to an engine that thinks, and lines that are typed are sent
// to it too. An unfinished list of moves that is cancelled is not sent.
func TestTerminalStop(t *testing.T) {
	p := openTerminal(t, nil, "-engine", "builtin,eval=small", "-level", "10")
	p.glimpse(prompt)
	p.clear()
	p.press("AI" + enter)
	p.glimpse("depth") // the live line
	p.press(ctrlC)
	p.see("builtin> AI\nABORTED\n" + prompt)
	p.clear()
	p.press("AI" + enter)
	p.glimpse("depth")
	p.press("abort\n")
	p.glimpse("ABORTED\n" + prompt)
	p.clear()
	p.press(".hints 1 -notation chinese" + enter)
	p.glimpse("炮")
	p.press(ctrlC)
	p.glimpse("stopped\n")
	p.glimpse(prompt)
	p.clear()
	p.press("LOAD 2" + enter + "H2-E2" + enter + ctrlC + ".history" + enter)
	p.glimpse("LOAD, 2 more> H2-E2\nLOAD, 1 more> ^C\n")
	p.glimpse("nothing was sent\nbuiltin> .history\n" + prompt)
	p.press(ctrlD)
	p.end(exitOK)
}

// TestTerminalRaw: an engine that thinks in its own protocol prints its result when Ctrl-C or
// "stop" ends the search.
func TestTerminalRaw(t *testing.T) {
	for _, end := range []string{ctrlC, "stop" + enter, ".raw stop" + enter, "ABORT" + enter} {
		p := openTerminal(t, nil, "-engine", "uci:qhsh -uci")
		p.glimpse("qhsh> |\n")
		p.clear()
		p.press(".raw go infinite" + enter)
		p.glimpse("infinite\nqhsh ")
		p.press(end)
		p.glimpse("\nbestmove ")
		p.glimpse("\nqhsh> |\n")
		p.clear()
		p.press(".raw isready" + enter)
		p.see("qhsh> .raw isready\nreadyok\nqhsh> |\n")
		p.press(ctrlD)
		p.end(exitOK)
	}
}

// TestTerminalAhead: text that is typed while an engine thinks is displayed after the live line,
// and again at the prompt.
func TestTerminalAhead(t *testing.T) {
	for _, edited := range []bool{true, false} {
		file := filepath.Join(t.TempDir(), "enough")
		args := []string{"-engine", "fakeplugin -until " + file}
		if !edited {
			args = append(args, "-noedit")
		}
		p := openTerminal(t, nil, args...)
		p.glimpse("fakeplugin> |\n")
		p.press("AI\n")
		p.glimpse("fakeplugin 0.")
		p.press(".histery")
		p.glimpse(" .histery|\n")
		p.press("\x7f\x7f\x7f")
		p.glimpse(" .hist|\n")
		p.press("ory\n")
		p.glimpse(" |\n") // it waits, and the status line is redrawn
		p.press("LEV")
		p.glimpse(" LEV|\n")
		write(t, file, "")
		want := "fakeplugin> .history\n  1.  A0-A1\nfakeplugin> "
		if edited {
			p.glimpse(want + "LEV|\n")
		} else {
			p.glimpse(want + "|\n") // text in the terminal's buffer is not displayed twice
		}
		p.press("EL\n")
		p.glimpse("EL\n1\nfakeplugin> |\n")
		p.press(ctrlD)
		p.end(exitOK)
	}
}

// TestTerminalAheadLong: text that is typed ahead, and does not fit beside the status line, leaves nothing of
// either on the screen, and a control character in it is dropped.
func TestTerminalAheadLong(t *testing.T) {
	file := filepath.Join(t.TempDir(), "enough")
	p := openTerminal(t, nil, "-engine", "fakeplugin -until "+file)
	p.glimpse("fakeplugin> |\n")
	p.clear()
	p.press("AI\n")
	p.glimpse("fakeplugin 0.")
	text := ".comment " + strings.Repeat("x", 30)
	p.press(text + "\x0c")
	p.glimpse("xL|\n")
	p.press("\n")
	p.glimpse("  |\n") // the status line is drawn again
	write(t, file, "")
	p.see("fakeplugin> AI\nA0-A1\nfakeplugin> " + text + "\nfakeplugin> |\n")
	p.press(".help replay" + enter)
	p.glimpse(`
  send the lines of a recorded conversation to the engine,
  and show different answers

Lines with - are from the recording, lines with + are the
new answer. ABORT`)
	p.press("PLAY A0-A9 please" + enter + ".quit" + enter + ".quit" + enter)
	p.end(exitOK)
}

// TestTerminalKill: a second Ctrl-C kills an engine that does not stop, and restarts it at the same
// position.
func TestTerminalKill(t *testing.T) {
	p := openTerminal(t, nil, "-engine", "fakeplugin -hang", "-wait-abort", "1h")
	p.glimpse("fakeplugin> |\n")
	p.press("PLAY H2-E2" + enter)
	p.glimpse("OK\nfakeplugin> |\n")
	p.clear()
	p.press("AI" + enter)
	p.glimpse("fakeplugin 0.")
	p.press(ctrlC)
	p.glimpse("stopping")
	p.press(ctrlC)
	p.see("fakeplugin> AI\nfakeplugin was killed and was restarted at the same position\nfakeplugin> |\n")
	p.press(".history" + enter)
	p.glimpse("  1.  H2-E2\nfakeplugin> |\n")
	p.press(ctrlD)
	p.end(exitOK)
}

// TestTerminalStar: the Starlark prompt has blocks and completion, and Ctrl-C stops a program or
// discards a block. It uses the engine of the shell.
func TestTerminalStar(t *testing.T) {
	const star = "star> |\n"
	p := atPrompt(t)
	p.press(".st" + tab + enter)
	p.see("builtin> .star\nStarlark: help() lists the names, an empty line ends a\nblock, Ctrl-D or .quit returns\n" + star)
	p.clear()
	p.press("def forever():" + enter + tab + "while True:" + enter + tab + tab + "pass" + enter + enter)
	p.see("star> def forever():\n....>     while True:\n....>         pass\n....>\n" + star)
	p.press("fore" + tab + "()" + enter)
	p.glimpse(".star 0.") // the live line
	p.press(ctrlC)
	p.glimpse("forever()\nstopped\n" + star)
	p.clear()
	p.press("for m in (" + enter + ctrlC)
	p.see("star> for m in (\n....> ^C\nnothing was run\n" + star)
	p.clear()
	p.press("session.send('PLAY H2-E2')" + enter + ".history" + enter)
	p.see("star> session.send('PLAY H2-E2')\n[\"OK\"]\nstar> .history\n  1.  H2-E2\n" + star)
	p.clear()
	p.press("'馬' + session.bo" + tab + ".fen[:9]" + enter)
	p.see("star> '馬' + session.board.fen[:9]\n\"馬rnbakabnr\"\n" + star)
	p.press(ctrlD)
	p.glimpse(prompt)
	p.press(ctrlD)
	p.end(exitOK)
}

// TestTerminalResize: the line is redrawn for the new width.
func TestTerminalResize(t *testing.T) {
	p := atPrompt(t)
	p.press("FEN rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1")
	p.see("builtin> FEN rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1|\n")
	p.resize(40)
	p.see("builtin> </9/1c5c1/p1p1p1p1p/9/9/P1P1|\n")
	p.resize(60)
	p.see("builtin> FEN rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1|\n")
	p.press(eraseLine + ctrlD)
	p.end(exitOK)
}

// TestTerminalHistory: the history is kept across sessions, readable by its owner only, and can be
// searched.
func TestTerminalHistory(t *testing.T) {
	p := atPrompt(t)
	p.press(ctrlR + ctrlC) // nothing to find
	p.press("LEVEL 2" + enter)
	p.glimpse("OK\n" + prompt)
	p.press(".fen" + enter)
	p.glimpse("w - - 0 1\n" + prompt)
	p.press(ctrlD)
	p.end(exitOK)
	file := filepath.Join(p.home, ".local", "state", "qhsh", "history")
	data, err := os.ReadFile(file)
	if err != nil || string(data) != "LEVEL 2\n.fen\n" {
		t.Errorf("the history is %q, %v", data, err)
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("its mode is %v, %v", info.Mode(), err)
	}
	again := atPrompt(t, "XDG_STATE_HOME="+filepath.Join(p.home, ".local", "state"))
	again.press(up + up)
	again.see("builtin> LEVEL 2|\n")
	again.press(ctrlC + ctrlR + "fen" + enter)
	again.glimpse("w - - 0 1\n" + prompt)
	again.press(up)
	again.glimpse("builtin> .fen|\n")
	again.press(eraseLine + ctrlD)
	again.end(exitOK)
}

// TestTerminalNoHome: a shell without a folder for settings and history works, and says once what it lacks.
func TestTerminalNoHome(t *testing.T) {
	p := openTerminal(t, []string{"HOME=/dev/null", "XDG_CONFIG_HOME="})
	p.see("history: mkdir /dev/null: not a directory\n" + greeting + prompt)
	p.press("LEVEL 2" + enter + "LEVEL" + enter)
	p.glimpse("2\n" + prompt)
	p.press(ctrlD)
	p.end(exitOK)
}

// TestTerminalFirst: who has typed nothing yet is told what to try.
func TestTerminalFirst(t *testing.T) {
	p := openTerminal(t, []string{"XDG_STATE_HOME=" + t.TempDir()})
	p.see(greeting + `new here? try
  .hints 3     the three best moves
  .load FILE   a game, for .next and .prev
  .quit        and 'qhsh serve': a board to click on
` + prompt)
	p.press(ctrlD)
	p.end(exitOK)
}

// TestTerminalHostileSearch: text that is typed, pasted or in the history never reaches the
// terminal raw, nor does it in a search.
func TestTerminalHostileSearch(t *testing.T) {
	state := t.TempDir()
	if err := os.MkdirAll(filepath.Join(state, "qhsh"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(state, "qhsh", "history"), []byte("say ab\u202e\u009b2J\x1b[35mc\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	p := atPrompt(t, "XDG_STATE_HOME="+state)
	redraw := func() { // between two lines the terminal itself echoes what is typed
		p.press(ctrlC + "LEVEL" + enter)
		p.glimpse("\n1\n" + prompt)
		p.clear()
	}
	p.press(up)
	p.see(`builtin> say ab\u202e\u009b2J\x1b[35mc|` + "\n")
	redraw()
	p.press(ctrlR + "a\u202e\u009bb")
	p.glimpse("\nbck-i-search: ab")
	redraw()
	p.press(ctrlR + pastedBegin + "x\u202e\u009b2J" + pastedEnd)
	p.glimpse("-i-search: x2J")
	redraw()
	p.press("LE\u202e\u2028VEL\u009b" + enter)
	p.glimpse("builtin> LEVEL\n1\n" + prompt)
	p.press(ctrlD)
	p.end(exitOK)
	for _, hostile := range []string{"\u202e", "\u2028", "\u009b", "\x1b[35m"} {
		if raw := string(p.raw); strings.Contains(raw, hostile) {
			t.Errorf("the terminal is sent %q: %q", hostile, raw)
		}
	}
}

// TestTerminalPaste: lines that are pasted together are executed in order.
func TestTerminalPaste(t *testing.T) {
	p := atPrompt(t)
	p.press(pastedBegin + "LOAD 2\rH2-E2\rH9-G7\r.history\r" + pastedEnd)
	p.see("builtin> LOAD 2\nLOAD, 2 more> H2-E2\nLOAD, 1 more> H9-G7\nOK\nbuiltin> .history\n  1.  H2-E2  H9-G7\n" + prompt)
	p.press(ctrlD)
	p.end(exitOK)
}

// TestTerminalPastedBlock: in pasted text a tab does not complete, and a control character has no
// effect.
func TestTerminalPastedBlock(t *testing.T) {
	const star = "star> |\n"
	p := atPrompt(t)
	p.press(".star" + enter)
	p.glimpse(star)
	p.press(pastedBegin + "def f(x):\r\tif x:\r\t\treturn 1\x04\x1a\x03\r\treturn 2\r\rf(0) + f(1)\r" + pastedEnd)
	p.glimpse("star> f(0) + f(1)\n3\n" + star)
	p.press(ctrlD)
	p.glimpse(prompt)
	p.press(ctrlD)
	p.end(exitOK)
}

// TestTerminalPasteEnds: pasted input after the end of the shell does not delay its exit.
func TestTerminalPasteEnds(t *testing.T) {
	p := atPrompt(t)
	p.press(".quit\rLEVEL\rhalf a line")
	p.end(exitOK)
}

// TestTerminalStrangeKeys: input that is not a key of the editor, such as a reply of the terminal,
// inserts no text, does not end the shell, and does not block Enter.
func TestTerminalStrangeKeys(t *testing.T) {
	p := atPrompt(t)
	for i, keys := range []string{
		"\x00", "\x1b\x00", "\x1b[", "\x1bO", "\x1b[1;", "\x1b", "\x1b[?1;2c", "\x1b[>41;354;0c", "\x1b[24;80R",
		"\x1b[I", "\x1b[[A", "\x1bOP", "\x1b[15;5~", "\x1b]11;rgb:0000/0000/0000\x1b\\", "\x1bP1$r0m\x1b\\",
	} {
		p.clear()
		p.press("LEVEL" + keys + enter)
		p.see("builtin> LEVEL\n1\n" + prompt)
		if i == 0 {
			p.press(keys + keys)
		}
	}
	p.press(ctrlD)
	p.end(exitOK)
}

// TestTerminalLongLine: the time to insert a text is linear in its length.
func TestTerminalLongLine(t *testing.T) {
	p := atPrompt(t)
	long := strings.Repeat("車", 40_000)
	p.press("# " + long)
	p.glimpse("builtin> <車車")
	p.press(left + left + "x" + enter)
	p.glimpse("車x車車\n" + prompt)
	p.press(ctrlR + strings.Repeat("y", 1000) + ctrlC + "LEVEL" + enter)
	p.glimpse("builtin> LEVEL\n1\n" + prompt)
	p.press(ctrlD)
	p.end(exitOK)
}

// TestTerminalRedraw resizes the terminal while keys are typed, for the race detector.
func TestTerminalRedraw(t *testing.T) {
	p := atPrompt(t)
	for i := range 50 {
		p.resize(50 + i%2)
		p.press("word " + "\x17" + ctrlR + "w" + ctrlC)
	}
	p.press(eraseLine + "LEVEL" + enter)
	p.glimpse("builtin> LEVEL\n1\n" + prompt)
	p.press(ctrlD)
	p.end(exitOK)
}

// TestTerminalNarrow: completions that are wider than the terminal are listed.
func TestTerminalNarrow(t *testing.T) {
	p := atPrompt(t)
	p.resize(8)
	p.press("." + tab + tab + eraseLine + "LEVEL " + tab + eraseLine)
	p.resize(60)
	p.press("LEVEL" + enter)
	p.glimpse("builtin> LEVEL\n1\n" + prompt)
	p.press(ctrlD)
	p.end(exitOK)
}

// TestTerminalSuspend: Ctrl-Z stops only the shell, and the line is redrawn when it continues.
func TestTerminalSuspend(t *testing.T) {
	p := openProgram(t, []string{"PS1=sh> ", "ENV="}, "/bin/sh", "-i")
	p.glimpse("sh> |\n")
	p.press("qhsh -level 1" + enter)
	p.glimpse(prompt)
	p.press("LEV")
	p.glimpse("builtin> LEV|\n")
	p.press(ctrlZ)
	p.glimpse("sh> |\n")
	p.press("fg" + enter)
	p.glimpse("builtin> LEV|\n")
	p.press("EL" + enter)
	p.glimpse("builtin> LEVEL\n1\n" + prompt)
	p.press(ctrlD)
	p.glimpse("sh> |\n")
	p.press("exit 0" + enter)
	p.end(exitOK)
}

// TestTerminalColor: there is colour on a terminal, unless it is disabled.
func TestTerminalColor(t *testing.T) {
	for _, c := range []struct {
		env  []string
		want bool
	}{{nil, true}, {[]string{"NO_COLOR=1"}, false}, {[]string{"TERM=dumb"}, false}} {
		p := openTerminal(t, c.env, "-level", "1")
		p.glimpse(prompt)
		p.press(".board -style chinese" + enter)
		p.glimpse("red to move\n" + prompt)
		if p.screen.colored != c.want {
			t.Errorf("%v: colours: %v", c.env, p.screen.colored)
		}
		p.press(ctrlD)
		p.end(exitOK)
	}
}

// TestTerminalNoEdit: without the line editor the terminal edits lines, and the start file is read
// first.
func TestTerminalNoEdit(t *testing.T) {
	config := t.TempDir()
	if err := os.Mkdir(filepath.Join(config, "qhsh"), 0o777); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(config, "qhsh", "qhshrc"), "LEVEL 2\nH2-E2\nNONSENSE\n")
	p := openTerminal(t, []string{"XDG_CONFIG_HOME=" + config}, "-noedit")
	p.see(greeting + "OK\nstartpos and 1 move\n" +
		"qhshrc:3: unknown command \"NONSENSE\": .help lists the\ncommands, .send sends any line to the engine\n" + prompt)
	p.clear()
	p.press("LEVEX\x7fL\n")
	p.see("builtin> LEVEL\n2\n" + prompt)
	p.press("half a line" + ctrlC)
	p.glimpse("^C\n" + prompt)
	p.press(ctrlD)
	p.end(exitOK)
}

// TestTerminalHangup: closing the terminal ends the shell and its engine.
func TestTerminalHangup(t *testing.T) {
	p := openTerminal(t, nil, "-engine", "fakeplugin")
	p.glimpse("fakeplugin> |\n")
	p.master.Close()
	p.end(exitOK, exitInterrupted)
}

// TestTerminalDismissed: SIGTERM and SIGHUP end a shell that waits for a line, and its engines.
func TestTerminalDismissed(t *testing.T) {
	for _, args := range [][]string{nil, {"-noedit"}} {
		for _, signal := range []syscall.Signal{syscall.SIGTERM, syscall.SIGHUP} {
			p := openTerminal(t, nil, append(args, "-engine", "fakeplugin")...)
			p.glimpse("fakeplugin> |\n")
			if err := p.cmd.Process.Signal(signal); err != nil {
				t.Fatal(err)
			}
			p.end(exitInterrupted)
		}
	}
}

// TestTerminalBlockHistory: a Starlark block is one entry of the history, also in another session.
func TestTerminalBlockHistory(t *testing.T) {
	const star = "star> |\n"
	p := atPrompt(t)
	p.press(".star" + enter)
	p.glimpse(star)
	p.press("def f(x):" + enter + "return x + 1" + "\x01  " + enter + enter)
	p.glimpse("....>\n" + star)
	p.press("f(2)" + enter)
	p.glimpse("f(2)\n3\n" + star)
	p.clear()
	p.press(up + up)
	p.see("star> def f(x):␤  return x + 1|\n")
	p.press("0" + enter + "f(2)" + enter)
	p.glimpse("f(2)\n12\n" + star)
	p.press(ctrlD)
	p.glimpse(prompt)
	p.press(ctrlD)
	p.end(exitOK)
	data, err := os.ReadFile(filepath.Join(p.home, ".local", "state", "qhsh", "history"))
	const want = ".star\ndef f(x):␤  return x + 1\nf(2)\ndef f(x):␤  return x + 10\nf(2)\n"
	if err != nil || string(data) != want {
		t.Errorf("the history is %q, %v", data, err)
	}

	again := atPrompt(t, "XDG_STATE_HOME="+filepath.Join(p.home, ".local", "state"))
	again.press(".star" + enter)
	again.glimpse(star)
	again.press(ctrlR + "def f" + enter + "f(5)" + enter)
	again.glimpse("15\n" + star)
	again.press(ctrlD)
	again.glimpse(prompt)
	again.press(ctrlD)
	again.end(exitOK)
}

// typedEditor is a text editor that displays a file and replaces it with the line that is typed.
// The line "same" leaves the file unchanged, and "fail" makes the editor exit with an error while
// the terminal is in raw mode.
const typedEditor = `#!/bin/sh
echo "edits '$(cat "$1" 2>/dev/null)'"
read -r line
case $line in
same) ;;
fail) echo lost >"$1"; stty raw -echo; printf '\033[?25l'; kill -9 $$ ;;
*) printf '%b\n' "$line" >"$1" ;;
esac
`

// atPromptWithEditor returns a shell whose text editor is typedEditor.
func atPromptWithEditor(t *testing.T) *terminal {
	dir, err := os.MkdirTemp("", "ed") // short, so that its errors fit on one line
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	editor := filepath.Join(dir, "my editor")
	if err := os.WriteFile(editor, []byte(typedEditor), 0o777); err != nil {
		t.Fatal(err)
	}
	return atPrompt(t, "EDITOR='"+editor+"'")
}

// edit types a command that opens typedEditor on a file that contains before, and then a line.
func (p *terminal) edit(command, before, line, after string) {
	p.t.Helper()
	p.clear()
	p.press(command + enter)
	p.glimpse(command + "\nedits '" + before + "'\n|\n")
	p.press(line + enter)
	p.glimpse(after)
}

// TestTerminalEdit: the text editor gets the keys, and edits the comment of a game and a script. If
// it changes nothing or fails, nothing changes and the terminal is restored.
func TestTerminalEdit(t *testing.T) {
	p := atPromptWithEditor(t)
	p.edit(".edit", "", "about the game", prompt)
	p.press("PLAY H2-E2" + enter)
	p.glimpse("OK\n" + prompt)
	p.edit(".edit", "", "中炮 opens", prompt)
	p.edit(".edit", "中炮 opens", "a central cannon", prompt)
	p.edit(".edit", "a central cannon", "same", prompt)
	p.edit(".edit", "a central cannon", "fail", " status 137\n"+prompt)
	p.clear()
	p.press("LEVEX" + left + deleteRight + "L" + enter)
	p.see("builtin> LEVEL\n1\n" + prompt)
	game := filepath.Join(p.home, "game.pgn")
	p.press(".save " + game + enter)
	p.glimpse(".pgn\n" + prompt)
	p.press(".load " + game + enter)
	p.glimpse("1 move\n  a central cannon\n" + prompt)
	p.edit(".edit", "a central cannon", "same", prompt)
	p.press("UNDO" + enter)
	p.glimpse("OK\n" + prompt)
	p.edit(".edit", "about the game", "same", prompt)
	file := filepath.Join(p.home, "x.star")
	p.edit(".edit "+file, "", "print(6 * 7)", prompt)
	p.press(".source " + file + enter)
	p.glimpse("42\n" + prompt)
	p.press(ctrlD)
	p.end(exitOK)
	if left, _ := filepath.Glob(filepath.Join(p.home, ".local", "state", "qhsh", "comment-*")); left != nil {
		t.Errorf("%v are left", left)
	}
}

// TestTerminalEditBlock: at the Starlark prompt the text editor edits the last block, which is then
// run.
func TestTerminalEditBlock(t *testing.T) {
	const star = "star> |\n"
	p := atPromptWithEditor(t)
	p.press(".star" + enter)
	p.glimpse(star)
	p.edit(".edit", "", `for i in range(2):\n  print(i, i)`, "0 0\n1 1\n"+star)
	p.edit(".edit", "for i in range(2):\n  print(i, i)", "same", ".edit\n"+"edits 'for i in range(2):\n  print(i, i)'\nsame\n"+star)
	p.edit(".edit", "for i in range(2):\n  print(i, i)", `x = 40\nx + 2 +`, "want primary expression\n"+star)
	p.edit(".edit", "x = 40\nx + 2 +", `x = 40\nprint(x + 2)`, "42\n"+star)
	p.clear()
	p.press(up)
	p.see("star> x = 40␤print(x + 2)|\n")
	p.press(ctrlC + ctrlD)
	p.glimpse(prompt)
	p.press(ctrlD)
	p.end(exitOK)
}

// TestTerminalPager: on a terminal help is shown by the user's pager. Ctrl-C is for the pager.
func TestTerminalPager(t *testing.T) {
	p := openTerminal(t, []string{`PAGER=trap 'echo caught; exit' INT; sed -n 's/^qhsh board: /pager: /p'; echo options $LESS; while :; do sleep 1; done`, "LESS="}, "help", "board")
	p.glimpse("pager: draw a board as SVG or PNG, or a game as GIF\noptions FRX\n")
	p.press(ctrlC)
	p.glimpse("caught")
	p.end(exitOK)
	p = openTerminal(t, []string{"PAGER=no-such-program"}, "help", "version")
	p.glimpse("qhsh version: print the version")
	p.end(exitOK)
}
