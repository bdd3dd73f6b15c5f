package record

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"qhsh/engine"
)

// A moveText parses the moves of a game with comments, glyphs and variations.
type moveText struct {
	lib      *Library
	game     *Game
	err      error // the first
	errCount int   // number of errors
	plies    int   // number of moves read
	result   engine.Outcome

	text    string
	pos     int
	wordAt  int // where the last word begins
	line    int // from 0
	errLine int

	*TreeBuilder
	joiner           engine.MoveJoiner // nil: moves are words
	openVariations   []branch          // variations that are open
	skipped          int               // number of open levels (variations, or the game itself) skipped after an error
	dropped          *droppedMoves     // of the line, once a move could not be played; nil unless moves are kept
	lenient          bool              // moves that cannot be played are kept as comments
	startingComment  string            // comment before the first move of a variation
	atVariationStart bool              // no move of this variation has been read yet
	isEnded          bool

	choices    []int // which candidate to use for each ambiguous move
	candidates []int // number of candidates of each ambiguous move
}

// A branch is where to return to at the end of a variation.
type branch struct {
	node    *Node
	depth   int           // of the board after node's move; -1 if the variation is skipped
	dropped *droppedMoves // if the variation is an alternative to a dropped move: node is the one before
}

// A droppedMoves is the text of the rest of a line, from a move that cannot be played.
type droppedMoves struct {
	text  string // so far
	from  int    // where the text that follows begins
	first bool   // only the first move has been read: alternatives to it may follow
}

// readMoveText reads moves, and if that fails tries the board's other interpretations. given is the
// text of the start position, empty if the file has none. It returns the attempt that got farthest.
func (l *Library) readMoveText(text string, start engine.Position, given string) *moveText {
	best := l.readStrictly(text, start, given)
	if best.err == nil || !l.lenient {
		return best
	}
	best.BackTo(0)
	return l.playMoveText(&moveText{
		lib: l, text: text, game: NewGame(best.game.Start), choices: best.choices, lenient: true,
	}, best.board)
}

// readStrictly is readMoveText without keeping moves that cannot be played.
func (l *Library) readStrictly(text string, start engine.Position, given string) *moveText {
	board := l.Board(start, "")
	best := l.tryMoveText(text, start, board, nil)
	if again, ok := board.(Reinterpreter); ok && best.err != nil {
		for _, r := range again.Interpretations(given) {
			if t := l.tryMoveText(text, r.Start, r.Board, nil); t.err == nil || t.plies > best.plies {
				best = t
			}
			if best.err == nil {
				break
			}
		}
	}
	if best.err != nil && len(best.candidates) > 0 {
		return best.lookAhead()
	}
	return best
}

func (l *Library) tryMoveText(text string, start engine.Position, board Board, choices []int) *moveText {
	return l.playMoveText(&moveText{lib: l, text: text, game: NewGame(start), choices: choices}, board)
}

// playMoveText reads the text of t on a board at the start of its game.
func (l *Library) playMoveText(t *moveText, board Board) *moveText {
	t.TreeBuilder = NewTreeBuilder(t.game, board)
	t.joiner, _ = l.Game.(engine.MoveJoiner)
	for !t.isEnded && t.step() {
	}
	t.keepAllDropped()
	if t.errCount > 1 {
		t.err = fmt.Errorf("%w (and %d more)", t.err, t.errCount-1)
	}
	return t
}

// Limits of resolving ambiguous moves.
const (
	maxTries     = 64
	maxLookAhead = 1 << 16 // bytes of text
)

