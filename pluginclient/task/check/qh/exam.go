package qh

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"qhsh/engine"
	"qhsh/engine/xiangqi"
	"qhsh/pluginclient/task/check"
	"qhsh/pluginclient/task/check/boards"
)

// An exam is one run of a check.
type exam struct {
	*check.Case
	*pluginState
}

// Line returns that of the Talk without the blanks at its end: that there are any is a check of its
// own.
func (e *exam) Line(ctx context.Context, within time.Duration) (string, error) {
	line, err := e.Talk.Line(ctx, within)
	text := strings.TrimRight(line, " \t")
	if text != line && (isNumber(text) || moveFormat.MatchString(text)) {
		e.trailingBlanks = line
	}
	return text, err
}

// settleTime is how long a second answer to a command may take to come.
const settleTime = 60 * time.Millisecond

// firstAnswer returns the answer to LEVEL of a plugin that has just been started.
func (e *exam) firstAnswer() (string, error) {
	if err := e.Send("LEVEL"); err != nil {
		return "", err
	}
	answer, err := e.Line(e.Context, e.Deadlines.Start)
	if err != nil {
		return "", e.MissingReply("an answer to LEVEL", err)
	}
	return answer, nil
}

// dropExtraAnswers drops further answers of a plugin that gives more than one.
func (e *exam) dropExtraAnswers() error {
	if !e.extraAnswers {
		return nil
	}
	_, err := e.Pause(e.Context, settleTime)
	return err
}

func (e *exam) setLevel(id int) error {
	_, err := e.command(fmt.Sprintf("LEVEL %d", id))
	return err
}

// command sends a command that is answered with one line, and answers that line. A plugin that
// says nothing is asked for its level after a while: if it answers that, it has skipped
// the command.
func (e *exam) command(lines ...string) (string, error) {
	e.Drain()
	if err := e.Send(lines...); err != nil {
		return "", err
	}
	answer, err := e.Line(e.Context, pingAfter)
	if errors.Is(err, check.ErrSilent) && e.pings {
		answer, err = e.wasIgnored(lines[0])
	} else if errors.Is(err, check.ErrSilent) {
		answer, err = e.Line(e.Context, e.Deadlines.Reply-pingAfter)
	}
	if err != nil {
		return "", e.MissingReply("an answer to "+lines[0], err)
	}
	return answer, e.dropExtraAnswers()
}

// pingAfter is how long a plugin may think about a command that does not need thinking before
// it is asked whether it has skipped it.
const pingAfter = 800 * time.Millisecond

// wasIgnored reports whether a plugin answers LEVEL although it has not answered a command.
func (e *exam) wasIgnored(command string) (string, error) {
	if err := e.Ping("LEVEL"); err != nil {
		return "", err
	}
	answer, err := e.Line(e.Context, e.Deadlines.Reply-pingAfter)
	if err != nil || !isNumber(answer) {
		if err == nil {
			_, err = e.Line(e.Context, e.Deadlines.Reply) // that of the ping
		}
		return answer, err
	}
	return "", fmt.Errorf("no answer to %s, while LEVEL behind it was answered", command)
}

// sync asks for the level and answers the lines that came before the number.
func (e *exam) sync() (strays []string, err error) {
	if err := e.Ping("LEVEL"); err != nil {
		return nil, err
	}
	strays, _, err = check.ReadUntil(e, e.Deadlines.Reply, isNumber)
	if err != nil {
		return strays, fmt.Errorf("LEVEL: %w", err)
	}
	return strays, e.dropExtraAnswers()
}

// isLevel reports whether a line is an answer to LEVEL: any is one of a plugin that gives no number.
func (e *exam) isLevel(line string) bool { return isNumber(line) || !e.pings }

// checkSilence makes sure that no line comes: up to the answer to LEVEL, or for a while.
func (e *exam) checkSilence(after string) error {
	var strays []string
	var err error
	if e.pings && !e.extraAnswers {
		strays, err = e.sync()
	} else {
		strays, err = e.Pause(e.Context, 5*settleTime)
	}
	if err != nil {
		return err
	}
	if len(strays) > 0 {
		return check.Faultf("nothing after "+after, "%s", quoted(strays))
	}
	return nil
}

// wantOK wants OK.
func (e *exam) wantOK(lines ...string) error { return e.wantWord("OK", lines) }

// wantError wants ERROR.
func (e *exam) wantError(lines ...string) error { return e.wantWord("ERROR", lines) }

func (e *exam) wantWord(word string, lines []string) error {
	answer, err := e.command(lines...)
	if err != nil {
		return err
	}
	return isAnswer(word, answer, lines[0])
}

// answers returns a check that wants a word to a command.
func answers(word string, lines ...string) func(*exam) error {
	return func(e *exam) error { return e.wantWord(word, lines) }
}

