package jsonl

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"slices"
	"time"

	"qhsh/engine"
	"qhsh/pluginclient"
)

// Options configure a Client.
type Options struct {
	pluginclient.ClientOptions
	Game engine.Game // that it plays; nil for a referee
}

// A Client is a conversation with an engine. It is a Searcher and a [pluginclient.Session] without a board
// of its own. If the engine has crashed or did not answer in time, the next call of a method other than Raw
// restarts it.
//
// An engine that does not stop in Deadlines.Abort after it was told to is ended.
type Client struct {
	pluginclient.Conversation
	link *pluginclient.Link
	game engine.Game

	// The rest is used only by the call that has the turn.
	lastID    int
	abandoned int // the id of a search that was given up, and whose answer is awaited; 0: none
}

var _ pluginclient.Session = (*Client)(nil)

// pvRule is what a client sees broken without an error.
var pvRule = pluginclient.Rule{Name: "hints.pv", Section: "hints", Sentence: "pv has legal moves, one after the other, the first of which is move"}

// Dial starts an engine and asks for its name.
func Dial(ctx context.Context, program pluginclient.Program, o Options) (*Client, error) {
	c := &Client{game: o.Game}
	c.link = pluginclient.NewLink(pluginclient.LinkOptions{
		Info: pluginclient.Info{Protocol: Protocol, Name: program.Name}, Start: program.Start,
		ClientOptions: o.ClientOptions,
		Handshake:     c.greet, Settle: c.settle, OnExit: func() { c.abandoned = 0 },
	})
	c.Conversation = c.link.Conversation()
	if o.Game != nil {
		c.link.SetPosition(o.Game.Start())
	}
	return pluginclient.Dialed(ctx, c.link, c, nil)
}

// greet asks for the engine's name and levels, which it need not tell.
func (c *Client) greet(ctx context.Context) error {
	var a Answer
	id, err := c.send(pluginclient.Pinged, Request{Action: ActionVersions})
	if err == nil {
		a, err = c.hear(ctx, id)
	}
	switch {
	case errors.Is(err, pluginclient.ErrRefused):
		return nil
	case err != nil:
		return fmt.Errorf("%w: %w", pluginclient.ErrStart, c.link.Conn.ExplainTimeout(err, "", pluginclient.Excerpt))
	case len(a.Engines) == 0:
		return nil
	}
	info := c.Info()
	if own := a.Engines[0]; own.Name != "" {
		info.Name, info.Levels = own.Name, nil
		for _, l := range own.Levels {
			info.Levels = append(info.Levels, engine.Level{ID: l.Level, Text: l.Text})
		}
	}
	c.link.SetInfo(info)
	return nil
}

// Level returns known = false: a level is that of a search.
func (c *Client) Level() (id int, known bool) { return 0, false }

// SetLevel returns an error, since a level is that of a search.
func (c *Client) SetLevel(context.Context, int) error {
	return fmt.Errorf("%s: %w: %s has levels of searches alone", c.Info().Name, pluginclient.ErrRefused, Protocol)
}

// Levels returns the engine's levels, whose limits are its own matter.
func (c *Client) Levels() []engine.Level { return c.Info().Levels }

// Search asks the engine for its lines at pos. It yields once.
func (c *Client) Search(ctx context.Context, pos engine.Position, lim engine.Limits) iter.Seq2[[]engine.Line, error] {
	return func(yield func([]engine.Line, error) bool) { yield(c.search(ctx, pos, lim)) }
}

func (c *Client) search(ctx context.Context, pos engine.Position, lim engine.Limits) (lines []engine.Line, err error) {
	if pos.Game().Name() != c.game.Name() {
		err = engine.OtherGame(pos, c.game)
	} else if _, err = engine.AllowedMoves(pos, lim.Ban); err == nil && pos.Turn() == engine.Chance {
		err = fmt.Errorf("it is chance's turn: %w", engine.ErrNoMove)
	}
	if err != nil {
		return nil, c.link.PrefixName(err)
	}
	lines, err = pluginclient.CallStarted(ctx, c.link, func(ctx context.Context) ([]engine.Line, error) {
		a, err := c.think(ctx, NewSearch(pos, lim), lim.Time)
		if err != nil {
			return nil, err
		}
		lines, err := a.Lines(pos, lim, func(move string) {
			c.link.Judge(pluginclient.Judgement{Rule: pvRule, Severity: pluginclient.Warning, What: fmt.Sprintf("the pv has %s", engine.Quote(move)), At: pos.String()})
		})
		for _, l := range lines {
			if slices.Contains(lim.Ban, l.Move()) {
				return nil, fmt.Errorf("%w: the banned move %s", pluginclient.ErrIllegal, pos.Format(l.Move()))
			}
		}
		return lines, err
	})
	return lines, c.link.PrefixName(err)
}

