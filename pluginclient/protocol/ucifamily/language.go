package ucifamily

import (
	"slices"

	"qhsh/pluginclient"
)

// language holds the commands of all protocols of the family that need special treatment.
var language = pluginclient.Language{
	Commands: []pluginclient.CommandSpec{
		{Word: "go", Thinks: true},
		{Word: "stop", Interrupt: true, Stop: pluginclient.MoveNow},
		{Word: "ponderhit", Interrupt: true},
		{Word: "?", Interrupt: true, Stop: pluginclient.MoveNow},
		{Word: "exit", Interrupt: true, Stop: pluginclient.GiveUp},
		{Word: "quit", Quits: true},
	},
	Stopped: stoppedReply,
}

// Language returns the commands that Raw treats specially.
func (c *Client) Language() pluginclient.Language { return language }

// stoppedReply returns the engine's lines up to its best move.
func stoppedReply(conversation []pluginclient.Entry) (said []string) {
	for _, entry := range conversation {
		if entry.Dir != pluginclient.Received {
			continue
		}
		said = append(said, entry.Text)
		if word, _ := cutWord(entry.Text); slices.Contains([]string{"bestmove", "nobestmove", "move"}, word) {
			break
		}
	}
	return said
}
