// Package qhplugin implements both sides of QHPLUGIN V1.3, the plugin protocol of Qianhong Xiangqi: a
// [Server] makes any Xiangqi Searcher a plugin, and a [Client] makes any plugin a Searcher.
//
// For all Limits that the protocol can carry (Level, Time, Lines, Ban), a Client connected to a Server
// of s returns what s returns.
//
// server.go and serversearch.go are the server, wire.go and info.go the grammar of both sides, and the other
// files the client.
//
// Choices where the specification is silent:
//
//   - A hint is "H2-E2 score cp 35 depth 12 nodes 81234 pv H2-E2 H9-G7": the move, followed by
//     the tokens of UCI.
//   - "HINTS 5" asks for five hints. This extension is announced in a text line of the info block
//     (countedHints). A plugin without it is asked repeatedly with a growing BAN list.
//   - Text after OK and ERROR never looks like a move, since one host searches replies for moves
//     with a pattern. Moves in error texts are written as "h2 to e2".
package qhplugin

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"qhsh/engine"
	"qhsh/engine/lazyregexp"
	"qhsh/engine/xiangqi"
	"qhsh/pluginclient"
	"qhsh/pluginclient/serving"
)

// A Word is the first word of a command or of a reply.
type Word string

// The words of section 3 of the specification, including SCR, which it mentions as an extension of two
// plugins.
const (
	Level    Word = "LEVEL"
	FEN      Word = "FEN"
	Play     Word = "PLAY"
	Load     Word = "LOAD"
	AI       Word = "AI"
	Abort    Word = "ABORT"
	Quit     Word = "QUIT"
	Undo     Word = "UNDO"
	Hints    Word = "HINTS"
	Ban      Word = "BAN"
	BGThink  Word = "BGTHINK"
	Timeout  Word = "TIMEOUT"
	Scr      Word = "SCR"
	OK       Word = "OK"
	Error    Word = "ERROR"
	Aborted  Word = "ABORTED"
	Bye      Word = "BYE"
	EndHints Word = "ENDHINTS"
)

// The maximum number of lines after LOAD and BAN. A real host has sent "BAN 542220608".
const (
	maxLoad = 10000
	maxBan  = 256
)

// A Command is a line from a host.
type Command struct {
	Word Word   // upper case; may be a word unknown to the protocol
	Arg  string // the rest of the line, trimmed
}

// ParseCommand parses a line. ok is false if the line is blank.
func ParseCommand(line string) (cmd Command, ok bool) {
	word, arg, _ := strings.Cut(strings.TrimSpace(strings.ReplaceAll(line, "\t", " ")), " ")
	if word == "" {
		return Command{}, false
	}
	return Command{Word(strings.ToUpper(word)), strings.TrimSpace(arg)}, true
}

func (c Command) String() string {
	if c.Arg == "" {
		return string(c.Word)
	}
	return string(c.Word) + " " + c.Arg
}

// Count returns the number of lines that follow a LOAD or a BAN. It returns an error if the argument is
// not an allowed number.
func (c Command) Count() (int, error) {
	most := maxLoad
	if c.Word == Ban {
		most = maxBan
	}
	n, err := strconv.Atoi(c.Arg)
	if err != nil || n < 0 || n > most {
		return 0, fmt.Errorf("the count has to be a number from 0 to %d", most)
	}
	return n, nil
}

func isMove(line string) bool {
	_, err := xiangqi.ParseMove(strings.TrimSpace(line))
	return err == nil
}

// A reply is a classified line of a plugin.
type reply struct {
	word   Word   // OK, Error, Aborted, Bye, EndHints, or one of the following
	text   string // the text after the word
	number int
}

// Replies without a word of their own.
const (
	replyNumber Word = "a number"
	replyMove   Word = "a move" // text is the whole line
	replyOther  Word = "noise"
)

// ReplyWord returns the reply word that a line begins with, ignoring case, or "". The next character
// must not be a letter or digit.
func ReplyWord(line string) Word {
	for _, word := range [...]Word{OK, Error, Aborted, Bye, EndHints} {
		n := len(word)
		if len(line) >= n && strings.EqualFold(line[:n], string(word)) && (len(line) == n || !isWordByte(line[n])) {
			return word
		}
	}
	return ""
}

func isWordByte(c byte) bool {
	return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z'
}

// parseReply classifies a plugin's line by its form alone. A line that is no reply of the protocol is
// replyOther.
func parseReply(line string) reply {
	line = strings.TrimSpace(line)
	if word := ReplyWord(line); word != "" {
		return reply{word: word, text: strings.TrimLeft(line[len(word):], " -:\t")}
	}
	if n, err := strconv.Atoi(line); err == nil {
		return reply{word: replyNumber, number: n}
	}
	if first, _, _ := strings.Cut(line, " "); isMove(first) {
		return reply{word: replyMove, text: line}
	}
	return reply{word: replyOther, text: line}
}

