package uci

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"qhsh/engine"
	"qhsh/pluginclient"
)

// UCCI is the Universal Chinese Chess Protocol, version 3.0, as ElephantEye speaks it.
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
//
// The server accepts a draw offer if its own score is negative. "probe" is answered as if the hash table were
// empty. It also offers multipv, and level if the Searcher has levels.
var UCCI = &Dialect{
	Name: "UCCI", Greeting: "ucci",
	mustAnswerPing: false, // section 7: not required
	plainScores:    true,
	oneWordNames:   true,
	sinceCapture:   true,
	offers:         true,
	required:       Setting{useMillisec, "true"},
	remarkWord:     "message",
	noMove:         "nobestmove",
	idleStop:       "nobestmove", // section 3, note 6
	bye:            "bye",
	holdsInfinite:  false, // section 5.10: a mate ends it, too
	limits:         []string{"ponder", "draw", "infinite", "depth", "nodes", "time", "increment", "movestogo"},
	goCommand:      ucciGo,
	options:        ucciOptions,
	ignored:        func(string) bool { return true }, // section 5.7: a host need not check the offered options
	optionNames:    map[string]string{"Hash": "hashsize", "OwnBook": "usebook", "Book File": "bookfiles"},
	commands: map[string]func(*serverConn, []string) error{
		"banmoves": func(c *serverConn, args []string) error {
			if c.pos != nil {
				c.ban = readMoves(c.pos, args, c.ranks)
			}
			return nil
		},
		"probe": func(c *serverConn, _ []string) error { c.WriteLines("pophash"); return nil },
	},
	formatInfo: formatUCCIInfo,
	references: ucciReferences,
}

const useMillisec = "usemillisec"

func ucciGo(q SearchRequest) GoCommand {
	cmd := GoCommand{Line: "go "}
	if len(q.Ban) > 0 {
		cmd.Setup = []string{"banmoves" + q.Ranks.Join(q.Ban)}
	}
	if q.Ponder {
		cmd.Line += "ponder "
	}
	switch {
	case q.Depth > 0:
		cmd.Line += "depth " + strconv.Itoa(q.Depth)
	case q.Nodes > 0:
		cmd.Line, cmd.SentNodes = cmd.Line+"nodes "+strconv.FormatInt(q.Nodes, 10), true
	case q.Time > 0: // as the remaining time for one move
		n := max(q.Time.Milliseconds(), 1)
		if _, cmd.SentTime = q.Options.Find(useMillisec); !cmd.SentTime {
			n = (n + 999) / 1000
		}
		cmd.Line += "time " + strconv.FormatInt(n, 10) + " movestogo 1"
	default:
		cmd.Line += "infinite"
	}
	return cmd
}

func ucciOptions(c *serverConn) []Setter {
	var ponder bool
	return []Setter{
		CheckSetter(useMillisec, true, &c.seconds),
		CheckSetter("batch", false, &c.batch),
		CheckSetter("ponder", false, &ponder),
		MultiPVSetter("multipv", &c.multiPV),
		{Option{Name: "newgame", Kind: Button}, func(string) error {
			engine.Forget(c.config.Searcher)
			return nil
		}},
	}
}

// formatUCCIInfo formats lines as ElephantEye does and hosts expect: time and nodes in one info line,
// then a line for each PV. multipv is included only if the host has asked for several lines.
func formatUCCIInfo(lines []engine.Line, spent time.Duration, want int, r Ranks) []string {
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
			b.WriteString(" score " + FormatPlainScore(line.Score, DefaultMate))
		}
		b.WriteString(" pv" + r.Join(line.Moves))
		texts = append(texts, b.String())
	}
	return texts
}

var ucciReferences = []pluginclient.CommandSpec{
	{
		Word: "ucci", Section: "5.1", Summary: "begin; the engine says its name and options",
		Replies: "id, option and then ucciok", Example: "> ucci\n< id name ...\n< ...\n< ucciok\n",
	},
	{
		Word: "isready", Section: "5.5", Summary: "wait until the engine is ready; answered during a search too",
		Replies: "readyok", Example: "> isready\n< readyok\n",
	},
	silent("5.7", "setoption", "NAME [VALUE]", "set an option", "setoption multipv 3"),
	silent("5.8", "position", "startpos|fen FEN [moves MOVE...]", "set the position of the next search", "position startpos moves h2e2 h9g7"),
	{
		Word: "banmoves", Usage: "MOVE...", Section: "5.9", Summary: "forbid moves in the next search",
		Example: oneMove + "> banmoves d0d1\n> go depth 1\n< nobestmove\n",
	},
	{
		Word: "go", Usage: "[ponder | draw] [infinite | depth N | nodes N | time N [movestogo N | increment N]]", Section: "5.10",
		Summary: "search", Replies: "info lines, then bestmove or nobestmove",
		Example: oneMove + "> go depth 1\n< info ...\n< ...\n< bestmove d0d1 ...\n",
	},
	{
		Word: "ponderhit", Usage: "[draw]", Section: "5", Summary: "say that the expected move was played: go ponder becomes an ordinary search",
		Replies: "none of its own: go replies", Example: oneMove + "> go ponder time 100\n> ponderhit\n< ...\n< bestmove d0d1 ...\n",
	},
	{
		Word: "stop", Section: "5", Summary: "end the search with the best move so far",
		Replies: "none of its own: go replies; nobestmove if there is no search", Example: "> position startpos\n> go infinite\n> stop\n< ...\n< bestmove ...\n",
	},
	{
		Word: "probe", Usage: "startpos|fen FEN [moves MOVE...]", Section: "5", Summary: "ask what the hash table has of a position",
		Replies: "pophash, with what there is", Example: "> probe startpos\n< pophash\n",
	},
	{Word: "quit", Section: "5", Summary: "end the engine", Replies: "bye", Example: "> quit\n< bye\n"},
}
