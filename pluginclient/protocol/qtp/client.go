package qtp

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"qhsh/engine"
	"qhsh/engine/quoridor"
	"qhsh/pluginclient"
)

// Options configure a Client.
type Options struct {
	pluginclient.ClientOptions
	Rules  quoridor.Rules // of the first game; zero: quoridor.Default
	Strict bool           // a broken rule is an error of the call, unless it is advice
}

// InProcess returns a Program that runs a server in this process.
func InProcess(s *Server) pluginclient.Program {
	return pluginclient.Program{Name: s.Name, Start: pluginclient.Pipe(s.Serve)}
}

// A Client is a conversation with an engine. It is a Searcher and a [pluginclient.Session], and has
// methods to change the board.
//
// Calls are those of [pluginclient.Call]. If the engine crashed or did not respond, the next call of a
// method other than Raw restarts it.
//
// A search makes the engine play a move with genmove, and takes it back before the next command. The
// protocol has neither a time limit nor a stop command: an engine that has not answered at the time
// limit plus Deadlines.Late is ended, and so is one that has not answered Deadlines.Abort after ctx
// ended.
type Client struct {
	pluginclient.OneMove
	link   *pluginclient.Link
	strict bool // wait for the end of every response

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
	moved      string   // the response to the command before, if that was genmove
}

var (
	_ pluginclient.LanguageProvider = (*Client)(nil)
	_ pluginclient.ResultChecker    = (*Client)(nil)
)

// Dial starts an engine, asks for its name, and sets up the board. It succeeds even if the engine
// rejects the board size, so that the user can set another one.
func Dial(ctx context.Context, program pluginclient.Program, opts Options) (*Client, error) {
	if opts.Rules == (quoridor.Rules{}) {
		opts.Rules = quoridor.Default
	}
	c := &Client{strict: opts.Strict, game: newGame(opts.Rules)}
	c.link = pluginclient.NewLink(pluginclient.LinkOptions{
		Info: pluginclient.Info{Protocol: Protocol, Name: program.Name}, Start: program.Start, Position: c.game.position(), ClientOptions: opts.ClientOptions, Strict: opts.Strict,
		Quit: Quit, Handshake: c.handshake, Parted: c.judgeParting, Restore: c.syncHome,
		OnExit: func() { c.pending, c.engineGame, c.outOfSync, c.endless = nil, nil, true, false },
	})
	c.OneMove = c.link.OneMove(pluginclient.OneMoveOptions{
		Engine: "engine", NoLevels: Protocol + " has no levels: use the engine's command line",
		Check: func(pos engine.Position) error {
			_, err := c.gameTo(pos)
			return err
		},
		Ask:    c.ask,
		Forget: func() { c.engineGame, c.outOfSync = nil, true }, // so that the next search begins with clear_board
	})
	return pluginclient.Dialed(ctx, c.link, c, func() error {
		err := c.syncHome()
		if err == nil || pluginclient.Lost(err) {
			return err
		}
		c.link.Warn(fmt.Sprintf("%s: cannot set up the board: %v", c.Name(), err))
		c.outOfSync = false
		return nil
	})
}

// Untimed implements [pluginclient.Untimed].
func (c *Client) Untimed() {}

// setGame makes g the conversation's game.
func (c *Client) setGame(g *game) {
	c.game = g
	c.link.SetPosition(g.position())
}

// handshake asks the engine for its name. An engine without one gets the program's name.
func (c *Client) handshake(ctx context.Context) error {
	err := c.send(pluginclient.Pinged, Name)
	var r reply
	if err == nil {
		r, err = c.readReply(ctx, Name)
	}
	if err != nil {
		return fmt.Errorf("%w: %w", pluginclient.ErrStart, err)
	}
	c.nameReply = r.line()
	if r.failed || c.nameReply == "" {
		c.judge("name.answers", "%q to %s", r.raw[0], Name)
		return nil
	}
	c.link.SetInfo(pluginclient.Info{Protocol: Protocol, Name: c.nameReply})
	return nil
}

