package qhplugin

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"qhsh/engine"
	"qhsh/engine/xiangqi"
	"qhsh/pluginclient"
)

// recording is a conversation with a real program, as in testdata/recorded.
type recording []pluginclient.Entry

var recordedLine = regexp.MustCompile(`^ *[0-9.]+ *([<>]) b'(.*)'$`)

func readRecording(t *testing.T, name string) recording {
	t.Helper()
	text, err := os.ReadFile("testdata/recorded/" + name)
	if err != nil {
		t.Fatal(err)
	}
	var r recording
	for line := range strings.Lines(string(text)) {
		m := recordedLine.FindStringSubmatch(strings.TrimSpace(line))
		if m == nil {
			continue
		}
		for _, said := range strings.Split(strings.TrimSuffix(m[2], `\n`), `\n`) {
			r = append(r, pluginclient.Entry{Dir: pluginclient.Direction(m[1][0]), Text: strings.TrimSuffix(said, `\r`)})
		}
	}
	return r
}

// answersTo assigns the answers of a recording to its commands, in order. many returns how many
// lines the recorded program answers to a command.
func (r recording) answersTo(many func(command string, answers []string) int) (commands []string, answers map[int][]string) {
	var received []string
	for _, e := range r {
		if e.Dir == pluginclient.Received {
			received = append(received, e.Text)
		} else {
			commands = append(commands, e.Text)
		}
	}
	answers = map[int][]string{}
	for i, command := range commands {
		n := min(many(command, received), len(received))
		answers[i], received = received[:n], received[n:]
	}
	return commands, answers
}

// revenant is a plugin that answers like a recorded one. It expects the recorded commands in order;
// the client's own pings, which were not recorded, are answered with level.
type revenant struct {
	commands []string
	answers  map[int][]string
	level    string
	next     int
	strange  []string // unexpected lines
}

func (r *revenant) plugin(info Info) Plugin {
	return Plugin{
		Name: "revenant",
		Info: func(context.Context) (Info, error) { return info, nil },
		Start: pluginclient.Pipe(func(_ context.Context, in io.Reader, out io.Writer) error {
			for s := bufio.NewScanner(in); s.Scan(); {
				if r.say(s.Text(), out) {
					return nil
				}
			}
			return nil
		}),
	}
}

// say answers a line, and reports whether the program exits.
func (r *revenant) say(line string, out io.Writer) bool {
	switch {
	case r.next < len(r.commands) && r.commands[r.next] == line:
		for _, answer := range r.answers[r.next] {
			fmt.Fprintln(out, answer)
		}
		r.next++
		return line == "QUIT"
	case line == "LEVEL":
		fmt.Fprintln(out, r.level)
	default:
		r.strange = append(r.strange, line)
	}
	return false
}

func infoWith(levels ...int) Info {
	info := Info{Info: pluginclient.Info{Protocol: Protocol, Name: "revenant"}, Undo: true, Rules: true, BGThink: true}
	for _, id := range levels {
		info.Levels = append(info.Levels, engine.Level{ID: id})
	}
	return info
}

