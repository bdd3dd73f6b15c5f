package repl

import (
	"strings"

	"qhsh/pluginclient"
)

// inStarlark reports whether the line that starts with before is Starlark.
func (s *Shell) inStarlark(before string) bool {
	if s.script.block != nil {
		return true
	}
	word, _ := cutWord(before)
	if s.script.prompting && !strings.HasPrefix(word, ".") {
		return true
	}
	cmd := s.table.find(word)
	behindWord := strings.TrimLeft(before, " \t") != word
	return cmd != nil && cmd.name == scriptExtension && behindWord
}

// completeStarlark completes the name before the cursor, or an attribute of a name. Before the
// first word of a line it indents.
func (s *Shell) completeStarlark(before, behind string) completion {
	const indent = "    "
	if strings.TrimSpace(before) == "" {
		return completion{line: before + indent + behind, cursor: len(before) + len(indent)}
	}
	from := strings.LastIndexAny(before, " \t()[]{}<>=!+-*/%,:;&|^~@'\"\\#") + 1 // of a dotted name
	path := before[from:]
	env := s.script.environment()
	var names []string
	switch owner, _, dotted := strings.Cut(path, "."); {
	case !dotted:
		names = env.Names()
	case strings.Count(path, ".") == 1:
		from += len(owner) + 1
		names = env.Attributes(owner)
	}
	var all []pluginclient.Completion
	for _, name := range names {
		if strings.HasPrefix(name, before[from:]) { // in Starlark case matters
			all = append(all, pluginclient.Completion{Text: name})
		}
	}
	return choose(before, behind, from, all)
}
