package qhplugin

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"

	"qhsh/engine"
	"qhsh/engine/xiangqi"
	"qhsh/pluginclient"
)

// Options configure a Client.
type Options struct {
	pluginclient.ClientOptions
	Quirks Quirks // of the plugin
	Strict bool   // a broken rule is an error of the call, unless it is advice
}

// A Client is a conversation with a plugin. It is a Searcher and a [pluginclient.Session], and has a
// method for every command of the protocol.
//
// The Client keeps its own board: methods send only legal moves, and the plugin's moves are checked
// against the board. Calls are those of [pluginclient.Call]. If the plugin crashed or did not respond,
// the next call of a method other than Raw restarts it.
type Client struct {
	pluginclient.Conversation
	link   *pluginclient.Link
	info   Info
	quirks Quirks

	mu       sync.Mutex // guards settings
	settings settings

	// The rest is used only by the call that has the turn.
	x          *exchange         // the latest one
	board      *xiangqi.Position // what the plugin's board holds; nil: unknown
	stateStale bool              // a call other than Raw has changed the plugin's board or level
	asAdded    bool              // commands sent now are not the user's
	sentLevel  int               // the last level sent; 0: none
	accepted   int               // the level that the plugin has to answer: it said OK last; 0: unknown
	lastHints  int               // the number of hints in the last reply; 0: none yet
	banned     bool              // the user has banned moves
	pings      int               // the number of unanswered pings
}

// settings is what a Client knows of the plugin that is read without a turn.
type settings struct {
	level       int
	levelKnown  bool // level is known
	bgthink     bool
	bgthinkSent bool // BGTHINK has been sent
	bans        []string
	doubted     bool // the plugin's board may differ from the conversation's
}

// Dial starts a plugin, reads its info block, and checks that it responds.
func Dial(ctx context.Context, plugin Plugin, opts Options) (*Client, error) {
	c := &Client{quirks: opts.Quirks}
	c.x = &exchange{c: c}
	quit := string(Quit)
	if opts.Quirks.quitNone {
		quit = ""
	}
	c.link = pluginclient.NewLink(pluginclient.LinkOptions{
		Info: pluginclient.Info{Name: plugin.Name}, Start: plugin.Start, Position: xiangqi.Start(),
		ClientOptions: opts.ClientOptions, Strict: opts.Strict,
		Quit: quit, Handshake: c.handshake, OnExit: func() { c.board = nil }, Parted: c.parted,
		Restore: func() error { return c.setBoard(c.current()) },
	})
	c.Conversation = c.link.Conversation()
	if err := c.askInfo(ctx, plugin); err != nil {
		return nil, err
	}
	return pluginclient.Dialed(ctx, c.link, c, nil)
}

// askInfo reads the plugin's info block. A plugin without one is assumed to have no optional
// abilities.
func (c *Client) askInfo(ctx context.Context, plugin Plugin) error {
	timed, cancel := context.WithTimeout(ctx, c.link.Deadlines.Start)
	defer cancel()
	info, err := plugin.Info(timed)
	if errors.Is(err, pluginclient.ErrDied) { // retry: starting may fail at random
		info, err = plugin.Info(timed)
	}
	if ctx.Err() != nil { // the block was not read to its end
		return context.Cause(ctx)
	}
	if errors.Is(err, pluginclient.ErrStart) {
		return err
	}
	c.quirks.disableBroken(&info)
	info.Name = cmp.Or(info.Name, plugin.Name)
	c.info = info
	c.link.SetInfo(info.Info)
	if err != nil {
		c.link.Warn(fmt.Sprintf("%s: %v", plugin.Name, err))
	}
	for _, b := range info.Breaches {
		complain := c.x.fault
		if b.Rule == "info.exits" { // the machine may be to blame
			complain = c.x.warn
		}
		complain(b.Rule, "info mode: expected %s, got %s", b.Expected, b.Got)
	}
	return c.link.Breach()
}

// Levels returns the plugin's levels.
func (c *Client) Levels() []engine.Level { return c.info.Levels }

func (c *Client) known() settings {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.settings
}

func (c *Client) note(change func(s *settings)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	change(&c.settings)
}

// Level returns the plugin's current level, if known.
func (c *Client) Level() (id int, known bool) {
	s := c.known()
	return s.level, s.levelKnown
}

func (c *Client) noteLevel(id int) {
	c.sentLevel = id
	c.note(func(s *settings) { s.level, s.levelKnown = id, true })
}

func (c *Client) noteBGThink(on bool) {
	c.note(func(s *settings) { s.bgthink, s.bgthinkSent = on, true })
}