// TestRecordedUCCI2QH replays what UCCI2QH and ElephantEye sent, by typed calls and raw lines.
func TestRecordedUCCI2QH(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		commands, answers := readRecording(t, "ucci2qh-eleeye-1.txt").answersTo(ucci2qhAnswers)
		r := &revenant{commands: commands, answers: answers, level: "3"}
		info := infoWith(0, 1, 2)
		info.Hints, info.Timeout = true, true
		client, err := Dial(t.Context(), r.plugin(info), Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer client.Close()
		if _, known := client.Level(); known {
			t.Error("the number of levels is taken for the level")
		}
		got := sayAll(t, client, []string{
			"LEVEL 0", "SCR",
			"FEN rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1",
			"PLAY H2-E2", "AI", "SCR", "UNDO", "UNDO", "UNDO", "HINTS", "BAN 2\nH2-E2\nB2-E2", "HINTS",
			"LOAD 4\nH2-E2\nH9-G7\nH0-G2\nI9-H9", "SCR", "BGTHINK OFF", "ABORT", "QUIT",
		})
		start := "rnbakabnr|.........|.c.....c.|p.p.p.p.p|.........|.........|P.P.P.P.P|.C.....C.|.........|RNBAKABNR"
		want := []string{
			"OK", start, "OK", "OK", "H9-G7",
			"rnbakab.r|.........|.c....nc.|p.p.p.p.p|.........|.........|P.P.P.P.P|.C..C....|.........|RNBAKABNR",
			"OK", "OK", "ERROR", "C3-C4|ENDHINTS", "OK", "C3-C4|ENDHINTS", "OK",
			"rnbakabr.|.........|.c....nc.|p.p.p.p.p|.........|.........|P.P.P.P.P|.C..C.N..|.........|RNBAKAB.R",
			"OK", "ABORTED", "BYE", // it answers ABORT even when idle
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
		_, moves := client.Position().History()
		if !slices.Equal(moves, mustMoves("H2-E2", "H9-G7", "H0-G2", "I9-H9")) {
			t.Errorf("the board is %v after %v", client.Position(), moves)
		}
		if len(r.strange) > 0 {
			t.Errorf("it was told %q", r.strange)
		}
	})
}

// sayAll sends raw commands and joins the lines of each answer by "|".
func sayAll(t *testing.T, client *Client, commands []string) []string {
	t.Helper()
	var got []string
	for _, command := range commands {
		answer, err := client.Raw(t.Context(), command)
		if err != nil {
			t.Fatalf("%q: %v", command, err)
		}
		got = append(got, strings.Join(answer, "|"))
	}
	return got
}

// ucci2qhAnswers returns how many lines UCCI2QH answers.
func ucci2qhAnswers(command string, answers []string) int {
	switch cmd, _ := ParseCommand(command); cmd.Word {
	case "", "TIMEOUT", "FOO", "BAD", "H2-E2", "B2-E2", "H9-G7", "H0-G2", "I9-H9", "C3-C4", "G3-G4":
		return 0
	case Scr:
		return 10
	case Hints:
		return slices.Index(answers, "ENDHINTS") + 1
	}
	return 1
}

