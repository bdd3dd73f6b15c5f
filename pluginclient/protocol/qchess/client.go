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

// quitTime is how long an agent may take to end after QUIT, by the document.
const quitTime = 2 * time.Second

// Options are how a Client treats its agent.
type Options struct {
	Deadlines pluginclient.Deadlines // zeros: the defaults
	Log       *pluginclient.TraceLog // every line goes there too; may be nil
	Warn      func(warning string)   // told what a person should know; may be nil
}

// A Program is how an agent is started. Agents have no way to tell their name.
type Program struct {
	Name  string
	Start pluginclient.Starter
}

// InProcess returns a server of this process as an agent.
func InProcess(s *Server) Program {
	return Program{Name: s.Name, Start: pluginclient.Pipe(func(ctx context.Context, in io.Reader, out io.Writer) error {
		return s.Serve(ctx, in, out)
	})}
}

// A Client is a conversation with an agent. It is a Searcher and a [pluginclient.Session].
//
// An agent that is lost, by its own fault or because it did not answer in time, is started again by
// the next typed call.
type Client struct {
	pluginclient.Conversation
	link *pluginclient.Link
	name string

	// The rest belongs to whoever has the turn.
	inGame        bool             // the agent has been told its side
	side          engine.Turn      // that it plays
	agentPos      *qchess.Position // what it has been told; nil: nothing, or it is not known
	supportsBoard bool             // it takes notice of BOARD
	boardProbed   bool             // whether it does is known
}

var (
	_ pluginclient.LanguageProvider = (*Client)(nil)
	_ pluginclient.ResultChecker    = (*Client)(nil)
	_ engine.Forgetter              = (*Client)(nil)
)

// Dial starts an agent. It is told nothing before it is asked.
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

// Info is the name of the agent's program. There are no levels.
func (c *Client) Info() pluginclient.Info {
	return pluginclient.Info{Protocol: Protocol, Name: c.name}
}

// Level is not known: there are none.
func (c *Client) Level() (id int, known bool) { return 0, false }

// SetLevel is an error, since there are no levels.
func (c *Client) SetLevel(context.Context, int) error {
	return fmt.Errorf("%s: %w: %s has no levels: the agent's own command line may have", c.name, pluginclient.ErrRefused, Protocol)
}

// Forget ends the agent's game: the next one begins with a new process.
func (c *Client) Forget() {
	_ = c.link.Do(context.Background(), func() error {
		if c.inGame {
			c.quit("")
		}
		return nil
	})
}

// quit tells the agent that its game is over, and ends it. An agent that does not end is killed.
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
		c.link.Warn(fmt.Sprintf("%s: it did not end within %v of %s, and was killed", c.name, c.link.Deadlines.Quit, Quit))
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

// NewGame makes a position the conversation's. The agent is told when it is asked next.
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

// CheckResult tells the agent how a game has ended that it is in, and ends it. It has no way to hold
// otherwise; one that says something all the same is an error that wraps ErrInvalidReply.
func (c *Client) CheckResult(ctx context.Context, pos engine.Position) error {
	return c.link.Do(ctx, func() error {
		end, ok := pos.(*qchess.Position)
		if !ok || c.link.Conn == nil || !c.inGame || !c.continues(end) {
			return nil
		}
		err := c.sendUpdates(end)
		if err == nil {
			err = c.checkUnsolicited()
		}
		c.quit(Result(end))
		return err
	})
}

// Result is the server's result line of a game that the rules have ended.
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
