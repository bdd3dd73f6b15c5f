package main

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"qhsh/engine"
	"qhsh/engine/games"
	"qhsh/engine/printable"
	"qhsh/pluginclient"
	"qhsh/pluginclient/attach"
	"qhsh/pluginclient/task/analyze"
	"qhsh/pluginclient/task/annotate"
	"qhsh/pluginclient/task/explore"
	"qhsh/pluginclient/task/serve"
)

const (
	// servePort is tried first. Each port is another origin to a browser, which remembers what a reader has
	// chosen by origin.
	servePort  = 7373
	serveTries = 20 // ports
	// serveIdle is how long engines run that no page needs.
	serveIdle = time.Minute
	// minToken is the length of the shortest token that cannot be guessed, in characters.
	minToken = 16
)

var serveCommand = command{
	name:     "serve",
	operands: "[FILE...]",
	summary:  "open a board in the browser: games, and lines of engines as they think",
	complete: filesThat(isRecord, arePositions),
	setup:    defined[serveAction],
}

type serveAction struct {
	engineFlags
	gameFlags
	engines []string
	address string
	token   string
	db      string
	show    bool
	jobs    int
}

func (c *serveAction) define(fs *flag.FlagSet, all games.Table) {
	fs.StringVar(&c.address, "addr", "", fmt.Sprintf("listen at this `HOST:PORT`; without it at 127.0.0.1:%d or the next free port", servePort))
	fs.Var(list(&c.engines), "engine", "analyse with the engine of this `NAME=SPEC`, see 'qhsh help engines'; may be repeated; by default the embedded engine of the game")
	defineJobs(fs, &c.jobs, "run each engine up to `N` times at the same time, for several pages")
	fs.StringVar(&c.db, "db", "", "show what was played in a position by the database `FILE` of 'qhsh explore'")
	fs.BoolVar(&c.show, "open", true, "open the page in the browser, if standard error is a terminal")
	fs.StringVar(&c.token, "token", "", "the token that opens the page is in `FILE`, and not another one at each start; it is made if there is none")
	c.gameFlags.define(fs, all)
	c.defineEngines(fs)
}

func (c *serveAction) run(ctx context.Context, h host, operands []string) (err error) {
	game, err := c.game()
	if err != nil {
		return err
	}
	token, err := c.readToken()
	if err != nil {
		return err
	}
	say := func(text string) { h.sayf("serve", "%s", text) }
	run, err := c.begin(h, say)
	if err != nil {
		return err
	}
	defer run.end(ctx, &err)
	named := c.parseNames(run)
	players, err := run.openPlayers(ctx, c.engines)
	if err == nil {
		err = refuseNamesakes(players)
	}
	if err != nil {
		return err
	}
	var db *explore.DB
	if c.db != "" {
		if db, err = explore.Open(ctx, c.db, h.Games, game); err != nil {
			return usageError{err}
		}
		defer closeInto(&err, db.Close)
	}
	listener, err := c.listen(ctx)
	if err != nil {
		return err
	}
	defer listener.Close()
	dir := ""
	if h.StateDir != "" {
		dir = filepath.Join(h.StateDir, "serve")
	}
	board := func(p engine.Position) string { return h.Games.Draw(p, games.TextOptions{}) }
	server, err := serve.New(ctx, serve.Options{
		Games: h.Games, Dir: dir, Token: token, Idle: serveIdle, DB: db, Warn: say,
		Engines: c.offers(run, players, named), Analyze: analyze.Options{Version: pluginclient.Version, Board: board},
	})
	if err != nil {
		return err
	}
	defer server.Close()
	for _, name := range operands {
		if err := server.Open(ctx, name, game); err != nil {
			return usageError{withoutCall(err)}
		}
	}
	for _, p := range players { // so that one that does not start is known now
		played, err := p.engine.FindGame(ctx)
		if err == nil {
			err = server.StartEngines(played)
		}
		if err != nil {
			return err
		}
	}
	_, port, err := net.SplitHostPort(listener.Addr().String())
	if err != nil {
		return err
	}
	web := &http.Server{Handler: server.Handler(port), ReadHeaderTimeout: 10 * time.Second, MaxHeaderBytes: 1 << 16}
	stop := context.AfterFunc(ctx, func() { web.Close() })
	defer stop()
	address := fmt.Sprintf("http://%s/?token=%s", listener.Addr(), token)
	if _, err := fmt.Fprintln(h.Stdout, address); err != nil {
		return err
	}
	if c.show && h.StderrTTY {
		say("open this address in a browser, if it does not open by itself; Ctrl-C ends the server")
		openBrowser(address, h.Env)
	}
	if err := web.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil // a reader who ends it has what was wanted
}

