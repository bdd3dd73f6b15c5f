package batch

import (
	"errors"
	"io"

	"qhsh/engine"
	"qhsh/pluginclient/format"
)

// A Writer returns a Sink that writes to w. It is nil for a format that needs a file of its own:
// package store writes databases.
type Writer = func(w io.Writer) Sink

// A Format is a format in which answers can be written.
type Format = format.Format[Writer]

// Formats returns the supported formats, for up to the given number of hints; the first is the
// default.
func Formats(hints int) format.Table[Writer] {
	return []Format{
		// an object on each line
		{Name: "json", Extensions: []string{".jsonl", ".json", ".ndjson"}, Write: func(w io.Writer) Sink { return &jsonSink{w} }},
		{Name: "csv", Extensions: []string{".csv"}, Write: func(w io.Writer) Sink { return &csvSink{w: w, hints: max(hints, 1)} }},
		{Name: "epd", Extensions: []string{".epd"}, Write: func(w io.Writer) Sink { return &epdSink{w: w} }},
		{Name: "text", Extensions: []string{".txt"}, Write: func(w io.Writer) Sink { return &textSink{w: w} }},
		{Name: "parquet", Extensions: []string{".parquet"}, Write: func(w io.Writer) Sink { return &parquetSink{w: w} }},
		{Name: "sqlite", Extensions: []string{".db", ".sqlite", ".sqlite3"}},
	}
}

// FinishSink writes what the format requires at the end, even if there was no answer.
func FinishSink(sink Sink) error {
	if s, ok := sink.(interface{ finish() error }); ok {
		return s.finish()
	}
	return nil
}

// LossMessage returns a message about data that the format could not hold; "" if nothing was lost.
func LossMessage(sink Sink) string {
	if s, ok := sink.(interface{ lossMessage() string }); ok {
		return s.lossMessage()
	}
	return ""
}

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

// MoveNames formats moves that are played from a position.
type MoveNames func(pos engine.Position, moves []engine.Move) []string

// InNotation returns a format like f, which must have a Write, in which all moves of an answer have
// these names instead of those in the game's notation.
func InNotation(f Format, names MoveNames) Format {
	return Filtered(f, func() Filter {
		return func(a Answer) (Answer, bool, error) { return a.renamed(names), true, nil }
	})
}

func (a Answer) renamed(names MoveNames) Answer {
	if a.Pos == nil {
		return a
	}
	start, played := a.Pos.History()
	a.Moves = names(start, played)
	a.BM, a.AM = renameAlternatives(a.Pos, a.BM, names), renameAlternatives(a.Pos, a.AM, names)
	hints := make([]Hint, len(a.Hints))
	for i, h := range a.Hints {
		hints[i] = h
		hints[i].Move = renameAlternatives(a.Pos, []string{h.Move}, names)[0]
		moves, _, _ := engine.ReadMoves(a.Pos, h.PV) // what is not legal keeps its name
		hints[i].PV = append(names(a.Pos, moves), h.PV[len(moves):]...)
	}
	a.Hints = hints
	return a
}

// renameAlternatives renames moves of a position. One that is not legal keeps its name.
func renameAlternatives(pos engine.Position, moves []string, names MoveNames) []string {
	var all []string
	for _, text := range moves {
		if m, err := pos.Parse(text); err == nil {
			text = names(pos, []engine.Move{m})[0]
		}
		all = append(all, text)
	}
	return all
}
