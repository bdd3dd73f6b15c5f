package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"

	"qhsh/pluginclient/batch"
	"qhsh/pluginclient/batch/stats"
)

// finishedBefore says that an output without a journal is that of a finished run, as far as it
// can be seen: it has an answer for each position of the input. Anything else is left alone.
func (c *hints) finishedBefore(format batch.Format, in *inputs, say func(string)) error {
	const advice = "remove it, or leave out -resume to write over it"
	answered, err := c.answered(format)
	if err != nil {
		return usagef("-resume: %s is there without the journal of its run, %s.run, and holds no answers (%w): %s", c.path, c.path, err, advice)
	}
	positions, err := batch.Pass(in.source(c.rules()), answered+1)
	switch {
	case err == io.EOF && positions == answered:
		say(fmt.Sprintf("%s has an answer for each of the %d positions: the run is finished, and there is nothing to go on with", c.path, positions))
		return nil
	case err != nil && err != io.EOF:
		return fmt.Errorf("input: %w", err)
	}
	than := fmt.Sprintf("the input has %d positions", positions)
	if positions > answered {
		than = "the input has more positions"
	}
	return usagef("-resume: %s is there without the journal of its run, %s.run, and holds %d answers, while %s: %s",
		c.path, c.path, answered, than, advice)
}

// answered is how many answers there are in the output.
func (c *hints) answered(format batch.Format) (n int, err error) {
	if format.Name == "text" {
		return c.paragraphs()
	}
	for _, err := range stats.Answers(c.path, nil) {
		if err != nil {
			return n, err
		}
		n++
	}
	return n, nil
}

// paragraphs is how many answers there are in an output for people, each of which has a line
// that begins with its place, which is followed by two blanks.
func (c *hints) paragraphs() (n int, err error) {
	file, err := os.Open(c.path)
	if err != nil {
		return 0, err
	}
	defer file.Close()
	in := batch.NewLineReader(file)
	blank := true
	for {
		err := in.Next()
		if errors.Is(err, io.EOF) {
			return n, nil
		}
		if err != nil {
			return n, err
		}
		before := blank
		blank = len(bytes.TrimSpace(in.Text)) == 0
		if before && !blank && !bytes.HasPrefix(in.Text, []byte("engine ")) {
			n++
		}
	}
}
