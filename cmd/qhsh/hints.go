package main

import (
	"context"
	"errors"
	"flag"

	"qhsh/engine"
	"qhsh/engine/xiangqi"
	"qhsh/pluginclient/batch"
)

// maxHints bounds -hints: no position of a known game has as many moves.
const maxHints = 1000

var hintsCommand = command{
	name:     "hints",
	operands: "[FILE... | -]",
	summary:  "positions in, hints out: ask an engine about every position of a file",
	help: `Reads positions, one a line: a FEN, or 'startpos', either followed by the word moves
and moves if you like; UCI's position command will do. Blank lines and lines that begin
with # are passed over. Without a FILE, or where it is -, it reads standard input.

Writes an answer for each, in the order of the input: by default a line of JSON with
the keys line, fen, moves, engine, level, hints and over, or line, input and error for
a line that is no position. With several files, file comes first. Scores are for the
side to move. The embedded engine gives the same answers on every machine, unless
there is a -timeout, and whatever -jobs is.

An engine that fails at a position is started again and asked once more. If that fails
too, the position's answer has an error, and the run goes on. One that cannot be started
again leaves its work to the others of -jobs, if there are any. Interrupted by Ctrl-C, it
ends after writing what is finished. A FILE of -o keeps what is in it until the first
answer is written.

` + engineHelp + `
Examples:
  qhsh hints positions.fen
  qhsh hints -hints 3 -level 7 -jobs 4 -o answers.jsonl positions.fen
  qhsh hints -engine ./myengine -timeout 2s -format text positions.fen
  echo startpos moves h2e2 | qhsh hints
`,
	setup: func(fs *flag.FlagSet) action {
		var c hints
		c.define(fs)
		return c.run
	},
}

// hints is the command with its flags.
type hints struct {
	engineFlags
	outputFlags
	lines, jobs int
}

func (c *hints) define(fs *flag.FlagSet) {
	c.lines, c.jobs = 1, 1
	fs.Var(countValue{&c.lines, maxHints}, "hints", "give `N` hints for each position, if there are as many moves")
	fs.Var(countValue{&c.jobs, maxJobs}, "jobs", "run `N` engines at the same time")
	defineOutput(fs, &c.outputFlags, batch.Formats())
	c.engineFlags.define(fs)
}

func (c *hints) run(ctx context.Context, h host, operands []string) (err error) {
	format, err := choose(c.outputFlags, batch.Formats())
	if err != nil {
		return err
	}
	in, err := findInputs(h, operands)
	if err != nil {
		return err
	}
	p := &progress{command: "hints", w: h.Stderr, bar: h.StderrTTY && (!h.StdoutTTY || c.path != "")}
	engines, err := c.opener(h, p.say)
	if err != nil {
		return err
	}
	defer closeInto(&err, engines.Close)
	out, err := c.open(h)
	if err != nil {
		return err
	}
	defer closeInto(&err, out.Close)
	if err := refuseSame(out, engines.file, in.infos...); err != nil {
		return err
	}
	if p.bar {
		p.total = in.count()
	}
	if err := c.runBatch(ctx, in.source(xiangqi.Rules), format.Write(out), engines, p); err != nil {
		return err
	}
	return out.begin()
}

func (c *hints) runBatch(ctx context.Context, src batch.Source, sink batch.Sink, engines *opener, p *progress) error {
	p.begin()
	tally, err := batch.Run(ctx, src, sink, batch.Options{
		Open: engines.Open, Jobs: c.jobs,
		Limits:   engine.Limits{Time: c.timeout, Lines: c.lines},
		Warn:     p.say,
		Progress: p.update,
	})
	p.end()
	if err == nil && tally.Failed > 0 {
		err = errSomeFailed
	}
	return err
}

// closeInto closes something at the end of a command. The error counts if there is no
// other.
func closeInto(err *error, closing func() error) {
	if closeErr := closing(); closeErr != nil && (*err == nil || errors.Is(*err, errSomeFailed)) {
		*err = closeErr
	}
}
