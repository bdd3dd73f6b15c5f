package repl

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"qhsh/pluginclient"
	"qhsh/pluginclient/task/batch"
)

// checkRunning returns the error that AI and HINTS would have if the engine is not running, so that
// every command that makes it think treats it alike. Behind a bridge, a search starts an engine
// again that was lost.
func (e *attached) checkRunning() error {
	status := e.session.State().Status
	_, bridged := pluginclient.As[pluginclient.Bridge](e.session)
	if status == pluginclient.StatusRunning || bridged && status == pluginclient.StatusLost {
		return nil
	}
	return e.withRestartHint(pluginclient.ErrNotRunning)
}

// lacking returns the abilities that an engine has not announced. An engine whose protocol has no
// announcements is assumed to have them all.
func (e *attached) lacking() []string {
	if announcer, ok := pluginclient.As[pluginclient.Announcer](e.session); ok {
		return announcer.MissingAbilities()
	}
	return nil
}

// has reports whether an engine is assumed to have an ability.
func (e *attached) has(ability string) bool { return !slices.Contains(e.lacking(), ability) }

// A recording starts with remarks that describe the state of each engine, so that .replay can
// restore that state first:
//
//	0.000   +0.000 builtin # begins with LEVEL 1
//	0.000   +0.000 builtin # begins with BOARD rnbakabnr/... w - - 0 1 moves H2-E2
//	0.000   +0.000 builtin # begins with BAN B9-C7 H9-G7
//	0.000   +0.000 builtin # begins with BGTHINK ON
//
// The board is a line of the input of 'qhsh hints'.

// Words of the remarks that record an engine's state.
const (
	statePrefix  = "begins with "
	stateLevel   = "LEVEL"
	stateBoard   = "BOARD"
	stateBan     = "BAN"
	stateBGThink = "BGTHINK"
)

// stateRemarks returns the state of an engine as remarks for a recording. It omits what the engine
// does not support.
func (e *attached) stateRemarks() (remarks []string) {
	add := func(word, args string) { remarks = append(remarks, statePrefix+word+" "+args) }
	if id, known := e.session.Level(); known {
		add(stateLevel, strconv.Itoa(id))
	}
	add(stateBoard, batch.FormatGame(e.session.Position()))
	if s, ok := pluginclient.As[pluginclient.BanLister](e.session); ok && len(s.Bans()) > 0 {
		add(stateBan, strings.Join(s.Bans(), " "))
	}
	if s, ok := pluginclient.As[pluginclient.BackgroundThinker](e.session); ok && s.BGThink() {
		add(stateBGThink, "ON")
	}
	return remarks
}

// restoreState brings the engine to the state that the remarks of a recording describe. If the
// engine lacks a recorded level or BAN, restoreState reports that and continues; the answers will
// then differ.
func (c *call) restoreState(remarks []string) error {
	for _, remark := range remarks {
		word, args := cutWord(strings.TrimPrefix(remark, statePrefix))
		err := c.restoreFrom(word, args)
		if err == nil {
			continue
		}
		err = fmt.Errorf(".replay: the recording %s: %w", remark, err)
		if word == stateBoard || pluginclient.Lost(err) || errors.Is(err, errAborted) || errors.Is(err, ErrInterrupted) {
			return err
		}
		c.shell.reportError(err)
	}
	return nil
}

func (c *call) restoreFrom(word, args string) error {
	switch word {
	case stateLevel:
		id, err := strconv.Atoi(args)
		if err == nil {
			err = c.engine.session.Info().CheckLevel(id)
		}
		if err != nil {
			return err
		}
		return c.shell.awaitEngine(c.ctx, c.engine, func(ctx context.Context) error { return c.engine.session.SetLevel(ctx, id) })
	case stateBoard:
		pos, err := c.shell.reader(c.engine).position(args)
		if err != nil {
			return err
		}
		return c.shell.awaitEngine(c.ctx, c.engine, func(ctx context.Context) error { return c.engine.newGame(ctx, pos) })
	case stateBan:
		moves := strings.Fields(args)
		return c.restoreBySending(fmt.Sprintf("%s %d\n%s", word, len(moves), strings.Join(moves, "\n")))
	case stateBGThink:
		return c.restoreBySending(word + " " + args)
	}
	return nil // of a later version
}

// restoreBySending sends a command and returns an error if the engine refuses it.
func (c *call) restoreBySending(text string) error {
	return c.shell.awaitEngine(c.ctx, c.engine, func(ctx context.Context) error {
		answer, err := c.engine.raw(ctx, text)
		if err == nil && (len(answer) != 1 || c.shell.languageOf(c.engine).Fails(answer)) {
			err = fmt.Errorf("%w: %s", pluginclient.ErrRefused, strings.Join(answer, " "))
		}
		return err
	})
}
