package qchess

import (
	"context"
	"errors"
	"fmt"
	"time"

	"qhsh/engine"
	"qhsh/engine/qchess"
	"qhsh/pluginclient"
)

// quitTime is how long an agent may take to exit after QUIT, as the document says.
const quitTime = 2 * time.Second

// InProcess returns a Program that runs a server in this process.
func InProcess(s *Server) pluginclient.Program {
	return pluginclient.Program{Name: s.Name, Start: pluginclient.Pipe(s.Serve)}
}

// A Client is a conversation with an agent. It is a Searcher and a [pluginclient.Session]. If the
// agent has crashed or did not answer in time, the next call of a method other than Raw restarts
// it.
//
// A search asks the agent for its selection or its move. The protocol has neither a time limit nor a
// stop command: an agent that has not answered at the time limit plus Deadlines.Late is ended, and so
// is one that has not answered Deadlines.Abort after ctx ended. An answer that the server would reject
// is an error that wraps a [Verdict]: the agent is told that it has lost, and ended.
type Client struct {
	pluginclient.OneMove
	link *pluginclient.Link

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
)

// Dial starts an agent. Nothing is sent before the first search.
func Dial(ctx context.Context, program pluginclient.Program, o pluginclient.ClientOptions) (*Client, error) {
	c := &Client{}
	if o.Deadlines.Quit == 0 || o.Deadlines.Quit == pluginclient.DefaultDeadlines().Quit {
		o.Deadlines.Quit = quitTime
	}
	c.link = pluginclient.NewLink(pluginclient.LinkOptions{
		Info: pluginclient.Info{Protocol: Protocol, Name: program.Name}, Start: program.Start, Position: qchess.Rules.Start(),
		ClientOptions: o, Quit: Quit,
		Handshake: func(context.Context) error { return nil },
		OnExit:    func() { c.inGame, c.agentPos = false, nil },
		End:       func() { c.quit("") },
	})
	c.OneMove = c.link.OneMove(pluginclient.OneMoveOptions{
		Engine: "agent", NoLevels: Protocol + " has no levels: use the agent's command line",
		Check: c.checkPosition, Ask: c.ask,
		Forget: func() { // the next search starts a new process
			if c.inGame {
				c.quit("")
			}
		},
	})
	return pluginclient.Dialed(ctx, c.link, c, nil)
}

// Untimed implements [pluginclient.Untimed].
func (c *Client) Untimed() {}

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
		c.link.Warn(fmt.Sprintf("%s: did not exit within %v after %s, and was killed", c.Name(), c.link.Deadlines.Quit, Quit))
	}
	c.link.Terminate()
}

// NewGame sets the conversation's position. The agent gets it at the next search.
func (c *Client) NewGame(_ context.Context, pos engine.Position) error {
	err := c.checkPosition(pos)
	if err == nil {
		c.link.SetPosition(pos)
	}
	return err
}

func (c *Client) checkPosition(pos engine.Position) error {
	if at, ok := pos.(*qchess.Position); ok && at != nil {
		return nil
	}
	return fmt.Errorf("%s: %w", c.Name(), engine.OtherGame(pos, qchess.Rules))
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

// ask sets the agent's position and requests a square. A verdict on the agent is sent to it, and ends
// it.
func (c *Client) ask(ctx context.Context, pos engine.Position, lim engine.Limits) (engine.Line, error) {
	step, err := c.request(ctx, pos.(*qchess.Position), lim.Time)
	if v, ok := errors.AsType[*Verdict](err); ok && c.link.Conn != nil {
		c.quit(v.Result())
	}
	return engine.Line{Moves: []engine.Move{engine.Move(step)}}, err
}

func (c *Client) request(ctx context.Context, pos *qchess.Position, limit time.Duration) (qchess.Step, error) {
	if err := c.syncPosition(ctx, pos, pos.Turn()); err != nil {
		return 0, err
	}
	board := pos.Board()
	request := Selection
	if _, moving := board.Selected(); moving {
		request = Move
	}
	c.link.Command, c.link.SentAt = request, time.Now()
	if err := c.send(pluginclient.Sent, request); err != nil {
		return 0, noAnswerVerdict(c.side, err, "")
	}
	pluginclient.SearchStarted(ctx)
	line, err := c.await(ctx, limit)
	if err != nil {
		return 0, err
	}
	return Judge(&board, line)
}

// await waits for the answer to a request. If none comes, the error wraps a Verdict.
func (c *Client) await(ctx context.Context, limit time.Duration) (string, error) {
	line, err := pluginclient.AwaitMove(ctx, c.link, limit, func(ctx context.Context) (string, error) {
		if err := context.Cause(c.link.Lifetime); err != nil {
			return "", err // QUIT may come at any time
		}
		line, err := c.link.Conn.Receive(ctx)
		if err != nil {
			part := c.link.Conn.Partial()
			err = noAnswerVerdict(c.side, c.link.Conn.ExplainTimeout(err, "", pluginclient.Excerpt), part)
		}
		return line, err
	})
	if err != nil {
		c.agentPos = nil // the agent assumes that its answer was played
		return "", err
	}
	return line, nil
}
