package qhcheck

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"qhsh/engine"
	"qhsh/engine/lazyregexp"
	"qhsh/engine/xiangqi"
	"qhsh/pluginclient/protocol/qhplugin"
	"qhsh/pluginclient/task/check"
	"qhsh/pluginclient/task/check/boards"
)

var start = xiangqi.Start()

// An exam is one run of a check.
type exam struct {
	*check.Case
	*pluginState
}

// Line removes trailing blanks; a separate check reports them, and another words in small letters.
func (e *exam) Line(ctx context.Context, within time.Duration) (string, error) {
	line, err := e.Talk.Line(ctx, within)
	text := strings.TrimRight(line, " \t")
	if text != line && (isNumber(text) || moveFormat().MatchString(text)) {
		e.trailingBlanks = line
	}
	if e.smallWord == "" && qhplugin.NotCapitals(line) {
		e.smallWord = line
	}
	return text, err
}

// settleTime is how long to wait for a second answer.
const settleTime = 60 * time.Millisecond

// lineOf waits for the next line; without one, what was expected is missing.
func (e *exam) lineOf(expected string, within time.Duration) (string, error) {
	line, err := e.Line(e.Context, within)
	if err != nil {
		return "", e.MissingReply(expected, err)
	}
	return line, nil
}

// firstAnswer returns the answer to LEVEL of a new process.
func (e *exam) firstAnswer() (string, error) {
	if err := e.Send("LEVEL"); err != nil {
		return "", err
	}
	return e.lineOf("an answer to LEVEL", e.Deadlines.Start)
}

// dropExtraAnswers drops further answers of a plugin known to send more than one.
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

// command sends a command with a one-line answer and returns it. If the plugin is silent it gets
// LEVEL after a while: an answer to that means that the command was ignored.
func (e *exam) command(lines ...string) (string, error) {
	e.Drain()
	if err := e.Send(lines...); err != nil {
		return "", err
	}
	answer, err := e.Line(e.Context, pingAfter)
	switch {
	case !errors.Is(err, check.ErrSilent):
	case !e.pings:
		answer, err = e.Line(e.Context, e.Deadlines.Reply-pingAfter)
	default:
		if err := e.Ping("LEVEL"); err != nil {
			return "", e.MissingReply("an answer to "+lines[0], err)
		}
		answer, err = e.Line(e.Context, e.Deadlines.Reply-pingAfter)
		if err == nil && isNumber(answer) {
			err = fmt.Errorf("no answer to %s, while LEVEL behind it was answered", lines[0])
		} else if err == nil {
			_, err = e.Line(e.Context, e.Deadlines.Reply) // that of the ping
		}
	}
	if err != nil {
		return "", e.MissingReply("an answer to "+lines[0], err)
	}
	if !e.pings || lines[0] == "LEVEL" || !qhplugin.Unasked(answer) {
		return answer, e.dropExtraAnswers()
	}
	rest, err := e.sync() // OK or ERROR may come behind a line that is no response
	if err != nil {
		return answer, err
	}
	if i := slices.IndexFunc(rest, func(line string) bool { return hasWord(line, "OK") || hasWord(line, "ERROR") }); i >= 0 {
		e.dropUnasked([]string{answer})
		return rest[i], nil
	}
	return answer, nil
}

// dropUnasked returns the lines that are responses. It keeps the first other one for plugin.unasked.
func (e *exam) dropUnasked(lines []string) []string {
	return slices.DeleteFunc(lines, func(line string) bool {
		if !qhplugin.Unasked(line) {
			return false
		}
		e.unasked = cmp.Or(e.unasked, line)
		return true
	})
}

// pingAfter is how long to wait for the answer to a command that needs no thinking before LEVEL is
// sent.
const pingAfter = 800 * time.Millisecond

// sync sends LEVEL and returns the lines before its answer.
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

