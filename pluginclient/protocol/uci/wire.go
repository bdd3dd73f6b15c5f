// Package uci implements both sides of the Universal Chess Interface for Xiangqi: Dial makes an
// engine such as Pikafish or Fairy-Stockfish a Searcher and a Session, and Serve makes any Searcher
// an engine. Package ucifamily holds what UCI has in common with UCCI.
//
//   - Ranks are numbered from 0 to 9. An engine that offers UCI_Variant is set to xiangqi and assumed to number
//     them from 1 to 10, as Fairy-Stockfish does. A rank 0 or 10 in its moves overrides that. The server parses
//     both and writes 0 to 9.
//   - The position is sent as the whole game from its start, so that the engine can detect repetitions.
//   - All limits are sent in one "go". Excluded moves are sent as searchmoves, which lists the other moves.
//     During pondering the time limit is not sent, since engines count movetime from the "go"; it is enforced
//     by "stop".
//   - If more lines are wanted than MultiPV allows, the client searches again with the moves so far excluded.
//   - The protocol cannot carry a line's Text or a level: the client's levels are numbers of nodes.
//
// The server's time management is ucifamily.Clock.
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

// readSetOption parses "name N... value V...". Without "name" the first word is the name.
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

// formatInfo formats lines with their parts in the order of Stockfish, which some hosts rely on.
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
				fmt.Fprintf(&b, " nps %d", int64(float64(line.Nodes)/spent.Seconds()))
			}
		}
		fmt.Fprintf(&b, " time %d pv%s", spent.Milliseconds(), ucifamily.FromZero.Join(line.Moves))
		texts = append(texts, b.String())
	}
	return texts
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
