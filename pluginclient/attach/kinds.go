package attach

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"qhsh/engine"
	"qhsh/engine/games"
	"qhsh/engine/printable"
	"qhsh/engine/xiangqi"
	"qhsh/pluginclient"
	"qhsh/pluginclient/protocol/qhplugin"
	"qhsh/pluginclient/protocol/uci"
	"qhsh/pluginclient/task/check"
)

// A Row is a kind of engines in the table. A nil field means that they do not have it.
type Row struct {
	Kind
	// Parse reads the options of a SPEC. It starts nothing. Errors of options wrap ErrSpec, see
	// [Spec.OptionError].
	Parse    func(Spec) (Parsed, error)
	Modes    []Mode                       // in which qhsh is such an engine
	Language func() pluginclient.Language // with a reference of its commands
}

// Parsed is what a Row knows of the engine of a SPEC. Of these, only Game and Open are required.
type Parsed struct {
	Game      engine.Game // that it plays
	GameGuess bool        // only the engine itself knows its Game, see [Engine.FindGame]

	Memory int      // MiB that the options of an embedded engine give to its tables; 0: as usual
	Reads  []string // files that the options of an embedded engine name
	// Evaluation identifies what an embedded engine evaluates positions with. Two engines of the same
	// SPEC whose Evaluation differs play differently.
	Evaluation string
	Book       string // the file of Reads whose moves an embedded engine plays
	book       bookOptions

	Open func(context.Context, Options) (pluginclient.Session, error)
	// Examine returns the checks of its protocol, without starting a program.
	Examine func(context.Context, Options) (*check.Suite, error)

	quirks  []string                                               // of a QHPLUGIN plugin
	create  func(context.Context, Options) (engineInstance, error) // of an embedded engine
	tunable []Option                                               // of an embedded engine: those of its own
	hints   int                                                    // that HINTS of an embedded engine gives; 0: as usual
}

// A Kind describes the engines of a Row.
type Kind struct {
	Name              string            // the prefix of a SPEC
	Title             string            // display name of the protocol; may be empty
	Greeting          string            // lines that its programs answer with one that matches Answer; empty: none
	Answer            string            // a regular expression
	Embedded          bool              // runs in this process, without a command line
	Network           bool              // asks a server elsewhere, so only a user may name it: no script, no other machine
	Default           bool              // a SPEC without a prefix is of this kind
	UnsupportedLimits engine.LimitKinds // limits that its searches cannot have
	Scores            Scores            // which searches give scores
	Options           []Option          // without the options that a program announces itself
	Examples          []Example         // for the help
	Prompt            string            // text about its commands at the shell's prompt; empty: those of QHPLUGIN
	Checked           bool              // there are checks of the protocol
}

// Scores are the searches that give scores.
type Scores int

const (
	EveryScored   Scores = iota // every search gives scores, as far as the protocol is concerned
	MovesUnscored               // those with Limits.Play give none, others may
	NoneScored                  // the protocol has no scores
)

// An Option is an engine option of a SPEC.
type Option = games.Option

// An Example is a SPEC and its description, in short lines.
type Example struct{ Spec, Text string }

// Kinds is an immutable table of the kinds of engines.
type Kinds struct{ rows []Row }

// DefaultKinds returns all protocols and the embedded engines of games. The engine of the default
// game is named builtin; the others are named after their games.
func DefaultKinds(t games.Table) Kinds {
	var usual, others []Row
	for _, game := range t.Players() {
		e := embedded{name: t.EngineName(game.Name()), games: t, game: game, player: t.Row(game)}
		if e.name == builtinName {
			usual = append(usual, e.row())
		} else {
			others = append(others, e.row())
		}
	}
	usual = append(usual, plugins(),
		familyPrograms(uci.UCI, Example{"uci,Threads=2:./pikafish", "a program that speaks UCI, with options of its own"},
			Usage{"-uci | -ucci [debug]", "be an engine that speaks UCI or UCCI"}),
		familyPrograms(uci.UCCI, Example{"ucci:./ELEEYE", "a program that speaks UCCI"}, Usage{}),
		xboardPrograms())
	if slices.ContainsFunc(t.Games(), func(g engine.Game) bool { return g.Name() == xiangqi.Rules.Name() }) {
		usual = append(usual, cloudBook())
	}
	others = append(others, qtpPrograms(t), qchessPrograms(), cbPrograms(t))
	if len(t.Games()) > 0 {
		others = append(others, jsonlPrograms(t))
	}
	return Kinds{append(usual, others...)}
}

