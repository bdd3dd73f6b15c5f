package attach

import (
	"maps"
	"slices"
	"strings"

	"qhsh/pluginclient"
)

// yesNo are the Words of an option that is true or false.
var yesNo = []string{"true", "false"}

// Complete returns the completions of typed, the beginning of a SPEC: names of kinds and those of
// engines.json, options of a kind and their values, and the programs and files of a command line,
// where ~ stands for the folder home, unless that is empty. What ends in one of = , : . / is not
// complete.
func (k Kinds) Complete(typed string, names map[string]string, home string) (all []pluginclient.Completion) {
	end := strings.IndexAny(typed, ",:")
	if end < 0 {
		for _, kind := range k.All() {
			c := pluginclient.Completion{Text: kind.Name}
			if !kind.Embedded {
				c.Text += ":"
			}
			if len(kind.Examples) > 0 {
				c.Note, _, _ = strings.Cut(kind.Examples[0].Text, "\n")
			}
			all = append(all, c)
		}
		for _, name := range slices.Sorted(maps.Keys(names)) {
			all = append(all, pluginclient.Completion{Text: name, Note: names[name]})
		}
		return append(matching(all, typed), completeWord(typed, 0, home)...)
	}
	rows := slices.DeleteFunc(k.All(), func(kind Kind) bool { return kind.Name != typed[:end] })
	if len(rows) == 0 {
		return completeWord(typed, 0, home)
	}
	if _, command, hasCommand, err := splitHead(typed, onWindows); err == nil && hasCommand {
		return completeWord(typed, len(typed)-len(command), home)
	}
	comma := strings.LastIndexByte(typed, ',')
	return completeOption(rows, typed[:comma+1], typed[comma+1:], home)
}

// completeWord completes the last word of the command line that begins at from: a program, or a file
// that is given to one.
func completeWord(typed string, from int, home string) []pluginclient.Completion {
	word := from + strings.LastIndexByte(typed[from:], ' ') + 1
	known := pluginclient.IsExecutable
	if word > from {
		known = nil
	}
	return pluginclient.Prefixed(typed[:word], pluginclient.CompletePath(typed[word:], home, known))
}

// completeOption completes field, the last option of a SPEC. head is what stands before it.
func completeOption(kinds []Kind, head, field, home string) (all []pluginclient.Completion) {
	key, value, hasValue := strings.Cut(field, "=")
	if hasValue && key == dirKey {
		return pluginclient.Prefixed(head+key+"=", pluginclient.CompletePath(value, home, nil))
	}
	for _, kind := range kinds {
		for _, o := range kind.Options {
			switch {
			case hasValue && o.Name == key:
				plus := strings.LastIndexByte(value, '+') + 1
				all = append(all, pluginclient.Prefixed(head+key+"="+value[:plus], pluginclient.Completions(o.Words, false))...)
			case !hasValue && (o.Repeats || !strings.Contains(head, ","+o.Name+"=")):
				all = append(all, completeKey(head, key, o)...)
			}
		}
	}
	return matching(withoutRepetitions(all), head+field)
}

// completeKey completes the key of an option. A name that ends in .NAME stands for several.
func completeKey(head, key string, o Option) (all []pluginclient.Completion) {
	prefix, isPrefix := strings.CutSuffix(o.Name, "NAME")
	switch {
	case isPrefix && strings.HasPrefix(key, prefix):
		for _, word := range o.Words {
			all = append(all, pluginclient.Completion{Text: head + prefix + word + "="})
		}
		return all
	case !isPrefix:
		prefix += "="
	}
	return []pluginclient.Completion{{Text: head + prefix, Note: strings.ReplaceAll(o.Help, "`", "")}}
}

// withoutRepetitions merges completions with the same text, whose notes differ.
func withoutRepetitions(all []pluginclient.Completion) (distinct []pluginclient.Completion) {
	for _, c := range all {
		i := slices.IndexFunc(distinct, func(d pluginclient.Completion) bool { return d.Text == c.Text })
		switch {
		case i < 0:
			distinct = append(distinct, c)
		case distinct[i].Note != c.Note:
			distinct[i].Note += "; " + c.Note
		}
	}
	return distinct
}

func matching(all []pluginclient.Completion, typed string) []pluginclient.Completion {
	return slices.DeleteFunc(all, func(c pluginclient.Completion) bool { return !strings.HasPrefix(c.Text, typed) })
}
