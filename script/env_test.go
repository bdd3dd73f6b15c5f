package script

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"qhsh/engine"
	"qhsh/engine/enginetest"
	"qhsh/pluginclient"
	"qhsh/pluginclient/protocol/qhplugin"
)

func TestMain(m *testing.M) {
	stopGrace = limitGrace // no test depends on the machine's speed
	os.Exit(enginetest.Main(m))
}

// fake proposes the first legal moves, with decreasing scores. If slow is set, it thinks until it
// is told to stop.
type fake struct{ slow bool }

func (fake) Levels() []engine.Level {
	return []engine.Level{{ID: 1, Text: "first move"}, {ID: 2, Text: "first move, too"}}
}

func (f fake) Search(ctx context.Context, pos engine.Position, lim engine.Limits) iter.Seq2[[]engine.Line, error] {
	return func(yield func([]engine.Line, error) bool) {
		if f.slow {
			<-ctx.Done()
			yield(nil, context.Cause(ctx))
			return
		}
		var lines []engine.Line
		for _, m := range pos.Moves() {
			if len(lines) < max(lim.Lines, 1) && !slices.Contains(lim.Ban, m) {
				lines = append(lines, engine.Line{Moves: []engine.Move{m}, Score: engine.Centipawns(10 - 5*len(lines)), Depth: 1})
			}
		}
		yield(lines, nil)
	}
}

// shaky fails on every other search.
type shaky struct {
	fake
	searches *atomic.Int32
}

func (s shaky) Search(ctx context.Context, pos engine.Position, lim engine.Limits) iter.Seq2[[]engine.Line, error] {
	if s.searches.Add(1)%2 == 1 {
		return func(yield func([]engine.Line, error) bool) { yield(nil, errors.New("a bad day")) }
	}
	return s.fake.Search(ctx, pos, lim)
}

// stage is the environment in which a test runs a script.
type stage struct {
	Options
	opened   atomic.Int32
	confused *confused                                                                             // the engine for the SPEC confused
	opener   func(ctx context.Context, spec string, o EngineOptions) (pluginclient.Session, error) // nil: engines are fake
	args     []string
	files    map[string]string // in the script's folder
}

// open returns a fake engine, whatever the SPEC.
func (s *stage) open(ctx context.Context, spec string, o EngineOptions) (pluginclient.Session, error) {
	s.opened.Add(1)
	if s.opener != nil {
		return s.opener(ctx, spec, o)
	}
	if spec == "confused" {
		return s.confused, nil
	}
	var searcher engine.Searcher = fake{slow: spec == "slow"}
	if spec == "shaky" {
		searcher = shaky{searches: new(atomic.Int32)}
	}
	server := &qhplugin.Server{Searcher: searcher, Name: "Fake 1.0", Text: []string{"plays the first legal move"}}
	client, err := qhplugin.Dial(ctx, qhplugin.InProcess(server), qhplugin.Options{})
	if err != nil {
		return nil, err
	}
	if level := o.Level; level != nil {
		if err := client.SetLevel(ctx, *level); err != nil {
			client.Close()
			return nil, err
		}
	}
	return client, nil
}

// run runs a script and returns all its output: stdout, then stderr after !, then the error after
// #.
func (s *stage) run(t *testing.T, source string) string {
	t.Helper()
	text, err := s.try(t, t.Context(), source)
	if err != nil {
		text += "#" + strings.ReplaceAll(err.Error(), "\n", "\n#") + "\n"
	}
	return text
}

func (s *stage) try(t *testing.T, ctx context.Context, source string) (string, error) {
	t.Helper()
	dir := t.TempDir()
	s.files["main.star"] = source
	for name, text := range s.files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	var out, said strings.Builder
	o := s.Options
	o.Open, o.Stdout, o.Stderr = s.open, &out, &said
	e := newEnv(o)
	defer e.Close(ctx)
	err := e.RunFile(ctx, filepath.Join(dir, "main.star"), s.args)
	if pathErr, ok := err.(*Error); ok {
		err = pathErr.Traced()
	}
	if err != nil {
		err = fmt.Errorf("%s", strings.ReplaceAll(err.Error(), dir+string(filepath.Separator), ""))
	}
	text := out.String()
	for line := range strings.Lines(said.String()) {
		text += "!" + line
	}
	return text, err
}

func newStage() *stage {
	s := &stage{files: map[string]string{}}
	s.Embedded = embedded
	return s
}

// stageIn returns a stage whose -out folder is dir.
func stageIn(t *testing.T, dir string) *stage {
	t.Helper()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { root.Close() })
	s := newStage()
	s.Out = root
	return s
}

// embedded reports builtin and its hash.
func embedded(spec string, _ EngineOptions) (memory int, ok bool) {
	name, hash, _ := strings.Cut(spec, ",hash=")
	memory, _ = strconv.Atoi(hash)
	return memory, name == embeddedEngine
}

// check runs a script and compares all its output.
func check(t *testing.T, s *stage, source, want string) {
	t.Helper()
	if diff := cmp.Diff(want, s.run(t, source)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// inTime fails if a run that must end at once takes long.
func inTime(t *testing.T, run func()) {
	t.Helper()
	done := make(chan struct{})
	go func() {
		defer close(done)
		run()
	}()
	select {
	case <-done:
	case <-time.After(time.Minute):
		t.Fatal("the run does not end")
	}
}
