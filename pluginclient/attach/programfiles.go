package attach

import (
	"path/filepath"
	"slices"
	"strings"

	"qhsh/engine/lazyregexp"
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
