package record

import (
	"errors"
	"fmt"
	"strings"
)

// Lenient returns a library that keeps what it cannot play. A move that is illegal or cannot be read
// ends its line: it and the rest of the line become a comment after the last legal move, and the
// variations that are alternatives to it stay in its place. A ) without a ( is ignored, and a move after
// the result continues the game. The error of such a game wraps a [DroppedError], unless something else
// is damaged.
func (l Library) Lenient() *Library {
	l.lenient = true
	return &l
}

// droppedMark begins a comment with moves that could not be played.
const droppedMark = "dropped: "

// A DroppedError is the error of damage that lost no move: most often of one that could not be played
// and that a comment keeps, with all that followed it.
type DroppedError struct {
	Err error
	Fix string // what was done about it, such as "kept as a comment"
}

// keptAsComment is the Fix of moves that could not be played.
const keptAsComment = "kept as a comment"

func (e *DroppedError) Error() string { return e.Err.Error() + "; " + e.Fix }

// Unwrap returns the error of the move.
func (e *DroppedError) Unwrap() error { return e.Err }

// IsDropped reports whether an error of a game, read leniently, is only about damage that lost no move.
func IsDropped(err error) bool {
	_, ok := errors.AsType[*DroppedError](err)
	return ok
}

// Lenient reports whether moves that cannot be played are kept as comments.
func (s *Source) Lenient() bool { return s.lib.lenient }

// Drop keeps the text of moves that cannot be played as a comment after n, the last legal move, and
// returns the error of the game, given that of the first such move. It does so only if lenient is set
// and the game is not beyond a limit.
func (n *Node) Drop(lenient bool, err error, text func() string) error {
	if !lenient || IsLimit(err) {
		return err
	}
	n.drop(text())
	return &DroppedError{err, keptAsComment}
}

// drop is Drop without an error.
func (n *Node) drop(text string) {
	if len(text) > MaxLine {
		text = strings.ToValidUTF8(text[:MaxLine], "") + fmt.Sprintf(" ... (its other %d bytes are left out)", len(text)-MaxLine)
	}
	n.AddComment(droppedMark + strings.Join(strings.Fields(CleanText(text)), " "))
}

// A droppedMoves is the text of the rest of a line, from a move that cannot be played.
type droppedMoves struct {
	text  string // so far
	from  int    // where the text that follows begins
	first bool   // only the first move has been read: alternatives to it may follow
}

// add adds a text. What is too large for a comment is left out, which drop says.
func (d *droppedMoves) add(text string) {
	switch {
	case d.text == "":
		d.text = text
	case len(d.text) <= MaxLine:
		d.text += " " + text
	}
}

// keepDropped makes the moves that were dropped a comment. Their text goes up to an offset.
func (t *moveText) keepDropped(end int) {
	if t.dropped != nil {
		t.dropped.add(t.text[t.dropped.from:end])
		t.Current().drop(t.dropped.text)
		t.dropped = nil
	}
}
