package pluginclient

import (
	"cmp"
	"os"
	"path/filepath"
	"strings"
)

// A Completion is a suggested word.
type Completion struct {
	Text string
	Note string // explanation for the user; may be empty
	More bool   // another word must follow
}

// Completions returns a Completion without a note for each word.
func Completions(words []string, more bool) (all []Completion) {
	for _, word := range words {
		all = append(all, Completion{Text: word, More: more})
	}
	return all
}

// Prefixed puts head in front of the text of each completion.
func Prefixed(head string, all []Completion) []Completion {
	for i := range all {
		all[i].Text = head + all[i].Text
	}
	return all
}

// CompletePath returns the files whose paths begin with typed and, with a slash, the folders. Only
// files that are known are returned, if there are any; known may be nil. Hidden ones must be typed
// with their dot. ~ in front stands for the folder home, unless that is empty.
func CompletePath(typed, home string, known func(path string) bool) []Completion {
	const limit = 2000 // entries that are looked at
	slash := strings.LastIndexAny(typed, "/"+string(filepath.Separator)) + 1
	folder, name := typed[:slash], typed[slash:]
	look := folder
	if rest, ok := strings.CutPrefix(folder, "~/"); ok && home != "" {
		look = home + "/" + rest
	}
	entries, err := os.ReadDir(cmp.Or(look, "."))
	if err != nil {
		return nil
	}
	var wanted, files, folders []Completion
	for _, entry := range entries {
		if !strings.HasPrefix(entry.Name(), name) || name == "" && strings.HasPrefix(entry.Name(), ".") {
			continue
		}
		if len(folders)+len(files) == limit {
			break
		}
		c := Completion{Text: folder + entry.Name(), More: true}
		path := filepath.Join(look, entry.Name())
		if info, err := os.Stat(path); err == nil && info.IsDir() {
			folders = append(folders, Completion{Text: c.Text + "/"})
			continue
		}
		files = append(files, c)
		if known != nil && known(path) {
			wanted = append(wanted, c)
		}
	}
	if len(wanted) == 0 {
		wanted = files
	}
	return append(wanted, folders...)
}

// IsExecutable reports whether the file at path is a program, judging by its mode.
func IsExecutable(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode()&0o111 != 0
}
