package stats

import (
	"errors"
	"iter"

	"qhsh/pluginclient/task/batch"
)

// Summarize reads answers and returns their Summary. warn is called with the error of what is not
// an answer.
func Summarize(file string, answers iter.Seq2[batch.Answer, error], warn func(error)) (Summary, error) {
	next, stop := iter.Pull2(answers)
	defer stop()
	side := inputFile{newSummarizer(file), next, warn}
	for {
		_, ok, err := side.take()
		if err != nil {
			return Summary{}, err
		}
		if !ok {
			return side.sum.summary(), nil
		}
	}
}

// inputFile is a file being read.
type inputFile struct {
	sum  *summarizer
	next func() (batch.Answer, error, bool)
	warn func(error)
}

// take returns the next answer; ok is false after the last one.
func (s *inputFile) take() (a batch.Answer, ok bool, err error) {
	for {
		a, err, ok = s.next()
		switch {
		case !ok:
			return a, false, nil
		case errors.Is(err, ErrNotAnswer):
			s.sum.s.Unreadable++
			s.warn(err)
			continue
		case err != nil:
			return a, false, err
		}
		s.sum.add(a)
		return a, true, nil
	}
}
