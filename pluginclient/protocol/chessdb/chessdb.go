// Package chessdb asks the cloud book of Xiangqi at chessdb.cn, whose program is chessdb.php of
// github.com/noobpwnftw/chessdb, and other servers of that program.
//
// A [Client] is a Searcher without a search of its own: the moves of a position are those of queryall, and
// the line of the best one is that of querypv. Limits of time, nodes and depth mean nothing to it. Of the
// position only the board and the side to move are sent: the server knows no history, so what a repetition
// would be is asked on its own, by queryrule.
//
// The documentation is at https://www.chessdb.cn/cloudbook_api_en.html. Its program has a few things beside:
//
//   - Without learn=0 the position and its moves are queued for analysis. The scores of queryscore are those of
//     queryall, and it queues always, so it is not asked.
//   - With learn=0 the weaker moves have the score "??", like those that are not known.
//   - A score of 25,000 or more is a mate: 30,000 less the plies up to it. One from 10,000 on is of endgame tables that
//     count captures, which are not asked for; it would stay a score in hundredths of a pawn.
//   - stable=1 makes querypv begin with the first move of queryall.
//   - More than 5 questions a second of an address are answered "rate limit exceeded".
package chessdb

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"qhsh/engine"
	"qhsh/engine/printable"
	"qhsh/engine/xiangqi"
	"qhsh/pluginclient"
)

// Name is what the engine is called.
const Name = "chessdb"

// DefaultURL is the script of the public server.
const DefaultURL = "https://www.chessdb.cn/chessdb.php"

// maxReply is the maximum size of a reply in bytes. One with a hundred moves has ten thousand.
const maxReply = 64 << 10

// A Client asks a server. It is safe for concurrent use.
type Client struct {
	URL   *url.URL            // of the script
	Learn bool                // the server may queue what it is asked about
	Reply time.Duration       // how long a reply is waited for
	Trace *pluginclient.Trace // gets every question and its reply as remarks; nil: none of them

	Transport http.RoundTripper // nil: the usual one
}

var _ engine.Leveler = (*Client)(nil)

// ParseURL parses the URL of a server, or of its script.
func ParseURL(text string) (*url.URL, error) {
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.RawQuery != "" || u.Fragment != "" {
		return nil, errors.New("want a URL without a query, such as " + DefaultURL)
	}
	if u.Path == "" || u.Path == "/" {
		u.Path = "/chessdb.php"
	}
	return u, nil
}

// Levels returns none.
func (c *Client) Levels() []engine.Level { return nil }

// NoMove implements serving.Foreign: a move that is not the server's is never its answer.
func (c *Client) NoMove(error) {}

// Search yields the moves that the server knows, and again with the line of the best one unless a move is to
// be played. An unknown position is an error that wraps [pluginclient.ErrUnknown].
func (c *Client) Search(ctx context.Context, pos engine.Position, lim engine.Limits) iter.Seq2[[]engine.Line, error] {
	return func(yield func([]engine.Line, error) bool) {
		p, isXiangqi := pos.(*xiangqi.Position)
		if !isXiangqi {
			yield(nil, engine.OtherGame(pos, xiangqi.Rules))
			return
		}
		lines, err := c.moves(ctx, p, lim)
		if err != nil {
			yield(nil, err)
			return
		}
		if !yield(slices.Clone(lines), nil) || lim.Play {
			return
		}
		switch err := c.addLine(ctx, p, lim, lines); {
		case err == nil:
			yield(lines, nil)
		case engine.AbortCause(ctx) != nil || ctx.Err() == nil && !errors.Is(err, pluginclient.ErrUnknown):
			yield(nil, err)
		}
	}
}

