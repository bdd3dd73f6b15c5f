package main

import (
	"context"
	"errors"
	"flag"

	"qhsh/engine/games"
	"qhsh/pluginclient/format"
	"qhsh/pluginclient/task/cluster"
)

var clusterCommand = command{
	name:     "cluster",
	operands: "status | runs | cancel RUN...",
	summary:  "see what a cluster does, and end runs",
	complete: wordAt(0, "status", "runs", "cancel"),
	setup:    defined[clusterAction],
}

type clusterAction struct {
	outputFlags
	url string
}

func (c *clusterAction) define(fs *flag.FlagSet, _ games.Table) {
	fs.StringVar(&c.url, "cluster", "", "the cluster at `URL`")
	defineFormat(fs, &c.outputFlags, "", cluster.Formats())
}

func (c *clusterAction) run(ctx context.Context, h host, operands []string) error {
	if len(operands) == 0 {
		return usagef("want status, runs or cancel RUN")
	}
	verb, operands := operands[0], operands[1:]
	switch {
	case verb != "status" && verb != "runs" && verb != "cancel":
		return usagef("unknown operand %q: want status, runs or cancel RUN", verb)
	case verb != "cancel" && len(operands) > 0:
		return usagef("unexpected argument %q", operands[0])
	case verb == "cancel" && len(operands) == 0:
		return usagef("missing RUN: 'qhsh cluster runs' lists them")
	case c.url == "":
		return usagef("missing -cluster URL, as in 'qhsh cluster -cluster nats://localhost %s'", verb)
	}
	client, err := connect(ctx, c.url, "qhsh cluster", func(text string) { h.sayf("cluster", "%s", text) })
	if err != nil {
		return err
	}
	defer client.Close()
	switch verb {
	case "cancel":
		for _, run := range operands {
			err = errors.Join(err, client.Cancel(ctx, run))
		}
		return err
	case "runs":
		return c.show(ctx, h, client, cluster.RunFormats())
	}
	return c.show(ctx, h, client, cluster.Formats())
}

func (c *clusterAction) show(ctx context.Context, h host, client *cluster.Client, formats format.Table[cluster.StatusWriter]) error {
	chosen, err := choose(c.outputFlags, formats)
	if err != nil {
		return err
	}
	status, err := client.Status(ctx)
	if err != nil {
		return err
	}
	return chosen.Write(h.Stdout, status)
}
