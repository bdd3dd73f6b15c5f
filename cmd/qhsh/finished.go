package main

import (
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
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
	asked, err := c.asked(format, in, answered.n+1)
	if err != nil {
		return fmt.Errorf("input: %w", err)
	}
	switch {
	case asked == answered:
		say(fmt.Sprintf("%s has an answer for each of the %d positions: the run is finished, and there is nothing to go on with", c.path, asked.n))
		return nil
	case asked.n == answered.n:
		return usagef("-resume: %s is there without the journal of its run, %s.run, and holds answers to other positions than the input's: %s", c.path, c.path, advice)
	}
	than := fmt.Sprintf("the input has %d positions", asked.n)
	if asked.n > answered.n {
		than = "the input has more positions"
	}
	return usagef("-resume: %s is there without the journal of its run, %s.run, and holds %d answers, while %s: %s",
		c.path, c.path, answered.n, than, advice)
}

// A census is a number of positions with a sum over what they are, whatever their order. The
// sum is 0 where the output does not keep the positions of the input.
type census struct {
	n   int
	sum uint64
}

func (s *census) add(item batch.Item) {
	s.n++
	if item.Err == nil {
		s.sum += uint64(crc32.ChecksumIEEE([]byte(item.Pos.String())))
	}
}

// keepsPositions tells whether a form has the positions of the input, with the moves before
// them.
func keepsPositions(format batch.Format) bool { return format.Name != "text" && format.Name != "epd" }

// asked are the positions of the input, at most so many of them.
func (c *hints) asked(format batch.Format, in *inputs, most int) (s census, err error) {
	src := in.source(c.rules())
	if closer, ok := src.(io.Closer); ok {
		defer closer.Close()
	}
	if !keepsPositions(format) {
		s.n, err = batch.Pass(src, most)
	}
	for keepsPositions(format) && s.n < most && err == nil {
		var item batch.Item
		if item, err = src.Next(); err == nil {
			s.add(item)
		}
	}
	if err == io.EOF {
		err = nil
	}
	return s, err
}

// answered are the answers in the output.
func (c *hints) answered(format batch.Format) (s census, err error) {
	if format.Name == "text" {
		s.n, err = c.paragraphs()
		return s, err
	}
	for a, err := range stats.Answers(c.path, nil) {
		if err != nil {
			return s, err
		}
		if !keepsPositions(format) {
			s.n++
			continue
		}
		s.add(batch.Record{Text: a.Text, Moves: a.Moves}.Item(c.rules()))
	}
	return s, nil
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
