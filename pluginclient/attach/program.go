package attach

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Resolve is what a SPEC stands for once its names have been looked up, and the files that
// are its engine: the program, and what it is told to run if the word behind it is a file, as
// in "python3 engine.py". There are none for the embedded engine. A program that is not there
// is passed over: starting it says so.
func Resolve(text string, names map[string]string) (spec string, files []string, err error) {
	if spec, err = resolve(text, names); err != nil {
		return "", nil, err
	}
	s, err := parseSpec(spec, nil)
	if err != nil || len(s.command) == 0 {
		return spec, nil, err
	}
	program, err := exec.LookPath(s.command[0])
	if err != nil {
		return spec, nil, nil //nolint:nilerr // see above
	}
	dir := filepath.Dir(program)
	for _, o := range s.options {
		if o.key == dirKey {
			dir = o.value
		}
	}
	files = []string{program}
	if len(s.command) > 1 && !strings.HasPrefix(s.command[1], "-") {
		word := s.command[1]
		if !filepath.IsAbs(word) {
			word = filepath.Join(dir, word)
		}
		if info, err := os.Stat(word); err == nil && info.Mode().IsRegular() {
			files = append(files, word)
		}
	}
	return spec, files, nil
}
