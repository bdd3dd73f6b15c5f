package library

import (
	"bufio"
	"bytes"
	"strings"
	"testing"

	"qhsh/pluginclient/protocol/checkerboard/abi"
)

// fake returns functions that leave a CBmove or text behind, as a library does.
func fake() *engine {
	return &engine{
		getmove: func(board *abi.Board, color int32, _ float64, str *byte, _ *int32, info, _ int32, move *abi.Move) int32 {
			board[0][0], *str = color, 'x'
			if info&1 != 0 {
				move.Jumps = info
			}
			return 3
		},
		enginecommand: func(command, reply *byte) int32 {
			*reply = *command
			return int32(*command) & 1
		},
		islegal: func(_ *abi.Board, _, from, to int32, _ *abi.Move) int32 { return from - to },
	}
}

// serve returns the lines that a process answers to its input.
func serve(input string) []string {
	var out bytes.Buffer
	p := &process{lib: fake(), out: bufio.NewWriter(&out), call: make(chan func())}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for do := range p.call {
			do()
		}
	}()
	p.read(strings.NewReader(input))
	close(p.call)
	<-done
	text := strings.TrimSuffix(out.String(), "\n")
	if text == "" {
		return nil
	}
	return strings.Split(text, "\n")
}

// FuzzRequests: whatever the host sends, each request before quit has one answer of a known form, and
// playnow has none. A status before a move is not counted.
func FuzzRequests(f *testing.F) {
	board := new(abi.Board).Wire()
	f.Add("enginecommand name\nquit\nenginecommand name\n")
	f.Add("islegal 1 22 18 " + board + "\nplaynow\ngetmove 1 0.5 3 -1 " + board + "\n")
	f.Add("islegal 1 2\ngetmove 1 NaN 3 1 " + board + "\ngetmove\n\nenginecommand\x00\r\n")
	f.Add("getmove 9999999999 1e400 0 0 " + board + ",1\nislegal x 1 2 " + board + "\nhello\n")
	f.Fuzz(func(t *testing.T, input string) {
		if len(input) > 1<<16 {
			t.Skip("the scanner has a limit")
		}
		want := 0
		for lines := bufio.NewScanner(strings.NewReader(input)); lines.Scan(); {
			word, _, _ := strings.Cut(lines.Text(), " ")
			if word == "quit" {
				break
			}
			if word != "playnow" {
				want++
			}
		}
		got := 0
		for _, line := range serve(input) {
			if !strings.HasPrefix(line, "info ") {
				got++
			}
			if strings.ContainsAny(line, "\r\x00") {
				t.Errorf("control characters in %q", line)
			}
		}
		if got != want {
			t.Errorf("%q: %d answers, want %d", input, got, want)
		}
	})
}
