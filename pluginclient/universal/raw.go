package universal

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"qhsh/engine/xiangqi"
	"qhsh/pluginclient"
)

// Raw sends a line as it is, further lines after line feeds, and answers what the engine
// says to it: after "go" up to its best move, and else up to "readyok", which answers an
// "isready" that is marked in the trace as added. An engine that has died is not started
// again by Raw. One that a search has left at another position than the conversation's is
// told that first.
//
// "go" may take as long as it likes: a context that ends with engine.ErrMoveNow sends
// "stop" and any other cause sends it and gives up. While a "go" or a Search is under way,
// Raw of "stop" or "ponderhit" reaches the engine at once and answers nothing; the answer is
// that of the "go".
//
// The position follows "position", and options are remembered for a Restart. Where a
// position cannot be followed, there is an error beside the answer.
func (c *Client) Raw(ctx context.Context, text string) ([]string, error) {
	if word, _ := cutWord(text); word == "stop" || word == "ponderhit" {
		c.mu.Lock()
		say := c.aside
		c.mu.Unlock()
		if say != nil {
			say(text)
			return nil, nil
		}
	}
	return call(ctx, c, func(ctx context.Context) ([]string, error) {
		var answer []string
		for line := range strings.SplitSeq(text, "\n") {
			if c.conn == nil {
				return answer, fmt.Errorf("%w: the engine does not run", pluginclient.ErrDied)
			}
			more, err := c.rawLine(ctx, line)
			answer = append(answer, more...)
			if err != nil {
				return answer, err
			}
		}
		return answer, nil
	})
}

// SetPosition makes a position that of the conversation. The engine is told it before the
// next line of Raw that needs it.
func (c *Client) SetPosition(ctx context.Context, pos *xiangqi.Position) error {
	_, err := call(ctx, c, func(context.Context) (struct{}, error) {
		c.stand(pos)
		c.away = true
		return struct{}{}, nil
	})
	return err
}

func (c *Client) rawLine(ctx context.Context, line string) ([]string, error) {
	word, rest := cutWord(line)
	switch word {
	case "quit":
		return c.rawQuit(line)
	case "isready":
		return c.rawReady(ctx, line)
	case "position", "setoption", "ucinewgame", "stop", c.protocol.Greeting():
	default:
		if err := c.comeBack(); err != nil {
			return nil, err
		}
	}
	if perft := strings.HasPrefix(rest, "perft"); word == "go" && !perft {
		return c.rawGo(ctx, line)
	}
	if err := c.send(pluginclient.Sent, line); err != nil {
		return nil, err
	}
	answer, err := c.upToPing(ctx, c.patience(word))
	if err != nil {
		return answer, err
	}
	return answer, c.follow(word, strings.Fields(rest))
}

// patience is how long the answer to a word may take. What the protocol does not know may
// be a benchmark.
func (c *Client) patience(word string) time.Duration {
	switch word {
	case "position", "setoption", "stop", "ponderhit", "banmoves", "probe", "debug":
		return c.opts.Deadlines.Reply
	case "ucinewgame", c.protocol.Greeting():
		return c.opts.Deadlines.Start
	}
	return c.opts.Deadlines.Think
}

// upToPing are the lines that come before the answer to a ping. Who gives up leaves the
// engine some time to get there.
func (c *Client) upToPing(ctx context.Context, limit time.Duration) ([]string, error) {
	if c.mute {
		time.Sleep(muteQuiet)
		return c.conn.Drain(), nil
	}
	ctx, cancel := c.alsoOver(ctx)
	defer cancel()
	lines, err := c.upToReady(ctx, limit)
	if cause := context.Cause(ctx); cause == nil || !errors.Is(err, cause) {
		return lines, err
	}
	if lateErr := c.awaitReady(c.opts.Deadlines.Abort); lateErr != nil {
		return nil, fmt.Errorf("%w, and then: %w", err, lateErr)
	}
	return nil, err
}

// awaitReady reads up to a "readyok" that was asked for before.
func (c *Client) awaitReady(limit time.Duration) error {
	ctx, cancel := context.WithTimeoutCause(context.Background(), limit, errDeadline)
	defer cancel()
	for range maxStray {
		line, err := c.conn.Receive(ctx)
		if err != nil {
			return c.missing(err, "")
		}
		if isReadyOK(line) {
			return nil
		}
	}
	return pluginclient.ErrFlood
}

// comeBack brings the engine back to the conversation's position.
func (c *Client) comeBack() error {
	if !c.away {
		return nil
	}
	c.away = false
	asked := c.protocol.Ask(Question{Pos: c.current(), Ranks: c.ranks, Offered: c.Offers()})
	return c.conn.Send(pluginclient.Pinged, c.opts.Deadlines.Reply, asked.Before...)
}

func (c *Client) rawReady(ctx context.Context, line string) ([]string, error) {
	if err := c.send(pluginclient.Sent, line); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeoutCause(ctx, c.opts.Deadlines.Reply, errDeadline)
	defer cancel()
	var lines []string
	for len(lines) < maxStray {
		line, err := c.conn.Receive(ctx)
		if err != nil {
			return lines, c.missing(err, "")
		}
		if lines = append(lines, line); isReadyOK(line) {
			break
		}
	}
	return lines, nil
}

// maxHeard is how many lines of a search are kept, the last ones.
const maxHeard = 100_000

func (c *Client) rawGo(ctx context.Context, line string) ([]string, error) {
	var lines []string
	v := &vigil{c: c, ctx: ctx, asked: Asked{Go: line}, heard: func(line string) {
		if len(lines) == maxHeard { // an analysis over night
			lines = lines[:copy(lines, lines[maxHeard/2:])]
		}
		lines = append(lines, line)
	}}
	if err := v.watch(); err != nil {
		return nil, err
	}
	return lines, nil
}

// rawQuit sends "quit" and reads what is said until the engine has ended.
func (c *Client) rawQuit(line string) ([]string, error) {
	if err := c.send(pluginclient.Sent, line); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeoutCause(c.turn.Life, c.opts.Deadlines.Quit, errDeadline)
	defer cancel()
	var answer []string
	for {
		line, err := c.conn.Receive(ctx)
		if err != nil {
			break
		}
		answer = append(answer, line)
	}
	c.drop()
	return answer, nil
}

// follow does on this side what a command has done on the other.
func (c *Client) follow(word string, args []string) error {
	switch word {
	case "ucinewgame":
		c.fresh = false
	case "setoption":
		c.followOption(c.protocol.ReadSetOption(args))
	case "position":
		pos, err := readPosition(args, c.ranks)
		if err != nil {
			return fmt.Errorf("%s was sent a position that makes no sense: %w", c.name(), err)
		}
		c.away = false
		c.stand(pos)
	}
	return nil
}

func (c *Client) followOption(name, value string) {
	opt, ok := c.Offers().Find(name)
	switch {
	case !ok:
	case fold(name) == "multipv":
		c.multiPV, _ = strconv.Atoi(value)
	case managed[fold(name)] == "":
		c.keep(Setting{opt.Name, value})
	}
}
