// Package uci is the Universal Chess Interface as Xiangqi engines speak it, both ends: Dial
// makes a Searcher and a Session of an engine such as Pikafish or Fairy-Stockfish, and Serve
// makes an engine of any Searcher. What UCI has in common with UCCI is in package ucifamily;
// here is what is particular to it.
//
//   - Ranks are numbered from 0 to 9. An engine that offers UCI_Variant is set to xiangqi and
//     taken to number them from 1 to 10, as Fairy-Stockfish does. Whatever its offers say, a
//     rank 0 or 10 in its moves is believed. The server reads both and writes 0 to 9.
//   - The position is sent as the whole game from its start, so that the engine judges
//     repetitions as it sees fit.
//   - All limits go into one "go". Moves that are not to be considered are sent as searchmoves,
//     which names the others. While the engine thinks on its opponent's time it is not told
//     the limit on time, since engines count a movetime from the "go"; "stop" holds it.
//   - Lines beyond MultiPV are asked for by searching again without the moves told.
//   - The wire does not carry a line's Text, nor a level: the client's levels are node budgets.
//
// The server's time manager is ucifamily.Clock.
package uci

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"qhsh/engine"
	"qhsh/pluginclient/protocol/ucifamily"
)

func formatOption(o ucifamily.Option) string { return "option name " + o.Name + " " + o.Format() }

func setOption(name, value string) string {
	if value == "" {
		return "setoption name " + name
	}
	return "setoption name " + name + " value " + value
}

// readSetOption reads "name N... value V..."; without "name" the first word is the name.
func readSetOption(fields []string) (name, value string) {
	if len(fields) > 0 && fields[0] == "name" {
		fields = fields[1:]
	}
	at := slices.Index(fields, "value")
	if at < 0 {
		return strings.Join(fields, " "), ""
	}
	return strings.Join(fields[:at], " "), strings.Join(fields[at+1:], " ")
}

// formatInfo are lines in the order in which Stockfish has their parts, which some hosts rely on.
func formatInfo(lines []engine.Line, spent time.Duration, _ int) []string {
	texts := make([]string, 0, len(lines))
	for i, line := range lines {
		var b strings.Builder
		b.WriteString("info")
		if line.Depth > 0 {
			fmt.Fprintf(&b, " depth %d", line.Depth)
		}
		fmt.Fprintf(&b, " multipv %d", i+1)
		if line.Score.Known() {
			b.WriteString(" score " + line.Score.String())
		}
		if line.Nodes > 0 {
			fmt.Fprintf(&b, " nodes %d", line.Nodes)
			if spent >= time.Millisecond {
				fmt.Fprintf(&b, " nps %d", perSecond(line.Nodes, spent))
			}
		}
		fmt.Fprintf(&b, " time %d pv%s", spent.Milliseconds(), ucifamily.FromZero.Join(line.Moves))
		texts = append(texts, b.String())
	}
	return texts
}

func perSecond(nodes int64, spent time.Duration) int64 {
	return int64(float64(nodes) / spent.Seconds())
}

func formatBestMove(best *engine.Line, _ bool) string {
	if best == nil {
		return "bestmove (none)"
	}
	text := "bestmove " + ucifamily.FromZero.Format(best.Move())
	if len(best.Moves) > 1 {
		text += " ponder " + ucifamily.FromZero.Format(best.Moves[1])
	}
	return text
}
