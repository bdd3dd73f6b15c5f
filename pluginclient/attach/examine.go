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

// A suiteFunc are the checks for the engine of a SPEC.
type suiteFunc func(spec, Options) (*check.Suite, error)

// suites are the checks of each protocol, by the name that a SPEC begins with; nil where there
// are none.
var suites = map[string]suiteFunc{
	builtinName:  spec.examineBuiltin,
	qhName:       spec.examinePlugin,
	uciName:      spec.examineUniversal,
	ucciName:     spec.examineUniversal,
	xboardName:   nil,
	quoridorName: spec.examineQTP,
	qtpName:      spec.examineQTP,
}

// Checks is Examine for somebody who wants to know what is examined: the SPEC needs no command
// line, as in "ucci:".
func Checks(text string, o Options) (*check.Suite, error) {
	if name, found := strings.CutSuffix(strings.TrimSpace(text), ":"); found && isProtocol(name) {
		text = name + ":engine" // it is not started
	}
	return Examine(text, o)
}

// unexamined says of a SPEC that there are no checks for its protocol; nil: there are.
func unexamined(text string, names map[string]string) error {
	text, err := resolve(strings.TrimSpace(text), names)
	if err != nil {
		return err
	}
	head, _, _ := strings.Cut(text, ":")
	name, _, _ := strings.Cut(head, ",")
	if !isProtocol(name) || suites[name] != nil {
		return nil
	}
	var others []string
	for other, suite := range suites {
		if suite != nil {
			others = append(others, other)
		}
	}
	slices.Sort(others)
	return fmt.Errorf("%w: engines of %s: cannot be checked, as there are no checks for that protocol: those that can have a SPEC that begins with %s, or none of these names",
		ErrSpec, name, strings.Join(others, ", "))
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
	return suites[s.name](s, o)
}

// examinePlugin wants quirks that there are, and obeys none: the examiner works around nothing.
func (s spec) examinePlugin(o Options) (*check.Suite, error) {
	cmd, _, err := s.plugin()
	if err != nil {
		return nil, err
	}
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
	e, err := s.embedded(o)
	if err != nil {
		return nil, err
	}
	e.giveBack() // nobody says when the checks are over, and there is no other engine beside them
	return qh.Suite(qh.InProcess(e.server, o.Log)), nil
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

// WithQuirks is the SPEC of a QHPLUGIN plugin with other quirks, which are chosen when those are
// known that it has. It is empty if it has none, and none are chosen.
func WithQuirks(text string, choose func(given []string) []string, names map[string]string) (string, error) {
	text, err := resolve(strings.TrimSpace(text), names)
	if err != nil {
		return "", err
	}
	s, err := parseSpec(text, nil)
	if err != nil || s.name != qhName {
		return "", err
	}
	_, quirks, err := s.plugin()
	if err != nil {
		return "", err
	}
	var given []string
	if text := quirks.String(); text != "" {
		given = strings.Split(text, ",")
	}
	chosen := choose(given)
	if len(given)+len(chosen) == 0 {
		return "", nil
	}
	head := []string{s.name}
	for _, o := range s.options {
		if o.key == dirKey {
			head = append(head, o.key+"="+o.value)
		}
	}
	before, command, found := strings.Cut(text, ":")
	if name, _, _ := strings.Cut(before, ","); !found || name != s.name {
		command = text // no NAME in front
	}
	return strings.Join(append(head, chosen...), ",") + ":" + command, nil
}
