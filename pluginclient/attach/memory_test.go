package attach

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"qhsh/engine"
	"qhsh/engine/games"
	"qhsh/engine/xiangqi/search"
	"qhsh/pluginclient/protocol/uci"
	"qhsh/pluginclient/protocol/xboard"
)

const gib = 1 << 30

func TestMostHash(t *testing.T) {
	for _, c := range []struct {
		memory uint64
		want   int
	}{
		{0, math.MaxInt},
		{1, 1},
		{1 << 20, 1},
		{4 << 20, 3},
		{1 * gib, 768},
		{23*gib + 777, 17664},
		{80 * gib, 61440},
		{88 * gib, 67584},
		{1 << 63, math.MaxInt / 4 * 3 >> 20},
	} {
		if got := maxHash(c.memory); got != c.want {
			t.Errorf("%d bytes: at most %d MiB, want %d", c.memory, got, c.want)
		}
	}
}

// TestHashBeyondTheMachine: a hash table that is larger than the machine's memory is refused before
// it is allocated, and the error names a size that fits.
func TestHashBeyondTheMachine(t *testing.T) {
	for _, c := range []struct {
		spec   string
		memory uint64
		want   string
	}{
		{"builtin,hash=65536", 23 * gib, "engine specification: builtin: hash=65536: this machine has 23552 MiB of memory, of which a table may have three quarters: give at most hash=17664"},
		{"builtin,hash=1048576", 23 * gib, "engine specification: builtin: hash=1048576: this machine has 23552 MiB of memory, of which a table may have three quarters: give at most hash=17664"},
		{"builtin,hash=65537", 1 << 50, "engine specification: builtin: search: hash=65537: want 1 to 65536 MiB"},
		{"builtin,hash=4", 5 << 20, "engine specification: builtin: hash=4: this machine has 5 MiB of memory, of which a table may have three quarters: give at most hash=3"},
		{"quoridor,hash=65536", 23 * gib, "engine specification: quoridor: hash=65536: this machine has 23552 MiB of memory, of which a table may have three quarters: give at most hash=17664"},
		{"builtin,hash=3", 4 << 20, ""},
		{"quoridor,hash=3", 4 << 20, ""},
	} {
		s, err := Open(t.Context(), c.spec, Options{Games: games.Default, Memory: c.memory})
		switch {
		case err == nil:
			s.Close()
			if c.want != "" {
				t.Errorf("%s with %d bytes was opened", c.spec, c.memory)
			}
		case err.Error() != c.want || !errors.Is(err, ErrSpec):
			t.Errorf("%s with %d bytes: error %v\nwant %s", c.spec, c.memory, err, c.want)
		}
	}
}

// TestHashOfManyEngines: the tables of all open engines count together, in both games; those of
// closed engines do not count.
func TestHashOfManyEngines(t *testing.T) {
	o := Options{Games: games.Default, Memory: 128 << 20} // 96 MiB for tables
	open := func(spec, want string) func() error {
		t.Helper()
		s, err := Open(t.Context(), spec, o)
		if err != nil {
			if err.Error() != want {
				t.Errorf("%s: error %v\nwant %s", spec, err, want)
			}
			return nil
		}
		t.Cleanup(func() { s.Close() })
		if want != "" {
			t.Errorf("%s is opened, want error %s", spec, want)
		}
		return s.Close
	}
	const full = "engine specification: %s: hash=%d: the engines that are open have tables of %d MiB, and all together may have 96, three quarters of this machine's memory: open fewer engines, or give each a smaller table"
	first := open("builtin,hash=40", "")
	open("quoridor,hash=40", "")
	open("builtin,hash=40", fmt.Sprintf(full, "builtin", 40, 80))
	open("quoridor,hash=17", fmt.Sprintf(full, "quoridor", 17, 80))
	open("quoridor", "")
	for range 2 { // closing twice releases the memory once
		first()
	}
	open("builtin,hash=41", fmt.Sprintf(full, "builtin", 41, 56))
	open("builtin,hash=40,off=sorcery", "engine specification: builtin: off: no rule \"sorcery\": the rules are "+strings.Join(search.Rules(), ", "))
	open("builtin,hash=40", "")
	if _, _, err := newServerConfig(t.Context(), "UCI", parsed(t, "builtin,hash=1", o)); err == nil || err.Error() != fmt.Sprintf(full, "builtin", 1, 96) {
		t.Errorf("one more is served: %v", err)
	}
	if _, _, err := NewServer(t.Context(), parsed(t, "builtin,hash=1", o)); err == nil || err.Error() != fmt.Sprintf(full, "builtin", 1, 96) {
		t.Errorf("one more is a plugin: %v", err)
	}
}

