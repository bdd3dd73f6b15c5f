// Package attach turns a SPEC, the way a user names an engine, into a Session. It alone
// knows every protocol and every embedded engine.
//
// A SPEC is NAME[,KEY=VALUE...][:COMMAND LINE]:
//
//	builtin                          the embedded engine
//	builtin,nodes=20000,hash=64      with options
//	builtin,off=singular+probcut     without some rules of its search (on= with), to test them
//	qh:./UCCI2QH                     a QHPLUGIN plugin
//	./UCCI2QH -plugin                the same: what begins with no NAME is a QHPLUGIN command line
//	uci,Threads=2:./pikafish         an engine that speaks UCI, with options of its own
//	ucci,hashsize=64:./ELEEYE        an engine that speaks UCCI
//	xboard,memory=64:./fairy-max      an engine that speaks XBoard's protocol
//	quoridor,size=7,walls=5,hash=64  the embedded engine of Quoridor
//	qtp,size=7,walls=5:./naive       an engine that speaks QTP, the Quoridor Text Protocol
//	qtp,strict=true:./naive          the same; whatever it does against the protocol is told
//	eleeye                           a name from engines.json, which stands for a SPEC
//
// A command line is split into words as a POSIX shell would, but no shell runs. The option
// dir of a program is its working directory; without it, it is the program's own folder.
// Further options of a QHPLUGIN plugin are its quirks ([qhplugin.Quirks]), as in
// qh,letters=nb,ban=keeps:./plugin; "qhsh check" finds them.
package attach

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

	"qhsh/engine"
)

// ErrSpec is wrapped by the errors of a SPEC that makes no sense.
var ErrSpec = errors.New("engine specification")

// spec is a SPEC taken apart.
type spec struct {
	name    string
	options []option
	command []string // words; nil if there is no command line
}

type option struct{ key, value string }

// number is the value, a number above 0 if it has to be positive.
func (o option) number(positive bool) (int, error) {
	n, err := strconv.Atoi(o.value)
	switch {
	case errors.Is(err, strconv.ErrRange) && n > 0:
		return 0, fmt.Errorf("%s=%s: the number is too large", o.key, o.value)
	case positive && n < 1:
		return 0, fmt.Errorf("%s=%s: want a number of at least 1", o.key, o.value)
	case err != nil:
		return 0, fmt.Errorf("%s=%s: want a number", o.key, o.value)
	}
	return n, nil
}

// The names that a SPEC can begin with.
const (
	builtinName = "builtin"
	qhName      = "qh"
	uciName     = "uci"
	ucciName    = "ucci"
	xboardName  = "xboard"

	quoridorName = "quoridor"
	qtpName      = "qtp"
)

// isProtocol tells whether a word is one of them.
func isProtocol(name string) bool {
	_, ok := suites[name]
	return ok
}

// dirKey is the option of every program that is its working directory.
const dirKey = "dir"

// parseSpec takes a SPEC apart. Names of engines.json are resolved first.
func parseSpec(text string, names map[string]string) (spec, error) {
	text, err := resolve(strings.TrimSpace(text), names)
	if err != nil {
		return spec{}, err
	}
	head, command, hasCommand := strings.Cut(text, ":")
	fields := strings.Split(head, ",")
	if !isProtocol(fields[0]) {
		fields, command, hasCommand = []string{qhName}, text, true
	}
	s, given := spec{name: fields[0]}, map[string]bool{}
	for _, field := range fields[1:] {
		key, value, ok := strings.Cut(field, "=")
		if !ok || key == "" {
			return spec{}, fmt.Errorf("%w %q: %q is not KEY=VALUE", ErrSpec, text, field)
		}
		if given[key] && !s.repeats(key) {
			return spec{}, fmt.Errorf("%w %q: %s is given twice: one of them has to go", ErrSpec, text, key)
		}
		given[key] = true
		s.options = append(s.options, option{key, value})
	}
	if hasCommand {
		if s.command, err = splitWords(command); err != nil {
			return spec{}, fmt.Errorf("%w %q: %w", ErrSpec, text, err)
		}
	}
	return s, s.check(text, hasCommand)
}

// repeats tells whether an option may be given more than once.
func (s spec) repeats(key string) bool {
	switch s.name {
	case builtinName:
		return key == "on" || key == "off"
	case qhName:
		return key != dirKey // the quirks
	}
	return false
}

func (s spec) check(text string, hasCommand bool) error {
	embedded := s.name == builtinName || s.name == quoridorName
	switch {
	case embedded && hasCommand:
		return fmt.Errorf("%w %q: %s takes no command line", ErrSpec, text, s.name)
	case !embedded && len(s.command) == 0:
		return fmt.Errorf("%w %q: a command line is missing, as in %s:./engine", ErrSpec, text, s.name)
	}
	return nil
}

// resolve follows names to the SPEC that they stand for.
func resolve(text string, names map[string]string) (string, error) {
	for range len(names) + 1 {
		next, ok := names[text]
		if !ok {
			return text, nil
		}
		text = strings.TrimSpace(next)
	}
	return "", fmt.Errorf("%w: the name %q in engines.json stands for itself", ErrSpec, text)
}

// LoadNames reads engines.json, an object whose keys are names and whose values are
// SPECs. A file that does not exist has no names.
func LoadNames(path string) (map[string]string, error) {
	data, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("engines: %w", err)
	}
	var names map[string]string
	if err := json.Unmarshal(data, &names); err != nil {
		return nil, fmt.Errorf("engines: %s: %w: want {\"name\": \"spec\", ...}", path, engine.ExplainJSON(err))
	}
	for name := range names {
		if isProtocol(name) || strings.ContainsAny(name, ":, ") || name == "" {
			return nil, fmt.Errorf("engines: %s: %q cannot be a name", path, name)
		}
	}
	return names, nil
}
