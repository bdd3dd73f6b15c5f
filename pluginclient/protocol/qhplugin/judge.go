package qhplugin

import (
	"cmp"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"

	"qhsh/engine"
	"qhsh/engine/lazyregexp"
	"qhsh/engine/xiangqi"
	"qhsh/pluginclient"
)

// A judge checks what a plugin sends, and reports every violation of a rule. It does not change
// what the client does.
type judge struct {
	link *pluginclient.Link
	at   string // the position of the search

	doubtful func(bool)  // called if the boards may differ
	inDoubt  func() bool // reports whether they may
}

// tell reports a violation.
func (j *judge) tell(found pluginclient.Judgement) {
	found.At = j.at
	j.link.Judge(found)
	if found.Boards {
		j.doubtful(true)
	}
}

// fault reports a violation of a rule.
func (j *judge) fault(rule, format string, args ...any) {
	j.tell(pluginclient.Judgement{Rule: rules.Named(rule), Severity: pluginclient.Fault, What: fmt.Sprintf(format, args...)})
}

// warn reports what may mislead a host.
func (j *judge) warn(rule, format string, args ...any) {
	j.tell(pluginclient.Judgement{Rule: rules.Named(rule), Severity: pluginclient.Warning, What: fmt.Sprintf(format, args...)})
}

// doubt reports a violation after which the plugin's board may differ.
func (j *judge) doubt(rule, format string, args ...any) {
	j.tell(pluginclient.Judgement{Rule: rules.Named(rule), Severity: pluginclient.Fault, What: fmt.Sprintf(format, args...), Boards: true})
}

// onBoards is like doubt, for answers that are wrong on the conversation's board. If the boards may
// differ already, the answer may be right on the plugin's, and the severity is Warning.
func (j *judge) onBoards(rule, format string, args ...any) {
	found := pluginclient.Judgement{Rule: rules.Named(rule), Severity: pluginclient.Fault, What: fmt.Sprintf(format, args...), Boards: true}
	if j.inDoubt() {
		found.Severity = pluginclient.Warning
		found.What += ", and the boards may differ"
	}
	j.tell(found)
}

// parting judges how a plugin has ended after QUIT. Ending late is a fault only after fairTime, since
// the machine may be slow.
func (j *judge) parting(p pluginclient.Parting, limit time.Duration) {
	bye := false
	for _, line := range p.Lines {
		r := parseReply(line)
		switch {
		case r.word == Bye:
			bye = true
			j.form(Command{Word: Quit}, line, r)
		case r.word != Aborted:
			j.stray(Command{Word: Quit}, line, r)
		}
	}
	var exit *exec.ExitError
	switch {
	case !p.Ended && limit >= fairTime:
		j.fault("quit.ends", "it still runs %v after QUIT, and is killed", limit)
	case !p.Ended:
		j.warn("quit.ends", "it still runs %v after QUIT, and is killed", limit)
	case !bye:
		j.fault("quit.bye", "no BYE to QUIT")
	}
	switch {
	case errors.As(p.Err, &exit):
		j.warn("quit.status", "after QUIT it ends with %v", exit)
	}
}

// fairTime is enough on any machine for what a plugin must do at once.
const fairTime = 5 * time.Second

// ofOrder maps commands that are answered with OK or ERROR to the rules of their answers.
var ofOrder = map[Word]string{
	Level: "level.set", FEN: "fen.board", Play: "play.legal", Load: "load.plays",
	Undo: "undo.all", Ban: "ban.list",
}

// ruleOf returns the rule of a command's answer.
func ruleOf(cmd Command) string {
	switch {
	case cmd.Word == AI:
		return "ai.form"
	case cmd.Word == Hints:
		return "hints.list"
	case cmd.Word == Quit:
		return "quit.bye"
	case cmd.Word == Abort:
		return "abort.only"
	case cmd.Word == Timeout:
		return "timeout.only"
	case cmd.Word == Level && cmd.Arg == "":
		return "level.current"
	case cmd.Word == BGThink && strings.EqualFold(cmd.Arg, "OFF"):
		return "bgthink.off"
	case cmd.Word == BGThink:
		return "bgthink.on"
	}
	return cmp.Or(ofOrder[cmd.Word], "plugin.answers")
}

