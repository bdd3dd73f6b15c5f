package universal

import (
	"bufio"
	"errors"
	"io"
	"strings"
)

// MaxLine is the longest command in bytes: a game of twenty thousand moves.
const MaxLine = 128 << 10

// Overlong stands for a longer one. It is no command.
const Overlong = "\x00"

// MaxQueued is how many lines are read ahead, and may wait for the end of a search.
const MaxQueued = 1 << 10

// HostLines are the lines of in, until it ends or done is closed.
func HostLines(in io.Reader, done <-chan struct{}) <-chan string {
	lines := make(chan string, MaxQueued)
	go func() {
		defer close(lines)
		r := bufio.NewReaderSize(in, MaxLine)
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
	return Overlong, err
}
