package record

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"qhsh/engine"
	"qhsh/engine/printable"
)

// Moves are plain moves, optionally after a position, one game per line or over many lines. Writing
// gives the position and the main line on one line.
var Moves = &Format{
	Name: "moves", Extensions: []string{".txt", ".moves", ".uci"},
	Detect: func([]byte) bool { return true }, Read: readMoves, Write: writeMoves,
}

// readMoves yields the games of a text without tags: moves, optionally after a FEN or the word
// startpos. Such a line starts a new game, and so does a move numbered 1. Lines that begin with #
// are ignored. The moves may also be written as in PGN, or separated by commas. Lines before the first
// game are a comment on it.
func readMoves(s *Source, yield func(*Game, error) bool) {
	split := &splitter{r: s.r, line: 1}
	var text []byte
	count, line := 0, 1
	var heading string
	inHeading := true
	flush := func() bool {
		if len(bytes.TrimSpace(text)) == 0 {
			text = text[:0]
			return true
		}
		count++
		game, errs := s.decodeGame(text)
		if text = text[:0]; len(game) >= MaxLine {
			text = nil
		}
		collect(len(game))
		g, at, err := s.lib.readPlain(game)
		if g != nil && heading != "" {
			g.Root.Comment, heading = JoinLines(heading, g.Root.Comment), ""
		}
		errs.AddAt(at, err)
		return yield(g, s.LineError(count, line+errs.Line, errs.Err()))
	}
	for {
		from := len(text)
		var err error
		text, err = split.appendLine(text)
		now := bytes.TrimSpace(text[from:])
		switch {
		case bytes.HasPrefix(now, []byte("#")):
			text = append(text[:from], '\n')
		case inHeading && len(now) > maxHeading:
			inHeading = false
		case inHeading && len(now) > 0:
			decoded := s.Decode(now)
			isMoves := heading == "" && s.lib.lineLooksLikeMoves(decoded) || s.lib.isFirstMove(decoded)
			if inHeading = !isMoves && len(heading) < maxHeading; inHeading {
				heading = JoinLines(heading, CleanLine(decoded))
				text = append(text[:from], '\n')
			}
		case s.lib.startsGame(now) && len(bytes.TrimSpace(text[:from])) > 0 && !s.lib.continuesPosition(text[:from], now):
			next := bytes.Clone(text[from:])
			text = text[:from]
			if !flush() {
				return
			}
			text, line = append(text, next...), split.line
		}
		split.line++
		if len(text) > MaxGame {
			yield(nil, s.LineError(count+1, line, errGameTooLarge))
			return
		}
		if err != nil {
			if flush() && !errors.Is(err, io.EOF) {
				yield(nil, s.FileError(err))
			}
			return
		}
	}
}

// maxHeading is the maximum size of the text before the first game, in bytes.
const maxHeading = 1 << 12

// looksLikeMoves reports whether a text begins with a position, the number 1 or a word that looks
// like a move, or has a first move after a heading. Other texts are not reported as games with an
// illegal move.
func (l *Library) looksLikeMoves(text string) bool {
	size := 0
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(strings.TrimPrefix(line, bom))
		switch {
		case line == "" || line[0] == '#':
			continue
		case size == 0 && l.lineLooksLikeMoves(line), l.isFirstMove(line):
			return true
		}
		if size += len(line); size > maxHeading {
			break
		}
	}
	return false
}

// lineLooksLikeMoves is looksLikeMoves for a line.
func (l *Library) lineLooksLikeMoves(line string) bool {
	line = narrowNumber(strings.TrimPrefix(line, bom))
	if l.isPositionLine([]byte(line)) {
		return true
	}
	words := strings.Fields(line)
	if len(words) == 0 {
		return false
	}
	word, _ := cutGlyph(cutNumber(words[0]))
	return word == "" || l.IsMove(word)
}

