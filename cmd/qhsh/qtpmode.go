package main

import (
	"context"
	"flag"
	"os"
	"os/signal"
	"syscall"

	"qhsh/pluginclient"
	"qhsh/pluginclient/attach"
)

// runQTP is the mode in which qhsh plays Quoridor over the Quoridor Text Protocol. Referees
// end an engine with SIGINT, at which it ends without a word, and start it with -seed; the
// embedded engine plays by no chance, so any seed will do.
func runQTP(h host, args []string) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	return runModeWith(ctx, h, "-qtp", "be an engine for Quoridor that speaks QTP", args, func(fs *flag.FlagSet, f *engineFlags) service {
		fs.Int64("seed", 0, "taken, and of no effect: the embedded engine plays by no chance")
		return func(ctx context.Context, h host, o *opener, log *pluginclient.TraceLog) (err error) {
			server, closing, err := attach.QTPServer(ctx, o.spec, o.options, f.timeout)
			if err != nil {
				return err
			}
			defer closeInto(&err, closing)
			server.Trace = hostTrace(log)
			return server.Serve(ctx, h.Stdin, h.Stdout)
		}
	})
}
