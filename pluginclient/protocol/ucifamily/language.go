package ucifamily

import (
	"slices"

	"qhsh/pluginclient"
)

// language are the words that have a meaning beyond their answer, of all protocols of the
// family.
var language = pluginclient.Language{
	Phrases: []pluginclient.Phrase{
		{Word: "go", Thinks: true},
		{Word: "stop", Aside: true, Stop: pluginclient.MoveNow},
		{Word: "ponderhit", Aside: true},
		{Word: "?", Aside: true, Stop: pluginclient.MoveNow},
		{Word: "exit", Aside: true, Stop: pluginclient.GiveUp},
		{Word: "quit", Quits: true},
	},
	Stopped: stopped,
}

// Language are the words of Raw.
func (c *Client) Language() pluginclient.Language { return language }

// stopped is what an engine has said up to its move.
func stopped(conversation []pluginclient.Entry) (said []string) {
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
