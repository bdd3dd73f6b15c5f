package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"qhsh/engine/enginetest"
	"qhsh/engine/enginetest/first"
	"qhsh/engine/games"
	"qhsh/engine/xiangqi"
	"qhsh/pluginclient"
	"qhsh/pluginclient/attach"
	"qhsh/pluginclient/protocol/qhplugin"
)

// A goldenServer is a mode of qhsh in which it is an engine, and how a host knows that it has
// answered.
type goldenServer struct {
	name string
	args []string
	// recorded are the recorded conversations whose host side is the input.
	recorded string
	asked    func(line string, searches int) asked // searches: those that have not ended
}

// asked is how a host knows that a line is answered: by the answer to a question after it, or by
// its own answer.
type asked struct {
	question string
	end      string // prefix of the last line of the answer; "": it is empty
	times    int    // number of such lines, if not one
	open     bool   // the answer may not come yet: the host continues after a while
}

var goldenServers = []goldenServer{
	{"qhplugin", []string{"-plugin", "-engine", "fakeplugin"}, "qhplugin/testdata/*/*.txt", askQHPLUGIN},
	{"uci", []string{"-uci", "-engine", "fakeplugin"}, "uci/testdata/*/uci*.txt uci/testdata/uci/*.txt", askUCI},
	{"ucci", []string{"-ucci", "-engine", "fakeplugin"}, "uci/testdata/*/ucci*.txt uci/testdata/ucci/*.txt", askUCI},
	{"xboard", []string{"-xboard", "-engine", "fakeplugin"}, "xboard/testdata/server/*.txt", askXBoard},
	{"qtp", []string{"-qtp", "-level", "1", "-seed", "1"}, "qtp/testdata/*/*.txt", askQTP},
}

func askQHPLUGIN(line string, _ int) asked {
	switch words := strings.Fields(strings.ToUpper(line) + " "); {
	case len(words) == 0:
	case words[0] == "AI":
		return asked{end: "ERROR|ABORTED|[A-I][0-9]-"}
	case words[0] == "HINTS":
		return asked{end: "ERROR|ABORTED|ENDHINTS"}
	case words[0] == "QUIT":
		return asked{end: "BYE"}
	case words[0] == "LEVEL" && len(words) == 1:
		return asked{question: "LEVEL", end: `\d`, times: 2}
	}
	return asked{question: "LEVEL", end: `\d`}
}

// searchEnd returns how the answer to "go" ends.
const searchEnd = "bestmove|nobestmove|Nodes"

func askUCI(line string, searches int) asked {
	words := strings.Fields(line + " .")
	held := strings.Contains(line, "infinite") || strings.Contains(line, "ponder")
	switch {
	case words[0] == "go":
		return asked{end: searchEnd, times: searches + 1, open: held}
	case searches > 0 && (words[0] == "stop" || words[0] == "ponderhit"):
		return asked{end: searchEnd, times: searches, open: held}
	case words[0] == "quit":
		return asked{end: "bye", open: true}
	case words[0] == "isready":
		return asked{question: "isready", end: "readyok", times: 2}
	}
	return asked{question: "isready", end: "readyok"}
}

func askXBoard(line string, _ int) asked {
	if line == "quit" {
		return asked{end: "bye", open: true}
	}
	return asked{question: "ping 4711", end: "pong 4711"}
}

func askQTP(line string, _ int) asked {
	command, _, _ := strings.Cut(line, "#")
	return asked{open: strings.TrimSpace(command) == "" || strings.TrimSpace(line) == "quit"}
}

// A host waits up to goldenDeadline for an answer that must come, and up to goldenPatience for one
// that need not come. The time is simulated unless another build runs.
const (
	goldenDeadline = 20 * time.Second
	goldenPatience = 4 * time.Second
)

// TestGoldenServers sends recorded host lines to the servers of all protocols.
func TestGoldenServers(t *testing.T) {
	if enginetest.Race || runtime.GOOS == "windows" {
		t.Skip("see TestGolden")
	}
	t.Parallel()
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt) // signal handling must start outside the bubbles
	defer signal.Stop(signals)
	for _, s := range goldenServers {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			sayHowToKeep(t)
			var got []goldenCase
			for _, pattern := range strings.Fields(s.recorded) {
				files, err := filepath.Glob("../../pluginclient/protocol/" + pattern)
				if err != nil || len(files) == 0 {
					t.Fatalf("%s: no recorded conversations: %v", pattern, err)
				}
				for _, file := range files {
					if lines := hostLines(t, file); len(lines) > 0 {
						got = append(got, s.converse(t, filepath.Base(filepath.Dir(file))+"/"+filepath.Base(file), lines))
					}
				}
			}
			compareGolden(t, filepath.Join(goldenDir, "servers", s.name+".txt"), got)
		})
	}
}

var hostLine = regexp.MustCompile(`^(?: *[0-9.]+ +)?>r? (?:b'(.*)'|(.*))$`)

