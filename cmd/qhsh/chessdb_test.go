package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"qhsh/engine/enginetest/golden"
)

// A cloud is a server that answers as the public cloud book does, and keeps what it was asked.
type cloud struct {
	*httptest.Server
	mu    sync.Mutex
	asked []string
	score int    // of the best move of the start
	date  string // of its answers
}

// boards are the positions that a cloud knows, but for its start, by their boards and sides.
var boards = map[string]map[string]string{
	"rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR b": {
		"queryall": `{"status":"ok","moves":[{"uci":"h9g7","score":-1,"rank":2,"note":"! (42-03)","winrate":"49.92"}],"ply":1}`,
		"querypv":  `{"status":"ok","score":-1,"depth":2,"pv":["h9g7","h0g2"]}`,
	},
	"3k5/9/9/9/9/9/9/4R4/4K4/9 w": {
		"queryall": `{"status":"ok","moves":[{"uci":"e2d2","score":29997,"rank":2,"note":"! (W-M-0003)"},{"uci":"e1e0","score":29995,"rank":1,"note":"* (W-M-0005)"}]}`,
		"querypv":  `{"status":"ok","score":29997,"depth":3,"pv":["e2d2"]}`,
	},
	"4k4/9/9/9/9/9/9/4R4/4K4/9 b": {"queryall": `{"status":"rate limit exceeded"}`},
	"3k5/9/9/R8/2c6/9/9/9/9/5K3 w": {
		"queryrule": `{"status":"ok","moves":[{"uci":"a6a9","rule":"none"},{"uci":"a6a5","rule":"ban"},{"uci":"c6c5","rule":"none"},{"uci":"d8d9","rule":"none"}]}`,
	},
}

func newCloud(t *testing.T) *cloud {
	c := &cloud{score: 1, date: "Sun, 29 Nov 2026 10:00:00 GMT"}
	c.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.asked = append(c.asked, r.URL.Query().Get("action")+" "+r.URL.Query().Get("board"))
		w.Header().Set("Date", c.date)
		known := boards[r.URL.Query().Get("board")]
		if r.URL.Query().Get("board") == "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w" {
			known = map[string]string{
				"queryall": fmt.Sprintf(`{"status":"ok","moves":[{"uci":"h2e2","score":%d,"rank":2,"note":"! (44-00)","winrate":"50.08"},`+
					`{"uci":"c3c4","score":0,"rank":2,"note":"! (43-02)","winrate":"50.00"},{"uci":"a0a1","score":"??","rank":0,"note":"? (??-??)"}],"ply":0}`, c.score),
				"querypv":   fmt.Sprintf(`{"status":"ok","score":%d,"depth":4,"pv":["h2e2","h9g7","h0g2","i9h9"]}`, c.score),
				"queryrule": `{"status":"invalid movelist"}`,
			}
		}
		answer, ok := known[r.URL.Query().Get("action")]
		if !ok {
			answer = `{"status":"unknown"}`
		}
		_, _ = fmt.Fprint(w, answer)
	}))
	t.Cleanup(c.Close)
	return c
}

