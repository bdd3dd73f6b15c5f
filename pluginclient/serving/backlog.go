package serving

import "slices"

// MaxBacklog is how many commands may wait for the end of a search. Further ones are read later.
const MaxBacklog = 1 << 10

// A Backlog is a queue of commands that have not been executed yet.
type Backlog []string

// Add adds a command. The caller must not read more commands while the Backlog is Full.
func (b *Backlog) Add(line string) { *b = append(*b, line) }

// Full reports whether the Backlog has MaxBacklog commands.
func (b Backlog) Full() bool { return len(b) >= MaxBacklog }

// Take removes and returns the first command that may be executed now. thinks reports whether a
// command may start a search. may gets behind = true for commands after a waiting command that
// thinks, since they do not refer to the current search.
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
