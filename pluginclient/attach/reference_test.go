package attach

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"qhsh/engine/games"
	"qhsh/pluginclient"
)

// TestExamples runs the conversations of the references with the servers of this program.
func TestExamples(t *testing.T) {
	kinds := DefaultKinds(games.Default)
	for _, row := range kinds.rows {
		if row.Language == nil {
			continue
		}
		mode, language := row.Modes[len(row.Modes)-1], row.Language()
		for _, command := range language.Commands {
			t.Run(language.Name+" "+command.Word, func(t *testing.T) {
				if command.Section == "" || command.Example == "" || command.Summary == "" {
					t.Fatalf("no section, example or summary: %+v", command)
				}
				if err := holdExample(t, mode, command.Example); err != nil {
					t.Error(err)
				}
			})
		}
	}
}

// holdExample runs a conversation with a new server. "..." stands for the rest of a line, or for
// any lines. Empty lines and trailing blanks are ignored.
func holdExample(t *testing.T, mode Mode, example string) error {
	spec := "builtin,hash=1"
	if mode.Game.Name() != games.Default.DefaultGame().Name() {
		spec = mode.Game.Name()
	}
	in, toServer := io.Pipe()
	fromServer, out := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		err := mode.Serve(t.Context(), ServeConfig{Engine: parsed(t, spec, Options{Games: games.Default}), In: in, Out: out})
		in.Close()
		out.Close()
		ended <- err
	}()
	replies := make(chan string, 1<<16) // a server must not wait for the client that is writing to it
	go func() {
		for lines := bufio.NewScanner(fromServer); lines.Scan(); {
			replies <- strings.TrimSpace(lines.Text())
		}
		close(replies)
	}()
	err := follow(example, toServer, replies)
	toServer.Close()
	anyLines := strings.HasSuffix(example, "< ...\n")
	for text := range replies {
		if err == nil && text != "" && text != "bye" && !anyLines {
			err = fmt.Errorf("the example leaves out %q", text)
		}
	}
	return errors.Join(err, <-ended)
}

// follow sends the lines of an example and compares the replies.
func follow(example string, toServer io.Writer, replies <-chan string) error {
	skip := false
	for line := range strings.Lines(example) {
		mark, text := line[:2], strings.TrimSpace(line[1:])
		switch {
		case mark == "> ":
			if _, err := io.WriteString(toServer, text+"\n"); err != nil {
				return fmt.Errorf("%s: %w", text, err)
			}
		case text == "...":
			skip = true
		default:
			if err := expect(replies, text, skip); err != nil {
				return err
			}
			skip = false
		}
	}
	return nil
}

// expect reads the next reply, or skips to the wanted one.
func expect(replies <-chan string, want string, skip bool) error {
	start, isStart := strings.CutSuffix(want, "...")
	for got := range replies {
		if got == want || isStart && strings.HasPrefix(got, strings.TrimSpace(start)) {
			return nil
		}
		if got != "" && !skip {
			return fmt.Errorf("reply %q instead of %q", got, want)
		}
	}
	return fmt.Errorf("no reply %q", want)
}

// TestReference compares the text about a command.
func TestReference(t *testing.T) {
	got := strings.Join(pluginclient.References(DefaultKinds(games.Default).Languages(), "Quit"), "\n")
	if want := `QUIT
  end the engine; .restart starts it again, .quit leaves the shell
  QHPLUGIN, section 3 QUIT
  replies: BYE; then the plugin exits

  > QUIT
  < BYE
`; got != want {
		t.Errorf("got\n%s", got)
	}
}