// isFirstMove reports whether a line begins with a legal first move, which has the number 1 or is followed
// by nothing but moves.
func (l *Library) isFirstMove(line string) bool {
	line = narrowNumber(line)
	words := strings.Fields(line)
	isNumbered := strings.HasPrefix(line, "1") && l.startsGame([]byte(line))
	isNoMove := func(word string) bool { return !l.IsMove(word) }
	if !isNumbered && (len(words) < 2 || slices.ContainsFunc(words, isNoMove)) {
		return false
	}
	word := cutNumber(words[0])
	if word == "" && len(words) > 1 {
		word = cutNumber(words[1])
	}
	word, _ = cutGlyph(word)
	_, err := l.Board(l.Game.Start(), "").Parse(word)
	return err == nil
}

// startsGame reports whether a line starts a game: it has a position or the number 1.
func (l *Library) startsGame(line []byte) bool {
	line = bytes.TrimPrefix(line, []byte(bom))
	return hasNumber1(string(line[:min(len(line), maxNumber)])) || l.isPositionLine(line)
}

// maxNumber is enough of a text for its move number, in bytes.
const maxNumber = 16

// hasNumber1 reports whether a text begins with the move number 1.
func hasNumber1(text string) bool {
	text = narrowNumber(text)
	return strings.HasPrefix(text, "1.") || strings.HasPrefix(text, "1 ")
}

// continuesPosition reports whether a line continues a game of which only the position has been read.
func (l *Library) continuesPosition(before, line []byte) bool {
	before = bytes.TrimSpace(before)
	if len(before) > maxPosition || bytes.Contains(before, []byte("\n")) {
		return false
	}
	_, moves, ok := l.CutPosition(strings.TrimPrefix(string(before), bom))
	return ok && strings.TrimSpace(moves) == "" && !l.isPositionLine(line)
}

// isPositionLine reports whether a line begins with a position.
func (l *Library) isPositionLine(line []byte) bool {
	line = bytes.TrimPrefix(line[:min(len(line), maxPosition)], []byte(bom))
	_, _, ok := l.CutPosition(string(line))
	return ok
}

// readPlain reads a game; line is the line of the error, from 0.
func (l *Library) readPlain(text string) (g *Game, line int, err error) {
	moves := strings.TrimLeft(text, " \t\r\n"+bom)
	line = strings.Count(text[:len(text)-len(moves)], "\n")
	start, given := l.Game.Start(), ""
	first, _, _ := strings.Cut(moves, "\n")
	if position, behind, ok := l.CutPosition(first); ok {
		if start, err = l.position(position); err != nil {
			return nil, line, err
		}
		given, moves = position, moves[strings.LastIndex(first, behind):]
	}
	t := l.readMoveText(moves, start, given)
	g, err, line = t.game, t.errs.Err(), line+t.errs.Line
	g.Result = l.PGN.outcome(t.result)
	if err == nil && t.plies == 0 && !t.isEnded && strings.TrimSpace(moves) != "" && len(g.Root.Comment) == 0 {
		_, err = l.Board(start, "").Parse("") // the game's own error, which quotes nothing
		for errors.Unwrap(err) != nil {
			err = errors.Unwrap(err)
		}
		if !errors.Is(err, engine.ErrMalformed) {
			err = engine.Malformed("not a move")
		}
	}
	return g, line, err
}

// writeMoves writes the main line as the position, the word moves and the moves on one line,
// separated by spaces, or by commas if moves contain spaces and the game cannot join words. A
// comment line before it says why a start is illegal.
func writeMoves(o *Output, g *Game) error {
	text := startpos
	if start := g.Start.String(); start != o.lib.Game.Start().String() {
		text = start
	}
	var moves []string
	b, behind := o.lib.Board(g.Start, o.Notation), ""
	_, joins := o.lib.Game.(engine.MoveJoiner)
	for _, m := range g.MainLine() {
		move := b.Format(m)
		if strings.Contains(move, " ") && !joins {
			behind = ","
		}
		moves = append(moves, move)
		b.Do(m)
	}
	if len(moves) > 0 {
		text += " moves " + strings.Join(moves, behind+" ") + behind
	}
	if why := g.Tags.Get(IllegalStart); why != "" {
		text = "# the start is illegal: " + printable.Line(why) + "\n" + text
	}
	_, err := fmt.Fprintln(o, text)
	return err
}
