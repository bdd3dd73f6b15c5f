// Package uci are the checks of UCI and of UCCI 3.0, in what binds engines that play Xiangqi.
// The two have most in common; table.go says what is particular to one of them.
//
// The specification of UCI has no numbered sections, so a check names the command that its
// sentence is about; so it does for UCCI, whose chapter on commands lists them likewise.
//
// What an engine is told before it is examined: the settings of its SPEC, UCI_Variant where it
// is offered, and usemillisec. Ranks are numbered from 1 by engines that offer UCI_Variant,
// and else from 0, unless the SPEC says otherwise.
package uci

import (
	"slices"

	"qhsh/pluginclient"
	"qhsh/pluginclient/protocol/ucifamily"
	"qhsh/pluginclient/task/check"
)

// An Engine is how an engine is started and what it is told then.
type Engine struct {
	Name     string // for the trace until it has told its own
	UCCI     bool   // it speaks UCCI, not UCI
	Start    pluginclient.Starter
	Settings []ucifamily.Setting
	Ranks    *ucifamily.Ranks // nil: as its offers tell
	Log      *pluginclient.TraceLog
}

// Suite returns the checks for an engine.
func Suite(engine Engine) *check.Suite {
	k := &engineState{engine: engine, name: engine.Name}
	protocol := "UCI"
	if engine.UCCI {
		protocol = "UCCI"
	}
	s := &check.Suite{
		Protocol: protocol,
		Talk:     check.NewTalk(engine.Name, engine.Start, engine.Log),
		Name:     func() string { return k.name },
	}
	for _, entry := range table {
		if entry.of != "" && entry.of != protocol {
			continue
		}
		needs := entry.needs
		if entry.name != basic {
			needs = append([]string{basic}, needs...)
		}
		s.Checks = append(s.Checks, check.Check{
			Name: entry.name, Section: protocol + " " + entry.section, Rule: entry.rule,
			Advice: slices.Contains(entry.advice, protocol), Needs: needs,
			Run: func(c *check.Case) error {
				return check.RunPrepared(&exam{Case: c, engineState: k}, entry.prepare, entry.run)
			},
		})
	}
	return s
}

// entry is a line of the table.
type entry struct {
	name, section, rule string
	of                  string   // the protocol; empty: both
	advice              []string // the protocols that leave it open
	needs               []string
	prepare             func(e *exam) error // nil: it looks back, or prepares by itself
	run                 func(e *exam) error
}

// engineState is what has been found out about an engine in the course of an examination.
type engineState struct {
	engine  Engine
	name    string
	options []ucifamily.Option
	lines   []string // of its introduction
	ready   bool     // isready is answered
}

func (k *engineState) ranks() ucifamily.Ranks {
	switch {
	case k.engine.Ranks != nil:
		return *k.engine.Ranks
	case !k.engine.UCCI && k.option("UCI_Variant") != nil:
		return ucifamily.FromOne
	}
	return ucifamily.FromZero
}

// option returns the option of a name; nil if there is none.
func (k *engineState) option(name string) *ucifamily.Option {
	if o, ok := ucifamily.OptionList(k.options).Find(name); ok {
		return &o
	}
	return nil
}
