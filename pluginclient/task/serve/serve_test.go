package serve

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"qhsh/engine"
	"qhsh/engine/enginetest"
	"qhsh/engine/enginetest/golden"
	"qhsh/engine/games"
	"qhsh/pluginclient"
	"qhsh/pluginclient/task/analyze"
	"qhsh/pluginclient/task/batch"
)

const token = "0123456789abcdef"

// start returns a server that keeps games in dir, and its address.
func start(t *testing.T, dir string, o Options) (*Server, string) {
	t.Helper()
	o.Games, o.Dir, o.Token = games.Default, dir, token
	if o.Warn == nil {
		o.Warn = func(text string) { t.Errorf("warning: %s", text) }
	}
	if o.Engines == nil {
		o.Engines = func(engine.Game) ([]Offer, error) { return nil, nil }
	}
	s, err := New(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	web := httptest.NewServer(nil)
	at, err := url.Parse(web.URL)
	if err != nil {
		t.Fatal(err)
	}
	web.Config.Handler = s.Handler(at.Port())
	t.Cleanup(func() { web.CloseClientConnections(); web.Close(); s.Close() })
	return s, web.URL
}

// send sends a request, and returns the answer: the status, headers that matter, and the body.
func send(t *testing.T, address, method, path, body string, header ...string) string {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, address+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+token)
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
		if header[i] == "Host" {
			r.Host = header[i+1]
		}
	}
	client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	answer, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	out := fmt.Sprintf("%d", answer.StatusCode)
	for _, name := range []string{"Location", "X-Lost", "Content-Disposition", "Set-Cookie", "Refresh"} {
		if value := answer.Header.Get(name); value != "" {
			out += fmt.Sprintf(" %s: %s", name, value)
		}
	}
	return out + "\n" + strings.TrimSuffix(string(text), "\n") + "\n"
}

func TestMain(m *testing.M) { os.Exit(enginetest.Main(m)) }

// TestRequests sends the requests of every file of testdata, one after the other, and compares the answers. A
// request is a line of its method, its path and what it sends; in a text that is no JSON, \n is a line's end.
func TestRequests(t *testing.T) {
	golden.Transcripts(t, "testdata", func(t *testing.T, transcript string) string {
		s, address := start(t, "", Options{Engines: fakeOffers})
		_, leave, err := s.sit(games.Default.DefaultGame())
		if err != nil {
			t.Fatal(err)
		}
		defer leave()
		var out strings.Builder
		for line := range strings.Lines(transcript) {
			request, ok := strings.CutPrefix(strings.TrimSuffix(line, "\n"), "> ")
			if !ok {
				continue
			}
			method, rest, _ := strings.Cut(request, " ")
			path, body, _ := strings.Cut(rest, " ")
			if !strings.HasPrefix(body, "{") {
				body = strings.ReplaceAll(body, `\n`, "\n")
			}
			fmt.Fprintf(&out, "> %s\n%s\n", request, shorten(send(t, address, method, path, body)))
			wait(t, s, func() bool {
				return slices.ContainsFunc(s.files, func(f *file) bool { return f.reading }) ||
					slices.ContainsFunc(slices.Collect(maps.Values(s.benches)), func(b *bench) bool {
						return slices.ContainsFunc(b.seats, func(st *seat) bool { return st.pending > 0 })
					})
			})
		}
		return out.String()
	})
}

// A fake is a Session that knows no move.
type fake struct{ pluginclient.Session }

func (fake) Info() pluginclient.Info { return pluginclient.Info{Name: "Fake"} }
func (fake) Level() (int, bool)      { return 0, false }
func (fake) Close() error            { return nil }

