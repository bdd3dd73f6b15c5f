package serving

import (
	"bufio"
	"errors"
)

// OverlongLine replaces a line that is longer than ReaderOptions.MaxLine. It is not a command of any
// protocol.
const OverlongLine = "\x00"

// readLine reads one line, including its line feed. The last line of the input may lack it. A line
// longer than the reader's buffer is skipped, and OverlongLine is returned.
func readLine(r *bufio.Reader) (string, error) {
	line, err := r.ReadSlice('\n')
	if !errors.Is(err, bufio.ErrBufferFull) {
		return string(line), err
	}
	for errors.Is(err, bufio.ErrBufferFull) {
		_, err = r.ReadSlice('\n')
	}
	return OverlongLine, err
}
