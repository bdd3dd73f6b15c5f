package attach

import (
	"fmt"
	"strings"

	"qhsh/engine/xiangqi"
	"qhsh/engine/xiangqi/search"
	"qhsh/pluginclient/qhplugin"
)

// embedded is the embedded engine of Xiangqi as a plugin.
type embedded struct {
	server   *qhplugin.Server
	engine   *search.Engine
	options  search.Options // that it was made with
	giveBack func()         // the memory of its table
}

// close lets go of the engine.
func (e embedded) close() error {
	e.giveBack()
	return nil
}

// embedded makes the engine. Somebody has to give its memory back.
func (s spec) embedded(o Options) (embedded, error) {
	e, err := s.describe(o)
	if err == nil {
		err = e.make(o)
	}
	if err != nil {
		return embedded{}, fmt.Errorf("%w: %s: %w", ErrSpec, s.name, err)
	}
	return e, nil
}

// describe reads the options.
func (s spec) describe(o Options) (embedded, error) {
	e := embedded{
		server:  &qhplugin.Server{Name: "qhsh", Text: []string{"The embedded engine of qhsh " + o.Version}},
		options: search.DefaultOptions(),
	}
	switched := map[string]string{}
	for _, opt := range s.options {
		var err error
		if opt.key == "on" || opt.key == "off" {
			err = e.switchRules(opt, switched)
		} else {
			err = e.set(opt)
		}
		if err != nil {
			return e, err
		}
	}
	return e, nil
}

// make makes what is described.
func (e *embedded) make(o Options) error {
	giveBack, err := tables.take(e.options.Hash, o.memory())
	if err != nil {
		return err
	}
	e.engine, err = search.New(e.options)
	if err == nil && o.Level != nil {
		e.server.Level = *o.Level
		err = announced(*o.Level, e.engine.Levels())
	}
	if err != nil {
		giveBack()
		return err
	}
	e.server.Searcher, e.giveBack = e.engine, giveBack
	e.server.Text = append(e.server.Text, "Repetitions are judged by the rules "+e.options.Rules.String())
	return nil
}

// set sets an option.
func (e *embedded) set(opt option) (err error) {
	switch opt.key {
	case "rules":
		e.options.Rules, err = xiangqi.ParseRuleSet(opt.value)
	case "nodes":
		var n int
		n, err = opt.number(true)
		e.options.Nodes = int64(n)
	case "hash":
		e.options.Hash, err = opt.number(true)
	case "threads":
		e.options.Threads, err = opt.number(true)
	case "hints":
		e.server.Hints, err = opt.number(true)
	default:
		err = fmt.Errorf("there is no option %q, only nodes, hash, threads, hints, rules, on and off", opt.key)
	}
	return err
}

// switchRules leaves rules of the search out, or puts them in, for who tests them by a match.
// By switched is known which of them have been.
func (e *embedded) switchRules(opt option, switched map[string]string) (err error) {
	names := strings.Split(opt.value, "+")
	if opt.key == "on" {
		e.options, err = e.options.With(names...)
	} else {
		e.options, err = e.options.Without(names...)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", opt.key, err)
	}
	for _, name := range names {
		name = strings.ToLower(name)
		if before, ok := switched[name]; ok && before != opt.key {
			return fmt.Errorf("the rule %s is to be on and off: give one of the two", name)
		}
		switched[name] = opt.key
	}
	return nil
}
