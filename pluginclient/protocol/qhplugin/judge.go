package qhplugin

import (
	"cmp"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strconv"
	"strings"

	"qhsh/engine"
	"qhsh/engine/lazyregexp"
	"qhsh/engine/xiangqi"
	"qhsh/pluginclient"
)

// This file judges an exchange: it reports every rule that the plugin breaks, and does not change what
// the client does.

// A complaint reports a violation of a rule.
type complaint func(rule, format string, args ...any)

// tell reports a violation. After some the plugin's board may differ from the conversation's.
func (x *exchange) tell(severity pluginclient.Severity, boards bool, rule, format string, args ...any) {
	x.c.link.Judge(pluginclient.Judgement{
		Rule: rules.Named(rule), Severity: severity, What: fmt.Sprintf(format, args...), At: x.at, Boards: boards,
	})
	if boards {
		x.c.noteDoubt(true)
	}
}

func (x *exchange) fault(rule, format string, args ...any) {
	x.tell(pluginclient.Fault, false, rule, format, args...)
}

// warn reports what may mislead a host.
func (x *exchange) warn(rule, format string, args ...any) {
	x.tell(pluginclient.Warning, false, rule, format, args...)
}

// doubt reports an answer that is wrong on the conversation's board. If the boards may differ already,
// it may be right on the plugin's, and the severity is Warning.
func (x *exchange) doubt(rule, format string, args ...any) {
	severity := pluginclient.Fault
	if x.c.InDoubt() {
		severity, format = pluginclient.Warning, format+", and the boards may differ"
	}
	x.tell(severity, true, rule, format, args...)
}

// onBoard returns the complaint about an invalid answer, after which the board of a plugin that was
// told to change it is unknown.
func (x *exchange) onBoard(changes bool) complaint {
	changes = changes && slices.Contains([]Word{AI, Play, Load, Undo, FEN}, x.cmd.Word)
	return func(rule, format string, args ...any) { x.tell(pluginclient.Fault, changes, rule, format, args...) }
}

// once reports a kind of violation the first time after the start only, since it may come with every
// answer.
func (x *exchange) once(kind string, complain complaint) complaint {
	if x.c.link.First(kind) {
		return complain
	}
	return func(string, string, ...any) {}
}

var commandRules = map[Word]string{
	Level: "level.set", FEN: "fen.board", Play: "play.legal", Load: "load.plays", Undo: "undo.all", Ban: "ban.list",
	BGThink: "bgthink.on", AI: "ai.form", Hints: "hints.list", Quit: "quit.bye", Abort: "abort.only", Timeout: "timeout.only",
}

func ruleOf(cmd Command) string {
	switch {
	case cmd.Word == Level && cmd.Arg == "":
		return "level.current"
	case cmd.Word == BGThink && strings.EqualFold(cmd.Arg, "OFF"):
		return "bgthink.off"
	}
	return cmp.Or(commandRules[cmd.Word], "plugin.answers")
}

// form judges the form of a reply of a known kind.
func (x *exchange) form(line string, r reply) {
	if r.word == replyMove {
		text, _, _ := strings.Cut(line, " ")
		if !isExactMove(text) || x.cmd.Word == AI && text != strings.TrimSpace(line) {
			x.fault(ruleOf(x.cmd), "the answer to %s is not of the form A0-A1: %q", x.cmd.Word, excerpt(line))
		}
	} else if NotCapitals(line) {
		x.once("plugin.capitals"+string(r.word), x.fault)("plugin.capitals", "the answer to %s is %q", x.cmd.Word, excerpt(line))
	}
}

