package serving

import "slices"

// MaxBacklog is how many commands may wait for the end of a search. More are not read before that.
const MaxBacklog = 1 << 10

// A Backlog holds the commands that have come and have not been carried out, in their order.
type Backlog []string

// Add adds a command. Who has a Full one waits with it, since every command has to be answered.
func (b *Backlog) Add(line string) { *b = append(*b, line) }

// Full reports whether the next command would be one too many.
func (b Backlog) Full() bool { return len(b) >= MaxBacklog }

// Take takes the first command that may be carried out now. thinks reports whether a command
// may start a search; what stands behind one that waits is not about the search under way.
func (b *Backlog) Take(may func(line string, behind bool) bool, thinks func(line string) bool) (line string, ok bool) {
	behind := false
	for i, line := range *b {
		if may(line, behind) {
			*b = slices.Delete(*b, i, i+1)
			return line, true
		}
		behind = behind || thinks(line)
	}
	return "", false
}
