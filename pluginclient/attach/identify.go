package attach

import (
	"context"
	"errors"
	"regexp"
	"strings"

	"qhsh/pluginclient"
	"qhsh/pluginclient/protocol/qhplugin"
)

// identify returns a SPEC of the protocol that a program speaks which has not answered as its SPEC
// says, or "". It starts the program once for each Greeting.
func (e *Engine) identify(ctx context.Context, err error) string {
	strange := errors.Is(err, pluginclient.ErrNoReply) || errors.Is(err, pluginclient.ErrInvalidReply)
	if e.Embedded || !strange {
		return ""
	}
	cmd, _, _ := e.spec.Program()
	ctx, cancel := context.WithTimeout(ctx, e.Options.Deadlines.OrDefault().Reply)
	defer cancel()
	kinds := e.Options.kinds().All()
	answering := make(chan string, len(kinds))
	for _, k := range kinds {
		go func() {
			if k.Greeting == "" || k.Name == e.Kind.Name || !k.isAnswered(ctx, cmd, e.Options.Log) {
				answering <- ""
				return
			}
			answering <- k.Name
			cancel()
		}()
	}
	spec := ""
	for range kinds {
		if name := <-answering; name != "" && spec == "" {
			spec = name + ":" + e.command
		}
	}
	return spec
}

// isAnswered reports whether a program answers the Greeting.
func (k Kind) isAnswered(ctx context.Context, cmd pluginclient.Command, log *pluginclient.TraceLog) bool {
	if k.Default {
		cmd = qhplugin.InMode(cmd, "-plugin")
	}
	conn, err := pluginclient.Connect(ctx, cmd.Start, pluginclient.NewTrace(cmd.Path+"/"+k.Name, log))
	if err != nil {
		return false
	}
	defer conn.Close("", 0)
	err = conn.Send(pluginclient.Pinged, pluginclient.StrangerGrace, strings.Split(k.Greeting, "\n")...)
	for answer := regexp.MustCompile(k.Answer); err == nil; {
		var line string
		if line, err = conn.Receive(ctx); err == nil && answer.MatchString(strings.TrimSpace(line)) {
			return true
		}
	}
	return false
}