// hostLines returns what the host sends in a recorded conversation.
func hostLines(t *testing.T, file string) (lines []string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if m := hostLine.FindStringSubmatch(strings.TrimRight(line, "\r\n")); m != nil {
			said, err := strconv.Unquote(`"` + m[1] + `"`)
			if err != nil {
				t.Fatal(err)
			}
			lines = append(lines, strings.Split(strings.TrimSuffix(said, "\n"), "\n")...)
			if m[2] != "" {
				lines[len(lines)-1] = m[2]
			}
		}
	}
	return lines
}

// converse records a conversation with the server.
func (s goldenServer) converse(t *testing.T, name string, lines []string) goldenCase {
	t.Helper()
	r := newRecording(t, "servers/"+s.name, name, caseFolder(t, name))
	var said result
	if *goldenProgram != "" {
		said = s.start(t, r.dir, lines)
	} else {
		synctest.Test(t, func(t *testing.T) { said = s.here(r.dir, lines) })
	}
	r.command("qhsh "+strings.Join(s.args, " ")+" <"+name, said)
	return r.end(nil)
}

// here converses with the server in this process. Its engine is fakeplugin without a process.
func (s goldenServer) here(dir string, lines []string) (said result) {
	in, stdin := io.Pipe()
	stdout, out := io.Pipe()
	status := make(chan int, 1)
	go func() {
		defer in.Close()
		defer out.Close()
		status <- runQhsh(context.Background(), func(h *host) {
			h.Stdin, h.Stdout, h.ConfigDir = in, out, dir
			h.Kinds, h.names = attach.DefaultKinds(games.Default).With(fakeRow), map[string]string{"fakeplugin": "fake:x"}
		}, s.args...).status
	}()
	said.Stdout = s.talk(stdin, stdout, lines)
	said.Status = <-status
	return said
}

// fakeRow is an engine kind: fakeplugin in this process.
var fakeRow = parsedRow(attach.Kind{Name: "fake", Title: "QHPLUGIN", UnsupportedLimits: qhplugin.UnsupportedLimits}, attach.Parsed{
	Game: xiangqi.Rules,
	Open: func(ctx context.Context, o attach.Options) (pluginclient.Session, error) {
		server := &qhplugin.Server{Searcher: first.Searcher{}, Name: "Fake 1.0", Text: []string{"plays the first legal move"}}
		return qhplugin.Dial(ctx, qhplugin.InProcess(server), qhplugin.Options{ClientOptions: o.ClientOptions})
	},
})

// start converses with the server of another build.
func (s goldenServer) start(t *testing.T, dir string, lines []string) (said result) {
	t.Helper()
	cmd := exec.Command(*goldenProgram, s.args...)
	cmd.Env = append(os.Environ(), "HOME="+dir, "XDG_CONFIG_HOME="+dir, engineVariable+"=")
	in, out := startPiped(t, cmd)
	said.Stdout = s.talk(in, out, lines)
	_ = cmd.Wait() // its status is recorded
	said.Status = cmd.ProcessState.ExitCode()
	return said
}

// talk sends each line when the previous one is answered, and returns what both have said.
func (s goldenServer) talk(in io.WriteCloser, out io.Reader, lines []string) []byte {
	answers := make(chan string, 1000)
	go func() {
		defer close(answers)
		for scanner := bufio.NewScanner(out); scanner.Scan(); {
			answers <- scanner.Text()
		}
	}()
	var said bytes.Buffer
	searches := 0
	bodies := 0 // remaining lines of LOAD or BAN
	for _, line := range lines {
		fmt.Fprintf(&said, "> %s\n", line)
		fmt.Fprintln(in, line)
		if bodies == 0 {
			bodies = bodyLines(s, line)
		} else if strings.TrimSpace(line) != "" {
			bodies--
		}
		if bodies > 0 {
			continue
		}
		a := s.asked(line, searches)
		if a.question != "" {
			fmt.Fprintln(in, a.question)
		}
		if left := a.listen(&said, answers); a.end == searchEnd {
			searches = left
		}
	}
	in.Close()
	asked{end: "no such line"}.listen(&said, answers)
	return said.Bytes()
}

// bodyLines returns how many lines of LOAD or BAN follow.
func bodyLines(s goldenServer, line string) int {
	words := strings.Fields(strings.ToUpper(line))
	if s.name != "qhplugin" || len(words) != 2 || words[0] != "LOAD" && words[0] != "BAN" {
		return 0
	}
	if n, err := strconv.Atoi(words[1]); err == nil && n < 100 {
		return n
	}
	return 0 // it is refused
}

// listen records the answer, and returns how many of its last lines are missing.
func (a asked) listen(said *bytes.Buffer, answers <-chan string) (left int) {
	left = max(a.times, 1)
	ends := regexp.MustCompile("^(?:" + a.end + ")")
	patience := goldenDeadline
	if a.open {
		patience = goldenPatience
	}
	for {
		select {
		case answer, ok := <-answers:
			if !ok {
				return left
			}
			fmt.Fprintf(said, "< %s\n", answer)
			if a.end == "" && answer == "" || a.end != "" && ends.MatchString(answer) {
				if left--; left == 0 {
					return 0
				}
			}
		case <-time.After(patience):
			said.WriteString("...\n")
			return left
		}
	}
}
