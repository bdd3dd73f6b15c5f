package cluster_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"qhsh/engine"
	"qhsh/engine/games"
	"qhsh/pluginclient"
	"qhsh/pluginclient/attach"
	"qhsh/pluginclient/task/batch"
	"qhsh/pluginclient/task/batch/input"
	"qhsh/pluginclient/task/cluster"
	"qhsh/pluginclient/task/cluster/job"
	"qhsh/pluginclient/task/explore"
)

// attachOptions are the options of engines with names.
func attachOptions(names map[string]string) attach.Options {
	return attach.Options{Games: games.Default, Names: names, ClientOptions: pluginclient.ClientOptions{Deadlines: pluginclient.DefaultDeadlines()}}
}

// startEngines starts a worker with engines of these names.
func startEngines(t *testing.T, s *testServer, names map[string]string) {
	t.Helper()
	engines, err := job.NewEngines(t.Context(), attachOptions(names), "build")
	if err != nil {
		t.Fatal(err)
	}
	s.engines++
	startWorkerWith(t, s.url(), testTiming, cluster.WorkerOptions{
		Host: "test", Build: "build", Jobs: 2, Engines: engines.List(), Handlers: engines.Handlers(ignore),
		Check: engines.Check, Describe: engines.Describe, Say: ignore,
	})
}

// newCoordinator returns a coordinator that knows the workers.
func newCoordinator(t *testing.T, s *testServer) *job.Coordinator {
	t.Helper()
	c := &job.Coordinator{Client: connect(t, s.url(), testTiming), Title: t.Name(), Host: "test", Build: "build", Warn: func(text string) { t.Log(text) }}
	await(t, func() bool {
		if err := c.Find(t.Context()); err != nil {
			t.Fatal(err)
		}
		return c.Found == s.engines
	})
	return c
}

// openAsker returns what has positions searched by the engine of a SPEC.
func openAsker(ctx context.Context, c *job.Coordinator, spec string, lim engine.Limits) (*job.Asker, error) {
	o := attachOptions(c.Names())
	e, err := attach.Parse(spec, o)
	if err != nil {
		return nil, err
	}
	return c.NewAsker(ctx, job.AskerOptions{Engine: e, Limits: lim, Deadlines: o.Deadlines, Open: e.Open, History: true})
}

// answersOf returns what a run writes for some positions, a line that is none and a finished game.
func answersOf(t *testing.T, asker batch.Asker) string {
	t.Helper()
	text, err := os.ReadFile(filepath.FromSlash("../../../examples/positions.fen"))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(text), "\n")[:60]
	lines = append(lines, "nonsense", "startpos moves h2e2 h9g7", lines[10])
	src, err := input.Open(games.Default.AnyNotation(games.Default.DefaultGame()), strings.NewReader(strings.Join(lines, "\n")), input.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if _, err := batch.Run(t.Context(), src, batch.Formats(2)[0].Write(&out), asker, batch.Options{}); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(out.String(), `"found":{`) {
		t.Error("no history")
	}
	return regexp.MustCompile(`,"time":\d+`).ReplaceAllString(out.String(), "") // of a history
}

// TestPositions: a cluster writes what a pool of engines writes, of an embedded engine and of one
// that workers have by name.
func TestPositions(t *testing.T) {
	t.Parallel()
	names := map[string]string{"fast": "builtin,nodes=300"}
	s := startServer(t)
	startEngines(t, s, names)
	startEngines(t, s, names)
	c := newCoordinator(t, s)
	for _, spec := range []string{"builtin", "fast"} {
		lim := engine.Limits{Level: 1, Lines: 2}
		if spec == "fast" {
			lim.Level = 0
		}
		e := parsed(t, spec, names)
		pool, err := batch.NewPool(t.Context(), batch.PoolOptions{Spec: e.Spec, Limits: lim, Jobs: 2, Open: e.Open, History: true})
		if err != nil {
			t.Fatal(err)
		}
		defer pool.Close()
		asker, err := openAsker(t.Context(), c, spec, lim)
		if err != nil {
			t.Fatal(err)
		}
		defer asker.Close()
		if diff := cmp.Diff(pool.Identity(), asker.Identity()); diff != "" {
			t.Error(diff)
		}
		if diff := cmp.Diff(answersOf(t, pool), answersOf(t, asker)); diff != "" {
			t.Errorf("%s: %s", spec, diff)
		}
	}
}