// isAnswer returns a fault unless a line is the word, with text after it at will.
func isAnswer(word, answer, command string) error {
	if !hasWord(answer, word) {
		return check.Faultf(word+" to "+command, "%q", answer)
	}
	return nil
}

// hasWord reports whether the first word of a line is word, in any case: that it has to be in
// capitals is a check of its own.
func hasWord(line, word string) bool {
	return len(line) >= len(word) && strings.EqualFold(line[:len(word)], word) &&
		(len(line) == len(word) || !isLetter(line[len(word)]))
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9' || c == '_' }

func isNumber(line string) bool {
	_, err := strconv.Atoi(line)
	return err == nil
}

// setPosition sends FEN in the plugin's dialect and wants OK.
func (e *exam) setPosition(pos *xiangqi.Position) error {
	d := dialects[0]
	if e.dialect != nil {
		d = *e.dialect
	}
	return e.wantOK("FEN " + d.fen(pos))
}

var moveFormat = regexp.MustCompile(`^[A-I][0-9]-[A-I][0-9]$`)

// looseMove is what is taken for a move by checks that are not about its form.
var looseMove = regexp.MustCompile(`(?i)^[A-I][0-9]-?[A-I][0-9]\b`)

// checkAIMove has AI answer with a move that is legal in pos.
func (e *exam) checkAIMove(pos *xiangqi.Position) (engine.Move, error) {
	answer, err := e.singleAnswer("AI")
	if err != nil {
		return engine.NoMove, err
	}
	return parseLegal(pos, answer, "AI")
}

// singleAnswer sends AI or HINTS and answers the first line of what comes.
func (e *exam) singleAnswer(command string) (string, error) {
	line, err := e.firstLine(command)
	if err != nil {
		return "", err
	}
	return line, e.dropExtraAnswers()
}

// firstLine is thinks for an answer that may have more lines. A plugin that thinks for long is
// told to move, if it can be told that.
func (e *exam) firstLine(command string) (string, error) {
	e.Drain()
	if err := e.Send(command); err != nil {
		return "", err
	}
	line, err := e.waitMove(command)
	if err != nil {
		return "", e.MissingReply("an answer to "+command, err)
	}
	return line, nil
}

// parseLegal reads an answer that is a parseLegal move in pos.
func parseLegal(pos *xiangqi.Position, answer, command string) (engine.Move, error) {
	text := looseMove.FindString(answer)
	m, err := pos.Parse(text)
	if err != nil {
		return engine.NoMove, check.Faultf(fmt.Sprintf("%s from %s at %s", boards.LegalMoves(pos), command, pos.WireFEN()), "%q", answer)
	}
	return m, nil
}

// hints sends HINTS and answers its lines, the last one, ENDHINTS, apart.
func (e *exam) hints() ([]string, error) {
	line, err := e.firstLine("HINTS")
	if err != nil {
		return nil, err
	}
	lines, err := e.restOfHints(line)
	if err != nil {
		return nil, err
	}
	return lines, e.dropExtraAnswers()
}

// restOfHints reads a list whose first line has come.
func (e *exam) restOfHints(line string) ([]string, error) {
	var lines []string
	for !hasWord(line, "ENDHINTS") {
		if !looseMove.MatchString(line) || len(lines) > xiangqi.MaxMoves {
			return nil, check.Faultf("moves, one a line, and ENDHINTS", "%q", line)
		}
		lines = append(lines, line)
		var err error
		if line, err = e.Line(e.Context, e.Deadlines.Reply); err != nil {
			return nil, e.MissingReply("moves, one a line, and ENDHINTS", fmt.Errorf("%w after %s", err, quoted(lines)))
		}
	}
	if len(lines) == 0 {
		return nil, check.Faultf("one or more moves and ENDHINTS", "ENDHINTS alone")
	}
	return lines, nil
}

// legalHints returns the hints at pos, which have to be legal.
func (e *exam) legalHints(pos *xiangqi.Position) ([]engine.Move, error) {
	lines, err := e.hints()
	if err != nil {
		return nil, err
	}
	var moves []engine.Move
	for _, line := range lines {
		m, err := parseLegal(pos, line, "HINTS")
		if err != nil {
			return nil, err
		}
		moves = append(moves, m)
	}
	return moves, nil
}

func quoted(lines []string) string {
	const most = 5
	var texts []string
	for _, line := range lines[:min(len(lines), most)] {
		texts = append(texts, strconv.Quote(line))
	}
	if len(lines) > most {
		texts = append(texts, fmt.Sprintf("and %d more lines", len(lines)-most))
	}
	return strings.Join(texts, ", ")
}

// list returns a command with a count and a line a move.
func list(word string, moves ...string) []string {
	return slices.Concat([]string{fmt.Sprintf("%s %d", word, len(moves))}, moves)
}