// form judges the form of a reply of a known kind.
func (j *judge) form(cmd Command, line string, r reply) {
	switch r.word {
	case replyMove:
		text, _, _ := strings.Cut(line, " ")
		if !isExactMove(text) || cmd.Word == AI && text != strings.TrimSpace(line) {
			j.fault(ruleOf(cmd), "the answer to %s is not of the form A0-A1: %q", cmd.Word, excerpt(line))
		}
	default:
		if NotCapitals(line) && j.link.First("plugin.capitals"+string(r.word)) {
			j.fault("plugin.capitals", "the answer to %s is %q", cmd.Word, excerpt(line))
		}
	}
}

// NotCapitals reports whether a line begins with a response word that is not in capitals.
func NotCapitals(line string) bool {
	line = strings.TrimSpace(line)
	word, ok := replyWord(line)
	return ok && !strings.HasPrefix(line, string(word))
}

// isExactMove reports whether text is a move of the form A0-A1. It is called for every hint, so it
// does not use a regular expression.
func isExactMove(text string) bool {
	point := func(i int) bool {
		return 'A' <= text[i] && text[i] <= 'I' && '0' <= text[i+1] && text[i+1] <= '9'
	}
	return len(text) == 5 && text[2] == '-' && point(0) && point(3)
}

// spoiled matches a line with a move after one other word, such as "bestmove B2-B9" and "OK B2-B9".
var spoiled = lazyregexp.New(`(?i)^\S+\s+[A-I][0-9]-?[A-I][0-9]\b`)

// isSpoiled reports whether a line is an invalid answer to AI or HINTS, so that no other will
// follow. Output of an engine that the plugin wraps is not.
func isSpoiled(line string) bool {
	word, _, _ := strings.Cut(line, " ")
	return !slices.Contains([]string{"info", "pv"}, strings.ToLower(word)) && spoiled().MatchString(line)
}

// spoiledLevel matches a number, or a word of the protocol, that was meant as the answer to LEVEL, or
// what an engine of another protocol says to it.
var spoiledLevel = lazyregexp.New(`(?i)^(?:\W*(?:level\W+)?[0-9]+\W*|(?:OK|ERROR)\b.*|.*\b(?:unknown|unrecognized|invalid|illegal) (?:command|word)\b.*)$`)

// notAnswer returns the error for a line that came instead of an answer.
func notAnswer(cmd Command, line string) error {
	return fmt.Errorf("%w: not an answer to %s: %q", pluginclient.ErrInvalidReply, cmd.Word, excerpt(line))
}

// Unasked reports whether a line has nothing of a response, not even a move behind a word.
func Unasked(line string) bool {
	r := parseReply(line)
	return r.word == replyOther && r.text != "" && !isSpoiled(line)
}

// stray judges a line that is not the awaited answer to a command.
func (j *judge) stray(cmd Command, line string, r reply) {
	switch {
	case r.word == replyOther && r.text == "":
		if j.link.First("blank") {
			j.warn("plugin.unasked", "a blank line before the answer to %s", cmd.Word)
		}
	case Unasked(line) && (cmd.Word != Level || !spoiledLevel().MatchString(line)):
		if j.link.First("noise") {
			j.warn("plugin.unasked", "before the answer to %s: %q", cmd.Word, excerpt(line))
		}
	default:
		j.notReply(cmd, line)
	}
}

// changesBoard reports whether the plugin's board is unknown after an invalid answer to a command.
func changesBoard(cmd Command) bool {
	return slices.Contains([]Word{AI, Play, Load, Undo, FEN}, cmd.Word)
}