// formatHint returns a hint in wire format: the move and its score, depth, nodes and PV, if known.
func formatHint(line engine.Line) string {
	var b strings.Builder
	b.WriteString(iccs(line.Move()))
	if line.Score.Known() {
		b.WriteString(" score " + line.Score.String())
	}
	if line.Depth > 0 {
		fmt.Fprintf(&b, " depth %d", line.Depth)
	}
	if line.Nodes > 0 {
		fmt.Fprintf(&b, " nodes %d", line.Nodes)
	}
	if len(line.Moves) > 1 || line.Score.Known() {
		b.WriteString(" pv")
		for _, m := range line.Moves {
			b.WriteString(" " + iccs(m))
		}
	}
	if text := strings.Join(strings.Fields(line.Text), " "); text != "" {
		b.WriteString(" " + text)
	}
	return b.String()
}

func iccs(m engine.Move) string { return xiangqi.Move(m).ICCS() }

// parseHint parses a hint in pos. If the text after the move has the format of formatHint, it is parsed
// too; otherwise it becomes the line's Text. An illegal move is an error that wraps
// pluginclient.ErrIllegal; the PV is cut before its first illegal move.
func parseHint(pos engine.Position, hint string) (engine.Line, error) {
	hint = strings.TrimSpace(hint)
	first, text, _ := strings.Cut(hint, " ")
	move, err := pos.Parse(first)
	if err != nil {
		return engine.Line{}, illegal(err)
	}
	line := engine.Line{Moves: []engine.Move{move}}
	if !parseHintInfo(pos, hint, &line) {
		return engine.Line{Moves: line.Moves[:1], Text: strings.TrimSpace(text)}, nil
	}
	return line, nil
}

// parseHintInfo parses the text after the move: score, depth, nodes and pv, each optional, in this
// order, and nothing else.
func parseHintInfo(pos engine.Position, hint string, line *engine.Line) bool {
	words := strings.Fields(hint)[1:]
	if len(words) >= 3 && words[0] == "score" {
		score, ok := parseHintScore(words[1], words[2])
		if !ok {
			return false
		}
		line.Score, words = score, words[3:]
	}
	// number removes a name and its number from the words, if they begin with the name.
	number := func(name string, digits int) (n int64, ok bool) {
		if len(words) == 0 || words[0] != name {
			return 0, true
		}
		if len(words) == 1 || !isNumber(words[1], digits) {
			return 0, false
		}
		n, err := strconv.ParseInt(words[1], 10, 64)
		words = words[2:]
		return n, err == nil
	}
	depth, ok := number("depth", 9)
	nodes, ok2 := number("nodes", 18)
	if !ok || !ok2 {
		return false
	}
	line.Depth, line.Nodes = int(depth), nodes
	if len(words) == 0 {
		return true
	}
	if words[0] != "pv" || len(words) == 1 {
		return false
	}
	var moves []engine.Move
	isLegal := true // so far
	for _, text := range words[1:] {
		m, err := xiangqi.ParseMove(text)
		if err != nil || m.ICCS() != text { // not as formatHint writes it
			return false
		}
		next, err := pos.Play(engine.Move(m))
		if isLegal = isLegal && err == nil; isLegal {
			pos, moves = next, append(moves, engine.Move(m))
		}
	}
	if len(moves) == 0 || moves[0] != line.Move() {
		return false
	}
	line.Moves = moves
	return true
}

func parseHintScore(kind, number string) (engine.Score, bool) {
	digits := strings.TrimPrefix(number, "-")
	if kind == "mate" && digits == number {
		digits = strings.TrimPrefix(number, "+")
	}
	if !isNumber(digits, 9) {
		return engine.Score{}, false
	}
	score, err := engine.ParseScore(kind + " " + number)
	return score, err == nil
}

func isNumber(text string, most int) bool {
	return text != "" && len(text) <= most && strings.Trim(text, "0123456789") == ""
}

var (
	quotedInput = lazyregexp.New(`\s*"(?:[^"\\]|\\.)*"|[A-Ia-i][0-9]-?[A-Ia-i][0-9]`)
	movedText   = lazyregexp.New(`([A-Ia-i][0-9])-?([A-Ia-i][0-9])`)
)

// A searchError is an error of a search. Text that it quotes comes from the engine, not from the host,
// so errorText keeps it.
type searchError struct{ error }

func (e searchError) Unwrap() error { return e.error }

// errorText returns an error's text to follow ERROR: one line, without the last lines of a failed
// engine, without moves and text quoted from the input, and without anything of the form of a move.
// Moves in the error of a search become "h2 to e2", in which no host finds a move.
func errorText(err error) string {
	text := pluginclient.Brief(err)
	if !errors.As(err, new(searchError)) {
		text = quotedInput().ReplaceAllString(text, " ")
	}
	for movedText().MatchString(text) { // repeated for three points in a row
		text = movedText().ReplaceAllString(text, "$1 to $2")
	}
	text = serving.OneLine(text)
	return strings.ReplaceAll(strings.TrimLeft(text, ":- "), " :", ":")
}
