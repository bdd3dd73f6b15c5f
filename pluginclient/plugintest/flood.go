package plugintest

import (
	"io"
	"strings"
	"testing"

	"qhsh/pluginclient"
)

// CheckFlood tests that no command is lost, however many are waiting: each of thousands of
// commands, sent at once and followed by the end of the input, must have as many answers as a
// single one. answers reports whether a line is an answer.
func CheckFlood(t *testing.T, start pluginclient.Starter, command string, answers func(line string) bool) {
	t.Helper()
	const times = 2500
	streams, err := start(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		_, _ = io.WriteString(streams.Stdin, strings.Repeat(command+"\n", times))
		streams.Stdin.Close()
	}()
	text, err := io.ReadAll(streams.Stdout)
	if exit := streams.Wait(); err != nil || exit != nil {
		t.Errorf("%v, %v", err, exit)
	}
	count := 0
	for line := range strings.Lines(string(text)) {
		if answers(strings.TrimSpace(line)) {
			count++
		}
	}
	if count != times {
		t.Errorf("%d times %q has %d answers", times, command, count)
	}
}
