package explore

import (
	"bufio"
	"context"
	"database/sql"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"qhsh/engine/enginetest"
	"qhsh/engine/games"
)

// addEnv makes a process of the tests one that adds files, which TestKilled kills.
const addEnv = "QHSH_TEST_ADD"

// rowsOfKilled is how many rows a transaction of such a process has, so that it has many.
const rowsOfKilled = 400

func TestMain(m *testing.M) {
	if path := os.Getenv(addEnv); path != "" {
		if err := addAndTell(path); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(enginetest.Main(m))
}

// addAndTell adds the text files of the working folder, and writes a line to stdout for each.
func addAndTell(path string) error {
	names, err := filepath.Glob("*.txt")
	if err != nil {
		return err
	}
	game := games.Default.DefaultGame()
	d, err := Create(context.Background(), path, games.Default, game)
	if err != nil {
		return err
	}
	if err := d.Add(context.Background(), games.Default.Records(game), names, AddOptions{
		OnSource: func(s Source) { fmt.Println(s.Name, s.Known) },
		maxRows:  rowsOfKilled,
	}); err != nil {
		return err
	}
	return d.Close()
}

// TestKilled kills processes that add files, each after some files that are new, and adds the same files
// until a process ends by itself. What is in the database then is what one process leaves that nobody
// disturbs.
func TestKilled(t *testing.T) {
	t.Chdir(t.TempDir())
	random := rand.New(rand.NewPCG(uint64(time.Now().UnixNano()), 0))
	writeLines(t, random, 40)
	if all, killed := adding(t, "whole.db", -1, 0); killed || len(all) != 40 {
		t.Fatalf("%d files; killed: %v", len(all), killed)
	}
	resumed, kills := 0, 0
	for {
		known, killed := adding(t, "killed.db", 1+random.IntN(8), time.Duration(random.IntN(3000))*time.Microsecond)
		if n := len(known) - len(slices.DeleteFunc(known, func(line string) bool { return strings.HasSuffix(line, " true") })); n > 0 {
			resumed++
		}
		if !killed {
			break
		}
		kills++
	}
	t.Logf("%d kills; %d processes found files of earlier ones", kills, resumed)
	if kills == 0 || resumed == 0 {
		t.Errorf("%d kills, after which %d processes found files: want some of both", kills, resumed)
	}
	if diff := cmp.Diff(dump(t, "whole.db"), dump(t, "killed.db")); diff != "" {
		t.Error(diff)
	}
}

// adding starts a process that adds files, and kills it a moment after it has told of new new ones. It
// returns the lines of the process, and reports whether it was killed before its end.
func adding(t *testing.T, path string, new int, moment time.Duration) (lines []string, killed bool) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), addEnv+"="+path)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var errors strings.Builder
	cmd.Stderr = &errors
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	guard := time.AfterFunc(time.Minute, func() { _ = cmd.Process.Kill() })
	defer guard.Stop()
	for in := bufio.NewScanner(out); in.Scan(); {
		lines = append(lines, in.Text())
		if new--; strings.HasSuffix(in.Text(), " true") {
			new++
		}
		if new == 0 {
			time.Sleep(moment)
			_ = cmd.Process.Kill() // an error: it has ended
		}
	}
	err = cmd.Wait()
	if errors.Len() > 0 {
		t.Fatalf("%v: %s", err, errors.String())
	}
	return lines, err != nil
}

// writeLines writes files of random games, of which some have a duplicate in another file.
func writeLines(t *testing.T, random *rand.Rand, files int) {
	t.Helper()
	var lines []string
	for file := range files {
		var text strings.Builder
		for range 4 {
			if len(lines) > 0 && random.IntN(8) == 0 {
				text.WriteString(lines[random.IntN(len(lines))])
				continue
			}
			line := randomLine(t, random, 30)
			lines = append(lines, line)
			text.WriteString(line)
		}
		write(t, ".", map[string]string{fmt.Sprintf("%03d.txt", file): text.String()})
	}
}

// randomLine returns a game of random moves.
func randomLine(t *testing.T, random *rand.Rand, plies int) string {
	t.Helper()
	pos := games.Default.DefaultGame().Start()
	text := "startpos moves"
	for range plies {
		legal := pos.Moves()
		if len(legal) == 0 {
			break
		}
		m := legal[random.IntN(len(legal))]
		text += " " + pos.Format(m)
		next, err := pos.Play(m)
		if err != nil {
			t.Fatal(err)
		}
		pos = next
	}
	return text + "\n"
}

// dump returns all rows of all tables.
func dump(t *testing.T, path string) (all []string) {
	t.Helper()
	d, err := Open(t.Context(), path, games.Default, games.Default.DefaultGame())
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	for _, table := range []string{"explorer", "sources", "names", "games", "lines", "plies", "scores"} {
		r, err := d.db.Query("SELECT * FROM " + table)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		columns, err := r.Columns()
		if err != nil {
			t.Fatal(err)
		}
		row, pointers := make([]sql.RawBytes, len(columns)), make([]any, len(columns))
		for i := range row {
			pointers[i] = &row[i]
		}
		for r.Next() {
			if err := r.Scan(pointers...); err != nil {
				t.Fatal(err)
			}
			all = append(all, fmt.Sprintf("%s %q", table, row))
		}
		if err := r.Err(); err != nil {
			t.Fatal(err)
		}
	}
	return all
}
