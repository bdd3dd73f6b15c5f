package qhplugin

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"qhsh/engine"
	"qhsh/engine/xiangqi"
	"qhsh/pluginclient"
)

// Options configure a Client.
type Options struct {
	Deadlines pluginclient.Deadlines // zeros: the defaults
	Log       *pluginclient.TraceLog // every line goes there too; may be nil
	Warn      func(warning string)   // told what a person should know; may be nil
	Quirks    Quirks                 // what is known of the plugin

	// Judged is told of every rule of the specification that the plugin is seen to break; may
	// be nil. To a Strict client each is an error of the call, too, unless it is advice.
	Judged func(j pluginclient.Judgement)
	Strict bool
}

// A Client is a conversation with a plugin. It is a Searcher and a [pluginclient.Session], and has a
// method for every command of the protocol.
//
// The Client keeps its own board: methods send only legal moves, and the plugin's moves are checked
// against the board. A call ends in two steps: first the caller gets its answer, and later the plugin
// is idle again. The next call waits for the second step. If the plugin crashed or did not respond,
// the next call of a method other than Raw restarts it.
type Client struct {
	pluginclient.Conversation
	link   *pluginclient.Link
	info   Info
	quirks Quirks
	judge  judge // belongs to whoever has the turn

	mu          sync.Mutex // guards what Level, BGThink and Bans tell; only who has the turn changes it
	level       int
	levelKnown  bool // level is known
	bgthink     bool
	bgthinkSent bool // BGTHINK has been sent
	bans        []string
	doubted     bool // the plugin's board may differ from the conversation's

	// The rest belongs to whoever has the turn.
	board      *xiangqi.Position // what the plugin's board holds; nil: unknown
	stateStale bool              // a typed call has left the plugin at another board or level than the conversation's
	asAdded    bool              // what is sent now is added to what the user says
	sentLevel  int               // the level that the plugin was told last; 0: none
	lastHints  int               // how many hints it gave last; 0: never asked
	banned     bool              // a user has banned moves
	unexpected int               // lines so far that were no answer
	asked      Command           // the latest command, pings apart; none before the first one
	over       Word              // ABORT or TIMEOUT, where it was sent over that command
	odd        string            // a line that came instead of an answer to it; empty: none has
	pings      int               // LEVELs sent as pings whose numbers have not come yet
}

// Dial starts a plugin, reads its info block, and checks that it responds.
func Dial(ctx context.Context, plugin Plugin, opts Options) (*Client, error) {
	c := &Client{quirks: opts.Quirks}
	c.info.Name = plugin.Name
	quit := string(Quit)
	if opts.Quirks.quitNone {
		quit = ""
	}
	c.link = pluginclient.NewLink(pluginclient.LinkOptions{
		Name: func() string { return c.info.Name }, Start: plugin.Start, Position: xiangqi.Start(),
		Deadlines: opts.Deadlines, Log: opts.Log, Warn: opts.Warn, Judged: opts.Judged,
		Quit: quit, Handshake: c.handshake, OnExit: func() { c.board = nil }, Parted: c.parted,
	})
	c.judge = judge{link: c.link, strict: opts.Strict, doubtful: c.noteDoubt}
	c.Conversation = c.link.Conversation()
	if err := c.askInfo(ctx, plugin); err != nil {
		return nil, err
	}
	if err := c.link.Do(ctx, c.link.Start); err != nil {
		c.Close()
		return nil, err
	}
	return c, nil
}

// askInfo learns what the plugin can do. One that does not tell is taken to be able
// to do nothing beyond what is required.
func (c *Client) askInfo(ctx context.Context, plugin Plugin) error {
	ctx, cancel := context.WithTimeout(ctx, c.link.Deadlines.Start)
	defer cancel()
	info, err := plugin.Info(ctx)
	if errors.Is(err, pluginclient.ErrDied) { // it may be luck whether it starts
		info, err = plugin.Info(ctx)
	}
	if errors.Is(err, pluginclient.ErrStart) {
		return err
	}
	c.quirks.disableBroken(&info)
	c.info = info
	if info.Name != "" {
		c.link.Trace.Rename(info.Name)
	} else {
		c.info.Name = plugin.Name
	}
	if err != nil {
		c.link.Warn(fmt.Sprintf("%s: %v", plugin.Name, err))
	}
	for _, b := range info.Breaches {
		c.judge.fault(b.Rule, "info mode: expected %s, got %s", b.Expected, b.Got)
	}
	return c.judge.take(nil)
}

// Info returns what the plugin says about itself.
func (c *Client) Info() pluginclient.Info { return c.info.Info }

// Levels returns the plugin's levels.
func (c *Client) Levels() []engine.Level { return c.info.Levels }

// Level returns the plugin's current level, if known.
func (c *Client) Level() (id int, known bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.level, c.levelKnown
}

