package repl

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"qhsh/engine"
	"qhsh/engine/games"
	"qhsh/pluginclient"
	"qhsh/pluginclient/protocol/qhplugin"
)

// chatty says something before every command.
type chatty struct {
	pluginclient.Session
	said int
}

func (c *chatty) Unwrap() engine.Searcher { return c.Session }

func (c *chatty) Listen(_ context.Context, heard func(line string)) error {
	c.said++
	heard(fmt.Sprint("late ", c.said))
	if c.said < 4 {
		return nil
	}
	return &pluginclient.Error{Engine: "engine", Command: "LEVEL", Err: pluginclient.ErrRefused}
}

// TestListen checks that the late lines of two engines stand behind the answer to the last command.
func TestListen(t *testing.T) {
	const want = `late 1
5
late 2
5
late 3
builtin: late 4
| line 3: builtin: LEVEL: refused
late 1
5
builtin: late 5
| line 4: builtin: LEVEL: refused
late 2
`
	var s screen
	host := Host{
		Stdin: strings.NewReader("LEVEL\nLEVEL\n.attach quick as two\nLEVEL\n"), Stdout: &s, Stderr: aside{&s},
		CompleteSpec: completeSpecForTest, NameOf: nameForTest, Games: games.Default, Language: qhplugin.Language(),
		Open: func(ctx context.Context, spec string, o OpenOptions) (pluginclient.Session, error) {
			session, err := openForTest(ctx, spec, o)
			return &chatty{Session: session}, err
		},
	}
	if err := New(host, Options{Engine: "builtin"}).Run(t.Context()); err != nil {
		t.Error(err)
	}
	if diff := cmp.Diff(want, s.String()); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}
