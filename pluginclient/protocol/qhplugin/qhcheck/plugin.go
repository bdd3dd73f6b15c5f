package qhcheck

import (
	"context"
	"errors"
	"strings"

	"qhsh/pluginclient/task/check"
)

// answersLevel returns the answer to LEVEL. half reports that its line end is missing.
func (e *exam) answersLevel() (line string, half bool, err error) {
	if err = e.Send("LEVEL"); err == nil {
		line, err = e.Line(e.Context, e.Deadlines.Start)
	}
	for err == nil && !isNumber(line) { // a greeting, perhaps
		next, nextErr := e.Line(e.Context, 5*settleTime)
		if nextErr != nil {
			break
		}
		line = next
	}
	if rest, ok := errors.AsType[*check.PartialLine](err); ok {
		return rest.Text, true, nil
	}
	if err != nil {
		return "", false, e.MissingReply("an answer to LEVEL", err)
	}
	return line, false, nil
}

// pluginStarts accepts a plugin that answers only when its input ends: another check reports that
// it does not flush.
func pluginStarts(e *exam) error {
	answer, half, err := e.answersLevel()
	if _, isFault := errors.AsType[*check.Fault](err); isFault && e.Running() {
		_ = e.Send("QUIT")
		lines, _, endErr := e.WaitExit(e.Context, e.Deadlines.Quit)
		if endErr != nil {
			e.EndInput()
			lines, _, _ = e.WaitExit(e.Context, e.Deadlines.Quit)
		}
		if len(lines) > 0 {
			return nil
		}
	}
	switch {
	case err != nil:
		e.isMute = true
	case answer == "":
		return check.Faultf("an answer to LEVEL", "an empty line")
	case !half && !isNumber(answer): // no client of qhsh starts it either
		return check.Faultf("the level's number as the answer to LEVEL", "%q", answer)
	}
	return err
}

// pluginFlush does not depend on pluginStarts: a plugin whose answer to LEVEL is wrong may flush it.
func pluginFlush(e *exam) error {
	if e.isMute {
		return check.NotApplicablef("it answers nothing")
	}
	answer, _, err := e.answersLevel()
	e.pings = err == nil && isNumber(answer)
	return err
}

func pluginNewline(e *exam) error {
	answer, half, err := e.answersLevel()
	if err == nil && half {
		return check.Faultf("the end of the line behind the answer", "%q without it", answer)
	}
	if err != nil {
		return err
	}
	// OK may be written by other code. Another check reports a missing answer.
	if err := e.Send("PLAY H2-E2"); err != nil {
		return nil //nolint:nilerr // see above
	}
	_, err = e.Line(e.Context, e.Deadlines.Reply)
	if rest, ok := errors.AsType[*check.PartialLine](err); ok {
		return check.Faultf("the end of the line behind the answer", "%q without it", rest.Text)
	}
	if e.Err() != nil {
		return context.Cause(e)
	}
	return nil
}

func pluginSilent(e *exam) error {
	lines, err := e.Pause(e.Context, 5*settleTime)
	if err != nil {
		return err
	}
	answer, err := e.firstAnswer()
	if err != nil {
		return err
	}
	if len(lines) > 0 {
		return check.Faultf("nothing before the first command", "%s", quoted(lines))
	}
	if e.pings && !isNumber(answer) {
		return check.Faultf("the answer to LEVEL as the first line", "%q", answer)
	}
	return nil
}

// pluginSingle checks that each command is answered once, including LOAD and BAN, since a plugin
// may answer each of their lines.
func pluginSingle(e *exam) error {
	commands := [][]string{{"LEVEL"}, {"FEN " + dialects[0].fen(start)}, {"PLAY H2-E2"}, list("LOAD", "H9-G7", "H0-G2")}
	for _, level := range e.info.Levels[:min(1, len(e.info.Levels))] {
		commands = append(commands, []string{"LEVEL " + itoa(level.ID)})
	}
	if e.has("UNDO") {
		commands = append(commands, []string{"UNDO"})
	}
	if e.has("RULES") {
		commands = append(commands, list("BAN", "A9-A8", "B9-A7"))
	}
	if e.has("BGTHINK") {
		commands = append(commands, []string{"BGTHINK ON"}, []string{"BGTHINK OFF"})
	}
	for _, lines := range commands {
		if _, err := e.command(lines...); err != nil { // other checks report a missing answer, which may be late
			e.isPlayLost = e.isPlayLost || lines[0] == "PLAY H2-E2"
			if err := startAnswering(e); err != nil {
				return err
			}
			continue
		}
		more, err := e.Pause(e.Context, settleTime)
		if err != nil {
			return err
		}
		if more = e.dropUnasked(more); len(more) > 0 {
			e.extraAnswers = true
			return check.Faultf("one answer to "+strings.Join(lines, " | "), "more: %s", quoted(more))
		}
	}
	return nil
}

// getAnswers gets some answers; other checks report missing ones.
func getAnswers(e *exam) error {
	if err := startAnswering(e); err != nil {
		return err
	}
	commands := []string{"PLAY H2-E2", "PLAY A0-A9", "FEN ?"}
	if e.has("UNDO") {
		commands = append(commands, "UNDO", "UNDO")
	}
	for _, command := range commands {
		_, _ = e.command(command)
	}
	if e.has("HINTS") && !e.isSlow() {
		_ = weakest(e)
		_, _ = e.hints()
	}
	_, _ = e.command("QUIT")
	return nil
}

// noLine checks that no check so far has received a line of a kind.
func noLine(expected string, line func(e *exam) string) step {
	return func(e *exam) error {
		if got := line(e); got != "" {
			return check.Faultf(expected, "%q", got)
		}
		return nil
	}
}

func pluginReturns(e *exam) error {
	if e.HasReturns() {
		return check.Faultf("lines that end with LF", "CR and LF")
	}
	return nil
}

func pluginDebug(e *exam) error {
	talk := e.NewProcess(e.plugin.Debug)
	defer talk.Kill()
	defer func(unasked string) { e.unasked = unasked }(e.unasked) // reported here
	d := &exam{Case: &check.Case{Context: e.Context, Talk: talk}, pluginState: e.pluginState}
	if err := startAnswering(d); err != nil {
		return err
	}
	answer, err := d.command("PLAY H2-E2")
	if err != nil {
		return err
	}
	if !hasWord(answer, "OK") && !hasWord(answer, "ERROR") {
		return check.Faultf("OK or ERROR to PLAY H2-E2", "%q", answer)
	}
	return silence("PLAY H2-E2 but the answer")(d)
}
