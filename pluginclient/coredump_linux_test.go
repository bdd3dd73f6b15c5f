package pluginclient

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestCoreNote: where the core file of a process is, by the system's pattern. DIR is the folder
// in which it ran.
func TestCoreNote(t *testing.T) {
	dir, now := t.TempDir(), time.Now()
	for name, age := range map[string]time.Duration{"core": time.Hour, "core.12": 2 * time.Minute, "core.13": 0, "eng-99%": 0, "old.7": time.Hour} {
		path := filepath.Join(dir, name)
		if err := errors.Join(os.WriteFile(path, nil, 0o666), os.Chtimes(path, now, now.Add(-age))); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		pattern string
		allowed bool
		want    string
	}{
		{"core", true, "core file DIR/core.13"},
		{"core.%p", true, "core file DIR/core.13"},
		{"DIR/core.%p", true, "core file DIR/core.13"},
		{"%e-%p%%", true, "core file DIR/eng-99%"},
		{"old.%p", true, "no core file is found as DIR/old.*"},
		{"old.%p", false, "no core file: their size is limited to 0, see ulimit -c"},
		{"|/usr/lib/systemd/systemd-coredump %P %u", false, "the system passes core files to /usr/lib/systemd/systemd-coredump: coredumpctl lists them"},
		{"|/usr/share/apport/apport -p%p", true, "the system passes core files to /usr/share/apport/apport"},
	} {
		got := coreNote(strings.ReplaceAll(c.pattern, "DIR", dir), dir, now.Add(-time.Minute), c.allowed)
		if got = strings.ReplaceAll(got, dir, "DIR"); got != c.want {
			t.Errorf("%s: %q, want %q", c.pattern, got, c.want)
		}
	}
}

// TestCoreDump: the end of a process by a signal that dumps core is a Crash, and no other end is.
func TestCoreDump(t *testing.T) {
	for _, c := range []struct {
		script, want string
		crash        bool
	}{
		{"kill -SEGV $$", "signal: segmentation fault", true},
		{"kill -ABRT $$", "signal: aborted", true},
		{"kill -KILL $$", "signal: killed", false},
		{"exit 139", "exit status 139", false},
	} {
		streams, err := Command{Path: "sh", Args: []string{"-c", c.script}, Dir: t.TempDir()}.Start(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer closeAllStreams(streams)
		exit := streams.Wait()
		var crash *Crash
		is := errors.As(exit, &crash)
		if is != c.crash || is && crash.Core == "" || !strings.HasPrefix(exit.Error(), c.want) {
			t.Errorf("%s: %v, %+v", c.script, exit, crash)
		}
	}
}
