package checkerboard

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"qhsh/engine"
	"qhsh/engine/checkers"
	"qhsh/pluginclient"
	"qhsh/pluginclient/protocol/checkerboard/abi"
	"qhsh/pluginclient/protocol/checkerboard/library"
)

// Options configure a Client.
type Options struct {
	Deadlines pluginclient.Deadlines // zeros: the defaults
	Log       *pluginclient.TraceLog // every line goes there too; may be nil
	Warn      func(warning string)   // called with warnings for the user; may be nil
	Variant   *checkers.Variant      // the variant to play; nil: the engine's own
	Exact     bool                   // make the engine use exactly the given time
	Clock     bool                   // tell the engine the clock of Limits
}

// A Program describes how to start the process of a library.
type Program struct {
	Name  string // for traces and errors until the engine reports its name
	Start pluginclient.Starter
}

// Library returns a Program that loads a library in a process of its own: this program with another
// command line. The working directory is the library's folder, unless cmd names another.
func Library(cmd pluginclient.Command) Program {
	start := func(ctx context.Context) (*pluginclient.Streams, error) {
		path := cmd.Path
		if !filepath.IsAbs(path) {
			path = filepath.Join(cmd.Dir, path)
		}
		path, err := filepath.Abs(path)
		if err == nil {
			_, err = os.Stat(path)
		}
		self, err2 := os.Executable()
		if err := errors.Join(err, err2); err != nil {
			return nil, fmt.Errorf("%s: %w: %w", cmd.Path, pluginclient.ErrStart, err)
		}
		host := pluginclient.Command{Path: self, Args: []string{library.Word, path}, Dir: cmd.Dir, Env: cmd.Env}
		if host.Dir == "" {
			host.Dir = filepath.Dir(path)
		}
		return host.Start(ctx)
	}
	return Program{Name: filepath.Base(cmd.Path), Start: start}
}

// A Client is a conversation with an engine. It is a Searcher and a [pluginclient.Session].
type Client struct {
	pluginclient.Conversation
	link      *pluginclient.Link
	exact     bool
	sendClock bool

	mu            sync.Mutex // guards what follows, which is read without a turn
	name          string
	text          []string // the engine's reply to about
	variant       checkers.Variant
	wantedVariant *checkers.Variant

	// The rest is used only by the call that has the turn.
	hasIsLegal bool            // the library exports islegal
	last       engine.Position // of the last search in this game; nil: none
}

var (
	_ pluginclient.Session          = (*Client)(nil)
	_ pluginclient.LanguageProvider = (*Client)(nil)
	_ engine.Forgetter              = (*Client)(nil)
)

// Dial starts an engine and asks for its game and its name.
func Dial(ctx context.Context, program Program, opts Options) (*Client, error) {
	c := &Client{name: program.Name, exact: opts.Exact, sendClock: opts.Clock, wantedVariant: opts.Variant}
	c.link = pluginclient.NewLink(pluginclient.LinkOptions{
		Name: c.Name, Start: program.Start, Position: checkers.DefaultRules.Start(), Deadlines: opts.Deadlines, Log: opts.Log, Warn: opts.Warn,
		Quit: quit, Handshake: c.handshake, OnExit: func() { c.last = nil },
	})
	c.Conversation = c.link.Conversation()
	begin := func() error {
		if err := c.link.Start(); err != nil {
			return err
		}
		c.link.SetPosition(c.rules().Start())
		return nil
	}
	if err := c.link.Do(ctx, begin); err != nil {
		c.Close()
		return nil, err
	}
	return c, nil
}

// rules returns the game that the engine plays.
func (c *Client) rules() checkers.Rules {
	c.mu.Lock()
	defer c.mu.Unlock()
	return checkers.Rules{Variant: c.variant}
}

// Name returns the name that the engine reports.
func (c *Client) Name() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.name
}

// Info returns the engine's name and its game. There are no levels.
func (c *Client) Info() pluginclient.Info {
	rules := c.rules()
	c.mu.Lock()
	defer c.mu.Unlock()
	text := append([]string{fmt.Sprintf("game type %d, %s", rules.Variant.GameType(), rules.Title())}, c.text...)
	return pluginclient.Info{Protocol: Protocol, Name: c.name, Text: text}
}

// Level returns known = false: there are no levels.
func (c *Client) Level() (id int, known bool) { return 0, false }

// SetLevel returns an error, since there are no levels.
func (c *Client) SetLevel(context.Context, int) error {
	return fmt.Errorf("%s: %w: the %s has no levels", c.Name(), pluginclient.ErrRefused, Protocol)
}

// handshake waits until the library is loaded, and sends the same first commands as CheckerBoard.
// An engine that does not report its game type plays English checkers.
func (c *Client) handshake(ctx context.Context) error {
	line, err := c.link.Conn.Receive(ctx)
	switch {
	case err != nil:
		return fmt.Errorf("%w: %w", pluginclient.ErrStart, err)
	case strings.HasPrefix(line, Failed+" "):
		return fmt.Errorf("%w: %s", pluginclient.ErrStart, strings.TrimPrefix(line, Failed+" "))
	case !strings.HasPrefix(line, Ready):
		return fmt.Errorf("%w: %w: %q", pluginclient.ErrStart, pluginclient.ErrInvalidReply, pluginclient.Excerpt(line))
	}
	c.hasIsLegal = strings.Contains(line, IsLegal)
	variant, err := c.askVariant(ctx)
	if err != nil {
		return fmt.Errorf("%w: %w", pluginclient.ErrStart, err)
	}
	name, _, err := c.command(ctx, pluginclient.Pinged, "name")
	if err != nil {
		return fmt.Errorf("%w: %w", pluginclient.ErrStart, err)
	}
	about, _, err := c.command(ctx, pluginclient.Pinged, "about")
	if err != nil {
		return fmt.Errorf("%w: %w", pluginclient.ErrStart, err)
	}
	c.setInfo(variant, name, about)
	return nil
}