// listen listens at the address of -addr, or at the first free port.
func (c *serveAction) listen(ctx context.Context) (net.Listener, error) {
	var config net.ListenConfig
	if c.address != "" {
		host, _, err := net.SplitHostPort(c.address)
		if err != nil {
			return nil, usagef("-addr: want HOST:PORT, such as 127.0.0.1:%d", servePort)
		}
		if ip := net.ParseIP(host); host != "localhost" && (ip == nil || !ip.IsLoopback()) && c.token == "" {
			return nil, usagef("-addr: others can reach %s: add -token FILE, whose token only you and they know", cmp.Or(host, "every address"))
		}
		listener, err := config.Listen(ctx, "tcp", c.address)
		if err != nil {
			return nil, usagef("-addr: %w", err)
		}
		return listener, nil
	}
	var failed error
	for i := range serveTries {
		listener, err := config.Listen(ctx, "tcp", fmt.Sprintf("127.0.0.1:%d", servePort+i))
		if err == nil {
			return listener, nil
		}
		failed = err
	}
	return nil, usagef("no free port: %w: name one by -addr", failed)
}

// readToken returns the token of -token, or a new one.
func (c *serveAction) readToken() (string, error) {
	if c.token == "" {
		return rand.Text(), nil
	}
	text, err := os.ReadFile(c.token)
	if errors.Is(err, fs.ErrNotExist) {
		token := rand.Text()
		if err := os.WriteFile(c.token, []byte(token+"\n"), 0o600); err != nil {
			return "", usagef("-token: %w", withoutCall(err))
		}
		return token, nil
	}
	token := strings.TrimSpace(string(text))
	switch {
	case err != nil:
		return "", usageError{withoutCall(err)}
	case len(token) < minToken || strings.ContainsFunc(token, func(r rune) bool { return r <= ' ' || r > '~' || strings.ContainsRune("&#%+=;,\"\\", r) }):
		return "", usagef("-token: %s: want one word of at least %d letters and digits; an empty place gets a new one", c.token, minToken)
	}
	return token, nil
}

// parseNames returns the engines of engines.json. One whose SPEC is wrong is left out.
func (c *serveAction) parseNames(run *engineRun) (all []parsedPlayer) {
	for _, name := range slices.Sorted(maps.Keys(run.options.Names)) {
		e, err := run.parse(name)
		if err != nil {
			run.options.Warn(fmt.Sprintf("engines.json: %s: %s", name, printable.Error(err)))
			continue
		}
		all = append(all, parsedPlayer{given: name, engine: e})
	}
	return all
}

// offers returns what lists the engines for a game: those of -engine, the embedded one, and those of engines.json. The
// usual ones are those of -engine, or else the embedded one.
func (c *serveAction) offers(run *engineRun, players, named []parsedPlayer) func(engine.Game) ([]serve.Offer, error) {
	all := run.h.Games
	return func(game engine.Game) (offers []serve.Offer, err error) {
		add := func(name string, usual bool, e *attach.Engine) {
			plays := all.Describe(e.Game) == all.Describe(game) || e.GameGuess && e.Game.Name() == game.Name()
			if plays && !slices.ContainsFunc(offers, func(o serve.Offer) bool { return o.Name == name }) {
				offers = append(offers, serve.Offer{Name: name, Usual: usual, Open: c.starter(run, name, e, game)})
			}
		}
		for _, p := range players {
			add(p.given, true, p.engine)
		}
		if spec := embeddedSpec(all, game); spec != "" {
			e, err := attach.Parse(spec, run.options)
			if err != nil {
				return nil, err
			}
			add(e.Name, len(offers) == 0, e)
		}
		for _, p := range named {
			add(p.given, false, p.engine)
		}
		return offers, nil
	}
}

func (c *serveAction) starter(run *engineRun, name string, e *attach.Engine, game engine.Game) func(context.Context, map[string]string) (analyze.Engine, []games.Option, error) {
	all := run.h.Games
	return func(ctx context.Context, set map[string]string) (started analyze.Engine, options []games.Option, err error) {
		own, err := e.WithOffered(set)
		if err != nil {
			return started, nil, err
		}
		engines, closing, err := startAll(ctx, run, []parsedPlayer{{given: name, engine: own}}, c.jobs, engine.Limits{Lines: 1}, annotate.DefaultDeeper, false)
		if err != nil {
			return started, nil, err
		}
		if all.Describe(own.Game) != all.Describe(game) {
			closing()
			return started, nil, fmt.Errorf("%s is for %s", name, all.Describe(own.Game))
		}
		return engines[0], e.Offered(engines[0].Pool.First()), nil
	}
}

// embeddedSpec returns the SPEC of the embedded engine of a game, empty if there is none.
func embeddedSpec(all games.Table, game engine.Game) string {
	row := all.Row(game)
	name := all.EngineName(row.Game.Name())
	switch {
	case row.Engine == nil:
		return ""
	case all.Describe(game) == all.Describe(row.Game):
		return name
	}
	for _, o := range row.Options {
		name += "," + o.Name + "=" + row.Values(game)[o.Name]
	}
	return name
}

// openBrowser has the system open an address. A system that cannot is no failure: the address is on the screen.
func openBrowser(address string, env func(string) string) {
	words := map[string][]string{"windows": {"rundll32", "url.dll,FileProtocolHandler"}, "darwin": {"open"}}[runtime.GOOS]
	if words == nil {
		if env("DISPLAY")+env("WAYLAND_DISPLAY") == "" {
			return // or a browser of text would take the terminal
		}
		words = []string{"xdg-open"}
	}
	browser := exec.Command(words[0], append(words[1:], address)...)
	if browser.Start() == nil {
		go func() { _ = browser.Wait() }()
	}
}
