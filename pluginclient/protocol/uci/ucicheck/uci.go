// Package ucicheck has the checks of UCI and UCCI 3.0 for engines that play Xiangqi. The table shows
// which checks belong to one of them only.
//
// The specification of UCI has no numbered sections, so the section of a check is the command of
// its sentence; likewise for UCCI.
//
// Before the checks the engine gets the settings of its SPEC, UCI_Variant if it has that option,
// and usemillisec. If the SPEC does not say how ranks are numbered, the first best move does.
package ucicheck

import (
	"slices"

	"qhsh/pluginclient"
	"qhsh/pluginclient/protocol/uci"
	"qhsh/pluginclient/task/check"
)

// An Engine describes how to start an engine.
type Engine struct {
	Name     string // for the trace until the engine's own is known
	Dialect  *uci.Dialect
	Start    pluginclient.Starter
	Settings []uci.Setting
	Ranks    *uci.Ranks // nil: derived from its options
	Log      *pluginclient.TraceLog
}

// Suite returns the checks for an engine.
func Suite(engine Engine) *check.Suite {
	protocol := engine.Dialect.Name
	k := &engineState{Engine: engine}
	var rows []check.Row[*exam]
	for _, entry := range table {
		if entry.of == "" || entry.of == protocol {
			rows = append(rows, check.Row[*exam]{
				Name: entry.name, Section: protocol + " " + entry.section, Rule: entry.rule,
				Advice: slices.Contains(entry.advice, protocol), Needs: entry.needs, Run: check.Steps(entry.steps...),
			})
		}
	}
	return &check.Suite{
		Protocol: protocol,
		Talk:     check.NewTalk(engine.Name, engine.Start, engine.Log),
		Name:     func() string { return k.Name },
		Checks:   check.Checks(rows, basic, func(c *check.Case) *exam { return &exam{Case: c, engineState: k} }),
	}
}

type entry struct {
	name, section, rule string
	of                  string   // the protocol; empty: both
	advice              []string // the protocols for which it is advice
	needs               []string
	steps               []step
}
