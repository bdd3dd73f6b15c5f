package main

import (
	"os"
	"path/filepath"
	"strings"

	"qhsh/engine/games"
	"qhsh/pluginclient/task/batch"
	"qhsh/pluginclient/task/batch/input"
	"qhsh/script"
)

// An operandCompleter returns possible completions of typed, the operand after operands. Those that
// do not begin with typed are for the caller to drop.
type operandCompleter func(h host, operands []string, typed string) []candidate

// operandWords completes the first operands, for each of which there is one word; "" if there is
// none.
func operandWords(words ...string) operandCompleter {
	return func(_ host, operands []string, _ string) []candidate {
		if len(operands) >= len(words) || words[len(operands)] == "" {
			return nil
		}
		return wordCandidates(words[len(operands) : len(operands)+1])
	}
}

// oneSpec completes the only operand, a SPEC.
func oneSpec(h host, operands []string, typed string) []candidate {
	if len(operands) > 0 {
		return nil
	}
	return specs(h, typed)
}

// specs completes a SPEC. An engines.json that cannot be read is reported when it is used.
func specs(h host, typed string) (all []candidate) {
	names, _ := engineNames(h)
	found, file := h.kinds().Complete(typed, names)
	for _, c := range found {
		all = append(all, candidate{c.Text, c.Note})
	}
	if file < 0 {
		return all
	}
	known := h.isExecutable
	if strings.HasSuffix(typed[:file], " ") { // an argument of the program
		known = nil
	}
	for _, c := range h.files(typed[file:], known) {
		all = append(all, candidate{text: typed[:file] + c.text})
	}
	return all
}

func (h host) isExecutable(path string) bool {
	info, err := os.Stat(h.expandHome(path))
	return err == nil && info.Mode()&0o111 != 0
}

// players completes operands of the form SPEC or NAME=SPEC.
func players(h host, _ []string, typed string) []candidate {
	i := strings.IndexAny(typed, "=,:/")
	if i < 0 || typed[i] != '=' {
		return specs(h, typed)
	}
	all := specs(h, typed[i+1:])
	for k := range all {
		all[k].text = typed[:i+1] + all[k].text
	}
	return all
}

// positionFiles completes files of positions, and outputs of hints, which -merge reads.
func positionFiles(h host, _ []string, typed string) []candidate {
	return h.files(typed, func(name string) bool { return input.HasKnownExt(name) || isAnswers(name) })
}

// answerFiles completes outputs of hints.
func answerFiles(h host, _ []string, typed string) []candidate { return h.files(typed, isAnswers) }

func isAnswers(name string) bool {
	_, ok := batch.Formats(1).ByPath(input.TrimCompressedExt(name))
	return ok
}

// recordFiles completes files of games.
func recordFiles(h host, _ []string, typed string) []candidate {
	return h.files(typed, func(name string) bool { return isRecord(h.Games, name) })
}

// gamesOrPositions completes files of games and of positions.
func gamesOrPositions(h host, _ []string, typed string) []candidate {
	return h.files(typed, func(name string) bool { return input.HasKnownExt(name) || isRecord(h.Games, name) })
}

// isRecord reports whether a file may hold records of any game, judging by its name.
func isRecord(all games.Table, name string) bool {
	for _, game := range all.Games() {
		if hasRecordExt(all.Records(game), name) {
			return true
		}
	}
	return false
}

// scriptAndArguments completes a script, and then its flags or files.
func scriptAndArguments(h host, operands []string, typed string) (all []candidate) {
	if len(operands) == 0 {
		return h.files(typed, func(name string) bool { return strings.HasSuffix(name, ".star") })
	}
	if !strings.HasPrefix(typed, "-") {
		return h.files(typed, nil)
	}
	flags, _ := script.DeclaredFlags(h.expandHome(operands[0])) // running it reports what is wrong
	for _, f := range flags {
		c := candidate{text: dashes(typed) + f.Name}
		if f.Default != "" {
			c.note = "default " + f.Default
		}
		all = append(all, c)
	}
	return all
}

// maxListed limits how many entries of a folder are listed.
const maxListed = 2000

// files completes a path: folders, and the files whose names are known, or all files if there is
// none. known may be nil.
func (h host) files(typed string, known func(name string) bool) []candidate {
	folders, files := h.entries(typed)
	var wanted []candidate
	for _, c := range files {
		if known == nil || known(c.text) {
			wanted = append(wanted, c)
		}
	}
	if len(wanted) == 0 {
		wanted = files
	}
	return append(wanted, folders...)
}

// folders completes the path of a folder.
func (h host) folders(typed string) []candidate {
	folders, _ := h.entries(typed)
	return folders
}

// entries returns the folders, with a slash, and the files whose paths begin with typed. Hidden
// ones are listed only if typed has their dot.
func (h host) entries(typed string) (folders, files []candidate) {
	slash := strings.LastIndexAny(typed, "/"+string(filepath.Separator)) + 1
	folder, name := typed[:slash], typed[slash:]
	look := h.expandHome(folder)
	if look == "" {
		look = "."
	}
	entries, err := os.ReadDir(look)
	if err != nil {
		return nil, nil
	}
	for _, entry := range entries {
		if !strings.HasPrefix(entry.Name(), name) || name == "" && strings.HasPrefix(entry.Name(), ".") {
			continue
		}
		if len(folders)+len(files) == maxListed {
			break
		}
		c := candidate{text: folder + entry.Name()}
		if info, err := os.Stat(filepath.Join(look, entry.Name())); err == nil && info.IsDir() {
			c.text += "/"
			folders = append(folders, c)
			continue
		}
		files = append(files, c)
	}
	return folders, files
}

// expandHome replaces ~ in front of a path, which shells leave to programs while a word is being
// completed.
func (h host) expandHome(path string) string {
	if rest, ok := strings.CutPrefix(path, "~/"); ok {
		return h.Env("HOME") + "/" + rest
	}
	return path
}
