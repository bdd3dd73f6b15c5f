package main

import (
	"context"
	"flag"
	"fmt"
	"slices"

	"qhsh/engine/printable"
	"qhsh/pluginclient/task/batch"
	"qhsh/pluginclient/task/hints"
	"qhsh/pluginclient/task/output"
	"qhsh/pluginclient/task/runlog"
)

// mergeFlags are the flags that may be combined with -merge.
var mergeFlags = []string{"merge", "o", "format", "summary", "require"}

// mergeParts merges the outputs of parts.
func (c *hintsAction) mergeParts(ctx context.Context, h host, operands []string, format batch.Format, isDatabase bool) (err error) {
	var wrong string
	c.flags.Visit(func(f *flag.Flag) {
		if !slices.Contains(mergeFlags, f.Name) && wrong == "" {
			wrong = f.Name
		}
	})
	if wrong != "" {
		return usagef("-merge: -%s does not apply: parts are only merged", wrong)
	}
	parts, err := c.findParts(h, operands, isDatabase)
	if err != nil {
		return err
	}
	summary, err := openFlag(ctx, "-summary", c.summary)
	if err != nil {
		return err
	}
	defer closeInto(&err, summary.Close)
	say := func(text string) { fmt.Fprintf(h.Stderr, "qhsh hints: %s\n", printable.Line(text)) }
	figures, err := hints.Merge(ctx, hints.Options{Output: c.options(h), Format: format, Warn: say}, parts)
	if err != nil {
		return err
	}
	say(positionsAndFailures(figures))
	if err := c.writeSummary(summary, figures); err != nil {
		return err
	}
	return c.outcomeOf(figures)
}

// findParts returns the files of the parts, and an error if the output is one of them.
func (c *hintsAction) findParts(h host, operands []string, isDatabase bool) (parts []string, err error) {
	var reads []output.FileUse
	for _, operand := range operands {
		names, err := expand(operand, func(string) bool { return false })
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			parts = append(parts, name)
			reads = append(reads, output.InputsAt(name, runlog.Path(name))...)
		}
	}
	if len(parts) == 0 {
		return nil, usagef("-merge: name the outputs of all parts")
	}
	all := append(h.usedFiles(c.set), reads...)
	kept := c.kept(h, isDatabase)
	if err := output.CheckSiblings(kept.FileUse, kept.siblings, all...); err != nil {
		return nil, usageError{err}
	}
	return parts, refuseShared(all...)
}
