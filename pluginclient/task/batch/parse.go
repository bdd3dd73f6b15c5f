package batch

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"qhsh/engine"
)

// Keywords of a line, in any case.
const (
	positionWord = "position"
	fenWord      = "fen"
	startWord    = "startpos"
	movesWord    = "moves"
)

// Parse reads a position on a line, as people and other programs write it:
//
//	TEXT                    a position's text form, in Xiangqi a FEN
//	startpos                the position that a game begins from
//	TEXT moves M1 M2 ...    either with moves played on it, in the game's notation
//	TEXT OP; OP; ...        either with the operations of EPD; after moves, a semicolon
//	                        comes first
//
// The words position and fen of UCI's position command may stand before it.
// Moves that contain blanks are separated by commas, as JoinMoves writes them. The Text of
// startpos is the text form of the start, so that it is a position wherever it is read. The
// Item has no File and no Line. A line that cannot be read has an Err that names the place.
func Parse(game engine.Game, line string) Item {
	return Record{Text: line}.Item(game)
}

// A Record is a position as a structured file, such as a table, describes it.
type Record struct {
	Text   string   // in the syntax of Parse; the other fields are added to it
	Moves  []string // played on it, in the game's notation
	BM, AM []string // as in an Item, in any notation that the game reads
	PV     []string // nil: that of the operation
	Ops    []Op

	// As in an Item:
	ID       string
	IDNumber bool
	Fields   Fields
}

// Item parses the record. A bad one keeps its ID and Fields.
func (r Record) Item(game engine.Game) Item {
	line := strings.TrimSpace(r.Text)
	if len(r.Moves) > 0 {
		line += " " + movesWord + " " + JoinMoves(r.Moves)
	}
	item := Item{Input: Excerpt(line), ID: r.ID, IDNumber: r.IDNumber, Fields: r.Fields}
	text, moves := splitAtMoves(cutWord(cutWord(strings.TrimSpace(r.Text), positionWord), fenWord))
	moves, more, _ := strings.Cut(moves, ";")
	text, pos, ops, err := readWithOps(game, text, slices.Concat(ParseOps(more), r.Ops))
	item.nameByOp(ops)
	if err != nil {
		item.Err = err
		return item
	}
	played, pos, err := playAll(game, pos, append(splitMoves(moves), r.Moves...))
	if err != nil {
		item.Err = err
		return item
	}
	if isStart(text) {
		text = game.Start().String()
	}
	item.Text, item.Moves, item.Pos, item.Ops = strings.ToValidUTF8(text, "\ufffd"), played, pos, ops
	if item.PV = r.PV; item.PV == nil {
		op, _ := findOp(ops, opPV)
		item.PV = SplitMoves(op.text())
	}
	if hasEngineBest(item.Ops) {
		item.Ops = withoutOps(item.Ops, opBest)
	}
	if _, isAnswer := findOp(item.Ops, opSolved); isAnswer {
		item.Ops = withoutOps(item.Ops, opMate, opSolved)
	}
	item.BM = item.movesOf(game, opBest, r.BM)
	item.AM = item.movesOf(game, opAvoid, r.AM)
	item.Unscored = cmp.Or(damageOf(r.Text, item.Ops), item.Unscored)
	if item.Unscored != nil {
		item.BM, item.AM = nil, nil
	}
	return item
}

// readWithOps parses a position followed by operations; added are further operations. In some games
// part of a position looks like an operation, so the possible splits are tried in order. The error
// is that of the first.
func readWithOps(game engine.Game, line string, added []Op) (text string, pos engine.Position, ops []Op, err error) {
	for position, own := range splitCandidates(line) {
		all := slices.Concat(own, added)
		whole := withCounters(position, all)
		found, failed := parsePosition(game, whole)
		if failed == nil {
			return whole, found, all, nil
		}
		if err == nil {
			text, ops, err = whole, all, failed
		}
	}
	return text, nil, ops, err
}

// withCounters appends the counters of a FEN, which EPD keeps in operations. The two fields before
// them may be missing.
func withCounters(text string, ops []Op) string {
	quiet, ok := findOp(ops, opHalfmoveClock)
	number, hasNumber := findOp(ops, opFullmoveNumber)
	fields := len(strings.Fields(text))
	if fields != 2 && fields != 4 || !ok && !hasNumber {
		return text
	}
	if fields == 2 {
		text += " - -"
	}
	if !ok {
		quiet.Args = "0"
	}
	if !hasNumber {
		number.Args = "1"
	}
	return text + " " + quiet.Args + " " + number.Args
}

func parsePosition(game engine.Game, text string) (engine.Position, error) {
	switch {
	case text == "":
		return nil, errors.New("the position is missing")
	case isStart(text):
		return game.Start(), nil
	}
	return game.Position(text)
}

func isStart(text string) bool { return strings.EqualFold(text, startWord) }

