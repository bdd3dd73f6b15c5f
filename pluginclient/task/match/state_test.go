package match

import (
	"bytes"
	"context"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"qhsh/engine"
)

// playedFile plays a match and returns its file.
func playedFile(t *testing.T) (path string, config *Config, s *fakeEngines) {
	t.Helper()
	s = &fakeEngines{}
	config = stonesConfig(s.player("a", rank), s.player("b", rank), s.player("c", rank))
	config.Openings = []engine.Position{stonesAt(t, "5 first"), stonesAt(t, "9 second")}
	path = filepath.Join(t.TempDir(), "match.jsonl")
	resumeAndRun(t, path, config)
	return path, config, s
}

// resumeAndRun plays the missing games of a file.
func resumeAndRun(t interface {
	Helper()
	Fatal(...any)
}, path string, config *Config,
) *collector {
	t.Helper()
	state, err := OpenState(path, config, true)
	if err != nil {
		t.Fatal(err)
	}
	var out collector
	if _, err := Run(context.Background(), config, Options{Jobs: 2, Journal: state, Outputs: []Output{&out}}); err != nil {
		t.Fatal(err)
	}
	if err := state.Close(0); err != nil {
		t.Fatal(err)
	}
	return &out
}

// games returns the records of a file.
func games(t interface{ Fatal(...any) }, path string, config *Config) (records []Record) {
	state, err := OpenState(path, config, true)
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range slices.SortedFunc(maps.Keys(state.refs), func(a, b int) int { return int(state.refs[a] - state.refs[b]) }) {
		r, err := state.Read(n)
		if err != nil {
			t.Fatal(err)
		}
		records = append(records, withoutTimes(r))
	}
	if err := state.Close(0); err != nil {
		t.Fatal(err)
	}
	return records
}

// TestKilled shuffles the records and truncates the file at any byte, as a kill or a full disk
// would. The resumed, and perhaps extended, match has the same games, and its file the same lines
// in the same order.
func TestKilled(t *testing.T) {
	path, config, _ := playedFile(t)
	extended := *config
	extended.Rounds = 2
	lines := bytes.SplitAfter(must(os.ReadFile(path)), []byte("\n"))
	head, played := lines[0], lines[1:7]
	resumeAndRun(t, path, &extended)
	want := games(t, path, &extended)
	if len(want) != 12 {
		t.Fatalf("%d games", len(want))
	}
	rapid.Check(t, func(t *rapid.T) {
		killed := slices.Concat(head, bytes.Join(rapid.Permutation(played).Draw(t, "played"), nil))
		n := rapid.IntRange(0, len(killed)).Draw(t, "cut")
		if err := os.WriteFile(path, killed[:n], 0o666); err != nil {
			t.Fatal(err)
		}
		config, want := config, want[:6]
		if rapid.Bool().Draw(t, "extended") {
			config, want = &extended, want[:12]
		}
		out := resumeAndRun(t, path, config)
		if diff := cmp.Diff(want, out.records); diff != "" {
			t.Fatalf("cut at %d: %s", n, diff)
		}
		text := must(os.ReadFile(path))
		if !bytes.HasPrefix(text, config.Manifest()) {
			t.Fatalf("cut at %d: the manifest is %.300s", n, text)
		}
		for line := range bytes.Lines(killed[:n]) {
			if whole := line[len(line)-1] == '\n'; whole && !bytes.HasPrefix(line, []byte(ManifestPrefix)) && !bytes.Contains(text, line) {
				t.Fatalf("cut at %d: the file has lost %s", n, line)
			}
		}
		if diff := cmp.Diff(want, games(t, path, config)); diff != "" {
			t.Fatalf("cut at %d: %s", n, diff)
		}
	})
}

