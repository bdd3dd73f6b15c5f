package match

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A Style is how a game's PGN differs from that of others.
type Style struct {
	Tags   [][2]string // that stand first, such as Game "Chinese Chess"
	First  string      // the tag of the player who moves first, such as Red
	Second string
	Start  string // the position that needs no FEN tag
}

// PGN is an Output that writes games as text, with the moves in the game's own notation.
// A comment behind a move tells what the engine said of it: its score in pawns from its
// own side, or the moves to mate, the depth, and the time that it took, as in
// {+0.35/8 0.10s} and {-M3/20 1.52s}. The last comment is the reason of the game's end.
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
		fmt.Fprintf(&b, "[%s \"%s\"]\n", tag[0], quoted.Replace(line(tag[1])))
	}
	b.WriteByte('\n')
	wrap(&b, append(moveText(r), "{"+comment(ending(r))+"}", r.Result))
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
		{p.style.First, r.First},
		{p.style.Second, r.Second},
		{"Result", r.Result},
		{"GameNumber", strconv.Itoa(r.Game)},
	}...)
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
	score := ""
	switch {
	case p.CP != nil:
		score = fmt.Sprintf("%+.2f", float64(*p.CP)/100)
	case p.Mate != nil && *p.Mate > 0:
		score = fmt.Sprintf("+M%d", *p.Mate)
	case p.Mate != nil:
		score = fmt.Sprintf("-M%d", -*p.Mate)
	}
	if p.Depth > 0 {
		score += fmt.Sprintf("/%d", p.Depth)
	}
	if score != "" {
		score += " "
	}
	return score + fmt.Sprintf("%.2fs", float64(p.Seconds))
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
func comment(text string) string { return unbraced.Replace(line(text)) }

// line is a text that cannot end a line, nor disturb a terminal.
func line(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, text)
}
