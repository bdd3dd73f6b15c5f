//go:build unix

package attach

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"qhsh/engine"
	"qhsh/engine/games"
	"qhsh/pluginclient"
)

const rawEngine = `while read -r line; do
	case $line in
	two) printf 'one\ntwo\n' ;;
	prompt) printf '> ' ;;
	QUIT) printf 'BYE\n'; exit 3 ;;
	*) printf '%s with %s\n' "$line" "$1" ;;
	esac
done
`

// TestRawLines: a program without a handshake gets lines and its replies are returned, whatever its
// protocol.
func TestRawLines(t *testing.T) {
	program := filepath.Join(t.TempDir(), "engine.sh")
	if err := os.WriteFile(program, []byte(rawEngine), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ spec, argument string }{
		{"qh:sh '" + program + "'", "-plugin"},
		{"uci,Threads=2:sh '" + program + "' x", "x"},
	} {
		s, err := Open(t.Context(), c.spec, Options{Games: games.Default, Raw: true})
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		for _, lines := range []struct{ sent, want string }{
			{"LEVEL", "LEVEL with " + c.argument},
			{"two", "one\ntwo"},
			{"uci\nisready", "uci with " + c.argument + "\nisready with " + c.argument},
			{"prompt", "> "},
			{"LEVEL", "> LEVEL with " + c.argument},
		} {
			answer, err := s.Raw(t.Context(), lines.sent)
			if got := strings.Join(answer, "\n"); got != lines.want || err != nil {
				t.Errorf("%s: %q is answered with %q, %v, want %q", c.spec, lines.sent, got, err, lines.want)
			}
		}
		answer, err := s.Raw(t.Context(), "QUIT")
		for err == nil { // the program is still ending
			_, err = s.Raw(t.Context(), "two")
		}
		if !errors.Is(err, pluginclient.ErrDied) || strings.Join(answer, "\n") != "BYE" {
			t.Errorf("QUIT: %q, %v", answer, err)
		}
		if _, err := s.Raw(t.Context(), "two"); !errors.Is(err, pluginclient.ErrNotRunning) {
			t.Errorf("after QUIT: %v", err)
		}
		if _, err := engine.Best(t.Context(), s, s.Position(), engine.Limits{}); !errors.Is(err, errRaw) {
			t.Errorf("a search: %v", err)
		}
		if err := s.Restart(t.Context()); err != nil {
			t.Error(err)
		}
	}
}

const lateEngine = `while read -r line; do
	echo now
	(while ! [ -e "$1" ]; do sleep 0.05; done; echo later; case $line in die) kill -9 $$ ;; esac) &
done
`

// TestRawLate: what a program says when no answer is waited for is heard, and so is its death.
func TestRawLate(t *testing.T) {
	program := filepath.Join(t.TempDir(), "engine.sh")
	if err := os.WriteFile(program, []byte(lateEngine), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		command string
		want    error
	}{{"go", nil}, {"die", pluginclient.ErrDied}} {
		t.Run(c.command, func(t *testing.T) {
			signal := filepath.Join(t.TempDir(), "signal")
			s, err := Open(t.Context(), "qh:sh '"+program+"' '"+signal+"'", Options{Games: games.Default, Raw: true})
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			if answer, err := s.Raw(t.Context(), c.command); err != nil || strings.Join(answer, "\n") != "now" {
				t.Fatalf("%q, %v", answer, err)
			}
			if err := os.WriteFile(signal, nil, 0o666); err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			var heard []string
			err = s.(pluginclient.Listener).Listen(ctx, func(line string) {
				heard = append(heard, line)
				if c.want == nil {
					cancel()
				}
			})
			if !errors.Is(err, c.want) || strings.Join(heard, "\n") != "later" {
				t.Errorf("%q, %v", heard, err)
			}
		})
	}
}