// moves returns the best moves, which are lines of one move.
func (c *Client) moves(ctx context.Context, pos *xiangqi.Position, lim engine.Limits) ([]engine.Line, error) {
	allowed, err := engine.AllowedMoves(pos, lim.Ban)
	if err != nil {
		return nil, err
	}
	r, err := c.ask(ctx, "queryall", pos, banned(lim.Ban))
	if err != nil {
		return nil, err
	}
	var lines []engine.Line
	for _, m := range r.Moves {
		move, err := pos.Parse(m.Move)
		switch {
		case err != nil:
			return nil, c.fail("queryall", fmt.Errorf("%w: %w", pluginclient.ErrIllegal, err))
		case m.Score.Known() && slices.Contains(allowed, move) && len(lines) < max(lim.Lines, 1):
			text := []string{m.Note}
			if m.WinRate != "" {
				text = append(text, m.WinRate+" %")
			}
			if !r.date.IsZero() {
				text = append(text, r.date.Format(time.DateOnly))
			}
			lines = append(lines, engine.Line{Moves: []engine.Move{move}, Score: m.Score.Score, Text: printable.Line(strings.Join(text, ", "))})
		}
	}
	if lines == nil {
		return nil, c.fail("queryall", pluginclient.ErrUnknown)
	}
	return lines, nil
}

// addLine adds to the line of a move how the server would continue.
func (c *Client) addLine(ctx context.Context, pos *xiangqi.Position, lim engine.Limits, lines []engine.Line) error {
	r, err := c.ask(ctx, "querypv", pos, banned(lim.Ban)+"&stable=1")
	if err != nil {
		return err
	}
	moves, _, _ := engine.ReadMoves(pos, r.PV)
	for i := range lines {
		if len(moves) > 0 && lines[i].Move() == moves[0] {
			lines[i].Moves, lines[i].Depth = moves, r.Depth
		}
	}
	return nil
}

// JudgeRepetition implements [pluginclient.RepetitionJudge] by queryrule, which is asked about the moves since the last capture.
func (c *Client) JudgeRepetition(ctx context.Context, pos engine.Position, times int) (string, error) {
	p, isXiangqi := pos.(*xiangqi.Position)
	if !isXiangqi {
		return "", engine.OtherGame(pos, xiangqi.Rules)
	}
	start, moves := p.History()
	captures := max(0, len(moves)-p.QuietPlies())
	start, err := engine.PlayMoves(start, moves[:captures])
	if err != nil {
		return "", err
	}
	var texts []string
	for _, m := range moves[captures:] {
		texts = append(texts, xiangqi.Move(m).UCI())
	}
	if len(texts) == 0 {
		return "", errors.New("no moves since the last capture")
	}
	last := len(texts) - 1
	r, err := c.ask(ctx, "queryrule", start.(*xiangqi.Position), fmt.Sprintf("&movelist=%s&reptimes=%d", url.QueryEscape(strings.Join(texts[:last], "|")), times-1))
	if err != nil {
		return "", err
	}
	for _, m := range r.Moves {
		if m.Move == texts[last] && slices.Contains([]string{"none", "draw", "ban"}, m.Rule) {
			return m.Rule, nil
		}
	}
	return "", c.fail("queryrule", fmt.Errorf("%w: nothing about %s", pluginclient.ErrInvalidReply, texts[last]))
}

// banned returns the parameter that excludes moves, or "".
func banned(ban []engine.Move) string {
	if len(ban) == 0 {
		return ""
	}
	var texts []string
	for _, m := range ban {
		texts = append(texts, "move:"+xiangqi.Move(m).UCI())
	}
	return "&ban=" + url.QueryEscape(strings.Join(texts, "|"))
}

func (c *Client) fail(action string, err error) error {
	return &pluginclient.Error{Engine: Name, Command: action, Err: err}
}

// A reply is the reply to any question.
type reply struct {
	Status string `json:"status"`
	Moves  []struct {
		Move    string `json:"uci"`
		Score   score  `json:"score"`
		Note    string `json:"note"`
		WinRate string `json:"winrate"`
		Rule    string `json:"rule"`
	} `json:"moves"`
	Depth int      `json:"depth"`
	PV    []string `json:"pv"`

	date time.Time // of the server; zero: unknown
}

// A score is unknown if it is "??".
type score struct{ engine.Score }

