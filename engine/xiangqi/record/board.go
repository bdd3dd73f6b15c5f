package record

import (
	"errors"
	"strings"
	"unicode"

	"qhsh/engine"
	"qhsh/engine/record"
	"qhsh/engine/xiangqi"
	"qhsh/engine/xiangqi/notation"
)

// A board is a record.Board that reads moves in all notations.
type board struct {
	*xiangqi.Board
	start  *xiangqi.Position
	style  notation.Style
	ranks  notation.Ranks
	points bool // a move had coordinates or SAN, whose ranks may count from 0 or 1

	relative bool // the last move was in WXF or Chinese
}

func newBoard(start *xiangqi.Position) *board { return &board{Board: start.Board(), start: start} }

func (b *board) Do(m engine.Move)  { b.Board.Do(xiangqi.Move(m)) }
func (b *board) Undo()             { b.Board.Undo() }
func (b *board) Turn() engine.Turn { return b.Side().Turn() }
func (b *board) Format(m engine.Move) string {
	return notation.Format(b.Board, xiangqi.Move(m), b.style)
}

func (b *board) Parse(text string) (engine.Move, error) {
	m, style, err := b.ranks.Parse(b.Board, text)
	if !b.points && (style == notation.ICCS || style == notation.UCI || style == notation.SAN) {
		b.points = !errors.Is(err, notation.ErrMalformed)
	}
	b.relative = style == notation.WXF || style == notation.Chinese || style == notation.Traditional
	return engine.Move(m), err
}

func (b *board) IsSideRelative() bool { return b.relative }

// Interpretations returns boards that count ranks from 1, as Fairy-Stockfish does, and with Black
// to move if the FEN has no side to move.
func (b *board) Interpretations(given string) (all []record.Interpretation) {
	if b.points {
		one := newBoard(b.start)
		one.ranks = notation.FromOne
		all = append(all, record.Interpretation{Start: b.start, Board: one})
	}
	if len(strings.Fields(given)) == 1 {
		g := gridOf(b.start)
		if black, err := xiangqi.ParseFEN(g.position(-1, true)); err == nil {
			all = append(all, record.Interpretation{Start: black, Board: newBoard(black)})
		}
	}
	return all
}

func looksLikeMove(word string) bool {
	_, err := notation.Parse(xiangqi.Start().Board(), word)
	if errors.Is(err, notation.ErrMalformed) {
		_, _, err = notation.FromOne.Parse(xiangqi.Start().Board(), word)
	}
	return !errors.Is(err, notation.ErrMalformed)
}

// cutPosition splits a line of plain moves into a FEN, empty for the start of a game, and the
// moves.
func cutPosition(line string) (fen, moves string, ok bool) {
	first, _, _ := strings.Cut(line, " ")
	if !strings.EqualFold(first, "startpos") && !strings.EqualFold(first, "position") && !strings.EqualFold(first, "fen") && strings.Count(first, "/") != 9 {
		return "", "", false
	}
	isField := func(word string) bool { return len(word) == 1 || strings.Trim(word, "0123456789") == "" } // after the board
	word, rest := cutField(line)
	for strings.EqualFold(word, "position") || strings.EqualFold(word, "fen") {
		word, rest = cutField(rest)
	}
	var fields []string
	for word != "" && len(fields) < 6 && (len(fields) == 0 || isField(word)) {
		fields, line = append(fields, word), rest
		word, rest = cutField(rest)
	}
	switch {
	case len(fields) == 0:
		line = ""
	case strings.EqualFold(fields[0], "startpos"):
		fields = nil
	}
	if strings.EqualFold(word, "moves") {
		line = rest
	}
	return strings.Join(fields, " "), strings.TrimSpace(line), true
}

// cutField returns the first word of a line, which spaces or commas separate, and what follows it.
func cutField(line string) (word, rest string) {
	isSeparator := func(r rune) bool { return r == ',' || unicode.IsSpace(r) }
	line = strings.TrimLeftFunc(line, isSeparator)
	if end := strings.IndexFunc(line, isSeparator); end >= 0 {
		return line[:end], line[end:]
	}
	return line, ""
}
