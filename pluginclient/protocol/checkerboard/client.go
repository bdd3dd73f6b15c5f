package checkerboard

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"qhsh/engine"
	"qhsh/engine/checkers"
	"qhsh/pluginclient"
	"qhsh/pluginclient/protocol/checkerboard/abi"
	"qhsh/pluginclient/protocol/checkerboard/library"
)

// Options configure a Client.
type Options struct {
	pluginclient.ClientOptions
	Variant *checkers.Variant // the variant to play; nil: the engine's own
	Exact   bool              // make the engine use exactly the given time
	Clock   bool              // tell the engine the clock of Limits
	Claims  bool              // a win or a loss that the engine claims ends a game, as a draw always does
}

// Library returns a Program that loads a library in a process of its own: this program with another
// command line. The working directory is the library's folder, unless cmd names another.
func Library(cmd pluginclient.Command) pluginclient.Program {
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
		host.Dir = cmp.Or(host.Dir, filepath.Dir(path))
		return host.Start(ctx)
	}
	return pluginclient.Program{Name: filepath.Base(cmd.Path), Start: start}
}

// A Client is a conversation with an engine. It is a Searcher and a [pluginclient.Session].
//
// The line of a search has the engine's status as its Text. An engine that exceeds three times its
// time by a second gets playnow, and is ended if it does not move within another second. A position in
// which the game is over is not sent, since some engines crash or hang then.
type Client struct {
	pluginclient.OneMove
	link    *pluginclient.Link
	opts    Options
	variant atomic.Pointer[checkers.Variant] // is read without a turn

	// The rest is used only by the call that has the turn.
	hasIsLegal bool            // the library exports islegal
	last       engine.Position // of the last search in this game; nil: none
}

var (
	_ pluginclient.Session          = (*Client)(nil)
	_ pluginclient.LanguageProvider = (*Client)(nil)
)

// Dial starts an engine and asks for its game and its name.
func Dial(ctx context.Context, program pluginclient.Program, opts Options) (*Client, error) {
	c := &Client{opts: opts}
	c.link = pluginclient.NewLink(pluginclient.LinkOptions{
		Info: pluginclient.Info{Protocol: Protocol, Name: program.Name}, Start: program.Start, Position: checkers.DefaultRules.Start(), ClientOptions: opts.ClientOptions,
		Quit: quit, Handshake: c.handshake, OnExit: func() { c.last = nil },
	})
	c.OneMove = c.link.OneMove(pluginclient.OneMoveOptions{
		Engine: "engine", NoLevels: "the " + Protocol + " has no levels",
		Check: func(pos engine.Position) error {
			_, err := c.checkPosition(pos)
			return err
		},
		Ask:    c.ask,
		Forget: func() { c.last = nil }, // so that the next search begins a new game
	})
	return pluginclient.Dialed(ctx, c.link, c, func() error {
		c.link.SetPosition(c.rules().Start())
		return nil
	})
}

func (c *Client) rules() checkers.Rules { return checkers.Rules{Variant: *c.variant.Load()} }

// handshake waits until the library is loaded, and sends the same first commands as CheckerBoard.
// An engine that does not report its game type plays English checkers.
func (c *Client) handshake(ctx context.Context) error {
	line, err := c.link.Conn.Receive(ctx)
	switch {
	case err != nil:
		return fmt.Errorf("%w: %w", pluginclient.ErrStart, c.link.Conn.ExplainTimeout(err, "", pluginclient.Excerpt))
	case strings.HasPrefix(line, Failed+" "):
		return fmt.Errorf("%w: %s", pluginclient.ErrStart, strings.TrimPrefix(line, Failed+" "))
	case !strings.HasPrefix(line, Ready):
		return fmt.Errorf("%w: %w: %q", pluginclient.ErrStart, pluginclient.ErrInvalidReply, pluginclient.Excerpt(line))
	}
	c.hasIsLegal = strings.Contains(line, IsLegal)
	variant, err := c.askVariant(ctx)
	var name, about string
	if err == nil {
		name, _, err = c.command(ctx, pluginclient.Pinged, "name")
	}
	if err == nil {
		about, _, err = c.command(ctx, pluginclient.Pinged, "about")
	}
	if err != nil {
		return fmt.Errorf("%w: %w", pluginclient.ErrStart, err)
	}
	c.variant.Store(&variant)
	info := pluginclient.Info{Protocol: Protocol, Name: cmp.Or(name, c.Name())}
	info.Text = []string{fmt.Sprintf("game type %d, %s", variant.GameType(), c.rules().Title())}
	for line := range strings.SplitSeq(about, `\n`) {
		if line = strings.TrimSpace(line); line != "" {
			info.Text = append(info.Text, line)
		}
	}
	c.link.SetInfo(info)
	return nil
}

