package main

import (
	"slices"
	"strings"

	"qhsh/engine"
	"qhsh/engine/games"
	"qhsh/pluginclient"
	"qhsh/pluginclient/task/batch"
	"qhsh/pluginclient/task/batch/input"
	"qhsh/script"
)

// An operandCompleter returns possible completions of typed, the operand after operands. Those that
// do not begin with typed are for the caller to drop.
type operandCompleter func(h host, operands []string, typed string) []pluginclient.Completion

// operandAt completes the operand at a place, from 0.
func operandAt(place int, all func(h host, typed string) []pluginclient.Completion) operandCompleter {
	return func(h host, operands []string, typed string) []pluginclient.Completion {
		if len(operands) != place {
			return nil
		}
		return all(h, typed)
	}
}

// wordAt completes the operand at a place, which is one of some words.
func wordAt(place int, words ...string) operandCompleter {
	return operandAt(place, func(host, string) []pluginclient.Completion { return pluginclient.Completions(words, false) })
}

// specs completes a SPEC. An engines.json that cannot be read is reported when it is used.
func specs(h host, typed string) []pluginclient.Completion {
	names, _ := engineNames(h)
	return h.kinds().Complete(typed, names, h.Env("HOME"))
}

// players completes operands of the form SPEC or NAME=SPEC.
func players(h host, _ []string, typed string) []pluginclient.Completion {
	i := strings.IndexAny(typed, "=,:/")
	if i < 0 || typed[i] != '=' {
		return specs(h, typed)
	}
	return pluginclient.Prefixed(typed[:i+1], specs(h, typed[i+1:]))
}

// filesThat completes files of which one of the functions says, by their names, that they may be right.
func filesThat(may ...func(all games.Table, name string) bool) operandCompleter {
	return func(h host, _ []string, typed string) []pluginclient.Completion {
		return h.files(typed, func(name string) bool {
			return slices.ContainsFunc(may, func(be func(games.Table, string) bool) bool { return be(h.Games, name) })
		})
	}
}

func arePositions(_ games.Table, name string) bool { return input.HasKnownExt(name) }

func areAnswers(_ games.Table, name string) bool {
	_, ok := batch.Formats(1).ByPath(input.TrimCompressedExt(name))
	return ok
}

// areScores reports whether a file may hold answers or a book of another program, judging by its name.
func areScores(all games.Table, name string) bool {
	for _, game := range all.Games() {
		if _, ok := bookFormats(all.Row(game)).ByPath(name); ok {
			return true
		}
	}
	return areAnswers(all, name)
}

// isRecord reports whether a file may hold records of any game, judging by its name.
func isRecord(all games.Table, name string) bool {
	return slices.ContainsFunc(all.Games(), func(game engine.Game) bool { return hasRecordExt(all.Records(game), name) })
}

// scriptAndArguments completes a script, and then its flags or files.
func scriptAndArguments(h host, operands []string, typed string) (all []pluginclient.Completion) {
	if len(operands) == 0 {
		return h.files(typed, func(name string) bool { return strings.HasSuffix(name, ".star") })
	}
	if !strings.HasPrefix(typed, "-") {
		return h.files(typed, nil)
	}
	path := operands[0]
	if rest, ok := strings.CutPrefix(path, "~/"); ok { // shells leave it to programs while a word is being completed
		path = h.Env("HOME") + "/" + rest
	}
	flags, _ := script.DeclaredFlags(path) // running it reports what is wrong
	for _, f := range flags {
		c := pluginclient.Completion{Text: dashes(typed) + f.Name}
		if f.Default != "" {
			c.Note = "default " + f.Default
		}
		all = append(all, c)
	}
	return all
}

// files completes a path: folders, and the files that are known, or all files if there is none.
// known may be nil.
func (h host) files(typed string, known func(name string) bool) []pluginclient.Completion {
	return pluginclient.CompletePath(typed, h.Env("HOME"), known)
}
