package repl

import (
	"errors"
	"slices"

	"qhsh/pluginclient"
)

// A requirement is what a command needs in order to run.
type requirement int

const (
	needsNothing requirement = iota
	needsEngine
	needsRunning // an engine that would answer AI
	needsPlace   // an engine, and where its board stands in its game
)

var errNoEngine = errors.New("no engine: .attach one first, such as '.attach builtin'")

// checkNeeds returns an error if the command needs an engine and there is none. If the engine has
// not announced a required ability, checkNeeds only warns: the user may be testing exactly that.
func (cmd *command) checkNeeds(c *call) error {
	switch {
	case cmd.needs == needsNothing:
		return nil
	case c.engine == nil:
		return errNoEngine
	case cmd.needs == needsRunning:
		return c.engine.checkRunning()
	case cmd.ability != "" && !c.engine.has(cmd.ability):
		c.say("%s does not announce %s", c.engine.name, cmd.ability)
	}
	return nil
}

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
