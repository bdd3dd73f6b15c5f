package qchess

import (
	"context"
	"fmt"
	"io"
	"time"

	"qhsh/engine"
	"qhsh/engine/qchess"
	"qhsh/pluginclient"
)

// quitTime is how long an agent may take to exit after QUIT, as the document says.
const quitTime = 2 * time.Second

// Options configure a Client.
type Options struct {
	Deadlines pluginclient.Deadlines // zeros: the defaults
	Log       *pluginclient.TraceLog // every line goes there too; may be nil
	Warn      func(warning string)   // called with warnings for the user; may be nil
}

// A Program describes how to start an agent. An agent cannot report its name.
type Program struct {
	Name  string
	Start pluginclient.Starter
}

// InProcess returns a Program that runs a server in this process.
func InProcess(s *Server) Program {
	return Program{Name: s.Name, Start: pluginclient.Pipe(func(ctx context.Context, in io.Reader, out io.Writer) error {
		return s.Serve(ctx, in, out)
	})}
}

// A Client is a conversation with an agent. It is a Searcher and a [pluginclient.Session]. If the
// agent has crashed or did not answer in time, the next call of a method other than Raw restarts
// it.
type Client struct {
	pluginclient.Conversation
	link *pluginclient.Link
	name string

	// The rest is used only by the call that has the turn.
	inGame        bool             // the agent has a side
	side          engine.Turn      // the agent's side
	agentPos      *qchess.Position // the agent's position; nil: unknown
	supportsBoard bool             // the agent obeys BOARD
	boardProbed   bool             // supportsBoard is known
}

var (
	_ pluginclient.LanguageProvider = (*Client)(nil)
	_ pluginclient.ResultChecker    = (*Client)(nil)
	_ pluginclient.FaultListener    = (*Client)(nil)
	_ engine.Forgetter              = (*Client)(nil)
)

// Dial starts an agent. Nothing is sent before the first search.
func Dial(ctx context.Context, program Program, o Options) (*Client, error) {
	c := &Client{name: program.Name}
	if o.Deadlines.Quit == 0 || o.Deadlines.Quit == pluginclient.DefaultDeadlines().Quit {
		o.Deadlines.Quit = quitTime
	}
	c.link = pluginclient.NewLink(pluginclient.LinkOptions{
		Name: func() string { return c.name }, Start: program.Start, Position: qchess.Rules.Start(),
		Deadlines: o.Deadlines, Log: o.Log, Warn: o.Warn, Quit: Quit,
		Handshake: func(context.Context) error { return nil },
		OnExit:    func() { c.inGame, c.agentPos = false, nil },
	})
	c.Conversation = c.link.Conversation()
	if err := c.link.Do(ctx, c.link.Start); err != nil {
		c.Close()
		return nil, err
	}
	return c, nil
}

// Info returns the name of the agent's program. There are no levels.
func (c *Client) Info() pluginclient.Info {
	return pluginclient.Info{Protocol: Protocol, Name: c.name}
}

// Level returns known = false: there are no levels.
func (c *Client) Level() (id int, known bool) { return 0, false }

// SetLevel returns an error, since there are no levels.
func (c *Client) SetLevel(context.Context, int) error {
	return fmt.Errorf("%s: %w: %s has no levels: use the agent's command line", c.name, pluginclient.ErrRefused, Protocol)
}

// Forget ends the agent's game: the next search starts a new process.
func (c *Client) Forget() {
	_ = c.link.Do(context.Background(), func() error {
		if c.inGame {
			c.quit("")
		}
		return nil
	})
}

// quit sends QUIT, with the result if there is one, and ends the agent. An agent that does not exit
// is killed.
func (c *Client) quit(result string) {
	if c.link.Conn == nil {
		return
	}
	parting := Quit
	if result != "" {
		parting += " " + result
	}
	begun := time.Now()
	c.link.Conn.Close(parting, c.link.Deadlines.Quit)
	if c.inGame && time.Since(begun) >= c.link.Deadlines.Quit {
		c.link.Warn(fmt.Sprintf("%s: did not exit within %v after %s, and was killed", c.name, c.link.Deadlines.Quit, Quit))
	}
	c.link.Terminate()
}

// Restart ends the agent and starts it again.
func (c *Client) Restart(ctx context.Context) error {
	return c.link.Do(ctx, func() error {
		c.quit("")
		return c.link.Start()
	})
}

// NewGame sets the conversation's position. The agent gets it at the next search.
func (c *Client) NewGame(_ context.Context, pos engine.Position) error {
	board, ok := pos.(*qchess.Position)
	if !ok || board == nil {
		return fmt.Errorf("%s: %w", c.name, engine.OtherGame(pos, qchess.Rules))
	}
	c.link.SetPosition(board)
	return nil
}

// Load makes moves.
func (c *Client) Load(_ context.Context, moves ...engine.Move) error {
	pos := c.Position()
	for i, m := range moves {
		next, err := pos.Play(m)
		if err != nil {
			return fmt.Errorf("move %d: %w", i+1, err)
		}
		pos = next
	}
	c.link.SetPosition(pos)
	return nil
}

// Undo takes back a move.
func (c *Client) Undo(context.Context) error {
	before, _, err := engine.TakeBack(c.Position())
	switch {
	case err != nil:
		return err
	case before == nil:
		return fmt.Errorf("%s: there is no move to take back", c.name)
	}
	c.link.SetPosition(before)
	return nil
}

// CheckResult ends the agent's game with its result, if the agent is in that game. An agent cannot
// disagree; one that sends a line is an error that wraps ErrInvalidReply.
func (c *Client) CheckResult(ctx context.Context, pos engine.Position) error {
	end, ok := pos.(*qchess.Position)
	if !ok {
		return nil
	}
	return c.link.Do(ctx, func() error {
		if c.link.Conn == nil || !c.inGame || !c.continues(end) {
			return nil
		}
		return c.endGame(c.sendUpdates(end), Result(end))
	})
}

// EndByFault ends the game of the agent, which plays side, with the result line of the fault. As the
// server does, it first tells an agent that has not been asked yet its side and the moves. An agent
// at fault may have been told already.
func (c *Client) EndByFault(ctx context.Context, pos engine.Position, side engine.Turn, fault error) error {
	end, ok := pos.(*qchess.Position)
	if !ok {
		return nil
	}
	v := verdictOf(end.Turn(), fault)
	return c.link.Do(ctx, func() error {
		switch {
		case side != v.Side && (isStandardStart(end) || c.supportsBoard):
			return c.endGame(c.syncPosition(ctx, end, side), v.Result())
		case c.inGame:
			c.quit(v.Result())
		}
		return nil
	})
}

// endGame ends the agent's game, whose last updates have been sent with an error or nil.
func (c *Client) endGame(sent error, result string) error {
	if sent == nil {
		sent = c.checkUnsolicited()
	}
	c.quit(result)
	return sent
}

// Result returns the server's result line of a game that the rules have ended.
func Result(end *qchess.Position) string {
	board := end.Board()
	switch end.Result().Outcome {
	case engine.FirstWins:
		return qchess.ColourName(qchess.White)
	case engine.SecondWins:
		return qchess.ColourName(qchess.Black)
	case engine.Draw:
		return qchess.ColourName(board.Turn().Other()) + " DRAW"
	}
	return ""
}