// notReply judges a line that is an invalid answer to a command.
func (j *judge) notReply(cmd Command, line string) {
	complain := j.fault
	if changesBoard(cmd) && parseReply(line).word != OK {
		complain = j.doubt
	}
	complain(ruleOf(cmd), "not an answer to %s: %q", cmd.Word, excerpt(line))
}

// unanswered reports that a command was not answered although the ping after it was.
func (j *judge) unanswered(cmd Command) {
	complain := j.fault
	if changesBoard(cmd) {
		complain = j.doubt
	}
	complain("plugin.answers", "no answer to %s, though LEVEL behind it is answered", excerpt(cmd.String()))
}

// chatter judges the lines before the answer to a command.
func (j *judge) chatter(cmd Command, lines []string) {
	if len(lines) > 0 && j.link.First("noise") {
		j.warn("plugin.unasked", "before the answer to %s: %q", cmd.Word, excerpt(lines[0]))
	}
}

// early judges a line before the first answer.
func (j *judge) early(line string) {
	if strings.TrimSpace(line) == "" {
		j.warn("plugin.unasked", "a blank line before the first answer")
		return
	}
	j.fault("plugin.silent", "before the first command: %q", excerpt(line))
}

// again judges a second answer to a ping. It is reported once.
func (j *judge) again(cmd Command, line string) {
	if j.link.First("again") {
		j.further(cmd, []string{line})
	}
}

// further judges more answers to a command that has been answered.
func (j *judge) further(cmd Command, lines []string) {
	more := ""
	if len(lines) > 1 {
		more = fmt.Sprintf(" and more lines, %d in all", len(lines))
	}
	j.fault("plugin.single", "another answer to %s: %q%s", cmd.Word, excerpt(lines[0]), more)
}

// unasked judges a line after the answer to a command that is no answer.
func (j *judge) unasked(cmd Command, line string) {
	r := parseReply(line)
	switch {
	case r.word == replyOther && r.text == "":
		if j.link.First("blank") {
			j.warn("plugin.unasked", "a blank line after the answer to %s", cmd.Word)
		}
	case r.word == Aborted:
		j.fault("abort.only", "after the answer to %s: %q", cmd.Word, excerpt(line))
	case j.link.First("noise"):
		j.warn("plugin.unasked", "after the answer to %s: %q", cmd.Word, excerpt(line))
	}
}

// level judges the number that LEVEL answers. told is the level that the plugin has accepted, or 0.
func (j *judge) level(number, told int, levels []engine.Level) {
	key := fmt.Sprintf("level %d %d", number, told)
	switch {
	case told != 0 && number != told:
		if j.link.First(key) {
			j.fault("level.keeps", "LEVEL answers %d after OK to LEVEL %d", number, told)
		}
	case told == 0 && len(levels) > 0 && !hasLevel(levels, number):
		if j.link.First(key) {
			j.fault("level.current", "LEVEL answers %d, and the info block lists %s", number, listLevels(levels))
		}
	}
}

func hasLevel(levels []engine.Level, id int) bool {
	return slices.ContainsFunc(levels, func(l engine.Level) bool { return l.ID == id })
}

func listLevels(levels []engine.Level) string {
	const most = 12
	var ids []string
	for _, l := range levels[:min(len(levels), most)] {
		ids = append(ids, strconv.Itoa(l.ID))
	}
	if len(levels) > most {
		ids = append(ids, "...")
	}
	return strings.Join(ids, " ")
}

// refusal judges an ERROR. legal reports whether the command was valid, as far as the client knows.
func (j *judge) refusal(cmd Command, legal bool) {
	if !legal {
		return
	}
	switch cmd.Word {
	case Play, Load, Undo:
		j.onBoards(ruleOf(cmd), "ERROR to %s, which is legal here", cmd)
	case FEN:
		j.onBoards(ruleOf(cmd), "ERROR to %s, which is right", excerpt(cmd.String()))
	case Level, Ban, BGThink:
		j.fault(ruleOf(cmd), "ERROR to %s, which is right", excerpt(cmd.String()))
	}
}