// TestCloudBook: what users see of the cloud book, which engines.json names, and what is asked for it.
func TestCloudBook(t *testing.T) {
	transcript, err := filepath.Abs("testdata/chessdb.txt")
	if err != nil {
		t.Fatal(err)
	}
	c, dir := newCloud(t), t.TempDir()
	t.Chdir(dir)
	for name, text := range map[string]string{
		"engines.json": fmt.Sprintf(`{"cloud": "chessdb,url=%s"}`, strings.ReplaceAll(`"`+c.URL+`"`, `"`, `\"`)),
		"positions":    "startpos\n3k5/9/9/9/9/9/9/4R4/4K4/9 w\nstartpos moves a0a1\n4k4/9/9/9/9/9/9/4R4/4K4/9 b\n",
		"start":        "startpos\n",
		"game.pgn":     "[FEN \"3k5/9/9/R8/2c6/9/9/9/9/5K3 w\"]\n\nA6-A5 C5-C6 A5-A6 C6-C5 A6-A5 C5-C6 A5-A6 C6-C5 1-0\n",
		"draw.pgn":     "[FEN \"3k5/9/9/R8/2c6/9/9/9/9/5K3 w\"]\n\nF0-F1 D9-D8 F1-F0 D8-D9 F0-F1 D9-D8 F1-F0 D8-D9 1/2-1/2\n",
		"two.pgn":      "[Red \"Li\"]\n\nH2-E2 H9-G7 E2-H2 G7-H9 1/2-1/2\n\n[FEN \"3k5/9/9/R8/2c6/9/9/9/9/5K3 w\"]\n\nF0-F1 D9-D8 F1-F0 D8-D9 F0-F1 D9-D8 F1-F0 D8-D9 1/2-1/2\n",
		"cloud.star":   `engine("cloud")` + "\n",
	} {
		write(t, name, text)
	}
	var out strings.Builder
	qhsh := func(stdin string, args ...string) {
		c.mu.Lock()
		c.asked = nil
		c.mu.Unlock()
		got := runQhsh(t.Context(), func(h *host) { h.Stdin, h.ConfigDir = strings.NewReader(stdin), dir }, args...)
		c.mu.Lock()
		defer c.mu.Unlock()
		text := got.stdout + got.stderr
		if trace, err := os.ReadFile("trace.txt"); err == nil {
			text += timesOfTrace.ReplaceAllString(string(trace), "")
			_ = os.Remove("trace.txt")
		}
		text = millis.ReplaceAllString(strings.ReplaceAll(text, strings.TrimPrefix(c.URL, "http://"), "HOST"), "")
		fmt.Fprintf(&out, "$ qhsh %s\n%sstatus %d, asked %d times\n%s\n", strings.Join(args, " "), text, got.status, len(c.asked), strings.Join(c.asked, "\n"))
	}
	qhsh("", "hints", "-engine", "cloud", "-hints", "3", "positions")
	qhsh("", "hints", "-engine", "cloud", "-format", "text", "-trace", "trace.txt", "start")
	qhsh("", "hints", "-engine", "cloud", "-cache", "cache.db", "positions")
	c.mu.Lock()
	c.score, c.date = 7, "Mon, 30 Nov 2026 10:00:00 GMT"
	c.mu.Unlock()
	qhsh("", "hints", "-engine", "cloud", "-cache", "cache.db", "positions")
	qhsh("", "hints", "-engine", "cloud", "-cache", "cache.db", "-refresh", "start")
	qhsh("", "hints", "-engine", "cloud", "-cache", "cache.db", "start")
	qhsh("", "hints", "-engine", "cloud", "-refresh", "start")
	for _, request := range []string{`{"id":1}`, `{"id":2,"engine":"cloud"}`, `{"id":3,"engine":"cloud","moves":["a0a1"]}`} {
		qhsh(request+"\n", "analyze", "-engine", "builtin=builtin,nodes=100", "-engine", "cloud")
	}
	qhsh("HINTS 1\nAI\nHINTS\nAI\nHINTS\n.hints\n.analyze 1\nBAN 1\nA0-A1\nHINTS\n", "-engine", "cloud")
	qhsh("", "-info", "-engine", "cloud")
	qhsh("uci\nquit\n", "-uci", "-engine", "cloud")
	qhsh("", "run", "cloud.star")
	qhsh("", "judge", "-second", "cloud", "3k5/9/9/R8/2c6/9/9/9/9/5K3", "w", "a6a5", "c5c6", "a5a6", "c6c5", "a6a5", "c5c6", "a5a6", "c6c5")
	qhsh("", "judge", "-second", "cloud", "game.pgn")
	qhsh("", "judge", "-second", "cloud", "-format", "json", "game.pgn")
	qhsh("", "judge", "-second", "cloud", "-all", "draw.pgn")
	qhsh("", "judge", "-second", "cloud", "-format", "csv", "draw.pgn")
	qhsh("", "judge", "-second", "cloud", "startpos", "h2e2", "h9g7", "e2h2", "g7h9")
	qhsh("", "judge", "-second", "cloud", "-all", "two.pgn")
	qhsh("", "judge", "-second", "builtin", "startpos")
	qhsh("", "hints", "-engine", "cloud", "-level", "3", "start")
	golden.Compare(t, transcript, out.String())
}

var timesOfTrace = regexp.MustCompile(`(?m)^ *[0-9.]+ +\+[0-9.]+ `)
