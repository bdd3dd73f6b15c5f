// Package xboard implements both sides of the Chess Engine Communication Protocol, version 2, as
// XBoard and WinBoard use it for their variant xiangqi: [Dial] makes an engine such as
// Fairy-Stockfish a Searcher and a Session, and [Serve] makes any Searcher an engine. The protocol is
// documented in engine-intf.html of XBoard; section numbers refer to it.
//
// Unlike in UCI, the engine plays a game: it has a board on which moves are made and taken back, a
// colour and a clock, and it plays its own moves. The client undoes these moves. It is a
// uci.Client: turns, deadlines, enforced limits, lines and restarts work as for UCI.
//
// The client:
//
//   - Ranks are numbered from 0 to 9, as section 8 says for boards with ten ranks, unless Options
//     or the engine's own moves use another numbering. FENs use the letters rheakcp, as XBoard
//     does, or those of the engine's "setup" line, or those of Options.
//   - The engine is in force mode except during a search. Between searches its board is updated by
//     undo and moves. For another game, or if the engine's board is unknown, the client uses
//     setboard, or edit if the engine has no setboard.
//   - A time limit is sent by st in whole seconds, rounded up, and enforced by "?"; a depth by sd.
//     Nodes are sent if the engine offers nps, and otherwise enforced by "?". A depth limit is
//     cleared by sd 99, since not every engine clears it at "new".
//   - Moves are excluded by exclude if the engine offers it. Otherwise, if it has an option MultiPV
//     as XBoard uses it, the client asks for that many additional lines. Without either, a search
//     with a ban is an error, and a search has one line.
//   - A search is ended by "?", followed by force and a ping. If the engine has no ping, the client
//     waits briefly for further lines.
//   - If an engine has sent no features after two seconds, the client pings it. Its reply ends the
//     wait: it may have been loading, or use version 1 (section 9). If the engine sends nothing, the
//     client waits until Deadlines.Start. Features that come later are applied with a warning, and a
//     search that could have had more lines is repeated.
//   - Thinking output is parsed in all its variants, including that of GNU Chess. A PV is read up to
//     the first word that is not a move in coordinates: SAN is dropped.
//   - With MultiPV, a list of lines may come from its first to its last, or from its last to its first.
//   - A claim that the game is over instead of a move is an error that wraps pluginclient.ErrRefused. Where
//     the engine says that it resigns, and not its opponent, it is pluginclient.ErrResigned, or, if the
//     search is not for a move to play, the Offer of the lines so far. "offer draw" before a move becomes
//     the line's Offer and Text.
//
// The server:
//
//   - It offers memory and smp if the Searcher has options Hash and Threads, its other options
//     unchanged, MultiPV, and Level if there are levels. "go" without limits uses the level, by
//     default engine.DefaultLevel.
//   - It reports the result when there is no legal move, or when the game is over by repetition. If
//     the host has said that the opponent is a computer, it does not report a repetition: XBoard is
//     then the referee, with its own rules, and counts a claim that it disagrees with as a loss. The
//     server offers a draw instead.
//   - nps counts nodes instead of time: "st 2" and "nps 500" are a limit of 1,000 nodes.
//   - It accepts a draw offer if its own score is negative.
//   - The protocol cannot carry a line's Text, a level, or an unknown score at a depth other than 0.
package xboard

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"qhsh/engine"
	"qhsh/engine/lazyregexp"
	"qhsh/pluginclient/protocol/uci"
)

// mateScore is the score of a mate on the board. n moves before the mate, it is mateScore+n
// (section 10).
const mateScore = 100_000

// formatScore formats a score; an unknown score is 0.
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

// parseScore parses a score. mate is the mate score of engines that subtract 1 for each ply; 0 disables
// numeric mate scores.
func parseScore(n, mate int) engine.Score {
	switch {
	case n == mateScore:
		return engine.MateIn(0).Neg()
	case n > mateScore:
		return engine.MateIn(n - mateScore)
	case n <= -mateScore:
		return engine.MateIn(n + mateScore)
	}
	return uci.ParsePlainScore(n, mate)
}

// formatThought formats a line of thinking output: ply, score, time in hundredths of a second, nodes
// and moves (section 10).
func formatThought(line engine.Line, spent time.Duration) string {
	text := fmt.Sprintf("%d %s %d %d", line.Depth, formatScore(line.Score), spent.Milliseconds()/10, line.Nodes)
	pv := uci.FromZero.Join(line.Moves)
	if line.SelDepth == 0 {
		return text + pv
	}
	speed := float64(line.Nodes) / max(spent.Seconds(), 0.001)
	return fmt.Sprintf("%s %d %.0f %d\t%s", text, line.SelDepth, speed, line.TBHits, strings.TrimSpace(pv))
}

