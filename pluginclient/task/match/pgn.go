package match

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"qhsh/engine/printable"
	"qhsh/engine/record"
)

// PGN is an Output that writes games as text, with the moves in the game's own notation.
// A comment after a move describes what the engine said of it: its score in pawns from its
// own side, or the moves to mate, the depth, and the time that it took, as in
// {+0.35/8 0.10s} and {-M3/20 1.52s}. The last comment is the reason of the game's end.
// The moves are numbered by who moves first; the result is White's, where a side is called
// so, also if the other one moves first.
type PGN struct {
	w     io.Writer
	style record.PGNStyle
	event string
}

// NewPGN writes to w, one call of Write for each game.
func NewPGN(w io.Writer, style record.PGNStyle, event string) *PGN { return &PGN{w, style, event} }

// Write writes a game.
func (p *PGN) Write(r Record) error {
	var text record.PGNText
	for _, tag := range p.tags(r) {
		text.Tag(tag[0], tag[1])
	}
	text.WriteByte('\n')
	writeMoves(&text, r)
	text.Comment(printable.Line(ending(r)))
	text.Word(p.result(r))
	text.WriteString("\n\n")
	_, err := io.WriteString(p.w, text.String())
	return err
}

// result returns a game's result as PGN has it.
func (p *PGN) result(r Record) string {
	o, _ := record.ParseResult(r.Result)
	return p.style.FormatResult(o)
}

func (p *PGN) tags(r Record) [][2]string {
	tags := [][2]string{{"Game", p.style.Game}}
	for _, t := range p.style.Tags {
		tags = append(tags, [2]string{t.Name, t.Value})
	}
	if format := p.style.Formats[""]; format != "" {
		tags = append(tags, [2]string{"Format", format})
	}
	tags = append(tags, [][2]string{
		{"Event", p.event},
		{"Site", "?"},
		{"Date", strings.ReplaceAll(r.Date, "-", ".")},
		{"Round", strconv.Itoa(r.Round)},
	}...)
	names := map[string]string{p.style.First: r.First, p.style.Second: r.Second}
	for _, player := range p.style.Players() {
		tags = append(tags, [2]string{player, names[player]})
	}
	tags = append(tags, [2]string{"Result", p.result(r)}, [2]string{"GameNumber", strconv.Itoa(r.Game)})
	if r.Start != p.style.Start {
		tags = append(tags, [2]string{"SetUp", "1"}, [2]string{"FEN", r.Start})
	}
	return append(tags, [2]string{"Termination", termination(r)}, [2]string{"PlyCount", strconv.Itoa(len(r.Moves))})
}

// termination returns the word of the PGN standard for how a game has ended.
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

// ending returns why a game has ended.
func ending(r Record) string {
	if r.Fault == nil {
		return r.Reason
	}
	return fmt.Sprintf("%s: %s: %s", r.Fault.Player, r.Reason, r.Fault.Error)
}

// writeMoves writes the moves with their numbers, and the comments.
func writeMoves(text *record.PGNText, r Record) {
	number, before := 0, ""
	for i, m := range r.Moves {
		word := record.PGNWord(m.Move)
		switch {
		case m.By == "chance":
			text.Chance(m.Move)
			continue
		case m.By == "first":
			number++
			word = fmt.Sprintf("%d. %s", number, word)
		case before == "" || before == m.By:
			number = max(number, 1)
			word = fmt.Sprintf("%d... %s", number, word)
		}
		before = m.By
		text.Word(word)
		if i < r.Book {
			text.Comment("book")
			continue
		}
		text.Comment(moveComment(m))
	}
}

// moveComment returns what an engine said of its move.
func moveComment(p Ply) string {
	return strings.TrimSpace(fmt.Sprintf("%s %.2fs", p.Remark(p.Depth), float64(p.Seconds)))
}
