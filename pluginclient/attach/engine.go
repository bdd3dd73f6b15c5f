package attach

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"qhsh/engine"
	"qhsh/engine/games"
	"qhsh/pluginclient"
	"qhsh/pluginclient/protocol/qhplugin"
	"qhsh/pluginclient/task/check"
)

// An Engine is the engine of a SPEC, which is not started yet.
type Engine struct {
	Kind
	Parsed
	Given     string  // the SPEC as it was given, without spaces around it
	Spec      string  // with the names of engines.json looked up
	Name      string  // what people call it: its SPEC if it is embedded, and else the name of its program or script
	ShortName string  // the same in short, for a prompt: the Kind's name if it is embedded, and else no extension
	Options   Options // as given; those for Open may be changed before it

	spec    Spec
	command string // the command line, as it is written
}

// Parse parses a SPEC, or a name of engines.json. It starts nothing. The error wraps ErrSpec if the SPEC
// or an option is invalid, or if the engine does not support the Limits (an *[engine.LimitError]); the
// Engine then has what is known, such as its Kind.
func Parse(text string, o Options) (*Engine, error) {
	e := &Engine{Options: o, Given: strings.TrimSpace(text)}
	var err error
	if e.Spec, err = resolve(e.Given, o.Names); err != nil {
		return e, err
	}
	row, fields, command, hasCommand, err := o.kinds().split(e.Spec)
	if row == nil {
		return e, err
	}
	e.Kind, e.command, e.spec.Name = row.Kind, command, row.Name
	if err == nil {
		e.spec.Options, err = e.settings(fields)
	}
	if err == nil && hasCommand {
		e.spec.Command, err = splitWords(command, onWindows)
	}
	switch {
	case err != nil:
	case e.Embedded && hasCommand:
		err = fmt.Errorf("%s takes no command line", e.Kind.Name)
		if strings.HasPrefix(command, "//") {
			err = fmt.Errorf("%w: put a URL in quotes", err)
		}
	case !e.Embedded && len(e.spec.Command) == 0:
		err = fmt.Errorf("a command line is missing, as in %s:./engine", e.Kind.Name)
	default:
		err = o.Limits.Check(e.Title, e.UnsupportedLimits)
	}
	if err != nil {
		return e, fmt.Errorf("%w %q: %w", ErrSpec, e.Spec, err)
	}
	if e.Embedded {
		var names []string
		for _, known := range e.Kind.Options {
			names = append(names, known.Name)
		}
		for _, given := range e.spec.Options {
			if _, ok := e.option(given.Key); !ok {
				return e, e.spec.OptionError(noOption(given.Key, names))
			}
		}
		if err := e.resolveFiles(); err != nil {
			return e, err
		}
	}
	e.Name, e.ShortName = e.Given, e.Given
	switch isName := e.Spec != e.Given; {
	case e.Embedded && !isName:
		e.ShortName = e.Kind.Name
	case !e.Embedded && !isName:
		base := filepath.Base(programOf(e.spec.Command))
		e.Name, e.ShortName = strings.TrimSuffix(base, ".exe"), strings.TrimSuffix(base, filepath.Ext(base))
	}
	e.Parsed, err = row.Parse(e.spec)
	return e, err
}

// Limited returns the engine with another level and other Limits in its Options. The error is that of
// Parse if it does not support them.
func (e *Engine) Limited(level *int, lim engine.Limits) (*Engine, error) {
	own := *e
	own.Options.Level, own.Options.Limits = level, lim
	return &own, own.checkLimits()
}

func (e *Engine) checkLimits() error {
	if err := e.Options.Limits.Check(e.Title, e.UnsupportedLimits); err != nil {
		return fmt.Errorf("%w %q: %w", ErrSpec, e.Spec, err)
	}
	return nil
}

// resolveFiles replaces the paths in the options by those that Options.File returns.
func (e *Engine) resolveFiles() error {
	for i, given := range e.spec.Options {
		option, _ := e.option(given.Key)
		if e.Options.File == nil || !option.File || slices.Contains(option.Words, given.Value) {
			continue
		}
		path, err := e.Options.File(given.Value)
		if err != nil {
			return e.spec.OptionError(fmt.Errorf("%s=%s: %w", given.Key, given.Value, err))
		}
		e.spec.Options[i].Value = path
	}
	return nil
}