// think has the engine search, and stops it when ctx ends or the time is up.
func (c *Client) think(ctx context.Context, r Request, limit time.Duration) (Answer, error) {
	if limit > 0 {
		limit += c.link.Deadlines.Late
	}
	wait, done := c.link.ThinkContext(ctx, limit)
	defer done()
	asked, err := c.send(pluginclient.Sent, r)
	if err != nil {
		return Answer{}, err
	}
	pluginclient.SearchStarted(ctx)
	a, err := c.hear(wait, asked)
	switch cause := context.Cause(wait); {
	case err == nil || cause == nil || !errors.Is(err, cause):
		return a, err
	case errors.Is(cause, pluginclient.ErrDeadline):
		return a, c.link.Conn.ExplainTimeout(err, "", pluginclient.Excerpt)
	case errors.Is(cause, engine.ErrMoveNow), errors.Is(cause, pluginclient.ErrTimeUp):
		if _, err := c.send(pluginclient.Sent, Request{Action: ActionTerminate, IDs: []int{asked}}); err != nil {
			return a, err
		}
		rest, done := c.link.WithDeadline(c.link.Deadlines.Abort)
		defer done()
		a, err := c.hear(rest, asked)
		return a, c.link.Conn.ExplainTimeout(err, "", pluginclient.Excerpt)
	}
	if _, err := c.send(pluginclient.Sent, Request{Action: ActionCancel, IDs: []int{asked}}); err != nil {
		return a, err
	}
	c.abandoned = asked
	return a, err
}

// settle waits for the answer to a search that was given up.
func (c *Client) settle() error {
	if c.abandoned == 0 || c.link.Conn == nil {
		return nil
	}
	ctx, done := pluginclient.WithDeadline(context.Background(), c.link.Deadlines.Abort)
	defer done()
	_, err := c.hear(ctx, c.abandoned)
	c.abandoned = 0
	if errors.Is(err, pluginclient.ErrRefused) {
		return nil
	}
	return c.link.Conn.ExplainTimeout(err, "", pluginclient.Excerpt)
}

func (c *Client) send(dir pluginclient.Direction, r Request) (id int, err error) {
	c.lastID++
	r.ID = c.lastID
	c.link.Command, c.link.SentAt = fmt.Sprintf("request %d", r.ID), time.Now()
	return r.ID, c.link.Send(dir, r.Encode())
}

// hear waits for the final answer with an id, which wraps ErrRefused if it is an error. Others are of requests that nobody waits for any more.
func (c *Client) hear(ctx context.Context, id int) (Answer, error) {
	for {
		line, err := c.link.Conn.Receive(ctx)
		if err != nil {
			return Answer{}, err
		}
		a, err := ParseAnswer(line)
		switch {
		case err != nil:
			return Answer{}, err
		case *a.ID < 1 || *a.ID > c.lastID:
			return Answer{}, fmt.Errorf("%w: there is no request %d", pluginclient.ErrInvalidReply, *a.ID)
		case *a.ID != id || !a.IsFinal():
			continue
		case a.Error != "":
			return a, fmt.Errorf("%w: %s", pluginclient.ErrRefused, pluginclient.Excerpt(a.Error))
		}
		return a, nil
	}
}

// AskState asks the engine for the state after moves from a position, "" being the start of the game. An
// illegal move or position is an error that wraps ErrRefused.
func (c *Client) AskState(ctx context.Context, fen string, moves []string) (*State, error) {
	s, err := pluginclient.CallStarted(ctx, c.link, func(ctx context.Context) (*State, error) {
		ctx, unbind := c.link.Bind(ctx)
		defer unbind()
		ctx, done := pluginclient.WithDeadline(ctx, c.link.Deadlines.Reply)
		defer done()
		var a Answer
		id, err := c.send(pluginclient.Sent, Request{Action: ActionState, FEN: fen, Moves: moves})
		if err == nil {
			a, err = c.hear(ctx, id)
		}
		if err != nil {
			return nil, c.link.Conn.ExplainTimeout(err, "", pluginclient.Excerpt)
		}
		if err := a.State.Check(); err != nil {
			return nil, fmt.Errorf("%w: %w", pluginclient.ErrInvalidReply, err)
		}
		return a.State, nil
	})
	return s, c.link.PrefixName(err)
}

// Raw sends a line and returns what the engine answers to its id, or one line if it has none.
func (c *Client) Raw(ctx context.Context, line string) ([]string, error) {
	return pluginclient.CallRaw(ctx, c.link, true, func(ctx context.Context) (lines []string, err error) {
		var sent, said struct {
			ID    json.RawMessage `json:"id"`
			Final *bool           `json:"final"`
		}
		isRequest := json.Unmarshal([]byte(line), &sent) == nil
		c.link.Command, c.link.SentAt = pluginclient.Excerpt(line), time.Now()
		if err := c.link.Send(pluginclient.Sent, line); err != nil {
			return nil, err
		}
		wait, done := c.link.ThinkContext(ctx, 0)
		defer done()
		for {
			text, err := c.link.Conn.Receive(wait)
			if err != nil {
				return lines, c.link.Conn.ExplainTimeout(err, "", pluginclient.Excerpt)
			}
			said.Final = nil
			lines = append(lines, text)
			same := json.Unmarshal([]byte(text), &said) == nil && string(said.ID) == string(sent.ID)
			if !isRequest || same && (said.Final == nil || *said.Final) {
				return lines, nil
			}
		}
	})
}