// linesAfter returns what a plugin says after a whole answer, up to its answer to LEVEL. If it says
// anything, further answers are dropped from then on.
func (e *exam) linesAfter() ([]string, error) {
	if !e.pings {
		return nil, e.dropExtraAnswers()
	}
	strays, err := e.sync()
	strays = e.dropUnasked(strays)
	e.extraAnswers = e.extraAnswers || len(strays) > 0
	return strays, err
}

// isLevel reports whether a line is an answer to LEVEL: any line, if the plugin is not known to
// answer with a number.
func (e *exam) isLevel(line string) bool { return isNumber(line) || !e.pings }

// hasWord reports whether the first word of a response is word, ignoring case: another check reports
// lower case.
func hasWord(line string, word qhplugin.Word) bool { return qhplugin.ReplyWord(line) == word }

func isNumber(line string) bool {
	_, err := strconv.Atoi(line)
	return err == nil
}

var moveFormat = lazyregexp.New(`^[A-I][0-9]-[A-I][0-9]$`)

// looseMove matches moves in checks that are not about their format.
var looseMove = lazyregexp.New(`(?i)^(?:\S+\s+)?([A-I][0-9]-?[A-I][0-9])\b`)

// moveIn returns the move of an answer, or "".
func moveIn(answer string) string {
	found := looseMove().FindStringSubmatch(answer)
	if found == nil {
		return ""
	}
	return found[1]
}

// checkAIMove checks that AI answers with a legal move at pos. A plugin that breaks the rules cannot be
// followed; ai.positions reports it.
func (e *exam) checkAIMove(pos *xiangqi.Position) (engine.Move, error) {
	answer, err := e.singleAnswer("AI")
	if err != nil {
		return engine.NoMove, err
	}
	if e.breaksRules && isAgainstRules(pos, answer) {
		return engine.NoMove, check.DependsOn("ai.positions")
	}
	return parseLegal(pos, answer, "AI")
}

// isAgainstRules reports whether an answer is an illegal move of a piece of the side to move.
func isAgainstRules(pos *xiangqi.Position, answer string) bool {
	m, err := xiangqi.ParseMove(moveIn(answer))
	if err != nil || pos.At(m.From()) == xiangqi.Empty || pos.At(m.From()).Side() != pos.Side() {
		return false
	}
	_, err = pos.PlayMove(m)
	what := qhplugin.ExplainMove(pos, m.ICCS())
	return err != nil && (what == "" || what == qhplugin.KingInCheck)
}

// singleAnswer sends AI or HINTS and returns the first line of the answer.
func (e *exam) singleAnswer(command string) (string, error) {
	line, err := e.firstLine(command)
	if err == nil {
		err = e.dropExtraAnswers()
	}
	return line, err
}

// firstLine is singleAnswer for an answer that may have more lines.
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

// parseLegal returns the move of an answer, or a fault if it is illegal at pos.
func parseLegal(pos *xiangqi.Position, answer, command string) (engine.Move, error) {
	text := moveIn(answer)
	m, err := pos.Parse(text)
	if err == nil {
		return m, nil
	}
	got := strconv.Quote(answer)
	if what := qhplugin.ExplainMove(pos, text); what != "" {
		got += ", which " + what
	} else if bad, ok := errors.AsType[*xiangqi.MoveError](err); ok {
		got += ": " + bad.Reason
	}
	return engine.NoMove, check.Faultf(fmt.Sprintf("%s from %s at %s", boards.LegalMoves(pos), command, pos.WireFEN()), "%s", got)
}

// hints sends HINTS and returns the lines before ENDHINTS.
func (e *exam) hints() ([]string, error) {
	line, err := e.firstLine("HINTS")
	if err != nil {
		return nil, err
	}
	lines, err := e.restOfHints(line)
	if err == nil {
		err = e.dropExtraAnswers()
	}
	return lines, err
}

// restOfHints reads a list of hints after its first line.
func (e *exam) restOfHints(line string) ([]string, error) {
	var lines []string
	for !hasWord(line, "ENDHINTS") {
		if moveIn(line) == "" || len(lines) > xiangqi.MaxMoves {
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

// legalHints returns the hints at pos, or a fault if one is illegal.
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