// Files returns the program and, if its first argument is a file, that file, as in "python3 engine.py".
// There are none for an embedded engine or a missing program.
func (e *Engine) Files() []string {
	if e.Embedded || len(e.spec.Command) == 0 {
		return nil
	}
	cmd, _, _ := e.spec.Program() // Parse has reported the error
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

// Open parses a SPEC and starts its engine. The errors are those of [Parse] and [Engine.Open].
func Open(ctx context.Context, text string, o Options) (pluginclient.Session, error) {
	e, err := Parse(text, o)
	if err != nil {
		return nil, err
	}
	return e.Open(ctx)
}

// Open starts the engine. The error wraps ErrSpec if an option or the level is invalid (a *LevelError),
// or if the engine does not support the Limits. It is a *StartError if the engine does not start.
func (e *Engine) Open(ctx context.Context) (pluginclient.Session, error) {
	if err := e.checkLimits(); err != nil {
		return nil, err
	}
	session, err := e.start(ctx, e.Options)
	if err != nil || e.Options.Level == nil {
		return session, err
	}
	if err := e.setLevel(ctx, session); err != nil {
		session.Close()
		return nil, err
	}
	return session, nil
}

// attached returns what dialing an engine has returned. The error names the engine.
func attached[S pluginclient.Session](s S, err error) (pluginclient.Session, error) {
	if err != nil {
		return nil, fmt.Errorf("attach %w", err)
	}
	return s, nil
}

// start starts the engine at its own level.
func (e *Engine) start(ctx context.Context, o Options) (session pluginclient.Session, err error) {
	if o.Raw {
		session, err = e.openRaw(ctx, o)
	} else {
		session, err = e.Parsed.Open(ctx, o)
	}
	_, failed := errors.AsType[*pluginclient.Error](err)
	if errors.Is(err, pluginclient.ErrStart) || failed && !errors.Is(err, ErrSpec) {
		start := &StartError{Err: e.explainStart(err), Speaks: e.identify(ctx, err)}
		if !e.Default {
			start.Protocol = e.Title
		}
		return nil, start
	}
	return session, err
}

// explainStart adds to the error of an engine that did not start which of its files is in another
// folder than the one in which it runs, or, if there is no such program, which name or prefix of SPECs
// was probably meant.
func (e *Engine) explainStart(err error) error {
	if len(e.spec.Command) > 0 {
		cmd, _, _ := e.spec.Program()
		if advice := cmd.Misplaced(); advice != "" {
			err = fmt.Errorf("%w; %s", err, advice)
		}
	}
	if errors.Is(err, exec.ErrNotFound) || errors.Is(err, fs.ErrNotExist) {
		if guess := e.Options.closest(e.Given); guess != "" {
			return fmt.Errorf("%w: did you mean %s?", err, guess)
		}
	}
	return err
}

// setLevel sets the level of the Options.
func (e *Engine) setLevel(ctx context.Context, s pluginclient.Session) error {
	info, id := s.Info(), *e.Options.Level
	if e.Embedded {
		info.Name = e.Kind.Name
	}
	wrong := info.CheckLevel(id)
	if e.Embedded { // its levels are known, also if there are none
		wrong = engine.CheckLevel(info.Levels, id)
	}
	if wrong != nil {
		return &LevelError{fmt.Errorf("%s: %w", info.Name, wrong)}
	}
	err := s.SetLevel(ctx, id)
	if errors.Is(err, pluginclient.ErrRefused) {
		return &LevelError{fmt.Errorf("level %d: %w", id, err)}
	}
	return err
}

// FindGame returns the game that the engine plays. It starts only an engine that alone knows its game.
// The errors are those of Open.
func (e *Engine) FindGame(ctx context.Context) (engine.Game, error) {
	if !e.GameGuess {
		return e.Game, prepare(e.Game)
	}
	o := e.Options
	o.Raw, o.Log, o.Warn, o.Judged = false, nil, nil, nil
	session, err := e.start(ctx, o)
	switch {
	case err != nil && o.Elsewhere && ctx.Err() == nil:
		return e.Game, nil
	case err != nil:
		return nil, err
	}
	e.Game, e.GameGuess = session.Position().Game(), false
	return e.Game, session.Close()
}

// Suite returns the checks of the engine's protocol, without starting a program.
func (e *Engine) Suite(ctx context.Context) (*check.Suite, error) {
	if !e.Checked {
		var others []string
		for _, k := range e.Options.kinds().All() {
			if k.Checked {
				others = append(others, k.Name)
			}
		}
		slices.Sort(others)
		return nil, fmt.Errorf("%w: no checks for protocol %s; supported: %s", ErrSpec, e.Kind.Name, strings.Join(slices.Compact(others), ", "))
	}
	return e.Examine(ctx, e.Options)
}

// WithOptions returns the engine with options set, which replace those of the same names.
func (e *Engine) WithOptions(options []games.Setting) (*Engine, error) {
	kept := slices.DeleteFunc(slices.Clone(e.spec.Options), func(old games.Setting) bool {
		return slices.ContainsFunc(options, func(new games.Setting) bool { return new.Key == old.Key })
	})
	o := e.Options
	o.Names = nil // the SPEC has none
	return Parse(e.withSettings(append(kept, options...)), o)
}

// WithQuirks returns the SPEC of a QHPLUGIN plugin with its quirks replaced by those that choose
// returns. It returns "" if there are neither old nor new quirks, or for other engines.
func (e *Engine) WithQuirks(choose func(given []string) []string) string {
	if !e.Default {
		return ""
	}
	chosen := choose(e.quirks)
	if len(e.quirks)+len(chosen) == 0 {
		return ""
	}
	options := slices.DeleteFunc(slices.Clone(e.spec.Options), func(opt games.Setting) bool { return new(qhplugin.Quirks).Set(opt.Key, opt.Value) == nil })
	for _, quirk := range chosen {
		key, value, _ := strings.Cut(quirk, "=")
		options = append(options, games.Setting{Key: key, Value: value})
	}
	return e.withSettings(options)
}

// withSettings returns the SPEC with other options.
func (e *Engine) withSettings(options []games.Setting) string {
	spec := e.Kind.Name
	for _, opt := range options {
		spec += "," + opt.Key + "=" + quoteValue(opt.Value)
	}
	if !e.Embedded {
		spec += ":" + e.command
	}
	return spec
}
