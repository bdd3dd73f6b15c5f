package qtp

import (
	"context"
	"fmt"
	"io"
	"sync"

	"qhsh/engine"
	"qhsh/engine/quoridor"
	"qhsh/pluginclient"
)

// Options configure a Client.
type Options struct {
	Deadlines pluginclient.Deadlines // zeros: the defaults
	Log       *pluginclient.TraceLog // every line goes there too; may be nil
	Warn      func(warning string)   // called with warnings for the user; may be nil
	Rules     quoridor.Rules         // of the first game; zero: quoridor.Default
	Strict    bool                   // a broken rule is an error of the call, unless it is advice

	// Judged is called with every rule of the protocol that the engine breaks; may be nil.
	Judged func(j pluginclient.Judgement)
}

// A Program describes how to start an engine.
type Program struct {
	Name  string // for traces and errors until the engine reports its name
	Start pluginclient.Starter
}

// InProcess returns a Program that runs a server in this process.
func InProcess(s *Server) Program {
	return Program{Name: s.Name, Start: pluginclient.Pipe(func(ctx context.Context, in io.Reader, out io.Writer) error {
		return s.Serve(ctx, in, out)
	})}
}

// A Client is a conversation with an engine. It is a Searcher and a [pluginclient.Session], and has
// methods to change the board.
//
// A call ends in two steps: first the caller gets its answer, and later the engine is idle again. The
// next call waits for the second step. If the engine crashed or did not respond, the next call of a
// method other than Raw restarts it.
type Client struct {
	pluginclient.Conversation
	link   *pluginclient.Link
	strict bool // wait for the end of every response

	mu   sync.Mutex // guards name, which is read without a turn
	name string

	// The rest is used only by the call that has the turn.
	pending    []string // lines read after the end of a response
	nameReply  string   // the engine's reply to name
	game       *game    // the conversation's game
	engineGame *game    // the engine's game; nil: unknown
	outOfSync  bool     // a call other than Raw has changed the engine's game
	cleared    bool     // the user has sent clear_board, and walls must follow
	implicit   bool     // commands sent now are not the user's
	endless    bool     // the engine does not end its responses
	asked      string   // the latest command, for judgements
}

var (
	_ pluginclient.LanguageProvider = (*Client)(nil)
	_ pluginclient.ResultChecker    = (*Client)(nil)
	_ engine.Forgetter              = (*Client)(nil)
)

// Dial starts an engine, asks for its name, and sets up the board. It succeeds even if the engine
// rejects the board size, so that the user can set another one.
func Dial(ctx context.Context, program Program, opts Options) (*Client, error) {
	if opts.Rules == (quoridor.Rules{}) {
		opts.Rules = quoridor.Default
	}
	c := &Client{name: program.Name, strict: opts.Strict, game: newGame(opts.Rules)}
	c.link = pluginclient.NewLink(pluginclient.LinkOptions{
		Name: c.Name, Start: program.Start, Position: c.game.position(), Deadlines: opts.Deadlines, Log: opts.Log, Warn: opts.Warn,
		Judged: opts.Judged, Strict: opts.Strict,
		Quit: Quit, Handshake: c.handshake, OnExit: c.onExit, Parted: c.judgeParting,
	})
	c.Conversation = c.link.Conversation()
	if err := c.link.Do(ctx, c.begin); err != nil {
		c.Close()
		return nil, err
	}
	return c, nil
}

func (c *Client) begin() error {
	if err := c.link.Start(); err != nil {
		return err
	}
	err := c.syncHome()
	if err == nil || pluginclient.Lost(err) {
		return err
	}
	c.link.Warn(fmt.Sprintf("%s: cannot set up the board: %v", c.Name(), err))
	c.outOfSync = false
	return nil
}

// Name returns the name that the engine reports.
func (c *Client) Name() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.name
}

// Info returns the engine's name. There are no levels.
func (c *Client) Info() pluginclient.Info {
	return pluginclient.Info{Protocol: Protocol, Name: c.Name()}
}

// Level returns known = false: there are no levels.
func (c *Client) Level() (id int, known bool) { return 0, false }

// SetLevel returns an error, since there are no levels.
func (c *Client) SetLevel(context.Context, int) error {
	return fmt.Errorf("%s: %w: %s has no levels: use the engine's command line", c.Name(), pluginclient.ErrRefused, Protocol)
}

// setGame makes g the conversation's game.
func (c *Client) setGame(g *game) {
	c.game = g
	c.link.SetPosition(g.position())
}

// onExit resets what is known of the engine's state.
func (c *Client) onExit() { c.pending, c.engineGame, c.outOfSync, c.endless = nil, nil, true, false }

// handshake asks the engine for its name.
func (c *Client) handshake(ctx context.Context) error {
	if err := c.send(pluginclient.Pinged, Name); err != nil {
		return fmt.Errorf("%w: %w", pluginclient.ErrStart, err)
	}
	reply, err := c.readReply(ctx, Name)
	if err != nil {
		return fmt.Errorf("%w: %w", pluginclient.ErrStart, err)
	}
	c.setName(reply)
	return nil
}

// setName stores the engine's name. An engine without one gets the program's name.
func (c *Client) setName(r reply) {
	c.nameReply = r.line()
	if r.failed || c.nameReply == "" {
		c.judge(nameAnswers, "%q to %s", r.raw[0], Name)
		return
	}
	c.mu.Lock()
	c.name = c.nameReply
	c.mu.Unlock()
	c.link.Trace.Rename(c.nameReply)
}

// Forget makes the next search begin with clear_board, which starts a new game.
func (c *Client) Forget() {
	_ = c.link.Do(context.Background(), func() error {
		c.engineGame, c.outOfSync = nil, true
		return nil
	})
}

// Restart ends the engine, starts it again and restores the position.
func (c *Client) Restart(ctx context.Context) error {
	return c.link.Do(ctx, func() error {
		c.link.Quit()
		if err := c.link.Start(); err != nil {
			return err
		}
		return c.syncHome()
	})
}
