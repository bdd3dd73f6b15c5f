package batch

import (
	"errors"
	"fmt"
	"strings"

	"qhsh/engine"
)

// AppendPosition appends a position as text for [ParsePosition], so that an engine elsewhere can
// search it: the start of its history and, after a line feed, the moves since.
func AppendPosition(b []byte, pos engine.Position) []byte {
	start, moves := pos.History()
	b = append(append(b, start.String()...), '\n')
	return append(b, strings.Join(engine.FormatMoves(start, moves), " ")...)
}

// ParsePosition parses what AppendPosition has written.
func ParsePosition(game engine.Game, b []byte) (engine.Position, error) {
	start, moves, _ := strings.Cut(string(b), "\n")
	pos, err := game.Position(start)
	if err != nil {
		return nil, err
	}
	for word := range strings.FieldsSeq(moves) {
		m, err := pos.Parse(word)
		if err == nil {
			pos, err = pos.Play(m)
		}
		if err != nil {
			return nil, fmt.Errorf("move %s: %w", word, err)
		}
	}
	return pos, nil
}

// AppendOutcome appends a Reply for [ParseOutcome]: unlike AppendReply with its errors, as text.
func AppendOutcome(b []byte, r Reply) []byte {
	return AppendReply(appendText(appendText(b, message(r.Err)), message(r.Recovered)), r)
}

// ParseOutcome parses the Reply to a search of pos and checks that its moves are legal, since it is not
// known who has written it.
func ParseOutcome(pos engine.Position, b []byte) (Reply, error) {
	in := replyReader{rest: b}
	failure, recovered := in.text(), in.text()
	if in.bad {
		return Reply{}, errReply
	}
	r, err := ParseReply(in.rest)
	if err != nil {
		return Reply{}, err
	}
	r.Err, r.Recovered = errorOf(failure), errorOf(recovered)
	if r.Err == nil && len(r.Hints) == 0 {
		return Reply{}, fmt.Errorf("%w: neither hints nor an error", errReply)
	}
	for i, h := range r.Hints {
		if err := checkLine(pos, h); err != nil {
			return Reply{}, fmt.Errorf("%w: hint %d: %w", errReply, i+1, err)
		}
	}
	return r, nil
}

// checkLine returns an error if a hint is not a legal line that begins with its move.
func checkLine(pos engine.Position, h Hint) error {
	if len(h.PV) == 0 || h.PV[0] != h.Move {
		return fmt.Errorf("the line does not begin with %q", h.Move)
	}
	for _, text := range h.PV {
		m, err := pos.Parse(text)
		if err == nil {
			pos, err = pos.Play(m)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// errorOf returns the error of a message, or nil if it is empty.
func errorOf(text string) error {
	if text == "" {
		return nil
	}
	return errors.New(text)
}