// maxNumber is the maximum of the numbers in thinking output.
const maxNumber = 1 << 30

// parseThought parses a line of thinking output. ok is false for any other line.
func parseThought(line string, mate int) (r uci.InfoLine, ok bool) {
	words := strings.Fields(line)
	if len(words) < 4 {
		return r, false
	}
	if r.Depth, ok = parseDepth(words[0]); !ok {
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
	if r.Depth > 0 { // at depth 0 nothing was searched
		r.Score = parseScore(int(max(-maxNumber, min(maxNumber, numbers[0]))), mate)
	}
	r.Nodes = max(0, numbers[2])
	more, pv := splitThought(line, words[4:])
	// The last number is of tables of endings, the first of the others the depth, the second the speed.
	if n := len(more); n > 0 {
		r.TBHits, _ = strconv.ParseInt(more[n-1], 10, 64)
		if n > 1 {
			r.SelDepth, _ = strconv.Atoi(more[0])
		}
		r.TBHits, r.SelDepth = max(0, r.TBHits), max(0, min(maxNumber, r.SelDepth))
	}
	readPV(&r, pv)
	return r, true
}

// number matches what may be meant as a number.
var number = lazyregexp.New(`^[+-]?[0-9][0-9.,]*$`)

// isBadThought reports whether a line that parseThought cannot parse is meant as thinking output.
func isBadThought(line string) bool {
	words := strings.Fields(line)
	if len(words) < 2 || !number().MatchString(words[1]) {
		return false
	}
	_, ok := parseDepth(words[0])
	return ok
}

// parseDepth parses a depth. GNU Chess appends one character.
func parseDepth(word string) (depth int, ok bool) {
	digits := strings.TrimRightFunc(word, func(r rune) bool { return !unicode.IsDigit(r) })
	if digits == "" || len(word) > len(digits)+1 {
		return 0, false
	}
	n, err := strconv.Atoi(digits)
	return n, err == nil && 0 <= n && n <= maxNumber
}

// splitThought splits the rest of a line of thinking output, the words behind the nodes, into the numbers
// before a tab, if there are any, and the words of the PV.
func splitThought(line string, rest []string) (numbers, pv []string) {
	before, after, ok := strings.Cut(line, "\t")
	for ok && onlyNumbers(before) {
		if next, last, more := strings.Cut(after, "\t"); more && onlyNumbers(next) {
			before, after = before+" "+next, last
			continue
		}
		pv = strings.Fields(after)
		return rest[:max(0, len(rest)-len(pv))], pv
	}
	return nil, rest
}

func onlyNumbers(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool {
		return !unicode.IsDigit(r) && !unicode.IsSpace(r) && !strings.ContainsRune("+-.&", r)
	})
}

// readPV stores the moves of a PV up to the first word that is not a move, and the bound that the
// last character indicates.
func readPV(r *uci.InfoLine, words []string) {
	if len(words) == 0 {
		return
	}
	if strings.HasPrefix(words[0], "(") { // a book move, or no PV
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
		if strings.Trim(word, "0123456789.") == "" && strings.Contains(word, ".") {
			continue
		}
		if !uci.IsMove(word) {
			break
		}
		r.PV = append(r.PV, word)
	}
	r.UnreadablePV = len(r.PV) == 0 && len(words) > 0
}

// resultTexts are the ways to claim the end of the game: a PGN result, and others "for
// compatibility" (section 13).
var resultTexts = []string{
	"1-0", "0-1", "1/2-1/2", "White", "Black", "Draw", "computer mates", "opponent mates",
	"computer resigns", "game is a draw", "checkmate", "resign",
}

// parseBest parses a line that ends a search: a move, or a result. ok is false for any other line.
func parseBest(line string) (b uci.BestMove, ok bool) {
	line = strings.TrimSpace(line)
	words := strings.Fields(line)
	switch {
	case len(words) == 2 && words[0] == "move":
		return uci.BestMove{Move: words[1]}, true
	case len(words) == 3 && words[1] == "...":
		if _, err := strconv.Atoi(strings.TrimSuffix(words[0], ".")); err == nil { // it counts the moves
			return uci.BestMove{Move: words[2]}, true
		}
	}
	for _, claim := range resultTexts {
		if line == claim || strings.HasPrefix(line, claim+" ") {
			return uci.BestMove{Claim: line}, true
		}
	}
	return uci.BestMove{}, false
}

// illegalMove returns the move that an "Illegal move" line names, or the line if it names none. It
// returns "" for any other line.
func illegalMove(line string) string {
	const illegal = "illegal move"
	line = strings.TrimSpace(line)
	if len(line) < len(illegal) || !strings.EqualFold(line[:len(illegal)], illegal) {
		return ""
	}
	_, move, _ := strings.Cut(line, ":")
	return cmp.Or(strings.TrimSpace(move), line)
}

