package repl

import (
	"errors"
	"slices"

	"qhsh/pluginclient"
)

// A need is what a command wants.
type requirement int

const (
	needsNothing requirement = iota
	needsEngine
)

var errNoEngine = errors.New("there is no engine: .attach one first, such as '.attach builtin'")

// met tells a person about an ability that the engine has not announced: the command is sent
// all the same, since it may be what is being tried out. It is an error if there is no engine
// at all.
func (cmd *command) checkNeeds(c *call) error {
	switch {
	case cmd.needs == needsNothing:
		return nil
	case c.engine == nil:
		return errNoEngine
	case cmd.ability != "" && !c.engine.has(cmd.ability):
		c.say("%s has announced no %s", c.engine.name, cmd.ability)
	}
	return nil
}

// lacking are the abilities that an engine has not announced. One that announces nothing, for
// want of a way to, is taken to have them all.
func (e *attached) lacking() []string {
	if announcer, ok := pluginclient.As[pluginclient.Announcer](e.session); ok {
		return announcer.MissingAbilities()
	}
	return nil
}

// has reports whether an engine is taken to have an ability.
func (e *attached) has(ability string) bool { return !slices.Contains(e.lacking(), ability) }
