package pluginclient

import (
	"cmp"
	"fmt"
	"strings"
)

// Reference formats what the document of a protocol says about a command: its section, the replies and
// an example. In an example, "> " starts a line to the engine, "< " one from it, and "..." stands for
// the rest of a line, or for any lines. It returns "" if there is neither a section nor an example.
func (p CommandSpec) Reference(protocol string) string {
	var b strings.Builder
	if p.Section != "" {
		fmt.Fprintf(&b, "  %s, section %s\n  replies: %s\n", protocol, p.Section, cmp.Or(p.Replies, "none"))
	}
	if p.Example != "" {
		b.WriteString("\n")
		for line := range strings.Lines(p.Example) {
			b.WriteString("  " + line)
		}
	}
	return b.String()
}

// References returns a command with its Reference in every language that has it; empty if none has.
func References(all []Language, word string) (texts []string) {
	for _, l := range all {
		if p, ok := l.Lookup(word); ok {
			texts = append(texts, fmt.Sprintf("%s\n  %s\n%s", strings.TrimSpace(p.Word+" "+p.Usage), p.Summary, p.Reference(l.Name)))
		}
	}
	return texts
}