// TestResumeFinished checks that resuming a finished match starts no engine.
func TestResumeFinished(t *testing.T) {
	path, config, s := playedFile(t)
	before, opened := must(os.ReadFile(path)), s.opened
	if out := resumeAndRun(t, path, config); !slices.Equal(out.numbers(), upTo(6)) {
		t.Errorf("games %v", out.numbers())
	}
	if s.opened != opened || !bytes.Equal(before, must(os.ReadFile(path))) {
		t.Error("resuming changed the file or started engines")
	}
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// TestZeroes checks that zeroes at the end of the file, as left by a system crash, are dropped.
func TestZeroes(t *testing.T) {
	path, config, _ := playedFile(t)
	whole := must(os.ReadFile(path))
	lines := strings.SplitAfter(string(whole), "\n")
	for _, tail := range []string{strings.Repeat("\x00", 5000), "{\"game\":\x00\x00\n", "garbage\n", lines[6][:20] + "\n" + lines[6][30:]} {
		if err := os.WriteFile(path, append(slices.Clone(whole), tail...), 0o666); err != nil {
			t.Fatal(err)
		}
		resumeAndRun(t, path, config)
		if !bytes.Equal(whole, must(os.ReadFile(path))) {
			t.Errorf("%.20q was not dropped", tail)
		}
	}
}

// TestRefused checks the errors for files that cannot be resumed.
func TestRefused(t *testing.T) {
	path, config, _ := playedFile(t)
	whole := string(must(os.ReadFile(path)))
	lines := strings.SplitAfter(whole, "\n")
	other := *config
	other.Seed, other.Margin = 2, config.Margin*2
	retrained := *config
	retrained.Players = slices.Clone(config.Players)
	retrained.Players[0].Evaluation = "g2-0123456789abcdef"
	rewritten := *config
	rewritten.Seed = 2
	rewritten.Players = slices.Clone(config.Players)
	rewritten.Players[2].Book = "40960-01234567"
	rebuilt := *config
	rebuilt.Players = slices.Clone(config.Players)
	rebuilt.Players[1].Files = []string{"123-01234567"}
	tests := []struct {
		name   string
		text   string
		config *Config
		resume bool
		want   string
	}{
		{"without -resume", whole, config, false, "the file already has a match with 6 finished games: use -resume to resume it"},
		{"without -resume, torn", whole + "{", config, false, "the file already has a match with 6 finished games: use -resume to resume it"},
		{"another configuration", whole, &other, true, "configuration differs from the match being resumed: srand is 1 there and 2 here; timemargin is \"1s\" there and \"2s\" here"},
		{"another evaluation", whole, &retrained, true, `configuration differs from the match being resumed: players.a.evaluation is nothing there and "g2-0123456789abcdef" here`},
		{"another book", whole, &rewritten, true, `configuration differs from the match being resumed: players.c.book is nothing there and "40960-01234567" here; srand is 1 there and 2 here`},
		{"another program", whole, &rebuilt, true, `configuration differs from the match being resumed: players.b.engine_files is nothing there and ["123-01234567"] here`},
		{"an earlier version", strings.Replace(whole, `{"match":2`, `{"match":1`, 1), config, true, "configuration differs from the match being resumed: log version 1, but this program writes version 2"},
		{"a broken line", lines[0] + "x\n" + lines[1], config, true, "line 2: torn line: invalid character 'x' looking for beginning of value: remove the line, and -resume plays its game again"},
		{"a line of something else", lines[0] + "[1]\n", config, true, "line 2: a JSON array: want an object"},
		{"twice", lines[0] + lines[1] + lines[1], config, true, "line 3: duplicate game 1"},
		{"another game", lines[0] + strings.Replace(lines[1], `"game":1`, `"game":99`, 1), config, true, "line 2: the match has no game 99"},
		{"other players", lines[0] + strings.Replace(lines[1], `"first":"b"`, `"first":"x"`, 1), config, true, "line 2: game 1 is x against c, expected b against c"},
		{"no result", lines[0] + strings.Replace(lines[1], `"result":"`, `"result":"?`, 1), config, true, "line 2: game 1: invalid result \"?1-0\""},
		{"no match", "my diary\n", config, true, "not a match file"},
		{"no match, without -resume", "my diary", config, false, "not a match file"},
	}
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) {
			if err := os.WriteFile(path, []byte(c.text), 0o666); err != nil {
				t.Fatal(err)
			}
			_, err := OpenState(path, c.config, c.resume)
			if want := path + ": " + c.want; !errors.Is(err, ErrConfig) || err.Error() != want {
				t.Errorf("error %v, want %s", err, want)
			}
			if string(must(os.ReadFile(path))) != c.text {
				t.Error("the file was changed")
			}
		})
	}
	dir := filepath.Dir(path)
	if _, err := OpenState(dir, config, true); !errors.Is(err, ErrConfig) || err.Error() != dir+": not a regular file" {
		t.Errorf("directory: error %v", err)
	}
}

