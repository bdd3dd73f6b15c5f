package qhplugin

import (
	"slices"
	"strconv"

	"qhsh/engine"
	"qhsh/engine/xiangqi"
	"qhsh/pluginclient"
)

// Language returns the commands of the protocol, in the order of the help, with what the specification
// says about them.
func Language() pluginclient.Language {
	const (
		okOrError = "OK, or ERROR if something goes wrong"
		oneMove   = "> FEN 5k3/9/9/9/4r4/9/9/9/9/3K5 w\n< OK\n" // Red has one legal move
	)
	return pluginclient.Language{Name: "QHPLUGIN", AnyCase: true, Ping: string(Level), Failed: isError, Stopped: stoppedReply, Commands: []pluginclient.CommandSpec{
		{
			Word: string(Level), Usage: "[N]", Summary: "ask for the level, or set it",
			Section: "3 LEVEL", Replies: "the number of the current level; to LEVEL N, OK, or ERROR if N is out of range",
			Example: "> LEVEL\n< 5\n> LEVEL 3\n< OK\n> LEVEL\n< 3\n> LEVEL 99\n< ERROR ...\n",
		},
		{
			Word: string(FEN), Usage: "FEN", NewGame: true, Summary: "start a game from a position",
			Section: "3 FEN", Replies: okOrError, Example: oneMove + "> FEN 9/9\n< ERROR ...\n",
		},
		{
			Word: string(Play), Usage: "MOVE", Summary: "make a move on the board",
			Section: "3 PLAY", Replies: "OK if the move is made, or ERROR", Example: "> PLAY H2-E2\n< OK\n> PLAY H2-E2\n< ERROR ...\n",
		},
		{
			Word: string(Load), Usage: "N", Lines: lineCount(Load), Summary: "make the N moves that follow, one a line",
			Help:    "The engine gets LOAD and its lines together when the last line is there. Ctrl-C drops them.\n",
			Section: "3 LOAD", Replies: "OK after the last line if all moves are made, or ERROR", Example: "> LOAD 2\n> H2-E2\n> H9-G7\n< OK\n",
		},
		{
			Word: string(AI), Thinks: true, Moves: true, Summary: "have the engine move; Ctrl-C or ABORT stops it",
			Help: `While the engine thinks, Ctrl-C sends ABORT. A second Ctrl-C within a second kills the
engine and starts it again at the same position. ABORT and TIMEOUT can be typed too.
In a script, say .wait before them.
`,
			Section: "3 AI", Replies: "the move that is played; ERROR if there is none, or ABORTED", Example: oneMove + "> AI\n< D0-D1\n",
		},
		{
			Word: string(Hints), Usage: "[N]", Needs: string(Hints), Thinks: true, IsComplete: hintsComplete,
			Summary: "have the engine propose moves, best first",
			Help:    "N is an extension of qhsh's own. See .hints for a table, from any engine.\n",
			Section: "3 HINTS", Replies: "moves, best first, one a line with text behind it at will, then ENDHINTS; ERROR, or ABORTED",
			Example: oneMove + "> HINTS\n< D0-D1 ...\n< ENDHINTS\n",
		},
		{
			Word: string(Ban), Usage: "N", Needs: rulesFlag, Lines: lineCount(Ban),
			Summary: "forbid the N moves that follow, one a line, in the next AI or HINTS",
			Section: "3 BAN", Replies: "OK after the last line, or ERROR", Example: oneMove + "> BAN 1\n> D0-D1\n< OK\n> AI\n< ERROR ...\n",
		},
		{
			Word: string(Undo), Needs: string(Undo), Summary: "take back a move; see .undo",
			Section: "3 UNDO", Replies: "OK, or ERROR if no moves have been played",
			Example: "> PLAY H2-E2\n< OK\n> UNDO\n< OK\n> UNDO\n< ERROR ...\n",
		},
		{
			Word: string(BGThink), Usage: "ON|OFF", Needs: string(BGThink), Summary: "let the engine think in its opponent's time, or not",
			Complete: func([]string) []pluginclient.Completion {
				return pluginclient.Completions([]string{"ON", "OFF"}, false)
			},
			Section: "3 BGTHINK", Replies: okOrError, Example: "> BGTHINK ON\n< OK\n> BGTHINK OFF\n< OK\n",
		},
		{
			Word: string(Abort), Interrupt: true, Stop: pluginclient.GiveUp, Summary: "give up AI or HINTS",
			Section: "3 ABORT", Replies: "none of its own: AI or HINTS replies ABORTED", Example: "> LEVEL 10\n< OK\n> AI\n> ABORT\n< ABORTED\n",
		},
		{
			Word: string(Timeout), Needs: pluginclient.AbilityTimeout, Interrupt: true, Stop: pluginclient.MoveNow,
			Summary: "end AI or HINTS with the best so far; see .timeout",
			Section: "3 TIMEOUT", Replies: "none of its own: AI or HINTS replies with the best so far", Example: oneMove + "> AI\n> TIMEOUT\n< D0-D1\n",
		},
		{
			Word: string(Scr), Summary: "have the engine draw its board; see .board",
			Section: "3 Commands", Replies: "a drawing of the board, without an end mark", Example: "> SCR\n< ...\n> LEVEL\n< 5\n",
		},
		{
			Word: string(Quit), Quits: true, Summary: "end the engine; .restart starts it again, .quit leaves the shell",
			Section: "3 QUIT", Replies: "BYE; then the plugin exits", Example: "> QUIT\n< BYE\n",
		},
	}}
}

// lineCount returns the number of lines that follow a LOAD or a BAN. For an invalid count it is 0,
// and the plugin should answer with an error.
func lineCount(word Word) func(args string) int {
	return func(args string) int {
		n, _ := Command{word, args}.Count()
		return n
	}
}

func answerWord(line string) Word {
	cmd, _ := ParseCommand(line)
	return cmd.Word
}

func isError(answer []string) bool { return len(answer) > 0 && answerWord(answer[0]) == Error }

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
	for i := range l.Commands {
		p := &l.Commands[i]
		switch Word(p.Word) {
		case Level:
			p.Complete = func(before []string) (all []pluginclient.Completion) {
				for _, level := range c.info.Levels {
					if len(before) == 0 {
						all = append(all, pluginclient.Completion{Text: strconv.Itoa(level.ID), Note: level.Text})
					}
				}
				return all
			}
		case Play:
			p.Complete = func(before []string) []pluginclient.Completion {
				if len(before) > 0 {
					return nil
				}
				return c.completeMove(nil, nil)
			}
		case Load:
			p.CompleteLine = func(lines []string) []pluginclient.Completion { return c.completeMove(lines, nil) }
		case Ban:
			p.CompleteLine = func(lines []string) []pluginclient.Completion { return c.completeMove(nil, lines) }
		}
	}
	return l
}

// completeMove returns the legal moves after the moves played, except the banned ones.
func (c *Client) completeMove(played, banned []string) []pluginclient.Completion {
	game, bad := playAll([]*xiangqi.Position{c.current()}, played)
	if bad != nil {
		return nil
	}
	pos := game[len(game)-1]
	words := engine.FormatEach(pos, pos.Moves())
	slices.Sort(words)
	words = slices.DeleteFunc(words, func(move string) bool { return contains(banned, move) })
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
