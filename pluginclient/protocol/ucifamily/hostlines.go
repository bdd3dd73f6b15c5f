package ucifamily

import (
	"bufio"
	"io"
	"strings"

	"qhsh/pluginclient"
)

// MaxLine is the longest command in bytes: a game of twenty thousand moves. A longer one is
// pluginclient.Overlong.
const MaxLine = 128 << 10

// MaxQueued is how many lines are read ahead, and may wait for the end of a search.
const MaxQueued = 1 << 10

// HostLines are the lines of in, until it ends or done is closed.
func HostLines(in io.Reader, done <-chan struct{}) <-chan string {
	lines := make(chan string, MaxQueued)
	go func() {
		defer close(lines)
		r := bufio.NewReaderSize(in, MaxLine)
		for {
			line, err := pluginclient.ReadLine(r)
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