// TestExtended checks that a match can be resumed with more games or another SPRT if all finished
// games keep their place. The file then has the new configuration.
func TestExtended(t *testing.T) {
	more := func(games, rounds int) func(*Config) {
		return func(config *Config) { config.Games, config.Rounds = games, rounds }
	}
	test := func(elo0 float64) func(*Config) {
		return func(config *Config) {
			config.Games = 8
			config.SPRT = &SPRT{Elo0: elo0, Elo1: elo0 + 200, Alpha: 0.4, Beta: 0.4}
		}
	}
	for _, c := range []struct {
		name          string
		players       int
		first, second func(*Config)
		games         int    // expected at the end
		refused       string // empty: it is resumed
	}{
		{"more games", 2, more(2, 1), more(6, 1), 6, ""},
		{"more rounds", 3, more(2, 1), more(2, 3), 18, ""},
		{"no more games", 2, more(2, 1), more(1, 1), 2, ""}, // 1 is rounded up to a pair
		{"an SPRT, decided before", 2, more(8, 1), test(-300), 8, ""},
		{"no SPRT", 2, test(-300), more(8, 1), 8, ""},
		{"fewer games", 2, more(4, 1), more(2, 1), 4, "configuration differs from the match being resumed: games is 4 there and 2 here: finished games would change: line 4: the match has no game 3"},
		{"fewer rounds", 2, more(2, 2), more(4, 1), 4, "configuration differs from the match being resumed: games is 2 there and 4 here; rounds is 2 there and 1 here: finished games would change: line 4: game 3 is of pair 2 in round 2, expected pair 2 in round 1"},
		{"no SPRT and other settings", 2, test(-300), func(config *Config) { config.Games, config.Seed = 8, 9 }, 4, "configuration differs from the match being resumed: srand is 1 there and 9 here"},
		{"games between others", 3, more(2, 1), more(4, 1), 6, "configuration differs from the match being resumed: games is 2 there and 4 here: finished games would change: line 4: game 3 is a against b, expected b against c"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := &fakeEngines{}
			var players []Player
			for _, name := range []string{"a", "b", "c"}[:c.players] {
				players = append(players, s.player(name, rank))
			}
			first, second := stonesConfig(players...), stonesConfig(players...)
			c.first(first)
			c.second(second)
			path := filepath.Join(t.TempDir(), "match.jsonl")
			resumeAndClose(t, path, first)
			before := must(os.ReadFile(path))
			if c.refused != "" {
				_, err := OpenState(path, second, true)
				if err == nil || err.Error() != path+": "+c.refused {
					t.Errorf("error %v, want %s", err, c.refused)
				}
				if !bytes.Equal(before, must(os.ReadFile(path))) {
					t.Error("the file was changed")
				}
				return
			}
			for range 2 { // the second time all games are finished
				if table := resumeAndClose(t, path, second); table.Games != c.games {
					t.Errorf("the table has %d games", table.Games)
				}
				text := must(os.ReadFile(path))
				records, ok := bytes.CutPrefix(text, second.Manifest())
				if _, played, _ := bytes.Cut(before, []byte("\n")); !ok || !bytes.HasPrefix(records, played) || bytes.Count(records, []byte("\n")) != c.games {
					t.Errorf("%s\nhas become\n%s", before, text)
				}
			}
		})
	}
}

// resumeAndClose resumes a file as the command does.
func resumeAndClose(t *testing.T, path string, config *Config) *Table {
	t.Helper()
	state, err := OpenState(path, config, true)
	if err != nil {
		t.Fatal(err)
	}
	table, err := Run(t.Context(), config, Options{Journal: state})
	if err != nil {
		t.Fatal(err)
	}
	last := 0
	if test := table.Test(); test != nil && test.Decision != "" {
		last = table.Games
	}
	if err := state.Close(last); err != nil {
		t.Fatal(err)
	}
	return table
}

