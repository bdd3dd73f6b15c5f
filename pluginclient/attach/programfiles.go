package attach

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"qhsh/engine/lazyregexp"
	"qhsh/pluginclient"
)

// interpreter matches the names of programs that run others.
var interpreter = lazyregexp.New(`^(python|pypy|perl|ruby|lua|luajit|node|php|java|mono|dotnet|wine|sh|bash|dash|zsh)[\d.]*(w|64)?$`)

// programOf returns the word of a command line that tells people which program it is: for an
// interpreter, as in "python3 -u engine.py", that which it runs.
func programOf(command []string) string {
	base := strings.TrimSuffix(filepath.Base(command[0]), ".exe")
	i := slices.IndexFunc(command[1:], func(word string) bool { return !strings.HasPrefix(word, "-") })
	if i < 0 || !interpreter().MatchString(base) || strings.ContainsAny(command[1+i], " \t\n;|&") { // a line of a shell
		return command[0]
	}
	return command[1+i]
}

// programFiles returns the files of a program.
func programFiles(cmd pluginclient.Command) []string {
	program, dir, err := cmd.Locate()
	if err != nil {
		return nil
	}
	files := []string{program}
	if len(cmd.Args) == 0 || strings.HasPrefix(cmd.Args[0], "-") {
		return files
	}
	word := cmd.Args[0]
	if !filepath.IsAbs(word) {
		word = filepath.Join(dir, word)
	}
	if info, err := os.Stat(word); err == nil && info.Mode().IsRegular() {
		files = append(files, word)
	}
	return files
}
