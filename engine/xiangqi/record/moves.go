package record

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"qhsh/engine/xiangqi"
	"qhsh/engine/xiangqi/notation"
)

// readMoves yields the games of a text without tags: moves, perhaps behind a FEN or the
// word startpos. Such a line begins a game, and so does a move numbered 1. Lines that begin
// with # are passed over. Else the moves may be written as in PGN, or have commas between.
func readMoves(s *source, yield func(*Game, error) bool) {
	split := &splitter{r: utf8Reader(s.r), line: 1}
	s.learn(split.r)
	var text []byte
	count, line := 0, 1
	flush := func() bool {
		if len(bytes.TrimSpace(text)) == 0 {
			text = text[:0]
			return true
		}
		count++
		g, at, err := readPlain(s.decode(text))
		if err != nil {
			err = s.at(count, line+at, err)
		}
		text = text[:0]
		return yield(g, err)
	}
	for {
		from := len(text)
		var err error
		text, err = split.appendLine(text)
		now := bytes.TrimSpace(text[from:])
		switch {
		case bytes.HasPrefix(now, []byte("#")):
			text = append(text[:from], '\n')
		case startsPlain(now) && len(bytes.TrimSpace(text[:from])) > 0 && !isStart(text[:from], now):
			next := bytes.Clone(text[from:])
			text = text[:from]
			if !flush() {
				return
			}
			text, line = append(text, next...), split.line
		}
		split.line++
		if len(text) > mostGame {
			yield(nil, s.at(count+1, line, errors.New("a game of more than 16 MB: these are no moves")))
			return
		}
		if err != nil {
			if flush() && !errors.Is(err, io.EOF) {
				yield(nil, s.failed(err))
			}
			return
		}
	}
}

// looksLikeMoves tells whether a text has a position or the number 1, or a word that could be
// a move at once. It keeps other texts from being told to be games with a wrong move.
func looksLikeMoves(text string) bool {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(strings.TrimPrefix(line, bom))
		if line == "" || line[0] == '#' {
			continue
		}
		if isPositionLine([]byte(line)) {
			return true
		}
		word, _, _ := strings.Cut(strings.TrimLeft(cutNumber(strings.Fields(line)[0])+" "+line, " "), " ")
		return isMoveLike(cutNumber(word))
	}
	return false
}

// isMoveLike tells whether a word has the form of a move.
func isMoveLike(word string) bool {
	word, _ = cutGlyph(word)
	if word == "" {
		return true
	}
	_, err := notation.Parse(xiangqi.Start().Board(), word)
	if errors.Is(err, notation.ErrMalformed) {
		_, _, err = notation.FromOne.Parse(xiangqi.Start().Board(), word)
	}
	return !errors.Is(err, notation.ErrMalformed)
}

// startsPlain tells whether a line begins a game.
func startsPlain(line []byte) bool {
	line = bytes.TrimPrefix(line, []byte(bom))
	return isPositionLine(line) || bytes.HasPrefix(line, []byte("1.")) || bytes.HasPrefix(line, []byte("1 ")) ||
		bytes.HasPrefix(line, []byte("1、"))
}

// isStart tells whether a line only goes on with a game of which there is the position as
// yet.
func isStart(before, line []byte) bool {
	before = bytes.TrimSpace(before)
	return !isPositionLine(line) && isPositionLine(before) && bytes.Count(before, []byte("\n")) == 0 && len(bytes.Fields(before)) <= 6
}

// isPositionLine tells whether a line begins with a position.
func isPositionLine(line []byte) bool {
	word, _, _ := bytes.Cut(line, []byte(" "))
	word = bytes.TrimPrefix(word, []byte(bom))
	return bytes.EqualFold(word, []byte("startpos")) || bytes.EqualFold(word, []byte("position")) ||
		bytes.EqualFold(word, []byte("fen")) || bytes.Count(word, []byte("/")) == 9
}

// readPlain reads a game; line counts from 0 where the error is.
func readPlain(text string) (g *Game, line int, err error) {
	moves := strings.TrimLeft(text, " \t\r\n"+bom)
	line = strings.Count(text[:len(text)-len(moves)], "\n")
	start, anySide := xiangqi.Start(), false
	if first, rest, _ := strings.Cut(moves, "\n"); isPositionLine([]byte(first)) {
		fen, behind := cutPosition(first)
		if fen != "" {
			if start, err = position(fen); err != nil {
				return nil, line, err
			}
		}
		anySide = len(strings.Fields(fen)) == 1
		moves = behind + "\n" + rest
	}
	t := readMoveText(moves, start, anySide)
	g, err, line = t.game, t.err, line+t.errLine
	g.Result = t.result
	if err == nil && t.plies == 0 && !t.isEnded && strings.TrimSpace(moves) != "" && len(g.Root.Comment) == 0 {
		err = notation.ErrMalformed
	}
	return g, line, err
}

// cutPosition parts a line into a FEN, empty for the start of a game, and moves.
func cutPosition(line string) (fen, moves string) {
	words := strings.Fields(strings.ReplaceAll(line, ",", " "))
	for len(words) > 0 && (strings.EqualFold(words[0], "position") || strings.EqualFold(words[0], "fen")) {
		words = words[1:]
	}
	n := 0
	for n < len(words) && n < 6 && (n == 0 || isField(words[n])) {
		n++
	}
	fen = strings.Join(words[:n], " ")
	if n > 0 && strings.EqualFold(words[0], "startpos") {
		fen = ""
	}
	if n < len(words) && strings.EqualFold(words[n], "moves") {
		n++
	}
	return fen, strings.Join(words[n:], " ")
}

// isField tells whether a word behind a board is another field of a FEN.
func isField(word string) bool {
	return len(word) == 1 || strings.Trim(word, "0123456789") == ""
}

// writeMoves writes the main line, as the position and the word moves and moves in one
// line.
func writeMoves(w *Writer, g *Game) error {
	fen := "startpos"
	if startPos(g).FEN() != xiangqi.StartFEN {
		fen = startPos(g).FEN()
	}
	moves := g.Main()
	if len(moves) > 0 {
		fen += " moves " + strings.Join(notation.Names(g.Start, moves, w.style), " ")
	}
	_, err := fmt.Fprintln(w.w, fen)
	return err
}
