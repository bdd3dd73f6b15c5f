package attach

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"qhsh/engine"
	"qhsh/engine/games"
	"qhsh/pluginclient"
	"qhsh/pluginclient/protocol/qhplugin"
	"qhsh/pluginclient/task/check"
)

// A Row is a kind of engine in the table. It may also implement [Examiner], [ModeProvider] and
// [Repeater].
type Row interface {
	Kind() Kind
	// Game returns the game that the engine of a SPEC plays, or the error of a game option.
	Game(Spec) (engine.Game, error)
	// Open starts the engine of a SPEC. Errors of options wrap ErrSpec, see [Spec.OptionError].
	Open(context.Context, Spec, Options) (pluginclient.Session, error)
}

// A Kind describes the engines of a Row.
type Kind struct {
	Name              string            // the prefix of a SPEC
	Title             string            // display name of the protocol; may be empty
	Greeting          string            // lines that its programs answer with one that matches Answer; empty: none
	Answer            string            // a regular expression
	Embedded          bool              // runs in this process, without a command line
	Default           bool              // a SPEC without a prefix is of this kind
	UnsupportedLimits engine.LimitKinds // limits that its searches cannot have
	Scores            Scores            // which searches give scores
	Options           []Option          // without the options that a program announces itself
	Examples          []Example         // for the help
	Prompt            string            // text about its commands at the shell's prompt; empty: those of QHPLUGIN
}

// Scores are the searches that give scores.
type Scores int

// The values of Scores.
const (
	EveryScored   Scores = iota // every search gives scores, as far as the protocol is concerned
	MovesUnscored               // those with Limits.Play give none, others may
	NoneScored                  // the protocol has no scores
)

// An Option is an engine option of a SPEC.
type Option = games.EngineOption

// An Example is a SPEC and its description, in short lines.
type Example struct{ Spec, Text string }

// An Examiner is a Row whose engines can be checked.
type Examiner interface {
	// Examine returns the checks for the engine of a SPEC, without starting a program.
	Examine(context.Context, Spec, Options) (*check.Suite, error)
}

// A gameReporter is a Row that can report whether only the engine of a SPEC itself knows its game, so
// that Game returns a guess.
type gameReporter interface{ reportsGame(Spec) bool }

// A Repeater is a Row that can report whether an engine is deterministic.
type Repeater interface{ Repeatable(Spec) bool }

// Kinds is an immutable table of the kinds of engines.
type Kinds struct {
	rows []Row
	all  func() []Kind // of the rows, asked once
}

func newKinds(rows []Row) Kinds {
	return Kinds{rows, sync.OnceValue(func() (all []Kind) {
		for _, r := range rows {
			all = append(all, r.Kind())
		}
		return all
	})}
}

// DefaultKinds returns all protocols and the embedded engines of games. The engine of the default
// game is named builtin; the others are named after their games.
func DefaultKinds(t games.Table) Kinds {
	usual, rest := []Row{plugins{}, uciPrograms(), ucciPrograms(), xboardPrograms{}}, []Row{qtpPrograms{t}, qchessPrograms{}, cbPrograms{t}}
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
	return newKinds(slices.Concat(first, usual, others, rest))
}

// An embedder is the Row of a protocol that is also used for the embedded engine of a game.
type embedder interface {
	embeds() engine.Game
	// embed returns the Row of that engine.
	embed(embedded) Row
}

// row returns the Row of an embedded engine, with the protocol of its game if there is one.
func (e embedded) row(protocols []Row) Row {
	for _, r := range protocols {
		if p, ok := r.(embedder); ok && p.embeds().Name() == e.game.Name() {
			return p.embed(e)
		}
	}
	return inProcess{e}
}

// With returns a copy of the table with one more kind.
func (k Kinds) With(r Row) Kinds { return newKinds(append(slices.Clone(k.rows), r)) }

// row returns the Row with the given name, or nil.
func (k Kinds) row(name string) Row { return k.rowFor(name, true) }

// rowFor returns the Row with the given name, or nil. An embedded engine and the programs of its
// protocol may share a name: then hasCommand selects the programs.
func (k Kinds) rowFor(name string, hasCommand bool) (row Row) {
	for i, kind := range k.All() {
		if kind.Name == name && (row == nil || kind.Embedded != hasCommand) {
			row = k.rows[i]
		}
	}
	return row
}

// plain returns the Row of a SPEC without a prefix, or nil.
func (k Kinds) plain() Row {
	for i, kind := range k.All() {
		if kind.Default {
			return k.rows[i]
		}
	}
	return nil
}

// IsEmpty reports whether there are no kinds.
func (k Kinds) IsEmpty() bool { return len(k.rows) == 0 }

// All returns all kinds, in the order of the table. The caller must not modify them.
func (k Kinds) All() []Kind {
	if k.IsEmpty() {
		return nil
	}
	return k.all()
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

// Protocols returns the prefixes and titles of the protocols that need a prefix in a SPEC.
func (k Kinds) Protocols() (names, titles []string) {
	for _, kind := range k.All() {
		if !kind.Embedded && !kind.Default {
			names, titles = append(names, kind.Name+":"), append(titles, kind.Title)
		}
	}
	return names, titles
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
	for i, o := range options {
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", o.Name, strings.Join(of[i], ", "), o.Help)
	}
	return b.String()
}

// options returns the options of all kinds without duplicates, and which kinds have them.
func (k Kinds) options() (all []Option, of [][]string) {
	for _, kind := range k.All() {
		for _, o := range kind.Options {
			i := slices.IndexFunc(all, func(known Option) bool { return known.Name == o.Name && known.Help == o.Help })
			if i < 0 {
				i, all, of = len(all), append(all, o), append(of, nil)
			}
			of[i] = append(of[i], "`"+kind.Name+"`")
		}
	}
	return all, of
}

// Language returns the commands of the shell's prompt for kinds without a Prompt, and while no engine
// is attached.
func Language() pluginclient.Language { return qhplugin.Language() }

// A languageRow is a Row of a protocol that has a reference of its commands.
type languageRow interface{ language() pluginclient.Language }

// Languages returns the protocols that have a reference of their commands.
func (k Kinds) Languages() (all []pluginclient.Language) {
	for _, r := range k.rows {
		if l, ok := r.(languageRow); ok {
			all = append(all, l.language())
		}
	}
	return all
}

// Prompts returns the Prompt texts of all kinds.
func (k Kinds) Prompts() string {
	text := ""
	for _, kind := range k.All() {
		text += kind.Prompt
	}
	return text
}

// option returns the option with the given name, such as that of env.NAME for env.PATH.
func (k Kind) option(name string) (Option, bool) {
	i := slices.IndexFunc(k.Options, func(o Option) bool {
		prefix, any := strings.CutSuffix(o.Name, "NAME")
		return o.Name == name || any && strings.HasPrefix(name, prefix)
	})
	if i < 0 {
		return Option{}, false
	}
	return k.Options[i], true
}

// noOption returns the error for an unknown option, which lists the known names.
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

// programOptions are the options of every program.
var programOptions = []Option{
	{Name: dirKey, Help: "working directory, where a program named by a path is looked for; without it the program's own folder, or where qhsh runs for one found in `PATH`"},
	{Name: envPrefix + "NAME", Help: "value of the environment variable NAME"},
}
