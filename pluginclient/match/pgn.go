package match

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"qhsh/engine/printable"
)

// A Style is how a game's PGN differs from that of others.
type Style struct {
	Tags   [][2]string // that stand first, such as Game "Chinese Chess"
	First  string      // the tag of the player who moves first, such as Red
	Second string
	Start  string // the position that needs no FEN tag
}

// white is the name of the side whose win is 1-0 wherever PGN is read, whoever moves first
// (Portable Game Notation Specification, 8.1.1.7).
const white = "White"

// players are the tags of the players: first the one whose win is 1-0, which is who moves
// first in a game without White.
func (s Style) players(r Record) [][2]string {
	first, second := [2]string{s.First, r.First}, [2]string{s.Second, r.Second}
	if s.Second == white {
		return [][2]string{second, first}
	}
	return [][2]string{first, second}
}

// result is a record's result as PGN has it.
func (s Style) result(r Record) string {
	switch {
	case s.Second != white:
	case r.Result == firstWins:
		return secondWins
	case r.Result == secondWins:
		return firstWins
	}
	return r.Result
}

// PGN is an Output that writes games as text, with the moves in the game's own notation.
// A comment behind a move tells what the engine said of it: its score in pawns from its
// own side, or the moves to mate, the depth, and the time that it took, as in
// {+0.35/8 0.10s} and {-M3/20 1.52s}. The last comment is the reason of the game's end.
// The moves are numbered by who moves first; the result is White's, where a side is called
// so, also if the other one moves first.
type PGN struct {
	w     io.Writer
	style Style
	event string
}

// NewPGN writes to w, one call of Write for each game.
func NewPGN(w io.Writer, style Style, event string) *PGN { return &PGN{w, style, event} }

// Write writes a game.
func (p *PGN) Write(r Record) error {
	var b strings.Builder
	for _, tag := range p.tags(r) {
		fmt.Fprintf(&b, "[%s \"%s\"]\n", tag[0], quoted.Replace(printable.Line(tag[1])))
	}
	b.WriteByte('\n')
	wrap(&b, append(moveText(r), "{"+comment(ending(r))+"}", p.style.result(r)))
	b.WriteByte('\n')
	_, err := io.WriteString(p.w, b.String())
	return err
}

func (p *PGN) tags(r Record) [][2]string {
	tags := append([][2]string(nil), p.style.Tags...)
	tags = append(tags, [][2]string{
		{"Event", p.event},
		{"Site", "?"},
		{"Date", strings.ReplaceAll(r.Date, "-", ".")},
		{"Round", strconv.Itoa(r.Round)},
	}...)
	tags = append(tags, p.style.players(r)...)
	tags = append(tags, [2]string{"Result", p.style.result(r)}, [2]string{"GameNumber", strconv.Itoa(r.Game)})
	if r.Start != p.style.Start {
		tags = append(tags, [2]string{"SetUp", "1"}, [2]string{"FEN", r.Start})
	}
	return append(tags, [2]string{"Termination", termination(r)}, [2]string{"PlyCount", strconv.Itoa(len(r.Moves))})
}

// termination is the word of the PGN standard for how a game has ended.
func termination(r Record) string {
	switch {
	case r.Early:
		return "adjudication"
	case r.Fault == nil:
		return "normal"
	case r.Reason == "timeout":
		return "time forfeit"
	case r.Reason == "illegal move":
		return "rules infraction"
	}
	return "abandoned"
}

// ending is why a game has ended.
func ending(r Record) string {
	if r.Fault == nil {
		return r.Reason
	}
	return fmt.Sprintf("%s: %s: %s", r.Fault.Player, r.Reason, r.Fault.Error)
}

// moveText is the moves with their numbers, and the comments, a word each.
func moveText(r Record) []string {
	var words []string
	number, before := 0, ""
	for i, m := range r.Moves {
		word := strings.ReplaceAll(m.Move, " ", "_")
		switch {
		case m.By == "chance":
			words = append(words, "{chance: "+comment(m.Move)+"}")
			continue
		case m.By == "first":
			number++
			word = fmt.Sprintf("%d. %s", number, word)
		case before == "" || before == m.By:
			number = max(number, 1)
			word = fmt.Sprintf("%d... %s", number, word)
		}
		before = m.By
		words = append(words, word)
		if i < r.Book {
			words = append(words, "{book}")
			continue
		}
		words = append(words, "{"+thought(m)+"}")
	}
	return words
}

// thought is what an engine said of its move.
func thought(p Ply) string {
	return strings.TrimSpace(fmt.Sprintf("%s %.2fs", p.Remark(p.Depth), float64(p.Seconds)))
}

// wrap writes words in lines of up to 80 characters.
func wrap(b *strings.Builder, words []string) {
	const width = 80
	used := 0
	for _, word := range words {
		n := utf8.RuneCountInString(word)
		switch {
		case used == 0:
		case used+1+n > width:
			b.WriteByte('\n')
			used = 0
		default:
			b.WriteByte(' ')
			used++
		}
		b.WriteString(word)
		used += n
	}
	b.WriteByte('\n')
}

var (
	quoted   = strings.NewReplacer(`\`, `\\`, `"`, `\"`)
	unbraced = strings.NewReplacer("{", "(", "}", ")")
)

// comment is a text that cannot end a comment.
func comment(text string) string { return unbraced.Replace(printable.Line(text)) }
