package record

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"qhsh/engine"
	"qhsh/engine/record"
	"qhsh/engine/xiangqi"
	"qhsh/engine/xiangqi/notation"
)

// A moveText reads the moves of a game, with comments, glyphs and variations, from a text.
type moveText struct {
	game   *Game
	err    error // the first
	bad    int   // how many there are
	plies  int   // moves read in all
	result engine.Outcome

	text    string
	pos     int
	line    int // from 0
	errLine int

	*planter
	ranks   notation.Ranks
	points  bool     // there were coordinates or SAN, whose ranks might be counted otherwise
	forks   []branch // variations that are open
	dead    int      // how many levels are passed over because of an error: variations, or the game itself
	lead    string   // a comment that waits for the first move of a variation
	fresh   bool     // no move has come yet in this variation
	isEnded bool

	choices []int // which of its moves a text stands for, each time that it may be several
	several []int // how many that were
}

// A branch is where a variation goes back to at its end.
type branch struct {
	node  *Node
	depth int // of the board behind node's move; -1 if the variation is passed over
}

// readMoveText reads moves, and tries again where they do not fit: with ranks from one, as
// Fairy-Stockfish has them, or with Black to move where the FEN does not tell. It answers
// the try that got farthest.
func readMoveText(text string, start *xiangqi.Position, anySide bool) *moveText {
	best := tryMoveText(text, start, notation.FromZero, nil)
	if best.err == nil {
		return best
	}
	try := func(start *xiangqi.Position, ranks notation.Ranks) {
		if t := tryMoveText(text, start, ranks, nil); t.err == nil && best.err != nil || t.plies > best.plies {
			best = t
		}
	}
	if best.points {
		try(start, notation.FromOne)
	}
	if anySide && best.err != nil {
		g := gridOf(start)
		if black, err := g.start(-1, true); err == nil {
			try(black, notation.FromZero)
		}
	}
	if best.err != nil && len(best.several) > 0 {
		return best.lookAhead()
	}
	return best
}

func tryMoveText(text string, start *xiangqi.Position, ranks notation.Ranks, choices []int) *moveText {
	t := &moveText{text: text, ranks: ranks, game: record.NewGame(start), choices: choices}
	t.planter = newPlanter(t.game)
	for !t.isEnded && t.step() {
	}
	if t.bad > 1 {
		t.err = fmt.Errorf("%w (and %d more)", t.err, t.bad-1)
	}
	return t
}

// How far it is looked ahead.
const (
	mostTries = 64
	mostAhead = 1 << 16 // bytes of text
)

// lookAhead tries what a text may stand for that may be several moves. Programs write P3+1
// where two pawns of file 3 can advance; which it was, the moves behind it show. If they
// do not, or if there is no way through, it answers the try as it was.
func (t *moveText) lookAhead() *moveText {
	if len(t.text) > mostAhead {
		return t
	}
	var found *moveText
	tries, ways := 0, 0
	var search func(at *moveText)
	search = func(at *moveText) {
		k := len(at.choices)
		if len(at.several) <= k {
			return
		}
		for c := 0; c < at.several[k] && ways < 2 && tries < mostTries; c++ {
			tries++
			next := tryMoveText(t.text, startPos(t.game), t.ranks, append(slices.Clone(at.choices), c))
			if next.err == nil {
				found = next
				ways++
				continue
			}
			search(next)
		}
	}
	search(t)
	if ways != 1 || tries >= mostTries {
		return t
	}
	return found
}

// choose answers which move it was, if that has been chosen.
func (t *moveText) choose(err error) (m xiangqi.Move, ok bool) {
	var e *notation.Error
	if !errors.As(err, &e) || len(e.Moves) < 2 {
		return 0, false
	}
	k := len(t.several)
	t.several = append(t.several, len(e.Moves))
	if k >= len(t.choices) {
		return 0, false
	}
	return e.Moves[t.choices[k]], true
}

// rest is what stands behind the game.
func (t *moveText) rest() string { return t.text[t.pos:] }

// fail notes an error. The rest of the variation, or of the game, is passed over.
func (t *moveText) fail(err error) {
	if t.bad++; t.bad == 1 {
		t.err, t.errLine = err, t.line
	}
}

// step reads a word, a comment or a sign; it is false at the end.
func (t *moveText) step() bool {
	t.skipBlanks()
	if t.pos >= len(t.text) {
		if len(t.forks) > 0 && t.dead == 0 {
			t.fail(errors.New("a variation has no end: ) is missing"))
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
		if word := t.word(); word != "" {
			t.read(word)
		}
	}
	return true
}

// skipBlanks counts lines, and passes over those that begin with %.
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

// until is the text up to a sign, which is passed over unless it is the end of the line.
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
		if must && t.dead == 0 {
			t.fail(errors.New("a comment has no end: } is missing"))
		}
	}
	t.line = line + strings.Count(text, "\n")
	return text
}

// mostNested is how many variations may lie within each other.
const mostNested = 1000

