package record

import (
	"fmt"
	"slices"
	"strings"

	"qhsh/engine/lazyregexp"
	"qhsh/engine/record"
	"qhsh/engine/xiangqi"
)

// A file of MXQ, of the server Yitian, is texts of up to 255 bytes, each after its length: those of the header, the word
// Moves, the moves, the word Ends, and CommentsEnd.
const (
	mxqSite, mxqDate, mxqPlayers, mxqRedElo, mxqBlackElo, mxqComment, mxqMoves = 0, 1, 2, 3, 4, 10, 11
	mxqStart, mxqEnds, mxqLast                                                 = "\x05Moves", "Ends", "CommentsEnd"
)

// mxqResult matches the result between the names of the players, also traditional characters.
var mxqResult = lazyregexp.New(`-([胜勝和负負])-`)

// mxqMove matches a move: files from 0 at Red's left, ranks from A at Red's side.
var mxqMove = lazyregexp.New(`^[0-8][A-J]-[0-8][A-J]$`)

// isMXQ reports whether a file begins with the header of MXQ.
func isMXQ(head []byte) bool {
	r := byteReader{raw: head}
	for range mxqMoves {
		if _, err := r.mxqText(); err != nil {
			return false
		}
	}
	return strings.HasPrefix(string(head[r.pos:]), mxqStart)
}

func (r *byteReader) mxqText() ([]byte, error) {
	length, err := r.bytes(1)
	if err != nil {
		return nil, err
	}
	return r.bytes(int(length[0]))
}

// readMXQ yields the only game of a file. The five numbers of times in the header are not read.
func readMXQ(s *record.Source, raw []byte, yield func(*record.Game, error) bool) {
	r := byteReader{raw: raw}
	var header, moves []string
	var at []int // the byte at which each move begins
	var broken error
	for {
		from := r.pos
		text, err := r.mxqText()
		switch now := string(text); {
		case err != nil:
			broken = s.ByteError(0, int64(len(raw)), err)
		case len(header) <= mxqMoves:
			header = append(header, now)
			continue
		case now == mxqEnds:
			if last, err := r.mxqText(); err != nil || string(last) != mxqLast || r.pos != len(raw) {
				broken = s.ByteError(0, int64(r.pos), fmt.Errorf("want only %s after the moves", mxqLast))
			}
		case !mxqMove().MatchString(now):
			broken = s.ByteError(0, int64(from), fmt.Errorf("not a move: %.20q", now))
		case len(moves) == record.MaxMoves:
			broken = s.ByteError(0, int64(from), record.ErrTooManyMoves)
		default:
			moves, at = append(moves, fmt.Sprintf("%c%d-%c%d", 'A'+now[0]-'0', now[1]-'A', 'A'+now[3]-'0', now[4]-'A')), append(at, from)
			continue
		}
		break
	}
	if len(header) <= mxqMoves {
		yield(nil, broken)
		return
	}
	decode := s.Choose([]byte(strings.Join(header, "\n")))
	for i, text := range header {
		header[i] = record.CleanText(decode([]byte(text)))
	}
	// A game without moves would not be one for Moves.
	g, line, err := record.NewGame(xiangqi.Start()), 0, error(nil)
	if len(moves) > 0 {
		g, line, err = s.Moves(strings.Join(moves, "\n"), g.Start, "")
	}
	var errs record.Errors
	if err != nil {
		errs.Add(s.ByteError(0, int64(at[min(line, len(at)-1)]), err))
	}
	errs.Add(broken)
	tags := []string{"Site", header[mxqSite], "Date", header[mxqDate], "RedElo", header[mxqRedElo], "BlackElo", header[mxqBlackElo]}
	if m := mxqResult().FindStringSubmatchIndex(header[mxqPlayers]); m != nil {
		tags = append(tags, "Red", header[mxqPlayers][:m[0]], "Black", header[mxqPlayers][m[1]:])
		g.Result, _ = record.ParseResult("先" + header[mxqPlayers][m[2]:m[3]])
	} else {
		tags = append(tags, "Title", header[mxqPlayers])
	}
	for pair := range slices.Chunk(tags, 2) {
		g.Tags.Add(pair[0], pair[1])
	}
	last := g.Root
	for len(last.Next) > 0 {
		last = last.Next[0]
	}
	last.Comment = record.JoinLines(last.Comment, header[mxqComment])
	yield(g, errs.First())
}
