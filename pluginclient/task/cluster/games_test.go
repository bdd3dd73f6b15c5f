package cluster_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"qhsh/engine"
	"qhsh/engine/games"
	"qhsh/pluginclient"
	"qhsh/pluginclient/attach"
	"qhsh/pluginclient/task/cluster"
	"qhsh/pluginclient/task/cluster/job"
	"qhsh/pluginclient/task/match"
	"qhsh/pluginclient/task/tune"
)

// player returns a player whose engines are in this process.
func player(name, spec string, level int) match.Player {
	o := attachOptions(nil)
	o.Level = &level
	return match.Player{Name: name, Spec: spec, Level: &level, Open: func(ctx context.Context) (pluginclient.Session, error) {
		return attach.Open(ctx, spec, o)
	}}
}

func parsed(t *testing.T, spec string, names map[string]string) *attach.Engine {
	t.Helper()
	e, err := attach.Parse(spec, attachOptions(names))
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// matchConfig returns the configuration of a match of four games.
func matchConfig(t *testing.T) match.Config {
	t.Helper()
	game := games.Default.DefaultGame()
	pos := game.Start()
	for _, move := range []string{"H2-E2", "H9-G7"} {
		m, err := pos.Parse(move)
		if err == nil {
			pos, err = pos.Play(m)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	c := match.Config{
		Game: game, Players: []match.Player{player("one", "builtin", 1), player("two", "builtin", 2)}, Tournament: match.RoundRobin,
		Games: 4, Rounds: 1, Repeat: true, Openings: []engine.Position{pos, game.Start()}, Order: match.Sequential, MaxMoves: 20,
	}
	var err error
	if c.Judge, c.Rules, err = games.Default.Adjudicator(game, ""); err != nil {
		t.Fatal(err)
	}
	return c
}

// records are an output of a match.
type records []match.Record

func (r *records) Write(one match.Record) error {
	*r = append(*r, one)
	return nil
}

// sameGames ignores when games were played.
var sameGames = cmp.Options{cmpopts.IgnoreFields(match.Record{}, "Date", "Seconds"), cmpopts.IgnoreFields(match.Ply{}, "Seconds")}

// TestGames: the games of a match in a cluster are those of one machine.
func TestGames(t *testing.T) {
	t.Parallel()
	s := startServer(t)
	startEngines(t, s, nil)
	config := matchConfig(t)
	table, err := newCoordinator(t, s).NewTable(t.Context(), &config, []*attach.Engine{parsed(t, "builtin", nil)}, pluginclient.Deadlines{})
	if err != nil {
		t.Fatal(err)
	}
	defer table.Close()
	var here, there records
	if _, err := match.Run(t.Context(), &config, match.Options{Outputs: []match.Output{&here}, Jobs: 2}); err != nil {
		t.Fatal(err)
	}
	if _, err := match.Run(t.Context(), &config, match.Options{Outputs: []match.Output{&there}, Jobs: job.GamesAhead, Play: table.Play}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(here, there, sameGames); diff != "" {
		t.Error(diff)
	}
}

// TestTune: so are the values that tune finds, of an engine that workers have by name.
func TestTune(t *testing.T) {
	t.Parallel()
	s := startServer(t)
	names := map[string]string{"mine": "builtin,nodes=150"}
	startEngines(t, s, names)
	config := matchConfig(t)
	p, err := tune.ParseParam("margin.reverse=80,20,200,20")
	if err != nil {
		t.Fatal(err)
	}
	mine := parsed(t, "mine", names)
	table, err := newCoordinator(t, s).NewTable(t.Context(), &config, []*attach.Engine{mine}, mine.Options.Deadlines)
	if err != nil {
		t.Fatal(err)
	}
	defer table.Close()
	c := &tune.Config{Match: config, Spec: "mine", Params: []tune.Param{p}, Pairs: 4, Step: 2, Rate: 1}
	c.Player = func(name string, values []tune.Setting) (match.Player, error) {
		settings := []games.Setting{{Key: values[0].Name, Value: values[0].Value}}
		e, err := mine.WithOptions(settings)
		table.Derive(e.Spec, "mine", settings)
		return player(name, e.Spec, 1), err
	}
	here, err := tune.Run(t.Context(), c, tune.Options{Log: &tune.Log{}})
	if err != nil {
		t.Fatal(err)
	}
	there, err := tune.Run(t.Context(), c, tune.Options{Log: &tune.Log{}, Jobs: job.GamesAhead, Play: table.Play})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(here.Records, there.Records); diff != "" {
		t.Error(diff)
	}
	for value, want := range map[string]string{
		"30": "", "0": "engine specification: builtin: margin reverse=0: want 1 to 100000",
	} {
		p, err := c.Player("engine", []tune.Setting{{Name: p.Name, Value: value}})
		var names []string
		if err == nil {
			names, err = table.Try(t.Context(), p, mine.Kind)
		}
		if want == "" && (err != nil || len(names) != 1) || want != "" && (!errors.Is(err, attach.ErrSpec) || err.Error() != want) {
			t.Errorf("margin.reverse=%s: %v, %v; want %s", value, names, err, want)
		}
	}
}

// TestRefusedSettings: a run sets nothing but numbers of an engine's own options.
func TestRefusedSettings(t *testing.T) {
	t.Parallel()
	engines, err := job.NewEngines(t.Context(), attachOptions(map[string]string{"mine": "builtin"}), "build")
	if err != nil {
		t.Fatal(err)
	}
	a, err := engines.Handlers(ignore)["games"](t.Context(), cluster.Terms{Engines: engines.List(), Data: json.RawMessage("{}")}, 1)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	for _, setting := range []string{
		`{"Key":"dir","Value":"1"}`, `{"Key":"env.LD_PRELOAD","Value":"1"}`, `{"Key":"eval","Value":"/etc/passwd"}`,
		`{"Key":"eval","Value":"1"}`, `{"Key":"book","Value":"1"}`,
	} {
		one := `{"Name":"one","ref":{"name":"mine"},"settings":[` + setting + `]}`
		unit := `{"start":"` + strings.TrimSpace(games.Default.DefaultGame().Start().String()) + `\n","players":[` + one + "," + one + "]}"
		if _, err := a.Answer(t.Context(), []byte(unit)); !errors.Is(err, job.ErrEngine) {
			t.Errorf("%s: %v", setting, err)
		}
	}
}
