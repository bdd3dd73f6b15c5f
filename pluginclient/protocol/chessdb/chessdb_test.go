package chessdb

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"qhsh/engine"
	"qhsh/engine/enginetest"
	"qhsh/engine/xiangqi"
	"qhsh/pluginclient"
)

// A server answers questions without a network, and keeps what it was asked.
type server struct {
	answer func(w http.ResponseWriter, q url.Values)
	asked  []string
}

func (s *server) RoundTrip(r *http.Request) (*http.Response, error) {
	s.asked = append(s.asked, r.URL.String())
	w := httptest.NewRecorder()
	w.Header().Set("Date", "Sun, 29 Nov 2026 10:00:00 GMT")
	s.answer(w, r.URL.Query())
	return w.Result(), r.Context().Err()
}

// says returns a server that answers every question alike.
func says(body string) *server {
	return &server{answer: func(w http.ResponseWriter, _ url.Values) { _, _ = io.WriteString(w, body) }}
}

func (s *server) client(t testing.TB, address string) *Client {
	t.Helper()
	u, err := ParseURL(address)
	if err != nil {
		t.Fatal(err)
	}
	return &Client{URL: u, Reply: time.Minute, Transport: s}
}

const local = "http://localhost"

// startAnswers are answers about the start as the public server gives them.
var startAnswers = map[string]string{
	"queryall": `{"status":"ok","moves":[{"uci":"h2e2","score":1,"rank":2,"note":"! (44-00)","winrate":"50.08"},` +
		`{"uci":"b2e2","score":1,"rank":2,"note":"! (44-00)","winrate":"50.08"},{"uci":"c3c4","score":0,"rank":2,"note":"! (43-02)","winrate":"50.00"},` +
		`{"uci":"a0a1","score":"??","rank":0,"note":"? (??-??)"}],"ply":0}`,
	"querypv":   `{"status":"ok","score":1,"depth":4,"pv":["h2e2","h9g7","h0g2","i9h9"]}`,
	"queryrule": `{"status":"ok","moves":[{"uci":"c6c5","rule":"draw"},{"uci":"a0a1","rule":"ban"}]}`,
}

func public() *server {
	return &server{answer: func(w http.ResponseWriter, q url.Values) { _, _ = io.WriteString(w, startAnswers[q.Get("action")]) }}
}

