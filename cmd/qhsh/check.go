package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"strings"
	"time"

	"qhsh/engine/games"
	"qhsh/pluginclient/attach"
	"qhsh/pluginclient/task/check"
)

var checkCommand = command{
	name:     "check",
	operands: "SPEC",
	summary:  "check whether an engine conforms to its protocol",
	help: `Checks an engine against the requirements of its protocol's specification, and prints a verdict
for each check. A failed check is shown with the section of the specification, what was
expected, what came instead, and the conversation: > was sent, ~ was sent by qhsh to
synchronise, < is the answer, ! is the engine's standard error, and # is a remark.

Checks of what a specification leaves open are advice. They are listed separately and do not
count. If an answer must come within a second and is late, the check is repeated twice: it
fails if the answer is late each time.

The engine is restarted after every fault. Checks that depend on a failed check are skipped,
and so are abilities that the engine does not announce. All checks together take at most
-time; those that were not run then are listed, and an unfinished check is not a pass. A
plugin that thinks long at its weakest level gets TIMEOUT, if that works. Ctrl-C prints the
results so far.

` + engineHelp + `
The result for a QHPLUGIN plugin ends with a SPEC that works around the failures, such as
qh,letters=nb,ban=keeps:./plugin. Every command accepts it. The checks themselves ignore the
quirks of a SPEC; quirks that no check contradicts are kept.
` + checkedHelp + `

Exit status: 0 all binding checks that apply have passed, 1 some have failed or were not
run, 2 the command line is wrong, 3 the program cannot be executed, 130 interrupted.

Examples:
  qhsh check ./myplugin
  qhsh check -only 'fen.*' -only play -v ./myplugin
  qhsh check -format junit -o report.xml uci:./pikafish
  qhsh check -list ucci:
`,
	complete: oneSpec,
	setup: func(fs *flag.FlagSet, _ games.Table) action {
		var c checkAction
		c.define(fs)
		return c.run
	},
}

// checkedHelp is a placeholder for the text of host.checkedHelp.
const checkedHelp = "{checked}"

// checkedHelp returns which engines other than QHPLUGIN plugins can be examined.
func (h host) checkedHelp() string {
	with, without := h.kinds().CheckablePrefixes()
	text := joinWords(with) + " engines are checked against their own protocols"
	if len(without) > 0 {
		text += "; " + joinWords(without) + " engines cannot be"
	}
	return text + "."
}

// checkAction is the command with its flags.
type checkAction struct {
	engine  engineFlags
	output  outputFlags
	only    []string
	list    bool
	verbose bool
	budget  time.Duration
}

func (c *checkAction) define(fs *flag.FlagSet) {
	c.budget = check.DefaultBudget
	defineOutput(fs, &c.output, check.Formats())
	fs.Var(keysValue(func(text string) error {
		names := strings.FieldsFunc(text, func(r rune) bool { return r == ',' })
		if len(names) == 0 {
			return errors.New("want names of checks, such as 'level,fen.*': -list lists them")
		}
		c.only = append(c.only, names...)
		return nil
	}), "only", "run the checks that match these `NAMES`, with * and ?, or chapters; and what they need")
	fs.BoolVar(&c.list, "list", false, "list the checks and run none")
	fs.BoolVar(&c.verbose, "v", false, "show the conversations of all checks")
	fs.Var(durationValue{&c.budget}, "time", "take `TIME` at most")
	fs.StringVar(&c.engine.trace, "trace", "", "write the whole conversation to `FILE`")
	c.engine.defineProfile(fs)
}

func (c *checkAction) run(ctx context.Context, h host, operands []string) (err error) {
	if len(operands) != 1 {
		return usagef("want one SPEC, as in 'qhsh check ./engine', got %d", len(operands))
	}
	format, err := choose(c.output, check.Formats())
	if err != nil {
		return err
	}
	reads, err := engineFiles(h, operands...)
	if err != nil {
		return err
	}
	if err := refuseShared(append(reads, c.engine.withOutputs(c.output.used(h))...)...); err != nil {
		return err
	}
	engines, err := c.engine.opener(ctx, h, func(string) {})
	if err != nil {
		return err
	}
	defer closeInto(&err, engines.Close)
	look := attach.Examine
	if c.list {
		look = attach.Checks
	}
	suite, err := look(operands[0], engines.options)
	if err != nil {
		return err
	}
	out, err := c.output.open(ctx, h)
	if err != nil {
		return err
	}
	defer closeInto(&err, out.Close)
	if c.list {
		return check.List(out, suite.Checks)
	}
	report, examineErr := c.examine(ctx, h, suite, operands[0])
	if report == nil {
		return examineErr
	}
	c.profile(suite, report, engines.options)
	style := check.Style{Verbose: c.verbose, Colour: c.output.path == "" && h.StdoutTTY && h.Env("NO_COLOR") == ""}
	if err := format.Write(out, report, style); err != nil {
		return err
	}
	if examineErr == nil && !report.OK() {
		return errSomeFailed
	}
	return examineErr // a person's interruption, after what was found by then
}

func (c *checkAction) examine(ctx context.Context, h host, suite *check.Suite, spec string) (*check.Report, error) {
	bar := &statusLine{command: "check", w: h.Stderr, on: h.StderrTTY}
	defer bar.clear()
	report, err := check.Run(ctx, suite, check.Options{
		Spec: spec, Only: c.only, Budget: c.budget,
		Progress: func(done, total int, name string) { bar.draw(fmt.Sprintf("%d/%d %s", done, total, name)) },
	})
	if errors.Is(err, check.ErrUnknownCheck) {
		return nil, usageError{err}
	}
	return report, err
}

// profile adds the SPEC that works around the failures that were found.
func (c *checkAction) profile(suite *check.Suite, report *check.Report, o attach.Options) {
	if suite.Quirks == nil {
		return
	}
	choose := func(given []string) []string { return suite.Quirks(report, given) }
	report.Profile, _ = attach.WithQuirks(report.Spec, choose, o) // the SPEC has been read before
}
