package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"qhsh/engine/games"
	"qhsh/pluginclient"
	"qhsh/pluginclient/attach"
)

// specConversation is the conversation of section 1 of the QHPLUGIN specification, with the moves
// of this engine. The second PLAY of the host replies to the plugin's move.
const specConversation = `> LEVEL 3
< OK
> PLAY H2-E2
< OK
> AI
< H7-E7
> PLAY E2-E6
< OK
> AI
< D9-E8
> UNDO
< OK
> QUIT
< BYE
`

// converse holds a conversation with a plugin, one line at a time, and returns it.
func converse(t *testing.T, script string, in io.Writer, out io.Reader) string {
	t.Helper()
	var said strings.Builder
	answers := bufio.NewScanner(out)
	for line := range strings.Lines(script) {
		command, ok := strings.CutPrefix(line, "> ")
		if !ok {
			continue
		}
		if _, err := io.WriteString(in, command); err != nil {
			t.Fatal(err)
		}
		if !answers.Scan() {
			t.Fatalf("no answer to %q after\n%s", command, said.String())
		}
		fmt.Fprintf(&said, "> %s< %s\n", command, answers.Text())
	}
	if answers.Scan() {
		t.Errorf("the rest of the input is %q", answers.Text())
	}
	return said.String()
}

// TestSpecConversationProcess holds the specification's conversation with qhsh -plugin
// over a real pipe.
func TestSpecConversationProcess(t *testing.T) {
	cmd := exec.Command("qhsh", "-plugin", "-engine", "builtin,eval=small")
	in, out := startPiped(t, cmd)
	got := converse(t, specConversation, in, out)
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
	if diff := cmp.Diff(specConversation, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// TestSpecConversationPipe does the same over the in-memory pipe.
func TestSpecConversationPipe(t *testing.T) {
	e, err := attach.Parse("builtin,eval=small", attach.Options{Games: games.Default})
	if err != nil {
		t.Fatal(err)
	}
	server, closing, err := attach.NewServer(t.Context(), e)
	if err != nil {
		t.Fatal(err)
	}
	defer closing()
	streams, err := pluginclient.Pipe(server.Serve)(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	got := converse(t, specConversation, streams.Stdin, streams.Stdout)
	if err := streams.Wait(); err != nil {
		t.Error(err)
	}
	if diff := cmp.Diff(specConversation, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// TestPluginModes tests the command lines of the modes.
func TestPluginModes(t *testing.T) {
	for _, c := range []struct {
		args   []string
		env    string
		in     string
		status int
		out    string // the start of stdout
		err    string // all of stderr, except for the times of a trace
	}{
		{args: []string{"-info"}, out: "QHPLUGIN V1.3\nqhsh\nLEVELS 10\n1 100 nodes a move\n"},
		{args: []string{"--info"}, out: "QHPLUGIN V1.3\n"},
		{args: []string{"-info", "-engine", "builtin,nodes=77"}, out: "QHPLUGIN V1.3\nqhsh\nLEVELS 10\n1 77 nodes a move at every level\n"},
		{args: []string{"-plugin"}, in: "LEVEL\nquit\n", out: "5\nBYE\n"},
		{args: []string{"-plugin", "-level", "7"}, in: "LEVEL\n", out: "7\n"},
		{args: []string{"-plugin", "debug"}, in: "LEVEL\nFOO\n", out: "5\nERROR unknown command\n", err: "host > LEVEL\nhost < 5\nhost > FOO\nhost < ERROR unknown command\n"},
		{args: []string{"-plugin", "debug"}, in: "", out: ""},
		{args: []string{"-plugin"}, env: "builtin,nodes=1", in: "FEN 4k4/9/9/9/9/9/9/9/9/3K5\nLEVEL\n", out: "OK\n5\n"},
		{args: []string{"-plugin"}, env: "builtin,what=1", status: exitUsage, err: "qhsh -plugin: engine specification: builtin: there is no option \"what\", only nodes, hash, threads, hints, rules, eval, endings, on, off, margin.NAME, book, bookseed and bookgames\nrun 'qhsh -plugin -h' for its usage\n"},
		{args: []string{"-plugin", "-engine", "builtin"}, env: "builtin,what=1", in: "QUIT\n", out: "BYE\n"},
		{args: []string{"-plugin", "loud"}, status: exitUsage, err: "qhsh -plugin: unexpected argument \"loud\": only debug is allowed\nrun 'qhsh -plugin -h' for its usage\n"},
		{args: []string{"-plugin", "-level", "11"}, status: exitUsage, err: "qhsh -plugin: builtin: no level 11: levels go from 1 to 10\nrun 'qhsh -plugin -h' for its usage\n"},
		{args: []string{"-xboard"}, in: "protover 2\nquit\n", out: "feature done=0\nfeature ping=1 "},
		{args: []string{"-plugin", "-h"}, out: "qhsh -plugin: be a QHPLUGIN plugin\n"},
	} {
		var out, errs bytes.Buffer
		h := host{
			Stdin: strings.NewReader(c.in), Stdout: &out, Stderr: &errs,
			Env: func(string) string { return c.env }, Games: games.Default,
		}
		status := run(context.Background(), h, c.args)
		if status != c.status || !strings.HasPrefix(out.String(), c.out) {
			t.Errorf("%q: status %d, stdout %q", c.args, status, out.String())
		}
		if got := withoutTimes(errs.String()); got != c.err {
			t.Errorf("%q: stderr %q", c.args, got)
		}
	}
}

// badOutput is an output that fails on every write.
type badOutput struct{ err error }

func (d badOutput) Write([]byte) (int, error) { return 0, d.err }

// TestModesOutput: an answer that cannot be written is an error, unless the host has exited.
func TestModesOutput(t *testing.T) {
	const in = "name\nuci\nucci\nLEVEL\nping 1\nquit\n"
	for _, mode := range []string{"-info", "-plugin", "-uci", "-ucci", "-xboard", "-qtp"} {
		for _, c := range []struct {
			err    error
			status int
			stderr string
		}{
			{errors.New("disk full"), exitFailed, "qhsh " + mode + ": disk full\n"},
			{io.ErrClosedPipe, exitOK, ""},
		} {
			var errs bytes.Buffer
			h := host{
				Stdin: strings.NewReader(in), Stdout: badOutput{c.err}, Stderr: &errs,
				Env: func(string) string { return "" }, Games: games.Default,
			}
			if status := run(t.Context(), h, []string{mode}); status != c.status || errs.String() != c.stderr {
				t.Errorf("%s, %v: status %d, stderr %q", mode, c.err, status, errs.String())
			}
		}
	}
}

// withoutTimes removes the times from the lines of a trace.
func withoutTimes(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, " ") && len(line) > 19 {
			line = line[19:]
		}
		b.WriteString(line)
	}
	return b.String()
}
