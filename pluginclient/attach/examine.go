package attach

import (
	"fmt"
	"slices"
	"strings"

	"qhsh/pluginclient"
	"qhsh/pluginclient/check"
	"qhsh/pluginclient/check/qh"
	"qhsh/pluginclient/check/uci"
	"qhsh/pluginclient/qhplugin"
	"qhsh/pluginclient/universal"
)

// Checks is Examine for somebody who wants to know what is examined: the SPEC needs no command
// line, as in "ucci:".
func Checks(text string, o Options) (*check.Suite, error) {
	if name, found := strings.CutSuffix(strings.TrimSpace(text), ":"); found {
		switch name {
		case qhName, uciName, ucciName, qtpName:
			text = name + ":engine" // it is not started
		}
	}
	return Examine(text, o)
}

// examined are the protocols that there are checks for.
var examined = []string{qhName, uciName, ucciName, qtpName, builtinName, quoridorName}

// unexamined says of a SPEC that there are no checks for its protocol; nil: there are.
func unexamined(text string, names map[string]string) error {
	text, err := resolve(strings.TrimSpace(text), names)
	if err != nil {
		return err
	}
	head, _, _ := strings.Cut(text, ":")
	name, _, _ := strings.Cut(head, ",")
	if !slices.Contains(protocols, name) || slices.Contains(examined, name) {
		return nil
	}
	return fmt.Errorf("%w: there are no checks for the protocol of %s: yet, only for the SPECs that begin with %s",
		ErrSpec, name, strings.Join(examined, ", "))
}

// Examine are the checks for the engine of a SPEC, which has not been started, in what binds
// engines of its protocol. The errors are those of Open.
func Examine(text string, o Options) (*check.Suite, error) {
	if err := unexamined(text, o.Names); err != nil {
		return nil, err
	}
	s, err := parseSpec(text, o.Names)
	if err != nil {
		return nil, err
	}
	switch s.name {
	case qhName:
		return s.examinePlugin(o)
	case builtinName:
		return s.examineBuiltin(o)
	case qtpName, quoridorName:
		return s.examineQTP(o)
	}
	return s.examineUniversal(o)
}

// examinePlugin passes over quirks: the examiner works around nothing.
func (s spec) examinePlugin(o Options) (*check.Suite, error) {
	cmd, _ := s.program()
	play := qhplugin.InMode(cmd, "-plugin")
	debug := play
	if i := slices.Index(play.Args, "-plugin"); !slices.Contains(play.Args, "debug") {
		debug.Args = slices.Insert(slices.Clone(play.Args), i+1, "debug")
	}
	return qh.Suite(qh.Plugin{
		Name: cmd.Path, Log: o.Log,
		Info: qhplugin.InMode(cmd, "-info").Start, Play: play.Start, Debug: debug.Start,
	}), nil
}

func (s spec) examineBuiltin(o Options) (*check.Suite, error) {
	server, err := s.builtin(o)
	if err != nil {
		return nil, err
	}
	return qh.Suite(qh.InProcess(server, o.Log)), nil
}

// program is the command line of a SPEC, and its options but for dir.
func (s spec) program() (cmd pluginclient.Command, options []option) {
	cmd = pluginclient.Command{Path: s.command[0], Args: s.command[1:]}
	for _, o := range s.options {
		if o.key == dirKey {
			cmd.Dir = o.value
			continue
		}
		options = append(options, o)
	}
	return cmd, options
}

// examineUniversal are the checks for an engine that speaks UCI or UCCI.
func (s spec) examineUniversal(o Options) (*check.Suite, error) {
	cmd, options := s.program()
	var told universal.Options
	for _, opt := range options {
		if err := told.Set(opt.key, opt.value); err != nil {
			return nil, fmt.Errorf("%w: %s: %w", ErrSpec, s.name, err)
		}
	}
	return uci.Suite(uci.Engine{
		Name: cmd.Path, Start: cmd.Start, UCCI: s.name == ucciName,
		Settings: told.Settings, Ranks: told.Ranks, Log: o.Log,
	}), nil
}

// WithQuirks is a SPEC of a QHPLUGIN plugin with further options.
func WithQuirks(text string, quirks []string, names map[string]string) (string, error) {
	text, err := resolve(strings.TrimSpace(text), names)
	if err != nil {
		return "", err
	}
	s, err := parseSpec(text, nil)
	if err != nil {
		return "", err
	}
	kept := []string{s.name}
	for _, o := range s.options {
		again := func(quirk string) bool { return strings.HasPrefix(quirk, o.key+"=") }
		if !slices.ContainsFunc(quirks, again) {
			kept = append(kept, o.key+"="+o.value)
		}
	}
	head, command, found := strings.Cut(text, ":")
	if name, _, _ := strings.Cut(head, ","); !found || name != s.name {
		command = text // no NAME in front
	}
	return strings.Join(append(kept, quirks...), ",") + ":" + command, nil
}