// TestMachineMemory: this machine has enough memory for the defaults.
func TestMachineMemory(t *testing.T) {
	if most := maxHash(Options{Games: games.Default}.memory()); most < 16 {
		t.Errorf("at most %d MiB for a table", most)
	}
}

// served returns the embedded engine as served on a machine with the given memory.
func served(t *testing.T, spec string, memory uint64) uci.ServerConfig {
	t.Helper()
	s, closing, err := newServerConfig(t.Context(), "UCI", parsed(t, spec, Options{Games: games.Default, Memory: memory}))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { closing() })
	return s
}

// TestAdvertisedHash: no protocol advertises a table that would be refused, and a table that is too
// large does not end the conversation.
func TestAdvertisedHash(t *testing.T) {
	for _, c := range []struct {
		name, in string
		serve    func(out *strings.Builder, in string, s uci.ServerConfig) error
		want     []string
	}{
		{
			"uci", "uci\nsetoption name Hash value 65536\nisready\nquit\n",
			func(out *strings.Builder, in string, s uci.ServerConfig) error {
				return uci.UCI.Serve(t.Context(), strings.NewReader(in), out, s)
			},
			[]string{"option name Clear Hash type button", "option name Hash type spin default 16 min 1 max 96", "info string option Hash=65536: want a number from 1 to 96", "readyok"},
		},
		{
			"ucci", "ucci\nsetoption hashsize 65536\nisready\nquit\n",
			func(out *strings.Builder, in string, s uci.ServerConfig) error {
				return uci.UCCI.Serve(t.Context(), strings.NewReader(in), out, s)
			},
			[]string{"option hashsize type spin default 16 min 1 max 96", "info message option hashsize=65536: want a number from 1 to 96", "readyok"},
		},
		{
			"xboard", "xboard\nprotover 2\nmemory 65536\nping 1\nquit\n",
			func(out *strings.Builder, in string, s uci.ServerConfig) error {
				return xboard.Serve(t.Context(), strings.NewReader(in), out, s)
			},
			[]string{"Error (option Hash=65536, want a number from 1 to 96): Hash", "pong 1"},
		},
	} {
		var out strings.Builder
		if err := c.serve(&out, c.in, served(t, "builtin", 128<<20)); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		var got []string
		for line := range strings.Lines(out.String()) {
			if line = strings.TrimSpace(line); strings.Contains(strings.ToLower(line), "hash") || strings.HasPrefix(line, "readyok") || strings.HasPrefix(line, "pong") {
				got = append(got, line)
			}
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: -want +got:\n%s", c.name, diff)
		}
	}
}

// TestSettingsAreGathered: a setting takes effect when the engine is needed next, so only the last
// of several settings costs time. An impossible setting is refused immediately and changes nothing.
func TestSettingsAreGathered(t *testing.T) {
	s := served(t, "builtin,hash=2,threads=2", gib)
	a := s.Searcher.(*optionEngine)
	set := func(name, value, want string) {
		t.Helper()
		known, err := uci.SetOption(s.Options, name, value)
		if !known || fmt.Sprint(err) != want {
			t.Errorf("%s=%s: %v, %v, want %s", name, value, known, err, want)
		}
	}
	made := func() [2]int { return [2]int{a.Engine.Options().Hash, a.Engine.Options().Threads} }
	for _, value := range []string{"700", "3", "700", "5"} {
		set("Hash", value, "<nil>")
		set("Threads", value[:1], "<nil>")
	}
	set("Hash", "769", "option Hash=769: want a number from 1 to 768")
	set("Threads", "257", "option Threads=257: want a number from 1 to 256")
	if got, want := made(), [2]int{2, 2}; got != want {
		t.Errorf("before it is needed the engine has %v, want %v", got, want)
	}
	s.ApplyOptions()
	if got, want := made(), [2]int{5, 5}; got != want {
		t.Errorf("when it is needed the engine has %v, want %v", got, want)
	}
	set("Threads", "1", "<nil>")
	s.Searcher.(interface{ Forget() }).Forget()
	if got, want := made(), [2]int{5, 1}; got != want {
		t.Errorf("for a new game the engine has %v, want %v", got, want)
	}
	set("Hash", "4", "<nil>")
	s.ApplyOptions()
	if nodes := deepest(t, s.Searcher, engine.Limits{Depth: 3}); nodes == 0 || made() != [2]int{4, 1} {
		t.Errorf("after %d nodes the engine has %v", nodes, made())
	}
}
