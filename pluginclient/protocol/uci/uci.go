package uci

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"qhsh/engine"
	"qhsh/pluginclient"
)

// UCI is the Universal Chess Interface for Xiangqi, as Pikafish and Fairy-Stockfish speak it.
//
//   - Ranks are numbered from 0 to 9. An engine that offers UCI_Variant is set to xiangqi and, if it has other
//     variants, too, assumed to number them from 1 to 10, as Fairy-Stockfish does. A rank 0 or 10 in its moves
//     overrides that. The server numbers from 0 to 9 until the moves of a position are only legal with 1 to 10,
//     and then as its host does: UCI_Variant does not tell, UCI2WB sets it and numbers from 0.
//   - The position is sent as the whole game from its start, so that the engine can detect repetitions.
//   - All limits are sent in one "go". Excluded moves are sent as searchmoves, which lists the other moves.
//     During pondering the time limit is not sent, since engines count movetime from the "go"; it is enforced
//     by "stop".
//   - If more lines are wanted than MultiPV allows, the client searches again with the moves so far excluded.
//   - The protocol cannot carry a line's Text or a level: the client's levels are numbers of nodes.
//
// The server's time management is Clock. It also supports "go perft N", "d", "eval", "bench" and "flip", and "fen",
// which UCI2WB sends in place of "position fen". After ten million nodes it says which move of the root is
// searched, and scores that are only bounds.
var UCI = &Dialect{
	Name: "UCI", Greeting: "uci",
	mustAnswerPing: true,
	required:       Setting{Variant, "xiangqi"},
	newGameCommand: "ucinewgame",
	remarkWord:     "string",
	noMove:         "bestmove (none)",
	holdsInfinite:  true,
	limits:         []string{"ponder", "infinite", "depth", "nodes", "movetime", "mate", "perft", "movestogo", "searchmoves", "wtime", "btime", "winc", "binc"},
	goCommand:      uciGo,
	options: func(c *serverConn) []Setter {
		var ponder, analyse bool
		return slices.Concat([]Setter{
			{Option: Option{Name: Variant, Kind: Combo, Default: "xiangqi", Vars: []string{"xiangqi"}}},
			MultiPVSetter("MultiPV", &c.multiPV),
			CheckSetter("Ponder", false, &ponder),
			{Option{Name: "Clear Hash", Kind: Button}, func(string) error { engine.Forget(c.config.Searcher); return nil }},
			NumberSetter("Move Overhead", 0, 5000, &c.overhead),
			CheckSetter("UCI_ShowWDL", false, &c.showWDL),
			CheckSetter("UCI_AnalyseMode", false, &analyse),
			{Option: Option{Name: "UCI_Opponent", Kind: String}},
		}, c.eloSetters())
	},
	ignored:    func(option string) bool { return strings.HasPrefix(option, "UCI_") },
	commands:   uciCommands,
	formatInfo: formatUCIInfo, formatProgress: formatProgress,
	references: uciReferences,
}

func uciGo(q SearchRequest) GoCommand {
	cmd := GoCommand{Line: "go", SentNodes: true, SentTime: !q.Ponder}
	if q.Ponder {
		cmd.Line += " ponder"
	}
	if q.Depth > 0 {
		cmd.Line += " depth " + strconv.Itoa(q.Depth)
	}
	if q.Nodes > 0 {
		cmd.Line += " nodes " + strconv.FormatInt(q.Nodes, 10)
	}
	if q.Time > 0 && cmd.SentTime {
		cmd.Line += " movetime " + strconv.FormatInt(max(q.Time.Milliseconds(), 1), 10)
	}
	if cmd.Line == "go" {
		cmd.Line += " infinite"
	}
	if len(q.Ban) > 0 {
		cmd.Line += " searchmoves" + q.Ranks.Join(engine.Without(q.Pos.Moves(), q.Ban))
	}
	return cmd
}

// formatUCIInfo formats lines with their parts in the order of Stockfish, which some hosts rely on.
func formatUCIInfo(lines []engine.Line, spent time.Duration, _ int, r Ranks) []string {
	texts := make([]string, 0, len(lines))
	for i, line := range lines {
		var b strings.Builder
		b.WriteString("info")
		if line.Depth > 0 {
			fmt.Fprintf(&b, " depth %d", line.Depth)
		}
		number := func(name string, n int64) {
			if n > 0 {
				fmt.Fprintf(&b, " %s %d", name, n)
			}
		}
		number("seldepth", int64(line.SelDepth))
		fmt.Fprintf(&b, " multipv %d", i+1)
		if line.Score.Known() {
			b.WriteString(" score " + line.Score.String())
			if line.Text == "lowerbound" || line.Text == "upperbound" { // of the score
				b.WriteString(" " + line.Text)
			}
			if line.WDL.Known() {
				b.WriteString(" wdl " + line.WDL.String())
			}
		}
		number("nodes", line.Nodes)
		if spent >= time.Millisecond {
			number("nps", int64(float64(line.Nodes)/spent.Seconds()))
		}
		number("hashfull", int64(line.HashFull))
		number("tbhits", line.TBHits)
		fmt.Fprintf(&b, " time %d pv%s", spent.Milliseconds(), r.Join(line.Moves))
		texts = append(texts, b.String())
	}
	return texts
}

