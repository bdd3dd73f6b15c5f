package pluginclient

import (
	"bufio"
	"errors"
)

// Overlong stands for a host's line that did not fit into a server's buffer. It is no
// command of any protocol.
const Overlong = "\x00"

// ReadLine reads one line of a host's, with its line feed. At the end of the input an
// unfinished line counts too. A line that is longer than the reader's buffer is read to its
// end, and Overlong.
func ReadLine(r *bufio.Reader) (string, error) {
	line, err := r.ReadSlice('\n')
	if !errors.Is(err, bufio.ErrBufferFull) {
		return string(line), err
	}
	for errors.Is(err, bufio.ErrBufferFull) {
		_, err = r.ReadSlice('\n')
	}
	return Overlong, err
}
