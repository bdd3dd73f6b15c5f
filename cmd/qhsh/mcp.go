package main

import (
	"context"
	"flag"

	"qhsh/engine/games"
	"qhsh/pluginclient"
	"qhsh/pluginclient/task/batch"
	"qhsh/pluginclient/task/explore"
	"qhsh/pluginclient/task/mcpserver"
)

var mcpCommand = command{
	name:       "mcp",
	noOperands: requestsFromStdin,
	summary:    "serve an assistant by the Model Context Protocol: positions, analysis, rulings, games",
	setup:      defined[mcpAction],
}

type mcpAction struct {
	engineFlags
	endings endingsFlag
	db      string
}

func (c *mcpAction) define(fs *flag.FlagSet, _ games.Table) {
	c.engineFlags.define(fs)
	c.defineCounts(fs, "depth")
	fs.StringVar(&c.db, "db", "", "let the assistant explore the database `FILE`")
	c.endings.define(fs, endingsUsage)
}

func (c *mcpAction) run(ctx context.Context, h host, _ []string) (err error) {
	p := newBatchProgress("mcp", h, false)
	run, e, game, err := c.beginOne(ctx, h, p.progress, nil, nil)
	if err != nil {
		return err
	}
	defer run.end(ctx, &err)
	known, _, err := c.endings.known(h.Games, game, "")
	if err != nil {
		return err
	}
	var db *explore.DB
	if c.db != "" {
		if db, err = explore.Open(ctx, c.db, h.Games, game); err != nil {
			return usagef("-db: %w", err)
		}
		defer closeInto(&err, db.Close)
	}
	pool, err := batch.NewPool(ctx, batch.PoolOptions{Open: e.Open, Spec: e.Spec, Jobs: 1, Limits: c.searchLimits(0), Deeper: 1, Warn: p.say})
	if err != nil {
		return err
	}
	defer closeInto(&err, pool.Close)
	if !e.Embedded {
		h.limitProcessors(1)
	}
	o := mcpserver.Options{Version: pluginclient.Version, Games: h.Games, Game: game, Pool: pool, Known: known, DB: db}
	for _, cmd := range listedCommands() {
		o.Pages = append(o.Pages, mcpserver.Page{Name: cmd.name, Summary: cmd.summary, Text: h.commandText(cmd)})
	}
	for _, t := range topics() {
		o.Pages = append(o.Pages, mcpserver.Page{Name: t.name, Summary: t.summary, Text: h.manualText(t.page)})
	}
	return mcpserver.Serve(ctx, mcpserver.New(o), h.Stdin, h.Stdout)
}