// TestNoGamesYet checks that a file without games is not changed, and can be used for another
// match.
func TestNoGamesYet(t *testing.T) {
	path, config, _ := playedFile(t)
	lines := bytes.SplitAfter(must(os.ReadFile(path)), []byte("\n"))
	for _, n := range []int{0, 5, len(lines[0])} {
		if err := os.WriteFile(path, lines[0][:n], 0o666); err != nil {
			t.Fatal(err)
		}
		other := *config
		other.Seed = 99
		state, err := OpenState(path, &other, false)
		if err != nil {
			t.Fatal(err)
		}
		if err := state.Close(0); err != nil {
			t.Fatal(err)
		}
		if got := must(os.ReadFile(path)); !bytes.Equal(got, lines[0][:n]) {
			t.Errorf("%s", got)
		}
		if state, err = OpenState(path, &other, false); err != nil {
			t.Fatal(err)
		}
		if _, err := Run(t.Context(), &other, Options{Journal: state}); err != nil {
			t.Fatal(err)
		}
		if err := state.Close(0); err != nil {
			t.Fatal(err)
		}
		if got := must(os.ReadFile(path)); !bytes.HasPrefix(got, other.Manifest()) {
			t.Errorf("%s", got)
		}
	}
}

// TestNoFileWithoutGames checks that a match without finished games creates no file.
func TestNoFileWithoutGames(t *testing.T) {
	_, config, _ := playedFile(t)
	path := filepath.Join(t.TempDir(), "new.jsonl")
	for _, resume := range []bool{false, true} {
		state, err := OpenState(path, config, resume)
		if err != nil {
			t.Fatal(err)
		}
		if err := state.Close(0); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Lstat(path); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("the file is there: %v", err)
		}
	}
}

// TestLocked checks that two matches cannot use the same file.
func TestLocked(t *testing.T) {
	path, config, _ := playedFile(t)
	state, err := OpenState(path, config, true)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := OpenState(path, config, true); !errors.Is(err, ErrConfig) || !strings.Contains(err.Error(), "in use by another match") {
		t.Errorf("error %v", err)
	}
	if err := state.Close(0); err != nil {
		t.Fatal(err)
	}
	state, err = OpenState(path, config, true)
	if err != nil {
		t.Fatal(err)
	}
	if err := state.Close(0); err != nil {
		t.Fatal(err)
	}
}

// TestSorted checks that records stay in arrival order until Close, which sorts them and drops
// those after the limit.
func TestSorted(t *testing.T) {
	path, config, _ := playedFile(t)
	records := games(t, path, config)
	link := path + ".link"
	if err := os.Symlink(path, link); err != nil {
		link = path
	}
	if err := os.WriteFile(path, nil, 0o640); err != nil {
		t.Fatal(err)
	}
	for last, want := range map[int][]int{0: {1, 2, 4, 5}, 4: {1, 2, 4}} {
		if err := os.WriteFile(path, nil, 0o640); err != nil {
			t.Fatal(err)
		}
		state, err := OpenState(link, config, false)
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range []int{4, 2, 5, 1} {
			if err := state.Append(records[n-1]); err != nil {
				t.Fatal(err)
			}
			if r, err := state.Read(n); err != nil || r.Game != n {
				t.Errorf("game %d reads back as %d, %v", n, r.Game, err)
			}
		}
		if err := state.Close(last); err != nil {
			t.Fatal(err)
		}
		var got []int
		for _, r := range games(t, path, config) {
			got = append(got, r.Game)
		}
		if !slices.Equal(got, want) {
			t.Errorf("up to %d: %v", last, got)
		}
	}
	if left := must(filepath.Glob(path + "*")); len(left) > 2 {
		t.Errorf("left behind: %v", left)
	}
	if info := must(os.Lstat(link)); link != path && info.Mode()&os.ModeSymlink == 0 {
		t.Error("the link was replaced")
	}
}