// comment gives a comment to the move before it, or at the head of a variation to that
// behind it.
func (t *moveText) comment(text string) {
	text = record.ManyLines(text)
	switch {
	case t.dead > 0:
	case t.fresh:
		t.lead = record.JoinLines(t.lead, text)
	default:
		t.here().Say(text)
	}
}

// open begins a variation, which stands instead of the last move.
func (t *moveText) open() {
	if t.dead > 0 || t.depth() == 0 || t.fresh || len(t.forks) >= mostNested {
		switch {
		case t.dead > 0:
		case len(t.forks) >= mostNested:
			t.fail(fmt.Errorf("a variation lies within %d others", mostNested))
		default:
			t.fail(errors.New("a variation begins before there is a move"))
		}
		t.dead++
		t.forks = append(t.forks, branch{depth: -1})
		return
	}
	t.forks = append(t.forks, branch{t.here(), t.depth()})
	t.back(t.depth() - 1)
	t.fresh, t.lead = true, ""
}

// close ends a variation.
func (t *moveText) close() {
	if len(t.forks) == 0 {
		if t.dead == 0 {
			t.fail(errors.New("a variation ends that has not begun: ( is missing"))
			t.dead++
		}
		return
	}
	last := t.forks[len(t.forks)-1]
	t.forks = t.forks[:len(t.forks)-1]
	if t.dead > 0 {
		t.dead--
	}
	if last.depth < 0 {
		return
	}
	t.back(last.depth - 1)
	if t.fresh {
		last.node.Say(t.lead)
	}
	t.fresh, t.lead = false, ""
	t.follow(last.node)
}

// dollar reads a glyph behind its sign.
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
	if n == 0 || t.dead > 0 || t.fresh || t.depth() == 0 {
		return
	}
	t.here().Glyphs = append(t.here().Glyphs, n)
}

// wordEnds are the bytes that end a word.
var wordEnds = func() (table [256]bool) {
	for _, c := range []byte(" \t\r\n\v\f{}();$,") {
		table[c] = true
	}
	return table
}()

// word is the text up to a blank or a sign.
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

// read reads a word: a number, a result, a glyph, a move, or several of them together.
func (t *moveText) read(word string) {
	if isLetter(word[0]) { // nearly always
		t.readMove(word)
		return
	}
	bare := strings.TrimLeft(word, "!?！？")
	_, glyph := cutGlyph(word[:len(word)-len(bare)])
	t.glyph(glyph)
	if o, ok := record.ParseResult(bare); ok && bare != "" {
		t.end(o)
		return
	}
	t.readMove(cutNumber(bare))
}

// readMove reads a move with its annotation.
func (t *moveText) readMove(word string) {
	word, glyph := cutGlyph(word)
	if word != "" && t.dead == 0 {
		t.move(word)
	}
	t.glyph(glyph)
}

// end is the result. Within a variation it means nothing.
func (t *moveText) end(o engine.Outcome) {
	if len(t.forks) == 0 {
		t.result, t.isEnded = o, true
	}
}

func (t *moveText) move(word string) {
	m, style, err := t.ranks.Parse(t.board, word)
	if style == notation.ICCS || style == notation.UCI || style == notation.SAN {
		t.points = t.points || !errors.Is(err, notation.ErrMalformed)
	}
	if chosen, ok := t.choose(err); ok {
		m, err = chosen, nil
	}
	if err == nil && t.depth() >= mostPlies {
		err = errEndless
	}
	if err != nil {
		t.fail(fmt.Errorf("move %s %w", t.number(), err))
		t.dead++
		return
	}
	t.plies++
	n := t.play(m)
	n.Lead, t.lead, t.fresh = t.lead, "", false
}

// number is the number of the next move, as a person counts: 12 for Red's, 12... for
// Black's.
func (t *moveText) number() string {
	ply := t.depth()
	if startPos(t.game).Side() == xiangqi.Black {
		ply++
	}
	if ply%2 == 1 {
		return fmt.Sprintf("%d...", ply/2+1)
	}
	return fmt.Sprintf("%d.", ply/2+1)
}

// cutNumber takes the number of a move off its front. 15.6 is none: it is the first pawn of
// file 5 in WXF.
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

// glyphSigns are the annotations that have signs.
var glyphSigns = [...]string{"", "!", "?", "!!", "??", "!?", "?!"}

var narrow = strings.NewReplacer("！", "!", "？", "?")

// cutGlyph takes an annotation off the end of a move; 0 if there is none.
func cutGlyph(word string) (rest string, glyph uint8) {
	if n := len(word); n == 0 || word[n-1] < 0x80 && word[n-1] != '!' && word[n-1] != '?' {
		return word, 0
	}
	rest = strings.TrimRight(word, "!?！？")
	sign := narrow.Replace(word[len(rest):])
	for i, s := range glyphSigns {
		if s == sign {
			glyph = uint8(i)
		}
	}
	return rest, glyph
}
