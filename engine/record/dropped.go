package record

import "errors"

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

// failMove records the error of a move that cannot be played.
func (t *moveText) failMove(err error) {
	t.skipped++
	if errors.Is(err, errTooManyMoves) {
		t.pos = len(t.text)
	}
	if t.lenient && !IsLimit(err) {
		t.dropped = &droppedMoves{from: t.wordAt, first: true}
		err = &DroppedError{err, keptAsComment}
	}
	t.fail(err)
}

// keepDropped makes the moves that were dropped a comment. Their text goes up to an offset.
func (t *moveText) keepDropped(end int) {
	if t.dropped != nil {
		t.dropped.add(t.text[t.dropped.from:end])
		t.Current().drop(t.dropped.text)
		t.dropped = nil
	}
}

// keepAllDropped is keepDropped at the end of the game, also for lines that are still open.
func (t *moveText) keepAllDropped() {
	end := len(t.text)
	if t.isEnded {
		end = t.wordAt
	}
	t.keepDropped(end)
	for _, b := range t.openVariations {
		if b.dropped != nil {
			b.node.drop(b.dropped.text)
		}
	}
}

// openAlternative begins a variation that follows a dropped move: it takes the place of the move.
func (t *moveText) openAlternative() (ok bool) {
	d := t.dropped
	if d == nil || !d.first || t.skipped > 1 || len(t.openVariations) >= maxNested {
		return false
	}
	d.add(t.text[d.from : t.pos-1])
	t.openVariations = append(t.openVariations, branch{t.Current(), t.Depth(), d})
	t.dropped, t.skipped = nil, 0
	t.atVariationStart, t.startingComment = true, ""
	return true
}

// closeAlternative resumes the dropped moves after a variation.
func (t *moveText) closeAlternative(last branch) {
	t.BackTo(last.depth)
	t.dropped, t.skipped = last.dropped, 1
	t.dropped.from = t.pos
	t.atVariationStart, t.startingComment = false, ""
}
