package ucifamily

import (
	"bufio"
	"io"
	"sync"

	"qhsh/pluginclient"
)

// A Voice is what a server says. It is safe for concurrent use.
type Voice struct {
	trace *pluginclient.Trace

	mu     sync.Mutex
	out    *bufio.Writer
	hushed bool
}

// NewVoice is one that writes to out. The trace may be nil.
func NewVoice(out io.Writer, trace *pluginclient.Trace) *Voice {
	return &Voice{trace: trace, out: bufio.NewWriter(out)}
}

// Say writes lines and flushes them. What a search says after the end of the conversation is
// lost.
func (v *Voice) Say(lines ...string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.hushed {
		return
	}
	for _, line := range lines {
		if v.trace != nil {
			v.trace.Add(pluginclient.Received, line)
		}
		_, _ = v.out.WriteString(line + "\n")
	}
	if v.out.Flush() != nil {
		v.hushed = true // the host has closed its end; that of the input will follow
	}
}

// Hear notes what the host has said.
func (v *Voice) Hear(line string) {
	if v.trace != nil {
		v.trace.Add(pluginclient.Sent, line)
	}
}

// Hush is the end of the conversation: nothing more is written.
func (v *Voice) Hush() {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.hushed = true
}