// lookAhead tries the candidates of ambiguous moves. Programs write P3+1 even if two pawns of file
// 3 can advance; the moves after it show which one moved. If they do not, or no choice works, it
// returns t.
func (t *moveText) lookAhead() *moveText {
	if len(t.text) > maxLookAhead {
		return t
	}
	var found *moveText
	tries, ways := 0, 0
	t.BackTo(0)
	var search func(at *moveText)
	search = func(at *moveText) {
		k := len(at.choices)
		if len(at.candidates) <= k {
			return
		}
		for c := 0; c < at.candidates[k] && ways < 2 && tries < maxTries; c++ {
			tries++
			next := t.lib.tryMoveText(t.text, t.game.Start, t.board, append(slices.Clone(at.choices), c))
			next.BackTo(0)
			if next.err == nil {
				found = next
				ways++
				continue
			}
			search(next)
		}
	}
	search(t)
	if ways != 1 || tries >= maxTries {
		return t
	}
	return found
}

// choose returns the chosen candidate of an ambiguous move, if any.
func (t *moveText) choose(err error) (m engine.Move, ok bool) {
	var c AmbiguousMove
	if !errors.As(err, &c) {
		return 0, false
	}
	moves := c.Choices()
	if len(moves) < 2 {
		return 0, false
	}
	k := len(t.candidates)
	t.candidates = append(t.candidates, len(moves))
	if k >= len(t.choices) {
		return 0, false
	}
	return moves[t.choices[k]], true
}

// rest returns the text after the game.
func (t *moveText) rest() string { return t.text[t.pos:] }

// fail records an error. The rest of the variation, or of the game, is skipped.
func (t *moveText) fail(err error) {
	if t.errCount++; t.errCount == 1 || IsDropped(t.err) && !IsDropped(err) {
		t.err, t.errLine = err, t.line
	}
}

// failMove records the error of a move that cannot be played.
func (t *moveText) failMove(err error) {
	t.skipped++
	if t.lenient {
		t.dropped = &droppedMoves{from: t.wordAt, first: true}
		err = &DroppedError{err}
	}
	t.fail(err)
}

// keepDropped makes the moves that were dropped a comment. Their text goes up to an offset.
func (t *moveText) keepDropped(end int) {
	if t.dropped != nil {
		t.Current().drop(t.dropped.text + " " + t.text[t.dropped.from:end])
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
	d.text += " " + t.text[d.from:t.pos-1]
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
		t.open()
	case ')':
		t.pos++
		t.close()
	case '$':
		t.pos++
		t.dollar()
	case '}':
		t.pos++
	default:
		t.wordAt = t.pos
		if word := t.word(); word != "" {
			t.read(word)
		}
	}
	return true
}

// skipBlanks skips white space, commas and lines that begin with %, and counts lines.
func (t *moveText) skipBlanks() {
	for t.pos < len(t.text) {
		if c := t.text[t.pos]; c == ' ' {
			t.pos++
			continue
		} else if c > ' ' && c < 0x80 && c != ',' {
			return
		}
		r, n := utf8.DecodeRuneInString(t.text[t.pos:])
		if !unicode.IsSpace(r) && r != '\ufeff' && r != ',' {
			return
		}
		t.pos += n
		if r == '\n' {
			t.line++
			if strings.HasPrefix(t.text[t.pos:], "%") {
				t.until("\n", false)
			}
		}
	}
}

// until returns the text up to a delimiter, which is consumed unless it is the end of the line.
func (t *moveText) until(sign string, must bool) string {
	line := t.line
	text := t.text[t.pos+1:]
	end := strings.Index(text, sign)
	switch {
	case end >= 0:
		text = text[:end]
		t.pos += 1 + end
		if sign != "\n" {
			t.pos++
		}
	default:
		t.pos = len(t.text)
		if must && t.skipped == 0 {
			t.fail(errors.New("unclosed comment: missing }"))
		}
	}
	t.line = line + strings.Count(text, "\n")
	return text
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
	case t.atVariationStart:
		t.startingComment = JoinLines(t.startingComment, text)
	default:
		t.Current().AddComment(text)
	}
}

// chanceMark begins comments that are chance moves, so that programs without chance ignore them.
const chanceMark = "chance: "

// chance reads a chance move.
func (t *moveText) chance(text string) bool {
	move, ok := strings.CutPrefix(text, chanceMark)
	if !ok || t.board.Turn() != engine.Chance {
		return false
	}
	m, err := t.board.Parse(move)
	if err == nil {
		err = t.play(m)
	}
	return err == nil
}

