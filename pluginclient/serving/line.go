package serving

import (
	"bufio"
	"errors"
)

// OverlongLine stands for a line that did not fit into the buffer. It is no command of any protocol.
const OverlongLine = "\x00"

// readLine reads one line, with its line feed. At the end of the input an unfinished line
// counts too. A line that is longer than the reader's buffer is read to its end, and Overlong.
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
