package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"strings"
	"time"

	"qhsh/engine/games"
	"qhsh/pluginclient/task/check"
)

var checkCommand = command{
	name:     "check",
	operands: "SPEC",
	summary:  "check whether an engine conforms to its protocol",
	complete: operandAt(0, specs),
	setup:    defined[checkAction],
}

type checkAction struct {
	engine   engineFlags
	output   outputFlags
	only     []string
	list     bool
	verbose  bool
	onAdvice bool // the exit status is 1 for advice, too
	budget   time.Duration
}

var failOn = []string{"fault", onAdvice}

const onAdvice = "advice"

func (c *checkAction) define(fs *flag.FlagSet, _ games.Table) {
	c.budget = check.DefaultBudget
	defineOutput(fs, &c.output, check.Formats())
	fs.Func("only", "run the checks that match these `NAMES`, with * and ?, or chapters; and what they need", func(text string) error {
		names := strings.FieldsFunc(text, func(r rune) bool { return r == ',' })
		if len(names) == 0 {
			return errors.New("want names of checks, such as 'level,fen.*': -list lists them")
		}
		c.only = append(c.only, names...)
		return nil
	})
	fs.BoolVar(&c.list, "list", false, "list the checks and run none")
	fs.BoolVar(&c.verbose, "v", false, "show the conversations of all checks")
	fs.Var(oneOf(failOn, func(text string) { c.onAdvice = text == onAdvice }), "fail-on", "exit with status 1 on `WHAT`: fault, or advice, too")
	fs.Var(duration(&c.budget), "time", "take `TIME` at most")
	c.engine.defineTrace(fs)
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
	run, err := c.engine.begin(h, func(string) {})
	if err != nil {
		return err
	}
	defer run.end(ctx, &err)
	spec := operands[0]
	if c.list && strings.HasSuffix(spec, ":") {
		spec += "engine" // it is not started
	}
	e, err := run.parse(spec)
	if err != nil && e.Kind.Name != "" && !e.Checked {
		_, err = e.Suite(ctx) // whatever else is wrong with the SPEC
	}
	if err != nil {
		return err
	}
	if err := run.openFiles(ctx, nil); err != nil {
		return err
	}
	suite, err := e.Suite(ctx)
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
	bar := &statusLine{command: "check", w: h.Stderr, on: h.StderrTTY}
	report, examineErr := check.Run(ctx, suite, check.Options{
		Spec: spec, Only: c.only, Budget: c.budget,
		Progress: func(done, total int, name string) { bar.draw(fmt.Sprintf("%d/%d %s", done, total, name)) },
	})
	bar.clear()
	if report == nil {
		return examineErr
	}
	if suite.Quirks != nil { // the SPEC that works around the failures
		report.Profile = e.WithQuirks(func(given []string) []string { return suite.Quirks(report, given) })
	}
	style := check.Style{Verbose: c.verbose, Colour: c.output.path == "" && h.StdoutTTY && h.Env("NO_COLOR") == ""}
	if err := format.Write(out, report, style); err != nil {
		return err
	}
	if examineErr == nil && (!report.OK() || c.onAdvice && report.HasAdvice()) {
		return errSomeFailed
	}
	return examineErr // a person's interruption, after what was found by then
}
