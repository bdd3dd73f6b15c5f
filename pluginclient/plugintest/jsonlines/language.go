package jsonlines

import (
	"strings"

	"qhsh/pluginclient"
)

// Language are the requests as a person types them: a line of JSON is one word.
func (c *Client) Language() pluginclient.Language {
	hello, search := encode(request{Do: "hello"}), `{"do":"search","position":"startpos"}`
	return pluginclient.Language{
		Name: Protocol,
		Commands: []pluginclient.CommandSpec{
			{Word: hello, Summary: "ask who it is"},
			{Word: search, Summary: "have it think about the start", Thinks: true},
			{Word: encode(request{Do: "stop"}), Summary: "have it answer what it has", Interrupt: true, Stop: pluginclient.MoveNow},
			{Word: encode(request{Do: "quit"}), Summary: "end it", Quits: true},
		},
		Failed: func(answer []string) bool { return strings.HasPrefix(strings.Join(answer, ""), `{"error"`) },
	}
}
