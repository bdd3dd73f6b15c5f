// Package ucci is the Universal Chinese Chess Protocol, version 3.0, both ends: Dial makes a
// Searcher and a Session of an engine such as ElephantEye, and Serve makes an engine of any
// Searcher. What UCCI has in common with UCI is in package ucifamily; here is what is
// particular to it.
//
//   - The position is sent as section 5.8 of the specification wants it: the one after the
//     last capture, and the moves since. ElephantEye takes 1,024 moves and 8,191 bytes a
//     line, and separates words by exactly one blank; no more than 1,000 moves are sent.
//   - Moves that are not to be considered are sent as banmoves, behind the position that
//     they belong to.
//   - "go" carries a single limit. The depth is told if there is one, else the nodes, else
//     the time; "stop" holds the others, the nodes by what the engine tells of them.
//   - Times are milliseconds where the engine offers usemillisec, which is then set, and
//     whole seconds otherwise; then "stop" comes when the time is really up.
//   - A score is a plain number, in a unit of the engine's own, and is passed on as centipawns.
//     The specification wants a horse or a cannon to be 100, Western engines a pawn. For a
//     mate there are no words: within 100 of 10,000, the mate of ElephantEye and its kin, it
//     is 10,000 less one for each ply. Options.Mate says otherwise.
//     At depth 0 it is a weight of ElephantEye's opening book: no score, and the Text is "book".
//   - "nobestmove" in a position that has moves is an error: ElephantEye says so where it
//     holds the game to be drawn. "bestmove ... resign" and "draw" are kept as the line's
//     Text.
//   - A line has no place in a list. Lines beyond the first are asked for by searching again
//     with the moves told banned, unless the engine offers multipv, as the server here does
//     beyond the specification.
//   - The wire does not carry a line's Text, nor a level, nor centipawns beyond 9,799, nor
//     mates beyond 50 moves.
package ucci

import (
	"fmt"
	"strings"
	"time"

	"qhsh/engine"
	"qhsh/pluginclient/protocol/ucifamily"
)

// formatOption has the name as the specification wants it: one word of small letters.
func formatOption(o ucifamily.Option) string {
	name := strings.ToLower(strings.Join(strings.Fields(o.Name), ""))
	return "option " + name + " " + o.Format()
}

func setOption(name, value string) string {
	return strings.TrimRight("setoption "+name+" "+value, " ")
}

// readSetOption reads "NAME VALUE...".
func readSetOption(fields []string) (name, value string) {
	if len(fields) == 0 {
		return "", ""
	}
	return fields[0], strings.Join(fields[1:], " ")
}

// formatInfo are lines as ElephantEye has them and hosts read them: time and nodes in one, what was
// found in those that follow. The place in the list is only told where
// the host has asked for one.
func formatInfo(lines []engine.Line, spent time.Duration, want int) []string {
	texts := make([]string, 0, 2*len(lines))
	counted := ""
	for i, line := range lines {
		count := fmt.Sprintf("info time %d", spent.Milliseconds())
		if line.Nodes > 0 {
			count += fmt.Sprintf(" nodes %d", line.Nodes)
		}
		if count != counted {
			texts = append(texts, count)
		}
		counted = count
		var b strings.Builder
		b.WriteString("info")
		if line.Depth > 0 {
			fmt.Fprintf(&b, " depth %d", line.Depth)
		}
		if want > 1 {
			fmt.Fprintf(&b, " multipv %d", i+1)
		}
		if line.Score.Known() {
			b.WriteString(" score " + ucifamily.FormatPlainScore(line.Score, ucifamily.DefaultMate))
		}
		b.WriteString(" pv" + ucifamily.FromZero.Join(line.Moves))
		texts = append(texts, b.String())
	}
	return texts
}

func formatBestMove(best *engine.Line, drawn bool) string {
	if best == nil {
		return "nobestmove"
	}
	text := "bestmove " + ucifamily.FromZero.Format(best.Move())
	if len(best.Moves) > 1 {
		text += " ponder " + ucifamily.FromZero.Format(best.Moves[1])
	}
	if drawn {
		text += " draw"
	}
	return text
}