func TestSearch(t *testing.T) {
	s := public()
	trace := pluginclient.NewTrace(Name, nil)
	c := s.client(t, local)
	c.Trace = trace
	var got []string
	start := xiangqi.Start()
	h2e2, _ := start.Parse("h2e2")
	for _, lim := range []engine.Limits{{}, {Lines: 9}, {Lines: 2, Ban: []engine.Move{h2e2}}, {Play: true}} {
		for lines, err := range c.Search(t.Context(), start, lim) {
			if err != nil {
				t.Fatal(err)
			}
			for _, l := range lines {
				got = append(got, strings.Join(engine.FormatMoves(start, l.Moves), " ")+": "+l.Score.String()+", "+l.Text)
			}
			got = append(got, "")
		}
	}
	const (
		h2e2Text, b2e2Text, c3c4Text = ": cp 1, ! (44-00), 50.08 %, 2026-11-29", "B2-E2: cp 1, ! (44-00), 50.08 %, 2026-11-29", "C3-C4: cp 0, ! (43-02), 50.00 %, 2026-11-29"
		line                         = "H2-E2 H9-G7 H0-G2 I9-H9"
	)
	want := []string{
		"H2-E2" + h2e2Text, "", line + h2e2Text, "",
		"H2-E2" + h2e2Text, b2e2Text, c3c4Text, "", line + h2e2Text, b2e2Text, c3c4Text, "",
		b2e2Text, c3c4Text, "", b2e2Text, c3c4Text, "",
		"H2-E2" + h2e2Text, "",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	const board = "&board=rnbakabnr%2F9%2F1c5c1%2Fp1p1p1p1p%2F9%2F9%2FP1P1P1P1P%2F1C5C1%2F9%2FRNBAKABNR+w"
	const script = "http://localhost/chessdb.php?action="
	asked := []string{
		script + "queryall" + board + "&json=1&learn=0", script + "querypv" + board + "&stable=1&json=1&learn=0",
		script + "queryall" + board + "&json=1&learn=0", script + "querypv" + board + "&stable=1&json=1&learn=0",
		script + "queryall" + board + "&ban=move%3Ah2e2&json=1&learn=0", script + "querypv" + board + "&ban=move%3Ah2e2&stable=1&json=1&learn=0",
		script + "queryall" + board + "&json=1&learn=0",
	}
	if diff := cmp.Diff(asked, s.asked); diff != "" {
		t.Error(diff)
	}
	var traced []string
	for _, e := range trace.Last(2, func(pluginclient.Entry) bool { return true }) {
		traced = append(traced, e.Text)
	}
	if diff := cmp.Diff([]string{"asks " + asked[6], "answers 200 OK " + startAnswers["queryall"]}, traced); diff != "" {
		t.Error(diff)
	}

	c.Learn = true
	if _, err := engine.Best(t.Context(), c, start, engine.Limits{Play: true}); err != nil || !strings.HasSuffix(s.asked[len(s.asked)-1], "&json=1&learn=1") {
		t.Errorf("%v, asked %s", err, s.asked[len(s.asked)-1])
	}
	if _, err := engine.Best(t.Context(), c, enginetest.Stones.Start(), engine.Limits{}); err == nil || err.Error() != "the position is of Stones, and the engine plays Xiangqi" {
		t.Errorf("another game: %v", err)
	}
}

// TestAnswers: whatever a server answers about the start, the search ends with its moves or an error that says what it was.
func TestAnswers(t *testing.T) {
	const long = "<html><body>The server is being repaired. Please come back after lunch, when all\nis well again."
	for _, c := range []struct {
		body, want string
		is         error
	}{
		{`{"status":"unknown"}`, "the position is not known", pluginclient.ErrUnknown},
		{`{"status":"ok","moves":[{"uci":"h2e2","score":"??","rank":0,"note":"? (??-??)"}]}`, "the position is not known", pluginclient.ErrUnknown},
		{`{"status":"ok","moves":[]}`, "the position is not known", pluginclient.ErrUnknown},
		{`{"status":"rate limit exceeded"}`, `refused: "rate limit exceeded"`, pluginclient.ErrRefused},
		{`{"status":"invalid board"}`, `refused: "invalid board"`, pluginclient.ErrRefused},
		{`{"status":"checkmate"}`, "checkmate: no move to choose from", engine.ErrNoMove},
		{`{"status":"ok","moves":[{"uci":"a0a9","score":1}]}`, "an illegal move: A0-A9: the path is blocked at A3", pluginclient.ErrIllegal},
		{`{"status":"ok","moves":[{"uci":"h2h2h2","score":1}]}`, `an illegal move: move "h2h2h2": want two points such as H2-E2`, pluginclient.ErrIllegal},
		{`{"status":"ok","moves":[{"uci":"h2e2","score":"x"}]}`, `invalid reply: localhost: status 200: "{\"status\":\"ok\",\"moves\":[{\"uci\":\"h2e2\",\"score\":\"x\"}]}"`, pluginclient.ErrInvalidReply},
		{`{}`, `invalid reply: localhost: status 200: "{}"`, pluginclient.ErrInvalidReply},
		{"", `invalid reply: localhost: status 200: ""`, pluginclient.ErrInvalidReply},
		{"unknown\x00", `invalid reply: localhost: status 200: "unknown\x00"`, pluginclient.ErrInvalidReply},
		{long, `invalid reply: localhost: status 200: "<html><body>The server is being repaired. Please come back after lunch, when all"`, pluginclient.ErrInvalidReply},
		{strings.Repeat("[", maxReply+1), `invalid reply: localhost: status 200: "` + strings.Repeat("[", 80) + `"`, pluginclient.ErrInvalidReply},
	} {
		_, err := engine.Best(t.Context(), says(c.body).client(t, local), xiangqi.Start(), engine.Limits{})
		if err == nil || err.Error() != "chessdb: queryall: "+c.want || !errors.Is(err, c.is) {
			t.Errorf("%.80s: %v, want %s", c.body, err, c.want)
		}
	}
	for status, want := range map[int]string{
		http.StatusServiceUnavailable: `invalid reply: localhost: status 503: "{\"status\":\"ok\"}"`,
		http.StatusFound:              `invalid reply: localhost: status 302: "{\"status\":\"ok\"}"`, // another server is not asked
	} {
		s := &server{answer: func(w http.ResponseWriter, _ url.Values) {
			w.Header().Set("Location", "http://other.example/")
			w.WriteHeader(status)
			_, _ = io.WriteString(w, `{"status":"ok"}`)
		}}
		_, err := engine.Best(t.Context(), s.client(t, local), xiangqi.Start(), engine.Limits{})
		if err == nil || err.Error() != "chessdb: queryall: "+want || len(s.asked) != 1 {
			t.Errorf("%d: %v, asked %q", status, err, s.asked)
		}
	}
}

// TestLine: a failure of the second question is one of the search, unless the line is merely not known.
func TestLine(t *testing.T) {
	for body, want := range map[string]string{
		`{"status":"unknown"}`: "",
		`{"status":"ok","score":1,"depth":1,"pv":["c3c4","a0a0"]}`: "",
		`{"status":"rate limit exceeded"}`:                         `chessdb: querypv: refused: "rate limit exceeded"`,
	} {
		s := &server{answer: func(w http.ResponseWriter, q url.Values) {
			if q.Get("action") == "querypv" {
				_, _ = io.WriteString(w, body)
			} else {
				_, _ = io.WriteString(w, startAnswers["queryall"])
			}
		}}
		lines, err := engine.Best(t.Context(), s.client(t, local), xiangqi.Start(), engine.Limits{})
		switch {
		case want != "" && (err == nil || err.Error() != want):
			t.Errorf("%s: %v, want %s", body, err, want)
		case want == "" && (err != nil || len(lines) != 1 || len(lines[0].Moves) != 1):
			t.Errorf("%s: %v, %v", body, lines, err)
		}
	}
}

func TestScores(t *testing.T) {
	for text, want := range map[string]string{
		"35": "cp 35", "-12": "cp -12", "19990": "cp 19990",
		"29999": "mate 1", "29998": "mate 1", "29997": "mate 2", "30000": "mate 1", "31000": "mate 1",
		"-29998": "mate -1", "-29996": "mate -2", "-30000": "mate -1", `"??"`: "", "null": "",
	} {
		var s score
		if err := s.UnmarshalJSON([]byte(text)); err != nil || s.String() != want {
			t.Errorf("%s: %v, %v, want %s", text, s, err, want)
		}
	}
}

// TestPace: a server is asked once a second, whoever asks. Who gives up while waiting gets the reason, and a server that does not
// reply is waited for no longer than it is allowed to take.
func TestPace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begun := time.Now()
		const address = "http://pace.example/book.php"
		for range 3 { // with two questions each
			if _, err := engine.Best(t.Context(), public().client(t, address), xiangqi.Start(), engine.Limits{}); err != nil {
				t.Fatal(err)
			}
		}
		if took := time.Since(begun); took != 5*interval {
			t.Errorf("six questions took %v", took)
		}
		other := time.Now()
		if _, err := engine.Best(t.Context(), public().client(t, "http://other.example:81"), xiangqi.Start(), engine.Limits{Play: true}); err != nil || !time.Now().Equal(other) {
			t.Errorf("another server: %v after %v", err, time.Since(other))
		}
		gaveUp := errors.New("the user gave up")
		for cause, want := range map[error]string{gaveUp: gaveUp.Error(), engine.ErrMoveNow: "chessdb: queryall: took too long and was stopped"} {
			ctx, cancel := context.WithCancelCause(t.Context())
			time.AfterFunc(interval/4, func() { cancel(cause) })
			if _, err := engine.Best(ctx, public().client(t, address), xiangqi.Start(), engine.Limits{}); err == nil || err.Error() != want {
				t.Errorf("%v: %v", cause, err)
			}
		}
		hangs := &server{}
		c := hangs.client(t, local)
		c.Transport = hanging{}
		if _, err := engine.Best(t.Context(), c, xiangqi.Start(), engine.Limits{}); err == nil ||
			err.Error() != "chessdb: queryall: localhost: no reply within 1m0s: took too long and was stopped" || !errors.Is(err, pluginclient.ErrTimedOut) {
			t.Error(err)
		}
	})
}

