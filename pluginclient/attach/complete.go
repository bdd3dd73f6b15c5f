package attach

import (
	"maps"
	"slices"
	"strings"
)

// A Completion is a possible completion of a SPEC that is being typed.
type Completion struct {
	Text string // the SPEC so far; what ends in one of = , : . is not complete
	Note string // one line; may be empty
}

// yesNo are the Words of an option that is true or false.
var yesNo = []string{"true", "false"}

// Complete returns the completions of typed, the beginning of a SPEC: names of kinds and those of
// engines.json, options of a kind, and their values. The end of typed that may be a file's path,
// which is for the caller to complete, begins at offset file; it is -1 if there is none.
func (k Kinds) Complete(typed string, names map[string]string) (all []Completion, file int) {
	end := strings.IndexAny(typed, ",:")
	if end < 0 {
		return matching(append(k.nameCompletions(), namedCompletions(names)...), typed), lastWord(typed, 0)
	}
	rows := k.named(typed[:end])
	if len(rows) == 0 {
		return nil, lastWord(typed, 0)
	}
	if colon := headLength(typed); colon >= 0 {
		return nil, lastWord(typed, colon+1)
	}
	comma := strings.LastIndexByte(typed, ',')
	return completeOption(rows, typed[:comma+1], typed[comma+1:])
}

// named returns the kinds with the given name.
func (k Kinds) named(name string) (all []Kind) {
	for _, kind := range k.All() {
		if kind.Name == name {
			all = append(all, kind)
		}
	}
	return all
}

// headLength returns the offset of the colon in front of a SPEC's command line, or -1.
func headLength(text string) int {
	_, command, hasCommand, err := splitHead(text, onWindows)
	if err != nil || !hasCommand {
		return -1
	}
	return len(text) - len(command) - 1
}

// lastWord returns the offset of the last word of the command line that begins at from.
func lastWord(text string, from int) int {
	return from + strings.LastIndexByte(text[from:], ' ') + 1
}

func (k Kinds) nameCompletions() (all []Completion) {
	for _, kind := range k.All() {
		c := Completion{Text: kind.Name}
		if !kind.Embedded {
			c.Text += ":"
		}
		if len(kind.Examples) > 0 {
			c.Note, _, _ = strings.Cut(kind.Examples[0].Text, "\n")
		}
		all = append(all, c)
	}
	return all
}

func namedCompletions(names map[string]string) (all []Completion) {
	for _, name := range slices.Sorted(maps.Keys(names)) {
		all = append(all, Completion{name, names[name]})
	}
	return all
}

// completeOption completes field, the last option of a SPEC. head is what stands before it.
func completeOption(kinds []Kind, head, field string) (all []Completion, file int) {
	key, value, hasValue := strings.Cut(field, "=")
	if hasValue && key == dirKey {
		return nil, len(head) + len(key) + 1
	}
	for _, kind := range kinds {
		for _, o := range kind.Options {
			switch {
			case hasValue && o.Name == key:
				plus := strings.LastIndexByte(value, '+') + 1
				all = append(all, wordCompletions(head+key+"="+value[:plus], o.Words, "")...)
			case !hasValue && (o.Repeats || !strings.Contains(head, ","+o.Name+"=")):
				all = append(all, completeKey(head, key, o)...)
			}
		}
	}
	return matching(withoutRepetitions(all), head+field), -1
}

// completeKey completes the key of an option. A name that ends in .NAME stands for several.
func completeKey(head, key string, o Option) []Completion {
	prefix, isPrefix := strings.CutSuffix(o.Name, "NAME")
	switch {
	case isPrefix && strings.HasPrefix(key, prefix):
		return wordCompletions(head+prefix, o.Words, "=")
	case !isPrefix:
		prefix += "="
	}
	return []Completion{{head + prefix, strings.ReplaceAll(o.Help, "`", "")}}
}

func wordCompletions(head string, words []string, end string) (all []Completion) {
	for _, word := range words {
		all = append(all, Completion{Text: head + word + end})
	}
	return all
}

// withoutRepetitions merges completions with the same text, whose notes differ.
func withoutRepetitions(all []Completion) (distinct []Completion) {
	for _, c := range all {
		i := slices.IndexFunc(distinct, func(d Completion) bool { return d.Text == c.Text })
		switch {
		case i < 0:
			distinct = append(distinct, c)
		case distinct[i].Note != c.Note:
			distinct[i].Note += "; " + c.Note
		}
	}
	return distinct
}

// matching returns the completions that begin with typed.
func matching(all []Completion, typed string) []Completion {
	return slices.DeleteFunc(all, func(c Completion) bool { return !strings.HasPrefix(c.Text, typed) })
}
