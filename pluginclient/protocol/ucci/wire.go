// Package ucci implements both sides of the Universal Chinese Chess Protocol, version 3.0: Dial
// makes an engine such as ElephantEye a Searcher and a Session, and Serve makes any Searcher an
// engine. Package ucifamily holds what UCCI has in common with UCI.
//
//   - The position is sent as section 5.8 of the specification requires: the position after the last capture,
//     and the moves since then. ElephantEye accepts 1,024 moves and 8,191 bytes per line, and expects single
//     spaces between words; at most 1,000 moves are sent.
//   - Excluded moves are sent as banmoves, after the position.
//   - "go" carries a single limit: the depth if there is one, otherwise the nodes, otherwise the time. The other
//     limits are enforced by "stop", nodes by the number that the engine reports.
//   - Times are milliseconds if the engine offers usemillisec, which is then set, and whole seconds otherwise;
//     "stop" then enforces the exact time.
//   - A score is a plain number in a unit of the engine's own, and is taken as centipawns. According to the
//     specification a horse or a cannon is 100; in Western engines a pawn is. There are no mate scores: a score
//     within 100 of 10,000, the mate score of ElephantEye and its derivatives, is a mate, less one for each ply.
//     Options.Mate sets another mate score. At depth 0 the score is a weight of ElephantEye's opening book: it
//     is dropped, and the Text is "book".
//   - "nobestmove" in a position with legal moves is an error: ElephantEye sends it if it considers the game
//     drawn. "resign" and "draw" after "bestmove" become the line's Offer and Text.
//   - A line has no number. If several lines are wanted, the client searches again with the moves so far banned,
//     unless the engine offers multipv, as this server does beyond the specification.
//   - The protocol cannot carry a line's Text, a level, more than 9,799 centipawns, or mates in more than 50
//     moves.
package ucci

import (
	"fmt"
	"strings"
	"time"

	"qhsh/engine"
	"qhsh/pluginclient/protocol/ucifamily"
)

// formatOption formats an option with the name as the specification requires: one word in lower
// case.
func formatOption(o ucifamily.Option) string {
	name := strings.ToLower(strings.Join(strings.Fields(o.Name), ""))
	return "option " + name + " " + o.Format()
}

func setOption(name, value string) string {
	return strings.TrimRight("setoption "+name+" "+value, " ")
}

// readSetOption parses "NAME VALUE...".
func readSetOption(fields []string) (name, value string) {
	if len(fields) == 0 {
		return "", ""
	}
	return fields[0], strings.Join(fields[1:], " ")
}

// formatInfo formats lines as ElephantEye does and hosts expect: time and nodes in one info line,
// then a line for each PV. multipv is included only if the host has asked for several lines.
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
	switch {
	case best.Offer != engine.NoOffer:
		text += " " + best.Offer.String()
	case drawn:
		text += " draw"
	}
	return text
}
