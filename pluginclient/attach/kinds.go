package attach

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"qhsh/engine"
	"qhsh/engine/games"
	"qhsh/pluginclient"
	"qhsh/pluginclient/protocol/qhplugin"
	"qhsh/pluginclient/task/check"
)

// A Row is a kind of engines in the table. Its type may have the abilities [Examiner], [ModeProvider]
// and [Repeater].
type Row interface {
	Kind() Kind
	// Game is the game that the engine of a SPEC plays. The error is that of an option of the game.
	Game(Spec) (engine.Game, error)
	// Open starts the engine of a SPEC. The error of an option wraps ErrSpec, see [Spec.Wrong].
	Open(context.Context, Spec, Options) (pluginclient.Session, error)
}

// A Kind is what is known of a Row's engines before one is started.
type Kind struct {
	Name              string            // that a SPEC begins with
	Title             string            // of its protocol, as people call it; empty: there is none
	Embedded          bool              // it runs in this process, so that there is no command line
	Default           bool              // what begins with no Name is a command line of this kind
	UnsupportedLimits engine.LimitKinds // that its searches cannot be given
	Options           []Option          // none of a program's need stand here that are the engine's own
	Examples          []Example         // for the help
	Prompt            string            // lines that say how it is spoken to at the shell's prompt; empty: as all are
}

// An Option is something about an engine that a SPEC can choose.
type Option = games.EngineOption

// An Example is a SPEC and what it is, lines of a few words.
type Example struct{ Spec, Text string }

// An Examiner is a Row whose engines can be checked.
type Examiner interface {
	// Examine are the checks for the engine of a SPEC, which is not started yet.
	Examine(Spec, Options) (*check.Suite, error)
}

// A Repeater is a Row of engines that answer the same question alike every time.
type Repeater interface{ Repeatable(Spec) bool }

// Kinds is an immutable table of the kinds of engines that there are.
type Kinds struct{ rows []Row }

// DefaultKinds are the protocols that the program knows, and the engines of games: that of the
// usual one is called builtin, and that of any other like its game.
func DefaultKinds(t games.Table) Kinds {
	usual, rest := []Row{plugins{}, uciPrograms(), ucciPrograms(), xboardPrograms{}}, []Row{qtpPrograms{t}}
	var first, others []Row
	for i, game := range t.Players() {
		player, _ := games.Ability[games.Player](t, game)
		e := embedded{name: game.Name(), games: t, game: game, player: player}
		if i == 0 && game.Name() == t.DefaultGame().Name() {
			e.name = builtinName
			first = append(first, e.row(slices.Concat(usual, rest)))
			continue
		}
		others = append(others, e.row(slices.Concat(usual, rest)))
	}
	return Kinds{slices.Concat(first, usual, others, rest)}
}

// An embedder is the Row of a protocol in which the embedded engine of a game is spoken to.
type embedder interface {
	embeds() engine.Game
	// embed is the Row of the engine of that game.
	embed(embedded) Row
}

// row is the Row of an embedded engine, by the protocol of its game if there is one.
func (e embedded) row(protocols []Row) Row {
	for _, r := range protocols {
		if p, ok := r.(embedder); ok && p.embeds().Name() == e.game.Name() {
			return p.embed(e)
		}
	}
	return inProcess{e}
}

// With returns a copy of the table with one more kind.
func (k Kinds) With(r Row) Kinds { return Kinds{append(slices.Clone(k.rows), r)} }

// row is the Row of a name; nil if there is none.
func (k Kinds) row(name string) Row {
	for _, r := range k.rows {
		if r.Kind().Name == name {
			return r
		}
	}
	return nil
}

// plain is the Row of what begins with no name; nil if there is none.
func (k Kinds) plain() Row {
	for _, r := range k.rows {
		if r.Kind().Default {
			return r
		}
	}
	return nil
}

// All returns what is known of each kind, in the order of the table.
func (k Kinds) All() (all []Kind) {
	for _, r := range k.rows {
		all = append(all, r.Kind())
	}
	return all
}

// EmbeddedNames returns the names of the engines that need no command line.
func (k Kinds) EmbeddedNames() (names []string) {
	for _, kind := range k.All() {
		if kind.Embedded {
			names = append(names, kind.Name)
		}
	}
	return names
}

// Protocols returns the names and the titles of the kinds that a SPEC of a program has to name.
func (k Kinds) Protocols() (names, titles []string) {
	for _, kind := range k.All() {
		if !kind.Embedded && !kind.Default {
			names, titles = append(names, kind.Name+":"), append(titles, kind.Title)
		}
	}
	return names, titles
}

// Help returns examples of SPECs, each in a line that begins with blanks.
func (k Kinds) Help() string {
	var b strings.Builder
	for _, kind := range k.All() {
		for _, e := range kind.Examples {
			fmt.Fprintf(&b, "  %-32s %s\n", e.Spec, strings.ReplaceAll(e.Text, "\n", fmt.Sprintf("\n%35s", "")))
		}
	}
	return b.String()
}

// Table returns the examples of SPECs and the options of all kinds as two tables in Markdown.
func (k Kinds) Table() string {
	var b strings.Builder
	b.WriteString("| SPEC | |\n|---|---|\n")
	for _, kind := range k.All() {
		for _, e := range kind.Examples {
			fmt.Fprintf(&b, "| `%s` | %s |\n", e.Spec, strings.ReplaceAll(e.Text, "\n", " "))
		}
	}
	b.WriteString("\n| option | of | |\n|---|---|---|\n")
	options, of := k.options()
	for _, o := range options {
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", o.Name, strings.Join(of[o], ", "), o.Help)
	}
	return b.String()
}

// options are the options of all kinds, each once, and the names of the kinds that have them.
func (k Kinds) options() (all []Option, of map[Option][]string) {
	of = map[Option][]string{}
	for _, kind := range k.All() {
		for _, o := range kind.Options {
			if of[o] == nil {
				all = append(all, o)
			}
			of[o] = append(of[o], "`"+kind.Name+"`")
		}
	}
	return all, of
}

// Language is that of the shell's prompt for all kinds but those that have a Prompt, and while
// there is no engine.
func Language() pluginclient.Language { return qhplugin.Language() }

// Prompts returns what is to be said of the kinds that are not spoken to as all are.
func (k Kinds) Prompts() string {
	text := ""
	for _, kind := range k.All() {
		text += kind.Prompt
	}
	return text
}

// option is an option of the kind.
func (k Kind) option(name string) (Option, bool) {
	i := slices.IndexFunc(k.Options, func(o Option) bool { return o.Name == name })
	if i < 0 {
		return Option{}, false
	}
	return k.Options[i], true
}

// noOption is the error of an option that a kind has not got, which has those of some names.
func noOption(key string, names []string) error {
	last := len(names) - 1
	if last < 0 {
		return fmt.Errorf("there is no option %q, and no other", key)
	}
	text := names[last]
	if last > 0 {
		text = strings.Join(names[:last], ", ") + " and " + text
	}
	return fmt.Errorf("there is no option %q, only %s", key, text)
}

// programOptions are those of every program.
var programOptions = []Option{
	{Name: dirKey, Help: "working directory; without it the program's own folder"},
	{Name: envPrefix + "NAME", Help: "value of the environment variable NAME"},
}