// NotCapitals reports whether a line begins with a response word that is not in capitals.
func NotCapitals(line string) bool {
	line = strings.TrimSpace(line)
	word := ReplyWord(line)
	return !strings.HasPrefix(line, string(word))
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

// Unasked reports whether a line has nothing of a response, not even a move behind a word.
func Unasked(line string) bool {
	r := parseReply(line)
	return r.word == replyOther && r.text != "" && !isSpoiled(line)
}

// stray judges a line that is not the awaited answer to a command.
func (x *exchange) stray(cmd Command, line string, r reply) {
	switch {
	case r.word == replyOther && r.text == "":
		x.once("blank", x.warn)("plugin.unasked", "a blank line before the answer to %s", cmd.Word)
	case Unasked(line) && (cmd.Word != Level || !spoiledLevel().MatchString(line)):
		x.once("noise", x.warn)("plugin.unasked", "before the answer to %s: %q", cmd.Word, excerpt(line))
	default:
		x.notReply(cmd, line)
	}
}

// notReply judges a line that is an invalid answer to a command.
func (x *exchange) notReply(cmd Command, line string) {
	x.onBoard(cmd == x.cmd && parseReply(line).word != OK)(ruleOf(cmd), "not an answer to %s: %q", cmd.Word, excerpt(line))
}

// judgeOrder judges the answer to a command that is answered with OK or ERROR, and the lines
// before it.
func (x *exchange) judgeOrder(answer string, before []string) {
	c := x.c
	id, err := strconv.Atoi(x.cmd.Arg)
	if x.cmd.Word == Level {
		c.accepted = 0
	}
	if answer == "" {
		x.notReply(x.cmd, before[0])
		return
	}
	if len(before) > 0 {
		x.once("noise", x.warn)("plugin.unasked", "before the answer to %s: %q", x.cmd.Word, excerpt(before[0]))
	}
	r := parseReply(answer)
	x.form(answer, r)
	switch {
	case r.word == Error:
		x.refusal()
	case x.cmd.Word == Level && err == nil:
		c.accepted = id
		if len(c.info.Levels) > 0 && !c.hasLevel(id) {
			x.fault("level.range", "OK to %s, and the info block lists %s", x.cmd, c.listLevels())
		}
	}
}

// refusal judges an ERROR. Lines of the user may deserve it; typed calls send only valid commands, but
// for the level.
func (x *exchange) refusal() {
	if (x.typed || x.cmd.Word == Level) && !x.isRight() {
		return
	}
	switch x.cmd.Word {
	case Play, Load, Undo:
		x.doubt(ruleOf(x.cmd), "ERROR to %s, which is legal here", x.cmd)
	case FEN:
		x.doubt(ruleOf(x.cmd), "ERROR to %s, which is right", excerpt(x.cmd.String()))
	case Level, Ban, BGThink:
		x.fault(ruleOf(x.cmd), "ERROR to %s, which is right", excerpt(x.cmd.String()))
	}
}

// isRight reports whether a plugin must accept the command, as far as the client knows.
func (x *exchange) isRight() bool {
	info := x.c.info
	n, countErr := x.cmd.Count()
	isList := countErr == nil && n == len(x.list)
	switch x.cmd.Word {
	case Level:
		id, err := strconv.Atoi(x.cmd.Arg)
		return err == nil && x.c.hasLevel(id)
	case Ban:
		return isList && info.Rules && !slices.ContainsFunc(x.list, func(line string) bool { return !isExactMove(strings.TrimSpace(line)) })
	case BGThink:
		return info.BGThink && (strings.EqualFold(x.cmd.Arg, "ON") || strings.EqualFold(x.cmd.Arg, "OFF"))
	}
	pos, err := x.boardAfter()
	return err == nil && (x.cmd.Word != Undo || info.Undo) && (x.cmd.Word != Play || isExactMove(x.cmd.Arg)) &&
		(x.cmd.Word != Load || isList) && (x.cmd.Word != FEN || pos.WireFEN() == strings.TrimSpace(x.cmd.Arg))
}

// unasked judges lines that have arrived without a command.
func (x *exchange) unasked(lines []string) {
	cmd := x.cmd
	cmd.Word = cmp.Or(cmd.Word, Level) // the first ping
	var further []string               // answers to what has been answered
	for _, line := range lines {
		if x.endsPing(line) {
			continue
		}
		x.further++
		switch r := parseReply(line); {
		case x.pinged && r.word == replyNumber && x.cmd.Word != Level:
			x.once("again", x.fault)("plugin.single", "another answer to %s: %q", Level, excerpt(line))
		case x.cmd.Word == "" && !x.pinged && strings.TrimSpace(line) == "":
			x.warn("plugin.unasked", "a blank line before the first answer")
		case x.cmd.Word == "" && !x.pinged:
			x.fault("plugin.silent", "before the first command: %q", excerpt(line))
		case r.word == replyOther && r.text == "":
			x.once("blank", x.warn)("plugin.unasked", "a blank line after the answer to %s", cmd.Word)
		case r.word == Aborted:
			x.fault("abort.only", "after the answer to %s: %q", cmd.Word, excerpt(line))
		case r.word == replyOther:
			x.once("noise", x.warn)("plugin.unasked", "after the answer to %s: %q", cmd.Word, excerpt(line))
		default:
			further = append(further, line)
		}
	}
	if len(further) > 0 {
		more := ""
		if len(further) > 1 {
			more = fmt.Sprintf(" and more lines, %d in all", len(further))
		}
		x.fault("plugin.single", "another answer to %s: %q%s", cmd.Word, excerpt(further[0]), more)
	}
}

// judgeLevel judges the number that LEVEL answers: the level that the plugin has accepted, or one of
// levels if it has accepted none.
func (x *exchange) judgeLevel(number int, levels []engine.Level) {
	accepted := x.c.accepted
	kind := fmt.Sprintf("level %d %d", number, accepted)
	switch {
	case accepted != 0 && number != accepted:
		x.once(kind, x.fault)("level.keeps", "LEVEL answers %d after OK to LEVEL %d", number, accepted)
	case accepted == 0 && len(levels) > 0 && !x.c.hasLevel(number):
		x.once(kind, x.fault)("level.current", "LEVEL answers %d, and the info block lists %s", number, x.c.listLevels())
	}
}

func (c *Client) hasLevel(id int) bool {
	return engine.CheckLevel(c.info.Levels, id) == nil
}

func (c *Client) listLevels() string {
	const most = 12
	var ids []string
	for i, l := range c.info.Levels {
		if i == most {
			ids = append(ids, "...")
			break
		}
		ids = append(ids, strconv.Itoa(l.ID))
	}
	return strings.Join(ids, " ")
}

// move judges the answer to AI.
func (x *exchange) move(pos *xiangqi.Position, banned []string) {
	first, _, _ := strings.Cut(strings.TrimSpace(x.moves[0]), " ")
	m, err := pos.Parse(first)
	what := ExplainMove(pos, first)
	switch {
	case what != "":
		x.doubt("ai.legal", "AI answers %s, which %s", first, what)
	case err != nil:
		x.doubt("ai.legal", "AI answers an illegal move: %v", err)
	case contains(banned, pos.Format(m)):
		x.fault("ban.ai", "AI answers %s, which is banned", first)
	}
}

// contains reports whether a move is in the lines of a BAN.
func contains(banned []string, move string) bool {
	return slices.ContainsFunc(banned, func(line string) bool { return strings.EqualFold(strings.TrimSpace(line), move) })
}

// hints judges a list of hints: illegal, repeated and banned moves.
func (x *exchange) hints(pos *xiangqi.Position, banned []string) {
	if len(x.moves) == 0 {
		x.fault("hints.list", "ENDHINTS without hints")
	}
	var seen [64]string
	listed := seen[:0]
	for _, hint := range x.moves {
		first, _, _ := strings.Cut(strings.TrimSpace(hint), " ")
		m, err := pos.Parse(first)
		if err != nil {
			complain := x.fault
			if x.c.InDoubt() || legalForOther(pos, first) {
				complain = x.doubt
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
			x.warn("hints.distinct", "%s is listed twice", name)
		}
		if len(banned) > 0 && contains(banned, name) {
			x.fault("ban.hints", "HINTS lists %s, which is banned", name)
		}
		listed = append(listed, name)
	}
	if _, found := JudgeScores(pos, x.moves); found != nil {
		x.fault(found.Rule, "%s", found.Got) // that of advice is a warning
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
				found = &Breach{"hints.order", "scores that fall", fmt.Sprintf("%v after %v", score, before)}
			}
		}
		before = score
	}
	if found != nil && pos.Side() == xiangqi.Black && !falls {
		found.Rule = "hints.scores"
		found.Got += " with Black to move: are they for Red?"
	}
	return judged, found
}

