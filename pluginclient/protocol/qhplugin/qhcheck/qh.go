// Package qhcheck are the checks of QHPLUGIN V1.3: every sentence of the specification that binds a
// plugin. The rules stand in package qhplugin, whose client judges by them too. "qhsh check -list" prints
// every check with its sentence.
//
// How the checks find out what a plugin's board holds: AI has to answer with a legal move. In
// a position with a single legal move, or with two or three, that move tells that the plugin
// has just this position, and costs a slow plugin no time.
//
// The readings that the checks take: for "respond quickly" and "about a second" the limit is a
// second, and a plugin that is late is asked again, twice: a busy machine is late now and then,
// a plugin is always. A FEN is sent in the letters of the
// diagram of section 4 and with the side w or b, unless the plugin does not understand that
// and does understand other letters; so a plugin of another dialect is examined too. What a
// plugin says that it does not support (a 0 in its info block) is not examined. The list of BAN ends
// with the next AI or HINTS, however that answers, and is about the next move, not those behind it.
package qhcheck

import (
	"context"
	"errors"
	"io"
	"slices"
	"time"

	"qhsh/pluginclient"
	"qhsh/pluginclient/protocol/qhplugin"
	"qhsh/pluginclient/task/check"
)

// A Plugin describes how to start a plugin in the modes of section 2.
type Plugin struct {
	Name  string // for the trace until the plugin's own is known
	Info  pluginclient.Starter
	Play  pluginclient.Starter
	Debug pluginclient.Starter // plugin mode with the argument debug
	Log   *pluginclient.TraceLog
}

// InProcess returns a plugin that is a server in this process.
func InProcess(server *qhplugin.Server, log *pluginclient.TraceLog) Plugin {
	info := func(_ context.Context, _ io.Reader, out io.Writer) error {
		_, err := io.WriteString(out, server.Info().String())
		return err
	}
	play := pluginclient.Pipe(server.Serve)
	return Plugin{Name: server.Name, Info: pluginclient.Pipe(info), Play: play, Debug: play, Log: log}
}

// Suite returns the checks for a plugin.
func Suite(p Plugin) *check.Suite {
	k := &pluginState{plugin: p}
	var rows []check.Row[*exam]
	for _, entry := range table {
		rule := qhplugin.RuleNamed(entry.name)
		rows = append(rows, check.Row[*exam]{
			Name: rule.Name, Section: rule.Section, Rule: rule.Sentence, Advice: rule.Advice,
			Needs:   slices.DeleteFunc(slices.Clone(entry.needs), isAbility),
			Prepare: check.Steps(announces(entry.needs), entry.prepare), Run: entry.run,
		})
	}
	return &check.Suite{
		Protocol: qhplugin.Protocol, Talk: check.NewTalk(p.Name, p.Play, p.Log), Quirks: quirks,
		Name:   func() string { return k.info.Name },
		Checks: check.Checks(rows, basic, func(c *check.Case) *exam { return &exam{Case: c, pluginState: k} }),
	}
}

// An entry is a line of the table: how a rule of package qhplugin is checked.
type entry struct {
	name    string   // of the rule
	needs   []string // other checks; in capitals: abilities of the info block
	prepare step     // may be nil
	run     step
}

func isAbility(need string) bool { return need[0] < 'a' }

// basic is the check that all behind it need.
const basic = "plugin.newline"

// announces reads the info block, which determines how to communicate with the plugin: other checks report
// its errors. The check is absent for a plugin whose block does not announce the abilities among needs.
func announces(needs []string) step {
	return func(e *exam) error {
		if err := readInfoBlock(e); err != nil && (e.Err() != nil || errors.Is(err, pluginclient.ErrStart)) {
			return err
		}
		for _, need := range needs {
			switch {
			case !isAbility(need) || e.has(need):
			case e.disclaims(need):
				return check.NotApplicablef("the info block says %s 0", need)
			default:
				return check.NotApplicablef("the info block does not say %s 1", need)
			}
		}
		return nil
	}
}

// pluginState is what is known about a plugin.
type pluginState struct {
	plugin         Plugin
	infoRead       bool // info mode was run
	block          qhplugin.Block
	blockErr       error // why there is no block
	info           qhplugin.Info
	isMute         bool     // it has answered nothing
	pings          bool     // LEVEL is answered with a number
	extraAnswers   bool     // it sends more than one answer
	isPlayLost     bool     // PLAY is not answered in time
	dialect        *dialect // understood by FEN; nil: unknown
	fenTried       bool     // dialect has been looked for
	breaksRules    bool     // AI plays illegal moves of its pieces; found out by fen.board and fen.black
	longThink      *longThink
	startTime      time.Duration   // of the last start
	firstMove      string          // answer to AI at the start of the game
	firstMoveTime  time.Duration   // time of firstMove
	afterMove      []string        // lines after firstMove
	afterHints     []string        // lines after the first ENDHINTS
	trailingBlanks string          // an answer with trailing blanks
	smallWord      string          // an answer whose word is not in capitals
	unasked        string          // a line that is no response
	obeysTimeout   map[string]bool // for AI and HINTS: slow, but answers after TIMEOUT
}

func (k *pluginState) has(ability string) bool { return slices.Contains(k.block.Lines, ability+" 1") }

// disclaims reports whether the plugin says that it lacks an ability.
func (k *pluginState) disclaims(ability string) bool {
	return slices.Contains(k.block.Lines, ability+" 0")
}