// askVariant returns the engine's variant. If another is wanted, it sets that one; an engine that
// does not accept it is an error.
func (c *Client) askVariant(ctx context.Context) (checkers.Variant, error) {
	variant, err := c.gameType(ctx)
	if err != nil || c.opts.Variant == nil || variant == *c.opts.Variant {
		return variant, err
	}
	if _, _, err := c.command(ctx, pluginclient.Pinged, fmt.Sprintf("set gametype %d", c.opts.Variant.GameType())); err != nil {
		return 0, err
	}
	if variant, err = c.gameType(ctx); err == nil && variant != *c.opts.Variant {
		err = fmt.Errorf("%w: the engine plays %s, not %s", pluginclient.ErrRefused, checkers.Rules{Variant: variant}.Title(), checkers.Rules{Variant: *c.opts.Variant}.Title())
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

// continues reports whether pos is one or two moves after the position of the last search.
func (c *Client) continues(pos engine.Position) bool {
	for range 2 {
		before, _ := pos.Undo()
		if before == nil || c.last == nil {
			return false
		}
		if before == c.last || before.Key() == c.last.Key() {
			return true
		}
		pos = before
	}
	return false
}

// DefaultTime is the time of a search without a time limit.
const DefaultTime = time.Second

// An engine may exceed its time: many start an iteration shortly before the end, and stop it at
// three times the time.
const (
	overrunFactor = 3
	grace         = time.Second // before playnow is sent, and again before the engine is ended
)

// ask makes the engine search a position. The game so far is sent before, as CheckerBoard does before
// every getmove; engines need not understand it.
func (c *Client) ask(ctx context.Context, pos engine.Position, lim engine.Limits) (line engine.Line, err error) {
	p := pos.(*checkers.Position)
	limit, board := cmp.Or(lim.Time, DefaultTime), p.Board()
	var info, moreinfo int32
	if c.opts.Clock {
		info, moreinfo = abi.ClockInfo(lim.Clock)
	}
	if c.opts.Exact {
		info |= abi.Exact
	}
	if !c.continues(p) {
		info |= abi.Reset
	}
	c.last = nil
	wait, cancel := c.link.WithDeadline(c.link.Deadlines.Reply)
	_, _, err = c.command(wait, pluginclient.Sent, setGameHistory+" "+gameHistory(p))
	cancel()
	if err != nil {
		return line, err
	}
	c.link.Command, c.link.SentAt = GetMove, time.Now()
	if err := c.link.Send(pluginclient.Sent, Request(&board, limit, info, moreinfo)); err != nil {
		return line, err
	}
	pluginclient.SearchStarted(ctx)
	longest := overrunFactor * limit
	if c.opts.Clock {
		longest = max(longest, lim.Clock.Left)
	}
	answer, err := c.await(ctx, longest)
	if err != nil {
		return line, err
	}
	c.last = p
	m, err := answer.LegalMove(&board)
	return engine.Line{Moves: []engine.Move{engine.Move(m)}, Text: answer.Status, Offer: c.claim(answer.Result)}, err
}

// claim returns what the host of a match makes of the value of getmove, as CheckerBoard does: a draw counts,
// and wins and losses only if the user wants that, since there are engines that confuse them.
func (c *Client) claim(result int) engine.Offer {
	switch {
	case result == abi.Draw:
		return engine.DrawClaim
	case c.opts.Claims && result == abi.Win:
		return engine.WinClaim
	case c.opts.Claims && result == abi.Loss:
		return engine.Resignation
	}
	return engine.NoOffer
}

// await waits for the answer to getmove. If the wait ends early for any reason, it sends playnow,
// since nothing else makes the engine idle.
func (c *Client) await(ctx context.Context, longest time.Duration) (Answer, error) {
	wait, cancel := c.link.ThinkContext(ctx, longest+grace)
	defer cancel()
	answer, err := c.readAnswer(wait)
	if err == nil || pluginclient.Lost(err) && !errors.Is(err, pluginclient.ErrClosed) {
		return answer, err
	}
	// Does not end with the session: Close needs an idle engine too.
	if sent := c.link.Send(pluginclient.Sent, PlayNow); sent != nil {
		return Answer{}, sent
	}
	rest, cancelRest := pluginclient.WithDeadline(context.Background(), max(grace, c.link.Deadlines.Abort))
	defer cancelRest()
	answer, late := c.readAnswer(rest)
	switch {
	case late != nil:
		return Answer{}, late
	case errors.Is(err, engine.ErrMoveNow), errors.Is(err, pluginclient.ErrTimeUp):
		return answer, nil
	}
	return Answer{}, err
}

func (c *Client) readAnswer(ctx context.Context) (Answer, error) {
	for {
		line, err := c.link.Conn.Receive(ctx)
		if err != nil {
			return Answer{}, c.link.Conn.ExplainTimeout(err, "", pluginclient.Excerpt)
		}
		switch word, rest, _ := strings.Cut(line, " "); word {
		case Status:
		case Move:
			return ParseAnswer(rest)
		default:
			return Answer{}, fmt.Errorf("%w: to %s: %q", pluginclient.ErrInvalidReply, GetMove, pluginclient.Excerpt(line))
		}
	}
}

const setGameHistory = "set gamehist"

// gameHistory returns the game up to p as a FEN and the moves since: those after the last
// irreversible move, since earlier positions cannot occur again, and of these as many as fit into
// the buffer that engines expect.
func gameHistory(p *checkers.Position) string {
	// format formats a position and the moves since, of which the last is the first in backward.
	format := func(start engine.Position, backward []string) string {
		words := append(slices.Clone(backward), start.String())
		slices.Reverse(words)
		return strings.Join(words, " ")
	}
	var moves []string
	start, room := engine.Position(p), abi.CommandSize-1-len(setGameHistory+" ")
	text := format(p, nil)
	for range p.QuietPlies() {
		before, m := start.Undo()
		moves = append(moves, before.Format(m))
		longer := format(before, moves)
		if len(longer) > room {
			break
		}
		start, text = before, longer
	}
	return text
}