// parted judges how a plugin has ended after QUIT, from the exchange before it on.
func (c *Client) parted(p pluginclient.Parting) {
	if !p.Abandoned {
		c.x.unasked(p.Before)
	}
	c.x.at = ""
	(&exchange{c: c, cmd: Command{Word: Quit}}).parting(p, c.x.isThinking)
}

// parting judges how a plugin has ended after QUIT, to which the answer to an earlier command may come
// first.
func (x *exchange) parting(p pluginclient.Parting, isThinking bool) {
	bye := false
	for _, line := range p.Lines {
		r := parseReply(line)
		switch {
		case x.endsPing(line), isThinking && slices.Contains([]Word{replyMove, EndHints, Error}, r.word), p.Abandoned && r.word != Bye:
		case r.word == Bye:
			bye = true
			x.form(line, r)
		case r.word != Aborted:
			x.stray(x.cmd, line, r)
		}
	}
	x.c.link.JudgeEnd(pluginclient.Judgement{Rule: rules.Named("quit.ends"), At: x.at}, string(Quit), p)
	if p.Ended && !bye {
		x.fault("quit.bye", "no BYE to QUIT")
	}
	if exit, ok := errors.AsType[*exec.ExitError](p.Err); ok {
		x.warn("quit.status", "after QUIT it ends with %v", exit)
	}
}
