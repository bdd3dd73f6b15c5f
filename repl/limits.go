package repl

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"qhsh/engine/printable"
	"qhsh/pluginclient"
)

// The words of .limits besides the names of the limits.
const (
	limitsOff     = "off"
	limitsDefault = "default"
)

func limitsCommand() *command {
	names := []string{limitsOff, limitsDefault}
	for _, f := range new(pluginclient.Deadlines).Fields() {
		names = append(names, f.Name)
	}
	return &command{
		name: ".limits", usage: "[NAME TIME|NAME off|off|default]", most: 2, complete: words(names...),
		summary: "show how long engines are waited for, or change that",
		help: `These are the limits of the flags -wait-start, -wait-reply and so on, for all attached engines
and those to come. '.limits off' is for an engine that runs under a debugger: it is waited for
without a limit, except after QUIT. '.limits default' sets the limits of the command line again.
`,
		run: runLimits,
	}
}

// runLimits implements .limits.
func runLimits(c *call) error {
	if len(c.operands) == 0 {
		fmt.Fprint(c.out, limitsTable(c.shell.waits))
		return nil
	}
	waits, err := c.changedLimits(c.operands)
	if err != nil {
		return err
	}
	return c.shell.setWaits(c.ctx, waits)
}

// changedLimits returns the limits that the arguments choose.
func (c *call) changedLimits(words []string) (pluginclient.Deadlines, error) {
	waits := c.shell.waits
	switch {
	case len(words) == 1 && strings.EqualFold(words[0], limitsDefault):
		return c.shell.options.Waits, nil
	case len(words) == 1 && strings.EqualFold(words[0], limitsOff):
		quit := waits.Quit
		for _, f := range waits.Fields() {
			*f.Value = pluginclient.NoDeadline
		}
		waits.Quit = quit
		return waits, nil
	}
	for _, f := range waits.Fields() {
		if strings.EqualFold(f.Name, words[0]) {
			return waits, c.setLimit(f, words[1:])
		}
	}
	return waits, c.usageError("unknown limit %q", words[0])
}

// setLimit sets one limit to the value of the arguments.
func (c *call) setLimit(f pluginclient.DeadlineField, words []string) error {
	switch {
	case len(words) == 0:
		return c.usageError("missing time for %s, such as 20s", f.Name)
	case !strings.EqualFold(words[0], limitsOff):
		d, err := time.ParseDuration(words[0])
		if err != nil || d < time.Millisecond || d > pluginclient.NoDeadline {
			return c.usageError("invalid time %q: use a form such as 500ms or 20s", words[0])
		}
		*f.Value = d
		return nil
	case f.Name == "quit":
		return c.usageError("quit cannot be off: an engine that does not quit is killed")
	}
	*f.Value = pluginclient.NoDeadline
	return nil
}

// setWaits sets the limits of all engines, when each is idle. Only limits that differ from the
// shell's are changed.
func (s *Shell) setWaits(ctx context.Context, waits pluginclient.Deadlines) error {
	before := s.waits
	s.waits = waits
	change := func(d *pluginclient.Deadlines) {
		old, wanted := before.Fields(), waits.Fields()
		for i, f := range d.Fields() {
			if *old[i].Value != *wanted[i].Value {
				*f.Value = *wanted[i].Value
			}
		}
	}
	return s.await(ctx, waitOptions{engines: s.engines}, func(ctx context.Context) (err error) {
		for _, e := range s.engines {
			err = errors.Join(err, pluginclient.SetDeadlines(ctx, e.session, change))
		}
		return err
	})
}

// limitsTable formats the table that .limits prints.
func limitsTable(waits pluginclient.Deadlines) string {
	var rows [][]string
	for _, f := range waits.Fields() {
		value := f.Value.String()
		if *f.Value == pluginclient.NoDeadline {
			value = limitsOff
		}
		rows = append(rows, []string{f.Name, value, f.For})
	}
	return printable.Table(rows, "l")
}