// fakeOffers are an engine with options, which does not start with one of them, and one that never starts.
func fakeOffers(g engine.Game) ([]Offer, error) {
	open := func(ctx context.Context, set map[string]string) (e analyze.Engine, options []games.Option, err error) {
		if set["Hash"] == "64" {
			return e, nil, errors.New("no memory")
		}
		e.Game = g
		e.Pool, err = batch.NewPool(ctx, batch.PoolOptions{Open: func(context.Context) (pluginclient.Session, error) { return fake{}, nil }})
		return e, []games.Option{
			{Name: "Hash", Min: 1, Max: 64, Default: "16"}, {Name: "Style", Words: []string{"solid", "risky"}, Default: "solid"}, {Name: "Nick", Text: true}, {Name: "Seed"},
		}, err
	}
	broken := func(context.Context, map[string]string) (e analyze.Engine, _ []games.Option, _ error) {
		return e, nil, errors.New("broken")
	}
	return []Offer{{Name: "good", Open: open}, {Name: "broken", Open: broken}}, nil
}

// shorten leaves out of a view what is the same in all.
func shorten(answer string) string {
	before, rest, found := strings.Cut(answer, `{"notations"`)
	if !found {
		return answer
	}
	_, after, _ := strings.Cut(rest, `"pgn"`)
	return before + `{…"pgn"` + after
}

// TestGuard has requests that others might send.
func TestGuard(t *testing.T) {
	_, address := start(t, "", Options{})
	host := strings.TrimPrefix(address, "http://")
	_, port, _ := strings.Cut(host, ":")
	cookie := "qhsh-" + port
	for _, c := range []struct {
		name, method, path string
		header             []string
		want               int
	}{
		{"no token", "GET", "/files", []string{"Authorization", ""}, 403},
		{"another token", "GET", "/files", []string{"Authorization", "Bearer " + strings.Repeat("x", 16)}, 403},
		{"the beginning of the token", "GET", "/files", []string{"Authorization", "Bearer " + token[:15]}, 403},
		{"a cookie", "GET", "/files", []string{"Authorization", "", "Cookie", cookie + "=" + token}, 200},
		{"the cookie of another port", "GET", "/files", []string{"Authorization", "", "Cookie", "qhsh-1=" + token}, 403},
		{"another cookie of the name first", "GET", "/files", []string{"Authorization", "", "Cookie", cookie + "=x; " + cookie + "=" + token}, 200},
		{"the token in the address", "GET", "/?token=" + token, []string{"Authorization", ""}, 200},
		{"a wrong one in the address", "GET", "/?token=x", []string{"Authorization", ""}, 403},
		{"the token in another address", "GET", "/files?token=" + token, []string{"Authorization", ""}, 403},
		{"a name that leads here", "GET", "/files", []string{"Host", "example.com:" + port}, 403},
		{"a name like a number", "GET", "/files", []string{"Host", "127.0.0.1.example.com"}, 403},
		{"localhost", "GET", "/files", []string{"Host", "localhost:" + port}, 200},
		{"numbers of IPv6", "GET", "/files", []string{"Host", "[::1]:" + port}, 200},
		{"a foreign page", "GET", "/files", []string{"Origin", "http://example.com"}, 403},
		{"a page of another port", "POST", "/open?kind=xiangqi", []string{"Origin", "http://127.0.0.1:1"}, 403},
		{"a file's page", "POST", "/open?kind=xiangqi", []string{"Origin", "null"}, 403},
		{"the page", "POST", "/open?kind=xiangqi", []string{"Origin", address}, 200},
		{"a foreign page's websocket", "GET", "/analyze?file=1", []string{"Origin", "http://example.com", "Connection", "Upgrade", "Upgrade", "websocket", "Sec-WebSocket-Version", "13", "Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="}, 403},
	} {
		answer := send(t, address, c.method, c.path, "", c.header...)
		if !strings.HasPrefix(answer, fmt.Sprint(c.want)) {
			t.Errorf("%s: want %d, got %s", c.name, c.want, answer)
		}
	}
	answer := send(t, address, "GET", "/?token="+token, "", "Authorization", "")
	want := fmt.Sprintf("200 Set-Cookie: %s=%s; Path=/; HttpOnly; SameSite=Strict Refresh: 0; url=/\n", cookie, token)
	if !strings.HasPrefix(answer, want) {
		t.Errorf("the first answer is %s", answer)
	}
	for _, c := range []struct{ path, body, want string }{
		{"/edit", `{"text":"` + strings.Repeat("x", maxEdit) + `"}`, "request: more than 1 MiB: send less: "},
		{"/arrange", strings.Repeat(" ", maxEdit) + "{}", "request: more than 1 MiB: send less: "},
		{"/open", strings.Repeat(" ", maxUpload+1), "more than 64 MiB: open the file with 'qhsh serve FILE': "},
	} {
		if answer := send(t, address, "POST", c.path, c.body); !strings.HasPrefix(answer, "413\n{\"error\":\""+c.want) {
			t.Errorf("%s: too much is answered by %s", c.path, answer)
		}
	}
}

