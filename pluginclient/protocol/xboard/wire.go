// Package xboard is the Chess Engine Communication Protocol, version 2, as XBoard and WinBoard
// speak it, for their variant xiangqi, both ends: Dial makes a Searcher and a Session of an
// engine such as Fairy-Stockfish, and Serve makes an engine of any Searcher. The text of the
// protocol is engine-intf.html of XBoard; "section" below is one of it.
//
// The protocol is unlike UCI in that the engine plays a game: it has a board that moves are
// made on and taken back, a colour, a clock, and it makes its own moves. The client takes that
// back as far as it can. It is a ucifamily.Client: whose turn it is to talk, waits, limits
// that are not obeyed, lines, restarts are the same as for UCI, and what is particular is here.
//
//   - wire.go, feature.go: the words of both ends.
//   - protocol.go (what the engine was told), board.go (the board that it has), think.go (a
//     question, and what comes of it), hand.go (lines that a person sends): the client.
//   - server.go (the conversation), commands.go, game.go (moves and results), task.go
//     (thinking, pondering, analysis), clock.go: the server, built on package serving.
//
// Readings, of the client:
//
//   - Ranks are numbered from 0 to 9, as section 8 has it for boards with ten ranks; Options
//     say otherwise, or the engine's own moves do. FENs have the letters rheakcp, as XBoard
//     sends them, or those of the engine's "setup" answer, or what Options say.
//   - The engine is in force mode except while it thinks. From one question to the next its
//     board is brought along by undo and moves; where the game is another one, or the engine's
//     board is not known for sure, by setboard, or by edit where it has no setboard.
//   - Time is told by st, in whole seconds, rounded up, and "?" comes when it is really up;
//     a depth by sd. Nodes can be told where the engine offers nps, and are else held by "?".
//     A depth limit is lifted by one of 99, since not every engine lifts it at "new".
//   - Moves are left out by exclude where the engine offers it. Where it does not, but has an
//     option MultiPV as XBoard itself uses it, so many more lines are asked for; without
//     either, a question with a ban is refused, and there is one line.
//   - A search is ended by "?". Then comes force, and a ping whose answer is waited for; an
//     engine without ping is listened to for a moment.
//   - After two seconds without features an engine is pinged, and what it says to that ends the
//     wait: it may have loaded for longer, or speak version 1 (section 9). For one that says nothing
//     at all the client waits as long as a start may take. Features that come later are taken
//     over when they come, and a warning says so; a search that could have had more lines is
//     asked again.
//   - Thinking output is read in all its forms, those of GNU Chess too. Of an expected line the
//     moves in coordinates are kept, up to the first word that is none: SAN is dropped.
//   - A claim that the game is over, or a resignation, in place of a move is an error that
//     wraps pluginclient.ErrRefused. "offer draw" is kept as the line's Text.
//
// Of the server:
//
//   - It offers memory and smp where the Searcher has options Hash and Threads, the other
//     options as they are, MultiPV, and Level where there are levels. "go" without any limit
//     is at the level, by default engine.DefaultLevel.
//   - The result is told when there is no legal move, and when the judge of repetitions says
//     that the game is over, unless the host has said that the opponent is a computer: XBoard
//     then is the referee, by rules of its own, and counts a claim that it does not share as
//     a loss. A draw is offered to it instead.
//   - nps counts nodes in place of time: "st 2" and "nps 500" are a limit of 1,000 nodes.
//   - It takes a draw that is offered when its own score is negative.
//   - The wire does not carry a line's Text, a level, or that a score is unknown, but at depth 0,
//     where it is.
package xboard

import (
	"strconv"
	"strings"
	"time"
	"unicode"

	"qhsh/engine"
	"qhsh/pluginclient/protocol/ucifamily"
)

// mateScore is the score of a mate now; n moves before it, it is that and n (section 10).
const mateScore = 100_000

// formatScore writes a score; 0 for one that is unknown.
func formatScore(s engine.Score) string {
	n, ok := s.Centipawns()
	if ok {
		return strconv.Itoa(max(-mateScore+1, min(mateScore-1, n)))
	}
	n, ok = s.Mate()
	switch {
	case !ok:
		return "0"
	case n > 0 || n == 0 && s == engine.MateIn(0).Neg():
		return strconv.Itoa(mateScore + n)
	}
	return strconv.Itoa(-mateScore + n)
}

// parseScore reads a score. mate is that of a mate now in engines that count down from it by
// plies; 0: there is none.
func parseScore(n, mate int) engine.Score {
	switch {
	case n == mateScore:
		return engine.MateIn(0).Neg()
	case n > mateScore:
		return engine.MateIn(n - mateScore)
	case n <= -mateScore:
		return engine.MateIn(n + mateScore)
	}
	return ucifamily.ParsePlainScore(n, mate)
}

// formatThought writes a line of thinking output: ply, score, time in hundredths of a second,
// nodes, and the moves (section 10).
func formatThought(line engine.Line, spent time.Duration) string {
	numbers := []string{
		strconv.Itoa(line.Depth), formatScore(line.Score),
		strconv.FormatInt(spent.Milliseconds()/10, 10), strconv.FormatInt(line.Nodes, 10),
	}
	return strings.Join(numbers, " ") + ucifamily.FromZero.Join(line.Moves)
}

