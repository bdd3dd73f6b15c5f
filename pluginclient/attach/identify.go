package attach

import (
	"context"
	"errors"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"qhsh/engine/lazyregexp"
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

// interpreter matches the names of programs that run others.
var interpreter = lazyregexp.New(`^(python|pypy|perl|ruby|lua|luajit|node|php|java|mono|dotnet|wine|sh|bash|dash|zsh)[\d.]*(w|64)?$`)

// programOf returns the word of a command line that tells people which program it is: for an
// interpreter, as in "python3 -u engine.py", that which it runs.
func programOf(command []string) string {
	base := strings.TrimSuffix(filepath.Base(command[0]), ".exe")
	i := slices.IndexFunc(command[1:], func(word string) bool { return !strings.HasPrefix(word, "-") })
	if i < 0 || !interpreter().MatchString(base) || strings.ContainsAny(command[1+i], " \t\n;|&") { // a line of a shell
		return command[0]
	}
	return command[1+i]
}