// TestRecordedMultiHints: three hints from a plugin that returns one at a time, requested with a
// growing BAN list, exactly as the recorded host did.
func TestRecordedMultiHints(t *testing.T) {
	commands, answers := readRecording(t, "ucci2qh-eleeye-4-multihints.txt").answersTo(ucci2qhAnswers)
	r := &revenant{level: "3"}
	// The host of the recording sent no BAN 0 in between, and repeated LEVEL 0.
	for i, command := range commands[:slices.Index(commands, "PLAY C3-C4")] {
		if command == "BAN 2" || command == "BAN 3" {
			r.add("BAN 0", "OK")
		}
		if len(r.commands) > 0 && command == "HINTS" && r.commands[len(r.commands)-1] == "HINTS" {
			continue
		}
		r.add(command, answers[i]...)
	}
	info := infoWith(0, 1, 2)
	info.Hints = true
	client, err := Dial(t.Context(), r.plugin(info), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	if err := client.SetLevel(t.Context(), 0); err != nil {
		t.Fatal(err)
	}
	r.commands[1] = startFEN // the recorded host wrote r for Red
	lines, err := engine.Best(t.Context(), client, xiangqi.Start(), engine.Limits{Lines: 4})
	if err != nil {
		t.Fatal(err)
	}
	var moves []string
	for _, line := range lines {
		moves = append(moves, iccs(line.Move()))
	}
	if diff := cmp.Diff([]string{"C3-C4", "G3-G4", "B2-E2", "H2-E2"}, moves); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if len(r.strange) > 0 {
		t.Errorf("it was told %q", r.strange)
	}
}

func (r *revenant) add(command string, answers ...string) {
	if r.answers == nil {
		r.answers = map[int][]string{}
	}
	r.answers[len(r.commands)] = answers
	r.commands = append(r.commands, command)
}

// TestRecordedFolium replays what folium sent: it rejects BGTHINK OFF, has no HINTS, and crashes at
// QUIT during a search.
func TestRecordedFolium(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		commands, answers := readRecording(t, "folium-1.txt").answersTo(foliumAnswers)
		r := &revenant{commands: commands[1:], answers: map[int][]string{}, level: "6"}
		for i := range r.commands {
			r.answers[i] = answers[i+1]
		}
		client, err := Dial(t.Context(), r.plugin(infoWith(6, 7, 8, 9)), Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer client.Close()
		got := sayAll(t, client, []string{
			"LEVEL 6", "LEVEL 3", "SCR",
			"FEN rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR r - - 0 1",
			"FEN rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR r",
			"play h2-e2", "FOO", "UNDO", "UNDO", "BGTHINK OFF",
		})
		want := []string{
			"OK - Set AI level to 6", "ERROR - Bad level 3 (use 6 to 9)", "", "OK", "OK", "OK",
			"ERROR - Bad command: FOO", "OK", "ERROR", "ERROR - Bad param: OFF",
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
		begun := time.Now()
		_, err = client.Raw(t.Context(), "HINTS")
		if !errors.Is(err, pluginclient.ErrNoReply) || time.Since(begun) > 6*time.Minute {
			t.Errorf("HINTS: %v after %v", err, time.Since(begun))
		}
		if _, err := client.Raw(t.Context(), "UNDO"); !errors.Is(err, pluginclient.ErrNotRunning) {
			t.Errorf("after that: %v", err)
		}
	})
}

func foliumAnswers(command string, _ []string) int {
	switch cmd, _ := ParseCommand(command); cmd.Word {
	case Scr, Hints, AI, Quit, "H2-E2", "H9-G7", "H0-G2":
		return 0
	}
	return 1
}

// TestRecordedHost: the server understands what QH2UCCI, a real host, sent to its plugin, including
// a BAN with a count from uninitialised memory.
func TestRecordedHost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sent, err := os.ReadFile("testdata/recorded/qh2ucci-host-eleeye.plugin-stdin.txt")
		if err != nil {
			t.Fatal(err)
		}
		client := dialMischief(t, &mischief{pace: time.Second})
		defer client.Close()
		got := speakAsHost(t, strings.Split(strings.TrimSpace(string(sent)), "\n"))
		recorded, err := os.ReadFile("testdata/recorded/qh2ucci-host-eleeye.plugin-stdout.txt")
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(shapes(strings.Split(strings.TrimSpace(string(recorded)), "\n")), shapes(got)); diff != "" {
			t.Errorf("-recorded plugin +this one:\n%s", diff)
		}
	})
}

func TestRecordedHostBanBug(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var sent []string
		for _, e := range readRecording(t, "qh2ucci-host-folium-banbug.txt") {
			if said, ok := strings.CutPrefix(e.Text, "info lineoutput ["); ok {
				sent = append(sent, strings.TrimSuffix(said, "]"))
			}
		}
		got := speakAsHost(t, append(sent, "AI", "TIMEOUT", "UNDO", "QUIT"))
		want := []string{"OK", "OK", "OK", "OK", "ERROR", "MOVE", "OK", "BYE"}
		if diff := cmp.Diff(want, shapes(got)); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
	})
}

// speakAsHost sends lines to a server, one every two seconds, and returns its lines.
func speakAsHost(t *testing.T, lines []string) []string {
	m := &mischief{pace: time.Second}
	streams, err := m.plugin().Start(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	done := make(chan struct{})
	go func() {
		defer close(done)
		for s := bufio.NewScanner(streams.Stdout); s.Scan(); {
			got = append(got, s.Text())
		}
	}()
	for _, line := range lines {
		time.Sleep(2 * time.Second)
		fmt.Fprintln(streams.Stdin, line)
	}
	<-done
	streams.Stdin.Close()
	_ = streams.Wait()
	return got
}

// shapes returns the kinds of answers, without their texts.
func shapes(lines []string) []string {
	var kinds []string
	for _, line := range lines {
		kind := string(parseReply(line).word)
		if isMove(line) {
			kind = "MOVE"
		}
		if _, err := strconv.Atoi(line); err == nil {
			kind = "NUMBER"
		}
		kinds = append(kinds, kind)
	}
	return kinds
}