// maxTold bounds the numbers of thinking output.
const maxTold = 1 << 30

// parseThought reads a line of thinking output. Another line is none.
func parseThought(line string, mate int) (r ucifamily.InfoLine, ok bool) {
	words := strings.Fields(line)
	if len(words) < 4 {
		return r, false
	}
	depth, odd, ok := ply(words[0])
	if !ok {
		return r, false
	}
	var numbers [3]int64
	for i := range numbers {
		n, err := strconv.ParseInt(words[i+1], 10, 64)
		if err != nil {
			return r, false
		}
		numbers[i] = n
	}
	unit := 10 * time.Millisecond
	if odd {
		unit = time.Second
	}
	r.Depth = depth
	if depth > 0 { // at depth 0 nothing was searched
		r.Score = parseScore(int(max(-maxTold, min(maxTold, numbers[0]))), mate)
	}
	r.Time = time.Duration(max(0, min(maxTold, numbers[1]))) * unit
	r.Nodes = max(0, numbers[2])
	readPV(&r, expected(line, words[4:]))
	return r, true
}

// ply reads a depth. GNU Chess has one more character behind it, and then times in seconds.
func ply(word string) (depth int, odd, ok bool) {
	digits := strings.TrimRightFunc(word, func(r rune) bool { return !unicode.IsDigit(r) })
	if digits == "" || len(word) > len(digits)+1 {
		return 0, false, false
	}
	n, err := strconv.Atoi(digits)
	return n, digits != word, err == nil && 0 <= n && n <= maxTold
}

// expected are the words of the expected line. Behind the nodes there can be more numbers, and
// then a tab.
func expected(line string, rest []string) []string {
	before, after, ok := strings.Cut(line, "\t")
	for ok && onlyNumbers(before) {
		if next, last, more := strings.Cut(after, "\t"); more && onlyNumbers(next) {
			before, after = next, last
			continue
		}
		return strings.Fields(after)
	}
	return rest
}

func onlyNumbers(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool {
		return !unicode.IsDigit(r) && !unicode.IsSpace(r) && !strings.ContainsRune("+-.&", r)
	})
}

// readPV takes in the moves of an expected line, up to the first word that is none, and what
// its last character says of the score.
func readPV(r *ucifamily.InfoLine, words []string) {
	if len(words) == 0 {
		return
	}
	if strings.HasPrefix(words[0], "(") { // of a book, or of nothing
		r.UnreadablePV = true
		return
	}
	last := words[len(words)-1]
	switch {
	case strings.HasSuffix(last, "?"):
		r.Bound = "upperbound"
	case strings.HasSuffix(last, "!"):
		r.Bound = "lowerbound"
	}
	if words[len(words)-1] = strings.TrimRight(last, "?!"); words[len(words)-1] == "" {
		words = words[:len(words)-1]
	}
	for _, word := range words {
		if isNumbering(word) {
			continue
		}
		if !ucifamily.IsMove(word) {
			break
		}
		r.PV = append(r.PV, word)
	}
	r.UnreadablePV = len(r.PV) == 0 && len(words) > 0
}

// isNumbering reports whether a word counts moves, such as "12." or "...".
func isNumbering(word string) bool {
	return strings.Trim(word, "0123456789.") == "" && strings.Contains(word, ".")
}

// claims are the ways to say that the game is over; that of a PGN result comes first, and the
// rest is "for compatibility" (section 13).
var claims = []string{
	"1-0", "0-1", "1/2-1/2", "White", "Black", "Draw", "computer mates", "opponent mates",
	"computer resigns", "game is a draw", "checkmate",
}

// parseBest reads the lines that end a search: a move, or that there is none because the game
// is over or given up. Another line is none.
func parseBest(line string) (b ucifamily.BestMove, ok bool) {
	line = strings.TrimSpace(line)
	words := strings.Fields(line)
	switch {
	case len(words) == 2 && words[0] == "move":
		return ucifamily.BestMove{Move: words[1]}, true
	case len(words) == 3 && words[1] == "..." && isCount(words[0]):
		return ucifamily.BestMove{Move: words[2]}, true
	case line == "resign":
		return ucifamily.BestMove{Resign: true}, true
	}
	for _, claim := range claims {
		if line == claim || strings.HasPrefix(line, claim+" ") {
			return ucifamily.BestMove{Claim: line, Resign: strings.Contains(line, "resign")}, true
		}
	}
	return ucifamily.BestMove{}, false
}

func isCount(word string) bool {
	_, err := strconv.Atoi(strings.TrimSuffix(word, "."))
	return err == nil
}

// cutWord is the first word of a line and what follows it.
func cutWord(line string) (word, rest string) {
	word, rest, _ = strings.Cut(strings.TrimSpace(strings.ReplaceAll(line, "\t", " ")), " ")
	return word, strings.TrimSpace(rest)
}

// excerpt is as much of a text as a message should hold.
func excerpt(text string) string {
	const most = 60
	text = strings.TrimSpace(strings.Map(printable, text))
	if len(text) > most {
		return strings.ToValidUTF8(text[:most], "") + "..."
	}
	return text
}

func printable(r rune) rune {
	if unicode.IsPrint(r) {
		return r
	}
	return ' '
}