func formatProgress(p engine.Progress, spent time.Duration, r Ranks) string {
	if p.Number == 0 {
		return formatUCIInfo([]engine.Line{p.Bound}, spent, 1, r)[0]
	}
	return fmt.Sprintf("info depth %d currmove %s currmovenumber %d", p.Depth, r.Format(p.Move), p.Number)
}

// Sections of the protocol's document, which have no numbers.
const (
	toEngine = `"GUI to engine"`
	beyond   = "none: Stockfish has it"
)

const oneMove = "> position fen 5k3/9/9/9/4r4/9/9/9/9/3K5 w - - 0 1\n" // Red has one legal move

// silent returns a command that has no reply, with the line of its example.
func silent(section, word, usage, summary, line string) pluginclient.CommandSpec {
	return pluginclient.CommandSpec{Word: word, Usage: usage, Section: section, Summary: summary, Example: "> " + line + "\n> isready\n< readyok\n"}
}

var uciReferences = []pluginclient.CommandSpec{
	{
		Word: "uci", Section: toEngine, Summary: "begin; the engine says its name and options",
		Replies: "id, option and then uciok", Example: "> uci\n< id name ...\n< ...\n< uciok\n",
	},
	silent(toEngine, "debug", "on|off", "say more in info string lines, or not", "debug on"),
	{
		Word: "isready", Section: toEngine, Summary: "wait until the engine is ready; answered during a search too",
		Replies: "readyok", Example: "> isready\n< readyok\n",
	},
	silent(toEngine, "setoption", "name NAME [value VALUE]", "set an option that the engine has announced", "setoption name MultiPV value 3"),
	silent(toEngine, "register", "later | name NAME code CODE", "register the engine", "register later"),
	silent(toEngine, "ucinewgame", "", "say that the next search is of another game", "ucinewgame"),
	silent(toEngine, "position", "startpos|fen FEN [moves MOVE...]", "set the position of the next search", "position startpos moves h2e2 h9g7"),
	{
		Word: "go", Usage: "[infinite] [ponder] [depth N] [nodes N] [movetime MS] [wtime MS] [btime MS] ...", Section: toEngine,
		Summary: "search; the next command need not wait for the answer", Replies: "info lines, then bestmove",
		Example: oneMove + "> go depth 1\n< info ...\n< bestmove d0d1 ...\n",
	},
	{
		Word: "stop", Section: toEngine, Summary: "end the search with the best move so far",
		Replies: "none of its own: go replies", Example: oneMove + "> go infinite\n> stop\n< ...\n< bestmove d0d1 ...\n",
	},
	{
		Word: "ponderhit", Section: toEngine, Summary: "say that the expected move was played: go ponder becomes an ordinary search",
		Replies: "none of its own: go replies", Example: oneMove + "> go ponder depth 1\n> ponderhit\n< ...\n< bestmove d0d1 ...\n",
	},
	{Word: "fen", Usage: "FEN [moves MOVE...]", Section: "none: UCI2WB has it", Summary: "position fen, in the dialect of Cyclone", Example: "> fen 5k3/9/9/9/4r4/9/9/9/9/3K5 r\n> go depth 1\n< info ...\n< ...\n< bestmove d0d1 ...\n"},
	{Word: "eval", Section: beyond, Summary: "evaluate the position without a search", Replies: "Final evaluation, in hundredths for Red", Example: "> position startpos\n> eval\n< Final evaluation ...\n"},
	{Word: "bench", Usage: "[DEPTH]", Section: beyond, Summary: "search sample positions to a depth", Replies: "the nodes, and the nodes a second", Example: "> bench 1\n< ...\n< Nodes/second    : ...\n"},
	{Word: "flip", Section: beyond, Summary: "exchange the colours", Example: oneMove + "> flip\n> isready\n< readyok\n"},
	{Word: "d", Section: beyond, Summary: "draw the board", Replies: "a drawing and the FEN", Example: "> d\n< ...\n< Fen: ...\n"},
	{Word: "quit", Section: toEngine, Summary: "end the engine", Example: "> quit\n"},
}
