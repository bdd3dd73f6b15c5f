// Package attach parses SPECs ([Parse]): an [Engine] knows its game and its files before it is started,
// and opens a Session, the checks of its protocol or a server. It is the only package that knows all
// protocols and embedded engines: they are the rows of a table, [Kinds].
//
// A SPEC is NAME[,KEY=VALUE...][:COMMAND LINE]; each Row has Examples:
//
//	builtin,nodes=20000,hash=64      the embedded engine of the default game, with options
//	uci,Threads=2:./pikafish         an engine that speaks UCI, with engine options
//	qh,dir="a,b",env.BOOK=c:./x      a quoted value, and an environment variable
//	./UCCI2QH -plugin                without a NAME the SPEC is a QHPLUGIN command line
//	eleeye                           a name from engines.json, which stands for a SPEC
//
// The embedded engines of other games are named after their games, and have the options of the game
// and of the engine.
//
// A command line is split into words like a POSIX shell does, but no shell runs. Values are quoted
// the same way. On Windows a backslash outside quotes is literal. The option dir of a program is its
// working directory, and the folder in which a program is looked for that is named by a path. Without
// it, such a program runs in its own folder, and one found in PATH where qhsh runs. Arguments are
// passed on unchanged. The option env.NAME sets the environment variable NAME. Further options of a QHPLUGIN plugin are its quirks
// ([qhplugin.Quirks]), as in qh,letters=nb,ban=keeps:./plugin; "qhsh check" finds them.
//
// # Adding a protocol
//
// A protocol needs a package below pluginclient/protocol, which knows nothing of SPECs, and a [Row] in
// [DefaultKinds], which has a file of its own here. A test adds a row by
// [Kinds.With]. A row describes its kind and parses a SPEC ([Parsed]); what it does not have is nil.
// Other abilities are optional interfaces of its Session:
//
//   - pluginclient.LanguageProvider: the Language of the shell's prompt
//   - pluginclient.ResultChecker: the engine can report the winner of a game
//   - pluginclient.Bounded, pluginclient.LiveThinker, pluginclient.Untimed: how it searches
//
// A client embeds pluginclient.Conversation, and a server is built on package serving. A protocol
// also needs the commands of its prompt with completion (its Language), checks, a fuzz target for
// its lines, recorded conversations as transcripts, plugintest.CheckOrder for its server, a line in
// mayImport of cmd/qhsh's tests, and a section of pluginclient/PROTOCOLS.md; TestDocuments -update
// writes the tables of the help. Package protocol/jsonl with its row in jsonl.go is the smallest example;
// its script jsonl.txtar in cmd/qhsh uses every command.
package attach

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"qhsh/engine/games"
	"qhsh/engine/interruptible"
	"qhsh/engine/printable"
	"qhsh/pluginclient"
	"qhsh/pluginclient/suggest"
)

// ErrSpec is wrapped by errors of an invalid SPEC.
var ErrSpec = errors.New("engine specification")

// A Spec is a parsed SPEC.
type Spec struct {
	Name    string // of its Kind
	Options []games.Setting
	Command []string // words; nil if there is no command line
}

// OptionError returns err as an error of an option of s.
func (s Spec) OptionError(err error) error { return fmt.Errorf("%w: %s: %w", ErrSpec, s.Name, err) }

const (
	dirKey    = "dir"  // the option of every program that is its working directory
	envPrefix = "env." // begins the options of every program that are environment variables
)

// Program returns the program of a SPEC and the options for its engine.
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
		cmd.Env = append(os.Environ(), cmd.Env...) // the last value of a name applies
	}
	return cmd, options, nil
}

// split splits a SPEC into its Row, options and command line.
func (k Kinds) split(text string) (row *Row, options []string, command string, hasCommand bool, err error) {
	name := text
	if i := strings.IndexAny(text, ",:"); i >= 0 {
		name = text[:i]
	}
	if k.row(name) == nil {
		i := slices.IndexFunc(k.rows, func(r Row) bool { return r.Default })
		if i < 0 {
			return nil, nil, "", false, fmt.Errorf("%w %q: there are no engines", ErrSpec, text)
		}
		return &k.rows[i], nil, text, true, nil
	}
	fields, command, hasCommand, err := splitHead(text, onWindows)
	if row = k.rowFor(name, hasCommand); err != nil {
		return row, nil, "", false, err
	}
	return row, fields[1:], command, hasCommand, nil
}

// closest returns a SPEC with the name or prefix that was probably meant by the unknown one at its
// beginning, or "" if none is similar. One letter may be the drive of a path.
func (o Options) closest(text string) string {
	text = strings.TrimSpace(text)
	word, rest := text, ""
	if i := strings.IndexAny(text, ",: "); i >= 0 {
		word, rest = text[:i], text[i:]
	}
	k := o.kinds()
	if _, known := o.Names[text]; known || len(word) < 2 || strings.ContainsAny(word, `/\`) || rest != "" && rest[0] != ' ' && k.row(word) != nil {
		return ""
	}
	var words []string
	for _, kind := range k.All() {
		words = append(words, kind.Name)
	}
	if rest == "" {
		words = append(words, slices.Sorted(maps.Keys(o.Names))...)
	}
	guess := suggest.Closest(word, words)
	row := k.rowFor(guess, strings.Contains(rest, ":"))
	switch {
	case guess == "":
		return ""
	case rest != "" && rest[0] != ' ':
		return guess + rest
	case row != nil && !row.Embedded:
		return guess + ":" + strings.TrimSpace(rest)
	}
	return guess
}

// settings parses KEY=VALUE fields.
func (k Kind) settings(fields []string) (all []games.Setting, err error) {
	for _, field := range fields {
		key, value, ok := strings.Cut(field, "=")
		if !ok || key == "" {
			return nil, fmt.Errorf("%q is not KEY=VALUE", field)
		}
		given := slices.ContainsFunc(all, func(s games.Setting) bool { return s.Key == key })
		if o, _ := k.option(key); given && !o.Repeats {
			return nil, fmt.Errorf("%s is given twice: remove one", key)
		}
		all = append(all, games.Setting{Key: key, Value: value})
	}
	return all, nil
}

// resolve replaces a name of engines.json by its SPEC.
func resolve(text string, names map[string]string) (string, error) {
	for range len(names) + 1 {
		next, ok := names[text]
		if !ok {
			return text, nil
		}
		text = strings.TrimSpace(next)
	}
	return "", fmt.Errorf("%w: the name %q in engines.json refers to itself", ErrSpec, text)
}

// LoadNames reads engines.json, an object whose keys are names and whose values are
// SPECs. A file that does not exist has no names.
func (k Kinds) LoadNames(path string) (map[string]string, error) {
	file, err := interruptible.OpenRegular(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("engines: %w", err)
	}
	defer file.Close()
	data, err := io.ReadAll(file)
	if err != nil {
		return nil, fmt.Errorf("engines: %w", err)
	}
	var names map[string]string
	if err := json.Unmarshal(data, &names); err != nil {
		return nil, fmt.Errorf("engines: %s: %w: want {\"name\": \"spec\", ...}", path, printable.JSONError(err))
	}
	for name := range names {
		if k.row(name) != nil || strings.ContainsAny(name, ":, ") || name == "" {
			return nil, fmt.Errorf("engines: %s: %q cannot be a name", path, name)
		}
	}
	return names, nil
}
