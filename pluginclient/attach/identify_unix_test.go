//go:build unix

package attach

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"qhsh/engine/games"
	"qhsh/pluginclient"
)

// TestIdentify: the error of a program that speaks another protocol than that of its SPEC says which.
func TestIdentify(t *testing.T) {
	answering := func(command, answer string) string {
		return "while read -r line; do case $line in '" + command + "') echo '" + answer + "';; *) echo unknown command;; esac; done\n"
	}
	for _, c := range []struct{ prefix, script, want string }{
		{"uci", answering("LEVEL", "5"), "qh:"},
		{"xboard", answering("uci", "uciok"), "uci:"},
		{"uci,Threads=2", answering("ucci", "ucciok"), "ucci:"},
		{"qtp", answering("protover 2", "feature ping=1 done=1"), "xboard:"},
		{"ucci", answering("name", "= any"), "qtp:"},
		{"qh", "echo An Engine 1.0\n" + answering("uci", "uciok"), "uci:"},
		{"uci", "exit 3\n", ""},
	} {
		t.Run(c.prefix+" not "+c.want, func(t *testing.T) {
			t.Parallel()
			script := filepath.Join(t.TempDir(), "engine.sh")
			if err := os.WriteFile(script, []byte(c.script), 0o666); err != nil {
				t.Fatal(err)
			}
			command := "sh '" + script + "'"
			_, err := Open(t.Context(), c.prefix+":"+command, Options{Games: games.Default, ClientOptions: pluginclient.ClientOptions{Deadlines: pluginclient.Deadlines{Reply: 20 * time.Second}}})
			var start *StartError
			if !errors.As(err, &start) || (c.want == "") != (start.Speaks == "") || c.want != "" && !strings.HasSuffix(err.Error(), "; it answers as "+c.want+command) {
				t.Errorf("%v, want %q", err, c.want)
			}
		})
	}
}