// noteLevel remembers what the plugin has accepted.
func (c *Client) noteLevel(id int) {
	c.sentLevel = id
	c.mu.Lock()
	defer c.mu.Unlock()
	c.level, c.levelKnown = id, true
}

// Bans returns the lines of the last BAN sent by Raw, until an AI, HINTS or FEN clears the list.
func (c *Client) Bans() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.bans
}

func (c *Client) noteBans(lines []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.bans = lines
}

// BGThink reports whether the plugin has been told to think in the background.
func (c *Client) BGThink() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.bgthink
}

// noteBGThink remembers what the plugin has accepted.
func (c *Client) noteBGThink(on bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.bgthink, c.bgthinkSent = on, true
}

// InDoubt reports whether the plugin's board may differ from the conversation's.
func (c *Client) InDoubt() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.doubted
}

func (c *Client) noteDoubt(doubted bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.doubted = doubted
}

func (c *Client) current() *xiangqi.Position { return c.Position().(*xiangqi.Position) }

// setBothBoards sets the conversation's position and the known position of the plugin.
func (c *Client) setBothBoards(pos *xiangqi.Position) {
	c.board = pos
	c.link.SetPosition(pos)
}

// do is call for functions without a result.
func (c *Client) do(ctx context.Context, verb func() error) error {
	_, err := call(ctx, c, func() (struct{}, error) { return struct{}{}, verb() })
	return err
}

// call runs a function in this caller's turn, after starting the plugin if necessary.
func call[T any](ctx context.Context, c *Client, verb func() (T, error)) (T, error) {
	return pluginclient.Call(ctx, c.link, func(context.Context) (value T, err error) {
		if err := c.link.Start(); err != nil {
			return value, err
		}
		value, err = verb()
		return value, c.judge.take(err)
	})
}

// handshake pings a newly started plugin and restores its settings, but not the board.
func (c *Client) handshake(ctx context.Context) error {
	_, moved := c.current().History()
	c.stateStale = len(moved) > 0 || c.current().String() != xiangqi.StartFEN
	c.asked, c.odd, c.sentLevel, c.pings = Command{}, "", 0, 0
	c.judge.restarted()
	c.noteDoubt(false)
	level, err := c.firstLevel(ctx)
	if err != nil {
		return fmt.Errorf("%w: %w", pluginclient.ErrStart, err)
	}
	if c.link.Conn.HasReturns() {
		c.judge.note("plugin.crlf", "lines end with CR and LF")
	}
	if err := c.restore(level); err != nil {
		c.link.Terminate() // half restored is of no use
		return err
	}
	return nil
}

// restore sends the settings again after a restart. level is the plugin's reply to LEVEL. It is ignored
// if it is not an announced level, since one plugin replies with its number of levels.
func (c *Client) restore(level int) error {
	switch {
	case c.levelKnown:
		if err := c.setLevel(c.level); err != nil {
			return err
		}
	case c.hasLevel(level) && !c.quirks.levelCount:
		c.noteLevel(level)
	}
	if c.bgthinkSent {
		return c.setBGThink(c.bgthink)
	}
	return nil
}

// hasLevel reports whether a level is among those that the plugin has announced.
func (c *Client) hasLevel(id int) bool { return hasLevel(c.info.Levels, id) }

// firstLevel asks for the level of a plugin that has just been started. What it says instead is
// told at once, and so is that it says nothing for as long as an ordinary command may take.
func (c *Client) firstLevel(ctx context.Context) (level int, err error) {
	if err := c.send(pluginclient.Pinged, string(Level)); err != nil {
		return 0, err
	}
	level, err = c.numberWithin(ctx, c.link.Deadlines.Reply)
	if !errors.Is(err, pluginclient.ErrNoReply) || errors.Is(err, pluginclient.ErrClosed) {
		return level, err
	}
	c.judge.warn("plugin.flush", "no answer to LEVEL for %v: does it flush its output after each answer?", c.link.Deadlines.Reply)
	return c.numberWithin(ctx, c.link.Deadlines.Start)
}

// parted judges how a plugin has ended that was told to.
func (c *Client) parted(p pluginclient.Parting) {
	c.unasked(p.Before)
	c.judge.at = ""
	c.judgeParting(p)
}

func (c *Client) judgeParting(p pluginclient.Parting) {
	p.Lines = slices.DeleteFunc(slices.Clone(p.Lines), c.endsPing)
	c.judge.parting(p)
}

// Restart ends the plugin, starts it again and restores the position.
func (c *Client) Restart(ctx context.Context) error {
	return c.link.Do(ctx, func() error {
		c.link.Quit()
		if err := c.link.Start(); err != nil {
			return err
		}
		return c.setBoard(c.current())
	})
}