// askVariant returns the engine's variant. If another is wanted, it sets that one; an engine that
// does not accept it is an error.
func (c *Client) askVariant(ctx context.Context) (checkers.Variant, error) {
	variant, err := c.gameType(ctx)
	if err != nil || c.wantedVariant == nil || variant == *c.wantedVariant {
		return variant, err
	}
	if _, _, err := c.command(ctx, pluginclient.Pinged, fmt.Sprintf("set gametype %d", c.wantedVariant.GameType())); err != nil {
		return 0, err
	}
	if variant, err = c.gameType(ctx); err == nil && variant != *c.wantedVariant {
		err = fmt.Errorf("%w: the engine plays %s, not %s", pluginclient.ErrRefused, checkers.Rules{Variant: variant}.Title(), checkers.Rules{Variant: *c.wantedVariant}.Title())
	}
	return variant, err
}

func (c *Client) gameType(ctx context.Context) (checkers.Variant, error) {
	text, understood, err := c.command(ctx, pluginclient.Pinged, "get gametype")
	if err != nil || !understood {
		return checkers.English, err
	}
	number, err := strconv.Atoi(strings.TrimSpace(text))
	if err != nil {
		return 0, fmt.Errorf("%w: get gametype answered %q", pluginclient.ErrInvalidReply, pluginclient.Excerpt(text))
	}
	return checkers.VariantOf(number)
}

func (c *Client) setInfo(variant checkers.Variant, name, about string) {
	c.mu.Lock()
	c.variant, c.text = variant, nil
	if name != "" {
		c.name = name
	}
	for line := range strings.SplitSeq(about, `\n`) {
		if line = strings.TrimSpace(line); line != "" {
			c.text = append(c.text, line)
		}
	}
	name = c.name
	c.mu.Unlock()
	c.link.Trace.Rename(name)
}

// command calls enginecommand. understood reports whether the engine knows the command.
func (c *Client) command(ctx context.Context, dir pluginclient.Direction, text string) (reply string, understood bool, err error) {
	c.link.Command, c.link.SentAt = Command+" "+text, time.Now()
	if err := c.link.Send(dir, c.link.Command); err != nil {
		return "", false, err
	}
	line, err := c.link.Conn.Receive(ctx)
	if err != nil {
		return "", false, c.link.Conn.ExplainTimeout(err, "", pluginclient.Excerpt)
	}
	number, reply, _ := strings.Cut(line, " ")
	if _, err := strconv.Atoi(number); err != nil {
		return "", false, fmt.Errorf("%w: %s %s answered %q", pluginclient.ErrInvalidReply, Command, text, pluginclient.Excerpt(line))
	}
	return reply, number != "0", nil
}

// Forget makes the next search begin a new game.
func (c *Client) Forget() {
	_ = c.link.Do(context.Background(), func() error {
		c.last = nil
		return nil
	})
}

// Restart ends the engine and starts it again.
func (c *Client) Restart(ctx context.Context) error {
	return c.link.Do(ctx, func() error {
		c.link.Quit()
		return c.link.Start()
	})
}

// NewGame sets the conversation's position.
func (c *Client) NewGame(ctx context.Context, pos engine.Position) error {
	p, err := c.checkPosition(pos)
	if err != nil {
		return err
	}
	return c.link.Do(ctx, func() error {
		c.last = nil
		c.link.SetPosition(p)
		return nil
	})
}

// checkPosition returns an error if pos is not a position of the engine's variant.
func (c *Client) checkPosition(pos engine.Position) (*checkers.Position, error) {
	p, ok := pos.(*checkers.Position)
	if !ok || p == nil {
		return nil, fmt.Errorf("%s: %w", c.Name(), engine.OtherGame(pos, checkers.DefaultRules))
	}
	if rules := p.Game().(checkers.Rules); rules != c.rules() {
		return nil, fmt.Errorf("%s: %w", c.Name(), &engine.OtherGameError{Position: rules.Title(), Engine: c.rules().Title()})
	}
	return p, nil
}

// Load makes moves.
func (c *Client) Load(ctx context.Context, moves ...engine.Move) error {
	return c.link.Do(ctx, func() error {
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
	})
}

// Undo takes back a move.
func (c *Client) Undo(ctx context.Context) error {
	return c.link.Do(ctx, func() error {
		before, _, err := engine.TakeBack(c.Position())
		switch {
		case err != nil:
			return err
		case before == nil:
			return errors.New("there is no move to take back")
		}
		c.link.SetPosition(before)
		return nil
	})
}

// parameters returns the parameters info and moreinfo of getmove.
func (c *Client) parameters(pos *checkers.Position, clock engine.Clock) (info, moreinfo int32) {
	if c.sendClock {
		info, moreinfo = abi.ClockInfo(clock)
	}
	if c.exact {
		info |= abi.Exact
	}
	if !c.continues(pos) {
		info |= abi.Reset
	}
	return info, moreinfo
}

// continues reports whether pos is one or two moves after the position of the last search.
func (c *Client) continues(pos *checkers.Position) bool {
	for range 2 {
		before, _ := pos.Previous()
		if before == nil || c.last == nil {
			return false
		}
		if engine.Position(before) == c.last || before.Key() == c.last.Key() {
			return true
		}
		pos = before
	}
	return false
}
