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
	s := &check.Suite{
		Protocol: protocol,
		Talk:     check.NewTalk(engine.Name, engine.Start, engine.Log),
		Name:     func() string { return k.Name },
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
				return check.InOrder(&exam{Case: c, engineState: k}, entry.steps...)
			},
		})
	}
	return s
}

// An entry is a line of the table.
type entry struct {
	name, section, rule string
	of                  string   // the protocol; empty: both
	advice              []string // the protocols for which it is advice
	needs               []string
	steps               []step
}
