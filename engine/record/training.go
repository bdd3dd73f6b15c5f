package record

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"qhsh/engine"
	"qhsh/engine/lazyregexp"
)

// Training data are positions with a score and the result of their game. Each is read as a game of the one move
// that was played, whose comment has the score; [Library.Scored] returns it.
//
//	Plain  fen, move, score, ply, result and e, a line each, as nnue-pytorch's tools have them
//	Text   FEN | score | result, a line each
//
// Lines of JSON, which [JSON] reads, have the keys fen, move, cp or mate, ply, result, game and player.
var (
	Plain = &Format{Name: "plain", Extensions: []string{".plain"}, Read: readTrainingPlain, Detect: func(head []byte) bool {
		return plainLine().Match(bytes.TrimSpace(head))
	}}
	Text = &Format{Name: "text", Read: readTrainingText, Detect: func(head []byte) bool {
		line, _, _ := bytes.Cut(bytes.TrimSpace(head), []byte("\n"))
		return textLine().Match(bytes.TrimSpace(line))
	}}
)

// plainLine matches the first line of Plain, which may be any of a position.
var plainLine = lazyregexp.New(`^(?:fen .*|move \S+|(?:score|ply|result) [+-]?\d+)\s*(?:\n|$)`)

// textLine matches a line of Text. The score and the result are for the first side.
var textLine = lazyregexp.New(`^(.+?) *\| *([+-]?\d+) *\| *(1|1\.0|0\.5|0|0\.0)$`)

type trainingPosition struct {
	fen, move string       // the move may be missing
	score     engine.Score // for the side to move
	number    *int         // in place of score, as ScoreNumber has it; nil if the data do not have it
	points    *int         // 1, 0 or -1; nil if the data do not have them
	forFirst  bool         // number and points are for the first side, and not for the side to move
	ply       *int         // nil if the data do not have it
}

// The training data of Stockfish have a mate as a number, too: 32000 less the plies to it.
const (
	mateNumber = 32000
	mostMoves  = 500 // to a mate; a farther one is written as this far
	leastMate  = mateNumber - 2*mostMoves
)

// ScoreNumber returns a score as one number, as training data have it: centipawns, at most 32000, or 32000 less
// the plies to a mate.
func ScoreNumber(s engine.Score) int {
	if cp, ok := s.Centipawns(); ok {
		return max(-mateNumber, min(mateNumber, cp))
	}
	n, _ := s.Mate()
	if n > 0 {
		return mateNumber + 1 - 2*min(n, mostMoves)
	}
	return -mateNumber - 2*max(n, -mostMoves)
}

// scoreOfNumber returns the score of which n is the ScoreNumber. The winner of a mate has the last move, so a
// number whose plies are odd for the wrong side is one of centipawns.
func scoreOfNumber(n int) engine.Score {
	switch {
	case leastMate < n && n < mateNumber && n%2 != 0:
		return engine.MateIn((mateNumber + 1 - n) / 2)
	case -mateNumber < n && n <= -leastMate && n%2 == 0:
		return engine.MateIn(-(mateNumber + n) / 2)
	}
	return engine.Centipawns(n)
}

func (l *Library) trainingGame(p trainingPosition) (*Game, error) {
	start, err := l.position(p.fen)
	if err != nil {
		return nil, err
	}
	g, turn := NewGame(start), start.Turn()
	sign := 1
	if p.forFirst && turn == engine.Second {
		sign = -1
	}
	if p.number != nil {
		p.score = scoreOfNumber(sign * *p.number)
	}
	switch {
	case turn == engine.Chance:
		return nil, errors.New("no side is to move")
	case !p.score.Known() || p.fen == "":
		return nil, errors.New("a position without fen or score")
	}
	if p.points != nil {
		g.Result = [...]engine.Outcome{engine.Win(turn.Other()), engine.Draw, engine.Win(turn)}[1+sign**p.points]
	}
	if p.ply != nil && *p.ply != l.plyOf(start) {
		g.Tags.Set(plyTag, strconv.Itoa(*p.ply))
	}
	if p.move == "" {
		if turn == engine.Second {
			p.score = p.score.Neg()
		}
		g.Root.Comment = FormatEval(p.score)
		return g, nil
	}
	m, err := l.Board(start, "").Parse(p.move)
	if err != nil {
		return nil, err
	}
	g.Root.Append(m).Comment = p.score.JSON().Remark(0)
	return g, nil
}

// readTrainingPlain yields the positions of a file in Plain. What is wrong costs its position.
func readTrainingPlain(s *Source, yield func(*Game, error) bool) {
	var p trainingPosition
	var wrong error
	count, at := 0, 0 // at is the line where the position begins, or is wrong; 0: none has begun
	end := func() bool {
		count++
		g, err := (*Game)(nil), wrong
		if err == nil {
			g, err = s.lib.trainingGame(p)
		}
		err = s.LineError(count, at, err)
		p, wrong, at = trainingPosition{}, nil, 0
		return yield(g, err)
	}
	more := s.eachLine(yield, MaxLine, func(line int, raw []byte) bool {
		text := string(raw)
		at = cmp.Or(at, line)
		key, value, _ := strings.Cut(text, " ")
		value = strings.TrimSpace(value)
		number := func(low, high int) *int {
			n, err := strconv.Atoi(value)
			if (err != nil || n < low || n > high) && wrong == nil {
				wrong, at = fmt.Errorf("%s: want a number from %d to %d", engine.Quote(text), low, high), line
			}
			return &n
		}
		switch key {
		case "fen":
			p.fen = value
		case "move":
			p.move = value
		case "score":
			p.number = number(-1<<20, 1<<20)
		case "ply":
			p.ply = number(0, 1<<20)
		case "result":
			p.points = number(-1, 1)
		case "e":
			return end()
		default:
			wrong, at = fmt.Errorf("%s: want fen, move, score, ply, result or e", engine.Quote(text)), line
		}
		return true
	})
	if more && at > 0 {
		wrong = errors.New("the file ends within a position")
		end()
	}
}

func readTrainingText(s *Source, yield func(*Game, error) bool) {
	count := 0
	s.eachLine(yield, MaxLine, func(line int, text []byte) bool {
		count++
		g, err := (*Game)(nil), errors.New("want FEN | score | 1.0, 0.5 or 0.0")
		if found := textLine().FindStringSubmatch(string(text)); found != nil {
			var n int
			if n, err = strconv.Atoi(found[2]); err == nil {
				half, _ := strconv.ParseFloat(found[3], 64)
				points := int(2*half) - 1
				g, err = s.lib.trainingGame(trainingPosition{fen: found[1], number: &n, points: &points, forFirst: true})
			}
		}
		return yield(g, s.LineError(count, line, err))
	})
}

// eachLine calls f with the number and the text of each line that is not blank, of at most so many bytes. It
// returns false if f does, or if the file cannot be read, which it yields.
func (s *Source) eachLine(yield func(*Game, error) bool, most int, f func(line int, text []byte) bool) bool {
	split := &splitter{r: s.r}
	var raw []byte
	for line := 1; ; line++ {
		var err error
		raw, err = split.appendLine(raw[:0])
		if len(raw) > most {
			yield(nil, s.LineError(0, line, errGameTooLarge))
			return false
		}
		text := bytes.TrimSpace(bytes.TrimPrefix(raw, []byte(bom)))
		switch {
		case len(text) > 0 && !f(line, text):
			return false
		case errors.Is(err, io.EOF):
			return true
		case err != nil:
			yield(nil, s.FileError(err))
			return false
		}
	}
}