// gameTo returns the game that has led to a position.
func (c *Client) gameTo(pos engine.Position) (*game, error) {
	board, ok := pos.(*quoridor.Position)
	if !ok || board == nil {
		return nil, fmt.Errorf("%s: %w", c.Name(), engine.OtherGame(pos, quoridor.Default))
	}
	return newGameTo(board), nil
}

// NewGame sets the conversation's position.
func (c *Client) NewGame(ctx context.Context, pos engine.Position) error {
	g, err := c.gameTo(pos)
	if err != nil {
		return err
	}
	return c.changeGame(ctx, func(h *game) error {
		*h = *g
		return nil
	})
}

// Load makes moves.
func (c *Client) Load(ctx context.Context, moves ...engine.Move) error {
	return c.changeGame(ctx, func(g *game) error {
		for i, m := range moves {
			if _, err := g.position().Play(m); err != nil {
				return fmt.Errorf("move %d: %w", i+1, err)
			}
			g.do(quoridor.Action(m))
		}
		return nil
	})
}

// Undo takes back a move.
func (c *Client) Undo(ctx context.Context) error {
	return c.changeGame(ctx, func(g *game) error {
		if !g.undo(1) {
			return errors.New("there is no move to take back")
		}
		return nil
	})
}

// changeGame changes the engine's game, and with it the conversation's.
func (c *Client) changeGame(ctx context.Context, change func(g *game) error) error {
	return c.link.Do(ctx, func() error {
		g := c.game.clone()
		err := change(g)
		if err == nil {
			err = c.goTo(g)
		}
		if err != nil {
			return err
		}
		c.setGame(g)
		c.outOfSync = false
		return nil
	})
}

// goTo sets the game of the engine, which is started if it is not running, to one that is not the
// conversation's.
func (c *Client) goTo(g *game) error {
	if err := c.link.Start(); err != nil {
		return err
	}
	c.outOfSync = true
	return c.syncGame(g)
}

// syncHome sets the engine's game to that of the conversation. The trace marks the lines as added.
func (c *Client) syncHome() error {
	c.implicit = true
	defer func() { c.implicit = false }()
	err := c.syncGame(c.game)
	c.outOfSync = c.outOfSync && err != nil
	return err
}

// syncGame sets the engine's game: by undo and the missing moves if the start is the same,
// otherwise from the start.
func (c *Client) syncGame(g *game) error {
	sameStart := false // regardless of the side to move
	if c.engineGame != nil {
		own, other := c.engineGame.boardAt(0), g.boardAt(0)
		other.SetTurn(own.Turn())
		sameStart = own == other
	}
	if sameStart {
		same := 0
		for same < min(len(g.actions), len(c.engineGame.actions)) && g.actions[same] == c.engineGame.actions[same] {
			same++
		}
		err := error(nil)
		if times := len(c.engineGame.actions) - same; times > 0 {
			command := Undo
			if times > 1 {
				command = fmt.Sprintf("%s %d", Undo, times)
			}
			if err = c.execute(command); err == nil {
				c.engineGame.undo(times)
			}
		}
		if err == nil {
			return c.playAll(g.actions[same:])
		}
		if !errors.Is(err, pluginclient.ErrRefused) {
			return err
		}
		c.judgeRefusal(Undo, err)
	}
	start := g.boardAt(0)
	rules, actions, err := route(&start)
	if err != nil {
		return err
	}
	c.engineGame = nil
	for _, command := range []string{
		fmt.Sprintf("%s %d", BoardSize, rules.Size), ClearBoard, fmt.Sprintf("%s %d", Walls, rules.Walls),
	} {
		if err := c.execute(command); err != nil {
			return err
		}
	}
	c.engineGame = newGame(rules)
	if err := c.playAll(actions); err != nil {
		return err
	}
	c.engineGame = newGameFrom(start)
	return c.playAll(g.actions)
}

// playAll plays legal actions. A refusal breaks a rule.
func (c *Client) playAll(actions []quoridor.Action) error {
	for _, a := range actions {
		err := c.execute(formatPlay(a))
		if errors.Is(err, pluginclient.ErrRefused) {
			c.judgeRefusal(fields(formatPlay(a))[0], err)
			return fmt.Errorf("%w, although it is legal", err)
		}
		if err != nil {
			return err
		}
		c.engineGame.do(a)
	}
	return nil
}

