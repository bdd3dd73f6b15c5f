package record

import (
	"cmp"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"qhsh/engine"
)

// A moveText parses the moves of a game with comments, glyphs and variations.
type moveText struct {
	lib    *Library
	game   *Game
	errs   Errors
	plies  int // number of moves read
	result engine.Outcome

	text   string
	pos    int
	wordAt int // where the last word begins
	line   int // from 0, as those of errs

	*TreeBuilder
	joiner           engine.MoveJoiner // nil: moves are words
	openVariations   []branch          // variations that are open
	skipped          int               // number of open levels (variations, or the game itself) skipped after an error
	dropped          *droppedMoves     // of the line, once a move could not be played; nil unless moves are kept
	lenient          bool              // moves that cannot be played are kept as comments
	behind           Errors            // that of a move after the result
	startingComment  string            // comment before the first move of a variation
	atVariationStart bool              // no move of this variation has been read yet
	isEnded          bool
	numbers          moveNumbers

	firstNumber int // of a move; 0 before it

	choices    []int // which candidate to use for each ambiguous move
	candidates []int // number of candidates of each ambiguous move
	assume     bool  // the first candidate is used, and reported, where choices end
	doubted    int   // how many of the ambiguous moves come before the choice that is reported too; 0 if none is, else from 1
}

// A branch is where to return to at the end of a variation.
type branch struct {
	node    *Node
	depth   int           // of the board after node's move; -1 if the variation is skipped
	dropped *droppedMoves // if the variation is an alternative to a dropped move: node is the one before
}

// playMoveText reads the text of t on a board at the start of its game. Moves that were dropped are kept,
// also in lines that are still open.
func (l *Library) playMoveText(t *moveText, board Board) *moveText {
	t.TreeBuilder = NewTreeBuilder(t.game, board)
	t.joiner, _ = l.Game.(engine.MoveJoiner)
	t.numbers.opener = board.Turn()
	t.numbers.off = t.numbers.opener == engine.Chance
	for !t.isEnded && t.step() {
	}
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
	return t
}

// rest returns the text after the game.
func (t *moveText) rest() string { return t.text[t.pos:] }

// fail records an error; nil is a no-op. The rest of the variation, or of the game, is skipped.
func (t *moveText) fail(err error) { t.errs.AddAt(t.line, err) }

// step reads a word, a comment or a sign; it returns false at the end.
func (t *moveText) step() bool {
	t.skipBlanks()
	if t.pos >= len(t.text) {
		if len(t.openVariations) > 0 && t.skipped == 0 {
			t.fail(errors.New("unclosed variation: missing )"))
		}
		return false
	}
	switch t.text[t.pos] {
	case '{':
		t.comment(t.until("}", true))
	case ';':
		t.comment(t.until("\n", false))
	case '(':
		t.pos++
		rest := strings.TrimLeft(t.text[t.pos:], "!?")
		sign := t.text[t.pos : len(t.text)-len(rest)]
		if sign == "" || !strings.HasPrefix(rest, ")") {
			t.open()
			break
		}
		t.sign(sign) // in parentheses, as PDN has them: (?!)
		t.pos += len(sign) + 1
	case ')':
		t.pos++
		t.close()
	case '$':
		rest := strings.TrimLeft(t.text[t.pos+1:], "0123456789")
		digits := t.text[t.pos+1 : len(t.text)-len(rest)]
		t.pos += 1 + len(digits)
		if n, err := strconv.ParseUint(digits, 10, 8); err == nil {
			t.glyph(uint8(n))
		}
	case '}':
		t.pos++
	default:
		t.wordAt = t.pos
		if t.tag() {
			return true
		}
		if word := t.word(); word != "" {
			t.read(word)
		}
	}
	return true
}

// tag makes a tag between the moves a comment.
func (t *moveText) tag() bool {
	if t.text[t.pos] != '[' {
		return false
	}
	line, _, _ := strings.Cut(t.text[t.pos:], "\n")
	end := strings.Index(line, `"]`)
	if end < 0 || tagName([]byte(line[:min(len(line), MaxLine)])) == nil {
		return false
	}
	t.comment(line[1 : end+1])
	t.pos += end + 2
	return true
}

// maxNested is the maximum nesting depth of variations.
const maxNested = 1000

// comment attaches a comment to the move before it, or at the start of a variation to the next
// move. It may be a chance move.
func (t *moveText) comment(text string) {
	text = CleanText(text)
	switch {
	case t.skipped > 0:
	case t.chance(text):
	default:
		before := &t.Current().Comment
		if t.atVariationStart {
			before = &t.startingComment
		}
		t.fail(t.Join(before, text))
	}
}

// chanceMark begins comments that are chance moves, so that programs without chance ignore them.
const chanceMark = "chance: "

func (t *moveText) chance(text string) bool {
	move, ok := strings.CutPrefix(text, chanceMark)
	if !ok || t.board.Turn() != engine.Chance {
		return false
	}
	t.numbers.off = true
	m, err := t.board.Parse(move)
	if err == nil {
		err = t.play(m)
	}
	return err == nil
}

// open starts a variation that replaces the last move.
func (t *moveText) open() {
	t.numbers.value = 0
	tooDeep := len(t.openVariations) >= maxNested
	opened := branch{node: t.Current(), depth: t.Depth()}
	switch d := t.dropped; {
	case d != nil && d.first && t.skipped == 1 && !tooDeep: // it takes the place of the dropped move
		d.add(t.text[d.from : t.pos-1])
		opened.dropped = d
		t.dropped, t.skipped = nil, 0
	case t.skipped > 0 || t.Depth() == 0 || t.atVariationStart || tooDeep:
		switch {
		case t.skipped > 0:
		case tooDeep:
			t.fail(fmt.Errorf("variations nested more than %d deep", maxNested))
		default:
			t.fail(errors.New("variation before the first move"))
		}
		t.skipped++
		t.openVariations = append(t.openVariations, branch{depth: -1})
		return
	default:
		t.BackTo(t.Depth() - 1)
	}
	t.openVariations = append(t.openVariations, opened)
	t.atVariationStart, t.startingComment = true, ""
}