// hanging never replies.
type hanging struct{}

func (hanging) RoundTrip(r *http.Request) (*http.Response, error) {
	<-r.Context().Done()
	return nil, r.Context().Err()
}

// TestMoveNow: who wants an answer now gets the moves without a line.
func TestMoveNow(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	defer cancel(nil)
	s := public()
	var all [][]engine.Line
	for lines, err := range s.client(t, local).Search(ctx, xiangqi.Start(), engine.Limits{}) {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, lines)
		cancel(engine.ErrMoveNow)
	}
	if len(all) != 1 || len(all[0]) != 1 {
		t.Errorf("%v", all)
	}
}

func TestJudgeRepetition(t *testing.T) {
	pos, err := xiangqi.Rules.Position("3k5/9/9/R8/2c6/9/9/9/9/p4K3 b - - 3 1")
	if err != nil {
		t.Fatal(err)
	}
	// After a move and the capture of the pawn the cycle begins.
	_, pos, err = engine.ReadMoves(pos, strings.Fields("c5c4 a6a0 c4c5 a0a6 c5c6 a6a5 c6c5 a5a6 c5c6 a6a5 c6c5"))
	if err != nil {
		t.Fatal(err)
	}
	s := &server{answer: func(w http.ResponseWriter, _ url.Values) {
		_, _ = io.WriteString(w, `{"status":"ok","moves":[{"uci":"c6c4","rule":"none"},{"uci":"c6c5","rule":"ban"}]}`)
	}}
	c := s.client(t, local)
	if got, err := c.JudgeRepetition(t.Context(), pos, 2); err != nil || got != "ban" {
		t.Errorf("%q, %v", got, err)
	}
	const want = "http://localhost/chessdb.php?action=queryrule&board=3k5%2F9%2F9%2F9%2F9%2F2c6%2F9%2F9%2F9%2FR4K3+b" +
		"&movelist=c4c5%7Ca0a6%7Cc5c6%7Ca6a5%7Cc6c5%7Ca5a6%7Cc5c6%7Ca6a5&reptimes=1&json=1&learn=0"
	if diff := cmp.Diff([]string{want}, s.asked); diff != "" {
		t.Error(diff)
	}
	for body, want := range map[string]string{
		`{"status":"invalid movelist"}`:                           `chessdb: queryrule: refused: "invalid movelist"`,
		`{"status":"ok","moves":[{"uci":"c6c5","rule":"maybe"}]}`: "chessdb: queryrule: invalid reply: nothing about c6c5",
	} {
		if _, err := says(body).client(t, local).JudgeRepetition(t.Context(), pos, 2); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", body, err, want)
		}
	}
	if _, err := c.JudgeRepetition(t.Context(), xiangqi.Start(), 2); err == nil || err.Error() != "no moves since the last capture" {
		t.Error(err)
	}
}

