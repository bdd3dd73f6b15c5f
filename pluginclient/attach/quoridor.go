package attach

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"qhsh/engine"
	"qhsh/engine/games"
	"qhsh/engine/quoridor"
	"qhsh/pluginclient"
	"qhsh/pluginclient/protocol/qtp"
	"qhsh/pluginclient/protocol/qtp/qtpcheck"
	"qhsh/pluginclient/task/check"
)

// strictKey is the option that makes what an engine does against its protocol an error.
const strictKey = "strict"

var strictOption = Option{Name: strictKey, Help: "true: whatever it does against the protocol is an error", Words: yesNo}

// setFlags sets options that are true or false. The error for another one lists names.
func setFlags(options []games.Setting, flags map[string]*bool, names ...string) error {
	for _, o := range options {
		flag, known := flags[o.Key]
		if !known {
			return noOption(o.Key, names)
		}
		var err error
		if *flag, err = strconv.ParseBool(o.Value); err != nil {
			return fmt.Errorf("%s=%s: want true or false", o.Key, o.Value)
		}
	}
	return nil
}

func qtpPrograms(t games.Table) Row {
	return Row{
		Kind: Kind{
			Name: "qtp", Title: qtp.Protocol, Greeting: "name", Answer: "^= *[^ ]", UnsupportedLimits: pluginclient.OneMoveUnsupported, Scores: NoneScored,
			Options: slices.Concat(gameOptions(t, quoridor.Default), []Option{strictOption}, programOptions),
			Examples: []Example{
				{"qtp,size=7,walls=5:./naive", "a program that speaks QTP, the Quoridor Text Protocol"},
				{"qtp,strict=true:./naive", "the same; whatever it does against the protocol is an error"},
			},
			Prompt:  fmt.Sprintf("'%s', the embedded engine of Quoridor, and a program such as\n'qtp:./naive' are spoken to in the Quoridor Text Protocol.\n", quoridor.Default.Name()),
			Checked: true,
		},
		Language: qtp.Language, Modes: []Mode{qtpMode()},
		Parse: func(s Spec) (Parsed, error) { return parseQTP(t, s) },
	}
}

func parseQTP(t games.Table, s Spec) (p Parsed, err error) {
	cmd, options, err := s.Program()
	if err != nil {
		return p, err
	}
	game, rest, err := takeGame(t, quoridor.Default, options)
	strict := false
	if err == nil {
		err = setFlags(rest, map[string]*bool{strictKey: &strict}, "size", "walls", strictKey, dirKey)
	}
	if err != nil {
		return p, s.OptionError(err)
	}
	p.Game = game
	p.Open = func(ctx context.Context, o Options) (pluginclient.Session, error) {
		return attached(dialQTP(ctx, pluginclient.Program{Name: cmd.Path, Start: cmd.Start}, game, strict, o))
	}
	p.Examine = func(_ context.Context, o Options) (*check.Suite, error) {
		return qtpcheck.Suite(pluginclient.Program{Name: cmd.Path, Start: cmd.Start}, o.Log), nil
	}
	return p, nil
}

func dialQTP(ctx context.Context, program pluginclient.Program, game engine.Game, strict bool, o Options) (*qtp.Client, error) {
	rules, _ := game.(quoridor.Rules)
	return qtp.Dial(ctx, program, qtp.Options{ClientOptions: o.ClientOptions, Rules: rules, Strict: strict})
}

// qtpMode is for QTP referees, which start an engine with -seed and end it with SIGINT. The seed is
// ignored, since the embedded engine uses no random numbers.
func qtpMode() Mode {
	const text = "be an engine for Quoridor that speaks QTP"
	return Mode{
		Flag: "-qtp", Summary: text, Line: Usage{"-qtp [-seed N] [debug]", text}, Game: quoridor.Default, Signals: true,
		Unused: []Option{{Name: "seed", Help: "taken, and of no effect: the embedded engine plays by no chance"}},
		Serve: byTime(qtp.Protocol, quoridor.Default, qtp.DefaultTime, func(ctx context.Context, c ServeConfig, s pluginclient.Session, searcher engine.Searcher, limits func() engine.Limits) error {
			rules, _ := s.Position().Game().(quoridor.Rules)
			server := &qtp.Server{Searcher: searcher, Name: s.Info().Name, Warn: c.Engine.Options.Warn, Trace: c.Trace, Rules: rules, Limits: limits}
			return server.Serve(ctx, c.In, c.Out)
		}),
	}
}

// withQTP returns the row of an embedded engine that is spoken to in QTP.
func (e embedded) withQTP() Row {
	server := func(i engineInstance) (*qtp.Server, *qtpTalk) {
		rules, _ := i.game.(quoridor.Rules)
		talk := &qtpTalk{levelSetter: newLevelSetter(i)}
		return &qtp.Server{Searcher: i.searcher, Name: "qhsh", Rules: rules, Limits: talk.limits}, talk
	}
	r := e.with(talk{
		open: func(ctx context.Context, i engineInstance, o Options) (pluginclient.Session, *latestLines, error) {
			server, talk := server(i)
			latest := &latestLines{}
			server.Watch = latest.watch
			var err error
			talk.Client, err = dialQTP(ctx, qtp.InProcess(server), i.game, false, o)
			session, err := attached(talk, err)
			return session, latest, err
		},
		examine: func(i engineInstance, o Options) *check.Suite {
			server, _ := server(i)
			return qtpcheck.Suite(qtp.InProcess(server), o.Log)
		},
	})
	r.Examples = []Example{{r.Name + ",size=7,walls=5", "the embedded engine of Quoridor; also hash=N"}}
	r.Prompt = "" // included in that of the programs
	return r
}

// A qtpTalk is the conversation with an embedded engine in QTP, which has no levels: those of levelSetter
// hide the Client's.
type qtpTalk struct {
	*qtp.Client
	*levelSetter
}

func (c *qtpTalk) Info() pluginclient.Info {
	info := c.Client.Info()
	info.Levels, info.Text = c.levels, []string{"The embedded engine of qhsh for Quoridor"}
	return info
}
