package repl

import (
	"context"
	"errors"
	"fmt"
	"slices"
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
		help: `These are the times of the flag -wait, for all attached engines
and those to come. '.limits off' is for an engine that runs under a debugger: it is waited for
without a limit, except after QUIT. '.limits default' sets the limits of the command line again.
`,
		run: runLimits,
	}
}

func runLimits(c *call) error {
	words, waits := c.operands, c.shell.waits
	switch {
	case len(words) == 0:
		var rows [][]string
		for _, f := range waits.Fields() {
			value := f.Value.String()
			if *f.Value == pluginclient.NoDeadline {
				value = limitsOff
			}
			rows = append(rows, []string{f.Name, value, f.For})
		}
		fmt.Fprint(c.out, printable.Table(rows, "l"))
		return nil
	case len(words) == 1 && strings.EqualFold(words[0], limitsDefault):
		waits = c.shell.options.Waits
	case len(words) == 1 && strings.EqualFold(words[0], limitsOff):
		for _, f := range waits.Fields() {
			*f.Value = pluginclient.NoDeadline
		}
		waits.Quit = c.shell.waits.Quit
	default:
		fields := waits.Fields()
		i := slices.IndexFunc(fields, func(f pluginclient.DeadlineField) bool { return strings.EqualFold(f.Name, words[0]) })
		if i < 0 {
			return c.usageError("unknown limit %q", words[0])
		}
		if err := c.setLimit(fields[i], words[1:]); err != nil {
			return err
		}
	}
	return c.shell.setWaits(c.ctx, waits)
}

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
