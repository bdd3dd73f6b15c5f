package plugintest

import (
	"io"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"qhsh/pluginclient"
)

// mostAfterEnd is how long a server may take to end after its input.
const mostAfterEnd = 2 * time.Second

// CheckOrder tests commands that do not wait for each other: written at once or one by one, with or
// without pauses, they have the same number of answers of each kind, and the server ends soon after
// its input, at any time. start starts a server. kind returns what to compare of an answer, or "".
func CheckOrder(t *testing.T, start pluginclient.Starter, commands []string, kind func(answer string) string) {
	t.Helper()
	rapid.Check(t, func(rt *rapid.T) {
		lines := rapid.SliceOfN(rapid.SampledFrom(commands), 1, 8).Draw(rt, "lines")
		pause := time.Duration(rapid.IntRange(1, 5000).Draw(rt, "pause in ms")) * time.Millisecond
		at := func(pauses ...time.Duration) (kinds []string) {
			var answers []string
			var took time.Duration
			synctest.Test(t, func(t *testing.T) { answers, took = converse(t, start, lines, pauses[0], pauses[1]) })
			if took > mostAfterEnd {
				rt.Fatalf("after %q the server ended %v after its input", lines, took)
			}
			for _, answer := range answers {
				if k := kind(answer); k != "" {
					kinds = append(kinds, k)
				}
			}
			slices.Sort(kinds)
			return kinds
		}
		want := at(0, time.Hour)
		for name, pauses := range map[string][]time.Duration{
			"one by one": {time.Hour, 0}, "slowly": {pause, time.Hour},
			"broken off at once": {0, 0}, "broken off": {0, pause},
		} {
			if got := at(pauses...); !slices.Equal(want, got) {
				rt.Fatalf("%q answered with\n%q\nand %s with\n%q", lines, want, name, got)
			}
		}
	})
}

// converse sends lines, each followed by a pause, and ends the input after another pause. It
// returns the answers, and how long the server took to end.
func converse(t *testing.T, start pluginclient.Starter, lines []string, between, last time.Duration) (answers []string, took time.Duration) {
	t.Helper()
	streams, err := start(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	heard := make(chan string, 1)
	go func() {
		all, _ := io.ReadAll(streams.Stdout)
		heard <- string(all)
	}()
	if between == 0 {
		lines = []string{strings.Join(lines, "\n")}
	}
	for _, line := range lines {
		if _, err := io.WriteString(streams.Stdin, line+"\n"); err != nil {
			t.Fatal(err)
		}
		time.Sleep(between)
	}
	time.Sleep(last)
	begun := time.Now()
	streams.Stdin.Close()
	text := <-heard
	took = time.Since(begun)
	_ = streams.Wait()
	synctest.Wait()
	return strings.Split(text, "\n"), took
}