func (c *Client) noteDoubt(doubted bool)  { c.note(func(s *settings) { s.doubted = doubted }) }
func (c *Client) noteBans(lines []string) { c.note(func(s *settings) { s.bans = lines }) }

// Bans returns the lines of the last BAN sent by Raw, until an AI, HINTS or FEN clears the list.
func (c *Client) Bans() []string { return c.known().bans }

// BGThink reports whether the plugin has been told to think in the background.
func (c *Client) BGThink() bool { return c.known().bgthink }

// InDoubt reports whether the plugin's board may differ from the conversation's.
func (c *Client) InDoubt() bool { return c.known().doubted }

func (c *Client) current() *xiangqi.Position { return c.Position().(*xiangqi.Position) }

func (c *Client) setBothBoards(pos *xiangqi.Position) {
	c.board = pos
	c.link.SetPosition(pos)
}

// do runs a function in this caller's turn, after starting the plugin if necessary.
func (c *Client) do(ctx context.Context, verb func() error) error {
	_, err := pluginclient.CallStarted(ctx, c.link, func(context.Context) (struct{}, error) { return struct{}{}, verb() })
	return err
}

// handshake pings a newly started plugin and restores its settings, but not the board.
func (c *Client) handshake(ctx context.Context) error {
	_, moved := c.current().History()
	c.stateStale = len(moved) > 0 || c.current().String() != xiangqi.StartFEN
	c.x = &exchange{c: c, at: c.x.at}
	c.sentLevel, c.accepted, c.pings = 0, 0, 0
	c.noteDoubt(false)
	level, err := c.x.firstLevel(ctx)
	if err != nil {
		return fmt.Errorf("%w: %w", pluginclient.ErrStart, err)
	}
	c.x.pinged = true
	if c.link.Conn.HasReturns() {
		c.x.tell(pluginclient.Note, false, "plugin.crlf", "lines end with CR and LF")
	}
	// The settings are sent again after a restart. The plugin's own level is ignored if it is not an
	// announced one, since one plugin replies with its number of levels.
	before := c.known()
	if before.levelKnown {
		err = c.setLevel(before.level)
	} else if c.hasLevel(level) && !c.quirks.levelCount {
		c.noteLevel(level)
	}
	if err == nil && before.bgthinkSent {
		err = c.setBGThink(before.bgthink)
	}
	if err != nil {
		c.link.Terminate() // a partly restored plugin is useless
	}
	return err
}

// firstLevel asks a newly started plugin for its level. A wrong reply is reported at once, and so
// is none within Deadlines.Reply; then it waits until Deadlines.Start. A plugin that has said
// something else may still be starting, so it is asked again, and that is an error only if it says
// the same again.
func (x *exchange) firstLevel(ctx context.Context) (level int, err error) {
	conn, limit := x.c.link.Conn, x.c.link.Deadlines.Reply
	ask := func(again bool) (int, error) {
		x.unasked(conn.Drain())
		if err := x.c.sendPing(); err != nil {
			return 0, err
		}
		if again {
			x.repeated = x.odd
		}
		return x.pongWithin(ctx, limit)
	}
	level, first := ask(false)
	half := errors.Is(first, pluginclient.ErrPartialLine)
	switch {
	case first == nil, ctx.Err() != nil, !half && !errors.Is(first, pluginclient.ErrNoReply):
		return level, first
	case half:
		x.warn("plugin.newline", "no answer to LEVEL for %v, but an incomplete line: %q", limit, excerpt(conn.Partial()))
	case errors.Is(first, pluginclient.ErrInvalidReply):
		x.warn("plugin.answers", "no answer to LEVEL for %v, but other lines", limit)
	default:
		x.warn("plugin.flush", "no answer to LEVEL for %v: does it flush its output after each answer?", limit)
	}
	if half || errors.Is(first, pluginclient.ErrInvalidReply) {
		partial := conn.Partial()
		level, err = ask(true)
		switch {
		case partial != "" && conn.Partial() == partial+partial:
			return 0, first
		case ctx.Err() != nil || !errors.Is(err, pluginclient.ErrNoReply) && !errors.Is(err, pluginclient.ErrPartialLine):
			return level, err
		}
	}
	level, err = x.pongWithin(ctx, x.c.link.Deadlines.Start)
	if errors.Is(err, pluginclient.ErrNoReply) && !errors.Is(err, pluginclient.ErrInvalidReply) {
		err = first // it has said nothing since
	}
	return level, err
}
