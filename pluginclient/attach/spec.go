// Package attach turns a SPEC, the way a user names an engine, into a Session, and says what a
// SPEC stands for before anything is started. It alone knows every protocol and every embedded
// engine: they are the rows of a table, [Kinds].
//
// A SPEC is NAME[,KEY=VALUE...][:COMMAND LINE]:
//
//	builtin                          the embedded engine of the usual game
//	builtin,nodes=20000,hash=64      with options
//	builtin,off=singular+probcut     without some rules of its search (on= with), to test them
//	qh:./UCCI2QH                     a QHPLUGIN plugin
//	./UCCI2QH -plugin                the same: what begins with no NAME is a QHPLUGIN command line
//	uci,Threads=2:./pikafish         an engine that speaks UCI, with options of its own
//	ucci,hashsize=64:./ELEEYE        an engine that speaks UCCI
//	xboard,memory=64:./fairy-max      an engine that speaks XBoard's protocol
//	qtp,size=7,walls=5:./naive       an engine that speaks QTP
//	qtp,strict=true:./naive          the same; whatever it does against the protocol is told
//	qh,dir="a,b",env.BOOK=c:./x      a value in quotes, and an environment variable
//	eleeye                           a name from engines.json, which stands for a SPEC
//
// The embedded engines of other games are called like their games, and have the options of the
// game beside those of the engine.
//
// A command line is split into words as a POSIX shell would, but no shell runs, and values are
// quoted likewise. On Windows a backslash outside quotes is literal. The option dir of a program
// is its working directory; without it, it is the program's own folder. The option env.NAME sets
// the environment variable NAME, whatever it is here. Further options of a QHPLUGIN plugin are
// its quirks ([qhplugin.Quirks]), as in qh,letters=nb,ban=keeps:./plugin; "qhsh check" finds them.
//
// # What a protocol brings
//
// A protocol is its package, and a [Row] in [DefaultKinds]; a test takes a copy of that with one
// more row, by [Kinds.With]. A row names its kind, says which game it plays, and opens a Session.
// What else a protocol has are abilities, small interfaces found by assertion. Of a row:
//
//   - [Examiner]: checks of its engines
//   - [ModeProvider]: modes in which qhsh is itself an engine that speaks it
//   - [Repeater]: engines that answer the same question alike
//
// and of its Session:
//
//   - pluginclient.LanguageProvider: the Language of the shell's prompt
//   - pluginclient.ResultChecker: engines that tell who has won
//   - [DirectSearcher], pluginclient.Bounded: how it can be asked
//
// A client embeds pluginclient.Conversation, and a server is built on package serving. Beside the
// row a protocol wants the words of its prompt with their completion (its Language), checks, a
// fuzz target for its lines, recorded conversations as transcripts, plugintest.CheckOrder for its
// server, and a section of the README. Package plugintest/jsonlines is the example to read: a
// whole protocol, which cmd/qhsh's TestMadeUpProtocol takes through every command.
package attach

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"qhsh/engine"
	"qhsh/engine/games"
	"qhsh/pluginclient"
)

// ErrSpec is wrapped by the errors of a SPEC that makes no sense.
var ErrSpec = errors.New("engine specification")

// A Spec is a SPEC taken apart.
type Spec struct {
	Name    string // of its Kind
	Options []games.Setting
	Command []string // words; nil if there is no command line
}

// OptionError is the error of an option.
func (s Spec) OptionError(err error) error { return fmt.Errorf("%w: %s: %w", ErrSpec, s.Name, err) }

const (
	dirKey    = "dir"  // the option of every program that is its working directory
	envPrefix = "env." // begins the options of every program that are environment variables
)

// Program is the program of a SPEC, and the options that are for its engine.
func (s Spec) Program() (cmd pluginclient.Command, options []games.Setting, err error) {
	cmd = pluginclient.Command{Path: s.Command[0], Args: s.Command[1:]}
	for _, o := range s.Options {
		name, isEnv := strings.CutPrefix(o.Key, envPrefix)
		switch {
		case o.Key == dirKey:
			cmd.Dir = o.Value
		case isEnv && name == "":
			return cmd, nil, s.OptionError(fmt.Errorf("%s: want the name of a variable, as in env.NAME=VALUE", o.Key))
		case isEnv:
			cmd.Env = append(cmd.Env, name+"="+o.Value)
		default:
			options = append(options, o)
		}
	}
	if cmd.Env != nil {
		cmd.Env = append(os.Environ(), cmd.Env...) // the last one of a name holds
	}
	return cmd, options, nil
}

// parse takes a SPEC apart and finds its Row, with an error too if there is one. Names of
// engines.json are resolved first.
func (o Options) parse(text string) (Spec, Row, error) {
	text, err := resolve(strings.TrimSpace(text), o.Names)
	if err != nil {
		return Spec{}, nil, err
	}
	row, fields, command, hasCommand, err := o.kinds().split(text)
	if row == nil {
		return Spec{}, nil, fmt.Errorf("%w %q: there are no engines", ErrSpec, text)
	}
	kind := row.Kind()
	s := Spec{Name: kind.Name}
	if err == nil {
		s.Options, err = kind.settings(fields)
	}
	if err == nil && hasCommand {
		s.Command, err = splitWords(command, onWindows)
	}
	if err != nil {
		return Spec{}, row, fmt.Errorf("%w %q: %w", ErrSpec, text, err)
	}
	switch {
	case kind.Embedded && hasCommand:
		err = fmt.Errorf("%w %q: %s takes no command line", ErrSpec, text, s.Name)
	case !kind.Embedded && len(s.Command) == 0:
		err = fmt.Errorf("%w %q: a command line is missing, as in %s:./engine", ErrSpec, text, s.Name)
	default:
		if refused := o.Limits.Check(kind.Title, kind.UnsupportedLimits); refused != nil {
			err = fmt.Errorf("%w %q: %w", ErrSpec, text, refused)
		}
	}
	return s, row, err
}

// split finds the Row of a SPEC, its options and its command line.
func (k Kinds) split(text string) (row Row, options []string, command string, hasCommand bool, err error) {
	name := text
	if i := strings.IndexAny(text, ",:"); i >= 0 {
		name = text[:i]
	}
	if row = k.row(name); row == nil {
		return k.plain(), nil, text, true, nil
	}
	fields, command, hasCommand, err := splitHead(text, onWindows)
	if err != nil {
		return row, nil, "", false, err
	}
	return row, fields[1:], command, hasCommand, nil
}

// settings reads KEY=VALUE of a kind.
func (k Kind) settings(fields []string) (all []games.Setting, err error) {
	for _, field := range fields {
		key, value, ok := strings.Cut(field, "=")
		if !ok || key == "" {
			return nil, fmt.Errorf("%q is not KEY=VALUE", field)
		}
		given := slices.ContainsFunc(all, func(s games.Setting) bool { return s.Key == key })
		if o, _ := k.option(key); given && !o.Repeats {
			return nil, fmt.Errorf("%s is given twice: one of them has to go", key)
		}
		all = append(all, games.Setting{Key: key, Value: value})
	}
	return all, nil
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
func (k Kinds) LoadNames(path string) (map[string]string, error) {
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
		if k.row(name) != nil || strings.ContainsAny(name, ":, ") || name == "" {
			return nil, fmt.Errorf("engines: %s: %q cannot be a name", path, name)
		}
	}
	return names, nil
}