// move judges the answer to AI.
func (j *judge) move(pos *xiangqi.Position, text string, banned []string) {
	first, _, _ := strings.Cut(strings.TrimSpace(text), " ")
	m, err := pos.Parse(first)
	what := ExplainMove(pos, first)
	switch {
	case what != "":
		j.onBoards("ai.legal", "AI answers %s, which %s", first, what)
	case err != nil:
		j.onBoards("ai.legal", "AI answers an illegal move: %v", err)
	case contains(banned, pos.Format(m)):
		j.fault("ban.ai", "AI answers %s, which is banned", first)
	}
}

// contains reports whether a move is in the lines of a BAN.
func contains(banned []string, move string) bool {
	return slices.ContainsFunc(banned, func(line string) bool { return strings.EqualFold(strings.TrimSpace(line), move) })
}

// hints judges a list of hints: illegal, repeated and banned moves.
func (j *judge) hints(pos *xiangqi.Position, hints, banned []string) {
	if len(hints) == 0 {
		j.fault("hints.list", "ENDHINTS without hints")
	}
	var seen [64]string
	listed := seen[:0]
	for _, hint := range hints {
		first, _, _ := strings.Cut(strings.TrimSpace(hint), " ")
		m, err := pos.Parse(first)
		if err != nil {
			complain := j.fault
			if j.inDoubt() || legalForOther(pos, first) {
				complain = j.onBoards
			}
			if what := ExplainMove(pos, first); what != "" {
				complain("hints.legal", "HINTS lists %s, which %s", first, what)
			} else {
				complain("hints.legal", "an illegal hint: %v", err)
			}
			continue
		}
		name := pos.Format(m)
		if slices.Contains(listed, name) {
			j.warn("hints.distinct", "%s is listed twice", name)
		}
		if len(banned) > 0 && contains(banned, name) {
			j.fault("ban.hints", "HINTS lists %s, which is banned", name)
		}
		listed = append(listed, name)
	}
	if _, found := JudgeScores(pos, hints); found != nil {
		complain := j.fault
		if rules.Named(found.Rule).Advice {
			complain = j.warn
		}
		complain(found.Rule, "%s", found.Got)
	}
}

// JudgeScores judges whether the scores of hints fall, if neighbours tell theirs; judged reports
// whether any do. Where Black is to move and they only rise, they may be Red's.
func JudgeScores(pos *xiangqi.Position, hints []string) (judged bool, found *Breach) {
	var before engine.Score
	falls := false
	for _, hint := range hints {
		_, text, _ := strings.Cut(hint, " score ")
		words := append(strings.Fields(text), "", "")
		score, _ := parseHintScore(words[0], words[1])
		if before.Known() && score.Known() {
			judged = true
			switch order := score.Compare(before); {
			case order < 0:
				falls = true
			case order > 0 && found == nil:
				found = breach("scores that fall", "%v after %v", score, before)
			}
		}
		before = score
	}
	if found == nil {
		return judged, nil
	}
	found.Rule = "hints.order"
	if pos.Side() == xiangqi.Black && !falls {
		found.Rule = "hints.scores"
		found.Got += " with Black to move: are they for Red?"
	}
	return judged, found
}

// screen judges a drawing of the board, if it can be parsed.
func (j *judge) screen(pos *xiangqi.Position, lines []string) {
	difference, _ := CompareScreen(pos, lines)
	if difference == "" {
		return
	}
	j.tell(pluginclient.Judgement{
		Rule: rules.Named("scr.board"), Severity: pluginclient.Warning, Boards: true,
		What: "SCR draws another board than the conversation's: " + difference,
	})
}

// isNotAnswer reports whether a plugin has answered, but not with a valid answer.
func isNotAnswer(err error) bool {
	return errors.Is(err, pluginclient.ErrInvalidReply) && !errors.Is(err, pluginclient.ErrNoReply)
}
