package repl

import (
	"errors"

	"qhsh/pluginclient"
	"qhsh/pluginclient/protocol/qhplugin"
)

// A need is what a command wants of the engine.
type need int

const (
	nothing need = iota
	anEngine
	// The abilities of the info block. A command that goes to an engine without one is
	// sent all the same, since it may be what is being tried out.
	hasUndo
	hasHints
	hasRules
	hasBGThink
	hasTimeout
)

// ability names a need of the info block as the block does.
var ability = map[need]string{
	hasUndo: "UNDO", hasHints: "HINTS", hasRules: "RULES", hasBGThink: "BGTHINK", hasTimeout: "TIMEOUT",
}

var errNoEngine = errors.New("there is no engine: .attach one first, such as '.attach builtin'")

// met tells a person about an ability that the engine has not announced. It is an error
// if there is no engine at all.
func (n need) met(c *call) error {
	switch {
	case n == nothing:
		return nil
	case c.engine == nil:
		return errNoEngine
	case n != anEngine && !c.engine.has(n):
		c.say("%s has announced no %s", c.engine.name, ability[n])
	}
	return nil
}

// has tells whether an engine has announced an ability. One that announces nothing, for
// want of an info block, is taken to have it.
func (e *attached) has(n need) bool {
	plugin, ok := pluginclient.As[interface{ Abilities() qhplugin.Info }](e.session)
	if !ok {
		return true
	}
	info := plugin.Abilities()
	return map[need]bool{
		hasUndo: info.Undo, hasHints: info.Hints, hasRules: info.Rules,
		hasBGThink: info.BGThink, hasTimeout: info.Timeout,
	}[n]
}