// open starts a variation that replaces the last move.
func (t *moveText) open() {
	if t.openAlternative() {
		return
	}
	if t.skipped > 0 || t.Depth() == 0 || t.atVariationStart || len(t.openVariations) >= maxNested {
		switch {
		case t.skipped > 0:
		case len(t.openVariations) >= maxNested:
			t.fail(fmt.Errorf("variations nested more than %d deep", maxNested))
		default:
			t.fail(errors.New("variation before the first move"))
		}
		t.skipped++
		t.openVariations = append(t.openVariations, branch{depth: -1})
		return
	}
	t.openVariations = append(t.openVariations, branch{node: t.Current(), depth: t.Depth()})
	t.BackTo(t.Depth() - 1)
	t.atVariationStart, t.startingComment = true, ""
}

// close ends a variation.
func (t *moveText) close() {
	if len(t.openVariations) == 0 {
		if t.skipped == 0 {
			t.fail(errors.New("unexpected ): missing ("))
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
	if last.dropped != nil {
		t.closeAlternative(last)
		return
	}
	t.BackTo(last.depth - 1)
	if t.atVariationStart {
		last.node.AddComment(t.startingComment)
	}
	t.atVariationStart, t.startingComment = false, ""
	t.Follow(last.node)
}

// dollar reads a numeric glyph.
func (t *moveText) dollar() {
	n, digits := 0, 0
	for t.pos < len(t.text) && '0' <= t.text[t.pos] && t.text[t.pos] <= '9' {
		n = min(n*10+int(t.text[t.pos]-'0'), 1000)
		digits++
		t.pos++
	}
	if digits > 0 && n < 256 {
		t.glyph(uint8(n))
	}
}

func (t *moveText) glyph(n uint8) {
	if n == 0 || t.skipped > 0 || t.atVariationStart || t.Depth() == 0 {
		return
	}
	t.Current().Glyphs = append(t.Current().Glyphs, n)
}

// wordEnds are the bytes that end a word.
var wordEnds = func() (table [256]bool) {
	for _, c := range []byte(" \t\r\n\v\f{}();$,") {
		table[c] = true
	}
	return table
}()

// word returns the text up to white space or a delimiter.
func (t *moveText) word() string {
	from := t.pos
	for t.pos < len(t.text) && !wordEnds[t.text[t.pos]] {
		if t.text[t.pos] < utf8.RuneSelf {
			t.pos++
			continue
		}
		r, n := utf8.DecodeRuneInString(t.text[t.pos:])
		if unicode.IsSpace(r) {
			break
		}
		t.pos += n
	}
	return t.text[from:t.pos]
}

// read parses a word: a number, a result, a glyph, a move, or several of them.
func (t *moveText) read(word string) {
	if isLetter(word[0]) { // nearly always
		t.readMove(word)
		return
	}
	bare := strings.TrimLeft(word, "!?！？")
	_, glyph := cutGlyph(word[:len(word)-len(bare)])
	t.glyph(glyph)
	if o, ok := ParseResult(bare); ok && bare != "" {
		t.end(o)
		return
	}
	t.readMove(cutNumber(bare))
}

// readMove parses a move with its glyph.
func (t *moveText) readMove(word string) {
	word, glyph := cutGlyph(word)
	switch {
	case word == "":
	case t.skipped == 0:
		t.move(word)
	case t.dropped != nil:
		t.dropped.first = false
	}
	t.glyph(glyph)
}

// end records the result. Within a variation it is ignored.
func (t *moveText) end(o engine.Outcome) {
	if len(t.openVariations) == 0 {
		t.result, t.isEnded = o, true
	}
}

func (t *moveText) move(word string) {
	m, err := parse(t.board, t.joinWords(word))
	if errors.Is(err, engine.ErrMalformed) {
		if spaced, ok := t.readMultiWord(word); ok {
			m, err = spaced, nil
		}
	}
	if err != nil {
		if chosen, ok := t.choose(err); ok {
			m, err = chosen, nil
		}
	}
	if err == nil {
		err = t.play(m)
	} else if t.board.Turn() == engine.Chance {
		err = fmt.Errorf("needs a chance move {%sMOVE} before it: %w", chanceMark, err)
	}
	if err != nil {
		t.failMove(fmt.Errorf("move %s %w", t.number(), err))
	}
}

// joinWords returns the words that belong to a move, given the first.
func (t *moveText) joinWords(word string) string {
	if t.joiner == nil {
		return word
	}
	for {
		pos, line := t.pos, t.line
		t.skipBlanks()
		next := t.word()
		if next == "" || len(t.joiner.JoinMoves([]string{word, next})) > 1 {
			t.pos, t.line = pos, line
			return word
		}
		word += " " + next
	}
}

// readMultiWord parses a move of several words, given the first, up to a comma or the end of the
// line.
func (t *moveText) readMultiWord(word string) (engine.Move, bool) {
	rest := t.text[t.pos:]
	if end := strings.IndexAny(rest, ",\n{}();$"); end >= 0 {
		rest = rest[:end]
	}
	words := append([]string{word}, strings.Fields(rest)...)
	m, err := t.board.Parse(strings.Join(words, " "))
	if err != nil || len(words) == 1 {
		return 0, false
	}
	t.pos += len(rest)
	return m, true
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
	turns := []engine.Turn{t.board.Turn()}
	for range t.Depth() {
		t.board.Undo()
		turns = append(turns, t.board.Turn())
	}
	for _, n := range t.TreeBuilder.line[1:] {
		t.board.Do(n.Move)
	}
	c := newCounter(1)
	for i, turn := range slices.Backward(turns) {
		switch {
		case turn != engine.Chance:
			c.next(turn)
		case i == 0:
			c.next(engine.First) // the side after the chance move is not known yet
		}
	}
	return c.String()
}

// cutNumber removes a leading move number. 15.6 has none: it is the first pawn of file 5 in WXF.
func cutNumber(word string) string {
	digits := strings.TrimLeft(word, "0123456789")
	rest := strings.TrimLeft(digits, ".．、…·")
	switch {
	case rest == "", digits == word && rest != word:
		return rest
	case rest == digits, len(rest) == 1 && '0' <= rest[0] && rest[0] <= '9':
		return word
	}
	return rest
}

// GlyphSign returns the sign of an annotation glyph, such as "!", or $ and its number.
func GlyphSign(glyph uint8) string {
	if glyph > 0 && int(glyph) < len(glyphSigns) {
		return glyphSigns[glyph]
	}
	return fmt.Sprintf("$%d", glyph)
}

// ParseGlyph parses what GlyphSign returns.
func ParseGlyph(text string) (glyph uint8, ok bool) {
	if digits, numeric := strings.CutPrefix(text, "$"); numeric {
		n, err := strconv.ParseUint(digits, 10, 8)
		return uint8(n), err == nil && n > 0
	}
	rest, glyph := cutGlyph(text)
	return glyph, rest == "" && glyph > 0
}

// glyphSigns are the glyphs that have signs.
var glyphSigns = [...]string{"", "!", "?", "!!", "??", "!?", "?!"}

var toHalfWidth = strings.NewReplacer("！", "!", "？", "?")

// cutGlyph removes a trailing annotation sign; glyph is 0 if there is none.
func cutGlyph(word string) (rest string, glyph uint8) {
	if n := len(word); n == 0 || word[n-1] < 0x80 && word[n-1] != '!' && word[n-1] != '?' {
		return word, 0
	}
	rest = strings.TrimRight(word, "!?！？")
	sign := toHalfWidth.Replace(word[len(rest):])
	for i, s := range glyphSigns {
		if s == sign {
			glyph = uint8(i)
		}
	}
	return rest, glyph
}