// TestGarbage: a worker that answers garbage costs no position.
func TestGarbage(t *testing.T) {
	t.Parallel()
	s := startServer(t)
	s.engines++
	startWorkerWith(t, s.url(), testTiming, cluster.WorkerOptions{
		Host: "bad", Build: "build", Jobs: 8, Check: func(cluster.Terms) error { return nil }, Say: ignore,
		Handlers: map[string]cluster.Handler{"positions": func(context.Context, cluster.Terms, int) (cluster.Answerer, error) {
			return answerFunc(func(_ context.Context, unit []byte) ([]byte, error) { return unit, nil }), nil
		}},
	})
	startEngines(t, s, nil)
	asker, err := openAsker(t.Context(), newCoordinator(t, s), "builtin", engine.Limits{Level: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer asker.Close()
	if lost := strings.Count(answersOf(t, asker), `"error":`) - 1; lost != 0 { // one is a line that is no position
		t.Errorf("%d positions are lost", lost)
	}
}

// TestRefusedEngines: a worker starts nothing but its own engines and embedded ones without files.
func TestRefusedEngines(t *testing.T) {
	t.Parallel()
	own, err := job.NewEngines(t.Context(), attachOptions(map[string]string{"fast": "builtin,nodes=300"}), "build")
	if err != nil {
		t.Fatal(err)
	}
	fast := own.List()[0]
	embedded := parsed(t, "builtin,nodes=20", nil)
	fits := cluster.Engine{Spec: embedded.Spec, Evaluation: embedded.Evaluation}
	other := fast
	other.Spec = "builtin,nodes=400"
	for _, c := range []struct {
		wanted cluster.Engine
		build  string
		want   string
	}{
		{fits, "build", ""},
		{cluster.Engine{Spec: fits.Spec}, "build", "engine of a cluster: builtin,nodes=20: another evaluation"},
		{fits, "other", "engine of a cluster: it needs the embedded engine of build other, and this is build"},
		{cluster.Engine{Spec: "./engine -plugin"}, "build", `engine of a cluster: "./engine -plugin" is not an embedded engine without files`},
		{cluster.Engine{Spec: "uci:sh -c ls"}, "build", `engine of a cluster: "uci:sh -c ls" is not an embedded engine without files`},
		{cluster.Engine{Spec: "builtin,eval=/etc/passwd"}, "build", `engine of a cluster: "builtin,eval=/etc/passwd" is not an embedded engine without files`},
		{cluster.Engine{Spec: "chessdb,url='http://localhost/'"}, "build", `engine of a cluster: "chessdb,url='http://localhost/'" is not an embedded engine without files`},
		{cluster.Engine{Spec: "fast"}, "build", `engine of a cluster: "fast" is not an embedded engine without files`},
		{cluster.Engine{Name: "slow"}, "build", "engine of a cluster: no engine named slow"},
		{other, "build", "engine of a cluster: fast: other SPEC or files than the run needs"},
		{fast, "other", ""},
	} {
		got := ""
		if err := own.Check(cluster.Terms{Engines: []cluster.Engine{c.wanted}, Build: c.build}); err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%+v: %s, want %s", c.wanted, got, c.want)
		}
	}
}

// TestRefusedNumbers: a run's numbers neither keep a worker busy for ever nor keep it from ending.
func TestRefusedNumbers(t *testing.T) {
	t.Parallel()
	engines, err := job.NewEngines(t.Context(), attachOptions(nil), "build")
	if err != nil {
		t.Fatal(err)
	}
	for setup, ok := range map[string]bool{
		`{"spec":"builtin"}`: true,
		`{"spec":"builtin","deeper":9,"limits":{"Nodes":100},"deadlines":{"Quit":60000000000}}`: true,
		`{"spec":"builtin","deeper":9000000000000000000}`:                                       false,
		`{"spec":"builtin","limits":{"Nodes":-1}}`:                                              false,
		`{"spec":"builtin","limits":{"Lines":-1}}`:                                              false,
		`{"spec":"builtin","deadlines":{"Start":-1}}`:                                           false,
		`{"spec":"builtin","deadlines":{"Quit":3600000000000}}`:                                 false,
	} {
		if _, err := engines.Describe(t.Context(), json.RawMessage(setup)); (err == nil) != ok {
			t.Errorf("%s: %v", setup, err)
		}
	}
}

// TestEngineOfNobody: the coordinator says what the cluster does not have.
func TestEngineOfNobody(t *testing.T) {
	t.Parallel()
	s := startServer(t)
	startEngines(t, s, map[string]string{"fast": "builtin,nodes=300"})
	c := newCoordinator(t, s)
	_, err := openAsker(t.Context(), c, "slow", engine.Limits{})
	if !errors.Is(err, job.ErrEngine) || !strings.Contains(err.Error(), `workers have no engine named "slow": they have fast`) {
		t.Error(err)
	}
}

// TestEnginesOfOneName: a run is warned if workers differ in the engine that it uses, and only then.
func TestEnginesOfOneName(t *testing.T) {
	t.Parallel()
	s := startServer(t)
	for _, spec := range []string{"builtin,nodes=300", "builtin,nodes=400", "builtin,nodes=400"} {
		startEngines(t, s, map[string]string{"fast": spec})
	}
	c := newCoordinator(t, s)
	var warnings []string
	c.Warn = func(text string) { warnings = append(warnings, text) }
	for _, spec := range []string{"builtin", "fast", "fast"} {
		asker, err := openAsker(t.Context(), c, spec, engine.Limits{Nodes: 100})
		if err != nil {
			t.Fatal(err)
		}
		defer asker.Close()
	}
	want := []string{"workers have 2 engines named fast, which differ in SPEC or files: using builtin,nodes=400, with 4 of their 6 jobs"}
	if diff := cmp.Diff(want, warnings); diff != "" {
		t.Error(diff)
	}
}

// TestOtherBook: an engine whose book has changed since the run began does not work for it.
func TestOtherBook(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "book.db")
	addGame := func(name, line string) {
		t.Helper()
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte(line+"\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		game := games.Default.DefaultGame()
		db, err := explore.Create(t.Context(), path, games.Default, game)
		if err != nil {
			t.Fatal(err)
		}
		err = db.Add(t.Context(), games.Default.Records(game), []string{file}, explore.AddOptions{})
		if err := errors.Join(err, db.Close()); err != nil {
			t.Fatal(err)
		}
	}
	engines := func() *job.Engines {
		t.Helper()
		e, err := job.NewEngines(t.Context(), attachOptions(map[string]string{"reader": "builtin,book=" + path}), "build")
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	addGame("one.txt", "startpos moves h2e2")
	run := cluster.Terms{Engines: engines().List(), Build: "build"}
	if err := engines().Check(run); err != nil {
		t.Error(err)
	}
	addGame("two.txt", "startpos moves b2e2")
	if err := engines().Check(run); !errors.Is(err, job.ErrEngine) {
		t.Errorf("another book: error %v", err)
	}
}
