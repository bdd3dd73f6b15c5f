package match

import (
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"unicode"

	"qhsh/engine/printable"
	"qhsh/engine/record"
	"qhsh/pluginclient"
)

// A PGN is an Output that writes games as PGN, with moves in the game's own notation. The comment
// after an engine's move has its score in pawns from its own side or the moves to mate, the depth,
// and the time, as in {+0.35/8 0.10s} and {-M3/20 1.52s}. The last comment is the reason of the
// game's end. Move numbers follow the side that moves first. The result is from White's side if the
// game has a White, even if White moves second.
type PGN struct {
	w     io.Writer
	style record.PGNStyle
	event string
}

// NewPGN returns a PGN that calls w.Write once per game.
func NewPGN(w io.Writer, style record.PGNStyle, event string) *PGN { return &PGN{w, style, event} }

func (p *PGN) Write(r Record) error {
	var text record.PGNText
	p.writeTags(&text, r)
	text.WriteByte('\n')
	writeMoves(&text, r)
	ending := r.Reason
	if r.Fault != nil {
		ending = fmt.Sprintf("%s: %s: %s", r.Fault.Player, r.Reason, r.Fault.Error)
	}
	text.Comment(printable.Line(ending))
	text.Word(p.result(r))
	text.WriteString("\n\n")
	_, err := io.WriteString(p.w, text.String())
	return err
}

func (p *PGN) result(r Record) string {
	o, _ := r.outcome()
	return p.style.FormatResult(o)
}

func (p *PGN) writeTags(text *record.PGNText, r Record) {
	text.Tag("Game", p.style.Game)
	for _, t := range p.style.Tags {
		text.Tag(t.Name, t.Value)
	}
	if format := p.style.Formats[""]; format != "" {
		text.Tag("Format", format)
	}
	text.Tag("Event", p.event)
	text.Tag("Site", "?")
	text.Tag("Date", strings.ReplaceAll(r.Date, "-", "."))
	text.Tag("Round", strconv.Itoa(r.Round))
	names := map[string]string{p.style.First: r.First, p.style.Second: r.Second}
	for _, player := range p.style.Players() {
		text.Tag(player, names[player])
	}
	text.Tag("Result", p.result(r))
	text.Tag("GameNumber", strconv.Itoa(r.Game))
	if r.Start != p.style.Start {
		text.Tag("SetUp", "1")
		text.Tag("FEN", r.Start)
	}
	text.Tag("Termination", termination(r))
	text.Tag("PlyCount", strconv.Itoa(len(r.Moves)))
}

// termination returns the value of the Termination tag. The words of the PGN standard come first, as
// in the files of other programs; for the faults that it has none for, and for games that players
// end, they are the record's.
func termination(r Record) string {
	switch {
	case r.Early:
		return "adjudication"
	case r.Fault == nil && r.Reason != resignation && r.Reason != agreement && r.Reason != claim:
		return "normal"
	}
	return record.FaultTermination(r.Reason)
}

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
		comment := strings.TrimSpace(fmt.Sprintf("%s %.2fs", m.Remark(m.Depth), float64(m.Seconds)))
		if m.Stopped > 0 {
			comment += fmt.Sprintf(", %.2fs not charged", float64(m.Stopped))
		}
		text.Comment(comment)
	}
}

// SaveTraces returns an Options.Trace that writes the last lines of a conversation, and of that with
// an engine behind it, to a file game-17-NAME.trace in dir, in the format of a
// [pluginclient.TraceLog]. It creates dir with the first file. warn receives failures.
func SaveTraces(dir string, warn func(string)) func(game int, player string, s pluginclient.Session) string {
	return func(game int, player string, s pluginclient.Session) string {
		pluginclient.Rename(s, player)
		var b strings.Builder
		for _, line := range pluginclient.Recent(s, math.MaxInt) {
			b.WriteString(line.String() + "\n")
		}
		path := filepath.Join(dir, fmt.Sprintf("game-%d-%s.trace", game, fileName(player)))
		err := os.MkdirAll(dir, 0o777)
		if err == nil {
			err = os.WriteFile(path, []byte(b.String()), 0o666)
		}
		if err != nil {
			warn(fmt.Sprintf("cannot save the trace of game %d: %v", game, err))
			return ""
		}
		return path
	}
}

// fileName replaces the characters that are unsafe in file names.
func fileName(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("-_.,=", r) {
			return r
		}
		return '_'
	}, name)
}