// TestKept has a server that ends, and another one that has its games, whatever their folder is called.
func TestKept(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a[b]")
	s, address := start(t, dir, Options{})
	send(t, address, "POST", "/open?name=a.pgn", "[Event \"A\"]\n[Red \"x\"]\n\n1. H2-E2 {good} (1. B2-E2) *\n\n[Event \"B\"]\n\n1. B2-E2 *\n")
	waitRead(t, s)
	send(t, address, "POST", "/open?kind=quoridor", "")
	send(t, address, "POST", "/edit", `{"file":2,"game":1,"do":"play","moves":["E8"]}`)
	send(t, address, "POST", "/open?name=p.epd", "3k5/9/9/9/9/9/9/9/9/4K4 w - - bm E0-E1;\n3k5/9/9/9/9/9/9/9/9/5K3 w - - bm F0-F1;\n")
	waitRead(t, s)
	send(t, address, "POST", "/train", `{"file":3,"game":2,"path":[],"solved":false}`)
	all := func() (text string) {
		for _, path := range []string{"/files", "/game?file=1", "/game?file=2", "/train?file=3"} {
			text += send(t, address, "GET", path, "")
		}
		return text
	}
	want := all()
	var warning string
	_, other := start(t, dir, Options{Warn: func(text string) { warning = text }})
	if answer := send(t, other, "GET", "/files", ""); !strings.Contains(answer, `"files":[]`) || !strings.Contains(warning, "another qhsh serve") {
		t.Errorf("a second server: %s, warning %q", answer, warning)
	}
	s.Close()
	_, address = start(t, dir, Options{})
	got := all()
	// What is undone, and the versions, are of one run.
	forget := strings.NewReplacer(`"version":1`, `"version":0`, `"undo":1`, `"undo":0`)
	if want, got := forget.Replace(want), forget.Replace(got); got != want {
		t.Errorf("kept %s\ngot %s", want, got)
	}
	answer := send(t, address, "POST", "/arrange", `{"file":1,"version":0,"close":true}`)
	if kept, _ := fs.Glob(os.DirFS(dir), "*.jsonl"); !strings.HasPrefix(answer, "200") || len(kept) != 2 {
		t.Errorf("closing a file: %s leaves %q", answer, kept)
	}
}

// TestNoEngines has engines that do not start, and are tried again when they are wanted again.
func TestNoEngines(t *testing.T) {
	tries := 0
	s, address := start(t, "", Options{Idle: time.Minute, Engines: func(engine.Game) ([]Offer, error) {
		return []Offer{{Name: "broken", Usual: true, Open: func(context.Context, map[string]string) (analyze.Engine, []games.Option, error) {
			tries++
			return analyze.Engine{}, nil, fmt.Errorf("broken %d", tries)
		}}}, nil
	}})
	for i := range 2 {
		if err := s.StartEngines(games.Default.DefaultGame()); err == nil || err.Error() != fmt.Sprint("broken ", i+1) {
			t.Errorf("the error is %v", err)
		}
	}
	send(t, address, "POST", "/open?kind=xiangqi", "")
	if got := send(t, address, "POST", "/annotate", `{"file":1,"game":1}`); got != "200\n{\"error\":\"broken 3\"}\n" {
		t.Errorf("annotate: %s", got)
	}
	if got := send(t, address, "GET", "/engines?file=1", ""); got != "200\n"+`{"engines":[{"engine":"broken","on":true,"error":"broken 3"}],"threat":true}`+"\n" {
		t.Errorf("engines: %s", got)
	}
}

// A searching is a Session that calls a function with each search, and answers with the first move.
type searching struct {
	fake
	before func()
}

