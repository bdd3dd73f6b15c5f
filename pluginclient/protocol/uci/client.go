package uci

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"sync"

	"qhsh/engine"
	"qhsh/engine/xiangqi"
	"qhsh/pluginclient"
)

// Options configure a Client.
type Options struct {
	pluginclient.ClientOptions
	Settings []Setting // of the engine's options, in this order
	Ranks    *Ranks    // how the engine numbers ranks; nil: derived from its options
	Strict   bool      // a broken rule is an error of the call, unless it is advice
	Mate     int       // the mate score of engines with plain numeric scores; 0: DefaultMate; negative: none
}

// Set sets KEY=VALUE of a SPEC: "ranks" (0 or 1: the number of Red's back rank), "mate" (the score
// of a mate; 0 disables numeric mate scores), "strict" (true or false), or an option of the engine, which is read by
// ReadSetting and checked when the engine's options are known. An error wraps ErrOption.
func (o *Options) Set(key, value string) error {
	n, err := strconv.Atoi(value)
	switch key {
	case "ranks":
		r := Ranks(n)
		if err != nil || r != FromZero && r != FromOne {
			return fmt.Errorf("%w ranks=%s: want 0 or 1, the number of Red's own rank", ErrOption, value)
		}
		o.Ranks = &r
	case "mate":
		if err != nil || n < 0 || n > 1<<30 {
			return fmt.Errorf("%w mate=%s: want the engine's score of a mate, such as %d, or 0 for none", ErrOption, value, DefaultMate)
		}
		if o.Mate = n; n == 0 {
			o.Mate = -1
		}
	case "strict":
		if o.Strict, err = strconv.ParseBool(value); err != nil {
			return fmt.Errorf("%w strict=%s: want true or false", ErrOption, value)
		}
	default:
		o.Settings = append(o.Settings, ReadSetting(key, value))
	}
	return nil
}

// A Client is a conversation with an engine that speaks UCI or UCCI. It is a Searcher, a
// [pluginclient.Session] and a [pluginclient.Ponderer].
//
// Calls are those of [pluginclient.Call]. If the engine crashed or did not respond, the next search
// restarts it.
//
// The protocols have no levels, so the client uses engine.NodeLevels. The level set by SetLevel
// applies to every search without a level, nodes or depth. Until SetLevel is called, a search
// without any limit uses engine.DefaultLevel. At level 0 such a search runs until ctx ends.
type Client struct {
	pluginclient.Conversation
	link     *pluginclient.Link
	protocol Protocol
	opts     Options

	mu       sync.Mutex // guards what follows, which is read without a turn
	offers   OptionList
	level    int
	levelSet bool // by SetLevel

	sending   sync.Mutex           // guards interrupt, and the wire during a search
	interrupt func(lines []string) // sends lines to a searching engine; nil: it does not search

	// The rest is used only by the call that has the turn.
	engineState
	settings          []Setting // options to send again after a restart
	ranks             Ranks
	ranksKnown        bool // detected from the engine's moves
	positionUnknown   bool // the user has sent an invalid position
	newGameEachSearch bool // each search begins with a new game
}

// engineState is what the client knows of the running engine.
type engineState struct {
	multiPV       int  // the MultiPV that was sent; 0: none
	ponderSet     bool // the option Ponder was sent
	needsNewGame  bool // the next search must begin with a new game
	positionStale bool // a search has changed the engine's position
	noPing        bool // the engine does not answer pings
	busy          bool // more lines may come: after a search or a "stop"
	endedByItself bool // the latest search was not stopped
	stopped       bool // it was, and the engine may yet reply to that
	pingDeferred  bool // the ping after the latest search comes with the next command
}

var (
	_ pluginclient.Session  = (*Client)(nil)
	_ pluginclient.Bounded  = (*Client)(nil)
	_ pluginclient.Ponderer = (*Client)(nil)
	_ engine.Leveler        = (*Client)(nil)
	_ engine.Answerer       = (*Client)(nil)
	_ engine.Forgetter      = (*Client)(nil)
)

// Dial starts an engine, reads its options and sets those of opts. The error of a setting wraps
// ErrOption, that of an engine that cannot be started pluginclient.ErrStart.
func Dial(ctx context.Context, protocol Protocol, program pluginclient.Program, opts Options) (*Client, error) {
	opts.Mate = cmp.Or(opts.Mate, DefaultMate)
	c := &Client{
		protocol: protocol, opts: opts,
		level:    engine.DefaultLevel,
		settings: slices.Clone(opts.Settings),
	}
	c.link = pluginclient.NewLink(pluginclient.LinkOptions{
		Info:  pluginclient.Info{Protocol: protocol.Name, Name: program.Name, Levels: engine.NodeLevels()},
		Start: program.Start, Position: xiangqi.Start(), ClientOptions: opts.ClientOptions, Strict: opts.Strict,
		Quit: "quit", Handshake: c.startup, Settle: c.settle, Parted: c.parted,
	})
	c.Conversation = c.link.Conversation()
	return pluginclient.Dialed(ctx, c.link, c, nil)
}

// OfferedOptions returns the options that the engine offers.
func (c *Client) OfferedOptions() OptionList {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.offers
}

// SetOption implements [pluginclient.OptionSetter].
func (c *Client) SetOption(ctx context.Context, name, value string) error {
	s, err := c.OfferedOptions().Resolve(Setting{name, value})
	if err == nil {
		_, err = c.Raw(ctx, c.protocol.SetOption(s.Name, s.Value)) // which remembers it
	}
	return err
}

// Levels returns engine.NodeLevels.
func (c *Client) Levels() []engine.Level { return engine.NodeLevels() }

// Bounds returns the level, which also applies to searches with a time limit if SetLevel set it.
func (c *Client) Bounds() pluginclient.Bounds {
	c.mu.Lock()
	defer c.mu.Unlock()
	return pluginclient.Bounds{Level: c.level, Known: c.level != 0, Chosen: c.levelSet}
}

// Level returns the level of searches without limits.
func (c *Client) Level() (id int, known bool) {
	b := c.Bounds()
	return b.Level, b.Known
}

// SetLevel sets the level of searches without a level, nodes or depth. 0 means no level.
func (c *Client) SetLevel(_ context.Context, id int) error {
	if _, err := (engine.Limits{Level: id}).AtLevel(engine.NodeLevels()); err != nil {
		return fmt.Errorf("%s: %w: %w", c.link.Name(), pluginclient.ErrRefused, err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.level, c.levelSet = id, true
	return nil
}

func (c *Client) current() *xiangqi.Position { return c.Position().(*xiangqi.Position) }

// Forget makes the next search begin with a new game. It has no effect on a UCCI engine that does
// not offer "newgame".
func (c *Client) Forget() {
	_ = c.link.Do(context.Background(), func() error {
		c.needsNewGame, c.newGameEachSearch = true, true
		return nil
	})
}

func asXiangqi(pos engine.Position) (*xiangqi.Position, error) {
	board, ok := pos.(*xiangqi.Position)
	if !ok || board == nil {
		return nil, engine.OtherGame(pos, xiangqi.Rules)
	}
	return board, nil
}
