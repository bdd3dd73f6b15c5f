package batch

import (
	"errors"
	"io"
)

// A Filter returns the answer to write in place of another, and reports whether there is one. The
// error [ErrEnough] means that no answer is wanted after this one.
type Filter = func(Answer) (_ Answer, ok bool, err error)

// ErrEnough is the error of a Sink that wants no more answers. It ends a run, which then is
// complete: the answer of that call counts.
var ErrEnough = errors.New("no more answers are wanted")

// Filtered returns a format like f, which must have a Write, that writes what a filter returns.
// Each output has a filter of its own.
func Filtered(f Format, newFilter func() Filter) Format {
	write := f.Write
	f.Write = func(w io.Writer) Sink { return filterSink{write(w), newFilter()} }
	return f
}

// A filterSink is a Sink that writes what its filter returns.
type filterSink struct {
	Sink
	filter Filter
}

func (s filterSink) Write(a Answer) error {
	a, ok, err := s.filter(a)
	if err != nil && !errors.Is(err, ErrEnough) {
		return err
	}
	if ok {
		if writeErr := s.Sink.Write(a); writeErr != nil {
			return writeErr
		}
	}
	return err
}

func (s filterSink) finish() error       { return FinishSink(s.Sink) }
func (s filterSink) lossMessage() string { return LossMessage(s.Sink) }