// With returns a copy of the table with one more kind.
func (k Kinds) With(r Row) Kinds { return Kinds{append(slices.Clone(k.rows), r)} }

func (k Kinds) row(name string) *Row { return k.rowFor(name, true) }

// rowFor returns the Row with the given name, or nil. An embedded engine and the programs of its
// protocol may share a name: then hasCommand selects the programs.
func (k Kinds) rowFor(name string, hasCommand bool) (row *Row) {
	for i, r := range k.rows {
		if r.Name == name && (row == nil || r.Embedded != hasCommand) {
			row = &k.rows[i]
		}
	}
	return row
}

// OrDefault returns the table, or DefaultKinds of t for the zero value.
func (k Kinds) OrDefault(t games.Table) Kinds {
	if k.rows == nil {
		return DefaultKinds(t)
	}
	return k
}

// All returns all kinds, in the order of the table.
func (k Kinds) All() (all []Kind) {
	for _, r := range k.rows {
		all = append(all, r.Kind)
	}
	return all
}

// Modes returns the modes of all kinds, in the order of the table.
func (k Kinds) Modes() (all []Mode) {
	for _, r := range k.rows {
		all = append(all, r.Modes...)
	}
	return all
}

// Protocols returns the kinds of programs that need a prefix in a SPEC.
func (k Kinds) Protocols() []Kind {
	return slices.DeleteFunc(k.All(), func(kind Kind) bool { return kind.Embedded || kind.Default })
}

// Table returns the examples of SPECs and the options of all kinds, except the inner ones, as two tables in Markdown.
func (k Kinds) Table() string {
	var b strings.Builder
	b.WriteString("| SPEC | |\n|---|---|\n")
	for _, kind := range k.All() {
		for _, e := range kind.Examples {
			fmt.Fprintf(&b, "| `%s` | %s |\n", e.Spec, strings.ReplaceAll(e.Text, "\n", " "))
		}
	}
	b.WriteString("\n" + k.optionTable(false))
	return b.String()
}

// InnerOptions returns the options for those who work on an engine itself as a table in Markdown.
func (k Kinds) InnerOptions() string { return k.optionTable(true) }

func (k Kinds) optionTable(inner bool) string {
	var b strings.Builder
	b.WriteString("| option | of | |\n|---|---|---|\n")
	var all []Option // without duplicates
	var of [][]string
	for _, kind := range k.All() {
		for _, o := range kind.Options {
			i := slices.IndexFunc(all, func(known Option) bool { return known.Name == o.Name && known.Help == o.Help })
			if i < 0 {
				i, all, of = len(all), append(all, o), append(of, nil)
			}
			of[i] = append(of[i], "`"+kind.Name+"`")
		}
	}
	for i, o := range all {
		if o.Inner == inner {
			fmt.Fprintf(&b, "| `%s` | %s | %s |\n", o.Name, strings.Join(of[i], ", "), o.Help)
		}
	}
	return b.String()
}

// Language returns the commands of the shell's prompt for kinds without a Prompt, and while no engine
// is attached.
func Language() pluginclient.Language { return qhplugin.Language() }

// Languages returns the protocols that have a reference of their commands.
func (k Kinds) Languages() (all []pluginclient.Language) {
	for _, r := range k.rows {
		if r.Language != nil {
			all = append(all, r.Language())
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
	if len(names) == 0 {
		return fmt.Errorf("there is no option %q, and no other", key)
	}
	return fmt.Errorf("there is no option %q, only %s", key, printable.AllOf(names))
}

var programOptions = []Option{
	{Name: dirKey, Help: "working directory, where a program named by a path is looked for; without it the program's own folder, or where qhsh runs for one found in `PATH`"},
	{Name: envPrefix + "NAME", Help: "value of the environment variable NAME"},
}
