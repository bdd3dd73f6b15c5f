package qhplugin

import (
	"slices"
	"strconv"
	"strings"

	"qhsh/engine"
	"qhsh/pluginclient"
)

// Language returns the commands of the protocol.
func Language() pluginclient.Language {
	return pluginclient.Language{
		Name: "QHPLUGIN", AnyCase: true, Ping: string(Level), Commands: referenced(commandSpecs()), Failed: isError, Stopped: stoppedReply,
	}
}

// commandSpecs returns the commands in the order of the help.
func commandSpecs() []pluginclient.CommandSpec {
	onOff := func([]string) []pluginclient.Completion {
		return pluginclient.Completions([]string{"ON", "OFF"}, false)
	}
	return []pluginclient.CommandSpec{
		{
			Word: string(Level), Usage: "[N]",
			Summary: "ask for the level, or set it",
		},
		{
			Word: string(FEN), Usage: "FEN", NewGame: true,
			Summary: "start a game from a position",
		},
		{
			Word: string(Play), Usage: "MOVE",
			Summary: "make a move on the board",
		},
		{
			Word: string(Load), Usage: "N", Lines: lineCount(Load),
			Summary: "make the N moves that follow, one a line",
			Help:    "The engine gets LOAD and its lines together when the last line is there. Ctrl-C drops them.\n",
		},
		{
			Word: string(AI), Thinks: true, Moves: true,
			Summary: "have the engine move; Ctrl-C or ABORT stops it",
			Help: `While the engine thinks, Ctrl-C sends ABORT. A second Ctrl-C within a second kills the
engine and starts it again at the same position. ABORT and TIMEOUT can be typed too.
In a script, say .wait before them.
`,
		},
		{
			Word: string(Hints), Usage: "[N]", Needs: string(Hints), Thinks: true, IsComplete: hintsComplete,
			Summary: "have the engine propose moves, best first",
			Help:    "N is an extension of qhsh's own. See .hints for a table, from any engine.\n",
		},
		{
			Word: string(Ban), Usage: "N", Needs: rulesFlag, Lines: lineCount(Ban),
			Summary: "forbid the N moves that follow, one a line, in the next AI or HINTS",
		},
		{
			Word: string(Undo), Needs: string(Undo),
			Summary: "take back a move; see .undo",
		},
		{
			Word: string(BGThink), Usage: "ON|OFF", Needs: string(BGThink), Complete: onOff,
			Summary: "let the engine think in its opponent's time, or not",
		},
		{
			Word: string(Abort), Interrupt: true, Stop: pluginclient.GiveUp,
			Summary: "give up AI or HINTS",
		},
		{
			Word: string(Timeout), Needs: pluginclient.AbilityTimeout, Interrupt: true, Stop: pluginclient.MoveNow,
			Summary: "end AI or HINTS with the best so far; see .timeout",
		},
		{
			Word:    string(Scr),
			Summary: "have the engine draw its board; see .board",
		},
		{
			Word: string(Quit), Quits: true,
			Summary: "end the engine; .restart starts it again, .quit leaves the shell",
		},
	}
}

// lineCount returns the number of lines that follow a LOAD or a BAN. For an invalid count it is 0,
// and the plugin should answer with an error.
func lineCount(word Word) func(args string) int {
	return func(args string) int {
		n, err := Command{word, args}.Count()
		if err != nil {
			return 0
		}
		return n
	}
}

// answerWord returns the first word of a reply line.
func answerWord(line string) Word {
	cmd, _ := ParseCommand(line)
	return cmd.Word
}

// isError reports whether an answer is ERROR.
func isError(answer []string) bool { return len(answer) > 0 && answerWord(answer[0]) == Error }

// hintsComplete reports whether the answer to HINTS is complete.
func hintsComplete(answer []string) bool {
	return len(answer) > 0 && slices.Contains([]Word{EndHints, Error, Aborted}, answerWord(answer[len(answer)-1]))
}

// stoppedReply returns a plugin's answer to AI or HINTS, without replies to pings and to later
// commands.
func stoppedReply(conversation []pluginclient.Entry) (reply []string) {
	filter := pluginclient.ReplyFilter{Ping: string(Level)}
	asked := false
	for _, entry := range conversation {
		word := answerWord(entry.Text)
		if entry.Dir == pluginclient.Sent && asked && word != Abort && word != Timeout {
			break
		}
		asked = asked || entry.Dir == pluginclient.Sent
		if filter.IsReply(entry.Dir, entry.Text) {
			reply = append(reply, entry.Text)
		}
	}
	return reply
}

// Language returns the commands, with completion of the plugin's levels and of legal moves.
func (c *Client) Language() pluginclient.Language {
	l := Language()
	for i, p := range l.Commands {
		switch Word(p.Word) {
		case Level:
			l.Commands[i].Complete = onlyWord(c.completeLevel)
		case Play:
			l.Commands[i].Complete = onlyWord(func() []pluginclient.Completion { return c.completeMove(nil, nil) })
		case Load:
			l.Commands[i].CompleteLine = func(lines []string) []pluginclient.Completion { return c.completeMove(lines, nil) }
		case Ban:
			l.Commands[i].CompleteLine = func(lines []string) []pluginclient.Completion { return c.completeMove(nil, lines) }
		}
	}
	return l
}

// onlyWord completes a command that takes one word.
func onlyWord(words func() []pluginclient.Completion) func(before []string) []pluginclient.Completion {
	return func(before []string) []pluginclient.Completion {
		if len(before) > 0 {
			return nil
		}
		return words()
	}
}

func (c *Client) completeLevel() (all []pluginclient.Completion) {
	for _, level := range c.info.Levels {
		all = append(all, pluginclient.Completion{Text: strconv.Itoa(level.ID), Note: level.Text})
	}
	return all
}

// completeMove returns the legal moves after the moves played, except the banned ones.
func (c *Client) completeMove(played, banned []string) []pluginclient.Completion {
	var pos engine.Position = c.current()
	for _, text := range played {
		m, err := pos.Parse(strings.TrimSpace(text))
		if err != nil {
			return nil
		}
		if pos, err = pos.Play(m); err != nil {
			return nil
		}
	}
	var words []string
	for _, m := range pos.Moves() {
		words = append(words, pos.Format(m))
	}
	slices.Sort(words)
	words = slices.DeleteFunc(words, func(move string) bool {
		return slices.ContainsFunc(banned, func(text string) bool { return strings.EqualFold(strings.TrimSpace(text), move) })
	})
	return pluginclient.Completions(words, false)
}

// MissingAbilities returns the abilities that the plugin has not announced.
func (c *Client) MissingAbilities() (all []string) {
	for _, flag := range c.info.flags() {
		if !*flag.on {
			all = append(all, string(flag.word))
		}
	}
	return all
}