// ask makes the engine play a move at a position.
func (c *Client) ask(ctx context.Context, pos engine.Position, lim engine.Limits) (engine.Line, error) {
	g, err := c.gameTo(pos)
	if err == nil {
		err = c.goTo(g)
	}
	if err != nil {
		return engine.Line{}, err
	}
	colour := quoridor.ColourName(pos.Turn())
	if err := c.send(pluginclient.Sent, GenMove+" "+colour); err != nil {
		return engine.Line{}, err
	}
	a, _, err := c.readGenMove(ctx, colour, lim.Time)
	return engine.Line{Moves: []engine.Move{engine.Move(a)}}, err
}

// readGenMove waits for the response to a genmove for a colour, and plays the move in engineGame.
// It may return both a response and an error; an error of ctx takes precedence over one of the
// response.
func (c *Client) readGenMove(ctx context.Context, colour string, limit time.Duration) (a quoridor.Action, r reply, err error) {
	before := c.engineGame
	c.engineGame = nil // until its move is known
	r, err = pluginclient.AwaitMove(ctx, c.link, limit, func(ctx context.Context) (reply, error) { return c.readReply(ctx, GenMove) })
	if len(r.text) == 0 {
		return 0, r, err
	}
	side, invalid := quoridor.ParseColour(colour)
	if r.failed {
		if invalid == nil {
			c.judge("genmove.never", "%q", r.raw[0])
		}
		c.engineGame = before // a failure changes nothing
		return 0, r, cmp.Or(err, fmt.Errorf("%w: genmove answered with %q", pluginclient.ErrRefused, pluginclient.Excerpt(r.line())))
	}
	if invalid == nil {
		if a, invalid = parseGenMove(r.line(), side); invalid != nil {
			c.judge("genmove.vertex", "%q", r.raw[0])
		}
	}
	if invalid != nil {
		return 0, r, cmp.Or(err, fmt.Errorf("%w: genmove: %w", pluginclient.ErrInvalidReply, invalid))
	}
	if before != nil {
		invalid = c.playEngineMove(before, a)
	}
	if invalid == nil {
		c.engineGame = before
	}
	return a, r, cmp.Or(err, invalid)
}

// playEngineMove plays the engine's move in g, if it is legal.
func (c *Client) playEngineMove(g *game, a quoridor.Action) error {
	if err := g.play(a); err != nil {
		c.judgeAt("genmove.legal", g.position().String(), "genmove plays %v: %v", a, err)
		return fmt.Errorf("%w: %w", pluginclient.ErrIllegal, err)
	}
	return nil
}

// CheckResult asks the engine for the winner of a finished game. It returns an error if the engine
// disagrees.
func (c *Client) CheckResult(ctx context.Context, pos engine.Position) error {
	g, err := c.gameTo(pos)
	if err != nil {
		return err
	}
	return c.link.Do(ctx, func() error {
		if err := c.goTo(g); err != nil {
			return err
		}
		r, err := c.request(Winner)
		if err != nil {
			return err
		}
		return c.checkWinner(pos.(*quoridor.Position), r)
	})
}

// checkWinner returns an error if the reply to winner is wrong. A right answer with the wrong sign
// is accepted, as some engines send it, and so are the short forms of 2.2 in any case.
func (c *Client) checkWinner(pos *quoridor.Position, r reply) error {
	board, want := pos.Board(), "false"
	if side, over := board.Winner(); over {
		want = "true " + quoridor.ColourName(side)
	}
	words := fields(strings.ToLower(r.line()))
	for i, word := range words {
		words[i] = cmp.Or(map[string]string{"t": "true", "f": "false", "b": "black", "w": "white"}[word], word)
	}
	right := strings.Join(words, " ") == want
	switch {
	case r.failed, !startsWithBoolean(r.line()):
		c.judgeAt("winner.answers", pos.String(), "%q", r.raw[0])
	case !right:
		c.judgeAt("winner.right", pos.String(), "%q, not %q", r.raw[0], want)
	}
	if right {
		return nil
	}
	return fmt.Errorf("%w: winner answered %q at %v, want %q", pluginclient.ErrInvalidReply, pluginclient.Excerpt(r.line()), pos, want)
}
