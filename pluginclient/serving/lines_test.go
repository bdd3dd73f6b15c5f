package serving

import (
	"bufio"
	"io"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"
)

// TestReadLine reads with a buffer of 16 bytes, the smallest there is.
func TestReadLine(t *testing.T) {
	fits, tooLong := strings.Repeat("f", 15)+"\n", strings.Repeat("x", 16)+"\n"
	for _, c := range []struct {
		input string
		want  []string
	}{
		{"", nil},
		{"one\r\n\ntwo", []string{"one\r\n", "\n", "two"}},
		{fits + tooLong + "next\n", []string{fits, OverlongLine, "next\n"}},
		{strings.Repeat("x", 1000) + "\nnext", []string{OverlongLine, "next"}},
		{strings.Repeat("x", 1000), []string{OverlongLine}},
	} {
		r := bufio.NewReaderSize(strings.NewReader(c.input), 16)
		var got []string
		for {
			line, err := readLine(r)
			if line != "" {
				got = append(got, line)
			}
			if err != nil {
				break
			}
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%q:\n%s", c.input, diff)
		}
	}
}

var anyInput = ReaderOptions{MaxLine: 1 << 10, ReadAhead: 1}

// TestLinesInOnePiece: lines that are written at once are all there with the first of them, however
// few are read ahead, and there is News as long as something waits.
func TestLinesInOnePiece(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in, host := io.Pipe()
		lines := ReadLines(in, t.Context().Done(), anyInput)
		_, _ = io.WriteString(host, "one\r\ntwo\n\nthree\nhalf")
		synctest.Wait()
		var got []string
		for range 4 {
			<-lines.Ready()
			line, _, _ := lines.Take()
			got = append(got, line)
		}
		if diff := cmp.Diff([]string{"one", "two", "", "three"}, got); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
		if line, ok, ended := lines.Take(); ok || ended {
			t.Errorf("half a line: %q, ended %v", line, ended)
		}
		host.Close()
		if line, ok := lines.Next(t.Context().Done()); line != "half" || !ok {
			t.Errorf("at the end: %q, %v", line, ok)
		}
		<-lines.Ended()
		for range 2 {
			<-lines.Ready()
			if _, ok, ended := lines.Take(); ok || !ended {
				t.Errorf("after the end: ok %v, ended %v", ok, ended)
			}
		}
	})
}

// TestLinesAhead: who does not take lines stops the host from writing more, up to the end of the
// conversation.
func TestLinesAhead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in, host := io.Pipe()
		done := make(chan struct{})
		lines := ReadLines(in, done, anyInput)
		written := 0
		go func() {
			for ; written < 100; written++ {
				if _, err := io.WriteString(host, "line\n"); err != nil {
					return
				}
			}
		}()
		synctest.Wait()
		if written != 3 { // two are there, and one is in the hand of the reader
			t.Errorf("%d lines are read", written)
		}
		if line, ok, _ := lines.Peek(); line != "line" || !ok {
			t.Errorf("peek shows %q, %v", line, ok)
		}
		close(done)
		in.Close()
	})
}

// TestWaiting: what stands behind a command that waits is not about the search under way.
func TestWaiting(t *testing.T) {
	stopBefore := func(line string, behind bool) bool { return line == "stop" && !behind }
	goes := func(line string) bool { return line == "go" }
	in := Input{Waiting: []string{"isready", "go", "stop"}}
	if line, ok := in.Take(stopBefore, goes); ok {
		t.Errorf("%q is taken, which is behind go", line)
	}
	in.Waiting = []string{"isready", "stop", "go"}
	if line, ok := in.Take(stopBefore, goes); line != "stop" || !ok {
		t.Errorf("takes %q, %v", line, ok)
	}
	if diff := cmp.Diff([]string{"isready", "go"}, in.Waiting); diff != "" {
		t.Error(diff)
	}
	if in.Full() {
		t.Error("two commands are too many")
	}
	if in.Waiting = make([]string, MaxBacklog); !in.Full() {
		t.Errorf("%d wait, and there is room", MaxBacklog)
	}
}