func (e searching) Search(_ context.Context, pos engine.Position, _ engine.Limits) iter.Seq2[[]engine.Line, error] {
	e.before()
	return func(yield func([]engine.Line, error) bool) {
		yield([]engine.Line{{Moves: pos.Moves()[:1], Score: engine.Centipawns(7)}}, nil)
	}
}

func (searching) Idle(context.Context) error { return nil }

// TestAnnotateChanged changes a game while it is annotated, which ends: the page is told nothing of the game of before.
func TestAnnotateChanged(t *testing.T) {
	searches, address := 0, ""
	change := func() {
		if searches++; searches == 1 {
			send(t, address, "POST", "/edit", `{"file":1,"game":1,"version":0,"do":"comment","path":[0],"text":"good"}`)
		}
	}
	_, address = start(t, "", Options{Idle: time.Minute, Engines: func(g engine.Game) ([]Offer, error) {
		return []Offer{{Name: "good", Usual: true, Open: func(ctx context.Context, _ map[string]string) (e analyze.Engine, _ []games.Option, err error) {
			e.Game = g
			e.Pool, err = batch.NewPool(ctx, batch.PoolOptions{Open: func(context.Context) (pluginclient.Session, error) { return searching{before: change}, nil }})
			return e, nil, err
		}}}, nil
	}})
	send(t, address, "POST", "/open?name=a.pgn", "1. H2-E2 H9-G7 2. H0-G2 I9-H9 *")
	if got := send(t, address, "POST", "/annotate", `{"file":1,"game":1}`); got != "200\n{\"error\":\"the game has changed meanwhile\"}\n" {
		t.Errorf("annotate: %s", got)
	}
}

// TestSave writes a file back, with a copy of what was there, and not over what another user has written.
func TestSave(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.pgn")
	write := func(path, text string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(path, "1. H2-E2 *\n")
	write(filepath.Join(dir, "b.pgn"), "1. H2-E2 Z9-Z9 *\n")
	s, address := start(t, "", Options{})
	for _, name := range []string{"a.pgn", "b.pgn"} {
		if err := s.Open(t.Context(), filepath.Join(dir, name), games.Default.DefaultGame()); err != nil {
			t.Fatal(err)
		}
	}
	read := func(name string) string {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return err.Error()
		}
		return string(text)
	}
	waitRead(t, s)
	version := -1
	edit := func(text string) {
		version++
		if answer := send(t, address, "POST", "/edit", fmt.Sprintf(`{"file":1,"game":1,"version":%d,"do":"comment","path":[0],"text":%q}`, version, text)); !strings.HasPrefix(answer, "200") {
			t.Fatal(answer)
		}
	}
	edit("one")
	if answer := send(t, address, "POST", "/save?file=1", ""); !strings.HasPrefix(answer, "200") || !strings.Contains(read("a.pgn"), "{one}") || read("a.pgn.bak") != "1. H2-E2 *\n" {
		t.Errorf("%s: the file is %s, the copy %s", answer, read("a.pgn"), read("a.pgn.bak"))
	}
	edit("two")
	if answer := send(t, address, "POST", "/save?file=1", ""); !strings.HasPrefix(answer, "200") || !strings.Contains(read("a.pgn"), "{two}") || read("a.pgn.bak") != "1. H2-E2 *\n" {
		t.Errorf("%s: the file is %s, the copy %s", answer, read("a.pgn"), read("a.pgn.bak"))
	}
	edit("three")
	write(path, "of another user")
	if answer := send(t, address, "POST", "/save?file=1", ""); !strings.HasPrefix(answer, "409") || read("a.pgn") != "of another user" {
		t.Errorf("%s: the file is %s", answer, read("a.pgn"))
	}
	if answer := send(t, address, "POST", "/save?file=2", ""); !strings.HasPrefix(answer, "422") || read("b.pgn") != "1. H2-E2 Z9-Z9 *\n" {
		t.Errorf("%s: the damaged file is %s", answer, read("b.pgn"))
	}
}

