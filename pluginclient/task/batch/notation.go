package batch

import (
	"io"

	"qhsh/engine"
)

// MoveNames formats moves that are played from a position.
type MoveNames func(pos engine.Position, moves []engine.Move) []string

// InNotation returns a format like f, which must have a Write, in which all moves of an answer have
// these names instead of those in the game's notation.
func InNotation(f Format, names MoveNames) Format {
	write := f.Write
	f.Write = func(w io.Writer) Sink { return notationSink{write(w), names} }
	return f
}

// A notationSink is a Sink that renames moves.
type notationSink struct {
	Sink
	names MoveNames
}

func (s notationSink) Write(a Answer) error { return s.Sink.Write(a.renamed(s.names)) }

func (s notationSink) finish() error       { return FinishSink(s.Sink) }
func (s notationSink) lossMessage() string { return LossMessage(s.Sink) }

// renamed returns the answer with other names for its moves.
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
		hints[i].PV = renameLine(a.Pos, h.PV, names)
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

// renameLine renames successive moves, up to one that is not legal.
func renameLine(pos engine.Position, texts []string, names MoveNames) []string {
	var moves []engine.Move
	for at := pos; len(moves) < len(texts); {
		m, err := at.Parse(texts[len(moves)])
		if err != nil {
			break
		}
		moves = append(moves, m)
		if at, err = at.Play(m); err != nil {
			break
		}
	}
	return append(names(pos, moves), texts[len(moves):]...)
}
