package puzzle

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"testing"

	"qhsh/engine"
	"qhsh/engine/games"
	"qhsh/engine/xiangqi"
	"qhsh/pluginclient"
	"qhsh/pluginclient/attach"
	"qhsh/pluginclient/task/batch"
	"qhsh/pluginclient/task/batch/input"
)

// deepLevel is the level at which puzzles are checked, one above that at which they are proved.
const deepLevel = 8

// TestStanding checks puzzles at deepLevel and reports how many stand: the engine chooses the move
// that wins, and no other wins. It makes as many as QHSH_PUZZLES says, of the games in $QHSH_DATA and at
// the levels of 'qhsh puzzles', or reads the file that it names. A thousand take hours.
func TestStanding(t *testing.T) {
	wanted := os.Getenv("QHSH_PUZZLES")
	if wanted == "" {
		t.Skip("QHSH_PUZZLES is not set")
	}
	composer := &Composer{openPool(t), Options{
		Levels: engine.NodeLevels(), Scan: 4, Prove: 7, Thresholds: DefaultThresholds(), Scale: engine.DefaultScale,
	}}
	if n, err := strconv.Atoi(wanted); err == nil {
		wanted = filepath.Join(t.TempDir(), "puzzles.jsonl")
		makePuzzles(t, composer, n, wanted)
	}
	src, err := openFile(input.Options{Name: wanted})
	if err != nil {
		t.Fatal(err)
	}
	var s standing
	if _, err := batch.Run(t.Context(), src, &s, deepAsker{composer}, batch.Options{}); err != nil {
		t.Fatal(err)
	}
	t.Logf("at level %d: %d puzzles, %d have the same first move, %d stand", deepLevel, s.all, s.same, s.stand)
	if s.all == 0 || s.stand*10 < s.all*9 {
		t.Error("fewer than nine in ten stand")
	}
}

func openFile(o input.Options) (batch.Source, error) {
	file, err := os.Open(o.Name)
	if err != nil {
		return nil, err
	}
	return input.OpenAndClose(xiangqi.Rules, file, o)
}

func openPool(t *testing.T) *batch.Pool {
	pool, err := batch.NewPool(t.Context(), batch.PoolOptions{
		Open: func(ctx context.Context) (pluginclient.Session, error) {
			return attach.Open(ctx, "builtin", attach.Options{Games: games.Default})
		},
		Jobs: runtime.GOMAXPROCS(0), Limits: engine.Limits{Level: deepLevel},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = pool.Close() })
	return pool
}

// makePuzzles writes n puzzles of real games to a file.
func makePuzzles(t *testing.T, c *Composer, n int, path string) {
	files, err := filepath.Glob(filepath.Join(os.Getenv("QHSH_DATA"), "games", "ccpd", "*", "*.pgn"))
	if err != nil || len(files) == 0 {
		t.Skip("QHSH_DATA has no games")
	}
	var open []func() (batch.Source, error)
	for _, name := range files {
		open = append(open, func() (batch.Source, error) {
			return openFile(input.Options{Name: name, Label: name, Records: games.Default.Records(xiangqi.Rules), Games: true})
		})
	}
	out, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	o := &Output{ForcedWin: "mate", Limit: n, OnFailed: func(a batch.Answer) { t.Log(a.Err) }}
	if _, err := batch.Run(t.Context(), batch.Concat(open...), o.Format(Formats()[0]).Write(out), c, batch.Options{}); err != nil {
		t.Fatal(err)
	}
}

// A deepAsker replies with the best move at deepLevel, and the best other.
type deepAsker struct{ *Composer }

func (a deepAsker) Ask(ctx context.Context, pos engine.Position) (batch.Reply, error) {
	first, err := a.search(ctx, pos, deepLevel)
	if err != nil {
		return batch.Reply{}, err
	}
	other, err := a.search(ctx, pos, deepLevel, first.moves[0])
	return batch.Reply{Hints: []batch.Hint{first.hint, other.hint}}, err
}

// A standing is a Sink that counts the puzzles that stand.
type standing struct{ all, same, stand int }

func (s *standing) Write(a batch.Answer) error {
	if a.Err != nil {
		return a.Err
	}
	s.all++
	if solved, _ := a.Solved(); !solved {
		return nil
	}
	s.same++
	win, _ := a.Hints[0].Score.Chance(engine.DefaultScale)
	other, _ := a.Hints[1].Score.Chance(engine.DefaultScale)
	if t := DefaultThresholds(); win >= t.Win && other <= t.Other {
		s.stand++
	}
	return nil
}
