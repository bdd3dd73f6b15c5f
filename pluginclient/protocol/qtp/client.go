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
	Warn      func(warning string)   // told what a person should know; may be nil
	Rules     quoridor.Rules         // of the game that a conversation begins with; zero: quoridor.Default
	Strict    bool                   // report every deviation from the protocol
}

// A Program describes how to start an engine.
type Program struct {
	Name  string // for traces and errors until it has told its own
	Start pluginclient.Starter
}

// InProcess is a server of this process as an engine.
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
	strict bool // every deviation from the protocol is told

	mu   sync.Mutex // guards name, which does not wait for a turn
	name string

	// The rest belongs to whoever has the turn.
	pending    []string // lines that were read too far
	nameReply  string   // what it answers to name
	game       *game    // the game of the conversation
	engineGame *game    // the game that the engine has; nil: not known
	outOfSync  bool     // a typed call has left the engine elsewhere than at home
	cleared    bool     // a person has set the board up, and walls make it known
	implicit   bool     // what is sent now is added to what the user says

	deviations []deviation // from the protocol that have been found, each once
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
		Quit: Quit, Handshake: c.handshake, OnExit: c.onExit,
	})
	c.Conversation = c.link.Conversation()
	if err := c.link.Do(ctx, c.begin); err != nil {
		c.Close()
		return nil, err
	}
	return c, nil
}

// begin starts the engine for the first time.
func (c *Client) begin() error {
	if err := c.link.Start(); err != nil {
		return err
	}
	err := c.syncHome()
	if err == nil || pluginclient.Lost(err) {
		return err
	}
	c.link.Warn(fmt.Sprintf("%s: the board could not be set up: %v", c.Name(), err))
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
	return fmt.Errorf("%s: %w: %s has no levels: the engine's own command line may have", c.Name(), pluginclient.ErrRefused, Protocol)
}

// setGame makes g the conversation's game.
func (c *Client) setGame(g *game) {
	c.game = g
	c.link.SetPosition(g.position())
}

// onExit resets what is known of the engine's state after it has exited.
func (c *Client) onExit() { c.pending, c.engineGame, c.outOfSync = nil, nil, true }

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

// setName stores the engine's name. If it has none, the program's name is used.
func (c *Client) setName(r reply) {
	c.nameReply = r.line()
	if r.failed || c.nameReply == "" {
		c.record(nameFails, r.line())
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
