package script

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"qhsh/pluginclient"
)

// fakeShell is attached to an engine, or to none.
type fakeShell struct{ session pluginclient.Session }

func (s *fakeShell) Session() (pluginclient.Session, string) { return s.session, "fake" }

func (s *fakeShell) Run(_ context.Context, line string) (string, error) {
	if strings.HasPrefix(line, ".wrong") {
		return "", fmt.Errorf("there is no command %s", line)
	}
	return "ran " + line, nil
}

// TestShell: session is the engine that the shell is currently attached to. Within pmap it is
// another engine of the same kind.
func TestShell(t *testing.T) {
	s, shell := newStage(), &fakeShell{}
	e := newEnv(Options{Open: s.open, Shell: shell})
	defer e.Close(t.Context())
	ask := func(line string) string {
		text, err := e.Exec(t.Context(), line)
		if err != nil {
			return "#" + err.Error()
		}
		return text
	}
	got := []string{
		ask("session.info"), ask("shell('.board')"), ask("shell('.wrong')"), ask("pmap(shell, ['.board'])"),
		ask("pmap(fail, ['" + strings.Repeat("炮", 40) + "'])"), ask("shell('.wrong' + 40 * '炮')"),
	}
	session, err := s.open(t.Context(), "fake", EngineOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	shell.session = session
	got = append(got, ask("session, session.info.name"), ask("session.send('PLAY h2e2')"), ask("session.board.move_stack"),
		ask("session.best(session.board).move"), ask("pmap(lambda m: session.best(board().play(m)).move, ['h2e2', 'b2e2'])"), ask("session.close()"))
	want := []string{
		"#<star>:1:8: the shell is not attached to an engine: use .attach SPEC",
		`"ran .board"`,
		`#<star>:1:6: shell ".wrong": there is no command .wrong`,
		"#<star>:1:5: pmap: item 0 (\".board\"): shell: not within pmap",
		`#<star>:1:5: pmap: item 0 ("` + strings.Repeat("炮", 33) + `...): fail: ` + strings.Repeat("炮", 40), // not cut within a character
		`#<star>:1:6: shell ".wrong` + strings.Repeat("炮", 31) + `...": there is no command .wrong` + strings.Repeat("炮", 40),
		`(engine("the shell's"), "Fake 1.0")`,
		`["OK"]`,
		`["H2-E2"]`,
		`"A9-A7"`,
		`["A9-A7", "A9-A7"]`,
		"#<star>:1:14: close: a script cannot close the shell's engine: use .detach",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
