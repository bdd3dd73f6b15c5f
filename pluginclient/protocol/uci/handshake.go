package uci

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"qhsh/engine/xiangqi"
	"qhsh/pluginclient"
)

// startup makes a newly started engine ready to search: introduction, options, ping.
func (c *Client) startup(ctx context.Context) error {
	err := c.handshake(ctx)
	switch {
	case err == nil:
		return nil
	case errors.Is(err, ErrOption) || errors.Is(err, pluginclient.ErrRefused):
		c.link.Quit()
		return err
	}
	return fmt.Errorf("%w: %w", pluginclient.ErrStart, err)
}

func (c *Client) handshake(ctx context.Context) error {
	pos := c.current()
	c.engineState = engineState{needsNewGame: true, positionStale: pos.Ply() > 0 || pos.String() != xiangqi.StartFEN}
	in, err := c.readIntro(ctx)
	if err != nil {
		return err
	}
	c.storeIntro(in)
	switch {
	case c.opts.Ranks != nil:
		c.ranks = *c.opts.Ranks
	case !c.ranksKnown:
		c.ranks = in.Ranks
	}
	if err := c.configure(in.Options); err != nil {
		return fmt.Errorf("%s: %w", c.link.Name(), err)
	}
	// An engine that does not answer the first ping but is still running is used without pings. That is
	// safe as long as it executes its commands in order.
	ping := c.protocol.Ping()
	if c.noPing = ping == ""; c.noPing {
		return nil
	}
	limit := c.link.Deadlines.Reply
	if deadline, ok := ctx.Deadline(); ok && c.protocol.MustAnswerPing {
		limit = time.Until(deadline)
	}
	err = c.ping(ctx, limit)
	if !errors.Is(err, pluginclient.ErrNoReply) || !c.link.Conn.Alive() {
		return err
	}
	c.noPing = true
	c.link.Warn(fmt.Sprintf("%s does not answer %s: a late answer may be taken for the answer to another command", c.link.Name(), ping))
	return nil
}

// errIntroTimeout is the cause of a context that ends after Introduction.Timeout.
var errIntroTimeout = errors.New("introduction timeout")

func (c *Client) readIntro(ctx context.Context) (*Introduction, error) {
	in := &Introduction{Info: c.Info()}
	in.Info.Text = nil
	greeting := c.protocol.Greeting(in)
	if err := c.send(greeting...); err != nil {
		return nil, err
	}
	var strange error          // how an engine has answered that does not seem to know the greeting
	var patience time.Duration // when it is given up
	for range maxUnexpected {
		wait, cancel := ctx, context.CancelFunc(func() {})
		if within := cmp.Or(patience, in.Timeout); within > 0 {
			wait, cancel = context.WithDeadlineCause(ctx, c.link.SentAt.Add(within), errIntroTimeout)
		}
		line, err := c.receive(wait)
		cancel()
		switch {
		case errors.Is(err, errIntroTimeout) && strange != nil:
			return nil, strange
		case errors.Is(err, errIntroTimeout) && c.protocol.Probe == nil:
			in.Done = true
		case errors.Is(err, errIntroTimeout):
			if ping := c.protocol.Probe(in); !in.Done {
				if err := c.link.Send(pluginclient.Pinged, ping); err != nil {
					return nil, err
				}
			}
		case errors.Is(err, pluginclient.ErrDeadline) && in.DoneAtStartDeadline:
			in.Done = true
			in.Warnings = append(in.Warnings, fmt.Sprintf("has sent nothing in %v: assuming no features", c.link.Deadlines.Start))
		case err != nil:
			return nil, c.explainTimeout(err, in.Unexpected)
		default:
			c.protocol.ReadIntro(line, in)
			if in.Unexpected != line {
				strange, patience = nil, 0
			} else if strange == nil {
				if strange = pluginclient.StrangeReply(line, greeting...); strange != nil {
					patience = time.Since(c.link.SentAt) + pluginclient.StrangerGrace
				}
			}
		}
		if replies := in.Replies; len(replies) > 0 {
			in.Replies = nil
			if err := c.link.Send(pluginclient.Sent, replies...); err != nil {
				return nil, err
			}
		}
		if in.Done {
			return in, nil
		}
	}
	return nil, fmt.Errorf("%w: %d lines without %s", pluginclient.ErrFlood, maxUnexpected, in.Terminator)
}

func (c *Client) storeIntro(in *Introduction) {
	for _, text := range in.Warnings {
		c.link.Warn(in.Info.Name + " " + text)
	}
	c.link.SetInfo(in.Info)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.offers = in.Options
}

// configure sends the options: first those that the protocol requires, then the user's.
func (c *Client) configure(offers OptionList) error {
	required, err := c.protocol.RequiredOptions(offers)
	if err != nil {
		return fmt.Errorf("%w: %w", pluginclient.ErrRefused, err)
	}
	for _, s := range required {
		if err := c.set(s); err != nil {
			return err
		}
	}
	for i, s := range c.settings {
		settled, err := offers.Resolve(s)
		if err != nil {
			return err
		}
		c.settings[i] = settled
		if slices.Contains(required, settled) {
			continue // already sent
		}
		if err := c.set(settled); err != nil {
			return err
		}
	}
	return nil
}

func (c *Client) set(s Setting) error {
	return c.send(c.protocol.SetOption(s.Name, s.Value))
}

// read parses a line of the introduction: "id", "option" or the line end that completes it.
func (in *Introduction) read(line, end string) {
	word, rest := CutWord(line)
	switch strings.ToLower(word) {
	case end:
		in.Done = true
	case "id":
		kind, value := CutWord(rest)
		switch {
		case value == "":
		case kind == "name":
			in.Info.Name = value
		default:
			in.Info.Text = append(in.Info.Text, kind+" "+value)
		}
	case "option":
		if opt, ok := ParseOption(line); ok {
			in.AddOption(opt, line)
		}
	case "registration", "copyprotection":
		if strings.Contains(rest, "error") {
			in.Warnings = append(in.Warnings, "says "+strconv.Quote(pluginclient.Excerpt(line)))
		}
	default:
		in.Unexpected = line // a banner, which many engines print first
	}
}

// AddOption adds an option and the line that offered it.
func (in *Introduction) AddOption(opt Option, line string) {
	in.Options = append(in.Options, opt)
	in.Info.Text = append(in.Info.Text, strings.TrimSpace(line))
}

// CutWord splits a line into its first word and the rest.
func CutWord(line string) (word, rest string) {
	word, rest, _ = strings.Cut(strings.TrimSpace(strings.ReplaceAll(line, "\t", " ")), " ")
	return word, strings.TrimSpace(rest)
}