func cutWord(line, word string) string {
	if isWord(line, word) {
		line = strings.TrimSpace(line[len(word):])
	}
	return line
}

// splitAtMoves splits a line at the word "moves", unless it is inside quotes, as in c0 "Red moves".
func splitAtMoves(line string) (text, moves string) {
	quoted, before := false, ' '
	for i, r := range line {
		if r == '"' {
			quoted = !quoted
		}
		if !quoted && unicode.IsSpace(before) && isWord(line[i:], movesWord) {
			return strings.TrimSpace(line[:i]), line[i+len(movesWord):]
		}
		before = r
	}
	return line, ""
}

func isWord(text, word string) bool {
	if len(text) < len(word) || !strings.EqualFold(text[:len(word)], word) {
		return false
	}
	next, _ := utf8.DecodeRuneInString(text[len(word):])
	return len(text) == len(word) || unicode.IsSpace(next)
}

func splitMoves(text string) []string {
	if !strings.Contains(text, ",") {
		return strings.Fields(text)
	}
	moves := strings.Split(text, ",")
	blanks := false
	for i := range moves {
		moves[i] = strings.TrimSpace(moves[i])
		blanks = blanks || strings.Contains(moves[i], " ")
	}
	if last := len(moves) - 1; blanks && moves[last] == "" {
		moves = moves[:last] // JoinMoves writes a trailing comma, so that a single move has one
	}
	return moves
}

// JoinMoves joins moves for a table cell: with spaces, or with commas if a move contains a space.
func JoinMoves(moves []string) string {
	for _, m := range moves {
		if strings.Contains(m, " ") {
			return strings.Join(moves, ", ") + ","
		}
	}
	return strings.Join(moves, " ")
}

// FormatGame returns a game on one line, its start and its moves, in the syntax of Parse.
func FormatGame(pos engine.Position) string {
	start, moves := pos.History()
	text := start.String()
	if len(moves) > 0 {
		text += " " + movesWord + " " + JoinMoves(engine.FormatMoves(start, moves))
	}
	return text
}

// SplitMoves parses what JoinMoves returns. A trailing comma is allowed.
func SplitMoves(text string) []string {
	text = strings.TrimSpace(text)
	bare, ends := strings.CutSuffix(text, ",")
	if ends && !strings.Contains(bare, ",") {
		return []string{strings.TrimSpace(bare)}
	}
	if bare == "" {
		return nil
	}
	return splitMoves(bare)
}

// A moveReader is a Game that accepts more move notations than its positions do.
type moveReader interface {
	ReadMove(pos engine.Position, text string) (engine.Move, error)
}

// ReadMove parses a legal move in any notation of the game.
func ReadMove(game engine.Game, pos engine.Position, text string) (engine.Move, error) {
	if r, ok := game.(moveReader); ok {
		return r.ReadMove(pos, text)
	}
	return pos.Parse(text)
}

// playAll plays moves and returns them in the game's notation.
func playAll(game engine.Game, pos engine.Position, texts []string) ([]string, engine.Position, error) {
	var played []string
	for i, text := range engine.JoinMoves(game, texts) {
		m, err := ReadMove(game, pos, text)
		if err != nil {
			return nil, nil, fmt.Errorf("move %d: %w", i+1, err)
		}
		played = append(played, pos.Format(m))
		if pos, err = pos.Play(m); err != nil {
			return nil, nil, fmt.Errorf("move %d: %w", i+1, err)
		}
	}
	return played, pos, nil
}

// ParseWords parses a position of any number of fields, followed by moves. The word "moves" between
// them is optional, unlike in Parse.
func ParseWords(game engine.Game, words []string) Item {
	line := strings.Join(words, " ")
	text, moves, ok := cutWords(game, words)
	switch {
	case !ok:
		text, _, _ = strings.Cut(line, " "+movesWord+" ")
		if _, err := game.Position(text); err != nil {
			return Item{Input: Excerpt(line), Err: err}
		}
	case len(moves) > 0:
		if strings.EqualFold(moves[0], movesWord) {
			moves = moves[1:]
		}
		line = text + " " + movesWord + " " + strings.Join(moves, " ")
	}
	return Parse(game, line)
}

// cutWords splits words into a position and its moves. ok is false if no position comes first.
func cutWords(game engine.Game, words []string) (text string, moves []string, ok bool) {
	fields := 1
	// Another FEN field after the board is the side, a dash, or a number.
	for fields < len(words) && (len(words[fields]) == 1 || strings.Trim(words[fields], "0123456789") == "") {
		fields++
	}
	for n := len(words); n > fields; n-- { // the text of a game may have fields that look like moves
		text = strings.Join(words[:n], " ")
		if pos, err := game.Position(text); err == nil && pos.String() == text {
			return text, words[n:], true
		}
	}
	text = strings.Join(words[:fields], " ")
	return text, words[fields:], Parse(game, text).Err == nil
}