// TestSaveLibrary: a library is not written back, since it has more than its games.
func TestSaveLibrary(t *testing.T) {
	s, address := start(t, "", Options{})
	if answer := send(t, address, "POST", "/open", "1. H2-E2 *"); !strings.HasPrefix(answer, "200") {
		t.Fatal(answer)
	}
	_, library, _ := strings.Cut(send(t, address, "GET", "/export?file=1&format=cbl", ""), "\n")
	path := filepath.Join(t.TempDir(), "a.cbl")
	if err := os.WriteFile(path, []byte(library), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := s.Open(t.Context(), path, games.Default.DefaultGame()); err != nil {
		t.Fatal(err)
	}
	waitRead(t, s)
	if answer := send(t, address, "POST", "/save?file=2", ""); !strings.HasPrefix(answer, "422") || !strings.Contains(answer, "a name and remarks of its own") {
		t.Error(answer)
	}
}

// TestSaveLater saves files that an earlier run has kept: neither one that another user has written meanwhile, nor one
// with parts that could not be read. What was there stays as a copy, also if the path is a link.
func TestSaveLater(t *testing.T) {
	dir, kept := t.TempDir(), t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	texts := map[string]string{"a.pgn": "1. H2-E2 *\n", "b.pgn": "1. H2-E2 Z9-Z9 *\n", "c.pgn": "1. B2-E2 *\n"}
	for name, text := range texts {
		if err := os.WriteFile(path(name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("c.pgn", path("d.pgn")); err != nil {
		t.Skip(err)
	}
	s, _ := start(t, kept, Options{})
	for _, name := range []string{"a.pgn", "b.pgn", "d.pgn"} {
		if err := s.Open(t.Context(), path(name), games.Default.DefaultGame()); err != nil {
			t.Fatal(err)
		}
	}
	waitRead(t, s)
	s.Close()
	texts["a.pgn"] = "of another user"
	if err := os.WriteFile(path("a.pgn"), []byte(texts["a.pgn"]), 0o600); err != nil {
		t.Fatal(err)
	}
	_, address := start(t, kept, Options{})
	for i, want := range []string{"409", "422", "200"} {
		edit := fmt.Sprintf(`{"file":%d,"game":1,"do":"comment","path":[0],"text":"new"}`, i+1)
		if answer := send(t, address, "POST", "/edit", edit); !strings.HasPrefix(answer, "200") {
			t.Fatal(answer)
		}
		if answer := send(t, address, "POST", fmt.Sprintf("/save?file=%d", i+1), ""); !strings.HasPrefix(answer, want) {
			t.Errorf("file %d: want %s, got %s", i+1, want, answer)
		}
	}
	texts["d.pgn.bak"] = texts["c.pgn"]
	delete(texts, "c.pgn")
	for name, want := range texts {
		if got, err := os.ReadFile(path(name)); string(got) != want {
			t.Errorf("%s is %q, %v; want %q", name, got, err, want)
		}
	}
	if got, err := os.ReadFile(path("c.pgn")); err != nil || !strings.Contains(string(got), "{new}") {
		t.Errorf("c.pgn is %q, %v", got, err)
	}
}

// TestKeptLater has a folder in which nothing can be written for a while: what has changed is kept later.
func TestKeptLater(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "serve")
	if err := os.WriteFile(dir, nil, 0o600); err != nil { // where the folder would be
		t.Fatal(err)
	}
	s := &Server{Options: Options{Games: games.Default, Dir: dir}, ctx: t.Context(), nextID: 1, changed: make(chan struct{})}
	for range 2 {
		s.addNew(games.Default.DefaultGame())
	}
	if err := s.keepAll(); err == nil {
		t.Error("no error")
	}
	if err := os.Remove(dir); err != nil {
		t.Fatal(err)
	}
	blocked := s.keptPath(&file{id: 1})
	if err := os.MkdirAll(filepath.Join(blocked, "folder"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := s.keepAll(); err == nil {
		t.Error("no error")
	}
	if err := os.RemoveAll(blocked); err != nil {
		t.Fatal(err)
	}
	if err := s.keepAll(); err != nil {
		t.Error(err)
	}
	if kept, _ := filepath.Glob(filepath.Join(dir, "*")); len(kept) != 2 {
		t.Errorf("kept: %q", kept)
	}
}

// TestKeptApart has two files that have changed, one of which is being written: the other one does not wait for it.
func TestKeptApart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &Server{Options: Options{Games: games.Default, Dir: t.TempDir()}, nextID: 1, changed: make(chan struct{})}
		s.ctx, s.cancel = context.WithCancel(t.Context())
		slow, quick := s.addNew(games.Default.DefaultGame()), s.addNew(games.Default.DefaultGame())
		slow.keeping = true
		isKept := func(f *file) bool { _, err := os.Stat(s.keptPath(f)); return err == nil }
		s.work.Go(s.keep)
		time.Sleep(keepEvery)
		synctest.Wait()
		if !isKept(quick) {
			t.Error("a file is not kept while another one is being written")
		}
		if isKept(slow) {
			t.Error("a file that is being written is written again")
		}
		s.Close()
		if !isKept(slow) {
			t.Error("it is not kept at the end")
		}
	})
}

// waitRead waits until all files have been read.
func waitRead(t *testing.T, s *Server) {
	t.Helper()
	wait(t, s, func() bool { return slices.ContainsFunc(s.files, func(f *file) bool { return f.reading }) })
}

// wait waits for the end of work, which is done while s.mu is held.
func wait(t *testing.T, s *Server, works func() bool) {
	t.Helper()
	for {
		s.mu.Lock()
		working, changed := works(), s.changed
		s.mu.Unlock()
		if !working {
			return
		}
		select {
		case <-changed:
		case <-time.After(time.Minute):
			t.Fatal("it does not end")
		}
	}
}

// TestChosen has engines that are chosen and set, a server that ends, and another one that has them.
func TestChosen(t *testing.T) {
	dir := t.TempDir()
	s, address := start(t, dir, Options{Engines: fakeOffers})
	send(t, address, "POST", "/open?kind=xiangqi", "")
	if err := s.StartEngines(games.Default.DefaultGame()); err != nil {
		t.Fatal(err)
	}
	send(t, address, "POST", "/engines", `{"file":1,"engine":"good","on":true}`)
	s.Close()
	s, address = start(t, dir, Options{Engines: fakeOffers})
	_, leave, err := s.sit(games.Default.DefaultGame())
	if err != nil {
		t.Fatal(err)
	}
	defer leave()
	want := "200\n" + `{"engines":[{"engine":"good","on":true,"options":[{"name":"Hash","min":1,"max":64,"default":"16"},{"name":"Style","words":["solid","risky"],"default":"solid"},` +
		`{"name":"Nick","text":true},{"name":"Seed"}]},{"engine":"broken","on":false}],"threat":true}` + "\n"
	wait(t, s, func() bool { return s.benches["xiangqi"].seats[0].pending > 0 })
	if got := send(t, address, "GET", "/engines?file=1", ""); got != want {
		t.Errorf("got %s", got)
	}
}

// TestManyGames has a list of ten thousand games, of which a page sees a part.
func TestManyGames(t *testing.T) {
	enginetest.SkipUnderRace(t)
	var text bytes.Buffer
	for i := range 10_000 {
		fmt.Fprintf(&text, "[Event \"E%d\"]\n\n1. H2-E2 *\n\n", i+1)
	}
	s, address := start(t, "", Options{})
	if answer := send(t, address, "POST", "/open?name=many.pgn", text.String()); !strings.HasPrefix(answer, "200") {
		t.Fatal(answer)
	}
	waitRead(t, s)
	if answer := send(t, address, "GET", "/list?file=1&game=777&from=9998", ""); answer != "200\n"+
		`{"at":777,"rows":[{"n":9999,"game":9999,"first":"","second":"","result":"*","plies":1,"date":"","event":"E9999"},{"n":10000,"game":10000,"first":"","second":"","result":"*","plies":1,"date":"","event":"E10000"}],"total":10000}`+"\n" {
		t.Error(answer)
	}
	if answer := send(t, address, "GET", "/list?file=1&find=e777", ""); strings.Count(answer, `"n"`) != 11 || !strings.Contains(answer, `"total":11`) {
		t.Error(answer)
	}
}