func TestParseURL(t *testing.T) {
	for text, want := range map[string]string{
		"http://localhost:8000": "http://localhost:8000/chessdb.php", "https://book.example/": "https://book.example/chessdb.php",
		"http://book.example/my/book.php": "http://book.example/my/book.php",
		"book.example":                    "", "ftp://book.example": "", "http://": "", "http://a/?b=c": "", "http://a b": "", "%": "",
	} {
		u, err := ParseURL(text)
		if want == "" && err == nil || want != "" && (err != nil || u.String() != want) {
			t.Errorf("%s: %v, %v", text, u, err)
		}
	}
}

// FuzzReply: any reply ends a search in legal moves or an error.
func FuzzReply(f *testing.F) {
	for _, body := range startAnswers {
		f.Add(body)
	}
	f.Fuzz(func(t *testing.T, body string) {
		lines, err := engine.Best(t.Context(), says(body).client(t, local), xiangqi.Start(), engine.Limits{Lines: 100})
		for _, l := range lines {
			if _, wrong := engine.PlayMoves(xiangqi.Start(), l.Moves); wrong != nil {
				t.Errorf("%v", wrong)
			}
		}
		if (err == nil) != (len(lines) > 0) {
			t.Errorf("%d lines, %v", len(lines), err)
		}
	})
}