func excerpt(text string) string {
	const most = 60
	text = strings.TrimSpace(strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return ' '
	}, text))
	if len(text) > most {
		return strings.ToValidUTF8(text[:most], "") + "..."
	}
	return text
}

// A feature is NAME=VALUE of a "feature" command.
type feature struct{ name, value string }

// parseFeatures parses the arguments of "feature". Strings are in double quotes; an unclosed quote
// extends to the end of the line.
func parseFeatures(text string) []feature {
	var features []feature
	for {
		text = strings.TrimLeft(text, " \t")
		name, rest, ok := strings.Cut(text, "=")
		if !ok {
			return features
		}
		// Words without "=" before a name are ignored.
		if words := strings.Fields(name); len(words) > 0 {
			name = words[len(words)-1]
		}
		var value string
		if quoted, isText := strings.CutPrefix(rest, `"`); isText {
			value, text, _ = strings.Cut(quoted, `"`)
		} else {
			value, text, _ = strings.Cut(rest, " ")
		}
		features = append(features, feature{name, value})
	}
}

// flags are the features that are on or off.
var flags = []string{
	"ping", "setboard", "playother", "san", "usermove", "time", "draw", "sigint", "sigterm", "reuse", "analyze",
	"colors", "ics", "name", "pause", "nps", "debug", "memory", "smp", "exclude", "setscore", "highlight", "done",
}

// accepts reports whether the client accepts a feature. It rejects SAN moves.
func (f feature) accepts() bool {
	known := slices.Contains(flags, f.name) || slices.Contains([]string{"myname", "variants", "egt", "option"}, f.name)
	return known && (f.name != "san" || !f.on())
}

func (f feature) on() bool { return f.value != "0" && f.value != "" }

// optionKinds maps the kinds of section 9. A slider, a file and a path only look different; save
// and reset are buttons.
var optionKinds = map[string]uci.Kind{
	"check": uci.Check, "spin": uci.Spin, "slider": uci.Spin, "combo": uci.Combo,
	"string": uci.String, "file": uci.String, "path": uci.String,
	"button": uci.Button, "save": uci.Button, "reset": uci.Button,
}

// separator separates the choices of a combo. The current one has an asterisk.
const separator = "///"

// parseOption parses an option feature: NAME -KIND VALUE...
func parseOption(text string) (o uci.Option, ok bool) {
	words := strings.Fields(text)
	at := slices.IndexFunc(words, func(word string) bool {
		return len(word) > 1 && word[0] == '-' && optionKinds[word[1:]] != ""
	})
	if at < 1 {
		return o, false
	}
	o = uci.Option{Name: strings.Join(words[:at], " "), Kind: optionKinds[words[at][1:]]}
	rest := words[at+1:]
	switch o.Kind {
	case uci.Check:
		o.Default = strconv.FormatBool(len(rest) > 0 && rest[0] != "0")
	case uci.Spin:
		if len(rest) < 3 {
			return o, false
		}
		value, err := strconv.ParseInt(rest[0], 10, 64)
		least, err1 := strconv.ParseInt(rest[1], 10, 64)
		most, err2 := strconv.ParseInt(rest[2], 10, 64)
		if errors.Join(err, err1, err2) != nil {
			return o, false
		}
		o.Default, o.Min, o.Max = strconv.FormatInt(value, 10), least, most
	case uci.Combo:
		for choice := range strings.SplitSeq(strings.Join(rest, " "), separator) {
			choice, chosen := strings.CutPrefix(strings.TrimSpace(choice), "*")
			if chosen {
				o.Default = choice
			}
			o.Vars = append(o.Vars, choice)
		}
		o.Default = cmp.Or(o.Default, o.Vars[0])
	case uci.String:
		o.Default = strings.Join(rest, " ")
	}
	return o, true
}

func formatOption(o uci.Option) string {
	kind, value := o.Kind, o.Default
	switch o.Kind {
	case uci.Check:
		value = "0"
		if o.Default == "true" {
			value = "1"
		}
	case uci.Spin:
		value = fmt.Sprintf("%s %d %d", o.Default, o.Min, o.Max)
	case uci.Combo:
		choices := slices.Clone(o.Vars)
		for i, v := range choices {
			if v == o.Default {
				choices[i] = "*" + v
			}
		}
		value = strings.Join(choices, " "+separator+" ")
	case uci.Button, uci.Label:
		kind, value = uci.Button, ""
	}
	return strings.TrimRight(fmt.Sprintf("%s -%s %s", o.Name, kind, value), " ")
}