func (t *moveText) close() {
	t.numbers.value = 0
	if len(t.openVariations) == 0 {
		err := errors.New("unexpected ): missing (")
		switch {
		case t.skipped > 0:
		case t.lenient:
			t.fail(&DroppedError{err, "ignored"})
		default:
			t.fail(err)
			t.skipped++
		}
		return
	}
	last := t.openVariations[len(t.openVariations)-1]
	t.openVariations = t.openVariations[:len(t.openVariations)-1]
	if t.skipped > 0 {
		t.skipped--
	}
	if last.depth < 0 {
		return
	}
	t.keepDropped(t.pos - 1)
	if last.dropped != nil { // the dropped moves go on
		t.BackTo(last.depth)
		t.dropped, t.skipped = last.dropped, 1
		t.dropped.from = t.pos
	} else {
		t.BackTo(last.depth - 1)
		if t.atVariationStart {
			last.node.AddComment(t.startingComment)
		}
		t.Follow(last.node)
	}
	t.atVariationStart, t.startingComment = false, ""
}

// read parses a word: a number, a result, a glyph, a move, or several of them.
func (t *moveText) read(word string) {
	if isLetter(word[0]) { // nearly always
		t.readMove(word)
		return
	}
	word = narrowNumber(word)
	bare := strings.TrimLeft(word, "!?！？")
	t.sign(word[:len(word)-len(bare)])
	if o, ok := ParseResult(bare); ok && bare != "" || bare == bothLose {
		t.end(o)
		return
	}
	move := cutNumber(bare)
	// Three or more digits without a period can be a move, such as 1115, if they exceed the number that is due.
	digits := bare[:len(bare)-len(strings.TrimLeft(bare, "0123456789"))]
	n, err := strconv.Atoi(digits)
	isBare := digits == bare && len(bare) >= 3
	if t.firstNumber == 0 && err == nil && !(isBare && n >= 1000) {
		t.firstNumber = n
	}
	if move == "" && isBare && (err != nil || n > t.firstNumber+t.plies+1) {
		move = bare
	}
	t.numbers.read(bare[:len(bare)-len(move)])
	t.readMove(move)
}

func (t *moveText) readMove(word string) {
	bare, _ := cutGlyph(word)
	word, sign := bare, word[len(bare):]
	switch {
	case strings.Trim(word, "+#") == "": // check or mate after a blank
		t.sign(sign)
		return
	case t.skipped == 0:
		t.move(word)
	case t.dropped != nil:
		t.dropped.first = false
	}
	t.sign(sign)
	t.numbers.value, t.numbers.isReply = 0, false
}

// end records the result. Within a variation it is ignored. Leniently a move after it continues the
// game.
func (t *moveText) end(o engine.Outcome) {
	if len(t.openVariations) > 0 {
		return
	}
	t.result = o
	if t.text[t.wordAt:t.pos] == bothLose {
		t.game.Tags.Add(resultText, bothLose)
	}
	t.behind = t.findBehind()
	err := t.behind.First()
	if t.isEnded = !t.lenient || err == nil; !t.isEnded {
		t.errs.AddAt(t.behind.Line, &DroppedError{err, "the game continues"})
	}
}

func (t *moveText) move(word string) {
	m, err := t.parseMove(word)
	if err != nil {
		if chosen, ok := t.choose(err); ok {
			m, err = chosen, nil
		}
	}
	if err == nil || t.isRelative() {
		err = cmp.Or(t.checkNumber(word), err)
	}
	if err == nil {
		err = t.play(m)
	} else if t.board.Turn() == engine.Chance {
		err = fmt.Errorf("needs a chance move {%sMOVE} before it: %w", chanceMark, err)
	}
	if err == nil {
		return
	}
	err = fmt.Errorf("move %s %w", t.number(), err)
	t.skipped++
	if errors.Is(err, ErrTooManyMoves) {
		t.pos = len(t.text)
	}
	if t.lenient && !IsLimit(err) {
		t.dropped = &droppedMoves{from: t.wordAt, first: true}
		err = &DroppedError{err, keptAsComment}
	}
	t.fail(err)
}

// parseMove parses a move, given its first word.
func (t *moveText) parseMove(word string) (engine.Move, error) {
	m, err := parse(t.board, t.joinWords(word))
	if errors.Is(err, engine.ErrMalformed) {
		if spaced, ok := t.readMultiWord(word); ok {
			return spaced, nil
		}
		if split, ok := t.readSplitWord(word); ok {
			return split, nil
		}
	}
	return m, err
}

func (t *moveText) play(m engine.Move) error {
	n, err := t.Play(m)
	if err != nil {
		return err
	}
	t.plies++
	n.StartingComment, t.startingComment, t.atVariationStart = t.startingComment, "", false
	return nil
}

// number returns the number of the next move, from 1: "12." for the first side's, "12..." for the
// second's.
func (t *moveText) number() string {
	c := t.counter()
	turn := t.board.Turn()
	if turn == engine.Chance {
		turn = engine.First // the side after the chance move is not known yet
	}
	c.next(turn)
	return c.String()
}