const (
	mateScore = 30_000 // less the plies up to the mate
	leastMate = 25_000
)

func (s *score) UnmarshalJSON(text []byte) error {
	if string(text) == `"??"` || string(text) == "null" {
		return nil
	}
	var n int
	if err := json.Unmarshal(text, &n); err != nil {
		return err
	}
	switch {
	case n >= leastMate:
		s.Score = engine.MateIn(max(mateScore-n+1, 2) / 2)
	case n <= -leastMate:
		s.Score = engine.MateIn(-max(mateScore+n, 2) / 2)
	default:
		s.Score = engine.Centipawns(n)
	}
	return nil
}

// ask asks a question about a position, with more parameters. It waits for its turn, and then for the reply.
func (c *Client) ask(ctx context.Context, action string, pos *xiangqi.Position, more string) (reply, error) {
	u, fields, learn := *c.URL, strings.Fields(pos.String()), 0
	if c.Learn {
		learn = 1
	}
	u.RawQuery = fmt.Sprintf("action=%s&board=%s%s&json=1&learn=%d", action, url.QueryEscape(strings.Join(fields[:2], " ")), more, learn)
	r, err := c.get(ctx, u.String())
	switch cause := context.Cause(ctx); {
	case err != nil && errors.Is(cause, engine.ErrMoveNow):
		return r, c.fail(action, pluginclient.ErrTimedOut)
	case err != nil && cause != nil:
		return r, cause
	case err != nil:
		return r, c.fail(action, err)
	}
	switch r.Status {
	case "ok":
		return r, nil
	case "unknown":
		err = pluginclient.ErrUnknown
	case "checkmate", "stalemate":
		err = fmt.Errorf("%s: %w", r.Status, engine.ErrNoMove)
	default:
		err = fmt.Errorf("%w: %s", pluginclient.ErrRefused, engine.Quote(r.Status))
	}
	return r, c.fail(action, err)
}

// get returns the reply to a question. Its status is not empty.
func (c *Client) get(ctx context.Context, question string) (r reply, err error) {
	if err := paceOf(c.URL).wait(ctx); err != nil {
		return r, err
	}
	c.note("asks", question)
	ctx, cancel := context.WithTimeoutCause(ctx, c.Reply, pluginclient.ErrTimedOut)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, question, http.NoBody)
	if err != nil {
		return r, err
	}
	request.Header.Set("User-Agent", "qhsh/"+pluginclient.Version)
	client := http.Client{Transport: c.Transport, CheckRedirect: func(*http.Request, []*http.Request) error {
		return http.ErrUseLastResponse // it was not said that another host is asked
	}}
	response, err := client.Do(request)
	var body []byte
	if err == nil {
		defer response.Body.Close()
		body, err = io.ReadAll(io.LimitReader(response.Body, maxReply))
	}
	if wrapped := (*url.Error)(nil); errors.As(err, &wrapped) {
		err = wrapped.Err // without the question
	}
	switch cause := context.Cause(ctx); {
	case err != nil && errors.Is(cause, pluginclient.ErrTimedOut):
		err = fmt.Errorf("%s: no reply within %v: %w", c.URL.Host, c.Reply, cause)
	case err != nil:
		err = fmt.Errorf("%s: %w", c.URL.Host, err)
	}
	if err != nil {
		c.note("fails", err.Error())
		return r, err
	}
	c.note("answers", response.Status+" "+string(body))
	r.date, _ = http.ParseTime(response.Header.Get("Date"))
	const shown = 80
	if wrong := json.Unmarshal(body, &r); wrong != nil || r.Status == "" || response.StatusCode != http.StatusOK {
		return r, fmt.Errorf("%w: %s: status %d: %q", pluginclient.ErrInvalidReply, c.URL.Host, response.StatusCode, body[:min(len(body), shown)])
	}
	return r, nil
}

func (c *Client) note(what, text string) {
	if c.Trace != nil {
		c.Trace.Notef("%s %s", what, printable.Line(text))
	}
}
