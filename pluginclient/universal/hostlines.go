package universal

import (
	"bufio"
	"errors"
	"io"
	"strings"
)

// maxLine is the longest command in bytes: a game of twenty thousand moves.
const maxLine = 128 << 10

// overlong stands for a longer one. It is no command.
const overlong = "\x00"

// maxQueued is how many lines are read ahead.
const maxQueued = 1 << 10

// hostLines are the lines of in, until it ends or done is closed.
func hostLines(in io.Reader, done <-chan struct{}) <-chan string {
	lines := make(chan string, maxQueued)
	go func() {
		defer close(lines)
		r := bufio.NewReaderSize(in, maxLine)
		for {
			line, err := readLine(r)
			if line != "" {
				select {
				case lines <- strings.TrimRight(line, "\r\n"):
				case <-done:
					return
				}
			}
			if err != nil {
				return
			}
		}
	}()
	return lines
}

// readLine reads one line with its line feed. At the end of the input an unfinished line
// counts too.
func readLine(r *bufio.Reader) (string, error) {
	line, err := r.ReadSlice('\n')
	if !errors.Is(err, bufio.ErrBufferFull) {
		return string(line), err
	}
	for errors.Is(err, bufio.ErrBufferFull) {
		_, err = r.ReadSlice('\n')
	}
	return overlong, err
}
